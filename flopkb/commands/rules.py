"""``flopkb rules``."""

from __future__ import annotations

from flopkb.base.faults import did_you_mean
from flopkb.checking.report.rule_page import all_pages, fixtures_folder, rule_page
from flopkb.checking.rules import RULES
from flopkb.commands import Outcome, UsageFault


def rules_command(name: str | None, *, markdown: bool) -> Outcome:
    """All rules, a line each (or all pages as one document), or the documentation page of one."""
    if name is None:
        if markdown:
            return Outcome(all_pages(fixtures_folder()))
        width = max(len(rule.id) for rule in RULES)
        return Outcome("".join(f"{rule.id:<{width}}  {rule.title.replace('``', '')}\n" for rule in RULES))
    for rule in RULES:
        if rule.id == name:
            return Outcome(rule_page(rule, fixtures_folder()))
    raise UsageFault(
        f"there is no rule {name}{did_you_mean(name, [rule.id for rule in RULES])}; flopkb rules lists them"
    )
