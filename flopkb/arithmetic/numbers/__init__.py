"""A number as a person writes it: reading it, judging it against an exact value, and writing another in its form."""

from flopkb.arithmetic.numbers.judging import Closeness, Judgement, Verdict, closeness, decimal_text, judge
from flopkb.arithmetic.numbers.quantities import RunningQuantity, part_of, quantity_at, without_count
from flopkb.arithmetic.numbers.reading import SUFFIXES, Ending, Quoted, ReadError, Word, read
from flopkb.arithmetic.numbers.writing import rewrite, rounded_text

__all__ = [
    "SUFFIXES",
    "Closeness",
    "Ending",
    "Judgement",
    "Quoted",
    "ReadError",
    "RunningQuantity",
    "Verdict",
    "Word",
    "closeness",
    "decimal_text",
    "judge",
    "part_of",
    "quantity_at",
    "read",
    "rewrite",
    "rounded_text",
    "without_count",
]
