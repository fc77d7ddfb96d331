"""The effect of a hardware row is not the record's own words, or not one place of them.

``effect`` repeats a sentence of the record's prose, whole or by its first words and an ellipsis, so that a row can say
nothing that the record does not say. It must match exactly one place.
"""

from __future__ import annotations

from collections.abc import Iterator

from flopkb.base.evaluate import Evaluation
from flopkb.base.model import Record
from flopkb.checking.findings import Finding, RecordRule, at
from flopkb.checking.rules.hardware_rows import sentences


def check(record: Record, base: Evaluation) -> Iterator[Finding]:
    """Every row whose effect matches no place, or several."""
    for row in record.rows:
        places = len(sentences(row, record, base))
        if places == 0:
            yield at(
                row.effect,
                "the effect is nowhere in the record's prose; repeat a sentence of it, or its first words and …",
            )
        elif places > 1:
            yield at(
                row.effect, f"the effect matches {places} places of the record's prose; repeat more of the one meant"
            )


RULE = RecordRule(id="effect-not-in-prose", doc=__doc__, run=check)
