"""A symbol, figure or point that nothing uses.

An unused figure is recomputed for nobody, and an unused symbol is mostly a misspelt one. Use it, quote it or delete it.
The symbols of a vocabulary are there for records to come as well, and may wait for them.
"""

from __future__ import annotations

from collections.abc import Iterator

from flopkb.base.document import Scalar
from flopkb.base.evaluate import Evaluation
from flopkb.base.evaluate.usage import Usage
from flopkb.base.model import Kind, Record
from flopkb.checking.findings import Finding, RecordRule, at


def check(record: Record, base: Evaluation) -> Iterator[Finding]:
    """What the record declares and nothing uses."""
    usage = base.usage
    yield from (
        at(key, f"{what} {key.text} is used nowhere; use it or delete it") for what, key in unused(record, usage)
    )


def unused(record: Record, usage: Usage) -> Iterator[tuple[str, Scalar]]:
    """Each unused definition with what it is."""
    own = record.symbols.values() if record.kind is not Kind.VOCABULARY else ()
    yield from (("symbol", s.key) for s in own if (record.id, s.name) not in usage.symbols)
    yield from (("figure", f.key) for f in record.figures.values() if (record.id, f.name) not in usage.figures)
    yield from (("point", p.key) for p in record.points.values() if (record.id, p.name) not in usage.points)


RULE = RecordRule(id="unused-definition", doc=__doc__, run=check)
