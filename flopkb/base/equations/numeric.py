"""Sides that are numbers: recomputed as they stand, judged against the figure, each number traced to an input."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from fractions import Fraction

from flopkb.arithmetic.formula import (
    Binary,
    DimensionError,
    Expr,
    Name,
    Number,
    TooLargeError,
    ZeroDenominator,
    children,
    dimension,
    evaluate,
    exponent,
)
from flopkb.arithmetic.numbers import Quoted, Verdict, decimal_text, judge, misquoted, readable, rewrite, with_unit
from flopkb.arithmetic.text.strict import EquationSide, WrittenNumber, read_equation
from flopkb.arithmetic.units import ONE, Unit, parse_unit
from flopkb.base.equations.findings import INPUT, MISMATCH, EquationFault, EquationPlace
from flopkb.base.evaluate import QuoteResult
from flopkb.base.evaluate.asked import Unbound
from flopkb.base.evaluate.computing import Computed
from flopkb.base.evaluate.inputs import BoundExpression
from flopkb.base.evaluate.values import Value
from flopkb.base.faults import Fault
from flopkb.base.link.formulas import physical
from flopkb.base.link.targets import FormulaRef, LinkedExpr, Target

PREFIXES = tuple(Fraction(10) ** power for power in (3, 6, 9, 12, 15, -3, -6, -9)) + tuple(
    Fraction(2) ** p for p in (10, 20, 30, 40)
)
"""What a number without a unit may be counted in."""

_MOST = 400
_BIT = parse_unit("bit")


@dataclass(frozen=True, slots=True)
class Leaf:
    """A number of a formula: its value in base units, its unit, and its name (none, if it is a constant)."""

    value: Fraction
    unit: Unit
    name: str = ""
    between: bool = False
    """Whether it is the value of a formula that the formula uses, not an input."""

    def __str__(self) -> str:
        number = readable(self.value, self.unit)
        return f"{self.name} = {number}" if self.name else number


def leaves_of(value: Value) -> list[Leaf]:
    """The leaves of the one case of a value, in the order in which its formula names them (powers count them again)."""
    sides = value.cases[0].sides
    return [leaf for side in sides for leaf in _Walker(side).target(side.env.formula, top=True)][:_MOST]


class _Walker:
    """Follows the names of an expression down to its inputs."""

    def __init__(self, side: Computed) -> None:
        self.side = side

    def target(self, target: Target, *, top: bool = False) -> Iterator[Leaf]:
        if isinstance(target, FormulaRef):
            if not top and target in self.side.formulas:
                yield Leaf(self.side.formulas[target], self.side.unit(target), target.name, between=True)
            body = self.side.env.body(target)
            yield from self.expr(body.expr, body)
            return
        standing = self.side.env.standing(target)
        if isinstance(standing, (Fault, Unbound)) or target not in self.side.targets:
            return
        if isinstance(standing, BoundExpression):
            yield Leaf(self.side.targets[target], self.side.unit(target), str(target), between=True)
            yield from self.expr(standing.body.expr, standing.body)
            return
        yield Leaf(self.side.targets[target], self.side.unit(target), str(target))

    def expr(self, expr: Expr, body: LinkedExpr) -> Iterator[Leaf]:
        if isinstance(expr, Number):
            yield Leaf(expr.value, ONE)
        elif isinstance(expr, Name):
            yield from self.target(body.targets[expr])
        elif isinstance(expr, Binary) and expr.op == "**":
            power = exponent(expr)
            for _ in range(max(1, min(abs(power or 1), 16))):
                yield from self.expr(expr.left, body)
            if power is None:
                yield from self.expr(expr.right, body)
        else:
            for child in children(expr):
                yield from self.expr(child, body)


def says(reading: Quoted, leaf: Leaf) -> bool:
    """Whether a number of an equation is this input; without a unit it may be in any prefix of the input's."""
    if reading.number is None or reading.bound or reading.end is not None:
        return False
    if reading.unit is not None:
        return judge(reading, [leaf.value], leaf.unit).ok
    if reading.value == leaf.value:
        return True
    scales = (Fraction(1), leaf.unit.scale, *(PREFIXES if leaf.unit.powers else ()))
    size = abs(reading.value)
    near = (
        leaf.value / scale for scale in dict.fromkeys(scales) if 3 * size <= 4 * abs(leaf.value / scale) <= 5 * size
    )
    return any(judge(reading, [value], ONE).ok for value in near)


