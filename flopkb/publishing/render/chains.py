"""Derivations that a document writes out: ``I = 2*m*n*b / (2*m*n + 2*b*(m + n)) <= 2*m*n*b / (2*m*n) = b``.

Every ``=`` is decided exactly by the rational normal form; every ``<=`` and ``>=`` by the signs of what is left when
both sides are multiplied out, all symbols being positive. A step that is not proved stops the render.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from flopkb.arithmetic.diagnostics import Location
from flopkb.arithmetic.formula import Expr, FormulaError, Name, Rational, names, parse
from flopkb.base.document import Scalar
from flopkb.base.evaluate.environment import BoundNumber, Environment, Stopped, Taken
from flopkb.base.evaluate.forms import Forms
from flopkb.base.faults import Fault
from flopkb.base.link import FormulaRef, KnowledgeBase, SymbolAtom, ValueAtom
from flopkb.base.link.names import resolve
from flopkb.base.link.targets import Target
from flopkb.publishing.render.faults import Bad

_RELATION = re.compile(r"<=|>=|≤|≥|(?<![<>!=])=(?!=)|≈")
_OP = {"=": "==", "≤": "<=", "≥": ">=", "≈": "~"}
LONGEST = 2000


@dataclass(frozen=True, slots=True)
class Side:
    """One side: its tree and what its names stand for."""

    expr: Expr
    targets: Mapping[Name, Target]
    text: str
    offset: int


@dataclass(frozen=True, slots=True)
class Chain:
    """The sides and, between them, the relations (``==``, ``<=``, ``>=``, ``~``)."""

    sides: tuple[Side, ...]
    relations: tuple[str, ...]


def read_chain(text: str, argument: int, ref: FormulaRef, kb: KnowledgeBase) -> Chain:
    """A chain in the symbols and formulas of the record of ``ref``, and the names that prose writes for these."""
    if len(text) > LONGEST:
        raise Bad(f"a derivation has at most {LONGEST} characters", argument)
    sides, relations, at = [], [], 0
    for found in [*_RELATION.finditer(text), None]:
        stop = found.start() if found is not None else len(text)
        sides.append(read_side(text[at:stop], at, argument, ref, kb))
        if found is not None:
            relations.append(_OP.get(found[0], found[0]))
            at = found.end()
    if not relations:
        raise Bad("a derivation has sides with = or <= between them", argument)
    return Chain(tuple(sides), tuple(relations))


def read_side(text: str, offset: int, argument: int, ref: FormulaRef, kb: KnowledgeBase) -> Side:
    """One side, parsed, its names looked up in the record."""
    lead = len(text) - len(text.lstrip())
    stripped = text.strip()
    record = kb.records[ref.record]
    written = {name.text: FormulaRef(record.id, f.name) for f in record.formulas.values() for name in f.written}
    try:
        expr = parse(stripped)
    except FormulaError as error:
        raise Bad(str(error), argument, offset + lead + error.offset) from None
    targets: dict[Name, Target] = {}
    for name in names(expr):
        if str(name) in written:
            targets[name] = written[str(name)]
            continue
        found = resolve(name, record, kb.scope, Location("", 1, 1))
        if isinstance(found, Fault):
            raise Bad(str(found), argument, offset + lead + name.offset)
        targets[name] = found
    return Side(expr, targets, stripped, offset + lead)


def check_chain(chain: Chain, env: Environment, forms: Forms, argument: int) -> None:
    """Raise :class:`Bad` at the first step that is not proved under the bindings of ``env``."""
    values = [form(side, env, forms, argument) for side in chain.sides]
    for index, op in enumerate(chain.relations):
        left, right = values[index], values[index + 1]
        if not proved(op, left, right):
            side = chain.sides[index + 1]
            told = {"==": "does not equal", "<=": "is not shown to be at least", ">=": "is not shown to be at most"}[op]
            raise Bad(f"`{side.text}` {told} what stands before it", argument, side.offset, "derivation")


def proved(op: str, left: Rational, right: Rational) -> bool:
    """Whether the relation holds for all positive symbols (sufficiently: by the signs of the terms)."""
    if op == "~":
        raise Bad("≈ in a derivation cannot be proved: say in words what is small")
    if op == "==":
        return left == right
    difference = right - left if op == "<=" else left - right
    return (
        signed(difference.numerator.terms.values()) * signed(difference.denominator.terms.values()) > 0
        or not difference.numerator.terms
    )


def signed(coefficients: object) -> int:
    """1 or -1 where all coefficients have that sign, 0 where they differ."""
    assert hasattr(coefficients, "__iter__")
    signs = {1 if value > 0 else -1 for value in coefficients}
    return signs.pop() if len(signs) == 1 else 0


def form(side: Side, env: Environment, forms: Forms, argument: int) -> Rational:
    """The normal form of a side, with what the environment binds put in."""
    from flopkb.base.link.targets import LinkedExpr

    source = Scalar(Location("", 1, 1), side.text, side.text)
    try:
        found = forms.put(forms.expression(LinkedExpr(env.formula.record, source, side.expr, side.targets)), env)
    except Stopped as stopped:
        raise Bad(str(stopped.fault), argument, side.offset) from None
    known: dict[object, Rational] = {}
    for atom in found.atoms():
        if isinstance(atom, (SymbolAtom, ValueAtom)):
            standing = env.standing(atom)
            if isinstance(standing, (BoundNumber, Taken)):
                known[atom] = Rational.of(Fraction(standing.value))
    return found.substitute(known) if known else found
