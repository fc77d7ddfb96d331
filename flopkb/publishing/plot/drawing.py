"""Charts drawn: SVG, PNG and PDF, the same bytes from run to run (the only matplotlib import)."""

from __future__ import annotations

import io
import re
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from html import escape
from itertools import pairwise
from typing import Any

from flopkb.publishing.plot.chart import Chart, Curve, LogAxis, MarkedPoint, csv_text
from flopkb.publishing.plot.placing import Box, LinePiece, Placed, Wanted, place, spread

FORMATS = ("svg", "png", "pdf")
# Okabe and Ito's colours, which the colour-blind tell apart; dashes say the same a second time.
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7f7f7f")
DASHES: tuple[Any, ...] = ("-", (0, (5, 2)), (0, (1.5, 1.5)), (0, (6, 2, 1.5, 2)))
INK, SOFT, GRID, PAPER = "#1c1d21", "#5a5e68", "#e2e3e6", "#ffffff"
_DARK = {
    **{INK: "#e6e7ea", SOFT: "#a3a7b1", GRID: "#3a3d45", PAPER: "#16181d"},
    **{COLOURS[0]: "#5ab4e8", COLOURS[2]: "#2fc79a", COLOURS[1]: "#f08a3c"},
}
"""What stands for a colour on a dark page."""
_SIZE, _SMALL = 9.0, 7.5
_MARKS = {"ridge": "D", "work": "o", "end": "X"}
_DPI = 192
_WIDE, _NARROW = (6.25, 4.25), (3.75, 4.6)
_METADATA: dict[str, dict[str, None]] = {
    "svg": {"Date": None, "Creator": None, "Format": None, "Type": None},
    "png": {"Software": None},
    "pdf": {"CreationDate": None, "ModDate": None, "Creator": None, "Producer": None},
}
_RIGHT, _LEFT, _UP, _DOWN = (1, 0), (-1, 0), (0, 1), (0, -1)
_UPPER_LEFT = ((-1, 1), _UP, _LEFT, (1, 1), (1, -1), _DOWN, _RIGHT, (-1, -1))
_BESIDE = ((1, 1), (-1, 1), (1, -1), (-1, -1))  # of labels that stand on their line
_LOWER_RIGHT = ((1, -1), _RIGHT, _DOWN, (1, 1), (-1, -1), _UP, _LEFT, (-1, 1))


@dataclass(frozen=True, slots=True)
class Look:
    """``narrow`` is for a phone; ``caption`` puts the sources of the values below the plot."""

    narrow: bool = False
    caption: bool = False


def drawn(chart: Chart, form: str, salt: str, look: Look = Look()) -> bytes:
    """The file; an SVG follows a reader who asks for dark pages."""
    found = picture(chart, form, salt, look)
    return with_dark_colours(found) if form == "svg" else found


def picture(chart: Chart, form: str, salt: str, look: Look) -> bytes:
    """The drawing. ``salt`` keeps the ids of several plots in one page apart."""
    import matplotlib
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(
            {
                "font.family": ["DejaVu Sans"],
                "font.size": _SIZE,
                "svg.hashsalt": salt,
                "svg.fonttype": "none",
                "pdf.fonttype": 42,
                "axes.unicode_minus": True,
                "path.simplify": False,
            }
        )
        figure, _ = composed(chart, look)
        FigureCanvasAgg(figure)
        out = io.BytesIO()
        figure.savefig(out, format=form, dpi=_DPI, metadata=_METADATA[form], facecolor=PAPER)
    return out.getvalue()


def with_dark_colours(svg: bytes) -> bytes:
    """A drawing that takes other colours where its reader asks for dark pages; others see it as it is."""
    rules = "".join(
        f'[style*="{kind}: {light}"]{{{kind}:{dark}!important}}'
        for light, dark in _DARK.items()
        for kind in ("fill", "stroke")
    )
    rules += f"text{{fill:{_DARK[INK]}}}"
    style = f'<style type="text/css">@media (prefers-color-scheme: dark){{{rules}}}</style>'
    return svg.replace(b" <defs>", f" {style}\n <defs>".encode(), 1)


