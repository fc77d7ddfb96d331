"""Sides that are numbers: recomputed as they stand, judged against the figure, each number traced to an input."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from fractions import Fraction

from flopkb.arithmetic.formula import Name, TooLargeError, ZeroDenominator, evaluate
from flopkb.arithmetic.numbers import Quoted, Verdict, decimal_text, judge, rewrite
from flopkb.arithmetic.units import ONE, Unit
from flopkb.base.equations.findings import INPUT, MISMATCH, EquationFault, Place
from flopkb.base.equations.leaves import PREFIXES, Leaf, leaves_of, says
from flopkb.base.equations.sides import Side, Written
from flopkb.base.evaluate import QuoteResult


@dataclass(frozen=True, slots=True)
class Figure:
    """What an equation is tied to: title, exact values, unit, and the leaves of its formula (None: not known)."""

    title: str
    values: tuple[Fraction, ...]
    unit: Unit
    leaves: tuple[Leaf, ...] | None = None

    @classmethod
    def of(cls, result: QuoteResult) -> Figure:
        """The figure of a tied equation."""
        assert result.unit is not None
        value = result.value
        known = tuple(leaves_of(value)) if value is not None and len(value.cases) == 1 else None
        return cls(result.quote.title, result.values, result.unit, known)

    @property
    def text(self) -> str:
        """The value in words."""
        shown = ", ".join(decimal_text(value / self.unit.scale) for value in self.values)
        return shown if self.unit.text in ("", "1") else f"{shown} {self.unit.text}"


def number_faults(sides: Sequence[Side], figure: Figure, place: Place) -> Iterator[EquationFault]:
    """What is wrong with the numeric sides of one run of equal sides."""
    right: list[Side] = []
    for side in (side for side in sides if side.quoted is not None):
        faults = list(quote_faults(side, figure, place))
        yield from faults
        right += [] if faults else [side]
    for side in (side for side in sides if side.quoted is None):
        faults = list(input_faults(side, figure, place))
        yield from faults or sum_faults(side, right, figure, place)


def quote_faults(side: Side, figure: Figure, place: Place) -> Iterator[EquationFault]:
    """A lone number, judged as any quote is."""
    assert side.quoted is not None
    judgement = judge(side.quoted, figure.values, figure.unit)
    if judgement.ok:
        return
    if judgement.verdict in (Verdict.UNIT_MISMATCH, Verdict.UNIT_MISSING):
        message = f"{side.text} has {'the wrong' if side.quoted.unit else 'no'} unit: {judgement.note}"
        yield place.fault(MISMATCH, side.start, side.end, message, quoted=side.text)
        return
    unit = "" if judgement.unit == "1" else f" {judgement.unit}"
    what = "is cut, not rounded" if judgement.verdict is Verdict.TRUNCATED else "is wrong"
    note = f" ({judgement.note})" if judgement.note else ""
    instead = rewritten(side.numbers[0], side.quoted, figure)
    advice = f"; write {instead}" if instead else ""
    difference = f"{judgement.difference}{unit} off"
    message = f"{side.text} {what}: {figure.title} is {judgement.computed}{unit}, {difference}{note}{advice}"
    computed = f"{judgement.computed}{unit}"
    yield place.fault(MISMATCH, side.start, side.end, message, quoted=side.text, computed=computed, instead=instead)


def bound_faults(bound: str, side: Side, figure: Figure, place: Place) -> Iterator[EquationFault]:
    """A lone number behind an inequality: the figure must hold it exactly."""
    assert side.quoted is not None
    if side.quoted.number is None or side.quoted.bound or side.quoted.end is not None:
        return
    judgement = judge(replace(side.quoted, bound=bound, qualifier=""), figure.values, figure.unit)
    if not judgement.ok:
        message = f"{figure.title} is {figure.text}, so `{bound} {side.text}` does not hold; correct the bound"
        yield place.fault(MISMATCH, side.start, side.end, message, quoted=side.text, computed=figure.text)


def rewritten(number: Written, reading: Quoted, figure: Figure) -> str | None:
    """The number with the digits of the figure's value, everything else as written."""
    instead = rewrite(reading, figure.values, figure.unit)
    return with_digits(number, reading, instead) if instead is not None else None


def with_digits(number: Written, reading: Quoted, instead: str) -> str | None:
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


def value_of(side: Side, *, units: bool) -> Fraction | None:
    """What a side comes to: in base units, or as its digits stand; None where it has no value."""
    assert side.expr is not None

    def number(name: Name) -> Fraction:
        reading = side.numbers[int(name.parts[0][1:])].reading
        return reading.value * reading.unit.scale if units and reading.unit is not None else reading.value

    try:
        return evaluate(side.expr, number)
    except (ZeroDenominator, TooLargeError):
        return None


