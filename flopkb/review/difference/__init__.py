"""What one state of a base changes in another: records, values, figures with every quote of them, claims, findings."""

from flopkb.review.difference.compare import Difference, State, compare, state_of
from flopkb.review.difference.parts import ClaimChange, FigureChange, Place, RecordChange, Removal, ValueChange

__all__ = [
    "ClaimChange",
    "Difference",
    "FigureChange",
    "Place",
    "RecordChange",
    "Removal",
    "State",
    "ValueChange",
    "compare",
    "state_of",
]
