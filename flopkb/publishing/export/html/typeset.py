"""Equations of prose between names of formulas, as mathematics: set as the formulas of the page are."""

from __future__ import annotations

import re

from flopkb.arithmetic.formula import FormulaError, Name, parse
from flopkb.base.link import FormulaRef, KnowledgeBase
from flopkb.base.model import Record
from flopkb.publishing.pages.elements import Html, between, joined
from flopkb.publishing.pages.mathematics import Notation, math, relation, spelled, tex

_RELATIONS = re.compile(r"\s*(<=|>=|!=|==|=|<|>)\s*")


def typeset(text: str, record: Record, kb: KnowledgeBase) -> Html | None:
    """``ai = n_q / n_kv`` as mathematics that breaks before its signs; None for what is no such equation and stays code."""
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
        texts = [tex(parse(side), name, inline=True) for side in sides[::2]]
    except (FormulaError, KeyError):
        return None
    signs = ["", *(f"{relation('==' if sign == '=' else sign)} " for sign in sides[1::2])]
    made = [math(f"{sign}{text}") for sign, text in zip(signs, texts, strict=True)]
    return joined(*between(" ", made)) if all(part is not None for part in made) else None
