"""``flopkb impact``."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import click

from flopkb.base.data.files import DataFolder, from_disk, repository_of
from flopkb.base.link.aliases import called_in
from flopkb.base.loading import shown_path
from flopkb.base.pipeline import PageText, evaluated, read_texts
from flopkb.base.pipeline import own_records as own_base
from flopkb.checking.kept import Keeper
from flopkb.checking.keys import USUAL
from flopkb.checking.text_report import TextStyle
from flopkb.commands import (
    FORMAT,
    RECORDS,
    Outcome,
    UsageFault,
    answered,
    completing,
    json_text,
    loaded_records,
    records_folder,
    style,
)
from flopkb.commands.check import documents
from flopkb.review.data import file_tree
from flopkb.review.difference import compare, state_of
from flopkb.review.impact import Asking, ImpactFault, found_fact, tree, tree_of, tree_told, with_value
from flopkb.review.report import json_difference, text_difference

_LINK = re.compile(r"\]\((?:fact|fig|in|claim):([a-z][a-z0-9_]*)")


@click.command("impact")
@click.argument("fact", metavar="FACT", shell_complete=completing("facts"))
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path, exists=True), metavar="[DOCUMENT]...")
@click.option(
    "--set", "new", metavar="VALUE", help="Suppose another value (or file) and show what it would move and break."
)
@FORMAT
@RECORDS
@answered
def command(fact: str, paths: tuple[Path, ...], new: str | None, form: str, records: Path | None) -> Outcome:
    """Show what depends on a recorded value, as nvidia_h100_sxm.memory_bandwidth. Nothing is written.

    Of documents those count that are named, else all Markdown beside the base that links to it.

    FACT may also be a data file, as results/bench.json: then what the DOCUMENTs take from it (without any, all Markdown
    of the repository), and with --set another file, what would change if that stood in its place.
    """
    if Path(fact).is_file():
        if form == "json":
            raise UsageFault("--format json tells of recorded values, not of data files")
        return file_command(Path(fact), paths, Path(new) if new is not None else None, records)
    return impact_command(fact, paths, new, records, style(), form)


def file_command(file: Path, paths: tuple[Path, ...], new: Path | None, records: Path | None) -> Outcome:
    """What documents take from a data file; with a new one, what it would move and break."""
    cwd = Path.cwd()
    root = records or own_base(cwd)
    texts, _ = read_texts(documents(paths or (repository_of(cwd.resolve(), cwd),), root), cwd)
    base = evaluated(loaded_records(root, cwd), texts, (), DataFolder(cwd))
    if new is None:
        return Outcome("\n".join(file_tree(shown_path(file, cwd), base)) + "\n")
    if not new.is_file():
        raise UsageFault(f"{new} is no file")
    place = file.resolve()
    supposed = DataFolder(cwd, (), lambda path: from_disk(new if path == place else path))
    difference = compare(state_of(base), state_of(evaluated(loaded_records(root, cwd), texts, (), supposed)))
    return Outcome(f"if {file} were {new} (nothing is written)\n{text_difference(difference, style())}")


def impact_command(
    name: str, paths: Sequence[Path], new: str | None, records: Path | None, style: TextStyle, form: str = "text"
) -> Outcome:
    """What depends on a recorded value, in the base and in documents; with a new value, what it would move and break."""
    root, cwd = records_folder(records), Path.cwd()
    folder, texts = DataFolder(cwd), quoting(paths, root, cwd)
    base = evaluated(loaded_records(root, cwd), texts, (), folder, at_once=False)
    name = called_in(name, base.kb.scope)
    try:
        record, fact = found_fact(name, base)
        if new is None:
            branches = list(tree_of(record, fact, base))
            if form == "json":
                return Outcome(json_text(tree_told(record, fact, branches)))
            return Outcome("\n".join(tree(record, fact, branches)) + "\n")
        asking = Asking(texts, folder, Keeper.of(root, cwd, USUAL))
        difference = with_value(record, fact, new, base, asking)
    except ImpactFault as fault:
        raise UsageFault(str(fault)) from fault
    if form == "json":
        return Outcome(json_difference(difference))
    return Outcome(f"if {name} were {new} (nothing is written)\n{text_difference(difference, style)}")


def quoting(paths: Sequence[Path], root: Path, cwd: Path) -> list[PageText]:
    """The documents that are named, or those of the repository that link to records of the base."""
    if paths:
        return read_texts(documents(paths, root), cwd)[0]
    here = own_base(cwd)
    if here is None or here.resolve() != root.resolve():
        return []
    own = (file for file in documents((here.parent,), root) if own_base(file.parent) == here)
    texts, _ = read_texts(own, cwd)
    ids = {file.stem for file in root.rglob("*.yaml")}
    return [text for text in texts if not ids.isdisjoint(_LINK.findall(text.source))]
