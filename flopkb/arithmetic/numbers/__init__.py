"""A number as a person writes it: reading it, judging it against an exact value, and writing another in its form."""

from flopkb.arithmetic.numbers.judging import (
    Judgement,
    Verdict,
    judge,
    miscomputed,
    misquoted,
    rewrite,
)
from flopkb.arithmetic.numbers.printed import read_printed
from flopkb.arithmetic.numbers.quantities import RunningQuantity, UnreadQuantity, part_of, quantity_at, without_count
from flopkb.arithmetic.numbers.reading import Ending, Quoted, ReadError, Word, read
from flopkb.arithmetic.numbers.writing import (
    all_digits,
    amount_text,
    answer_text,
    decimal_text,
    digits_text,
    grouped,
    in_readable_unit,
    readable,
    rounded_text,
    short_text,
    unit_behind,
    with_unit,
)

__all__ = [
    "Ending",
    "Judgement",
    "Quoted",
    "ReadError",
    "RunningQuantity",
    "UnreadQuantity",
    "Verdict",
    "Word",
    "all_digits",
    "amount_text",
    "answer_text",
    "decimal_text",
    "digits_text",
    "grouped",
    "in_readable_unit",
    "judge",
    "miscomputed",
    "misquoted",
    "part_of",
    "quantity_at",
    "read",
    "read_printed",
    "readable",
    "rewrite",
    "rounded_text",
    "short_text",
    "unit_behind",
    "with_unit",
    "without_count",
]
