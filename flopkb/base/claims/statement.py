"""One comparison over a space: what every claim comes down to, and whether it holds at a point."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass, replace
from fractions import Fraction

from flopkb.arithmetic.formula import Rational, compares
from flopkb.base.claims.reading import Condition, Divisor, Term
from flopkb.base.claims.space import Axis, Point, Space, check_divisors
from flopkb.base.document import Scalar

WANTED = {
    "==": "equal to",
    "!=": "different from",
    "<=": "at most",
    ">=": "at least",
    "<": "less than",
    ">": "more than",
}
"""What the left side of a comparison is said to be of the right one."""


@dataclass(frozen=True, slots=True)
class Primed:
    """A second value of a symbol, for claims that compare two points."""

    atom: Hashable

    def __str__(self) -> str:
        return f"{self.atom}'"


@dataclass(frozen=True, slots=True)
class Statement:
    """``left op right`` everywhere in ``space``; with ``varied`` the sides are at two values of that symbol."""

    op: str
    left: Term
    right: Term
    space: Space
    varied: Hashable | None = None
    power: int | None = None
    """With ``varied``: the sides are equal where the value goes with this power of the symbol."""

    @property
    def difference(self) -> Rational:
        """The left side less the right."""
        return self.left.form - self.right.form

    @property
    def divisors(self) -> tuple[Divisor, ...]:
        """What the sides and the conditions divide by."""
        sides = (*self.left.divisors, *self.right.divisors)
        return tuple(dict.fromkeys((*sides, *(d for c in self.space.conditions for d in c.divisors))))

    def values(self, point: Point) -> tuple[Fraction, Fraction]:
        """Both sides, exactly; :class:`~flopkb.base.claims.space.DividedByZero` where one divides by zero."""
        check_divisors((*self.left.divisors, *self.right.divisors), point)
        return self.left.form.evaluate(point), self.right.form.evaluate(point)

    def holds(self, point: Point) -> bool:
        """Whether it holds at a point of the space."""
        return compares(self.op, *self.values(point))

    def refuted_by(self, point: Point) -> bool:
        """Whether a point is in the space and the statement fails there."""
        return self.space.admits(point) and not self.holds(point)

    def relevant(self) -> Statement:
        """The same over the symbols that it needs."""
        atoms = {a for form in (self.left.form, self.right.form) for a in form.atoms()}
        atoms.update(a for d in (*self.left.divisors, *self.right.divisors) for a in d.form.atoms())
        return replace(self, space=self.space.restricted(atoms))


def moved(form: Rational, atom: Hashable) -> Rational:
    """The form at the second value of a symbol."""
    return form.substitute({atom: Rational.atom(Primed(atom))})


def moved_divisors(divisors: Iterable[Divisor], atom: Hashable) -> tuple[Divisor, ...]:
    """The divisors at the second value."""
    return tuple(Divisor(d.title, d.text, moved(d.form, atom)) for d in divisors)


def paired(space: Space, atom: Hashable, source: Scalar) -> Space:
    """The space of two points that differ in one symbol alone, the second value being the larger."""
    axes: list[Axis] = []
    for axis in space.axes:
        both = dict.fromkeys((*axis.parents, *(moved(parent, atom) for parent in axis.parents)))
        axes.append(replace(axis, parents=axis.parents if axis.atom == atom else tuple(both)))
        if axis.atom == atom:
            axes.append(replace(axis, atom=Primed(atom)))
    order = Condition("<", Rational.atom(atom) - Rational.atom(Primed(atom)), source, (), False)
    again = tuple(
        replace(c, form=moved(c.form, atom), divisors=moved_divisors(c.divisors, atom))
        for c in space.conditions
        if atom in c.form.atoms() or any(atom in d.form.atoms() for d in c.divisors)
    )
    wholes = dict.fromkeys((*space.wholes, *(moved(whole, atom) for whole in space.wholes)))
    return Space(tuple(axes), (*space.conditions, *again, order), tuple(wholes))
