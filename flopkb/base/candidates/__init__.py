"""What a bare number could quote: the values of the base that it fits, best first, each with the reason."""

from flopkb.base.candidates.context import context_of
from flopkb.base.candidates.matching import Context, Match, best, fits, matches, significant
from flopkb.base.candidates.quantities import Quantity, quantities
from flopkb.base.candidates.values import Candidate, Kind, own_values, quoted_values

__all__ = [
    "Candidate",
    "Context",
    "Kind",
    "Match",
    "Quantity",
    "best",
    "context_of",
    "fits",
    "matches",
    "own_values",
    "quantities",
    "quoted_values",
    "significant",
]
