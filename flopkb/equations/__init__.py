"""Equations in prose: those tied to figures, derivations of formulas, and those that stand alone, recomputed."""

from __future__ import annotations

from collections.abc import Iterator

from flopkb.equations.findings import DERIVATION, INPUT, MISMATCH, UNREADABLE, UNTIED, EquationFault
from flopkb.equations.lone import lone_faults
from flopkb.equations.tied import tied_faults
from flopkb.evaluate import Evaluation
from flopkb.model import Subject

__all__ = ["DERIVATION", "INPUT", "MISMATCH", "UNREADABLE", "UNTIED", "EquationFault", "equation_faults"]


def equation_faults(subject: Subject, base: Evaluation) -> tuple[EquationFault, ...]:
    """What is wrong with the equations of a record or document (found once, for all rules that tell of it)."""
    key = ("equations", subject.id)
    known = base.shared.get(key)
    if known is None:
        known = base.shared[key] = tuple(_faults(subject, base))
    assert isinstance(known, tuple)
    return known


def _faults(subject: Subject, base: Evaluation) -> Iterator[EquationFault]:
    results = iter(base.quotes.get(subject.id, ()))
    for passage in base.passages(subject.id):
        for result in (next(results) for _ in passage.quotes):
            if result.quote.is_math and result.quote.link.scheme in ("fig", "in", "fact") and result.fault is None:
                yield from tied_faults(result, passage, base)
        yield from lone_faults(passage, subject, base)
