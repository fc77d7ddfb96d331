"""A derived value of a record is not what its formula gives.

``basis: derived`` names an expression over the record's other values (``hidden_size / num_attention_heads``); the value
written beside it must be that, at the precision it is written with.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from flopkb.arithmetic.numbers import ReadError, judge, read, with_unit
from flopkb.arithmetic.units import ONE, parse_unit
from flopkb.base.evaluate import Evaluation
from flopkb.base.evaluate.inputs import recorded_value
from flopkb.base.faults import Blocked
from flopkb.base.model import Basis, Fact, Record
from flopkb.checking.findings import Finding, RecordRule, of_fault


def check(record: Record, base: Evaluation) -> Iterator[Finding]:
    """Every derived value of the record, recomputed."""
    for fact in record.facts.values():
        if fact.basis is Basis.DERIVED and fact.formula is not None and fact.value is not None:
            yield from _compare(fact, record, base)


def formula_named(formula: str) -> str:
    """A formula in a sentence."""
    line = " ".join(formula.split())
    return line if len(line) <= 80 else "its formula"


def _compare(fact: Fact, record: Record, base: Evaluation) -> Iterator[Finding]:
    assert fact.formula is not None and fact.value is not None
    computed = recorded_value(fact, record, base.kb)
    if not isinstance(computed, Fraction):
        if not isinstance(computed, Blocked):
            yield of_fault(computed)
        return
    try:
        quoted = read(fact.value.text)
    except ReadError:
        return  # the rule bad-input reports a value that cannot be read
    unit = parse_unit(fact.unit)
    judged = judge(quoted, [computed], unit) if quoted.unit is not None else judge(quoted, [computed / unit.scale], ONE)
    if not judged.ok:
        message = (
            f"{fact.path} is {fact.value.text}, but {formula_named(fact.formula.text)} is "
            f"{with_unit(judged.computed, judged.unit, tight=True)}; correct the value or the formula"
        )
        yield Finding(
            fact.value.location, message, quoted=fact.value.text, computed=judged.computed, length=len(fact.value.text)
        )


RULE = RecordRule(id="derived-value", doc=__doc__, run=check)