def composed(chart: Chart, look: Look) -> tuple[Any, list[Placed | None]]:
    """The figure, and where its labels were put (for tests)."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    width, height = _NARROW if look.narrow else _WIDE
    notes = textwrap.wrap(chart.caption, 52 if look.narrow else 104) if look.caption else []
    extra = 0.17 * len(notes) + (0.12 if notes else 0)
    figure = Figure(figsize=(width, height + extra), dpi=100)
    canvas: Any = FigureCanvasAgg(figure)
    axes = figure.add_axes(
        (0.62 / width, (0.55 + extra) / (height + extra), 1 - 0.8 / width, (height - 0.72) / (height + extra))
    )
    for number, line in enumerate(notes):
        figure.text(0.02, (extra - 0.17 * (number + 1)) / (height + extra), line, fontsize=_SMALL, color=SOFT)
    prepare(axes, chart)
    draw_lines(axes, chart)
    edge = edge_labels(chart, look)
    room = max((size(axes, text, canvas.get_renderer())[0] for _, text in edge), default=-10) + 18
    fitted(axes, figure, canvas, room)
    beside = draw_edge(axes, edge, canvas.get_renderer())
    return figure, [*draw_labels(axes, chart, canvas.get_renderer()), *beside]


def fitted(axes: Any, figure: Any, canvas: Any, room: float) -> None:
    """Leave space for ticks and labels on the left, and for the names of curves on the right."""
    canvas.draw()
    tight, whole = axes.get_tightbbox(canvas.get_renderer()), figure.bbox
    here = axes.get_position()
    left = here.x0 + (6 - tight.x0) / whole.width
    right = here.x1 - max(0.0, tight.x1 - (whole.width - 6)) / whole.width
    right = min(right, 1 - room / whole.width)
    axes.set_position((left, here.y0, right - left, here.height))
    canvas.draw()


def edge_labels(chart: Chart, look: Look) -> list[tuple[Curve, str]]:
    """The names of curves and roofs that reach the right end, where they stand; others are named where they end."""
    width = 14 if look.narrow else 20
    return [(c, folded(c.name, width)) for c in chart.curves if c.role != "limit" and c.name and not c.stops]


def draw_edge(axes: Any, labels: Sequence[tuple[Curve, str]], renderer: Any) -> list[Placed | None]:
    """Names beside the right ends, moved apart where they would touch, each led to by a line in its colour."""
    area = axes.get_window_extent(renderer)
    ends = [axes.transData.transform((float(c.points[-1][0]), float(c.points[-1][1])))[1] for c, _ in labels]
    sizes = [size(axes, text, renderer) for _, text in labels]
    centres = spread([(y, height) for y, (_, height) in zip(ends, sizes, strict=True)], area.y0, area.y1 + 12)
    inverse = axes.transData.inverted()
    found: list[Placed | None] = []
    for (curve, text), y, centre, (width, height) in zip(labels, ends, centres, sizes, strict=True):
        start, end = inverse.transform((area.x1 + 1, y)), inverse.transform((area.x1 + 11, centre))
        axes.plot(
            [start[0], end[0]],
            [start[1], end[1]],
            color=COLOURS[curve.colour % len(COLOURS)],
            linewidth=1.0,
            clip_on=False,
        )
        at = inverse.transform((area.x1 + 14, centre))
        axes.text(*at, text, fontsize=_SIZE - 0.5, color=INK, va="center", ha="left", linespacing=1.15)
        box = Box(area.x1 + 14, centre - height / 2, area.x1 + 14 + width, centre + height / 2)
        found.append(Placed(box, (area.x1, y), 0.0))
    return found


def prepare(axes: Any, chart: Chart) -> None:
    """Scales, ticks, labels, grid."""
    for name, axis in (("x", chart.x), ("y", chart.y)):
        set_axis(axes, name, axis)
    axes.grid(True, which="major", color=GRID, linewidth=0.7)
    axes.set_axisbelow(True)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    for side in ("left", "bottom"):
        axes.spines[side].set_color(SOFT)
    axes.tick_params(which="both", color=SOFT, labelcolor=INK, length=3, width=0.7)
    axes.tick_params(which="minor", length=0)


def set_axis(axes: Any, name: str, axis: LogAxis) -> None:
    from matplotlib.ticker import FixedLocator, NullFormatter, NullLocator

    getattr(axes, f"set_{name}scale")("log")
    getattr(axes, f"set_{name}lim")(float(axis.low), float(axis.high))
    own = getattr(axes, f"{name}axis")
    shown = [(float(value), text) for value, text in axis.ticks if axis.low <= value <= axis.high]
    own.set_major_locator(FixedLocator([value for value, _ in shown]))
    own.set_ticklabels([text for _, text in shown])
    own.set_minor_locator(NullLocator())
    own.set_minor_formatter(NullFormatter())
    getattr(axes, f"set_{name}label")(axis.label, color=INK, labelpad=5)


def draw_lines(axes: Any, chart: Chart) -> None:
    """Curves and points."""
    for curve in chart.curves:
        xs, ys = [float(x) for x, _ in curve.points], [float(y) for _, y in curve.points]
        limit = curve.role == "limit"
        axes.plot(
            xs,
            ys,
            color=SOFT if limit else COLOURS[curve.colour % len(COLOURS)],
            linewidth=1.0 if limit else 1.9,
            linestyle=DASHES[1] if limit else DASHES[curve.dash % len(DASHES)],
            zorder=2 if limit else 3,
            solid_capstyle="round",
        )
    for point in chart.points:
        ridge = point.role == "ridge"
        axes.plot(
            [float(point.x)],
            [float(point.y)],
            marker=_MARKS[point.role],
            markersize={"ridge": 9, "end": 8}.get(point.role, 6),
            linestyle="none",
            color=COLOURS[point.colour % len(COLOURS)],
            markeredgecolor=PAPER,
            markeredgewidth=1.0,
            zorder=5 if ridge else 6,
            clip_on=False,
        )


def draw_labels(axes: Any, chart: Chart, renderer: Any) -> list[Placed | None]:
    """Names beside what they name: points first, which have the fewest places to choose from."""
    area = axes.get_window_extent(renderer)
    frame = Box(area.x0 + 3, area.y0 + 3, area.x1 + 2, area.y1 + 6)
    segments = [piece for curve in chart.curves for piece in pieces(axes, curve)]
    jobs: list[list[tuple[str, Wanted]]] = []
    narrow = area.width < 380
    spots_of = grouped_points(axes, chart.points)
    marks = [Box(x - 6, y - 6, x + 6, y + 6) for (x, y), _ in spots_of]
    for (x, y), points in spots_of:
        sides = _UPPER_LEFT if points[0].role == "ridge" else _LOWER_RIGHT
        texts = [
            "\n".join(folded(p.name, width) for p in points if p.name)
            for width in ((22, 15, 11) if narrow else (36, 24, 17))
        ]
        if texts[0]:
            jobs.append(
                [(text, Wanted(*size(axes, text, renderer), ((x, y),), sides)) for text in dict.fromkeys(texts)]
            )
    for curve in chart.curves:
        if curve.name and curve.role == "limit":
            text = folded(curve.name, 22 if narrow else 34)
            jobs.append([(text, Wanted(*size(axes, text, renderer), tuple(anchors(axes, curve)), _BESIDE))])
    spots = place([[wanted for _, wanted in job] for job in jobs], frame, marks, segments)
    for job, (which, spot) in zip(jobs, spots, strict=True):
        if spot is not None:
            write(axes, job[which][0], spot)
    return [spot for _, spot in spots]


def grouped_points(axes: Any, points: Sequence[MarkedPoint]) -> list[tuple[tuple[float, float], list[MarkedPoint]]]:
    """Points in pixels; those that lie on one another share a place, and one label."""
    found: list[tuple[tuple[float, float], list[MarkedPoint]]] = []
    for point in points:
        x, y = axes.transData.transform((float(point.x), float(point.y)))
        near = next(
            (group for at, group in found if abs(at[0] - x) < 7 and abs(at[1] - y) < 7 and group[0].role == point.role),
            None,
        )
        if near is not None:
            near.append(point)
        else:
            found.append(((x, y), [point]))
    return found


def write(axes: Any, text: str, spot: Placed) -> None:
    """One label, with a thin line to its place where it stands far from it."""
    box = spot.box
    inverse = axes.transData.inverted()
    x, y = inverse.transform((box.left, box.bottom))
    if spot.far:
        near = (min(max(spot.anchor[0], box.left), box.right), min(max(spot.anchor[1], box.bottom), box.top))
        ends = [inverse.transform(near), inverse.transform(spot.anchor)]
        axes.plot([p[0] for p in ends], [p[1] for p in ends], color=SOFT, linewidth=0.6, zorder=4, clip_on=False)
    axes.text(
        x,
        y,
        text,
        fontsize=_SIZE - 0.5,
        color=INK,
        va="bottom",
        ha="left",
        zorder=6,
        linespacing=1.15,
        bbox={"boxstyle": "square,pad=0.1", "facecolor": PAPER, "edgecolor": "none", "alpha": 0.75},
    )


def size(axes: Any, text: str, renderer: Any) -> tuple[float, float]:
    """Width and height of a label in pixels."""
    probe = axes.text(0.5, 0.5, text, fontsize=_SIZE - 0.5, transform=axes.transAxes, linespacing=1.15)
    extent = probe.get_window_extent(renderer)
    probe.remove()
    return extent.width, extent.height


def folded(text: str, width: int) -> str:
    """A long name in two or more lines."""
    return "\n".join(textwrap.wrap(text, width, break_long_words=False))


def pieces(axes: Any, curve: Curve) -> Iterator[LinePiece]:
    """The straight pieces of a curve in pixels."""
    pixels = [axes.transData.transform((float(x), float(y))) for x, y in curve.points]
    for (x1, y1), (x2, y2) in pairwise(pixels):
        yield LinePiece(x1, y1, x2, y2)


def anchors(axes: Any, curve: Curve) -> Iterator[tuple[float, float]]:
    """Places on a line across for its name, from its left end on."""
    pixels = [axes.transData.transform((float(x), float(y))) for x, y in curve.points]
    (x1, _), (x2, y2) = pixels[0], pixels[-1]
    yield from ((x1 + (x2 - x1) * share, y2) for share in (0.0, 0.15, 0.3, 0.45, 0.6, 0.75, 0.9, 1.0))


# -- in a page --------------------------------------------------------------------------------------------------------
_THEME = {
    INK: "var(--plot-ink)",
    SOFT: "var(--plot-soft)",
    GRID: "var(--plot-grid)",
    PAPER: "var(--paper)",
    COLOURS[0]: "var(--plot-blue)",
    COLOURS[2]: "var(--plot-green)",
}


def inline_svg(chart: Chart, name: str, text: str) -> str:
    """The plot for a page: one drawing for wide screens and one for phones, in the colours of the page."""
    both, digest = [], sha256(csv_text(chart).encode()).hexdigest()[:12]
    for kind, look in (("wide", Look()), ("narrow", Look(narrow=True))):
        svg = picture(chart, "svg", f"{name}-{kind}", look).decode("utf-8")
        both.append(themed(svg[svg.index("<svg") :], f"{name}-{kind}", kind, text, digest))
    return "\n".join(both)


def themed(svg: str, prefix: str, kind: str, text: str, digest: str) -> str:
    """An SVG with ids of its own, the page's colours, a name for readers who do not see it, a digest of its values."""
    for colour, variable in _THEME.items():
        svg = svg.replace(colour, variable)
    svg = re.sub(r'\bid="([^"]+)"', rf'id="{prefix}-\1"', svg)
    svg = re.sub(r'(xlink:href="#|href="#|url\(#)(?!' + re.escape(prefix) + ")", rf"\g<1>{prefix}-", svg)
    svg = re.sub(r"<metadata>.*?</metadata>", "", svg, flags=re.DOTALL)
    svg = re.sub(r' (?:width|height)="[0-9.]+pt"', "", svg, count=2)
    label = f'class="{kind}" role="img" aria-label="{escape(text)}" data-values="{digest}" '
    return svg.replace("<svg ", f"<svg {label}", 1).replace("\n\n", "\n").strip()
