"""In which context a name is read: a mixer, a feed-forward block, and what calls with inputs bind (a leaf)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from flopkb.base.link.targets import LinkedExpr, SymbolAtom


@dataclass(frozen=True, slots=True, eq=False)
class Level:
    """What one call binds, by symbol: ``(L=2*L)``. A level is equal to itself alone."""

    bindings: tuple[tuple[SymbolAtom, LinkedExpr], ...]
    label: str

    def binding(self, symbol: SymbolAtom) -> LinkedExpr | None:
        """What the level binds a symbol to."""
        return next((body for bound, body in self.bindings if bound == symbol), None)

    def __str__(self) -> str:
        return self.label


@dataclass(frozen=True, slots=True)
class Frame:
    """The names of the parts that fill ``mixer`` and ``feed_forward`` (or nothing), and the levels, outermost first."""

    mixer: str = ""
    feed_forward: str = ""
    levels: tuple[Level, ...] = ()

    def part(self, role: str) -> str:
        """The part in a role."""
        return self.mixer if role == "mixer" else self.feed_forward

    def at(self, role: str, name: str) -> Frame:
        """The frame with a part in a role."""
        return replace(self, mixer=name) if role == "mixer" else replace(self, feed_forward=name)

    def inside(self, level: Level) -> Frame:
        """The frame inside a call."""
        return replace(self, levels=(*self.levels, level))

    def outside(self, place: int) -> Frame:
        """The frame outside the call at a place: where what it binds is read."""
        return replace(self, levels=self.levels[:place])

    def narrowed(self, roles: Iterable[str], levels: tuple[Level, ...]) -> Frame | None:
        """The frame with what is read of it alone; None where that is nothing."""
        kept = set(roles)
        frame = Frame(
            self.mixer if "mixer" in kept else "", self.feed_forward if "feed_forward" in kept else "", levels
        )
        return frame if frame != ROOT else None

    def __lt__(self, other: Frame) -> bool:
        return str(self) < str(other)

    def __str__(self) -> str:
        return ", ".join(part for part in (self.mixer, self.feed_forward, *map(str, self.levels)) if part)


ROOT = Frame()
"""Outside of every sum and call."""
