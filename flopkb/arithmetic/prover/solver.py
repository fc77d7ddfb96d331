"""Questions to z3, where it is installed (the optional extra ``solver``): the only module that imports it.

What it may spend is bounded by its own count of resources, never by time, so that an answer is the same everywhere.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from importlib.util import find_spec
from typing import Any

from flopkb.arithmetic.formula import Opaque, Polynomial, Rational, compares
from flopkb.arithmetic.prover.space import FreeSymbol, Point, Space

RESOURCES, THOROUGH_RESOURCES = 100_000, 2_000_000
MAX_TERMS = 120
"""Larger questions are not asked: what they take is not what their count of resources says."""


def available() -> bool:
    """Whether z3 can be imported: it is tried, since an installation may be broken."""
    return find_spec("z3") is not None and _imports()


@cache
def _imports() -> bool:
    try:
        import z3  # type: ignore[import-untyped, unused-ignore] # noqa: F401
    except Exception:  # what a broken installation raises is its own affair
        return False
    return True


@dataclass(frozen=True, slots=True)
class Impossible:
    """No point of the space, nor of the region around its grid, satisfies what was asked."""


@dataclass(frozen=True, slots=True)
class Witness:
    """A point that is said to satisfy it; the caller evaluates it exactly before it counts."""

    point: Point


Answer = Impossible | Witness | None


def solve(space: Space, op: str, form: Rational, resources: int) -> Answer:
    """A point of ``space`` with ``form op 0``, the news that there is none, or None where z3 does not know."""
    forms = (form, *(condition.form for condition in space.conditions))
    if sum(len(part.terms) for each in forms for part in (each.numerator, each.denominator)) > MAX_TERMS:
        return None
    relaxed = _Question(space, resources, whole=False).ask(op, form)
    if isinstance(relaxed, Impossible):
        return relaxed
    if isinstance(relaxed, Witness) and space.admits(relaxed.point):
        return relaxed
    return _Question(space, resources, whole=True).ask(op, form)


class _Question:
    """One translation of a space into z3's terms, over whole numbers where symbols are, or over all reals."""

    def __init__(self, space: Space, resources: int, *, whole: bool) -> None:
        import z3  # type: ignore[import-untyped, unused-ignore]

        self.z3: Any = z3
        self.space = space
        self.whole = whole
        self.solver: Any = z3.Solver()
        self.solver.set("rlimit", resources)
        self.solver.set("random_seed", 0)
        self.atoms: dict[Hashable, Any] = {}
        self.opaques: dict[Opaque, Any] = {}
        self.quotients = 0
        for symbol in space.symbols:
            self.atoms[symbol.atom] = self._symbol(symbol)
        for condition in space.conditions:
            self.solver.add(self.sign(condition.op, condition.form))

    def ask(self, op: str, form: Rational) -> Answer:
        """Whether ``form op 0`` can be."""
        self.solver.add(self.sign(op, form))
        verdict = self.solver.check()
        if verdict == self.z3.unsat:
            return Impossible()
        if verdict != self.z3.sat:
            return None
        model = self.solver.model()
        return Witness({symbol.atom: self._value(model, self.atoms[symbol.atom]) for symbol in self.space.symbols})

    def _symbol(self, symbol: FreeSymbol) -> Any:
        """A symbol: on a grid it is a whole number of steps, or of its parent."""
        z3, domain, name = self.z3, symbol.domain, f"x{len(self.atoms)}"
        value: Any = z3.Real(name)
        if self.whole and symbol.parents and not symbol.parents[0].opaques():
            over, under = (
                self.polynomial(part) for part in (symbol.parents[0].numerator, symbol.parents[0].denominator)
            )
            value = z3.ToReal(z3.Int(name)) * over / under
        elif self.whole and domain.step is not None:
            value = z3.ToReal(z3.Int(name)) * self.number(domain.step)
        self.solver.add(value >= self.number(domain.low), value <= self.number(domain.high))
        if domain.values:
            self.solver.add(z3.Or(*(value == self.number(v) for v in domain.values)))
        return value

    def number(self, value: Fraction | int) -> Any:
        """An exact number."""
        return self.z3.Q(value.numerator, value.denominator)

    def polynomial(self, polynomial: Polynomial) -> Any:
        """A polynomial over the symbols."""
        total: Any = self.number(0)
        for monomial, coefficient in polynomial.terms.items():
            product: Any = self.number(coefficient)
            for atom, power in monomial:
                for _ in range(power):
                    product = product * self.unknown(atom)
            total = total + product
        return total

    def unknown(self, atom: Hashable) -> Any:
        """A symbol, or a ``min``, ``max``, ``ceil``, ``floor`` or ``**``."""
        if not isinstance(atom, Opaque):
            return self.atoms[atom]
        if atom not in self.opaques:
            self.opaques[atom] = self._opaque(atom)
        return self.opaques[atom]

    def _opaque(self, opaque: Opaque) -> Any:
        z3 = self.z3
        args = [self.quotient(arg) for arg in opaque.args]
        if opaque.func == "**":
            return z3.Real(f"power{len(self.opaques)}")  # any number: what is proved of all holds of the right one
        if opaque.func == "floor":
            return z3.ToReal(z3.ToInt(args[0]))
        if opaque.func == "ceil":
            return -z3.ToReal(z3.ToInt(-args[0]))
        best = args[0]
        for arg in args[1:]:
            best = z3.If(arg < best if opaque.func == "min" else arg > best, arg, best)
        return best

    def quotient(self, form: Rational) -> Any:
        """The value of a form, as an unknown that its denominator turns into its numerator."""
        if not form.denominator.atoms():
            return self.polynomial(form.numerator) / self.polynomial(form.denominator)
        self.quotients += 1
        value = self.z3.Real(f"q{self.quotients}")
        under = self.polynomial(form.denominator)
        self.solver.add(under != 0, value * under == self.polynomial(form.numerator))
        return value

    def sign(self, op: str, form: Rational) -> Any:
        """``form op 0`` with its denominator cleared."""
        over = self.polynomial(form.numerator)
        if form.denominator.atoms():
            under = self.polynomial(form.denominator)
            self.solver.add(under != 0)
            over = over if op in ("==", "!=") else over * under
        return compares(op, over, self.number(0))  # z3 overloads the comparisons: a term, not a truth

    def _value(self, model: Any, term: Any) -> Fraction:
        value = model.eval(term, model_completion=True)
        if not self.z3.is_rational_value(value):
            value = value.approx(30)
        return Fraction(value.numerator_as_long(), value.denominator_as_long())
