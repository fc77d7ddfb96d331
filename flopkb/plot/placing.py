"""Where labels stand so that none covers another, a point or a line (no drawing here: plain geometry in pixels)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product

_GAPS = (7.0, 13.0, 22.0, 34.0, 50.0)


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
        return self.left >= outer.left and self.right <= outer.right and self.bottom >= outer.bottom and self.top <= outer.top


@dataclass(frozen=True, slots=True)
class Wanted:
    """A label of a size with the places that it may belong to, best first. ``sides`` are directions to try, best first."""

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
class Segment:
    """A straight piece of a line that labels stay off."""

    x1: float
    y1: float
    x2: float
    y2: float

    def meets(self, other: Segment) -> bool:
        """Whether two pieces cross: the ends of each lie on both sides of the other."""
        return self.turns(other) and other.turns(self)

    def turns(self, other: Segment) -> bool:
        """Whether the ends of the other lie on both sides of this piece's line."""
        dx, dy = self.x2 - self.x1, self.y2 - self.y1
        first = dx * (other.y1 - self.y1) - dy * (other.x1 - self.x1)
        second = dx * (other.y2 - self.y1) - dy * (other.x2 - self.x1)
        return first * second <= 0

    def crosses(self, box: Box) -> bool:
        """Whether it touches a rectangle: clipped against its sides."""
        dx, dy = self.x2 - self.x1, self.y2 - self.y1
        first, last = 0.0, 1.0
        for p, q in ((-dx, self.x1 - box.left), (dx, box.right - self.x1), (-dy, self.y1 - box.bottom), (dy, box.top - self.y1)):
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


def place(wanted: Sequence[Wanted], area: Box, taken: Sequence[Box], lines: Sequence[Segment]) -> list[Placed | None]:
    """A place for each label, in their order; None for one that fits nowhere."""
    boxes = list(taken)
    found: list[Placed | None] = []
    for label in wanted:
        spot = best(label, area, boxes, lines)
        found.append(spot)
        if spot is not None:
            boxes.append(spot.box)
    return found


def best(label: Wanted, area: Box, boxes: Sequence[Box], lines: Sequence[Segment]) -> Placed | None:
    """The first free place; failing that, one that only lines run through."""
    spare: Placed | None = None
    for spot in spots(label):
        if not spot.box.within(area) or any(spot.box.meets(box, 3.0) for box in boxes):
            continue
        free = not any(line.crosses(padded(spot.box, 1.5)) for line in lines)
        if free and (not spot.far or clear(spot, boxes, lines)):
            return spot
        spare = spare or (spot if not spot.far or clear(spot, boxes, ()) else None)
    return spare


def clear(spot: Placed, boxes: Sequence[Box], lines: Sequence[Segment]) -> bool:
    """Whether the line from a label to its place crosses nothing (the line that it belongs to begins there)."""
    (x, y), box = spot.anchor, spot.box
    near = (min(max(x, box.left), box.right), min(max(y, box.bottom), box.top))
    start = (x + (near[0] - x) * 0.3, y + (near[1] - y) * 0.3)
    leader = Segment(*start, *near)
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