@dataclass(frozen=True, slots=True)
class TiedFigure:
    """What an equation is tied to: title, exact values, unit, and the leaves of its formula (None: not known)."""

    title: str
    values: tuple[Fraction, ...]
    unit: Unit
    leaves: tuple[Leaf, ...] | None = None

    @classmethod
    def of(cls, result: QuoteResult) -> TiedFigure:
        """The figure of a tied equation."""
        assert result.unit is not None
        value = result.value
        known = tuple(leaves_of(value)) if value is not None and len(value.cases) == 1 else None
        return cls(result.quote.title, result.values, result.unit, known)

    @property
    def text(self) -> str:
        """The value in words."""
        return with_unit(", ".join(decimal_text(value / self.unit.scale) for value in self.values), self.unit.text)


def number_faults(sides: Sequence[EquationSide], figure: TiedFigure, place: EquationPlace) -> Iterator[EquationFault]:
    """What is wrong with the numeric sides of one run of equal sides."""
    right: list[EquationSide] = []
    for side in (side for side in sides if side.quoted is not None):
        faults = list(quote_faults(side, figure, place))
        yield from faults
        right += [] if faults else [side]
    for side in (side for side in sides if side.quoted is None):
        faults = list(input_faults(side, figure, place))
        yield from faults or sum_faults(side, right, figure, place)


def quote_faults(side: EquationSide, figure: TiedFigure, place: EquationPlace) -> Iterator[EquationFault]:
    """A lone number, judged as any quote is."""
    assert side.quoted is not None
    judgement = judge(side.quoted, figure.values, figure.unit)
    if judgement.ok:
        return
    units = judgement.verdict in (Verdict.UNIT_MISMATCH, Verdict.UNIT_MISSING)
    instead = None if units else rewritten(side.numbers[0], side.quoted, figure)
    computed = None if units else with_unit(judgement.computed, judgement.unit, tight=True)
    message = misquoted(side.text, figure.title, judgement, instead)
    yield place.told(MISMATCH, side, message, computed=computed, instead=instead)


def rewritten(number: WrittenNumber, reading: Quoted, figure: TiedFigure) -> str | None:
    """The number with the digits of the figure's value, everything else as written."""
    instead = rewrite(reading, figure.values, figure.unit)
    return with_digits(number, reading, instead) if instead is not None else None


def with_digits(number: WrittenNumber, reading: Quoted, instead: str) -> str | None:
    """``instead`` rewrites the text of ``reading``; its digits in the text of the equation (which may be LaTeX)."""
    assert reading.number is not None
    digits = reading.number.numeral.text
    tail = len(reading.text) - reading.number.stop
    head = reading.number.stop - len(digits)
    new = instead[head : len(instead) - tail]
    return (
        number.text.replace(digits, new, 1)
        if number.text.count(digits) == 1 or number.text.startswith(digits)
        else None
    )


def written_number(side: EquationSide, name: Name) -> Quoted:
    """The number that ``#0``, ``#1``, ... stands for in the expression of a side."""
    return side.numbers[int(name.parts[0][1:])].reading


def dimension_of(side: EquationSide) -> Unit | None:
    """The physical unit of what a side comes to, None where it writes none; raises :class:`DimensionError`."""
    assert side.expr is not None
    if not any(number.reading.unit is not None and number.reading.unit.dimension for number in side.numbers):
        return None
    return dimension(side.expr, lambda name: written_number(side, name).unit or ONE)


def is_bits(unit: Unit | None) -> bool:
    """Whether a unit is the bit, without a prefix."""
    return unit is not None and (unit.scale, unit.powers) == (_BIT.scale, _BIT.powers)


def counts_pins(side: EquationSide, wanted: Unit | None) -> bool:
    """Whether bits times bits a second are to be bits a second: then a width of 384 bit counts pins."""
    if not any(is_bits(number.reading.unit) for number in side.numbers):
        return False
    try:
        found = dimension_of(side)
    except DimensionError:
        return False
    return wanted is not None and found is not None and found.dimension == (wanted * _BIT).dimension


def unlike(side: EquationSide, wanted: Unit) -> str:
    """Why the units that a side writes cannot make the wanted one; empty where they can, or where it writes none."""
    try:
        found = dimension_of(side)
    except DimensionError:
        return f"{side.text} adds or compares unlike units; correct them"
    if found is None or found.dimension == wanted.dimension or counts_pins(side, wanted):
        return ""
    return f"{side.text} comes to {physical(found)}, which is no {wanted.text or '1'}; correct the units"


