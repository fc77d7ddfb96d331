"""A value is asked of a thing that the formula does not cover.

What a formula ``requires`` must hold of the thing that it is asked of: a decode step of weights that do not fit has no
time, and there is no negative number of sequences. The message says what is not met, with the numbers. A figure that asks
all the same says why, with ``hypothetical:``; one that says so although everything holds is reported too. A cell of a table
shows the words in place of a number.
"""

from __future__ import annotations

from collections.abc import Iterator

from flopkb.base.evaluate import Evaluation, Value
from flopkb.base.faults import NotApplicable
from flopkb.base.model import Record, Subject
from flopkb.checking.findings import Finding, PageRule, at, of_fault


def check(subject: Subject, base: Evaluation) -> Iterator[Finding]:
    """Every value that is none, and every excuse that is not needed."""
    yield from map(of_fault, base.faults_of(subject.id, NotApplicable))
    for figure in subject.figures.values() if isinstance(subject, Record) else ():
        value = base.figures.get((subject.id, figure.name))
        if figure.hypothetical is not None and isinstance(value, Value) and value.applies:
            yield at(figure.hypothetical, f"everything that {value.computation.formula} requires holds; leave this out")


RULE = PageRule(id="not-applicable", doc=__doc__, run=check)
