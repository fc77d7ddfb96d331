"""Proofs of inequalities by signs: no sampling, no search beyond a fixed number of steps.

Everything comes down to a polynomial that must not be negative on a region. It is not where every coefficient is
positive and every symbol too. Else each symbol in which it only grows, or only falls, is put at the end where it is
least, and what is known (a condition, or which argument of a min wins) is used by solving it for one symbol with a
slack that is not negative. Symbols are taken to run over their whole interval; what holds there holds on the grid.
Forms with ``min``, ``max``, ``ceil`` or ``floor`` are proved branch by branch: each way in which these come out.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction

from flopkb.arithmetic.formula import Opaque, Polynomial, Rational, TooLargeError, apply
from flopkb.arithmetic.prover import Bounds
from flopkb.arithmetic.prover.space import Derived, Space

MAX_STEPS = 400
MAX_DEPTH = 4
MAX_BRANCHES = 16


class Short(Derived):
    """How much less than 1 a ``floor`` takes off or a ``ceil`` adds: above 0, at most 1."""

    wording = "short of one in {}"


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
        yield put_in(branch, opaque, value, (), {short: Bounds(Fraction(0), Fraction(1), positive=True)})
        return
    if opaque.func == "**":
        raise TooLargeError(f"a sign of {opaque}")
    for winner in opaque.args:
        others = [other for other in opaque.args if other != winner]
        leads = tuple(other - winner if opaque.func == "min" else winner - other for other in others)
        yield put_in(branch, opaque, winner, leads, {})


def put_in(
    branch: Branch, opaque: Opaque, value: Rational, leads: tuple[Rational, ...], bounds: Mapping[Hashable, Bounds]
) -> Branch:
    """The branch with ``value`` for an opaque, also in what is known."""
    forms, known = (tuple(without(form, opaque, value) for form in group) for group in (branch.forms, branch.leads))
    return Branch(forms, (*known, *leads), {**branch.bounds, **bounds})


def innermost(forms: tuple[Rational, ...]) -> Opaque | None:
    """A ``min``, ``max``, ``ceil``, ``floor`` or ``**`` whose arguments hold none, the first by its text."""
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
        elif (args := tuple(without(arg, opaque, value) for arg in own.args)) != own.args:
            replaced[own] = apply(own.func, args)
    return form.substitute(replaced) if replaced else form


class Multiplier(Derived):
    """How many times its parent a symbol is."""

    wording = "{} multiplier"


@dataclass(frozen=True, slots=True)
class Slack:
    """By how much a known inequality holds."""

    number: int

    def __str__(self) -> str:
        return f"slack {self.number}"


@dataclass(frozen=True, slots=True)
class Known:
    """A polynomial of which is known that it is ``op`` zero (``>=``, ``>`` or ``==``)."""

    op: str
    polynomial: Polynomial

    def implies(self, polynomial: Polynomial, strict: bool) -> bool:
        """Whether it says the very same of ``polynomial``."""
        if (strict and self.op != ">") or not polynomial.terms:
            return False
        ratio = polynomial.ratio(self.polynomial) if self.polynomial.terms else None
        return ratio is not None and ratio > 0


class Contradiction(Exception):
    """What is known holds nowhere, so that everything follows from it. Never leaves this module."""


@dataclass(slots=True)
class Region:
    """Bounds of the symbols, and what else is known."""

    bounds: dict[Hashable, Bounds]
    known: tuple[Known, ...] = ()
    steps: list[int] = field(default_factory=lambda: [0])

    def holds(self, op: str, form: Rational) -> bool:
        """Whether ``form op 0`` is proved everywhere on the region."""
        try:
            return self._holds(op, form)
        except TooLargeError:
            return False
        except Contradiction:
            return True

    def _holds(self, op: str, form: Rational) -> bool:
        if op in ("<", "<="):
            return self._holds(">" if op == "<" else ">=", -form)
        if op == "!=":
            return bool(self.sign(form.numerator) and self.sign(form.denominator))
        if op == "==":
            return not form.numerator.terms or (self._holds(">=", form) and self._holds("<=", form))
        sign = self.sign(form.denominator)
        over = form.numerator if sign > 0 else -form.numerator
        return bool(sign) and self.positive(over, strict=op == ">")

    def sign(self, polynomial: Polynomial) -> int:
        """1 or -1 where the polynomial is proved to be above or below zero everywhere, else 0."""
        region = self.tightened()
        for depth in (0, MAX_DEPTH):  # the wrong sign is not looked into before the right one has had a look
            for sign in (1, -1):
                if region._positive(polynomial if sign > 0 else -polynomial, True, depth):
                    return sign
        return 0

    def positive(self, polynomial: Polynomial, *, strict: bool) -> bool:
        """Whether the polynomial is proved not to be negative (with ``strict``: nor zero)."""
        return self.tightened()._positive(polynomial, strict, MAX_DEPTH)

    def _positive(self, polynomial: Polynomial, strict: bool, depth: int) -> bool:
        self.steps[0] += 1 + len(polynomial.terms) // 8
        if self.steps[0] > MAX_STEPS:
            return False
        rest = self.stripped(polynomial, strict)
        if self.by_coefficients(rest, strict):
            return True
        if any(known.implies(rest, strict) for known in self.known):
            return True
        least = self.least(rest)
        if least is not None and self.by_coefficients(least, strict):
            return True
        return depth > 0 and any(region._positive(form, strict, depth - 1) for form, region in self.consequences(rest))

    def stripped(self, polynomial: Polynomial, strict: bool) -> Polynomial:
        """Without the factors that are not negative (with ``strict``: are positive)."""
        shared = {
            atom: power
            for atom, power in polynomial.common().items()
            if (self.of(atom).above_zero if strict else self.of(atom).negative_free or power % 2 == 0)
        }
        return polynomial.divided(1, shared) if shared else polynomial

    def of(self, atom: Hashable) -> Bounds:
        """The bounds of a symbol."""
        return self.bounds.get(atom, Bounds())

    def by_coefficients(self, polynomial: Polynomial, strict: bool) -> bool:
        """Whether every term is positive."""
        above = False
        for monomial, coefficient in polynomial.terms.items():
            if coefficient < 0 or not all(power % 2 == 0 or self.of(atom).negative_free for atom, power in monomial):
                return False
            above = above or all(self.of(atom).above_zero for atom, _ in monomial)
        return above if strict else True

    def least(self, polynomial: Polynomial) -> Polynomial | None:
        """The polynomial with every symbol that moves it one way put at the end where it is least; None for none."""
        moved = False
        for atom in sorted(polynomial.atoms(), key=str):
            slope, bounds = polynomial.partial(atom), self.of(atom)
            if bounds.low is not None and self.by_coefficients(slope, False):
                end = bounds.low
            elif bounds.high is not None and self.by_coefficients(-slope, False):
                end = bounds.high
            else:
                continue
            polynomial, moved = at_value(polynomial, atom, end), True
        if not moved:
            return None
        return self.least(polynomial) or polynomial

    def consequences(self, polynomial: Polynomial) -> Iterator[tuple[Polynomial, Region]]:
        """The polynomial and the region, with something known solved for one of the symbols."""
        for place, known in enumerate(self.known):
            for atom in sorted(known.polynomial.atoms() & polynomial.atoms(), key=str):
                solved = self.solved(known, atom, place)
                if solved is not None:
                    form, sign, region = solved
                    replaced = substituted(polynomial, atom, form, sign)
                    yield replaced, region

    def solved(self, known: Known, atom: Hashable, place: int) -> tuple[Rational, int, Region] | None:
        """What ``atom`` is in terms of the others and a slack, the sign of its denominator, and what is then known."""
        parts = known.polynomial.in_powers_of(atom)
        if set(parts) - {0, 1} or 1 not in parts:
            return None
        slope = parts[1]
        others = tuple(k for i, k in enumerate(self.known) if i != place)
        knowing = replace(self, known=others)
        if not knowing.sign(slope):
            return None
        rest = -parts.get(0, Polynomial({}))
        bounds = {a: b for a, b in self.bounds.items() if a != atom}
        if known.op != "==":
            slack = Slack(1 + max((a.number for a in self.bounds if isinstance(a, Slack)), default=0))
            bounds[slack] = Bounds(Fraction(0), None, known.op == ">")
            rest = rest + Polynomial.atom(slack)
        form = Rational(rest, slope)
        sign = knowing.sign(form.denominator)  # reducing may have turned it
        if not sign:
            return None
        left = [Known(k.op, substituted(k.polynomial, atom, form, sign)) for k in (*others, *self.ends(atom))]
        return form, sign, Region(bounds, tuple(left), self.steps).tightened()

    def ends(self, atom: Hashable) -> Iterator[Known]:
        """The bounds of a symbol as things known."""
        bounds, unknown = self.of(atom), Rational.atom(atom)
        if bounds.low is not None:
            yield Known(">" if bounds.positive and not bounds.low else ">=", (unknown - bounds.low).numerator)
        if bounds.high is not None:
            yield Known(">=", (-unknown + bounds.high).numerator)

    def tightened(self) -> Region:
        """What is known of one symbol alone made a bound of it; raises :class:`Contradiction` where nothing is left."""
        bounds, kept, changed = dict(self.bounds), [], False
        region = Region(bounds, (), self.steps)
        for known in self.known:
            polynomial = region.stripped(known.polynomial, True)
            atoms = polynomial.atoms()
            if not atoms:
                _check(known.op, polynomial.terms.get((), 0))
                changed = True
            elif len(atoms) == 1 and polynomial.degree(atom := next(iter(atoms))) == 1:
                parts = polynomial.in_powers_of(atom)
                slope = parts[1].terms[()]
                end = Fraction(-parts.get(0, Polynomial({})).terms.get((), 0), slope)
                before = bounds.get(atom, Bounds())
                bounds[atom] = _narrowed(before, known.op, end, slope > 0)
                if known.op == ">" and end:
                    kept.append(known)  # bounds are closed but at zero
                changed = changed or bounds[atom] != before or kept[-1:] != [known]
            elif polynomial.terms != known.polynomial.terms:
                kept.append(Known(known.op, polynomial))
            else:
                kept.append(known)
        return Region(bounds, tuple(kept), self.steps) if changed else self


def _check(op: str, value: int) -> None:
    if not (value > 0 if op == ">" else value >= 0 if op == ">=" else value == 0):
        raise Contradiction


def _narrowed(bounds: Bounds, op: str, end: Fraction, from_below: bool) -> Bounds:
    low, high, positive = bounds.low, bounds.high, bounds.positive
    if (from_below or op == "==") and (low is None or end >= low):
        positive = (op == ">" and not end) or (positive and low == end)
        low = end
    if (not from_below or op == "==") and (high is None or end < high):
        high = end
    if low is not None and high is not None and (low > high or (low == high == 0 and positive)):
        raise Contradiction
    return Bounds(low, high, positive)


def at_value(polynomial: Polynomial, atom: Hashable, value: Fraction) -> Polynomial:
    """The polynomial at one value of a symbol, times a positive number."""
    number = (Polynomial.constant(value.numerator), Polynomial.constant(value.denominator))
    return polynomial.substitute({atom: number})[0]


def substituted(polynomial: Polynomial, atom: Hashable, form: Rational, sign: int) -> Polynomial:
    """The polynomial with ``form`` for ``atom``, times a positive power of its denominator, whose sign is ``sign``."""
    degree = polynomial.degree(atom)
    if not degree:
        return polynomial
    over, _ = polynomial.substitute({atom: (form.numerator, form.denominator)})
    return -over if sign < 0 and degree % 2 else over


@dataclass(slots=True)
class Prover:
    """Proves comparisons of forms over a space; made once for each space.

    Where the conditions of the space hold nowhere, it proves what it is asked, ``0 > 0`` too.
    """

    space: Space
    replaced: dict[Hashable, Rational] = field(default_factory=dict)
    bounds: dict[Hashable, Bounds] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for symbol in self.space.symbols:
            self.bounds[symbol.atom] = Bounds(symbol.domain.low, symbol.domain.high)
            if len(symbol.parents) == 1:
                self._as_multiple(symbol.atom, symbol.parents[0])

    def _as_multiple(self, atom: Hashable, parent: Rational) -> None:
        """A symbol written as a whole multiple of its parent, where both are positive."""
        domain, form = self.bounds[atom], parent.substitute(self.replaced)
        (only, *more) = parent.atoms() or (None,)
        reach = self.bounds.get(only, Bounds()) if not more and parent == Rational.atom(only) else Bounds()
        if not domain.negative_free or not reach.above_zero or None in (domain.low, domain.high, reach.low, reach.high):
            return
        assert domain.low is not None and domain.high is not None and reach.low and reach.high
        times = Multiplier(atom)
        self.bounds[times] = Bounds(Fraction(-(-domain.low // reach.high)), Fraction(domain.high // reach.low))
        self.replaced[atom] = Rational.atom(times) * form

    def proves(self, op: str, form: Rational) -> bool:
        """Whether ``form op 0`` is proved everywhere in the space."""
        if not form.opaques() and form.constant() is None and not self.space.conditions and not self.replaced:
            return Region(self.bounds).holds(op, form)
        try:
            forms = (form, *(condition.form for condition in self.space.conditions))
            put = tuple(f.substitute(self.replaced) if self.replaced else f for f in forms)
            return all(self._on(branch, op) for branch in branches(put))
        except TooLargeError:
            return False

    def _on(self, branch: Branch, op: str) -> bool:
        form, *conditions = branch.forms
        bounds = {**self.bounds, **branch.bounds}
        known = [(c.op, reduced) for c, reduced in zip(self.space.conditions, conditions, strict=True)]
        region = Region(bounds)
        try:
            for sign, reduced in (*known, *((">=", lead) for lead in branch.leads), *self._multiples()):
                region = region_with(region, sign, reduced)
        except Contradiction:
            return True
        return region.holds(op, form)

    def _multiples(self) -> Iterator[tuple[str, Rational]]:
        """The bounds of symbols that are written as multiples of others."""
        for atom, form in self.replaced.items():
            bounds = self.bounds[atom]
            assert bounds.low is not None and bounds.high is not None
            yield from ((">=", form - bounds.low), ("<=", form - bounds.high))


def region_with(region: Region, op: str, form: Rational) -> Region:
    """The region with ``form op 0`` known too, where the sign of its denominator is."""
    if op == "!=":
        return region
    if op in ("<", "<="):
        return region_with(region, ">" if op == "<" else ">=", -form)
    sign = region.sign(form.denominator)
    if not sign:
        return region
    over = form.numerator if sign > 0 else -form.numerator
    return Region(region.bounds, (*region.known, Known(op, over)), [0]).tightened()
