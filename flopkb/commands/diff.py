"""``flopkb diff``."""

from __future__ import annotations

from pathlib import Path

import click

from flopkb.base.evaluate import Evaluation
from flopkb.base.pipeline import own_records as own_base
from flopkb.base.revisions import GitFault, Revisions
from flopkb.checking.text_report import TextStyle, counted
from flopkb.commands import RECORDS, Outcome, UsageFault, answered, style
from flopkb.review.difference import Difference, compare, state_of
from flopkb.review.report import json_difference, markdown_difference, text_difference


@click.command("diff")
@click.argument("revisions", nargs=-1, required=True, metavar="REV [REV]")
@click.option("--format", "form", type=click.Choice(["text", "markdown", "json"]), default="text", show_default=True)
@RECORDS
@answered
def command(revisions: tuple[str, ...], form: str, records: Path | None) -> Outcome:
    """Show what a change moves: records, values, figures with every quote of them, claims, findings.

    Compares REV with the work tree, or with a second REV. The work tree is not touched.

    Exit code: 0, or 1 where an id is gone that others used.
    """
    if len(revisions) > 2:
        raise UsageFault("diff takes one or two revisions")
    return diff_command(revisions, records, form, style())


def diff_command(revisions: tuple[str, ...], records: Path | None, form: str, style: TextStyle) -> Outcome:
    """What the second revision (or the work tree) changes in the first."""
    try:
        history = Revisions.of(records or own_base(Path.cwd()), Path.cwd())
        old = state_of(history.at(revisions[0]))
        new = state_of(history.at(revisions[1]) if len(revisions) > 1 else history.now())
    except GitFault as fault:
        raise UsageFault(str(fault)) from fault
    found = compare(old, new)
    return Outcome(text(found, form, style), 1 if found.removals else 0, unreadable(old.base, revisions[0]))


def text(found: Difference, form: str, style: TextStyle) -> str:
    """The difference in the format asked for."""
    if form == "text":
        return text_difference(found, style)
    return markdown_difference(found) if form == "markdown" else json_difference(found)


def unreadable(base: Evaluation, revision: str) -> str:
    """A word on files of the older revision that cannot be read now."""
    faults = [d for d in base.diagnostics if d.rule in ("yaml", "file", "schema")]
    if not faults:
        return ""
    return (
        f"flopkb: {counted(len(faults), 'fault')} in the files of {revision} as this version reads them; "
        "what they hide is not compared"
    )
