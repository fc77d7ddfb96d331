"""What each relation of a claim says, as statements over the domain that must all hold.

- ``equals``, ``at_most``, ``at_least``: one comparison.
- ``independent_of``, ``proportional_to``, ``increasing_in``, ``decreasing_in``: for each symbol, a comparison of the
  formula at two of its values, everything else being equal. Growing is strict.
- ``tends_to``: the limit, found by degrees, equals the expression whatever the other symbols are.
- ``crosses``: as the symbol of ``in`` grows, the formula passes the expression exactly once. With ``at``: it lies on
  one side of it wherever the symbol is below ``at``, on the other wherever it is above, and is equal there; ``at``
  itself may be no value of the symbol, and lie beyond its domain for some inputs.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

from flopkb.arithmetic.formula import Rational, ZeroDenominator, number_text
from flopkb.arithmetic.prover.decide import Second, Statement, at_second, paired
from flopkb.arithmetic.prover.space import Condition, FreeSymbol, Space, Term, at
from flopkb.base.claims.cases import ClaimSetting, RoleCase
from flopkb.base.claims.reading import Undecidable, at_scalar
from flopkb.base.claims.verdicts import Invalid
from flopkb.base.evaluate.domains import number
from flopkb.base.link import SymbolAtom
from flopkb.base.model import ROLES, Claim

PAIRED = {"independent_of": "==", "proportional_to": "==", "increasing_in": "<", "decreasing_in": ">"}
SIDED = {"at_most": "<=", "at_least": ">="}


@dataclass(frozen=True, slots=True)
class ReadClaim:
    """A claim with its texts read in one setting."""

    claim: Claim
    setting: ClaimSetting
    formula: Term | None
    sides: tuple[Term, ...] = ()
    symbols: tuple[tuple[SymbolAtom, int], ...] = ()
    roles: tuple[str, ...] = ()
    """Roles of which the formula is said to be independent (what an open one gives is among the symbols)."""

    @property
    def terms(self) -> tuple[Term, ...]:
        """Every side."""
        return (*((self.formula,) if self.formula is not None else ()), *self.sides)


def read(claim: Claim, setting: ClaimSetting) -> ReadClaim:
    """The claim's texts in a setting."""
    reader, relation = setting.reader, claim.relation.text
    formula = reader.term(claim.formula) if claim.formula is not None else None
    options = {key.text: value for key, value in claim.options}
    if relation in PAIRED:
        return read_symbols(claim, setting, formula)
    if relation in SIDED:
        return ReadClaim(claim, setting, None, tuple(reader.term(text) for text, _ in claim.terms))
    if relation == "exists":
        ((text, _),) = claim.terms
        pairs = (reader.sides(part, body) for part, body in reader.comparisons(text))
        return ReadClaim(claim, setting, None, tuple(side for pair_ in pairs for side in pair_))
    sides = [reader.term(claim.terms[0][0])]
    sides += [reader.term(options["at"])] if "at" in options else []
    moving = [options["in"]] if "in" in options else [symbol for symbol, _ in claim.limits]
    return ReadClaim(claim, setting, formula, tuple(sides), tuple((reader.symbol(name), 1) for name in moving))


def read_symbols(claim: Claim, setting: ClaimSetting, formula: Term | None) -> ReadClaim:
    """A claim on single symbols, or on roles: what an open role gives counts as symbols."""
    reader = setting.reader
    roles = [name for name, _ in claim.terms if name.text in ROLES]
    if roles and claim.relation.text != "independent_of":
        raise at_scalar(roles[0], f"{roles[0].text} is a role and has no order; name a symbol that takes its value")
    symbols = [
        (reader.symbol(name), int(power.text) if power is not None else 1)
        for name, power in claim.terms
        if name.text not in ROLES
    ]
    symbols += [(atom, 1) for role in roles for atom in reader.taken_from(role.text)]
    return ReadClaim(claim, setting, formula, (), tuple(symbols), tuple(role.text for role in roles))


def statements(read: ReadClaim, case: RoleCase) -> Iterator[Statement]:
    """What must hold in a case (``tends_to``, ``crosses`` and ``exists`` have modules and functions of their own)."""
    relation = read.claim.relation.text
    if relation in SIDED:
        left, right = (side.at(case.numbers) for side in read.sides)
        yield Statement(SIDED[relation], left, right, case.space)
        return
    assert read.formula is not None
    formula = read.formula.at(case.numbers)
    if relation == "equals":
        yield Statement("==", formula, read.sides[0].at(case.numbers), case.space)
        return
    for atom, power in read.symbols:
        check_open(atom, case, read)
        if atom not in case.numbers:
            factor = power if relation == "proportional_to" else None
            yield pair(PAIRED[relation], formula, atom, factor, case.space, read.claim)


