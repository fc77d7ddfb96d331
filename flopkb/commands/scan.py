"""``flopkb scan``."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import click

from flopkb.arithmetic.diagnostics import Diagnostic, Location, Severity, shortened
from flopkb.arithmetic.numbers import miscomputed, with_unit
from flopkb.arithmetic.text import ScannedEquation, ScanResult, ScanVerdict, scan_text
from flopkb.base.loading import shown_path
from flopkb.checking.text_report import TextStyle, counted, finding_lines
from flopkb.commands import Outcome, UsageFault, answered, style

SUFFIXES = frozenset(
    (".md", ".markdown", ".mdx", ".qmd", ".rmd", ".rst", ".adoc", ".org", ".txt", ".text",
     ".html", ".htm", ".xhtml", ".tex", ".ltx")
)  # fmt: skip
"""What is read of a folder; a file that is named is read whatever its name."""

LARGEST = 1 << 26
"""A file may hold this many bytes (64 MiB)."""

_SKIPPED = ("node_modules", "__pycache__")


@dataclass(frozen=True, slots=True)
class ScanOptions:
    """What the command line asks of ``scan``: ``only`` names verdicts (all, if it is empty)."""

    files: tuple[Path, ...] = ()
    form: str = "text"
    only: tuple[str, ...] = ()
    style: TextStyle = field(default_factory=TextStyle)


@click.command("scan")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="FILE...")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
@click.option(
    "--only", multiple=True, metavar="VERDICT", help="Only equations that are ok, truncated, ambiguous or wrong."
)
@answered
def command(files: tuple[Path, ...], **options: Any) -> Outcome:
    """Recompute the arithmetic in any text: Markdown, HTML, LaTeX, plain text. No base is needed.

    FILEs may be folders; - is standard input. A comment "flopkb: ignore" beside an equation silences it.

    Exit code: 0, or 1 if any equation is wrong, 2 usage.
    """
    return scan_command(ScanOptions(files, style=style(), **options))


def scan_command(options: ScanOptions) -> Outcome:
    """Every equation in the files, recomputed; those that are not right are shown."""
    began = time.monotonic()
    only = verdicts(options.only)
    cwd = Path.cwd()
    results: list[tuple[ScanResult, str]] = []
    notes: list[str] = []
    for file in dict.fromkeys(found for path in options.files for found in files_at(path)):
        shown = "-" if str(file) == "-" else shown_path(file, cwd)
        text = read_file(file)
        if text is None:
            notes.append(f"flopkb: {shown} is not text; it was skipped")
        else:
            results.append((scan_text(text, shown), text))
    equations = [e for result, _ in results for e in result.equations if e.verdict in only]
    code = 1 if any(e.verdict is ScanVerdict.WRONG for e in equations) else 2 if notes else 0
    unused = [found for result, _ in results for found in result.diagnostics]
    if options.form == "json":
        notes += [f"{found.location}: warning: {found.rule}: {found.message}" for found in unused]
        return Outcome(
            json.dumps([row(e) for e in equations], indent=2, ensure_ascii=False) + "\n", code, "\n".join(notes)
        )
    lines = [line for result, text in results for line in shown_lines(result, text, only, options.style)]
    seconds = time.monotonic() - began
    return Outcome("\n".join([*lines, summary(results, equations, seconds)]) + "\n", code, "\n".join(notes))


def verdicts(names: tuple[str, ...]) -> frozenset[ScanVerdict]:
    """The verdicts that are asked for; names may be joined by commas."""
    wanted = [name.strip() for text in names for name in text.split(",") if name.strip()]
    for name in wanted:
        if name not in list(ScanVerdict):
            raise UsageFault(f"there is no verdict {name}; --only takes {', '.join(ScanVerdict)}")
    return frozenset(map(ScanVerdict, wanted or ScanVerdict))


def files_at(path: Path) -> Iterator[Path]:
    """The file itself, or the documents below a folder in the order of their names; hidden ones are skipped."""
    if not path.is_dir():
        if str(path) != "-" and not path.exists():
            raise UsageFault(f"{path} does not exist")
        yield path
        return
    for folder, folders, names in os.walk(path):
        folders[:] = sorted(name for name in folders if not name.startswith(".") and name not in _SKIPPED)
        for name in sorted(names):
            file = Path(folder) / name
            if file.suffix.lower() in SUFFIXES and not name.startswith(".") and file.is_file():
                yield file


def read_file(file: Path) -> str | None:
    """The text of a file (``-`` is standard input), or None where it is no text or too large for one."""
    try:
        if str(file) != "-":
            with file.open("rb") as opened:
                data = opened.read(LARGEST + 1)
        elif sys.stdin is None:
            raise UsageFault("standard input is closed; name a file")
        else:
            data = sys.stdin.buffer.read(LARGEST + 1)
    except OSError as error:
        raise UsageFault(f"{file} cannot be read ({(error.strerror or 'unknown reason').lower()})") from error
    if b"\0" in data or len(data) > LARGEST:
        return None
    return data.decode("utf-8", "replace").removeprefix("\ufeff")


def row(equation: ScannedEquation) -> dict[str, object]:
    """An equation for programs."""
    return {
        "path": equation.path,
        "line": equation.line,
        "column": equation.column,
        "text": equation.text,
        "computed": equation.computed,
        "quoted": equation.quoted,
        "unit": equation.unit,
        "verdict": equation.verdict,
        "reading": equation.reading,
    }


def shown_lines(result: ScanResult, text: str, only: frozenset[ScanVerdict], style: TextStyle) -> Iterator[str]:
    """The equations of one document that are not right, and the suppressions that silence nothing, by their places."""
    wanted = only - {ScanVerdict.OK} if only == frozenset(ScanVerdict) else only
    found = [diagnostic(e) for e in result.equations if e.verdict in wanted]
    for item in sorted([*found, *result.diagnostics], key=lambda d: d.sort_key):
        yield from finding_lines(item, lambda _: text, style)


def diagnostic(equation: ScannedEquation) -> Diagnostic:
    """What is said of an equation."""
    where = Location(equation.path, equation.line, equation.column)
    severity = Severity.ERROR if equation.verdict is ScanVerdict.WRONG else Severity.WARNING
    length = max(1, equation.end - equation.start)
    return Diagnostic(where, severity, equation.verdict, sentence(equation), equation.quoted, equation.computed, length)


def sentence(equation: ScannedEquation) -> str:
    """The equation, what it comes to, and how it was read."""
    text = shortened(equation.text, 120)
    reading = "" if equation.reading in ("", "as written") else f" (read as: {equation.reading})"
    if equation.verdict is ScanVerdict.OK:
        return f"{text}: right{reading}"
    computed = with_unit(equation.computed, equation.unit, tight=True)
    said = miscomputed(equation.quoted, computed, cut=equation.verdict is ScanVerdict.TRUNCATED)
    return f"{text}: {said}{reading}" + (f"; {equation.advice}" if equation.advice else "")


def summary(results: list[tuple[ScanResult, str]], equations: list[ScannedEquation], seconds: float) -> str:
    """``12 equations in 2 files: 9 ok, 1 truncated, 0 ambiguous, 2 wrong in 0.1 s``."""
    found = {verdict: sum(e.verdict is verdict for e in equations) for verdict in ScanVerdict}
    always = (ScanVerdict.OK, ScanVerdict.WRONG)
    counts = ", ".join(f"{count} {verdict}" for verdict, count in found.items() if count or verdict in always)
    silenced = sum(len(result.suppressed) for result, _ in results)
    tail = f", {silenced} suppressed" if silenced else ""
    return (
        f"{counted(len(equations), 'equation')} in {counted(len(results), 'file')}: {counts}{tail} in {seconds:.1f} s"
    )
