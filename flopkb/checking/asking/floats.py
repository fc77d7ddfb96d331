"""Many values at once, in floats: a formula over the values of one symbol, a million in about a second.

The form is exact (``base/evaluate/sweeping.py``); whole numbers stay whole until the one division at the end, so that what
is lost is the rounding of a float. A test holds the values to the exact ones, to 12 digits.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from flopkb.arithmetic.formula import Opaque, Polynomial, Rational
from flopkb.arithmetic.units import parse_unit
from flopkb.base.evaluate.sweeping import Swept
from flopkb.base.faults import NotApplicable, Unavailable
from flopkb.base.model import ROLES
from flopkb.checking.api import Base, FlopkbError
from flopkb.checking.asking.answers import MOST, Choice, choices, sentence
from flopkb.checking.asking.question import Question, QuestionFault

MOST_FLOATS = 10_000_000
"""So many values are computed in floats."""

Column = Sequence[int | float]
"""Values, one for each of the symbol's: whole numbers where they are, else floats."""


@dataclass(frozen=True, slots=True)
class FloatColumn:
    """What a formula gives for each value of a symbol, in its declared unit: None where it does not apply."""

    formula: str
    unit: str
    values: tuple[float | None, ...]
    reason: str
    assumes: tuple[str, ...]

    def __repr__(self) -> str:
        return f"<{len(self.values):,} values of {self.formula} in {self.unit}, in floats>"


