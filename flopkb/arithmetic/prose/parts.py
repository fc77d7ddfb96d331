"""What is found in prose: links, numbers, equations, tables, placeholders (frozen; offsets are into the source)."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

from flopkb.arithmetic.prose.mapped import Mapped
from flopkb.arithmetic.prose.targets import Target, TargetError


@dataclass(frozen=True, slots=True)
class Link:
    """``[text](scheme:target)`` with one of flopkb's schemes.

    ``text`` is what a reader sees; in the source it spans ``text_start:text_end`` (within backticks, dollars and
    emphasis), and stands there character for character unless it holds escapes or line breaks. ``start:end`` is the
    whole link. ``target`` is raw; where it is an error, ``parsed`` says why. ``code`` and ``math`` say that the whole
    text is a code span or mathematics. ``plain_start:plain_end`` is the text's place in the plain rendering.
    """

    text: str
    text_start: int
    text_end: int
    start: int
    end: int
    scheme: str
    target: str
    target_start: int
    parsed: Target | TargetError
    code: bool = False
    math: bool = False
    plain_start: int = 0
    plain_end: int = 0


class BareKind(Enum):
    """How a quantity is written that nothing stands behind."""

    NUMBER = "number"
    WORD = "word"


@dataclass(frozen=True, slots=True)
class BareNumber:
    """A number (with sign, currency, suffix; a range is one) or a multiplying word outside links and equations."""

    text: str
    start: int
    end: int
    kind: BareKind
    plain_start: int = field(default=0, compare=False)
    plain_end: int = field(default=0, compare=False)


class EquationKind(Enum):
    """Where an equation stands."""

    CODE = "code"
    MATH = "math"
    DISPLAY = "display"
    FENCE = "fence"


@dataclass(frozen=True, slots=True)
class Equation:
    """A code span, ``$...$``, ``$$...$$`` or a line of a code block that holds an equals sign (or ``≈``).

    ``text`` stands at ``start`` character for character (marks of block quotes are spaces). Whether it is an equation
    that can be judged is for the reader of equations to say. ``info`` is the info string of the code block.
    ``plain_end`` is where the plain rendering goes on behind it (-1 for code blocks, which are not in it).
    """

    text: str
    start: int
    end: int
    kind: EquationKind
    info: str = ""
    plain_start: int = -1
    plain_end: int = -1


@dataclass(frozen=True, slots=True)
class TableDirective:
    """A block fenced as ``flopkb-table``: ``body`` is its YAML, each offset of which maps to the source."""

    body: Mapped
    start: int
    end: int
    info: str = ""


@dataclass(frozen=True, slots=True)
class Placeholder:
    """A text that was meant to be replaced."""

    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Comment:
    """An HTML comment, marks included."""

    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Passage:
    """A place that an effect names.

    ``start:end`` is what the effect's words cover in the plain text (for a beginning with ``…``: up to the end of its
    sentence), ``source_start:source_end`` the same in the source. ``links`` lie in the sentences that a whole effect
    touches, or between the beginning and the end of its sentence.
    """

    start: int
    end: int
    source_start: int
    source_end: int
    links: tuple[Link, ...]
