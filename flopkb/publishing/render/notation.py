"""How names of the base are written in mathematics: by the document's notation, else by their own spelling."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from flopkb.arithmetic.formula import Name
from flopkb.base.link import FormulaRef, KnowledgeBase, SymbolAtom, ValueAtom
from flopkb.base.link.targets import Target

_LETTERS = (
    "alpha beta gamma delta epsilon zeta eta theta iota kappa mu nu xi pi rho sigma tau upsilon phi chi psi omega"
)
GREEK = frozenset(_LETTERS.split())
_WORD = re.compile(r"[A-Za-z]+|[0-9]+")


@dataclass(frozen=True, slots=True)
class Notation:
    """``given``: record -> name -> TeX, as the header of a document states it."""

    kb: KnowledgeBase
    given: Mapping[str, Mapping[str, str]]

    def target(self, target: Target) -> str:
        """The TeX of a symbol, a formula or a recorded value."""
        if isinstance(target, SymbolAtom):
            return self.of(target.record, target.name)
        if isinstance(target, FormulaRef):
            return self.formula(target)
        assert isinstance(target, ValueAtom)
        return self.of(target.holder, target.path)

    def formula(self, ref: FormulaRef) -> str:
        """The TeX of a formula's name: the name that prose writes for it, if its record gives one."""
        told = self.given.get(ref.record, {}).get(ref.name)
        if told is not None:
            return told
        formula = self.kb.formulas[ref].formula
        return spelled(formula.written[0].text if formula.written else ref.name)

    def of(self, record: str, name: str) -> str:
        """The TeX of a name of a record."""
        return self.given.get(record, {}).get(name) or spelled(name)

    def name(self, name: Name, target: Target | None) -> str:
        """The TeX of a name in an expression."""
        return self.target(target) if target is not None else spelled(str(name))


def spelled(name: str) -> str:
    """``n_kv`` as n with a subscript, ``flops`` and ``weight_bytes`` as words, ``mu`` as a letter."""
    head, *rest = name.split("_")
    if head in GREEK and not rest:
        return "\\" + head
    if len(head) == 1 or (head in GREEK and rest):
        base = head if len(head) == 1 else "\\" + head
        if not rest:
            return base
        below = r",\,".join(part if len(part) == 1 else rf"\mathrm{{{part}}}" for part in rest)
        return f"{base}_{{{below}}}"
    if head.isupper() and rest and len(rest) == 1:
        return rf"\mathrm{{{head}}}_{{\mathrm{{{rest[0]}}}}}"
    return rf"\mathrm{{{head}}}" if not rest else r"\text{" + " ".join([head, *rest]) + "}"


def is_letter(tex: str) -> bool:
    """Whether products of this may be written without a dot."""
    return len(tex) == 1 or (tex.startswith("\\") and tex[1:] in GREEK)
