"""A number as a person writes it: reading it, judging it against an exact value, and writing another in its form.

Writing is what every answer needs; the rest is imported where a text is read, so that a question starts fast.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from flopkb.arithmetic.numbers.writing import (
    all_digits,
    amount_text,
    answer_text,
    column_texts,
    decimal_text,
    digits_text,
    exact_or_near,
    exact_text,
    grouped,
    in_readable_unit,
    integer_text,
    readable,
    rounded_text,
    short_text,
    unit_behind,
    with_unit,
)

if TYPE_CHECKING:
    from flopkb.arithmetic.numbers.judging import (
        Judgement,
        Verdict,
        judge,
        miscomputed,
        misquoted,
        rewrite,
    )
    from flopkb.arithmetic.numbers.printed import read_printed
    from flopkb.arithmetic.numbers.quantities import (
        RunningQuantity,
        UnreadQuantity,
        part_of,
        quantity_at,
        without_count,
    )
    from flopkb.arithmetic.numbers.reading import Ending, Quoted, ReadError, Word, read

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
    "column_texts",
    "decimal_text",
    "digits_text",
    "exact_or_near",
    "exact_text",
    "grouped",
    "in_readable_unit",
    "integer_text",
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


if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        if name not in __all__:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from flopkb.arithmetic.numbers import judging, printed, quantities, reading

        return next(found for part in (judging, printed, quantities, reading) if (found := vars(part).get(name)))
