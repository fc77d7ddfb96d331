"""Files named below the folder of records, wherever that lies."""

from __future__ import annotations

from dataclasses import dataclass, replace

from flopkb.arithmetic.diagnostics import Location


@dataclass(frozen=True, slots=True)
class Placing:
    """``root`` is the folder of records as the paths of the base name it (empty: they are left as they are)."""

    root: str = ""

    def file(self, path: str) -> str:
        """The path below the root."""
        return path.removeprefix(f"{self.root.rstrip('/')}/") if self.root else path

    def place(self, where: Location) -> Location:
        """The same place, in the file as it is named here."""
        return replace(where, path=self.file(where.path))
