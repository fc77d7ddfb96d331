"""``flopkb track``."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import click

from flopkb.arithmetic.prose import MARKDOWN
from flopkb.base.data.files import DataFolder, format_of
from flopkb.base.data.rows import ROWS
from flopkb.base.data.selection import Missing
from flopkb.base.data.steps import DataPath, EachStep
from flopkb.base.data.trees import Unreadable
from flopkb.base.pipeline import NO_BASE, evaluated, is_page, read_texts
from flopkb.base.writing import WriteFault, applied, patch_lines, rewrite_file
from flopkb.checking.text_report import counted
from flopkb.commands import DATA_FROM, Outcome, UsageFault, answered
from flopkb.editing.places import DataPlace, places_in
from flopkb.editing.track import edits, tracked, unplaced


@click.command("track")
@click.argument("document", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.argument("data", nargs=-1, required=True, type=click.Path(path_type=Path, exists=True, dir_okay=False))
@DATA_FROM
@click.option("--write", is_flag=True, help="Write the declarations and links into the document.")
@answered
def command(document: Path, data: tuple[Path, ...], allowed: tuple[Path, ...], write: bool) -> Outcome:
    """Propose the first links of a document: where its numbers stand in data files.

    Prints a patch that declares the data and links each number that has one place in them; the text that a reader sees
    stays as it is. What is doubtful is left to `flopkb link` and a person.

    Exit code: 0, or 2 usage, or a file that could not be written.
    """
    if not is_page(document):
        raise UsageFault(f"{document} is no Markdown document ({', '.join(MARKDOWN)})")
    cwd = Path.cwd()
    texts, faults = read_texts([document], cwd)
    if faults:
        raise UsageFault(f"{document}: {faults[0].message}")
    base = evaluated(NO_BASE, texts, (), DataFolder(cwd, allowed))
    if base.kb.documents:
        raise UsageFault(f"{document} declares data already: use flopkb link {document}")
    passage = base.passages(texts[0].path)[0]
    folder = DataFolder(cwd, allowed)
    found = tracked(passage, [place for file in data for place in places_of(file, document, folder)])
    made = edits(found, passage)
    old = texts[0].source
    new = applied(old, made)
    left = [f"{passage.scalar.at(bare.start)}: {bare.text}: {why}\n" for bare, why in unplaced(found, passage)]
    told = f"{counted(max(0, len(made) - 1), 'number')} placed, {len(left)} left"
    if not write:
        return Outcome("".join(patch_lines(texts[0].path, old, new)), 0, "".join(left) + told)
    if made:
        try:
            rewrite_file(document, old.encode("utf-8"), new.encode("utf-8"))
        except WriteFault as fault:
            return Outcome(code=2, error=f"flopkb: {fault}")
    return Outcome("".join(left) + told + "\n")


def places_of(file: Path, document: Path, folder: DataFolder) -> Iterator[DataPlace]:
    """The numbers of a data file, which is named relative to the document."""
    name = Path(os.path.relpath(file, document.parent)).as_posix()
    try:
        format = format_of(name)
        path = folder.located(name, document.parent)
        whole = DataPath("", (EachStep(),) if format in ROWS else ())
        (answer,) = folder.answers(path, format, [(whole, False)])
    except Unreadable as error:
        raise UsageFault(f"{file} cannot be read: {error}") from error
    if isinstance(answer, Missing):
        return iter(())
    return places_in(answer if format in ROWS else answer[0], name, rows=format in ROWS)