def value_of(side: EquationSide, wanted: Unit | None = None) -> Fraction | None:
    """What a side comes to, in base units where it writes any (of ``wanted``, if given); None where it has no value."""
    assert side.expr is not None
    pins = counts_pins(side, wanted)

    def number(name: Name) -> Fraction:
        reading = written_number(side, name)
        if reading.unit is None or (pins and is_bits(reading.unit)):
            return reading.value
        return reading.value * reading.unit.scale

    try:
        return evaluate(side.expr, number)
    except (ZeroDenominator, TooLargeError):
        return None


def sum_faults(
    side: EquationSide, quoted: Sequence[EquationSide], figure: TiedFigure, place: EquationPlace
) -> Iterator[EquationFault]:
    """Whether the arithmetic comes to the number on another side (or, if none of those is right, to the figure)."""
    value, wrong = value_of(side, figure.unit), unlike(side, figure.unit)
    if value is None or wrong:
        yield place.told(MISMATCH, side, wrong or f"{side.text} has no value: it divides by zero")
        return
    if quoted and not any(comes_to(value, other, figure) for other in quoted):
        other = quoted[-1]
        message = f"{side.text} comes to {decimal_text(value)}, not {other.text}; correct the arithmetic"
        yield place.fault(MISMATCH, side.start, side.end, message, quoted=other.text, computed=decimal_text(value))
    elif not quoted and not near(value, side, figure):
        message = (
            f"{side.text} comes to {decimal_text(value)}, but {figure.title} is {figure.text}; correct the arithmetic"
        )
        yield place.told(MISMATCH, side, message, computed=figure.text)


def scales(reading: Quoted | None, unit: Unit) -> tuple[Fraction, ...]:
    """How many base units a bare result may stand for: one, or one of the unit that is written or declared."""
    own = reading.unit.scale if reading is not None and reading.unit is not None else Fraction(1)
    return tuple(dict.fromkeys((Fraction(1), own, unit.scale)))


def comes_to(value: Fraction, side: EquationSide, figure: TiedFigure) -> bool:
    """Whether the value of one side is rightly written as the number of another."""
    assert side.quoted is not None
    tried = scales(side.quoted, figure.unit)
    return any(
        judge(side.quoted, [value * scale], figure.unit).ok or judge(side.quoted, [value * scale], ONE).ok
        for scale in tried
    )


def near(value: Fraction, side: EquationSide, figure: TiedFigure) -> bool:
    """Whether the value is the figure's, as far as the rounding of the numbers on the side allows."""
    slack = sum((rounding(number) for number in side.numbers), Fraction(0))
    return any(
        abs(value * scale - wanted) <= abs(wanted) * slack
        for scale in scales(None, figure.unit)
        for wanted in figure.values
    )


def rounding(number: WrittenNumber) -> Fraction:
    """The relative error that half of the last digit may make (none for whole numbers, which are exact)."""
    reading = number.reading
    if reading.number is None or not reading.value or reading.number.numeral.decimals == 0:
        return Fraction(0)
    return abs(reading.place / 2 / reading.value)


def input_faults(side: EquationSide, figure: TiedFigure, place: EquationPlace) -> Iterator[EquationFault]:
    """The numbers of a side that are no input or constant of the figure's formula."""
    if figure.leaves is None:
        return
    strange, spare = unmatched(side.numbers, figure.leaves)
    inputs = all(any(says(number.reading, leaf) for leaf in figure.leaves) for number in strange)
    if strange and inputs and exact(side, figure):
        return  # the formula written out in another way: the same inputs, and the same value to the last digit
    found = [
        (number, leaf, replaced(number, leaf) if leaf is not None else None)
        for number, leaf in pairs(strange, spare, side, figure.leaves)
    ]
    changes = [(number, instead) for number, _, instead in found if instead is not None]
    mended = not comes_out(side, figure) and holds_with(side, changes, figure)
    for number, leaf, new in found:
        instead = new if mended else None  # else it says what is so, or it would be made worse: a person decides
        advice = f"; {leaf}, so write {instead}" if instead else f"; its inputs are {inputs_text(figure.leaves)}"
        message = f"{number.text} is no input of {figure.title} here{advice}"
        yield place.told(INPUT, number, message, instead=instead)


def comes_out(side: EquationSide, figure: TiedFigure) -> bool:
    """Whether a side comes to the figure as it stands, whatever numbers it does so with."""
    value = value_of(side, figure.unit)
    return value is not None and near(value, side, figure)


