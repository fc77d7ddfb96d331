"""What figures ask, as the page asks it: a formula with its inputs, for each choice of the listed ones."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from flopkb.base.document import Scalar
from flopkb.base.evaluate import Evaluation, Value
from flopkb.base.evaluate.asked import is_amount
from flopkb.base.evaluate.facts import amount_in_base
from flopkb.base.evaluate.values import choices
from flopkb.base.link.expressions import link_expr, words_of
from flopkb.base.link.targets import FormulaRef, LinkedExpr, SymbolAtom
from flopkb.publishing.export.html.program import Json, Tree, str_of, tree


@dataclass(frozen=True, slots=True)
class Question:
    """A formula with its inputs; ``over`` are those that it is divided at, ``picked`` stands for what cancels."""

    formula: str
    given: Mapping[str, Tree]
    over: Mapping[str, Tree] | None = None
    picked: Mapping[str, str] = field(default_factory=dict)

    @property
    def data(self) -> dict[str, Json]:
        """As JSON."""
        return {"formula": self.formula, "given": self.given, "over": self.over, "picked": self.picked}


def questions(value: Value, base: Evaluation) -> Iterator[Question]:
    """What a figure asks, in the order of its values."""
    asked = value.computation
    for (bound, over), case in zip(choices(asked), value.cases, strict=True):
        picked = {
            str_of(atom) if isinstance(atom, SymbolAtom) else str(atom.plain): str(number)
            for atom, number in case.upper.picked.items()
        }
        lower = given({**bound, **over}, asked.formula, base) if asked.over else None
        yield Question(str(asked.formula), given(bound, asked.formula, base), lower, picked)


def given(bound: Mapping[str, Scalar], ref: FormulaRef, base: Evaluation) -> dict[str, Tree]:
    """Inputs as the page takes them: ids and words, amounts in base units, expressions as trees."""
    scope, made = base.kb.scope, dict[str, Tree]()
    for name, text in bound.items():
        atom = scope.symbol(name, ref.record)
        if atom is None or words_of(atom, scope) is not None:
            made[name] = text.text
        elif is_amount(text):
            made[name] = str(amount_in_base(text, scope.records[atom.record].symbols[name].unit_text, "", name))
        else:
            linked = link_expr(text, scope.records[ref.record], scope)
            assert isinstance(linked, LinkedExpr)
            made[name] = tree(linked)
    return made
