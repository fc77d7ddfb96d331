"""The way from a folder of records to an evaluated base, in one call."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from flopkb.evaluate import Evaluation, evaluate
from flopkb.link import Passage, link
from flopkb.load import load_base
from flopkb.schema import read_records


class BaseNotFound(Exception):
    """There is no folder of records; ``looked`` says where it was looked for."""

    def __init__(self, looked: str) -> None:
        super().__init__(looked)
        self.looked = looked

    def __str__(self) -> str:
        return f"no records found: {self.looked}; name the folder with --records DIR"


def find_records(start: Path) -> Path:
    """The nearest ``records/`` in ``start`` or above it, else the one in the installed package."""
    for folder in (start, *start.parents):
        candidate = folder / "records"
        if candidate.is_dir():
            return candidate
    packaged = Path(__file__).parent / "data" / "records"
    if packaged.is_dir():
        return packaged
    raise BaseNotFound(f"no records/ in {start} or above it")


def evaluated_base(root: Path, cwd: Path, pages: Iterable[Passage] = ()) -> Evaluation:
    """Every record below ``root``, linked and evaluated; what could not be read is among its diagnostics."""
    if not root.is_dir():
        raise BaseNotFound(f"{root} is not a folder" if root.exists() else f"{root} does not exist")
    loaded = load_base(root, cwd)
    records, broken, diagnostics = read_records(loaded.documents)
    kb = link(records, broken | loaded.broken)
    return evaluate(kb, (*loaded.diagnostics, *diagnostics), pages)
