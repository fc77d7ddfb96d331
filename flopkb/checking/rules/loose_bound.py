"""A bound holds, but is more than a quarter away from the value.

"At most 10x" of a 3.8x is true and says little; quote the value, or a bound that is near it. A warning.
"""

from __future__ import annotations

from collections.abc import Iterator

from flopkb.arithmetic.diagnostics import Severity
from flopkb.arithmetic.numbers import Verdict
from flopkb.base.evaluate import Evaluation
from flopkb.base.model import Subject
from flopkb.checking.findings import Finding, PageRule
from flopkb.checking.rules.quotes import number_finding

ADVICE = "; quote the value, or a bound near it"


def check(subject: Subject, base: Evaluation) -> Iterator[Finding]:
    """Every bound of the record that says little."""
    for result in base.quotes.get(subject.id, ()):
        if result.judgement is not None and result.judgement.verdict is Verdict.LOOSE_BOUND:
            yield number_finding(result, result.judgement, "is a loose bound", Severity.WARNING, ADVICE)


RULE = PageRule(id="loose-bound", doc=__doc__, run=check)
