"""``flopkb link``."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import click

from flopkb.base.data.files import DataFolder
from flopkb.base.evaluate import Evaluation
from flopkb.base.faults import did_you_mean
from flopkb.base.loading import shown_path
from flopkb.base.model import QuotingPage, Record, Subject
from flopkb.base.pipeline import is_page, read_texts
from flopkb.base.writing import WriteFault, rewrite_file
from flopkb.checking.text_report import TextStyle, counted
from flopkb.commands import DATA_FROM, RECORDS, Outcome, UsageFault, answered, loaded_records, records_beside, style
from flopkb.editing.files import Files
from flopkb.editing.link import Proposal, proposals

_SHOWN = 5


@dataclass(frozen=True, slots=True)
class LinkOptions:
    """What the command line asks of ``link``; ``record`` is an id or a file, of a record or a document."""

    record: str
    records: Path | None = None
    write: bool = False
    allowed: tuple[Path, ...] = ()
    style: TextStyle = field(default_factory=TextStyle)


@click.command("link")
@click.argument("record", metavar="RECORD")
@RECORDS
@click.option("--write", is_flag=True, help="Put in the links that are clear.")
@DATA_FROM
@answered
def command(record: str, **options: Any) -> Outcome:
    """Propose what each bare number of a record could quote: figures, facts, inputs, formulas, best first.

    RECORD is an id or a file, or a Markdown document, which may also quote the data that it declares. Those marked
    with * are clear; --write puts them in.

    Exit code: 0, or 2 usage, or a file that could not be written.
    """
    return link_command(LinkOptions(record, style=style(), **options))


def link_command(options: LinkOptions) -> Outcome:
    """For each bare number of a record, what it could quote; with ``write`` the clear ones are put in."""
    cwd = Path.cwd()
    document = Path(options.record)
    is_document = is_page(document) and document.is_file()
    root = records_beside(options.records, [document] if is_document else [])
    texts, faults = read_texts([document] if is_document else [], cwd)
    if faults:
        raise UsageFault(f"{document}: {faults[0].message}")
    files = Files(loaded_records(root, cwd), tuple(texts), DataFolder(cwd, options.allowed))
    base = files.evaluated()
    subject: Subject = base.pages[0] if is_document else record_named(options.record, base, cwd)
    found = list(proposals(subject, base))
    text = "".join(line for proposal in found for line in proposal_lines(proposal, options.style))
    if not options.write:
        clear = sum(1 for proposal in found if proposal.clear is not None)
        return Outcome(f"{text}{counted(len(found), 'bare number')}, {clear} with a clear link\n")
    return written(subject.id if isinstance(subject, QuotingPage) else subject.path, found, files, cwd, options.style)


def record_named(name: str, base: Evaluation, cwd: Path) -> Record:
    """The record with an id, or in a file."""
    if name in base.kb.records:
        return base.kb.records[name]
    path = shown_path(Path(name), cwd)
    for record in base.kb.records.values():
        if record.path == path:
            return record
    raise UsageFault(f"there is no record {name}{did_you_mean(name, base.kb.records)}")


def proposal_lines(proposal: Proposal, style: TextStyle) -> Iterator[str]:
    """The number at its place, then what it could quote, best first, each with the reason."""
    yield f"{style.paint(str(proposal.location), '1')}: {proposal.bare.text} is linked to nothing\n"
    links = [f"[{match.quantity.text}]({match.candidate.target})" for match in proposal.matches[:_SHOWN]]
    width = max(map(len, links), default=0)
    for link, match in zip(links, proposal.matches, strict=False):
        mark = "*" if match is proposal.clear else " "
        yield f"  {mark} {link:<{width}}  {match.reason}\n"
    if len(proposal.matches) > _SHOWN:
        yield f"    ... and {len(proposal.matches) - _SHOWN} more\n"
    if not proposal.matches:
        yield "    nothing in the base has this value; write a figure for it, or a literal: lit:reason\n"


def written(path: str, found: list[Proposal], files: Files, cwd: Path, style: TextStyle) -> Outcome:
    """Put the clear links into the file at ``path``; say what was written and what is left to a person."""
    edits = [edit for edit in (proposal.edit() for proposal in found) if edit is not None]
    after, made = files.edited(edits)
    old, new = files.sources()[path], after.sources()[path]
    if old != new:
        try:
            rewrite_file(cwd / path, old.encode("utf-8"), new.encode("utf-8"))
        except WriteFault as fault:
            return Outcome(code=2, error=f"flopkb: {fault}")
    lines = [f"{style.paint(str(edit.location), '1')}: {edit.note}\n" for edit in made]
    done = {(edit.location, edit.end) for edit in made}
    for proposal in found:
        edit = proposal.edit()
        if edit is None or (edit.location, edit.end) not in done:
            lines += proposal_lines(proposal, style)
    left = len(found) - len(made)
    return Outcome("".join(lines) + f"{counted(len(made), 'link')} written, {counted(left, 'bare number')} left\n")
