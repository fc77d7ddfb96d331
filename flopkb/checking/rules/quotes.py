"""The sentence about a quoted number (shared by the rules that judge quotes; no rule itself)."""

from __future__ import annotations

from flopkb.arithmetic.diagnostics import Severity
from flopkb.arithmetic.numbers import Judgement, Quoted, rewrite, unit_behind
from flopkb.base.evaluate import QuoteResult
from flopkb.checking.findings import Finding


def number_finding(
    result: QuoteResult, judgement: Judgement, what: str, severity: Severity = Severity.ERROR, advice: str = ""
) -> Finding:
    """Quoted, computed, difference, unit, and what to write."""
    text = result.quote.link.text
    unit = unit_behind(judgement.unit, tight=True)
    parts = [f"{text} {what}: {result.quote.title} is {judgement.computed}{unit}, {judgement.difference}{unit} off"]
    if judgement.note:
        parts.append(f" ({judgement.note})")
    instead = replacement(result, severity)
    parts.append(f"; write {instead}" if instead else advice)
    return Finding(
        result.location,
        "".join(parts),
        severity,
        quoted=text,
        computed=f"{judgement.computed}{unit}",
        length=result.quote.length,
        replacement=instead,
    )


def replacement(result: QuoteResult, severity: Severity) -> str | None:
    """What to write instead, where the form of the quote allows it."""
    if severity is Severity.WARNING or not isinstance(result.reading, Quoted) or result.unit is None:
        return None
    instead = rewrite(result.reading, result.values, result.unit)
    return instead if instead and instead != result.quote.link.text else None
