"""The resolved view of a base, computed once, from which every format writes."""

from flopkb.publishing.export.resolved.model import (
    ResolvedBase,
    ResolvedCase,
    ResolvedClaim,
    ResolvedCorrection,
    ResolvedFact,
    ResolvedFigure,
    ResolvedFormula,
    ResolvedInput,
    ResolvedProse,
    ResolvedQuote,
    ResolvedRecord,
    ResolvedRow,
    ResolvedStep,
    ResolvedSymbol,
)
from flopkb.publishing.export.resolved.records import KINDS, resolve, scalars_of

__all__ = [
    "KINDS",
    "ResolvedBase",
    "ResolvedCase",
    "ResolvedClaim",
    "ResolvedCorrection",
    "ResolvedFact",
    "ResolvedFigure",
    "ResolvedFormula",
    "ResolvedInput",
    "ResolvedProse",
    "ResolvedQuote",
    "ResolvedRecord",
    "ResolvedRow",
    "ResolvedStep",
    "ResolvedSymbol",
    "resolve",
    "scalars_of",
]
