"""``flopkb rules``."""

from __future__ import annotations

from flopkb.commands import Outcome, UsageFault
from flopkb.faults import did_you_mean
from flopkb.rules import RULES


def rules_command(name: str | None) -> Outcome:
    """All rules, a line each, or the documentation page of one."""
    if name is None:
        width = max(len(rule.id) for rule in RULES)
        return Outcome("".join(f"{rule.id:<{width}}  {rule.title}\n" for rule in RULES))
    for rule in RULES:
        if rule.id == name:
            return Outcome(f"{rule.id}\n\n{rule.documentation}\n")
    raise UsageFault(f"there is no rule {name}{did_you_mean(name, [rule.id for rule in RULES])}; flopkb rules lists them")
