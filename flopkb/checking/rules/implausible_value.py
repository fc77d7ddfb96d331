"""A value that no part of its kind has.

The memory that a record names bounds what its bandwidth, capacity and pins can be: no part with LPDDR5X memory moves
500 TB/s, whatever is printed. The bounds are wide, for parts to come; a value outside of them is a slip of a thousand, a
unit, or a row of the wrong table. A cache on the chip is smaller than the memory behind it, and usable memory is no
more than all of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction

from flopkb.arithmetic.units import parse_amount
from flopkb.base.document import Scalar
from flopkb.base.evaluate import Evaluation
from flopkb.base.evaluate.facts import fact_value
from flopkb.base.model import Fact, Kind, Record
from flopkb.checking.findings import Finding, RecordRule, at

Bounds = tuple[str, str]
"""The least and the greatest amount."""

_NAMES = ("memory_bandwidth", "memory_capacity", "memory_pin_rate")
_BOUNDS: dict[str, tuple[Bounds, Bounds, Bounds]] = {
    "LPDDR": (("5 GB/s", "3 TB/s"), ("256 MiB", "4 TiB"), ("100 Mbit/s", "20 Gbit/s")),
    "GDDR": (("20 GB/s", "5 TB/s"), ("256 MiB", "512 GiB"), ("1 Gbit/s", "60 Gbit/s")),
    "DDR": (("2 GB/s", "3 TB/s"), ("256 MiB", "64 TiB"), ("100 Mbit/s", "20 Gbit/s")),
    "HBM": (("50 GB/s", "60 TB/s"), ("1 GiB", "4 TiB"), ("500 Mbit/s", "20 Gbit/s")),
    "SRAM": (("100 GB/s", "500 PB/s"), ("1 MiB", "1 TiB"), ("100 Mbit/s", "100 Gbit/s")),
}
"""What the values of ``_NAMES`` can be, by the family of memory that a record names."""

_CACHES = ("l2_cache_size", "shared_memory_capacity", "register_file_size", "usable_memory")


def check(record: Record, base: Evaluation) -> Iterator[Finding]:
    """Every value of a part against what its kind of memory can be, and its caches against its memory."""
    if record.kind is not Kind.ACCELERATOR:
        return
    named = record.document.root.get("memory_type")
    family = _family(named.text) if isinstance(named, Scalar) else None
    if family is not None and isinstance(named, Scalar):
        for path, (low, high) in zip(_NAMES, _BOUNDS[family], strict=True):
            for stated in _stated(record.facts.get(path)):
                yield from _outside(stated, record, low, high, f"a part with {named.text} memory")
    whole = record.facts.get("memory_capacity")
    for path in _CACHES:
        part = record.facts.get(path)
        if part is not None and part.value is not None and whole is not None and whole.value is not None:
            one, all_of_it = fact_value(part, record), fact_value(whole, record)
            if isinstance(one, Fraction) and isinstance(all_of_it, Fraction) and one > all_of_it:
                yield at(
                    part.value, f"{path} is {part.value.text}, more than the memory of {whole.value.text} as a whole"
                )


def _stated(fact: Fact | None) -> tuple[Fact, ...]:
    return (fact, *fact.disputed) if fact is not None else ()


def _family(memory: str) -> str | None:
    """The family of a kind of memory; None of one that is not known, or of several."""
    found = {match[0] for match in re.finditer("LPDDR|GDDR|DDR|HBM|SRAM", memory.upper())}
    return found.pop() if len(found) == 1 else None


def _outside(fact: Fact, record: Record, low: str, high: str, what: str) -> Iterator[Finding]:
    value = fact_value(fact, record)
    if fact.value is None or not isinstance(value, Fraction):
        return
    if not parse_amount(low).base <= value <= parse_amount(high).base:
        name = fact.path.replace("_", " ")
        yield at(
            fact.value, f"no {name} of {what} is {fact.value.text} ({low} to {high}); check digits, prefix and unit"
        )


RULE = RecordRule(id="implausible-value", doc=__doc__, run=check)
