"""Markdown prose: the links to figures in it, its bare numbers, its equations, and where each of them stands."""

from flopkb.arithmetic.prose.parts import (
    BareKind,
    BareNumber,
    Citation,
    Comment,
    Equation,
    EquationKind,
    Link,
    Occurrence,
    Placeholder,
    TableDirective,
)
from flopkb.arithmetic.prose.plain import Mapped
from flopkb.arithmetic.prose.reading import ProseReading, read_plain, read_prose
from flopkb.arithmetic.prose.targets import LITERAL_REASONS, SCHEMES, Input, Target, TargetError, parse_target

__all__ = [
    "LITERAL_REASONS",
    "SCHEMES",
    "BareKind",
    "BareNumber",
    "Citation",
    "Comment",
    "Equation",
    "EquationKind",
    "Input",
    "Link",
    "Mapped",
    "Occurrence",
    "Placeholder",
    "ProseReading",
    "TableDirective",
    "Target",
    "TargetError",
    "parse_target",
    "read_plain",
    "read_prose",
]