def holds_with(side: EquationSide, changes: Sequence[tuple[WrittenNumber, str]], figure: TiedFigure) -> bool:
    """Whether a side with other texts for some of its numbers comes to the figure."""
    text, at = "", side.start
    for number, instead in sorted(changes, key=lambda change: change[0].start):
        text += side.text[at - side.start : number.start - side.start] + instead
        at = number.end
    groups = read_equation(text + side.text[at - side.start :], frozenset()).groups
    read = groups[0][0] if len(groups) == 1 and len(groups[0]) == 1 else None
    value = value_of(read, figure.unit) if read is not None and read.expr is not None else None
    return read is not None and value is not None and near(value, read, figure)


def exact(side: EquationSide, figure: TiedFigure) -> bool:
    """Whether a side comes to the figure's exact value."""
    value = value_of(side, figure.unit)
    return value is not None and any(value * scale in figure.values for scale in scales(None, figure.unit))


def unmatched(numbers: Sequence[WrittenNumber], leaves: Sequence[Leaf]) -> tuple[list[WrittenNumber], list[Leaf]]:
    """The numbers that no leaf is left for, and the inputs that no number stands for."""
    left = sorted(leaves, key=lambda leaf: leaf.between)
    strange: list[WrittenNumber] = []
    for number in in_order(numbers, leaves):
        found = next((i for i, leaf in enumerate(left) if says(number.reading, leaf)), None)
        if found is None:
            strange.append(number)
        else:
            del left[found]
    spare = [leaf for leaf in left if not leaf.between and (leaf.name or leaf.value != 1)]
    return strange, spare


def in_order(numbers: Sequence[WrittenNumber], leaves: Sequence[Leaf]) -> list[WrittenNumber]:
    """The numbers, those first that stand where the formula has them: of two equal ones the stray one comes last."""
    inputs = [leaf for leaf in leaves if not leaf.between]
    classes = [next((i for i, leaf in enumerate(inputs) if says(n.reading, leaf)), -1) for n in numbers]
    keys = [
        next((j for j, other in enumerate(inputs) if other.value == leaf.value), i) for i, leaf in enumerate(inputs)
    ]
    matcher = SequenceMatcher(None, classes, keys, autojunk=False)
    placed = {block.a + offset for block in matcher.get_matching_blocks() for offset in range(block.size)}
    order = sorted(range(len(numbers)), key=lambda i: (i not in placed, i))
    return [numbers[i] for i in order]


def pairs(
    strange: Sequence[WrittenNumber], spare: Sequence[Leaf], side: EquationSide, leaves: Sequence[Leaf]
) -> Iterator[tuple[WrittenNumber, Leaf | None]]:
    """Each stray number with the input that belongs in its place, where that is beyond doubt."""
    if len(strange) == len(spare) == 1:
        yield strange[0], spare[0]
        return
    inputs = [leaf for leaf in leaves if not leaf.between]
    aligned = len(side.numbers) == len(inputs) and len(strange) == len(spare)
    meant = [inputs[side.numbers.index(number)] for number in strange] if aligned else []
    clear = Counter(meant) == Counter(spare) if meant else False
    found = zip(strange, meant, strict=True) if clear else ((number, None) for number in strange)
    yield from sorted(found, key=lambda pair: pair[0].start)


def replaced(number: WrittenNumber, leaf: Leaf) -> str | None:
    """The number with the digits of an input, in the form of the old one and with its prefix, if that is clear."""
    reading = number.reading
    if reading.number is None or not reading.value:
        return None
    if reading.unit is not None:
        instead = rewrite(reading, [leaf.value], leaf.unit)
    else:
        scales = [Fraction(1), *(PREFIXES if leaf.unit.powers else ())]
        near = [s for s in scales if Fraction(1, 8) < abs(leaf.value / (s * reading.value)) < 8]
        close = near if len(near) == 1 else [Fraction(1)] if not leaf.unit.dimension else []
        instead = rewrite(reading, [leaf.value / close[0]], ONE) if close else None
    new = with_digits(number, reading, instead) if instead is not None else None
    return new if new != number.text else None


def inputs_text(leaves: Sequence[Leaf]) -> str:
    """The inputs in a few words."""
    shown = list(dict.fromkeys(str(leaf) for leaf in leaves if not leaf.between))
    return ", ".join(shown[:8]) + (", ..." if len(shown) > 8 else "")
