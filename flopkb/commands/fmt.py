"""``flopkb fmt``."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from flopkb.arithmetic.diagnostics import Diagnostic
from flopkb.base.document import Document, plain
from flopkb.base.loading import load_file, load_text, shown_path
from flopkb.base.schema.validate import kind_of
from flopkb.base.writing import WriteFault, patch_lines, rewrite_file
from flopkb.checking.text_report import TextStyle, counted, finding_lines
from flopkb.commands import RECORDS, Outcome, UsageFault, answered, own_records, style
from flopkb.editing.fmt import formatted
from flopkb.editing.new import without_hints

_BACKUPS = (".", "#")


@dataclass(frozen=True, slots=True)
class FmtOptions:
    """What the command line asks of ``fmt``: with ``diff`` or ``only_check`` nothing is written.

    ``drop_hints`` takes out what ``new`` said of each field.
    """

    paths: tuple[Path, ...] = ()
    records: Path | None = None
    only_check: bool = False
    diff: bool = False
    drop_hints: bool = False
    style: TextStyle = TextStyle()


@dataclass(frozen=True, slots=True)
class _File:
    """A file with its old and its new text, or with the reason why it has no new one."""

    path: Path
    shown: str
    old: str = ""
    new: str = ""
    left: str = ""
    faults: Sequence[Diagnostic] = ()

    @property
    def changed(self) -> bool:
        return self.old != self.new


@click.command("fmt")
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path), metavar="[PATH]...")
@RECORDS
@click.option("--check", "only_check", is_flag=True, help="Write nothing; exit 1 if a file is not in the usual form.")
@click.option("--diff", is_flag=True, help="Write nothing; show what would change as a unified diff.")
@click.option("--drop-hints", is_flag=True, help="Also take out the hints that new wrote, and the fields left unused.")
@answered
def command(paths: tuple[Path, ...], **options: Any) -> Outcome:
    """Bring records into the usual form: order of keys, wrapping, style of numbers, blanks. The meaning never changes.

    PATHs are records and folders of records (default: the base). Comments, quotes, digits and | blocks stay as they are.

    Exit code: 0, 1 a file that cannot be read (with --check: or is not in the usual form), 2 usage, or a failed write.
    """
    return fmt_command(FmtOptions(paths, style=style(), **options))


def fmt_command(options: FmtOptions) -> Outcome:
    """Bring records into the usual form, or say which are not in it."""
    cwd = Path.cwd()
    files = [_read(path, shown_path(path, cwd), options.drop_hints) for path in _files(options)]
    if options.diff or options.only_check:
        return _pretended(files, options)
    failed = list(_written(files))
    text = "".join(f"{options.style.paint(file.shown, '1')}: formatted\n" for file in files if file.changed)
    code = 2 if failed else int(any(file.faults for file in files))
    return Outcome(text + _summary(files, "formatted"), code, _errors(files, [str(fault) for fault in failed], options))


def _files(options: FmtOptions) -> Iterator[Path]:
    """The files at and below the paths, each once; without a path those of the base."""
    seen = set()
    for path in options.paths or (own_records(options.records),):
        if not path.exists():
            raise UsageFault(f"{path} does not exist")
        for file in _records_at(path):
            if file.resolve() not in seen:
                seen.add(file.resolve())
                yield file


def _records_at(path: Path) -> Iterator[Path]:
    if not path.is_dir():
        if path.suffix != ".yaml":
            raise UsageFault(f"{path} is no record: records end in .yaml")
        yield path
        return
    for folder, folders, names in os.walk(path):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        yield from (Path(folder) / name for name in sorted(names) if name.endswith(".yaml") and name[0] not in _BACKUPS)


def _read(path: Path, shown: str, drop_hints: bool) -> _File:
    document = load_file(path, shown)
    if not isinstance(document, Document):
        return _File(path, shown, faults=document)
    result = formatted(_finished(document) if drop_hints else document)
    return _File(path, shown, document.source, document.source if result.left else result.source, result.left)


def _finished(document: Document) -> Document:
    """The record without the hints of its scaffold."""
    kind = kind_of(document)
    found = load_text(without_hints(document.source, kind), document.path) if kind is not None else document
    return found if isinstance(found, Document) and plain(found.root) == plain(document.root) else document


def _pretended(files: list[_File], options: FmtOptions) -> Outcome:
    """What would change, as a diff or as a list of files; ``--check`` makes that the exit code."""
    changed = [file for file in files if file.changed]
    bad = any(file.faults for file in files) or (options.only_check and bool(changed))
    if options.diff:
        text = "".join(line for file in changed for line in patch_lines(file.shown, file.old, file.new))
        return Outcome(text, int(bad), _errors(files, [_summary(files, "would be formatted").rstrip("\n")], options))
    text = "".join(f"{options.style.paint(file.shown, '1')}: would be formatted\n" for file in changed)
    return Outcome(text + _summary(files, "would be formatted"), int(bad), _errors(files, [], options))


def _written(files: list[_File]) -> Iterator[WriteFault]:
    """Write every file that changed; those that could not be written."""
    for file in files:
        if file.changed:
            try:
                rewrite_file(file.path, file.old.encode("utf-8"), file.new.encode("utf-8"))
            except WriteFault as fault:
                yield fault


def _errors(files: list[_File], more: list[str], options: FmtOptions) -> str:
    """What a person has to know of files that were not formatted."""
    lines = [f"{file.shown}: left as it is: {file.left}" for file in files if file.left]
    for file in files:
        lines += [line for fault in file.faults for line in finding_lines(fault, _nothing, options.style)]
    return "\n".join([*lines, *(f"flopkb: {line}" for line in more)])


def _nothing(path: str) -> None:
    return None


def _summary(files: list[_File], what: str) -> str:
    """``2 files formatted, 5 unchanged``."""
    changed = sum(1 for file in files if file.changed)
    unread = sum(1 for file in files if file.faults)
    rest = f", {unread} unreadable" if unread else ""
    return f"{counted(changed, 'file')} {what}, {len(files) - changed - unread} unchanged{rest}\n"
