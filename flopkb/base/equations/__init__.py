"""Equations in prose: those tied to figures, derivations of formulas, and those that stand alone, recomputed."""

from __future__ import annotations

import re
from collections.abc import Iterator

from flopkb.base.equations.findings import DERIVATION, INPUT, MISMATCH, UNREADABLE, UNTIED, EquationFault
from flopkb.base.equations.passages import lone_faults, tied_faults
from flopkb.base.evaluate import Evaluation
from flopkb.base.model import Subject

_SAYS = re.compile(r"[0-9=≈*/+×·]|\\(?:approx|frac|cdot|times)|(?<=\s)[-−](?=\s)")

__all__ = [
    "DERIVATION",
    "INPUT",
    "MISMATCH",
    "UNREADABLE",
    "UNTIED",
    "EquationFault",
    "equation_faults",
    "says_something",
]


def equation_faults(subject: Subject, base: Evaluation) -> tuple[EquationFault, ...]:
    """What is wrong with the equations of a record or document (found once, for all rules that tell of it)."""
    key = ("equations", subject.id)
    known = base.shared.get(key)
    if known is None:
        known = base.shared[key] = tuple(_faults(subject, base))
    assert isinstance(known, tuple)
    return known


def says_something(text: str) -> bool:
    """Whether code or mathematics holds an equation, a number or an expression, not a lone name."""
    return _SAYS.search(text) is not None


def _faults(subject: Subject, base: Evaluation) -> Iterator[EquationFault]:
    results = iter(base.quotes.get(subject.id, ()))
    for passage in base.passages(subject.id):
        for result in (next(results) for _ in passage.quotes):
            quote = result.quote
            if (
                quote.is_math
                and quote.link.scheme in ("fig", "in", "fact")
                and result.fault is None
                and says_something(quote.link.text)
            ):
                yield from tied_faults(result, passage, base)
        yield from lone_faults(passage, subject, base)
