"""``flopkb fix``."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import click

from flopkb.arithmetic.diagnostics import Severity
from flopkb.base.data.files import DataFolder
from flopkb.base.loading import shown_path
from flopkb.base.pipeline import read_texts
from flopkb.base.writing import Edit, WriteFault, patch_lines, rewrite_file
from flopkb.checking.check import CheckResult, check, narrowed
from flopkb.checking.text_report import TextStyle, counted, finding_lines
from flopkb.commands import (
    DATA_FROM,
    RECORDS,
    Outcome,
    UsageFault,
    answered,
    loaded_records,
    paths_here,
    records_beside,
    style,
)
from flopkb.commands.check import declaring, documents
from flopkb.editing.files import Files
from flopkb.editing.fix import Fixed, fixed


@dataclass(frozen=True, slots=True)
class FixOptions:
    """What the command line asks of ``fix``: with ``diff`` or ``only_check`` nothing is written."""

    paths: tuple[Path, ...] = ()
    records: Path | None = None
    diff: bool = False
    only_check: bool = False
    allowed: tuple[Path, ...] = ()
    style: TextStyle = field(default_factory=TextStyle)


@click.command("fix")
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path), metavar="[PATH]...")
@RECORDS
@click.option("--diff", is_flag=True, help="Show a unified diff; write nothing.")
@click.option(
    "--check", "only_check", is_flag=True, help="Only say what is stale; write nothing, exit 1 if anything is."
)
@DATA_FROM
@answered
def command(paths: tuple[Path, ...], **options: Any) -> Outcome:
    """Rewrite stale numbers to the recomputed value, in the form in which they are written.

    PATHs are records, folders of records, Markdown documents; without any, the whole base is mended (where there is
    none here, the documents below the current folder). A range, a bound,
    a word or a sign that no longer holds is reported, not rewritten.

    Exit code: 0 nothing is left, 1 findings are left, 2 usage, or a file that could not be written.
    """
    return fix_command(FixOptions(paths, style=style(), **options))


def fix_command(options: FixOptions) -> Outcome:
    """Rewrite stale quotes; say what was rewritten, and what is left that new digits cannot mend."""
    cwd = Path.cwd()
    options = replace(options, paths=options.paths or paths_here(options.records))
    root = records_beside(options.records, options.paths)
    shown = tuple(shown_path(path, cwd) for path in options.paths)
    texts, faults = read_texts(documents(options.paths, root), cwd)
    if faults:
        raise UsageFault("; ".join(f"{fault.location.path}: {fault.message}" for fault in faults))
    folder = DataFolder(cwd, options.allowed)
    done = fixed(Files(loaded_records(root, cwd), tuple(texts), folder), within(shown))
    left = remaining(done, shown)
    if options.diff or options.only_check:
        return pretended(done, left, options)
    failed = written(done, cwd)
    done = replace(done, edits=tuple(edit for edit in done.edits if edit.path not in failed))
    text = "".join(told_lines(done, left, options.style))
    code = 2 if failed else left.exit_code
    told = "\n".join(f"flopkb: {fault}" for fault in failed.values())
    return Outcome(text + summary(done, left, "rewritten"), code, told)


def within(shown: tuple[str, ...]) -> Callable[[str], bool]:
    """Whether a reported path lies at or below one of the paths named (all do, if none is named)."""
    return lambda path: not shown or any(path == s or s == "." or path.startswith(s.rstrip("/") + "/") for s in shown)


def remaining(done: Fixed, shown: tuple[str, ...]) -> CheckResult:
    """The errors that the files still have."""
    result = check(done.base)
    if shown and "." not in shown:
        result = narrowed(result, (*shown, *declaring(done.base)))
    return replace(result, diagnostics=tuple(d for d in result.diagnostics if d.severity is Severity.ERROR))


def pretended(done: Fixed, left: CheckResult, options: FixOptions) -> Outcome:
    """What would be written: as a diff alone on standard output, or in words."""
    if options.diff:
        code = 1 if options.only_check and done.edits else left.exit_code
        return Outcome("".join(diff_lines(done)), code, summary(done, left, "would be rewritten").rstrip("\n"))
    text = "".join(told_lines(done, left, options.style))
    code = left.exit_code or (1 if done.edits else 0)
    return Outcome(text + summary(done, left, "would be rewritten"), code)


def written(done: Fixed, cwd: Path) -> dict[str, WriteFault]:
    """Write every file that changed; why some could not be, by their reported paths."""
    failed = {}
    for path, (old, new) in done.changed().items():
        try:
            rewrite_file(cwd / path, old.encode("utf-8"), new.encode("utf-8"))
        except WriteFault as fault:
            failed[path] = fault
    return failed


def rewritten_lines(done: Fixed, style: TextStyle) -> Iterator[str]:
    """``path:line:column: 296x -> 295x`` for each quote, at the place that ``check`` names."""
    for edit in done.edits:
        yield f"{style.paint(str(edit.finding or edit.location), '1')}: {said(edit)}\n"


def said(edit: Edit) -> str:
    """What an edit changes."""
    return edit.note or f"{edit.old} -> {edit.text}"


def withdrawn_lines(done: Fixed, style: TextStyle) -> Iterator[str]:
    """What was tried and left as it is."""
    for repair in done.withdrawn:
        first = repair.edits[0]
        tried = ", ".join(said(edit) for edit in repair.edits)
        where = style.paint(str(first.finding or first.location), "1")
        yield f"{where}: left as it is: {tried} would not make it true; correct it by hand\n"


def told_lines(done: Fixed, left: CheckResult, style: TextStyle) -> Iterator[str]:
    """Everything that is said of the files."""
    yield from rewritten_lines(done, style)
    yield from withdrawn_lines(done, style)
    yield from left_lines(done, left, style)


def left_lines(done: Fixed, left: CheckResult, style: TextStyle) -> Iterator[str]:
    """The findings that are left."""
    sources = done.after.sources()
    for found in left.diagnostics:
        yield "".join(f"{line}\n" for line in finding_lines(found, sources.get, style))
    yield from (f"crash: {crash}\n" for crash in left.crashes)


def diff_lines(done: Fixed) -> Iterator[str]:
    """What changed, as a unified diff."""
    for path, (old, new) in done.changed().items():
        yield from patch_lines(path, old, new)


def summary(done: Fixed, left: CheckResult, what: str) -> str:
    """``2 quotes rewritten in 1 file, 0 findings left``."""
    changed = {edit.path for edit in done.edits}
    rewritten = f"{counted(len(done.edits), 'quote')} {what}"
    where = f" in {counted(len(changed), 'file')}" if changed else ""
    return f"{rewritten}{where}, {counted(left.errors, 'finding')} left that fix cannot mend\n"
