"""The ways in which ``min``, ``max``, ``ceil`` and ``floor`` come out: forms without them, and what is then known."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from flopkb.arithmetic.formula import Opaque, Rational, TooLargeError, apply
from flopkb.base.claims.bounds import Bounds

MAX_BRANCHES = 16


@dataclass(frozen=True, slots=True)
class Short:
    """How much less than 1 a ``floor`` takes off or a ``ceil`` adds: above 0, at most 1."""

    opaque: Opaque

    def __str__(self) -> str:
        return f"short of one in {self.opaque}"


@dataclass(frozen=True, slots=True)
class Branch:
    """One way in which the ``min`` and ``max`` of some forms come out: the forms without them, what is then known."""

    forms: tuple[Rational, ...]
    leads: tuple[Rational, ...] = ()
    """What is not negative in this branch: by how much the winners lead."""
    bounds: Mapping[Hashable, Bounds] = field(default_factory=dict)


def branches(forms: tuple[Rational, ...]) -> Iterator[Branch]:
    """Every way in which the ``min`` and ``max`` come out; together they cover everything."""
    queue, made = [Branch(forms)], 0
    while queue:
        branch = queue.pop()
        opaque = innermost(branch.forms)
        if opaque is None:
            yield branch
            continue
        made += 1
        if made > MAX_BRANCHES:
            raise TooLargeError(f"more than {MAX_BRANCHES} cases of min and max")
        queue.extend(split(branch, opaque))


def split(branch: Branch, opaque: Opaque) -> Iterator[Branch]:
    """The branch once for each argument that may win."""
    if opaque.func in ("ceil", "floor"):
        short = Short(opaque)
        off = 1 - Rational.atom(short)
        value = opaque.args[0] + off if opaque.func == "ceil" else opaque.args[0] - off
        bounds = {**branch.bounds, short: Bounds(Fraction(0), Fraction(1), positive=True)}
        yield put_in(branch, opaque, value, (), bounds)
        return
    for winner in opaque.args:
        others = [other for other in opaque.args if other != winner]
        leads = tuple(other - winner if opaque.func == "min" else winner - other for other in others)
        yield put_in(branch, opaque, winner, leads, branch.bounds)


def put_in(
    branch: Branch, opaque: Opaque, value: Rational, leads: tuple[Rational, ...], bounds: Mapping[Hashable, Bounds]
) -> Branch:
    """The branch with ``value`` for an opaque, also in what is known."""
    forms, known = (tuple(without(form, opaque, value) for form in group) for group in (branch.forms, branch.leads))
    return Branch(forms, (*known, *leads), bounds)


def innermost(forms: tuple[Rational, ...]) -> Opaque | None:
    """A ``min``, ``max``, ``ceil`` or ``floor`` whose arguments hold none, the first by its text."""
    queue = [opaque for form in forms for opaque in form.opaques()]
    plain = set()
    while queue:
        opaque = queue.pop()
        inside = [o for arg in opaque.args for o in arg.opaques()]
        queue.extend(inside)
        if not inside:
            plain.add(opaque)
    return min(plain, key=str, default=None)


def without(form: Rational, opaque: Opaque, value: Rational) -> Rational:
    """The form with ``value`` for ``opaque``, also inside others."""
    replaced: dict[Hashable, Rational] = {}
    for own in form.opaques():
        if own == opaque:
            replaced[own] = value
        elif opaque in inner(own):
            replaced[own] = apply(own.func, tuple(without(arg, opaque, value) for arg in own.args))
    return form.substitute(replaced) if replaced else form


def inner(opaque: Opaque) -> frozenset[Opaque]:
    """Every ``min``, ``max``, ``ceil`` and ``floor`` inside another."""
    own = frozenset(o for arg in opaque.args for o in arg.opaques())
    return own.union(*(inner(o) for o in own))
