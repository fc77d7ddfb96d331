"""A quoted number was cut where it should have been rounded.

11 for 11.65 has the right digits as far as it goes, but the rounded number is 12. Told apart from a wrong number, since
it is mended by rounding.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from flopkb.arithmetic.numbers import Verdict
from flopkb.base.evaluate import Evaluation
from flopkb.base.model import Subject
from flopkb.checking.findings import Finding, PageRule
from flopkb.checking.rules.quotes import number_finding


def check(subject: Subject, base: Evaluation) -> Iterator[Finding]:
    """Every quote of the record that is cut, not rounded."""
    for result in base.quotes.get(subject.id, ()):
        if result.judgement is not None and result.judgement.verdict is Verdict.TRUNCATED:
            yield number_finding(result, replace(result.judgement, note=""), "is cut, not rounded")


RULE = PageRule(id="figure-truncated", doc=__doc__, run=check)