def column(formula: str, xs: Sequence[int | float], found: Swept) -> FloatColumn:
    """The values at ``xs``, which are in the unit of the symbol."""
    scale = found.unit.scale
    low, high = found.allowed.low / scale, found.allowed.high / scale
    if all(isinstance(x, int) for x in xs):
        first, last = -(-low.numerator // low.denominator), high.numerator // high.denominator
    else:
        first, last = float(low), float(high)  # type: ignore[assignment]  # the xs are floats too
    inside = [x for x in xs if first <= x <= last]
    form = found.form if scale == 1 else found.form.substitute({found.symbol: Rational.atom(found.symbol) * scale})
    ys = iter(_floats(form * (1 / found.form_unit.scale), inside))
    values = tuple(next(ys) if first <= x <= last else None for x in xs)
    return FloatColumn(formula, found.form_unit.text or "1", values, found.reason, found.assumes)


def _floats(form: Rational, xs: Column) -> list[float]:
    over, under = _polynomial(form.numerator, xs), _polynomial(form.denominator, xs)
    return [a / b for a, b in zip(over, under, strict=True)]


def _polynomial(polynomial: Polynomial, xs: Column) -> Column:
    """The values of a polynomial: of each term its unknowns, then times its coefficient."""
    total: Column | None = None
    for monomial, coefficient in polynomial.terms.items():
        term: Column | None = None
        for atom, power in monomial:
            factor = _opaque(atom, xs) if isinstance(atom, Opaque) else xs
            powered = factor if power == 1 else [value**power for value in factor]
            term = powered if term is None else [a * b for a, b in zip(term, powered, strict=True)]
        scaled = [coefficient] * len(xs) if term is None else [coefficient * value for value in term]
        total = scaled if total is None else [a + b for a, b in zip(total, scaled, strict=True)]
    return total if total is not None else [0] * len(xs)


def _opaque(atom: Opaque, xs: Column) -> Column:
    """The values of min, max, ceil, floor or a power: whole numbers where both parts of a quotient are."""
    if atom.func in ("floor", "ceil"):
        over, under = (_polynomial(part, xs) for part in (atom.args[0].numerator, atom.args[0].denominator))
        if atom.func == "floor":
            return [int(a // b) for a, b in zip(over, under, strict=True)]
        return [int(-(-a // b)) for a, b in zip(over, under, strict=True)]
    columns = [_value(arg, xs) for arg in atom.args]
    if atom.func == "**":
        return [a**b for a, b in zip(*columns, strict=True)]
    choose = min if atom.func == "min" else max
    return [choose(values) for values in zip(*columns, strict=True)]


def _value(form: Rational, xs: Column) -> Column:
    """A quotient: whole where its denominator is 1."""
    return _polynomial(form.numerator, xs) if form.denominator == Polynomial.constant(1) else _floats(form, xs)


def number(text: str) -> int | float:
    """A plain number of a sweep: whole where it is."""
    return int(text) if text.strip().isdigit() else float(Fraction(text.strip()))


@dataclass(frozen=True, slots=True)
class FloatTable:
    """A column for each choice of the inputs that have several values, over the one that has the most of them."""

    name: str
    xs: tuple[int | float, ...]
    columns: tuple[tuple[Choice, FloatColumn], ...]

    @property
    def heads(self) -> tuple[str, ...]:
        """The names of the inputs that have several values, and what stands beside them."""
        return (*(name for name, _ in self.columns[0][0]), self.name, "formula", "value", "unit", "reason")

    @property
    def data(self) -> dict[str, list[str | float | None]]:
        """The columns by name, as pandas takes them."""
        found: dict[str, list[str | float | None]] = {head: [] for head in self.heads}
        for choice, each in self.columns:
            same = {**dict(choice), "formula": each.formula, "unit": each.unit}
            for name, text in same.items():
                found[name] += [text] * len(self.xs)
            found[self.name] += self.xs
            found["value"] += each.values
            found["reason"] += [each.reason if value is None else "" for value in each.values]
        return found

    def rows(self) -> Iterator[tuple[str | float | None, ...]]:
        """A row for each value, with the reason where there is none."""
        for choice, found in self.columns:
            before = tuple(text for _, text in choice)
            for x, y in zip(self.xs, found.values, strict=True):
                yield (*before, x, found.formula, y, found.unit, found.reason if y is None else "")


def float_table(asked: Question, base: Base) -> FloatTable:
    """The values of formulas in floats, where inputs have too many of them for exact ones; :class:`QuestionFault` else."""
    numeric = [name for name in asked.listed if name not in ROLES]
    if not numeric:
        raise QuestionFault(f"these inputs make more than {MOST:,} values; only numbers may have so many")
    name = max(numeric, key=lambda each: asked.inputs[each].count(","))
    try:
        xs = tuple(number(text) for text in asked.inputs[name].split(","))
    except ValueError:
        raise QuestionFault(f"{name}: many values are plain numbers in the unit of {name}, as 1,2..1000000") from None
    rest = Question(asked.formulas, asked.points, {key: v for key, v in asked.inputs.items() if key != name})
    columns = [
        (choice, float_column(formula, name, xs, choice, rest, base))
        for choice in choices(rest)
        for formula in asked.formulas
    ]
    if sum(len(found.values) for _, found in columns) > MOST_FLOATS:
        raise QuestionFault(f"these inputs make more than {MOST_FLOATS:,} values; take fewer")
    return FloatTable(name, xs, tuple(columns))


def float_column(
    formula: str, name: str, xs: Sequence[int | float], choice: Choice, asked: Question, base: Base
) -> FloatColumn:
    """One column; one without a value where the formula does not apply at all."""
    kb = base.evaluation.kb
    atom = kb.scope.symbol(name, formula.partition(".")[0])
    symbol = kb.scope.declared(atom) if atom is not None else None
    if symbol is None:
        raise QuestionFault(f"{formula} has no input {name} that is a number")
    scale = parse_unit(symbol.unit_text).scale
    try:
        inputs = {**asked.inputs, **dict(choice)}
        found = base.swept(formula, name, Fraction(min(xs)) * scale, Fraction(max(xs)) * scale, *asked.points, **inputs)
    except FlopkbError as error:
        if not isinstance(error.fault, (NotApplicable, Unavailable)):
            raise QuestionFault(
                f"{formula}: {sentence(error.fault)}; up to {MOST:,} values are computed one by one"
            ) from error
        declared = next(each.unit for ref, each in kb.formulas.items() if str(ref) == formula)
        return FloatColumn(formula, declared.text or "1", (None,) * len(xs), sentence(error.fault), ())
    if found.whole and any(isinstance(x, float) for x in xs):
        raise QuestionFault(f"{name} takes whole numbers")
    return column(formula, xs, found)
