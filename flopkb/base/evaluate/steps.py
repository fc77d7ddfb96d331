"""The formulas on the way to a value, each with what it comes to."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction

from flopkb.arithmetic.formula import Rational
from flopkb.arithmetic.units import Unit
from flopkb.base.evaluate.environment import Computed, Taken
from flopkb.base.evaluate.facts import FactAtom
from flopkb.base.evaluate.forms import Forms
from flopkb.base.evaluate.values import Case
from flopkb.base.link.targets import FormulaRef, SymbolAtom
from flopkb.base.model import Formula


@dataclass(frozen=True, slots=True)
class Step:
    """A formula on the way: its form in the variables that are left open, a constant where there are none."""

    ref: FormulaRef
    formula: Formula = field(repr=False)
    form: Rational
    unit: Unit

    @property
    def value(self) -> Fraction | None:
        """The value in base units; None where variables that cancel further on are left."""
        return self.form.constant()


def steps(case: Case, forms: Forms) -> Iterator[Step]:
    """Every formula on the way, innermost first; with ``over`` those of the upper side, then those of the lower."""
    for side in case.sides:
        for ref in side.formulas:
            yield Step(ref, forms.kb.formulas[ref].formula, reduced(ref, side, forms), side.unit(ref))


def reduced(ref: FormulaRef, side: Computed, forms: Forms) -> Rational:
    """A formula with the values of one side put in."""
    form = forms.put(forms.formula(ref), side.env)
    known: dict[object, Rational] = {}
    for atom in form.atoms():
        if isinstance(atom, FactAtom):
            known[atom] = Rational.of(value_taken(atom, side))
        elif isinstance(atom, SymbolAtom) and atom not in side.picked:
            known[atom] = Rational.of(side.target(atom))
    return form.substitute(known)


def value_taken(atom: FactAtom, side: Computed) -> Fraction:
    """The value of a recorded value that the side has read."""
    for target, value in side.targets.items():
        standing = side.env.standing(target)
        if isinstance(standing, Taken) and standing.atom == atom:
            return value
    raise LookupError(str(atom))
