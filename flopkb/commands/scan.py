"""``flopkb scan``."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import click

from flopkb.arithmetic.text import ScanVerdict
from flopkb.checking.scanning import ScannedFile, ScanRun
from flopkb.checking.scanning.baseline import BaselineFault, read_baseline, without_known, write_baseline
from flopkb.checking.scanning.documents import DocumentFinder, UnreadableDocument
from flopkb.checking.scanning.ignoring import patterns
from flopkb.checking.scanning.reading import FileReader
from flopkb.checking.scanning.reports import REPORTS
from flopkb.checking.scanning.settings import ScanSettings, SettingsFault, settings_above
from flopkb.checking.text_report import TextStyle, counted
from flopkb.commands import Outcome, UsageFault, answered, style


@dataclass(frozen=True, slots=True)
class ScanOptions:
    """What the command line asks of ``scan``: ``only`` names verdicts (all, if it is empty)."""

    files: tuple[Path, ...] = ()
    form: str = "text"
    only: tuple[str, ...] = ()
    style: TextStyle = field(default_factory=TextStyle)
    strict: bool = False
    exclude: tuple[str, ...] = ()
    baseline: Path | None = None
    update_baseline: bool = False
    comments: bool = False
    unread: bool = False
    comparisons: bool = False


@click.command("scan")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="FILE...")
@click.option("--format", "form", type=click.Choice(list(REPORTS)), default="text", show_default=True)
@click.option(
    "--only", multiple=True, metavar="VERDICT", help="Only equations with these verdicts (ok, within, wrong, ...)."
)
@click.option("--strict", is_flag=True, help="Fail on loose, truncated and ambiguous equations too.")
@click.option("--exclude", multiple=True, metavar="PATTERN", help="Leave files out, by patterns as in .gitignore.")
@click.option(
    "--baseline",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Report only what FILE does not hold; where there is no FILE, it is written.",
)
@click.option("--update-baseline", is_flag=True, help="Write the baseline anew.")
@click.option("--comments", is_flag=True, help="Read the comments and docstrings of source files too.")
@click.option("--comparisons", is_flag=True, help="Judge comparisons too: 3x faster (90 s to 30 s), 5% (2/40).")
@click.option("--unread", is_flag=True, help="List what looks like an equation and was not judged, with the reason.")
@answered
def command(files: tuple[Path, ...], **options: Any) -> Outcome:
    """Recompute the arithmetic in any text: Markdown, notebooks, LaTeX, HTML, plain text. No base is needed.

    FILEs may be folders (what .gitignore leaves out is skipped), or - for standard input. A comment "flopkb: ignore"
    beside an equation silences it. A flopkb-scan.yaml may say exclude, strict, baseline, comments and
    comparisons once for all.

    Exit code: 0 clean, 1 if any equation is wrong, 2 if something that was asked for could not be read.
    """
    return scan_command(ScanOptions(files, style=style(), **options))


def scan_command(options: ScanOptions) -> Outcome:
    """Every equation in the files, recomputed; those that are not right are shown."""
    began = time.monotonic()
    cwd = Path.cwd()
    only = verdicts(options.only)
    try:
        settings = settings_above(cwd)
        files, notes, crashed = scanned(options, settings, cwd)
        files, known, said = held_to(files, options, settings)
    except (SettingsFault, BaselineFault, UnreadableDocument) as fault:
        raise UsageFault(str(fault)) from fault
    run = ScanRun(files, tuple(notes), only, options.strict or settings.strict, options.unread, known)
    code = 3 if crashed else 1 if run.fails and not said else 0 if files else 2
    notes += [said] if said else []
    notes += [] if files or notes else ["flopkb: there is no document here; name a file"]
    if options.form == "json":
        notes += [f"{d.location}: warning: {d.rule}: {d.message}" for file in files for d in file.result.diagnostics]
    run = ScanRun(files, run.notes, only, run.strict, options.unread, known, time.monotonic() - began)
    return Outcome(REPORTS[options.form](run, options.style), code, "\n".join(notes))


def scanned(options: ScanOptions, settings: ScanSettings, cwd: Path) -> tuple[tuple[ScannedFile, ...], list[str], bool]:
    """All files that can be read, notes on the others, and whether flopkb itself failed on one."""
    comments = options.comments or settings.comments
    finder = DocumentFinder((*settings.exclude, *patterns(options.exclude, cwd)), comments)
    reader = FileReader(cwd, comments, options.comparisons or settings.comparisons)
    found = list(reader.all(list(dict.fromkeys(wanted(options.files, finder)))))
    notes = [read.note for read in found if read.note]
    return tuple(read.file for read in found if read.file), notes, any(read.crashed for read in found)


def wanted(paths: tuple[Path, ...], finder: DocumentFinder) -> Iterator[Path]:
    """The files that are named, and the documents in the folders that are."""
    for path in paths:
        if str(path) == "-" and sys.stdin is None:
            raise UsageFault("standard input is closed; name a file")
        if str(path) != "-" and not path.exists():
            raise UsageFault(f"{path} does not exist")
        yield from finder.found(path)


def held_to(
    files: tuple[ScannedFile, ...], options: ScanOptions, settings: ScanSettings
) -> tuple[tuple[ScannedFile, ...], int, str]:
    """The files without what the baseline holds, how many equations those are, and what is said where it is written."""
    file = options.baseline or settings.baseline
    if file is None:
        if options.update_baseline:
            raise UsageFault("--update-baseline needs a --baseline FILE")
        return files, 0, ""
    if options.update_baseline or not file.exists():
        count = write_baseline(file, (equation for each in files for equation in each.result.equations))
        return files, 0, f"flopkb: {counted(count, 'equation')} written to {file}; from now on only others are reported"
    return *without_known(files, read_baseline(file)), ""


def verdicts(names: tuple[str, ...]) -> frozenset[ScanVerdict]:
    """The verdicts that are asked for; names may be joined by commas."""
    asked = [name.strip() for text in names for name in text.split(",") if name.strip()]
    for name in asked:
        if name not in list(ScanVerdict):
            raise UsageFault(f"there is no verdict {name}; --only takes {', '.join(ScanVerdict)}")
    return frozenset(map(ScanVerdict, asked or ScanVerdict))
