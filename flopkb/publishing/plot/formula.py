"""Any formula of a base over any of its inputs: a curve for each choice of the inputs that have several values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from flopkb.arithmetic.numbers import in_readable_unit
from flopkb.arithmetic.units import Unit, UnitError, parse_amount, parse_unit
from flopkb.base.faults import NotApplicable, Unavailable
from flopkb.base.link.aliases import called_one
from flopkb.base.model import ROLES, Symbol
from flopkb.checking.api import Base, FlopkbError
from flopkb.checking.asking.answers import Choice, choices, sentence
from flopkb.checking.asking.question import Question, QuestionFault, question
from flopkb.publishing.plot.chart import (
    Chart,
    Curve,
    LogAxis,
    NoSuchPoint,
    PlotFault,
    SeriesRow,
    bounds,
    curve,
    decades,
    doublings,
    end_marks,
    log_steps,
    three,
)
from flopkb.publishing.plot.options import MOST, Options, short_name

_USUAL = {"token": ("1Ki", "128Ki")}
"""The ends of an axis where none are given, by the unit of its symbol."""
_COUNTS = ("1", "1024")
_STEPS = 120
_EACH = 12
"""So many values of a count are taken to a doubling."""


def over_an_input(name: str, base: Base, given: Mapping[str, object]) -> Chart:
    """The chart of the formula ``name`` over the input that ``x`` names; raises :class:`PlotFault`."""
    options = Options(base, {"title": given["title"]} if "title" in given else {}, [])
    inputs = {key: text for key, told in given.items() if key != "title" for text in [as_text(key, told)]}
    x = inputs.pop("x", "")
    if not x:
        raise PlotFault(f"{name} is plotted over one of its inputs: say x=NAME, as x=B")
    points = [part for part in inputs.pop("at", "").split(",") if part]
    try:
        asked = question([name, *points, *(f"{key}={text}" for key, text in inputs.items())], base.evaluation.kb.scope)
        axis = Axis(x, asked, base)
        rest = Question(asked.formulas, asked.points, {k: v for k, v in asked.inputs.items() if k != x}, asked.notes)
        chosen = list(choices(rest))
    except QuestionFault as fault:
        raise PlotFault(str(fault)) from fault
    if len(chosen) > MOST:
        raise PlotFault(f"these inputs make {len(chosen)} curves, and a plot has at most {MOST}; take fewer")
    curves = [drawn_curve(choice, number, rest, axis, options) for number, choice in enumerate(chosen)]
    return chart_of(rest, axis, curves, options)


def over_choices(name: str, x: str, chosen: Sequence[Mapping[str, str]], base: Base, each: int = _EACH) -> Chart:
    """The chart of a formula over ``x``, a curve for each choice of its other inputs, ``each`` values to a doubling.

    Curves are called by what not all of the choices share. Raises :class:`PlotFault`.
    """
    options = Options(base, {}, [])
    shared = dict(set(chosen[0].items()).intersection(*(rest.items() for rest in chosen)))
    try:
        words = [name, *(f"{key}={text}" for key, text in chosen[0].items() if key in shared)]
        asked = question(words, base.evaluation.kb.scope)
        axis = Axis(x, asked, base, each)
    except QuestionFault as fault:
        raise PlotFault(str(fault)) from fault
    own = [tuple(pair for pair in rest.items() if pair[0] not in shared) for rest in chosen]
    return chart_of(asked, axis, [drawn_curve(c, n, asked, axis, options) for n, c in enumerate(own)], options)


def as_text(key: str, told: object) -> str:
    """An input as it is typed, or as a template gives it: a text, a number, or a list of them."""
    parts = told if isinstance(told, (list, tuple)) else [told]
    if not all(isinstance(part, (str, int)) and not isinstance(part, bool) for part in parts):
        raise PlotFault(f"{key} takes a text or a number, or a list of them")
    return ",".join(str(part) for part in parts)


class Axis:
    """The input that a formula is plotted over: its ends, the values between them, and how it is labelled."""

    def __init__(self, name: str, asked: Question, base: Base, each: int = _EACH) -> None:
        self.name, self.formula, self.each = name, asked.formulas[0], each
        scope = base.evaluation.kb.scope
        atom = scope.symbol(name, self.formula.partition(".")[0])
        symbol = scope.declared(atom) if atom is not None else None
        if symbol is None:
            raise PlotFault(
                f"x={name}: {self.formula} has no input of that name that is a number; flopkb eval lists them"
            )
        self.unit = parse_unit(symbol.unit_text)
        self.whole = symbol.domain is not None and symbol.domain.integer is not None
        texts = self.ends(symbol, asked.inputs.get(name, ""))
        self.low, self.high = sorted(self.amount(text) for text in texts)
        if self.low <= 0 or self.low == self.high:
            raise PlotFault(f"{name}: an axis runs between two values above 0, as {name}=1..512")
        shown = in_readable_unit(self.high, self.unit)[1] if not self.whole else symbol.unit_text
        self.shown = parse_unit(shown)
        unit = f" ({shown})" if shown != "1" else ""
        self.label = f"{name}: {symbol.meaning.text}{unit}"

    def ends(self, symbol: Symbol, text: str) -> list[str]:
        """The first and the last of the values that are given; of a count that is not, the usual ones."""
        parts = [part.strip() for part in text.replace("..", ",").split(",") if part.strip()]
        if len(parts) > 1:
            return [parts[0], parts[-1]]
        if parts or not self.whole:
            raise PlotFault(f"{self.name} needs two ends to be plotted over, as {self.name}=1..512 or '1 TB/s..8 TB/s'")
        return list(_USUAL.get(symbol.unit_text, _COUNTS))

    def amount(self, text: str) -> Fraction:
        """An end in base units; a bare number is in the unit of the symbol."""
        try:
            found = parse_amount(text)
        except UnitError as fault:
            raise PlotFault(f"{self.name}: {fault}") from fault
        if found.unit.dimension != self.unit.dimension and found.unit != parse_unit("1"):
            raise PlotFault(f"{self.name} is in {self.unit.text or '1'}, which {text} is not")
        return found.base if found.unit != parse_unit("1") else found.value * self.unit.scale

    def values(self) -> list[Fraction]:
        """The values along the axis, evenly on a logarithmic one; of a count the whole numbers next to these."""
        if self.whole:
            return [Fraction(each) for each in log_steps(int(self.low), int(self.high), self.each)]
        growth = float(self.high / self.low) ** (1 / _STEPS)
        between = [self.low * Fraction(f"{growth**step:.4g}") for step in range(1, _STEPS)]
        return [self.low, *(value for value in between if self.low < value < self.high), self.high]

    def text(self, value: Fraction) -> str:
        """A value as an input."""
        return str(value / self.unit.scale)

    def log_axis(self, last: Fraction) -> LogAxis:
        """The axis as far as there are values (the ``last`` in its shown unit), powers of two apart where it counts."""
        low, high = self.low / self.shown.scale, self.high / self.shown.scale
        if last < high:  # every curve ends: no farther than to the next round value
            high = min(high, doubled_to(low, last) if self.whole else bounds([low, last])[1])
        if self.whole:
            step = 1 if high / low <= 128 else 2
            return LogAxis(self.label, low, high, doublings(int(low), int(high), step))
        return LogAxis(self.label, low, high, decades(low, high))


def doubled_to(low: Fraction, last: Fraction) -> Fraction:
    """The first value at or above ``last`` that ``low`` comes to by doubling, once at least."""
    found = 2 * low
    while found < last:
        found *= 2
    return found


def drawn_curve(choice: Choice, number: int, asked: Question, axis: Axis, options: Options) -> Curve:
    """The curve of one choice of the inputs that have several values, in base units of both axes."""
    inputs = {**asked.inputs, **dict(choice)}

    def value(x: Fraction) -> Fraction:
        try:
            found, unread = options.base.evaluated(
                asked.formulas[0], *asked.points, **{**inputs, axis.name: axis.text(x)}
            )
        except FlopkbError as error:
            if isinstance(error.fault, (NotApplicable, Unavailable)):
                words = error.fault.words if isinstance(error.fault, NotApplicable) else str(error.fault)
                raise NoSuchPoint(f"{asked.formulas[0]}: {sentence(error.fault)}", words) from error
            raise PlotFault(f"{asked.formulas[0]}: {sentence(error.fault)}") from error
        fault = next((each for each in unread if each.name not in ROLES), None)  # a part may be there for its lines
        if fault is not None and not choice:
            raise PlotFault(f"{asked.formulas[0]}: {fault}")
        base = options.single(asked.formulas[0], found)
        if base <= 0:
            raise NoSuchPoint(f"{asked.formulas[0]} is {base}", "not above 0, which this axis cannot show")
        return base

    return curve(name_of(choice, asked, options.base), axis.values(), value, number, whole=axis.whole)


def name_of(choice: Choice, asked: Question, base: Base) -> str:
    """What a curve is called: the inputs that it alone has, records by the names that people use."""
    if not choice:
        return asked.formulas[0]
    words = []
    for name, text in choice:
        record = base.records.get(called_one(text, base.evaluation.kb.scope))
        words.append(short_name(record) if record is not None else f"{name}={text}")
    return ", ".join(words)


def chart_of(asked: Question, axis: Axis, curves: list[Curve], options: Options) -> Chart:
    """The curves as a chart, in units that keep the numbers short; those without a point are told in its text."""
    drawn = [each for each in curves if each.points]
    if not drawn:
        raise PlotFault(curves[0].ends)
    unit = shown_unit(asked.formulas[0], max(y for each in drawn for _, y in each.points), options.base)
    drawn = [scaled(each, axis.shown, unit) for each in drawn]
    bottom, top = bounds([y for each in drawn for _, y in each.points])
    bound = ", ".join(f"{name}={text}" for name, text in asked.inputs.items() if name not in asked.listed)
    at = ", ".join((*asked.points, *([bound] if bound else [])))
    title = options.title(f"{asked.formulas[0]} over {axis.name}" + (f" for {at}" if at else ""))
    label = asked.formulas[0] + (f" ({unit.text})" if unit.text not in ("", "1") else "")
    told = (
        f"{c.name}: {three(c.points[0][1])} to {three(c.points[-1][1])}" + (f" ({c.ends})" if c.ends else "")
        for c in drawn
    )
    missing = tuple(f"{each.name} ({each.stops})" for each in curves if not each.points)
    return Chart(
        "formula",
        title,
        f"{title}. {label}: {'; '.join(told)}." + "".join(f" Not drawn: {each}." for each in missing),
        axis.log_axis(max(each.points[-1][0] for each in drawn)),
        LogAxis(label, bottom, top, decades(bottom, top)),
        tuple(drawn),
        end_marks(drawn),
        (axis.label, label),
        tuple(SeriesRow(each.name, *point) for each in drawn for point in each.points),
        options.sources,
        options.credits,
        unit=unit.text or "1",
        missing=missing,
    )


def shown_unit(formula: str, most: Fraction, base: Base) -> Unit:
    """The unit that keeps the largest value short: a decimal prefix, since values between powers of two are no whole GiB."""
    declared = next(each.unit for ref, each in base.evaluation.kb.formulas.items() if str(ref) == formula)
    return parse_unit(in_readable_unit(most * Fraction(7_000_001, 7_000_000), declared)[1])


def scaled(each: Curve, x: Unit, y: Unit) -> Curve:
    """A curve in the units of its axes."""
    points = tuple((one / x.scale, two / y.scale) for one, two in each.points)
    return Curve(each.name, points, each.role, each.colour, each.dash, each.ends, each.stops)
