"""Sides in symbols: every one of them must equal the formula that the equation is tied to, with its inputs in place."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from flopkb.arithmetic.formula import Rational, TooLargeError, ZeroDenominator
from flopkb.arithmetic.numbers import decimal_text
from flopkb.base.equations.findings import DERIVATION, UNREADABLE, EquationFault, Place
from flopkb.base.equations.known import Names, UnknownHere, environments, form_of, put
from flopkb.base.equations.sides import Side
from flopkb.base.evaluate import Evaluation
from flopkb.base.evaluate.environment import Environment, Stopped
from flopkb.base.faults import BadExpression, Blocked, DividesByZero
from flopkb.base.link import Computation


def derivation_faults(
    sides: Sequence[Side], computation: Computation, title: str, names: Names, place: Place, base: Evaluation
) -> Iterator[EquationFault]:
    """What is wrong with the sides in symbols of one run of equal sides."""
    try:
        envs = environments(computation, base)
        wanted = [put(base.evaluator.forms.formula(computation.formula), env, base) for env in envs]
    except (Stopped, TooLargeError, ZeroDenominator):
        return  # reported where it stands
    for index, side in enumerate(sides):
        if side.is_name and index == 0:
            yield from name_faults(side, computation, names, place)
        else:
            yield from side_faults(side, envs, wanted, title, names, place, base)


def name_faults(side: Side, computation: Computation, names: Names, place: Place) -> Iterator[EquationFault]:
    """The name on the left must be that of the formula."""
    formula = names.formula(side.names[0])
    if formula == computation.formula.name or computation.formula.name in side.names[0].split("."):
        return
    own = computation.formula.name
    spelled = [name for name, of in names.written.items() if of == own]
    shown = " or ".join([own, *spelled])
    message = (
        f"{side.text} on the left is not the formula {computation.formula}; write {shown}, or add it under written:"
    )
    yield place.fault(DERIVATION, side.start, side.end, message, quoted=side.text)


def side_faults(
    side: Side,
    envs: Sequence[Environment],
    wanted: Sequence[Rational],
    title: str,
    names: Names,
    place: Place,
    base: Evaluation,
) -> Iterator[EquationFault]:
    """One side against the formula, for every choice of the inputs."""
    try:
        form = form_of(side, names, base)
        for env, right in zip(envs, wanted, strict=True):
            found = put(form, env, base)
            if found != right:
                stray = stray_number(side, env, right, names, base)
                start, end, advice = (side.start, side.end, "") if stray is None else stray
                message = sentence(side, found, right, title) + advice
                yield place.fault(DERIVATION, start, end, message, quoted=side.text)
                return
    except UnknownHere as unknown:
        message = f"`{unknown}` is neither a symbol nor a formula of {names.record.id}; correct the name, or declare it"
        yield place.fault(UNREADABLE, unknown.name.offset, unknown.name.offset + len(str(unknown)), message)
    except ZeroDenominator:
        message = f"{shortened(side.text)} divides by zero, so it is not {title}"
        yield place.fault(DERIVATION, side.start, side.end, message, quoted=side.text)
    except (TooLargeError, Stopped) as error:
        if isinstance(error, Stopped) and isinstance(error.fault, (BadExpression, Blocked, DividesByZero)):
            return  # reported where it stands
        reason = str(error.fault) if isinstance(error, Stopped) else str(error)
        yield place.fault(UNREADABLE, side.start, side.end, f"{shortened(side.text)} cannot be compared: {reason}")


def sentence(side: Side, found: Rational, right: Rational, title: str) -> str:
    """What the side is, and what the formula is."""
    factor = (found / right).constant() if right.numerator.terms and found.numerator.terms else None
    off = f", off by a factor of {factor}" if factor is not None else ""
    shown = str(right)
    known = f": with these inputs it is {shown}" if len(shown) <= 100 else ""
    return f"{shortened(side.text)} is not {title}{off}{known}"


def shortened(text: str) -> str:
    """A side in a message."""
    return text if len(text) <= 80 else text[:79] + "…"


def stray_number(
    side: Side, env: Environment, right: Rational, names: Names, base: Evaluation
) -> tuple[int, int, str] | None:
    """The one number of a side that alone could be at fault: its place, and what it should be."""
    found = []
    for index, number in enumerate(side.numbers):
        wanted = solution(side, index, env, right, names, base)
        if wanted is not None and wanted > 0 and number.reading.unit is None:
            found.append((number.start, number.end, f"; write {decimal_text(wanted)} for {number.text}"))
    return found[0] if len(found) == 1 else None


def solution(
    side: Side, index: int, env: Environment, right: Rational, names: Names, base: Evaluation
) -> Fraction | None:
    """The value of a number that makes a side equal the formula, where the side or its inverse is linear in it."""
    atom = f"#{index}"
    form = put(form_of(side, names, base, free=index), env, base)
    if not right.numerator.terms:
        return None
    for turned in (False, True):
        try:
            ends = [form.substitute({atom: value}) for value in (1, 2)]
            one, two, goal = (1 / part if turned else part for part in (*ends, right))
            value = ((goal - one) / (two - one)).constant()
            if value is not None and form.substitute({atom: value + 1}) == right:
                return value + 1
        except (ZeroDenominator, TooLargeError):
            continue
    return None
