"""The commands: arguments in, an :class:`Outcome` out. What several of them ask stands here."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from flopkb.checking.api import Base


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a command gives: text for standard output, a message for standard error, the exit code."""

    text: str = ""
    code: int = 0
    error: str = ""


class UsageFault(Exception):
    """The command was called in a way that it cannot answer; the text says what to do. Exit code 2."""


EXTRAS = {
    "citeproc": "documents",
    "jinja2": "documents",
    "latex2mathml": "documents",
    "matplotlib": "plots",
}
"""The extra of the package that brings each library which checking does without (see pyproject.toml)."""


def missing_extra(error: ModuleNotFoundError) -> str | None:
    """The sentence that says which extra brings the library that an import did not find; None for any other module."""
    library = (error.name or "").partition(".")[0]
    extra = EXTRAS.get(library)
    return extra and f"this needs {library}, of the extra {extra}: pip install 'flopkb[{extra}]'"


def records_folder(records: Path | None) -> Path:
    """The folder of the base: the one named, else the nearest upward, else the installed one."""
    from flopkb.base.pipeline import BaseNotFound, find_records

    try:
        return records if records is not None else find_records(Path.cwd())
    except BaseNotFound as error:
        raise UsageFault(str(error)) from error


def own_records(records: Path | None) -> Path:
    """The folder of a base that is there to be written: the one named, else the nearest upward, never the installed one."""
    from flopkb.base.pipeline import is_installed

    folder = records_folder(records)
    if not folder.is_dir():
        raise UsageFault(f"{folder} is not a folder" if folder.exists() else f"{folder} does not exist")
    if is_installed(folder):
        raise UsageFault("there is no records/ here or above: make that folder, or name another with --records DIR")
    return folder


def open_base(records: Path | None) -> Base:
    """The base, or the reason why there is none as a usage fault."""
    from flopkb.base.pipeline import BaseNotFound
    from flopkb.checking.api import load

    try:
        return load(records_folder(records))
    except BaseNotFound as error:
        raise UsageFault(str(error)) from error


def unread(base: Base) -> str:
    """A warning where some records could not be read, so that an answer without them surprises nobody."""
    from flopkb.checking.report.text import counted

    faults = [d for d in base.evaluation.diagnostics if d.rule in ("yaml", "file", "schema")]
    return (
        f"flopkb: {counted(len(faults), 'fault')} in the files of this base; flopkb check shows them" if faults else ""
    )
