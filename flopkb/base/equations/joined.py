"""Links and numbers in prose that operators and relations join: ``[8](fig:a) × [80 GB](fig:b) = [640 GB](fig:c)``.

A run with a relation is an equation and is recomputed from what its links stand for. A run without one is a quantity
that a reader sees: each of its numbers must have something behind it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import pairwise

from flopkb.arithmetic.formula import DimensionError, Name, TooLargeError, ZeroDenominator, dimension, evaluate
from flopkb.arithmetic.numbers import judge
from flopkb.arithmetic.text import Markup, ScanVerdict, scan_text
from flopkb.arithmetic.text.strict import EquationSide, read_equation
from flopkb.arithmetic.units import ONE, Unit
from flopkb.base.equations.findings import MISMATCH, EquationFault
from flopkb.base.equations.operands import IS, RELATIONS, SPACE, Operand, Run, of_one_unit, operands_of
from flopkb.base.equations.worded import worded_runs
from flopkb.base.evaluate import QuoteResult
from flopkb.base.link import Passage

_JOINTS = tuple(
    (sign, re.compile(rf"(\)*)(?:{pattern})(\(*)", re.IGNORECASE))
    for sign, pattern in (
        ("≈", rf"{SPACE}?[≈≅≃]{SPACE}?|{SPACE}~{SPACE}"),
        ("=", rf"{SPACE}?(?::=|==?|≡){SPACE}?|{SPACE}(?:equals|(?:is|are) (?:equal to|the same as)){SPACE}"),
        ("<=", rf"{SPACE}?(?:<=|≤|=<){SPACE}?|{IS}(?:at most|no more than){SPACE}"),
        (">=", rf"{SPACE}?(?:>=|≥){SPACE}?|{IS}(?:at least|no less than){SPACE}"),
        (
            "<",
            rf"{SPACE}?<{SPACE}?|{IS}(?:less|smaller|lower|fewer) than{SPACE}|{IS}(?:below|under){SPACE}(?:the{SPACE})?",
        ),
        (
            ">",
            rf"{SPACE}?>{SPACE}?|{IS}(?:more|greater|larger|higher) than{SPACE}"
            rf"|{IS}(?:above|over|beyond){SPACE}(?:the{SPACE})?|{SPACE}(?:exceed|surpass|outstrip|top|beat)(?:s|es|ed)?{SPACE}(?:the{SPACE})?",
        ),
        ("≠", rf"{SPACE}?(?:≠|!=){SPACE}?"),
        (
            "is",
            rf"{SPACE}(?:is|are|comes (?:out )?(?:to|at)|makes?|gives?|yields?|totals?|amounts? to|adds? up to){SPACE}",
        ),
        (" + ", rf"{SPACE}?\+{SPACE}?|{SPACE}plus{SPACE}"),
        (" − ", rf"{SPACE}?−{SPACE}?|{SPACE}(?:minus|less){SPACE}"),
        (" * ", rf"{SPACE}?[×*·⋅]{SPACE}?|{SPACE}(?:x|times|multiplied by){SPACE}"),
        (" / ", rf"{SPACE}?[/÷]{SPACE}?|{SPACE}(?:divided by|over){SPACE}"),
        (" to ", rf"{SPACE}?[-–—]{SPACE}?|{SPACE}(?:up{SPACE})?to{SPACE}"),
        ("", ""),
    )
)
_COMPARED = re.compile(
    rf"(?:,?{SPACE}which|,{SPACE}(?:so|and|but){SPACE}(?:it|this|that)|(?P<noun>(?:{SPACE}[a-z][a-z-]*){{1,3}}))"
    rf"(?P<is>{IS}"
    rf"(?:below|under|above|over|beyond|(?:less|smaller|lower|more|greater|larger|higher){SPACE}than)"
    rf"{SPACE})(?:the{SPACE})?"
)
"""``[700 W](fig:a), which is below [600 W](fig:b)``; with a noun between them only where both are in one unit."""
_ASIDE = re.compile(rf"\A{SPACE}?\({SPACE}?(?:[=<>≤≥≈]|(?:[mgl])(?=(?:ore|reater|ess|ower|arger|igher){SPACE}than))")
"""``[8](fig:a) (more than [7](fig:b))`` compares the two."""
_SAID_ANEW = re.compile(rf",{SPACE}(?:i\.{SPACE}?e\.|that{SPACE}is|namely|in{SPACE}other{SPACE}words),?{SPACE}", re.I)
_UPWARD = re.compile(r"above|over|beyond|more|greater|larger|higher")
_TOUCHING = re.compile(rf"[.,'’^]?|{SPACE}")
"""What makes one number of two, as a reader sees it: ``8.295``, ``8 295``."""
_GROUPED = re.compile(rf"[0-9]{{1,3}}{SPACE}[0-9]{{3}}(?![0-9]).*", re.DOTALL)
_FURTHEST = 60
_BETWEEN = re.compile(rf"\bbetween{SPACE}\Z", re.IGNORECASE)
_AND = re.compile(rf"{SPACE}and{SPACE}")
_ADDED = re.compile(r"\b(?:add|compar|appl|set|near|clos|equal|relat|attach|belong|map|assign)\w*\s\Z", re.IGNORECASE)
_OPENED = re.compile(r"\(+\Z")
_GOES_ON_BEFORE = re.compile(rf"(?:[×*·⋅/÷+^√−=<>≤≥≈]|(?<=[\w)\]]){SPACE}(?:x|times|plus|minus|over)){SPACE}?\(*\Z")
_GOES_ON_BEHIND = re.compile(rf"\)*(?:{SPACE}?[×*·⋅/÷+^]|{SPACE}(?:x|times|plus|minus|over){SPACE})")
_RELATED = re.compile(r"[=<>≤≥≈]")


def runs(passage: Passage, results: Sequence[QuoteResult]) -> Iterator[Run]:
    """The runs of a passage that hold a link; ``results`` are those of its quotes."""
    plain = passage.reading.plain
    if not any(result.quote.link.scheme != "claim" for result in results):
        return
    operands = sorted(operands_of(passage, results), key=lambda operand: operand.start)
    joints = [_joint(plain, a, b) for a, b in pairwise(operands)]
    first = 0
    for at, joint in enumerate([*joints, None]):
        if joint is not None:
            continue
        if at > first and any(operand.result for operand in operands[first : at + 1]):
            opening = _OPENED.search(plain, 0, operands[first].start)
            given = [j for j in joints[first:at] if j is not None]
            yield from _resolved(operands[first : at + 1], given, opening[0] if opening else "")
        first = at + 1
    yield from worded_runs(operands, plain)


def _joint(plain: str, a: Operand, b: Operand) -> str | None:
    """What joins two numbers that follow each other: a sign with the brackets at it; None if they are apart."""
    if b.start < a.end or b.start - a.end > _FURTHEST:
        return None
    between = _ASIDE.sub(lambda found: f" {'is ' * found[0][-1].isalpha()}{found[0][-1]}", plain[a.end : b.start])
    if _SAID_ANEW.fullmatch(between):
        return "≈" if of_one_unit(a, b) else None
    compared = _COMPARED.fullmatch(between)
    if compared is not None:
        said = ">" if _UPWARD.search(compared["is"]) else "<"
        return said if not compared["noun"] or of_one_unit(a, b) else None
    if not between:
        return "" if plain[b.start].isalnum() and plain[a.end - 1].isalnum() else None
    if _TOUCHING.fullmatch(between) and plain[a.end - 1].isdigit() and plain[b.start].isdigit():
        return between if not between.isspace() or _GROUPED.fullmatch(plain, a.start, b.end) else None
    if _AND.fullmatch(between) and _BETWEEN.search(plain, max(0, a.start - 9), a.start):
        return " to "
    for sign, pattern in _JOINTS:
        found = pattern.fullmatch(between)
        if found:
            if sign == " to " and "to" in between and _ADDED.search(plain, max(0, a.start - 30), a.start):
                return None
            return f"{found[1]}{sign}{found[2]}"
    return None


def _resolved(operands: Sequence[Operand], joints: Sequence[str], before: str) -> Iterator[Run]:
    """The run, parted at each ``is`` that is not behind an operation (where it says that both are the same).

    Of the brackets before it those are taken that its first side closes.
    """
    side = joints[: next((at for at, joint in enumerate(joints) if joint.strip("()") in RELATIONS), len(joints))]
    said = "".join(side)
    opening = "(" * min(len(before), max(0, said.count(")") - said.count("(")))
    first, worked, kept = 0, False, []
    for at, joint in enumerate(joints):
        sign = joint.strip("()")
        if sign != "is" or worked:
            kept.append(joint.replace("is", "=") if sign == "is" else joint)
            worked = sign not in RELATIONS and sign != "is" and sign.strip() in ("+", "−", "*", "/")
            continue
        if at > first:
            yield Run(tuple(operands[first : at + 1]), tuple(kept), opening if not first else "")
        first, kept, worked = at + 1, [], False
    if len(operands) - first > 1:
        yield Run(tuple(operands[first:]), tuple(kept), opening if not first else "")


def is_whole(run: Run, plain: str) -> bool:
    """Whether nothing is joined to the run that is no number: a name, a root, code."""
    before = min(operand.start for operand in run.operands)
    behind = max(operand.end for operand in run.operands)
    opening = _GOES_ON_BEFORE.search(plain, max(0, before - 12), before)
    relation = opening is not None and _RELATED.search(opening[0]) is not None  # AI = [8] / [2] = [4]
    return (opening is None or relation) and _GOES_ON_BEHIND.match(plain, behind) is None


def related_faults(run: Run, passage: Passage) -> Iterator[EquationFault]:
    """The relations of a run that do not hold, as far as its numbers can be read."""
    sides = list(run.sides())
    for (_, left, left_text), (relation, right, right_text) in pairwise(sides):
        said = f"{left_text} {relation} {right_text}"
        message = _untrue(left, left_text, relation, right, right_text)
        if message:
            places = [place for operand in (*left, *right) for place in (operand.start, operand.end)]
            start, end = passage.reading.rendered.span(min(places), max(places))
            yield EquationFault(MISMATCH, passage, start, end, f"{said}: {message}", quoted=right_text)


def _untrue(left: Sequence[Operand], left_text: str, relation: str, right: Sequence[Operand], right_text: str) -> str:
    """What is wrong with one relation, or nothing."""
    if _unlike((left, left_text), (right, right_text)):
        return "the two sides are in unlike units; correct the sentence"
    if relation in ("=", "≈"):
        return "" if _equal(left, left_text, relation, right, right_text) else "the two sides are not equal"
    pairs = [(_value(left, left_text, exact), _value(right, right_text, exact)) for exact in (True, False)]
    known = [(a, b) for a, b in pairs if a is not None and b is not None]
    if not known or any(RELATIONS[relation](a, b) for a, b in known[:1]):
        return ""
    return f"`{relation}` does not hold; correct the relation or the numbers"


def _equal(left: Sequence[Operand], left_text: str, relation: str, right: Sequence[Operand], right_text: str) -> bool:
    """Whether two sides are equal at the precision that they are written with."""
    if len(left) > 1 or len(right) > 1:
        found = scan_text(f"{left_text} {relation} {right_text}", "", Markup.MARKDOWN, foreign=False).equations
        if found and all(equation.verdict is ScanVerdict.OK for equation in found):
            return True
        known = bool(found)
    else:
        known = True
    exact = _value(left, left_text, True), _value(right, right_text, True)
    if None in exact:
        return not known
    return exact[0] == exact[1] or _rounds(left, exact[1], right) or _rounds(right, exact[0], left)


def _rounds(side: Sequence[Operand], value: Fraction | None, other: Sequence[Operand]) -> bool:
    """Whether a side is one number that may be written for the value of the other side."""
    reading = side[0].reading if len(side) == 1 else None
    if reading is None or value is None:
        return False
    units = [operand.reading.unit for operand in other if operand.reading is not None and operand.reading.unit]
    declared = reading.unit or (units[0] if len(other) == 1 and units else ONE)
    return judge(reading, [value], declared).ok and (
        len(other) > 1 or not units or units[0].dimension == declared.dimension
    )


def _read(side: Sequence[Operand], text: str) -> EquationSide | None:
    """A side as arithmetic, if each of its operands is a number of it."""
    groups = read_equation(f"{text} = 0", frozenset()).groups  # before a relation 16/8 is arithmetic
    found = groups[0][0] if len(groups) == 1 and len(groups[0]) == 2 else None
    return found if found is not None and found.expr is not None and len(found.numbers) == len(side) else None


def _unlike(*sides: tuple[Sequence[Operand], str]) -> bool:
    """Whether a side adds what cannot be added, or the sides are measured in units of two dimensions."""
    try:
        measured = {unit.dimension for side, text in sides if (unit := _unit(side, text)) is not None}
    except DimensionError:
        return True
    return len(measured - {()}) > 1


def _unit(side: Sequence[Operand], text: str) -> Unit | None:
    """The physical unit of a side; None where it is not known. Raises :class:`DimensionError`."""
    found = _read(side, text)
    units: list[Unit] = []
    for operand, number in zip(side, found.numbers if found is not None else (), strict=False):
        stated = operand.result.unit if operand.result is not None and operand.result.values else None
        if (stated is None and number.reading.unit is None) or (operand.result and operand.result.quote.column):
            return None
        units.append(number.reading.unit or stated or ONE)
    if found is None or found.expr is None:
        return None
    return dimension(found.expr, lambda name: units[int(name.parts[0][1:])])


def _value(side: Sequence[Operand], text: str, exact: bool) -> Fraction | None:
    """What a side comes to in base units: of the values behind its links where it is ``exact``, else of what is shown."""
    read_side = _read(side, text)
    if read_side is None or read_side.expr is None:
        return None

    def number(name: Name) -> Fraction:
        place = int(name.parts[0][1:])
        result, reading = side[place].result, read_side.numbers[place].reading
        if exact and result is not None and len(result.values) == 1:
            return result.values[0]
        return reading.value * (reading.unit.scale if reading.unit is not None else 1)

    try:
        return evaluate(read_side.expr, number)
    except (ZeroDenominator, TooLargeError):
        return None


def unbacked(run: Run) -> tuple[Operand, str] | None:
    """The first value of a run whose quantity a reader sees with a number that nothing stands behind; and the whole."""
    whole = run.operands[0].text + "".join(j + o.text for j, o in zip(run.joints, run.operands[1:], strict=True))
    values = [operand for operand in run.operands if operand.backed]
    if not values:
        return None
    touching = next(
        (b for a, b, j in zip(run.operands, run.operands[1:], run.joints, strict=False) if _TOUCHING.fullmatch(j)), None
    )
    if touching is not None:
        return touching, whole
    bare = any(not operand.backed and operand.result is not None for operand in run.operands)
    return (values[0], whole) if bare else None
