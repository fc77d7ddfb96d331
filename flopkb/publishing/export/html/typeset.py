"""Equations of prose between names of formulas, as mathematics: set as the formulas of the page are."""

from __future__ import annotations

import re

from flopkb.arithmetic.formula import FormulaError, Name, parse
from flopkb.base.link import FormulaRef, KnowledgeBase
from flopkb.base.model import Record
from flopkb.publishing.pages.elements import Html
from flopkb.publishing.pages.mathematics import Notation, math, relation, spelled, tex

_RELATIONS = re.compile(r"\s*(<=|>=|!=|==|=|<|>)\s*")


def typeset(text: str, record: Record, kb: KnowledgeBase) -> Html | None:
    """``ai = n_q / n_kv`` as mathematics; None for what is no such equation, which stays as it is written."""
    sides = _RELATIONS.split(text.strip().strip("`"))
    if len(sides) < 3:
        return None
    notation = Notation(kb, {})

    def name(of: Name) -> str:
        own = str(of)
        if kb.scope.symbol(own, record.id) is not None:
            return notation.of(record.id, own)
        ref = FormulaRef(record.id, own)
        return notation.formula(ref) if ref in kb.formulas else spelled(own.rpartition(".")[2])

    try:
        made = [
            relation("==" if n % 2 and side == "=" else side) if n % 2 else tex(parse(side), name, inline=True)
            for n, side in enumerate(sides)
        ]
    except (FormulaError, KeyError):
        return None
    return math(" ".join(made))
