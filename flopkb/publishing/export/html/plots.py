"""Plots on the pages of records: drawn here so that they are read without a script, with their data for the one that
lets a reader go along them.

They are charts of ``publishing/plot``; nothing is computed here. A class stands on the roofline at its intensities; the
figures of a record that differ in one count are curves over it, and marks on them.
"""

from __future__ import annotations

import json
import math
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from flopkb.arithmetic.numbers import with_unit
from flopkb.arithmetic.units import parse_unit
from flopkb.base.evaluate import Value
from flopkb.base.evaluate.asked import is_amount
from flopkb.base.model import ROLES, Kind
from flopkb.checking.api import Base
from flopkb.publishing.export.anchors import Links, ask_place
from flopkb.publishing.export.resolved import ResolvedRecord
from flopkb.publishing.pages.elements import Child, Html, el
from flopkb.publishing.pages.figures import titled
from flopkb.publishing.pages.inlines import SitePlace
from flopkb.publishing.pages.lookups import Lookups
from flopkb.publishing.plot.chart import Chart, Curve, LogAxis, MarkedPoint, PlotFault, three
from flopkb.publishing.plot.formula import over_choices
from flopkb.publishing.plot.kinds import make
from flopkb.publishing.plot.options import Options

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 640, 320, 96, 26, 16, 52
"""The room of a drawing, in its own units: the same as in ``curves.js``."""
MOST_POINTS, MOST_CURVES, EACH, NEAR = 6, 4, 2, 14
USUAL = {"L": "8k"}
_UNIT = re.compile(r"\(([^()]+)\)$")


@dataclass(frozen=True, slots=True)
class Drawn:
    """A chart on a page; ``told`` is what is said of its marked points, in their order."""

    chart: Chart
    told: Sequence[str]
    question: SitePlace | None = None
    """What asks for the same in the part of the page that answers."""


def record_plots(record: ResolvedRecord, look: Lookups) -> Html | None:
    """The plots of a record; None where there is nothing to draw."""
    drawn: list[Child] = []
    for make_one in (on_the_roofline, over_a_count):
        try:
            found = make_one(record, look)
        except PlotFault:
            continue
        if found is not None:
            drawn.append(figure(found, f"plot-{len(drawn) + 1}", Links.of_record(look.base, record.id)))
    return el("div", *drawn) if drawn else None


# -- what is drawn ----------------------------------------------------------------------------------------------------
def on_the_roofline(record: ResolvedRecord, look: Lookups) -> Drawn | None:
    """The roofline, with what the record has of intensities; the record of the roofline shows the usual ones."""
    base, own = look.base.base, record.record.formulas.get("attainable")
    if own is not None and own.unit.text == "flop/s":
        chart = make("roofline", base, {})
    elif record.kind is Kind.WORKLOAD_CLASS:
        points = intensities(record, look)
        if not points:
            return None
        chart = make("roofline", base, {"at": points})
    else:
        return None
    options = Options(base, {}, [])
    part, precision = options.usual(Kind.ACCELERATOR), options.usual(Kind.DTYPE)
    told = []
    for point in (point for point in chart.points if point.role == "work"):
        try:
            share = options.value("share_of_peak", "1", accelerator=part, dtype=precision, I=point.x)
            told.append(f"{point.name} flop/byte, {three(share * 100)}% of the peak")
        except PlotFault:
            told.append(f"{point.name} flop/byte")
    return Drawn(chart, told)


