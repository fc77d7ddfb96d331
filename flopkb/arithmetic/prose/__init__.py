"""Markdown prose: the links to figures in it, its bare numbers, its equations, and where each of them stands."""

from flopkb.arithmetic.prose.mapped import Mapped
from flopkb.arithmetic.prose.parts import (
    BareKind,
    BareNumber,
    Comment,
    Equation,
    EquationKind,
    Link,
    Passage,
    Placeholder,
    TableDirective,
)
from flopkb.arithmetic.prose.pieces import Citation
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
    "Passage",
    "Placeholder",
    "ProseReading",
    "TableDirective",
    "Target",
    "TargetError",
    "parse_target",
    "read_plain",
    "read_prose",
]
