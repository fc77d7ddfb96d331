"""Relations between the sides of an equation of a record: which of them can be decided, and where they stand."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_EQUAL = r":=|==|\\equiv(?![A-Za-z])|≡|="
_ABOUT = r"≈|≃|≅|\\approx(?:eq)?(?![A-Za-z])|\\simeq(?![A-Za-z])|\\cong(?![A-Za-z])"
_ORDERS = {
    "<=": r"<=|≤|⩽|\\l(?:e|eq|eqslant|eqq)(?![A-Za-z])",
    ">=": r">=|≥|⩾|\\g(?:e|eq|eqslant|eqq)(?![A-Za-z])",
    "!=": r"!=|≠|\\neq?(?![A-Za-z])|\\not\s?=",
    "<": r"<|\\lt(?![A-Za-z])|&lt;",
    ">": r">|\\gt(?![A-Za-z])|&gt;",
}
_OTHER = (
    r"<-+>?|-+>|=>|[≪≫≲≳∝→⇒⟶⟹↦∼≺≻⊂∈]"
    r"|\\(?:ll|gg|lesssim|gtrsim|propto|to|sim|in|subset|prec|succ|mapsto|implies|iff|(?:long)?(?:right|left)arrow"
    r"|(?:Long)?(?:Right|Left)arrow)(?![A-Za-z])|\\\\"
)
_KINDS = (
    ("other", _OTHER), ("unequal", _ORDERS["!="]), ("most", _ORDERS["<="]), ("least", _ORDERS[">="]),
    ("about", _ABOUT), ("equal", _EQUAL), ("less", _ORDERS["<"]), ("more", _ORDERS[">"]),
)  # fmt: skip
_SIGNS = {"unequal": "!=", "most": "<=", "least": ">=", "about": "≈", "equal": "=", "less": "<", "more": ">"}
RELATION = re.compile("|".join(f"(?P<{name}>{pattern})" for name, pattern in _KINDS))
_MARK = re.compile(rf"[()\[\]{{}}]|{RELATION.pattern}")
_CONTINUED = re.compile(r"(?:\s|&|\\[,;:! ])*")

_NEXT_ASSIGNMENT = re.compile(r"[\s,;]+(?=[A-Za-z_][\w.]*(?:[<>!=]=?|[≤≥≠≈])[^\s<>=])")
"""A name with a relation on it, and no space around that."""

MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "!=": "!="}
"""The same relation, read from the right."""


@dataclass(frozen=True, slots=True)
class WrittenRelation:
    """A relation as it is written at ``start:end``; ``sign`` is one of ``= ≈ < <= > >= !=``, or empty: no one can decide it."""

    sign: str
    text: str
    start: int
    end: int

    @property
    def equal(self) -> bool:
        """Whether both sides are said to be the same."""
        return self.sign in ("=", "≈")


def assignments(text: str) -> Iterator[tuple[int, str]]:
    """The equations that stand side by side in a line of code, each with its place: ``L=128k B=1`` are two."""
    at = 0
    for found in _NEXT_ASSIGNMENT.finditer(text):
        if RELATION.search(text, at, found.start()):
            yield at, text[at : found.start()]
            at = found.end()
    yield at, text[at:]


def relations(text: str) -> list[WrittenRelation]:
    """The relations outside of brackets; the end of a line of LaTeX is none where the next line goes on with one."""
    found: list[WrittenRelation] = []
    depth, at = 0, 0
    while match := _MARK.search(text, at):
        at = match.end()
        if match[0] in ("(", "[", "{"):
            depth += 1
        elif match[0] in (")", "]", "}"):
            depth = max(0, depth - 1)
        elif depth == 0 and not (match[0] == r"\\" and goes_on(text, at)):
            found.append(WrittenRelation(_SIGNS.get(match.lastgroup or "", ""), match[0], match.start(), at))
    return found


def goes_on(text: str, at: int) -> bool:
    """Whether the next line begins with a relation (or there is none)."""
    skipped = _CONTINUED.match(text, at)
    start = skipped.end() if skipped else at
    return start >= len(text) or RELATION.match(text, start) is not None
