"""A question turned around, from its texts: the statement read, its inputs linked as those of any formula."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeVar

from flopkb.arithmetic.diagnostics import Location
from flopkb.arithmetic.formula import TooLargeError, ZeroDenominator
from flopkb.arithmetic.prose import Input, Target
from flopkb.base.document import Scalar
from flopkb.base.evaluate import Evaluation
from flopkb.base.evaluate.inputs import Inputs
from flopkb.base.evaluate.solving import OPERATORS, Solution, Statement, solve
from flopkb.base.evaluate.sweeping import Swept, swept
from flopkb.base.evaluate.values import choices
from flopkb.base.faults import BadExpression, BadTarget, DividesByZero, Fault, Stopped
from flopkb.base.link import Computation, Holder, KnowledgeBase, Linker
from flopkb.base.link.aliases import called_in

T = TypeVar("T")

_WHERE = Location("", 1, 1)
_NAMED = re.compile(r"[A-Za-z_]\w*\.[A-Za-z_]\w*")


def statement_of(text: str) -> Statement | Fault:
    """The statement in a text, split at its one comparison."""
    found = re.split(f"({'|'.join(OPERATORS)})", text)
    if len(found) != 3 or not found[0].strip() or not found[2].strip():
        reason = f"{text or 'nothing'} is no statement; write FORMULA = VALUE, <= or >=, as decode_step.time <= 20 ms"
        return BadTarget(_WHERE, "", reason=reason)
    return Statement(found[0].strip(), found[1], found[2].strip())


@dataclass(frozen=True, slots=True)
class TurnedQuestion:
    """A statement, and the formula in it that the inputs are linked with."""

    statement: Statement
    target: Target


def formula_in(text: str, kb: KnowledgeBase) -> str:
    """The first formula that a statement names, else what stands where one should."""
    known = {str(ref) for ref in kb.formulas}
    found = [called_in(match[0], kb.scope) for match in _NAMED.finditer(text)]
    return next((name for name in found if name in known), found[0] if found else text.split(" ")[0])


def asked_of(
    text: str, points: Sequence[str], inputs: Mapping[str, str | int | Fraction], kb: KnowledgeBase
) -> TurnedQuestion | Fault:
    """The question in a statement with its inputs."""
    statement = statement_of(_NAMED.sub(lambda match: called_in(match[0], kb.scope), text))
    if isinstance(statement, Fault):
        return statement
    record, dot, formula = formula_in(text, kb).partition(".")
    if not dot:
        reason = f"{text} names no formula; write it with its record, as decode_step.time"
        return BadTarget(_WHERE, "", reason=reason)
    pairs = tuple(Input(key, str(value), 0, 0) for key, value in inputs.items())
    return TurnedQuestion(statement, Target("fig", record, formula, 0, pairs, tuple((point, 0) for point in points)))


def solved(name: str, asked: TurnedQuestion, target: Target, evaluation: Evaluation) -> Solution | Fault:
    """The value of ``name`` at which a statement holds, or what keeps it from being found."""
    return _asked(
        asked.statement, target, evaluation, lambda env: solve(asked.statement, name, env, evaluation.evaluator.forms)
    )


def over_symbol(
    name: str, low: Fraction, high: Fraction, asked: TurnedQuestion, target: Target, evaluation: Evaluation
) -> Swept | Fault:
    """The formula on the left of a statement as a form in ``name``, or what keeps it from being one."""
    formula, forms = asked.statement.left, evaluation.evaluator.forms
    return _asked(asked.statement, target, evaluation, lambda env: swept(formula, name, low, high, env, forms))


def _asked(statement: Statement, target: Target, evaluation: Evaluation, found: Callable[[Inputs], T]) -> T | Fault:
    """What is found with the inputs of a target, or what keeps it from being found."""
    computation = Linker(Holder(""), evaluation.kb.scope).resolve(target, Scalar(_WHERE, "", ""), _WHERE)
    if isinstance(computation, Fault):
        return computation
    if not isinstance(computation, Computation):
        return BadTarget(_WHERE, "", reason=f"{target.dotted} is no formula; name one, as decode_step.time")
    place, asked_by, length = computation.place
    several = next((binding.name for binding in computation.bindings if binding.is_list), None)
    if several is not None:
        return BadTarget(_WHERE, "", reason=f"{several} has several values; solve takes one of each input")
    bound, _ = next(choices(computation))
    env = Inputs(evaluation.kb, computation.formula, asked_by, place, bound, length)
    try:
        return found(env)
    except Stopped as stopped:
        return stopped.fault
    except TooLargeError as error:
        return BadExpression(*computation.place, reason=str(error))
    except ZeroDenominator as error:
        return DividesByZero(*computation.place, formula=str(statement), denominator=str(error.denominator))
