"""Formulas that are found by search: the greatest value of a symbol such that a condition holds, all else being given."""

from __future__ import annotations

from fractions import Fraction

from flopkb.arithmetic.diagnostics import Location
from flopkb.arithmetic.formula import Rational, number_text, to_text
from flopkb.arithmetic.numbers import decimal_text, readable, with_unit
from flopkb.arithmetic.prover import ValueSet
from flopkb.arithmetic.prover.greatest import Bound, Outcome, bound, greatest, value_at
from flopkb.base.document import Scalar
from flopkb.base.evaluate.asked import Unbound
from flopkb.base.evaluate.cases import put_side
from flopkb.base.evaluate.domains import value_set
from flopkb.base.evaluate.inputs import BoundNumber, Inputs, Taken
from flopkb.base.evaluate.limits import limits
from flopkb.base.evaluate.normal_forms import NormalForms, Unknown, as_number
from flopkb.base.evaluate.requirements import shown_unit
from flopkb.base.faults import BadInput, MissingInput, NoLimit, NotApplicable, Stopped
from flopkb.base.link.formulas import unit_of
from flopkb.base.link.frames import ROOT
from flopkb.base.link.targets import LinkedExpr, LinkedRequirement, SymbolAtom

_NOWHERE = Location("", 1, 1)


def with_greatest(env: Inputs, forms: NormalForms) -> Inputs:
    """The inputs with the symbol that the formula seeks bound to its greatest value; as they are where it seeks none.

    Raises :class:`Stopped` where an input is missing, or there is no greatest value.
    """
    linked, symbol = env.kb.formulas[env.formula], env.kb.formulas[env.formula].sought_symbol
    if linked.sought is None or symbol is None:
        return env
    free = env.again({name: text for name, text in env.bound.items() if name != symbol.name})
    found = greatest_value(symbol, linked.sought, free, forms)
    unit = unit_of(symbol, env.kb.scope)
    number = found / unit.scale
    text = number_text(number)
    return env.again({**free.bound, symbol.name: Scalar(_NOWHERE, text, text)})


def greatest_value(symbol: SymbolAtom, sought: LinkedRequirement, env: Inputs, forms: NormalForms) -> Fraction:
    """The greatest value of a symbol (in base units) at which a condition holds; raises :class:`Stopped`."""
    if not isinstance(env.standing(symbol), Unbound):
        reason = f"{symbol.name} is recorded by what fills the roles, so its greatest value is not sought"
        raise Stopped(BadInput(*env.place, reason=reason))
    bounds = [_bound(part_op, left, right) for part_op, left, right in _sides(symbol, sought, env, forms)]
    domain = _domain(symbol, sought, env)
    found = greatest(bounds, symbol, domain)
    if isinstance(found, Fraction):
        return found
    raise Stopped(_without(found, symbol, sought, domain, env, forms))


def _bound(op: str, left: Rational, right: Rational) -> Bound:
    found = bound(op, left, right)
    assert found is not None, "linking refuses other comparisons"
    return found


def _sides(
    symbol: SymbolAtom, sought: LinkedRequirement, env: Inputs, forms: NormalForms
) -> list[tuple[str, Rational, Rational]]:
    """The comparisons as forms in the symbol alone."""
    found = []
    for part in sought.parts:
        sides = []
        for side in (part.left, part.right):
            sides.append(form_in(symbol, put_side(side, sought.body, ROOT, env), env, forms))
        found.append((part.op, sides[0], sides[1]))
    complete([form for _, *sides in found for form in sides], symbol, env)
    return found


def form_in(symbol: SymbolAtom, body: LinkedExpr, env: Inputs, forms: NormalForms) -> Rational:
    """An expression as a form in one symbol, whatever that is bound to; all else that is bound is a number."""

    def leaf(atom: Unknown, standing: BoundNumber | Taken | Unbound) -> Rational | None:
        open_ = isinstance(atom, SymbolAtom) and atom.plain == symbol
        return None if open_ else as_number(atom, standing)

    form = forms.put(forms.expression(body, env), env, leaf)
    inside = [atom for atom in form.atoms() if isinstance(atom, SymbolAtom)]
    return form.substitute({atom: Rational.atom(symbol) for atom in inside if atom.plain == symbol})


def complete(forms: list[Rational], symbol: SymbolAtom, env: Inputs) -> None:
    """Raise :class:`Stopped` for inputs that are missing besides the symbol itself."""
    missing: dict[str, None] = {}
    for atom in sorted((atom for form in forms for atom in form.atoms() if atom != symbol), key=str):
        standing = env.standing(atom)  # type: ignore[arg-type]
        if isinstance(standing, Unbound):
            missing.update(dict.fromkeys(standing.names))
    if missing:
        raise Stopped(MissingInput(*env.place, formula=str(env.formula), names=tuple(missing)))


def _domain(symbol: SymbolAtom, sought: LinkedRequirement, env: Inputs) -> ValueSet:
    """The values that the symbol may take: finitely many."""
    scale, found = unit_of(symbol, env.kb.scope).scale, None
    for limit in limits(symbol, env.kb, env.kb.order(env.formula)):
        values = value_set(limit.domain, scale)
        found = values if found is None else found.meet(values)
    if found is None or not found.finite:
        why = (
            "has no domain"
            if found is None
            else "may take any number"
            if found.finite is None
            else "has an empty domain"
        )
        reason = f"{symbol.name} {why}, so its greatest value cannot be sought: give it a domain of whole numbers"
        raise Stopped(BadInput(*env.place, reason=reason))
    return found


def _without(
    outcome: Outcome, symbol: SymbolAtom, sought: LinkedRequirement, domain: ValueSet, env: Inputs, forms: NormalForms
) -> NotApplicable | BadInput:
    """Why there is no greatest value."""
    unit, text, count = unit_of(symbol, env.kb.scope), sought.body.source.text, domain.finite or 1
    last = with_unit(decimal_text(value_at(domain, count - 1) / unit.scale), unit.text or "1")
    if outcome is Outcome.EVERYWHERE:
        detail = f"{text} at every {symbol.name}"
        return NoLimit(*env.place, formula=str(env.formula), words=f"no limit up to {last}", detail=detail)
    if outcome is Outcome.UNKNOWN:
        reason = (
            f"{text} may hold, fail and hold again as {symbol.name} grows, so there is no greatest value to be found"
        )
        return BadInput(*env.place, reason=reason)
    first = value_at(domain, 0)
    shown = with_unit(decimal_text(first / unit.scale), unit.text or "1")
    told = []
    for part, (_, left, right) in zip(sought.parts, _sides(symbol, sought, env, forms), strict=True):
        one, other = (
            readable(side.evaluate({symbol: first}), shown_unit(part.left, sought, env.kb.scope))
            for side in (left, right)
        )
        told.append(f"{to_text(part.left)} is {one} and {to_text(part.right)} {other}")
    words, detail = f"{text} does not hold even at {symbol.name} = {shown}", ", ".join(told)
    if sought.words != text:
        words, detail = sought.words, f"even at {symbol.name} = {shown} {detail}"
    return NotApplicable(*env.place, formula=str(env.formula), words=words, detail=detail)
