"""A quoted number is not the number that its figure computes.

The quote is judged at the precision it is written with: half of its last digit, and never more than a tenth of it;
with ``about`` and the like a little more. The message gives what is quoted, what was computed, how far they are apart,
and what to write.
"""

from __future__ import annotations

from collections.abc import Iterator

from flopkb.arithmetic.numbers import Verdict
from flopkb.base.evaluate import Evaluation
from flopkb.base.model import Subject
from flopkb.checking.findings import Finding, PageRule
from flopkb.checking.rules.quotes import number_finding

ADVICE = "; rewrite the sentence to say what holds"


def check(subject: Subject, base: Evaluation) -> Iterator[Finding]:
    """Every quote of the record that is wrong."""
    for result in base.quotes.get(subject.id, ()):
        if result.judgement is not None and result.judgement.verdict is Verdict.WRONG:
            advice = "" if "write" in result.judgement.note else ADVICE
            yield number_finding(result, result.judgement, "is wrong", advice=advice)


RULE = PageRule(id="figure-mismatch", doc=__doc__, run=check)
