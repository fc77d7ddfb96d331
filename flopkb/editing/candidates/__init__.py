"""What a bare number could quote: the values of the base that it fits, best first, each with the reason."""

from flopkb.editing.candidates.context import context_of
from flopkb.editing.candidates.matching import Context, Match, best, fits, matches, significant
from flopkb.editing.candidates.quantities import Quantity, quantities
from flopkb.editing.candidates.values import Candidate, Kind, own_values, quoted_values

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
