"""A word that multiplies, with nothing behind it: half, twice, a third, an order of magnitude.

Such a word says how large something is and goes stale as a number does; link it to the figure that it rounds. Always a
warning, since words are not always meant to the letter.
"""

from __future__ import annotations

from collections.abc import Iterator

from flopkb.arithmetic.diagnostics import Severity
from flopkb.base.evaluate import Evaluation
from flopkb.base.model import Subject
from flopkb.checking.findings import Finding, PageRule
from flopkb.checking.rules.bare_number import covered, is_number


def check(subject: Subject, base: Evaluation) -> Iterator[Finding]:
    """Every multiplying word that is not linked."""
    for passage in covered(subject, base):
        for bare in passage.reading.bare:
            if not is_number(bare):
                yield Finding(
                    passage.scalar.at(bare.start),
                    f"{bare.text} is linked to nothing; link it to the figure that it rounds: [{bare.text}](fig:...)",
                    Severity.WARNING,
                    quoted=bare.text,
                    length=bare.end - bare.start,
                )


RULE = PageRule(id="bare-multiplier", doc=__doc__, run=check)
