"""What parts can do, for programs that know a part by the name that its driver reports: one JSON file, one module.

In: a resolved base. Out: ``peaks.json`` and ``flopkb_peaks.py``, which holds the same values and imports nothing. All
values are in flop/s, byte/s and byte, as whole numbers where they are whole. What has no value says why.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from fractions import Fraction
from pprint import pformat

from flopkb.base.document import Scalar, Sequence
from flopkb.base.model import Kind
from flopkb.publishing.export.data_tables import head
from flopkb.publishing.export.resolved import ResolvedBase, ResolvedFact, ResolvedRecord

PEAKS_VERSION = "1.0"
"""Of ``peaks.json`` and the module: the first number grows where a reader may stumble."""

QUANTITIES = ("memory_bandwidth", "usable_memory", "memory_capacity")
Entry = dict[str, object]


def peaks_export(base: ResolvedBase) -> dict[str, bytes]:
    """The files of the folder, by their names."""
    document = peaks(base)
    text = json.dumps(document, indent=1, ensure_ascii=False) + "\n"
    return {"peaks.json": text.encode("utf-8"), "flopkb_peaks.py": module(document).encode("utf-8")}


def peaks(base: ResolvedBase) -> Entry:
    """The content of ``peaks.json``: parts by id, and the names of devices with the part that each stands for."""
    parts = base.of_kind(Kind.ACCELERATOR)
    return {
        **head(base),
        "schema_version": PEAKS_VERSION,
        "devices": {name: part.id for part in parts for name in device_names(part)},
        "parts": {part.id: entry(part) for part in parts},
    }


def device_names(part: ResolvedRecord) -> tuple[str, ...]:
    """What drivers call the part."""
    found = part.record.document.root.get("device_names")
    return tuple(item.text for item in found.items if isinstance(item, Scalar)) if isinstance(found, Sequence) else ()


def entry(part: ResolvedRecord) -> Entry:
    """One part: its names, its dense peaks by number format, its memory."""
    dense = [fact for fact in part.facts if fact.quantity == "peak_flops" and fact.sparsity != "sparse"]
    quantities = {fact.quantity: stated(fact) for fact in part.facts if fact.path in QUANTITIES}
    return {
        "name": part.name,
        "status": part.status.value,
        "device_names": list(device_names(part)),
        "peak_flops": by_format(dense),
        **{name: quantities.get(name, {"absent": "not recorded"}) for name in QUANTITIES},
    }


def by_format(rows: Iterable[ResolvedFact]) -> Entry:
    """Dense peaks by number format; a format with several says how each adds up, as ``fp16/fp32``."""
    found: Entry = {}
    for row in rows:
        key = f"{row.dtype}/{row.accumulate}" if row.dtype in found and row.accumulate else row.dtype
        found[key] = stated(row)
    return found


def stated(fact: ResolvedFact) -> Entry:
    """A value with what stands behind it; why there is none, in place of it."""
    if fact.value is None:
        return {"absent": fact.absence or fact.fault}
    behind: Entry = {"basis": fact.basis.value, "source": list(fact.sources)}
    printed: Entry = {"as_printed": fact.as_printed, "reading": fact.reading}
    return {"value": plain(fact.value.base), **printed, **behind, "contested": fact.contested}


def plain(value: Fraction) -> int | float:
    """A whole number as one, anything else as the nearest double."""
    return value.numerator if value.denominator == 1 else float(value)


MODULE = '''"""What accelerators can do, by the names that drivers report. Written by flopkb; do not edit.

Values are in flop/s (dense), byte/s and byte. ``PARTS`` holds what stands behind each; schema {version}.
"""

SCHEMA_VERSION = "{version}"
DEVICES = {devices}
PARTS = {parts}


def part(device):
    """The part that a driver calls ``device`` (or whose id that is); raises KeyError."""
    return PARTS[DEVICES.get(device, device)]


def peak_flops(device, dtype):
    """Dense peak in flop/s; raises KeyError with the reason where there is none."""
    rows = part(device)["peak_flops"]
    if dtype not in rows:
        raise KeyError("no dense peak in " + dtype + " is recorded; there is " + ", ".join(sorted(rows)))
    return _value(rows[dtype])


def memory_bandwidth(device):
    """Bandwidth of the memory in byte/s; raises KeyError with the reason where there is none."""
    return _value(part(device)["memory_bandwidth"])


def usable_memory(device):
    """Bytes that a driver lets programs use; where that is not recorded, what is installed."""
    found = part(device)
    return _value(found["memory_capacity"] if "absent" in found["usable_memory"] else found["usable_memory"])


def _value(entry):
    if "absent" in entry:
        raise KeyError(entry["absent"])
    return entry["value"]
'''


def module(document: Entry) -> str:
    """The Python module with the same values."""
    devices, parts = (pformat(document[key], width=120, sort_dicts=False) for key in ("devices", "parts"))
    return MODULE.format(version=PEAKS_VERSION, devices=devices, parts=parts)
