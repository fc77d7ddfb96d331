"""A suppression that suppresses nothing, or names no rule.

``suppress`` in a record takes the id of a rule, the place (``at: derivation``, ``at: figures.gap``) and the reason, in
words, why its findings there are meant. Without a place or a reason it suppresses nothing. Once the
reason is gone, so should the entry be: it would hide the next fault of its kind. Where a rule does not run, as under
``--ignore`` or ``--no-claims``, its suppressions are not judged.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from flopkb.base.faults import did_you_mean
from flopkb.base.model import Record
from flopkb.checking.findings import Finding, SuppressionRule, at


def check(record: Record, suppressed: Collection[str], rules: Collection[str]) -> Iterator[Finding]:
    """The suppressions of the record that are of no use; those of ``suppressed`` rules hide findings, or might."""
    for suppression in record.suppressions:
        name = suppression.rule.text
        if name not in rules:
            yield at(suppression.rule, f"there is no rule {name}{did_you_mean(name, rules)}; flopkb rules lists them")
        elif suppression.at is None:
            yield at(suppression.rule, f"this suppression of {name} names no place; say where, such as at: derivation")
        elif not suppression.is_reasoned:
            yield at(
                suppression.reason, f"{suppression.reason.text[:40]!r} is no reason; say in words why {name} is meant"
            )
        elif name not in suppressed:
            where = suppression.at.text
            yield at(
                suppression.rule, f"nothing at {where} is found by {name}; delete the suppression, or correct its place"
            )


RULE = SuppressionRule(id="unused-suppression", doc=__doc__, run=check)
