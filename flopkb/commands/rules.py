"""``flopkb rules``."""

from __future__ import annotations

import click

from flopkb.base.faults import did_you_mean
from flopkb.checking.rule_page import all_pages, fixtures_folder, rule_page
from flopkb.checking.rules import RULES
from flopkb.commands import Outcome, UsageFault, answered, completing


@click.command("rules")
@click.argument("rule", required=False, metavar="[RULE]", shell_complete=completing("rules"))
@click.option("--markdown", is_flag=True, help="All pages as one Markdown document (docs/rules.md).")
@answered
def command(rule: str | None, markdown: bool) -> Outcome:
    """List the rules, or print the documentation of one with a failing and a passing example."""
    if rule is None:
        if markdown:
            return Outcome(all_pages(fixtures_folder()))
        width = max(len(known.id) for known in RULES)
        return Outcome("".join(f"{known.id:<{width}}  {known.title.replace('``', '')}\n" for known in RULES))
    for known in RULES:
        if known.id == rule:
            return Outcome(rule_page(known, fixtures_folder()))
    raise UsageFault(
        f"there is no rule {rule}{did_you_mean(rule, [known.id for known in RULES])}; flopkb rules lists them"
    )
