"""The bytes of a number format do not count the scales that it lists, and nothing says so.

``bytes`` is what a stored element takes: its code and its share of the scales and zero points, derived from their bits
and the sizes of their groups (``bits + scale_bits/group_size``). A format whose bytes are those of the codes alone says
``scales_left_out: true``, so that an answer made with it can say so too.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from flopkb.base.evaluate import Evaluation
from flopkb.base.evaluate.facts import inputs_of
from flopkb.base.model import Fact, Kind, Record
from flopkb.checking.findings import Finding, RecordRule

SCALES = ("scale_bits", "zero_point_bits", "super_scale_bits", "super_zero_point_bits")
"""What an element has a share of; the scale of a whole tensor is too little to be counted."""


def check(record: Record, base: Evaluation) -> Iterator[Finding]:
    """What ``bytes`` of a number format is made of, beside what its record lists and says."""
    size = record.facts.get("bytes") if record.kind is Kind.DTYPE else None
    if size is None:
        return
    listed = [name for name in SCALES if name in record.facts]
    counted = _inputs(size, record.facts)
    missing = [name for name in listed if name not in counted]
    says = record.facts.get("scales_left_out")
    left_out = says is not None and says.value is not None and says.value.value is True
    if missing and not left_out:
        yield Finding(
            size.location,
            f"bytes does not count {' and '.join(missing)}; derive it, as bits + scale_bits/group_size, "
            "or say scales_left_out: true",
            length=len("bytes"),
        )
    elif listed and left_out and not missing:
        assert says is not None
        message = "bytes counts every scale that the record lists, so none is left out; drop scales_left_out"
        yield Finding(says.location, message, length=len("scales_left_out"))


def _inputs(fact: Fact, facts: Mapping[str, Fact]) -> set[str]:
    """The paths of everything that a derived value is made of, on whatever way."""
    found: set[str] = set()
    queue = list(inputs_of(fact, facts))
    while queue:
        path = queue.pop()
        if path not in found:
            found.add(path)
            queue += inputs_of(facts[path], facts) if path in facts else ()
    return found


RULE = RecordRule(id="uncounted-scales", doc=__doc__, run=check)
