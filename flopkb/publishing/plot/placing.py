"""Where labels stand so that none covers another, a point or a line (no drawing here: plain geometry in pixels).

Our own, since adjustText laid labels over lines and was not the same from run to run, and textalloc knows no preferred
side, parts the label that two points share and has no place on a line across (tried on the four plots, wide and narrow).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product

_GAPS = (7.0, 13.0, 22.0, 34.0, 50.0, 70.0, 95.0)


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle."""

    left: float
    bottom: float
    right: float
    top: float

    def meets(self, other: Box, pad: float = 0.0) -> bool:
        """Whether two rectangles overlap, ``pad`` pixels counting as too close."""
        return (
            self.left < other.right + pad
            and other.left < self.right + pad
            and self.bottom < other.top + pad
            and other.bottom < self.top + pad
        )

    def within(self, outer: Box) -> bool:
        """Whether it lies inside another."""
        return (
            self.left >= outer.left
            and self.right <= outer.right
            and self.bottom >= outer.bottom
            and self.top <= outer.top
        )


@dataclass(frozen=True, slots=True)
class Wanted:
    """A label of a size, the places that it may belong to, and the sides on which it may stand, best first."""

    width: float
    height: float
    anchors: tuple[tuple[float, float], ...]
    sides: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Placed:
    """Where a label stands, and what it belongs to."""

    box: Box
    anchor: tuple[float, float]
    gap: float

    @property
    def far(self) -> bool:
        """Whether a line has to lead from the label to its place."""
        return self.gap > _GAPS[1]


@dataclass(frozen=True, slots=True)
class LinePiece:
    """A straight piece of a line that labels stay off."""

    x1: float
    y1: float
    x2: float
    y2: float

    def meets(self, other: LinePiece) -> bool:
        """Whether two pieces cross: the ends of each lie on both sides of the other."""
        return self.turns(other) and other.turns(self)

    def turns(self, other: LinePiece) -> bool:
        """Whether the ends of the other lie on both sides of this piece's line."""
        dx, dy = self.x2 - self.x1, self.y2 - self.y1
        first = dx * (other.y1 - self.y1) - dy * (other.x1 - self.x1)
        second = dx * (other.y2 - self.y1) - dy * (other.x2 - self.x1)
        return first * second <= 0

    def crosses(self, box: Box) -> bool:
        """Whether it touches a rectangle: clipped against its sides."""
        dx, dy = self.x2 - self.x1, self.y2 - self.y1
        first, last = 0.0, 1.0
        for p, q in (
            (-dx, self.x1 - box.left),
            (dx, box.right - self.x1),
            (-dy, self.y1 - box.bottom),
            (dy, box.top - self.y1),
        ):
            if p == 0:
                if q < 0:
                    return False
                continue
            t = q / p
            if p < 0:
                first = max(first, t)
            else:
                last = min(last, t)
            if first > last:
                return False
        return True


def place(
    wanted: Sequence[Sequence[Wanted]], area: Box, taken: Sequence[Box], lines: Sequence[LinePiece]
) -> list[tuple[int, Placed | None]]:
    """A place for each label, in their order, and which of its shapes stands there; None for one that fits nowhere."""
    boxes = list(taken)
    found: list[tuple[int, Placed | None]] = []
    for shapes in wanted:
        costed = [(best(shape, area, boxes, lines), number) for number, shape in enumerate(shapes)]
        fitting = [(cost + number, number, spot) for (cost, spot), number in costed if spot is not None]
        _, which, spot = min(fitting, key=lambda item: item[:2]) if fitting else (0.0, 0, None)
        found.append((which, spot))
        if spot is not None:
            boxes.append(spot.box)
    return found


def best(label: Wanted, area: Box, boxes: Sequence[Box], lines: Sequence[LinePiece]) -> tuple[float, Placed | None]:
    """The place with the least against it: lines through it, then a leader that crosses something, then distance."""
    found: Placed | None = None
    least = 0.0
    for spot in spots(label):
        if not spot.box.within(area) or any(spot.box.meets(box, 3.0) for box in boxes):
            continue
        room = padded(spot.box, 1.5)
        cost = sum(100.0 for line in lines if line.crosses(room)) + spot.gap / 10
        if spot.far and not clear(spot, boxes, lines):
            cost += 60
        if found is None or cost < least:
            found, least = spot, cost
        if least < _GAPS[0] / 10 + 0.01:
            break
    return least, found


def spread(wanted: Sequence[tuple[float, float]], low: float, high: float, gap: float = 4.0) -> list[float]:
    """Centres for labels stacked along a line: each (centre, height) moved no more than it takes to part them."""
    order = sorted(range(len(wanted)), key=lambda index: wanted[index][0])
    groups: list[tuple[list[int], float, float]] = []  # members, centre, height of the whole
    for index in order:
        members, centre, height = [index], wanted[index][0], wanted[index][1] + gap
        while groups and groups[-1][1] + groups[-1][2] / 2 > centre - height / 2:
            others, their_centre, their_height = groups.pop()
            count, theirs = len(members), len(others)
            centre = (centre * count + their_centre * theirs) / (count + theirs)
            members, height = [*others, *members], height + their_height
        centre = min(max(centre, low + height / 2), high - height / 2)
        groups.append((members, centre, height))
    found = [0.0] * len(wanted)
    for members, centre, height in groups:
        at = centre - height / 2
        for index in members:
            own = wanted[index][1] + gap
            found[index] = at + own / 2
            at += own
    return found


def clear(spot: Placed, boxes: Sequence[Box], lines: Sequence[LinePiece]) -> bool:
    """Whether the line from a label to its place crosses nothing (the line that it belongs to begins there)."""
    (x, y), box = spot.anchor, spot.box
    near = (min(max(x, box.left), box.right), min(max(y, box.bottom), box.top))
    start = (x + (near[0] - x) * 0.3, y + (near[1] - y) * 0.3)
    leader = LinePiece(*start, *near)
    return not any(leader.crosses(other) for other in boxes) and not any(leader.meets(line) for line in lines)


def padded(box: Box, pad: float) -> Box:
    """A rectangle with a margin."""
    return Box(box.left - pad, box.bottom - pad, box.right + pad, box.top + pad)


def spots(label: Wanted) -> Iterator[Placed]:
    """Every place to try: near before far, the better side first."""
    for gap, (x, y), (dx, dy) in product(_GAPS, label.anchors, label.sides):
        yield spot(label, x, y, dx, dy, gap)


def spot(label: Wanted, x: float, y: float, dx: int, dy: int, gap: float) -> Placed:
    """The label on one side of its anchor; on a slant both offsets are a little shorter."""
    reach = gap * (0.75 if dx and dy else 1.0)
    left = x + dx * reach - (label.width if dx < 0 else label.width / 2 if dx == 0 else 0.0)
    bottom = y + dy * reach - (label.height if dy < 0 else label.height / 2 if dy == 0 else 0.0)
    return Placed(Box(left, bottom, left + label.width, bottom + label.height), (x, y), gap)
