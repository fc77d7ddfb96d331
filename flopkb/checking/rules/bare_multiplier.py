"""A word that multiplies, with nothing behind it: half, twice, a third, an order of magnitude.

Such a word says how large something is and goes stale as a number does; link it to the figure that it rounds. Always a
warning, since words are not always meant to the letter. In ``[16](fig:a) is twice [8](fig:b)`` the word is judged with the
numbers on both sides of it.
"""

from __future__ import annotations

from collections.abc import Iterator

from flopkb.arithmetic.diagnostics import Severity
from flopkb.base.equations import is_decided, runs, with_results
from flopkb.base.evaluate import Evaluation
from flopkb.base.model import Subject
from flopkb.checking.findings import Finding, PageRule
from flopkb.checking.rules.bare_number import covered, is_number


def check(subject: Subject, base: Evaluation) -> Iterator[Finding]:
    """Every multiplying word that is not linked."""
    shown = {id(passage) for passage in covered(subject, base)}
    for passage, own in with_results(subject, base):
        words = [bare for bare in passage.reading.bare if not is_number(bare)] if id(passage) in shown else []
        decided = [run for run in runs(passage, own) if is_decided(run, passage)] if words else []
        judged = {operand.start for run in decided for operand in run.operands}
        for bare in words:
            if bare.plain_start not in judged:
                yield Finding(
                    passage.scalar.at(bare.start),
                    f"{bare.text} is linked to nothing; link it to the figure that it rounds: [{bare.text}](fig:...)",
                    Severity.WARNING,
                    quoted=bare.text,
                    length=bare.end - bare.start,
                )


RULE = PageRule(id="bare-multiplier", doc=__doc__, run=check)
