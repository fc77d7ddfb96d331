"""Markdown prose: the links to figures in it, its bare numbers, its equations, and where each of them stands.

Markdown is read by markdown-it-py, here and nowhere else: ``markdown`` has its parser with our rules for citations, prices
and displayed mathematics, ``layout`` and ``inlines`` add the places that its tokens lack, by noting where its rules match.
Checks, documents and the site read the same tokens. It takes 1.9 times as long as the library alone, and `flopkb check`
7 % longer than with a parser of our own (1,060 lines) that it replaced; half of that is the import, which is why it is
imported where a text is read. ``reading`` makes of it what checks ask for.
Targets of links are what a question needs; the rest is imported with the first text that is read.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from flopkb.arithmetic.prose.targets import LITERAL_REASONS, SCHEMES, Input, Target, TargetError, parse_target

MARKDOWN = (".md", ".markdown", ".mdx", ".qmd", ".rmd")
"""How the names of Markdown documents end, in small letters."""

if TYPE_CHECKING:
    from flopkb.arithmetic.prose.literals import misnamed, unmarked
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

__all__ = [
    "LITERAL_REASONS",
    "MARKDOWN",
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
    "misnamed",
    "parse_target",
    "read_plain",
    "read_prose",
    "unmarked",
]


if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        if name not in __all__:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from flopkb.arithmetic.prose import literals, parts, plain, reading

        return next(found for part in (parts, reading, literals, plain) if (found := vars(part).get(name)))
