"""A folder with a document and data files, without a base of records."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from conftest import line_of

from flopkb.base.data.files import DataFolder
from flopkb.base.evaluate import Evaluation
from flopkb.base.pipeline import evaluated_base
from flopkb.checking.check import check


@dataclass(frozen=True)
class Project:
    """Files below ``folder``; findings name them from there on."""

    folder: Path

    def write(self, **files: str | bytes) -> Project:
        """Write files; ``a__b_json`` is ``a/b.json``."""
        for name, content in files.items():
            path = self.folder / f"{'.'.join(name.replace('__', '/').rsplit('_', 1))}"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return self

    def evaluate(self, allowed: Sequence[Path] = ()) -> Evaluation:
        """The documents of the folder with their data, evaluated."""
        documents = sorted(self.folder.rglob("*.md"))
        return evaluated_base(None, self.folder, documents, DataFolder(self.folder, tuple(allowed)))

    def lines(self, allowed: Sequence[Path] = ()) -> list[str]:
        """Every finding as a line. No rule may crash."""
        result = check(self.evaluate(allowed))
        assert not result.crashes, result.crashes
        return [line_of(found) for found in result.diagnostics]

    def messages(self) -> list[str]:
        """Every finding without its place."""
        return [line.split(": ", 3)[3] for line in self.lines()]


def declared(data: str = "", figures: str = "", text: str = "") -> str:
    """A document that declares data and figures (each a line of YAML an entry), and its text."""
    parts = ["<!-- flopkb:"]
    for section, body in (("data", data), ("figures", figures)):
        if body:
            parts += [f"{section}:", *(f"  {line}" for line in body.strip().split("\n"))]
    return "\n".join([*parts, "-->", text, ""])
