"""The sentence about a quoted number (shared by the rules that judge quotes; no rule itself)."""

from __future__ import annotations

from flopkb.diagnostics import Severity
from flopkb.evaluate import QuoteResult
from flopkb.findings import Finding
from flopkb.quoted import Judgement, Quoted, rewrite


def number_finding(
    result: QuoteResult, judgement: Judgement, what: str, severity: Severity = Severity.ERROR
) -> Finding:
    """Quoted, computed, difference, unit, and what to write."""
    text = result.quote.link.text
    unit = "" if judgement.unit == "1" else f" {judgement.unit}"
    parts = [f"{text} {what}: {result.quote.title} is {judgement.computed}{unit}, {judgement.difference}{unit} off"]
    if judgement.note:
        parts.append(f" ({judgement.note})")
    parts.append(advice(result, severity))
    return Finding(
        result.location,
        "".join(parts),
        severity,
        quoted=text,
        computed=f"{judgement.computed}{unit}",
        length=result.quote.length,
    )


def advice(result: QuoteResult, severity: Severity) -> str:
    """What to write instead, where the form of the quote allows it."""
    if severity is Severity.WARNING or not isinstance(result.reading, Quoted) or result.unit is None:
        return ""
    instead = rewrite(result.reading, result.values, result.unit)
    return f"; write {instead}" if instead and instead != result.quote.link.text else ""
