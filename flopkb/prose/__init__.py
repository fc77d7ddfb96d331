"""Markdown prose: the links to figures in it, its bare numbers, its equations, and where each of them stands."""

from flopkb.prose.inline import Citation
from flopkb.prose.mapped import Mapped
from flopkb.prose.parts import (
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
from flopkb.prose.reading import ProseReading, read_plain, read_prose
from flopkb.prose.targets import LITERAL_REASONS, SCHEMES, Input, Target, TargetError, parse_target

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
