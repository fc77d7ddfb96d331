"""``flopkb export``."""

from __future__ import annotations

from pathlib import Path

import click

from flopkb.base.faults import did_you_mean
from flopkb.base.loading import shown_path
from flopkb.base.writing import WriteFault
from flopkb.checking.text_report import counted
from flopkb.commands import RECORDS, Outcome, UsageFault, answered, needs, open_base, records_folder, unread
from flopkb.publishing.export.output import FORMATS, FileFormat, FolderFormat, WrittenFiles, write_file, write_folder
from flopkb.publishing.export.resolved import ResolvedBase
from flopkb.publishing.export.resolved.records import resolve


@click.command("export")
@click.argument("form", metavar="FORMAT")
@click.option(
    "--output",
    required=True,
    metavar="PATH",
    help="The file, or the folder for csv, markdown, html, peaks and vectors, or - to print a text.",
)
@RECORDS
@answered
def command(form: str, output: str, records: Path | None) -> Outcome:
    """Write the whole base as data or as a site.

    FORMAT is json, jsonl, csv, sqlite, markdown, html, latex or bibtex; or peaks (what parts can do, by the names that
    drivers report, with a module that imports nothing) or vectors (what models cost, for other calculators to test
    themselves against). What lies at PATH is replaced only if it is an earlier export that nobody has edited.
    """
    return export_command(form, output, records)


def export_command(name: str, output: str, records: Path | None) -> Outcome:
    """Write the base in a format; say what was written (nothing, where the output is standard output)."""
    form = next((known for known in FORMATS if known.name == name), None)
    if form is None:
        names = [known.name for known in FORMATS]
        raise UsageFault(f"there is no format {name}{did_you_mean(name, names)}; the formats are {', '.join(names)}")
    folder = records_folder(records)
    place = Path(output).resolve()
    if output != "-" and place.is_relative_to(folder.resolve()):
        raise UsageFault(f"{output} lies in the base itself, which holds records alone; name a place outside of it")
    if form.name == "html":
        needs("citeproc", "latex2mathml")
    base = open_base(folder)
    resolved = resolve(base, shown_path(folder, Path.cwd()))
    if output == "-":
        return Outcome(printed(form, resolved), error=unread(base))
    try:
        written = put(form, Path(output), resolved)
    except WriteFault as fault:
        raise UsageFault(str(fault)) from fault
    return Outcome(summary(resolved, written, output), error=unread(base))


def put(form: FileFormat | FolderFormat, path: Path, base: ResolvedBase) -> WrittenFiles:
    """Write the file or the folder."""
    if isinstance(form, FileFormat):
        return write_file(path, form.make(base), form.mark)
    return write_folder(path, form.make(base))


def printed(form: FileFormat | FolderFormat, base: ResolvedBase) -> str:
    """The export for standard output."""
    if not isinstance(form, FileFormat) or not form.is_text:
        raise UsageFault(
            f"{form.name} cannot go to standard output; name a {'file' if isinstance(form, FileFormat) else 'folder'}"
        )
    return form.make(base).decode("utf-8")


def summary(base: ResolvedBase, written: WrittenFiles, output: str) -> str:
    """``78 records, 109 figures to site: 97 files, 1.2 MB``."""
    content = f"{counted(len(base.records), 'record')}, {counted(len(base.figures), 'figure')}"
    size = f"{counted(written.files, 'file')}, {size_text(written.size)}"
    removed = f"; {counted(written.removed, 'file')} of an earlier export removed" if written.removed else ""
    return f"{content} to {output}: {size}{removed}\n"


def size_text(size: int) -> str:
    """Bytes with a decimal prefix."""
    if size < 1000:
        return counted(size, "byte")
    tenths, unit = (size // 100, "kB") if size < 10**6 else (size // 10**5, "MB")
    return f"{tenths // 10}.{tenths % 10} {unit}"