def sum_faults(side: Side, quoted: Sequence[Side], figure: Figure, place: Place) -> Iterator[EquationFault]:
    """Whether the arithmetic comes to the number on another side (or, if none of those is right, to the figure)."""
    units = any(number.reading.unit is not None for number in side.numbers)
    value = value_of(side, units=units)
    if value is None:
        yield place.fault(
            MISMATCH, side.start, side.end, f"{side.text} has no value: it divides by zero", quoted=side.text
        )
        return
    if quoted and not any(comes_to(value, other, figure) for other in quoted):
        other = quoted[-1]
        message = f"{side.text} comes to {decimal_text(value)}, not {other.text}; correct the arithmetic"
        yield place.fault(MISMATCH, side.start, side.end, message, quoted=other.text, computed=decimal_text(value))
    elif not quoted and not near(value, side, figure):
        message = (
            f"{side.text} comes to {decimal_text(value)}, but {figure.title} is {figure.text}; correct the arithmetic"
        )
        yield place.fault(MISMATCH, side.start, side.end, message, quoted=side.text, computed=figure.text)


def scales(reading: Quoted | None, unit: Unit) -> tuple[Fraction, ...]:
    """How many base units a bare result may stand for: one, or one of the unit that is written or declared."""
    own = reading.unit.scale if reading is not None and reading.unit is not None else Fraction(1)
    return tuple(dict.fromkeys((Fraction(1), own, unit.scale)))


def comes_to(value: Fraction, side: Side, figure: Figure) -> bool:
    """Whether the value of one side is rightly written as the number of another."""
    assert side.quoted is not None
    tried = scales(side.quoted, figure.unit)
    return any(
        judge(side.quoted, [value * scale], figure.unit).ok or judge(side.quoted, [value * scale], ONE).ok
        for scale in tried
    )


def near(value: Fraction, side: Side, figure: Figure) -> bool:
    """Whether the value is the figure's, as far as the rounding of the numbers on the side allows."""
    slack = sum((rounding(number) for number in side.numbers), Fraction(0))
    return any(
        abs(value * scale - wanted) <= abs(wanted) * slack
        for scale in scales(None, figure.unit)
        for wanted in figure.values
    )


def rounding(number: Written) -> Fraction:
    """The relative error that half of the last digit may make (none for whole numbers, which are exact)."""
    reading = number.reading
    if reading.number is None or not reading.value or reading.number.numeral.decimals == 0:
        return Fraction(0)
    return abs(reading.place / 2 / reading.value)


def input_faults(side: Side, figure: Figure, place: Place) -> Iterator[EquationFault]:
    """The numbers of a side that are no input or constant of the figure's formula."""
    if figure.leaves is None:
        return
    strange, spare = unmatched(side.numbers, figure.leaves)
    if strange and not any(none_says(n, figure.leaves) for n in strange) and exact(side, figure):
        return  # the formula written out in another way: the same inputs, and the same value to the last digit
    for number, leaf in pairs(strange, spare, side, figure.leaves):
        instead = replaced(number, leaf) if leaf is not None else None
        advice = f"; {leaf}, so write {instead}" if instead else f"; its inputs are {inputs_text(figure.leaves)}"
        message = f"{number.text} is no input of {figure.title} here{advice}"
        yield place.fault(INPUT, number.start, number.end, message, quoted=number.text, instead=instead)


def none_says(number: Written, leaves: Sequence[Leaf]) -> bool:
    return not any(says(number.reading, leaf) for leaf in leaves)


def exact(side: Side, figure: Figure) -> bool:
    """Whether a side comes to the figure's exact value."""
    units = any(number.reading.unit is not None for number in side.numbers)
    value = value_of(side, units=units)
    return value is not None and any(value * scale in figure.values for scale in scales(None, figure.unit))


def unmatched(numbers: Sequence[Written], leaves: Sequence[Leaf]) -> tuple[list[Written], list[Leaf]]:
    """The numbers that no leaf is left for, and the inputs that no number stands for."""
    left = sorted(leaves, key=lambda leaf: leaf.between)
    strange: list[Written] = []
    for number in in_order(numbers, leaves):
        found = next((i for i, leaf in enumerate(left) if says(number.reading, leaf)), None)
        if found is None:
            strange.append(number)
        else:
            del left[found]
    spare = [leaf for leaf in left if not leaf.between and (leaf.name or leaf.value != 1)]
    return strange, spare


def in_order(numbers: Sequence[Written], leaves: Sequence[Leaf]) -> list[Written]:
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
    strange: Sequence[Written], spare: Sequence[Leaf], side: Side, leaves: Sequence[Leaf]
) -> Iterator[tuple[Written, Leaf | None]]:
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


def replaced(number: Written, leaf: Leaf) -> str | None:
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
