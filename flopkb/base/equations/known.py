"""What the names of an equation stand for: the symbols and formulas of the record that its formula belongs to."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

from flopkb.arithmetic.diagnostics import Location
from flopkb.arithmetic.formula import Name, Rational, normal_form
from flopkb.base.equations.sides import Side
from flopkb.base.evaluate import Evaluation
from flopkb.base.evaluate.environment import BoundNumber, Environment, Stopped
from flopkb.base.evaluate.facts import FactAtom, fact_value
from flopkb.base.faults import Fault
from flopkb.base.link import Computation, FormulaRef, SymbolAtom
from flopkb.base.link.names import resolve
from flopkb.base.link.targets import Target
from flopkb.base.model import Record


class UnknownHere(ValueError):
    """A name that the record does not know."""

    def __init__(self, name: Name) -> None:
        super().__init__(str(name))
        self.name = name


@dataclass(frozen=True, slots=True)
class Names:
    """The names that equations of a record may use: its symbols, its formulas, and how formulas are written."""

    record: Record
    written: dict[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, record: Record) -> Names:
        """The names of a record."""
        spelled = {text.text.replace(" ", ""): f.name for f in record.formulas.values() for text in f.written}
        return cls(record, {plain(name): formula for name, formula in spelled.items()})

    @property
    def known(self) -> frozenset[str]:
        """Every bare name."""
        return frozenset({*self.record.symbols, *self.record.formulas, *self.written})

    def formula(self, name: str) -> str | None:
        """The formula that a bare name stands for, if it does."""
        return name if name in self.record.formulas else self.written.get(name)

    def target(self, name: Name, base: Evaluation) -> Target:
        """What a name stands for; raises :class:`UnknownHere`."""
        if len(name.parts) == 1 and name.parts[0] not in self.record.symbols:
            formula = self.formula(name.parts[0])
            if formula is not None:
                return FormulaRef(self.record.id, formula)
        found = resolve(name, self.record, base.kb.scope, Location("", 1, 1))
        if isinstance(found, Fault):
            raise UnknownHere(name)
        return found


def plain(name: str) -> str:
    """A written name without the marks of LaTeX: ``M_{KV}`` is M_KV."""
    return "".join(c for c in name.replace("\\mathrm", "").replace("\\text", "") if c.isalnum() or c == "_")


def form_of(side: Side, names: Names, base: Evaluation, *, free: int | None = None) -> Rational:
    """The normal form of a side over symbols and recorded values; its numbers are exact, in base units.

    The number ``free`` is left open, as an atom of its name. Raises :class:`UnknownHere`,
    :class:`~flopkb.base.evaluate.environment.Stopped` and the errors of formulas.
    """
    assert side.expr is not None

    def value(name: Name) -> Rational:
        if not name.parts[0].startswith("#"):
            return base.evaluator.forms.target(names.target(name, base))
        index = int(name.parts[0][1:])
        return Rational.atom(name.parts[0]) if index == free else Rational.of(amount(side, index))

    return normal_form(side.expr, value)


def amount(side: Side, index: int) -> Fraction:
    """The value of a number of a side in base units."""
    reading = side.numbers[index].reading
    return reading.value * reading.unit.scale if reading.unit is not None else reading.value


def put(form: Rational, env: Environment, base: Evaluation) -> Rational:
    """The form with everything put in that is bound: numbers, expressions, recorded values; raises Stopped."""
    found = base.evaluator.forms.put(form, env)
    values: dict[object, Fraction] = {}
    for atom in found.atoms():
        value = _number(atom, env, base)
        if value is not None:
            values[atom] = value
    return found.substitute(values) if values else found


def _number(atom: object, env: Environment, base: Evaluation) -> Fraction | None:
    if isinstance(atom, FactAtom):
        record = base.kb.records[atom.record]
        value = fact_value(record.facts[atom.path], record)
        if isinstance(value, Fault):
            raise Stopped(value)
        return value
    if isinstance(atom, SymbolAtom):
        standing = env.standing(atom)
        return standing.value if isinstance(standing, BoundNumber) else None
    return None


def environments(computation: Computation, base: Evaluation) -> list[Environment]:
    """One environment for each choice of the listed inputs."""
    from flopkb.base.evaluate.values import choices

    return [
        Environment(base.kb, computation.formula, computation.record, computation.location, bound)
        for bound, _ in choices(computation)
    ]
