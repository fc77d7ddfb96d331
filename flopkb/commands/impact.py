"""``flopkb impact``."""

from __future__ import annotations

from pathlib import Path

import click

from flopkb.checking.text_report import TextStyle
from flopkb.commands import RECORDS, Outcome, UsageFault, answered, open_base, style
from flopkb.review.impact import ImpactFault, found_fact, tree, with_value
from flopkb.review.report import text_difference


@click.command("impact")
@click.argument("fact", metavar="FACT")
@click.option("--set", "new", metavar="VALUE", help="Suppose another value and show what it would move and break.")
@RECORDS
@answered
def command(fact: str, new: str | None, records: Path | None) -> Outcome:
    """Show what depends on a recorded value, as nvidia_h100_sxm.memory_bandwidth. Nothing is written."""
    return impact_command(fact, new, records, style())


def impact_command(name: str, new: str | None, records: Path | None, style: TextStyle) -> Outcome:
    """What depends on a recorded value; with a new value, what it would move and break."""
    base = open_base(records).evaluation
    try:
        record, fact = found_fact(name, base)
        if new is None:
            return Outcome("\n".join(tree(record, fact, base)) + "\n")
        difference = with_value(record, fact, new, base)
    except ImpactFault as fault:
        raise UsageFault(str(fault)) from fault
    return Outcome(f"if {name} were {new} (nothing is written)\n{text_difference(difference, style)}")
