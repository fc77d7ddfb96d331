"""A hardware row claims a magnitude that its effect's sentence does not quote.

``magnitude`` names figures, and each must be linked in the sentence that ``effect`` repeats: a row cannot bring a
number of its own.
"""

from __future__ import annotations

from collections.abc import Iterator

from flopkb.base.evaluate import Evaluation
from flopkb.base.model import Record
from flopkb.checking.findings import Finding, RecordRule, at
from flopkb.checking.rules.hardware_rows import sentences


def check(record: Record, base: Evaluation) -> Iterator[Finding]:
    """Every magnitude that is no figure, or is not quoted where the effect stands."""
    for row in record.rows:
        places = sentences(row, record, base)
        for name in row.magnitude:
            if name.text not in record.figures:
                yield at(
                    name, f"{name.text} is no figure of this record; declare it under figures: or correct the name"
                )
            elif len(places) == 1 and (record.id, name.text) not in places[0].figures():
                yield at(
                    name,
                    f"the effect's sentence does not quote {name.text}; link it there or leave it out of magnitude",
                )


RULE = RecordRule(id="magnitude-not-quoted", doc=__doc__, run=check)
