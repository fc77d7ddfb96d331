"""A claim cannot be decided as it stands.

A symbol that it lets vary has no domain, or an empty one; its conditions contradict each other; something is divided
by that is zero inside the domain, even where it cancels; a name in it is unknown; or what it asks is too large to work
out. "At any dtype" is no domain: name the dtypes under ``over:``. Two claims with one name are one too many.
"""

from __future__ import annotations

from collections.abc import Iterator

from flopkb.base.claims import claims_of
from flopkb.base.claims.verdicts import Invalid
from flopkb.base.document import Mapping, Scalar, Sequence
from flopkb.base.evaluate import Evaluation
from flopkb.base.faults import listed
from flopkb.base.model import Record
from flopkb.checking.findings import Finding, RecordRule, at


def check(record: Record, base: Evaluation) -> Iterator[Finding]:
    """Every claim of the record that is none."""
    names: dict[Invalid, list[str]] = {}
    for name, verdict in claims_of(base).of_record(record):
        if isinstance(verdict, Invalid) and not verdict.blocked:
            names.setdefault(verdict, []).append(name)
    for verdict, found in names.items():
        yield Finding(verdict.location, f"{listed(found)}: {verdict}", length=verdict.length, missing=verdict.missing)
    yield from twice(record)


def twice(record: Record) -> Iterator[Finding]:
    """The claims whose name an earlier one of the record has."""
    node = record.document.root.get("claims")
    items = [item for item in node.items if isinstance(item, Mapping)] if isinstance(node, Sequence) else []
    seen: dict[str, Scalar] = {}
    for item in items:
        name = item.get("id")
        if isinstance(name, Scalar) and seen.setdefault(name.text, name) is not name:
            line = seen[name.text].location.line
            yield at(name, f"the claim in line {line} is named {name.text} too, so this one is not decided; rename one")


RULE = RecordRule(id="claim-invalid", doc=__doc__, run=check, claims=True, declares=True)
