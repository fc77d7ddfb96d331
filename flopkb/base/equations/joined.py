"""Links and numbers in prose that operators and relations join: ``[8](fig:a) × [80 GB](fig:b) = [640 GB](fig:c)``.

A run with a relation is an equation and is recomputed from what its links stand for. A run without one is a quantity
that a reader sees: each of its numbers must have something behind it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from flopkb.arithmetic.formula import DimensionError, Name, TooLargeError, ZeroDenominator, dimension, evaluate
from flopkb.arithmetic.numbers import Quoted, ReadError, judge, quantity_at, read
from flopkb.arithmetic.prose.spans import Spans
from flopkb.arithmetic.text import Markup, ScanVerdict, scan_text
from flopkb.arithmetic.text.strict import EquationSide, read_equation
from flopkb.arithmetic.units import ONE, Unit
from flopkb.base.equations.findings import MISMATCH, EquationFault
from flopkb.base.evaluate import QuoteResult
from flopkb.base.link import LiteralTarget, Passage

_SPACE = "[ \u00a0\u202f\u2009]"
_IS = (
    rf"{_SPACE}(?:is|are|was|were|remains?|stays?|lies|stands|sits){_SPACE}"
    rf"(?:(?:well|far|just|slightly|still|already|always|never{_SPACE}not){_SPACE})?"
)
"""What says of a number how it stands to the next."""
_JOINTS = tuple(
    (sign, re.compile(rf"(\)*)(?:{pattern})(\(*)", re.IGNORECASE))
    for sign, pattern in (
        ("≈", rf"{_SPACE}?[≈≅≃]{_SPACE}?|{_SPACE}~{_SPACE}"),
        ("=", rf"{_SPACE}?(?::=|==?|≡){_SPACE}?|{_SPACE}(?:equals|(?:is|are) (?:equal to|the same as)){_SPACE}"),
        ("<=", rf"{_SPACE}?(?:<=|≤|=<){_SPACE}?|{_IS}(?:at most|no more than){_SPACE}"),
        (">=", rf"{_SPACE}?(?:>=|≥){_SPACE}?|{_IS}(?:at least|no less than){_SPACE}"),
        (
            "<",
            rf"{_SPACE}?<{_SPACE}?|{_IS}(?:less|smaller|lower|fewer) than{_SPACE}|{_IS}(?:below|under){_SPACE}(?:the{_SPACE})?",
        ),
        (
            ">",
            rf"{_SPACE}?>{_SPACE}?|{_IS}(?:more|greater|larger|higher) than{_SPACE}"
            rf"|{_IS}(?:above|over|beyond){_SPACE}(?:the{_SPACE})?|{_SPACE}(?:exceed|surpass|outstrip|top|beat)(?:s|es|ed)?{_SPACE}(?:the{_SPACE})?",
        ),
        ("≠", rf"{_SPACE}?(?:≠|!=){_SPACE}?"),
        (
            "is",
            rf"{_SPACE}(?:is|are|comes (?:out )?(?:to|at)|makes?|gives?|yields?|totals?|amounts? to|adds? up to){_SPACE}",
        ),
        (" + ", rf"{_SPACE}?\+{_SPACE}?|{_SPACE}plus{_SPACE}"),
        (" - ", rf"{_SPACE}?−{_SPACE}?|{_SPACE}(?:minus|less){_SPACE}"),
        (" * ", rf"{_SPACE}?[×*·⋅]{_SPACE}?|{_SPACE}(?:x|times|multiplied by){_SPACE}"),
        (" / ", rf"{_SPACE}?[/÷]{_SPACE}?|{_SPACE}(?:divided by|over){_SPACE}"),
        (" to ", rf"{_SPACE}?[-–—]{_SPACE}?|{_SPACE}(?:up{_SPACE})?to{_SPACE}"),
        ("", ""),
    )
)
_COMPARED = re.compile(
    rf"(?:,?{_SPACE}which|,{_SPACE}(?:so|and|but){_SPACE}(?:it|this|that)|(?P<noun>(?:{_SPACE}[a-z][a-z-]*){{1,3}}))"
    rf"(?P<is>{_IS}"
    rf"(?:below|under|above|over|beyond|(?:less|smaller|lower|more|greater|larger|higher){_SPACE}than)"
    rf"{_SPACE})(?:the{_SPACE})?"
)
"""``[700 W](fig:a), which is below [600 W](fig:b)``; with a noun between them only where both are in one unit."""
_ASIDE = re.compile(rf"\A{_SPACE}?\({_SPACE}?(?:[=<>≤≥≈]|(?:[mgl])(?=(?:ore|reater|ess|ower|arger|igher){_SPACE}than))")
"""``[8](fig:a) (more than [7](fig:b))`` compares the two."""
_SAID_ANEW = re.compile(
    rf",{_SPACE}(?:i\.{_SPACE}?e\.|that{_SPACE}is|namely|in{_SPACE}other{_SPACE}words),?{_SPACE}", re.I
)
_UPWARD = re.compile(r"above|over|beyond|more|greater|larger|higher")
_RELATIONS: Mapping[str, Callable[[Fraction, Fraction], bool]] = {
    "<": lambda a, b: a < b, "<=": lambda a, b: a <= b, ">": lambda a, b: a > b, ">=": lambda a, b: a >= b,
    "≠": lambda a, b: a != b, "=": lambda a, b: a == b, "≈": lambda a, b: a == b,
}  # fmt: skip
_TOUCHING = re.compile(rf"[.,'’^]?|{_SPACE}")
"""What makes one number of two, as a reader sees it: ``8.295``, ``8 295``."""
_GROUPED = re.compile(rf"[0-9]{{1,3}}{_SPACE}[0-9]{{3}}(?![0-9]).*", re.DOTALL)
_FURTHEST = 60
_BETWEEN = re.compile(rf"\bbetween{_SPACE}\Z", re.IGNORECASE)
_AND = re.compile(rf"{_SPACE}and{_SPACE}")
_ADDED = re.compile(r"\b(?:add|compar|appl|set|near|clos|equal|relat|attach|belong|map|assign)\w*\s\Z", re.IGNORECASE)
_OPENED = re.compile(r"\(+\Z")
_GOES_ON_BEFORE = re.compile(rf"(?:[×*·⋅/÷+^√−=<>≤≥≈]|(?<=[\w)\]]){_SPACE}(?:x|times|plus|minus|over)){_SPACE}?\(*\Z")
_GOES_ON_BEHIND = re.compile(rf"\)*(?:{_SPACE}?[×*·⋅/÷+^]|{_SPACE}(?:x|times|plus|minus|over){_SPACE})")
_RELATED = re.compile(r"[=<>≤≥≈]")


@dataclass(frozen=True, slots=True)
class Operand:
    """A number of a run at ``start:end`` of the plain text; ``result`` is what its link stands for (None: it has none)."""

    text: str
    start: int
    end: int
    result: QuoteResult | None = None

    @property
    def backed(self) -> bool:
        """Whether a value stands behind it."""
        return self.result is not None and not isinstance(self.result.quote.target, LiteralTarget)

    @property
    def reading(self) -> Quoted | None:
        """The number, if it can be read."""
        try:
            return read(self.text)
        except ReadError:
            return None


@dataclass(frozen=True, slots=True)
class Run:
    """Numbers with what joins each to the next: an operator, a relation, ``to``, or nothing at all."""

    operands: tuple[Operand, ...]
    joints: tuple[str, ...]
    opening: str = ""
    """The brackets before the first of them."""

    @property
    def related(self) -> bool:
        """Whether it is an equation or a comparison."""
        return any(joint.strip("()") in _RELATIONS for joint in self.joints)

    def sides(self) -> Iterator[tuple[str, tuple[Operand, ...], str]]:
        """Each side with the relation before it (empty before the first), its numbers and its text."""
        relation, own, text = "", [self.operands[0]], self.opening + self.operands[0].text
        for joint, operand in zip(self.joints, self.operands[1:], strict=True):
            sign = joint.strip("()")
            if sign in _RELATIONS:
                behind = joint[joint.index(sign) + len(sign) :]
                yield relation, tuple(own), text + joint[: joint.index(sign)]
                relation, own, text = sign, [operand], behind + operand.text
            else:
                own.append(operand)
                text += joint + operand.text
        yield relation, tuple(own), text


def runs(passage: Passage, results: Sequence[QuoteResult]) -> Iterator[Run]:
    """The runs of a passage that hold a link; ``results`` are those of its quotes."""
    plain = passage.reading.plain
    if not any(result.quote.link.scheme != "claim" for result in results):
        return
    operands = sorted(_operands(passage, results), key=lambda operand: operand.start)
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


def _operands(passage: Passage, results: Sequence[QuoteResult]) -> Iterator[Operand]:
    """The links of a passage that show a number, and the numbers that are not linked, each with its unit."""
    plain = passage.reading.plain
    shown = [result for result in results if not result.quote.is_math and result.quote.link.scheme != "claim"]
    for result in shown:
        link = result.quote.link
        if link.text:
            yield Operand(link.text, link.plain_start, link.plain_end, result)
    spans = Spans((result.quote.link.plain_start, result.quote.link.plain_end) for result in shown)
    for bare in passage.reading.bare:
        low, high = spans.room(bare.plain_start, bare.plain_end, len(plain))
        found = quantity_at(plain, bare.plain_start, bare.plain_end, low, high)
        inside = found is not None and low <= found.start and found.stop <= high
        if found is not None and inside:
            yield Operand(found.text, found.start, found.stop)
        else:
            yield Operand(bare.text, bare.plain_start, bare.plain_end)


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


def of_one_unit(a: Operand, b: Operand) -> bool:
    """Whether both are measured, in units of one dimension."""
    units = [operand.reading.unit for operand in (a, b) if operand.reading is not None]
    dimensions = [unit.dimension for unit in units if unit is not None]
    return len(dimensions) == 2 and dimensions[0] == dimensions[1] != ()


def _resolved(operands: Sequence[Operand], joints: Sequence[str], before: str) -> Iterator[Run]:
    """The run, parted at each ``is`` that is not behind an operation (where it says that both are the same).

    Of the brackets before it those are taken that its first side closes.
    """
    side = joints[: next((at for at, joint in enumerate(joints) if joint.strip("()") in _RELATIONS), len(joints))]
    said = "".join(side)
    opening = "(" * min(len(before), max(0, said.count(")") - said.count("(")))
    first, worked, kept = 0, False, []
    for at, joint in enumerate(joints):
        sign = joint.strip("()")
        if sign != "is" or worked:
            kept.append(joint.replace("is", "=") if sign == "is" else joint)
            worked = sign not in _RELATIONS and sign != "is" and sign.strip() in ("+", "-", "*", "/")
            continue
        if at > first:
            yield Run(tuple(operands[first : at + 1]), tuple(kept), opening if not first else "")
        first, kept, worked = at + 1, [], False
    if len(operands) - first > 1:
        yield Run(tuple(operands[first:]), tuple(kept), opening if not first else "")


def is_whole(run: Run, plain: str) -> bool:
    """Whether nothing is joined to the run that is no number: a name, a root, code."""
    before, behind = run.operands[0].start, run.operands[-1].end
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
            start, end = passage.reading.rendered.span(left[0].start, right[-1].end)
            yield EquationFault(MISMATCH, passage, start, end, f"{said}: {message}", quoted=right_text)


def _untrue(left: Sequence[Operand], left_text: str, relation: str, right: Sequence[Operand], right_text: str) -> str:
    """What is wrong with one relation, or nothing."""
    if _unlike((left, left_text), (right, right_text)):
        return "the two sides are in unlike units; correct the sentence"
    if relation in ("=", "≈"):
        return "" if _equal(left, left_text, relation, right, right_text) else "the two sides are not equal"
    pairs = [(_value(left, left_text, exact), _value(right, right_text, exact)) for exact in (True, False)]
    known = [(a, b) for a, b in pairs if a is not None and b is not None]
    if not known or any(_RELATIONS[relation](a, b) for a, b in known[:1]):
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