def intensities(record: ResolvedRecord, look: Lookups) -> list[tuple[str, str]]:
    """A few of the figures in flop/byte that move with no part: the least, the greatest, and some between them."""
    found = dict(sorted(Options(look.base.base, {}, []).intensities(record.record), reverse=True))
    ordered = sorted(found.items())
    step = max(1, -(-len(ordered) // MOST_POINTS))
    chosen = [*ordered[::step][: MOST_POINTS - 1], *ordered[-1:]]
    return [(titled(look.figures[key], look), key) for _, key in dict.fromkeys(chosen)]


Place = Callable[[Fraction], float]
Rest = tuple[tuple[str, str], ...]
Mark = tuple[str, Fraction, Fraction]
"""A figure: its name, where it stands, its value, both in base units."""


def over_a_count(record: ResolvedRecord, look: Lookups) -> Drawn | None:
    """The formula whose figures make most curves over a count of tokens or sequences, with these figures as marks."""
    base = look.base.base
    groups: dict[tuple[str, str], dict[Rest, list[Mark]]] = defaultdict(lambda: defaultdict(list))
    for name in record.record.figures:
        value = base.evaluation.figures[(record.id, name)]
        if isinstance(value, Value) and not value.computation.hypothetical and len(value.cases) == 1:
            for x, at, rest in counts(value, base):
                groups[(str(value.computation.formula), x)][rest].append((name, at, value.cases[0].value))
    if not groups:
        return None
    (formula, x), found = max(groups.items(), key=lambda item: (min(len(alike(item[1])), MOST_CURVES), len(item[1])))
    chosen = alike(found)[:MOST_CURVES]
    chart = over_choices(formula, x, [dict(rest) for rest in chosen], base, EACH)
    if all(len({y for _, y in curve.points}) == 1 for curve in chart.curves):
        return None
    points, told, scale = list[MarkedPoint](), list[str](), parse_unit(chart.unit).scale
    for number, rest in enumerate(chosen):
        for name, at, worth in found[rest]:
            if chart.x.low <= at <= chart.x.high and len(points) < MOST_POINTS:
                points.append(MarkedPoint(name, at, worth / scale, "work", number))
                title = titled(look.figures[f"{record.id}.{name}"], look)
                told.append(f"{title}: {with_unit(three(worth / scale), chart.unit)}")
    return Drawn(replace(chart, points=(*chart.points, *points)), told, question(formula, x, chosen))


def alike(found: Mapping[Rest, list[Mark]]) -> list[Rest]:
    """The choices of inputs that name the same inputs as the first, those of most figures first."""
    names = [name for name, _ in next(iter(found))]
    same = [rest for rest in found if [name for name, _ in rest] == names]
    return sorted(same, key=lambda rest: -len(found[rest]))


def counts(value: Value, base: Base) -> Iterator[tuple[str, Fraction, Rest]]:
    """The counts among the inputs of a figure, each with its value and the inputs besides; none where one is no plain one."""
    asked, scope = value.computation, base.evaluation.kb.scope
    given = [(binding.name, binding.values[0]) for binding in asked.bindings]
    if asked.over or not all(text.text in base.records or is_amount(text) for _, text in given):
        return
    for name, _ in given:
        atom = scope.symbol(name, asked.formula.record)
        symbol = scope.declared(atom) if atom is not None else None
        at = value.cases[0].upper.targets.get(atom) if atom is not None else None
        whole = symbol is not None and symbol.domain is not None and symbol.domain.integer is not None
        if symbol is not None and whole and symbol.unit_text in ("token", "sequence") and isinstance(at, Fraction):
            yield name, at, tuple((other, text.text) for other, text in given if other != name)


def question(formula: str, x: str, chosen: Sequence[Rest]) -> SitePlace:
    """The place of the same in the part of the page that answers: records that differ with commas between them."""
    inputs = dict(chosen[0])
    several = {name: ", ".join(dict.fromkeys(dict(rest)[name] for rest in chosen)) for name in inputs if name in ROLES}
    return ask_place(formula, {**inputs, **several, x: USUAL.get(x, "8")}.items())


# -- how it is drawn --------------------------------------------------------------------------------------------------
def figure(drawn: Drawn, anchor: str, links: Links) -> Html:
    """A plot with its title, what its curves and marks are, and its data for a script."""
    chart = drawn.chart
    keys = [key_of(curve) for curve in chart.curves if curve.name]
    marks = el("ol", *(el("li", told) for told in drawn.told), class_="marks-told") if drawn.told else None
    bare = [el("li", f"not drawn: {each}") for each in chart.missing]
    asked = links.to(drawn.question, "Ask it with other inputs") if drawn.question is not None else None
    return el(
        "figure",
        el("figcaption", el("b", chart.title), class_="plot-title"),
        el("div", svg(chart), class_="picture"),
        el("ul", *keys, *bare, class_="keys"),
        marks,
        el("p", asked, class_="asks") if asked is not None else None,
        el("script", Html(data(chart)), type="application/json"),
        class_="plot",
        id=anchor,
    )


def key_of(curve: Curve) -> Html:
    """A curve in the list below the drawing."""
    ends = f" – ends at {float(curve.points[-1][0]):,.6g}: {curve.stops}" if curve.stops else ""
    return el("li", curve.name, ends, class_=f"c{curve.colour}" if curve.role != "limit" else "limit")


def data(chart: Chart) -> str:
    """What the script goes along, as JSON in which nothing ends the element that holds it."""
    unit = found[1] if (found := _UNIT.search(chart.y.label)) else "1"
    made = {
        "title": chart.title,
        "name": chart.x.label.partition(":")[0],
        "curves": [
            {
                "label": curve.name,
                "role": curve.role,
                "reason": curve.stops,
                "points": [[float(x), float(y), with_unit(three(y), unit)] for x, y in curve.points],
            }
            for curve in chart.curves
        ],
        "marks": [[float(x), float(y), told] for x, y, told in merged(chart, *scales(chart))],
        "ridges": [[float(p.x), float(p.y)] for p in chart.points if p.role == "ridge"],
        "unit": chart.y.label,
    }
    return json.dumps(made, ensure_ascii=True, separators=(",", ":")).replace("<", "\\u003c")


def svg(chart: Chart) -> Html:
    """The drawing, in the colours of the page."""
    to_x, to_y = scales(chart)
    grid = [
        (el("line", class_="grid", x1=shown(to_x(v)), x2=shown(to_x(v)), y1=TOP, y2=HEIGHT - BOTTOM),
         el("text", text, x=shown(to_x(v)), y=HEIGHT - BOTTOM + 18, text_anchor="middle"))
        for v, text in chart.x.ticks if chart.x.low <= v <= chart.x.high
    ]  # fmt: skip
    grid += [
        (el("line", class_="grid", x1=LEFT, x2=WIDTH - RIGHT, y1=shown(to_y(v)), y2=shown(to_y(v))),
         el("text", text, x=LEFT - 8, y=shown(to_y(v) + 4), text_anchor="end"))
        for v, text in chart.y.ticks if chart.y.low <= v <= chart.y.high
    ]  # fmt: skip
    titles = (
        el("text", chart.x.label, x=(LEFT + WIDTH - RIGHT) // 2, y=HEIGHT - 8, text_anchor="middle", class_="axis"),
        el("text", chart.y.label, x=-(TOP + HEIGHT - BOTTOM) // 2, y=16, transform="rotate(-90)",
           text_anchor="middle", class_="axis"),
    )  # fmt: skip
    lines = (polyline(curve, to_x, to_y) for curve in chart.curves)
    marks = (sign(point, to_x, to_y) for point in chart.points if point.role != "work")
    numbers = (numbered(*each, to_x, to_y) for each in merged(chart, to_x, to_y))
    gaps = (gap(point, chart, to_x, to_y) for point in chart.points if point.role == "work")
    box = {"viewBox": f"0 0 {WIDTH} {HEIGHT}"}
    return el(
        "svg", grid, titles, gaps, lines, marks, numbers, **box, class_="curves", role="img", aria_label=chart.text
    )


def scaled(axis: LogAxis, start: float, end: float) -> Callable[[Fraction], float]:
    """From a value to where it stands, on a logarithmic axis."""
    low, high = math.log2(axis.low), math.log2(axis.high)
    return lambda value: start + (math.log2(value) - low) / (high - low) * (end - start)


def scales(chart: Chart) -> tuple[Place, Place]:
    """Where values stand, along both axes."""
    return scaled(chart.x, LEFT, WIDTH - RIGHT), scaled(chart.y, HEIGHT - BOTTOM, TOP)


def shown(place: float) -> str:
    """A coordinate."""
    return f"{place:.1f}"


def polyline(curve: Curve, to_x: Place, to_y: Place) -> Html:
    """A curve."""
    path = " ".join(f"{shown(to_x(x))},{shown(to_y(y))}" for x, y in curve.points)
    return el("polyline", points=path, class_="limit" if curve.role == "limit" else f"curve c{curve.colour}")


def sign(point: MarkedPoint, to_x: Place, to_y: Place) -> Html:
    """A cross where a curve ends, a diamond at a ridge."""
    x, y = to_x(point.x), to_y(point.y)
    shape = "l10,10m0,-10l-10,10" if point.role == "end" else "m5,-2l7,7l-7,7l-7,-7z"
    name = el("title", point.name) if point.name else None
    return el("path", name, d=f"M{shown(x - 5)},{shown(y - 5)}{shape}", class_=f"{point.role} c{point.colour}")


def merged(chart: Chart, to_x: Place, to_y: Place) -> list[tuple[Fraction, Fraction, str]]:
    """The points that the list below the drawing tells of, by their numbers there; those at one place have one mark."""
    found: list[tuple[Fraction, Fraction, str]] = []
    for number, point in enumerate((point for point in chart.points if point.role == "work"), 1):
        near = [
            n
            for n, (x, y, _) in enumerate(found)
            if math.dist((to_x(x), to_y(y)), (to_x(point.x), to_y(point.y))) < NEAR
        ]
        if near:
            x, y, told = found[near[0]]
            found[near[0]] = (x, y, f"{told}, {number}")
        else:
            found.append((point.x, point.y, str(number)))
    return found


def numbered(x: Fraction, y: Fraction, told: str, to_x: Place, to_y: Place) -> Child:
    """A mark with the numbers of what stands there."""
    at_x, at_y = to_x(x), to_y(y)
    text = el("text", told, x=shown(at_x), y=shown(at_y + 4.5), text_anchor="middle", class_="number")
    return el("ellipse", cx=shown(at_x), cy=shown(at_y), rx=6 + 4 * len(told), ry=10, class_="at"), text


def gap(point: MarkedPoint, chart: Chart, to_x: Place, to_y: Place) -> Html | None:
    """The way from a point up to the flat roof: how far it stays below the peak."""
    roofs = [curve for curve in chart.curves if curve.role == "roof"]
    if not roofs or to_y(point.y) - to_y(roofs[0].points[-1][1]) < 1:
        return None
    x = shown(to_x(point.x))
    return el("line", x1=x, x2=x, y1=shown(to_y(point.y)), y2=shown(to_y(roofs[0].points[-1][1])), class_="gap")