def check_open(atom: Hashable, case: RoleCase, read: ReadClaim) -> None:
    """A symbol that a claim lets vary must not get its value from a role (but of a role it may be independent)."""
    claim = read.claim
    if atom in case.numbers and not read.roles:
        names = ", ".join(role.name for role in case.roles)
        reason = f"{atom} gets its value from {names}, so the claim cannot let it vary; leave the role open"
        raise Undecidable(Invalid(reason, claim.relation.location, len(claim.relation.text)))


def pair(op: str, formula: Term, atom: SymbolAtom, power: int | None, space: Space, claim: Claim) -> Statement:
    """The formula at two values of a symbol; with ``power``, each times that power of the other value."""
    left, right = formula, formula.at(at_second(atom))
    if power is not None:
        one, other = Rational.atom(atom), Rational.atom(Second(atom))
        left_by, right_by = (other, one) if power > 0 else (one, other)  # so that nothing is divided by
        left = replace(left, form=left.form * left_by ** abs(power))
        right = replace(right, form=right.form * right_by ** abs(power))
    return Statement(op, left, right, paired(space, atom, claim.relation.text), atom, power)


def settled(read: ReadClaim, case: RoleCase) -> bool:
    """Whether the normal form alone settles a claim of independence or proportion, so that no domain need be looked at."""
    relation = read.claim.relation.text
    if relation not in ("independent_of", "proportional_to") or read.formula is None:
        return False
    form = at(read.formula.form, case.numbers)
    try:
        return all(
            not (form if relation == "independent_of" else form / Rational.atom(atom) ** power).depends_on(atom)
            for atom, power in read.symbols
            if atom not in case.numbers
        )
    except ZeroDenominator:
        return False


def crossing(read: ReadClaim, case: RoleCase, up: bool) -> Iterator[Statement]:
    """What must hold for the formula to cross the expression upward (or downward)."""
    assert read.formula is not None
    ((atom, _),) = read.symbols
    check_open(atom, case, read)
    formula, expression = read.formula.at(case.numbers), read.sides[0].at(case.numbers)
    below, above = ("<", ">") if up else (">", "<")
    if len(read.sides) > 1:
        there = read.sides[1].at(case.numbers)
        unknown = Rational.atom(atom)
        for side, op in (("<", below), (">", above)):
            where = Condition(side, unknown - there.form, there.text, there.divisors, False)
            yield Statement(op, formula, expression, case.space.where(where))
        return
    symbol = case.space.symbol(atom)
    for op, end in ((below, symbol.domain.low), (above, symbol.domain.high)):
        yield Statement(op, at_end(formula, symbol, end), at_end(expression, symbol, end), case.space)
    both = (*formula.divisors, *expression.divisors)
    passed = Condition(">=" if up else "<=", formula.form - expression.form, read.claim.relation.text, both, False)
    space = paired(case.space, atom, read.claim.relation.text).where(passed)
    yield Statement(above, formula.at(at_second(atom)), expression.at(at_second(atom)), space)


def equal_there(read: ReadClaim, case: RoleCase) -> Statement:
    """That the formula equals the expression where the symbol is ``at`` (which may be no value of the symbol)."""
    assert read.formula is not None
    ((atom, _),) = read.symbols
    there = read.sides[1].at(case.numbers)
    sides = [put(side.at(case.numbers), atom, there) for side in (read.formula, read.sides[0])]
    return Statement("==", sides[0], sides[1], case.space.without(atom))


def put(side: Term, atom: Hashable, expression: Term) -> Term:
    """A side with an expression for one symbol."""
    found = side.at({atom: expression.form})
    text = f"{side.text} at {atom} = {expression.text}" if side.form.depends_on(atom) else side.text
    return replace(found, text=text, divisors=(*expression.divisors, *found.divisors))


def at_end(side: Term, symbol: FreeSymbol, end: Fraction) -> Term:
    """A side at one value of a symbol."""
    return put(side, symbol.atom, Term(number_text(end / symbol.scale), Rational.of(end)))


def ends(claim: Claim, setting: ClaimSetting) -> dict[Hashable, Fraction | None]:
    """Where the symbols of ``as`` go, in base units; None for infinity. Raises ``Undecidable`` for an unknown symbol."""
    found: dict[Hashable, Fraction | None] = {}
    for name, text in claim.limits:
        atom = setting.reader.symbol(name)
        found[atom] = None if text.text == "infinity" else number(text) * setting.scale(atom)
    return found
