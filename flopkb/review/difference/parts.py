"""The parts of a difference (frozen)."""

from __future__ import annotations

from dataclasses import dataclass

from flopkb.arithmetic.diagnostics import Location


@dataclass(frozen=True, slots=True)
class RecordChange:
    """A record that was added, removed or renamed (``before`` or ``after`` is None for one that is not there)."""

    before: str | None
    after: str | None
    location: Location


@dataclass(frozen=True, slots=True)
class Removal:
    """An id that is gone while something still used it: ``users`` are the records that did."""

    id: str
    users: tuple[str, ...]
    location: Location

    def __str__(self) -> str:
        users = ", ".join(self.users[:4]) + (", ..." if len(self.users) > 4 else "")
        return (
            f"{self.id} was used by {users}; keep it as a deprecated record, or keep the id in renamed_to "
            "so that what links to it can follow"
        )


@dataclass(frozen=True, slots=True)
class ValueChange:
    """A recorded value that changed, as written; None where it is new or gone."""

    name: str
    before: str | None
    after: str | None
    location: Location


@dataclass(frozen=True, slots=True)
class Place:
    """A quote: its text before and now, and whether it is right now."""

    location: Location
    before: str | None
    after: str
    ok: bool


@dataclass(frozen=True, slots=True)
class FigureChange:
    """A figure, or a formula quoted with its inputs, whose value moved, with every place that quotes it."""

    name: str
    before: str
    after: str
    places: tuple[Place, ...]


@dataclass(frozen=True, slots=True)
class ClaimChange:
    """A claim whose result changed; None where it is new or gone."""

    name: str
    before: str | None
    after: str | None
    location: Location
