"""A number as a person writes it: reading it, judging it against an exact value, and writing another in its form."""

from flopkb.quoted.judging import Closeness, Judgement, Verdict, closeness, decimal_text, judge
from flopkb.quoted.numeral import Numeral, NumeralError, read_numeral
from flopkb.quoted.reading import SUFFIXES, Ending, Quoted, ReadError, Word, read
from flopkb.quoted.writing import rewrite, rounded_text

__all__ = [
    "SUFFIXES",
    "Closeness",
    "Ending",
    "Judgement",
    "Numeral",
    "NumeralError",
    "Quoted",
    "ReadError",
    "Verdict",
    "Word",
    "closeness",
    "decimal_text",
    "judge",
    "read",
    "read_numeral",
    "rewrite",
    "rounded_text",
]
