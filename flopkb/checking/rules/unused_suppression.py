"""A suppression that suppresses nothing, or names no rule.

``suppress`` in a record takes the id of a rule and the reason why its findings in this record are meant. Once the
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
        elif name not in suppressed:
            yield at(suppression.rule, f"nothing in this record is found by {name}; delete the suppression")


RULE = SuppressionRule(id="unused-suppression", doc=__doc__, run=check)
