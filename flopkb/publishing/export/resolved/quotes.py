"""Links in prose, each with what it quotes."""

from __future__ import annotations

from flopkb.base.evaluate import QuoteResult
from flopkb.base.faults import Fault
from flopkb.base.link import (
    ClaimTarget,
    Computation,
    FactTarget,
    FigureTarget,
    InputTarget,
    LiteralTarget,
)
from flopkb.base.link.targets import QuoteTarget
from flopkb.publishing.export.exact import Exact
from flopkb.publishing.export.resolved.figures import computation_key, unit_text
from flopkb.publishing.export.resolved.model import ResolvedQuote
from flopkb.publishing.export.resolved.placing import Placing


def resolved_quote(result: QuoteResult, placing: Placing) -> ResolvedQuote:
    """One link."""
    quote, unit = result.quote, result.unit
    kind, key = kind_and_key(quote.target, computed=result.value is not None)
    fault = result.fault or (quote.target if isinstance(quote.target, Fault) else None)
    return ResolvedQuote(
        record=quote.holder,
        field=quote.field,
        text=quote.link.text,
        scheme=quote.link.scheme,
        target=quote.link.target,
        kind=kind,
        key=key,
        values=() if unit is None else tuple(Exact.of_base(value, unit_text(unit)) for value in result.values),
        verdict=result.judgement.verdict.value if result.judgement is not None else "",
        is_math=quote.is_math,
        place=placing.place(quote.location),
        fault=str(fault) if fault is not None else "",
    )


def kind_and_key(target: QuoteTarget | Fault, *, computed: bool) -> tuple[str, str]:
    """What is quoted: its kind, and its name."""
    if isinstance(target, FigureTarget):
        return "figure", f"{target.record}.{target.name}"
    if isinstance(target, Computation):
        return ("computation", computation_key(target)) if computed else ("derivation", computation_key(target))
    if isinstance(target, FactTarget):
        return "fact", f"{target.record}.{target.path}" + (f"@{target.source}" if target.source is not None else "")
    if isinstance(target, InputTarget):
        return "input", f"{target.record}.{target.owner}.{target.binding.name}"
    if isinstance(target, ClaimTarget):
        return "claim", f"{target.record}.{target.name}"
    if isinstance(target, LiteralTarget):
        return "literal", target.reason
    return "unresolved", ""
