"""Formulas and symbols with their names looked up; units of names, and the check that dimensions balance."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial

from flopkb.arithmetic.formula import (
    Among,
    Compare,
    DimensionError,
    Expr,
    Name,
    Number,
    Rebound,
    Sum,
    dimension,
    names,
    parse_case,
    walk,
)
from flopkb.arithmetic.units import ONE, Unit, UnitError, parse_unit
from flopkb.base.document import Scalar
from flopkb.base.faults import (
    BadDimension,
    BadExpression,
    BadInput,
    Blocked,
    Fault,
    UnitMismatch,
    UnknownName,
    nearest,
)
from flopkb.base.link.cycles import uses
from flopkb.base.link.expressions import SUMS, link_case, link_condition, link_expr, parsed, words_of
from flopkb.base.link.names import Scope, withheld
from flopkb.base.link.targets import (
    Fallback,
    FormulaRef,
    LinkedCase,
    LinkedCondition,
    LinkedExpr,
    LinkedFormula,
    LinkedRequirement,
    SymbolAtom,
    Target,
    ValueAtom,
)
from flopkb.base.model import ROLES, Formula, FormulaCase, Kind, Record, Requirement, Symbol
from flopkb.base.quantities import QUANTITIES, quantity_of


def link_formula(formula: Formula, record: Record, scope: Scope) -> LinkedFormula:
    """One formula of ``record``; where anything is wrong with it, it has no body: nothing is computed from it."""
    ref = FormulaRef(record.id, formula.name)
    unit = unit_or_one(formula.unit.text)
    unreadable = unit_fault(formula.unit, record)
    cases = [link_formula_case(case, unit if unreadable is None else None, record, scope) for case in formula.cases]
    requires, assumes = (
        [link_requirement(asked, record, scope) for asked in listed]
        for listed in ((*record.requires, *formula.requires), (*record.assumes, *formula.assumes))
    )
    sought = link_sought(formula, record, scope)
    found = [unreadable, *cases, *requires, *assumes, sought]
    faults = tuple(fault for fault in found if isinstance(fault, Fault))
    linked = tuple(case for case in cases if isinstance(case, LinkedCase))
    asked = [tuple(each for each in side if isinstance(each, LinkedRequirement)) for side in (requires, assumes)]
    return LinkedFormula(
        ref,
        record,
        formula,
        unit,
        () if faults else linked,
        faults,
        asked[0],
        asked[1],
        None if isinstance(sought, Fault) else sought,
    )


def link_sought(formula: Formula, record: Record, scope: Scope) -> LinkedRequirement | Fault | None:
    """The condition up to which a symbol may grow; None for a formula that is not found by search."""
    if formula.such_that is None:
        return None
    name = formula.cases[0].expr
    if scope.symbol(name.text, record.id) is None:
        meant = nearest(name.text, scope.symbols(record))
        return UnknownName(
            *name.whole(record.id), name=name.text, meant=meant, why="no symbol whose greatest value could be sought"
        )
    words = formula.otherwise or formula.such_that
    linked = link_requirement(Requirement(formula.such_that, words), record, scope)
    if isinstance(linked, LinkedRequirement) and any(part.op in ("==", "!=") for part in linked.parts):
        reason = "a greatest value is sought up to a bound: compare with <= or >="
        return BadExpression(*formula.such_that.whole(record.id), reason=reason)
    return linked


def link_requirement(asked: Requirement, record: Record, scope: Scope) -> LinkedRequirement | Fault:
    """What a formula requires or assumes, its sides being of one dimension."""
    types = _asks_for_types(asked.that, record, scope)
    if isinstance(types, Fault):
        return types
    found = link_condition(asked.that, record, scope) if types is None else ((), _named_in(types))
    if isinstance(found, Fault):
        return found
    parts, body = found
    words = " ".join(asked.otherwise.text.split())
    for part in parts:
        try:
            dimension(part, partial(named_unit, body.targets, scope))
        except DimensionError as error:
            return BadDimension(asked.that.at(error.offset), record.id, error.length, reason=str(error))
    when = link_case(asked.when, record, scope) if asked.when is not None else None
    if isinstance(when, Fault):
        return when
    fault = check_condition(when, scope) if when is not None else None
    each = SUMS[asked.each.text] if asked.each is not None else ""
    return fault or LinkedRequirement(record.id, parts, body, words, each, when, types)


def _asks_for_types(that: Scalar, record: Record, scope: Scope) -> LinkedCondition | Fault | None:
    """What is required, where that is a type (``mixer_type == full_attention``); None where it compares amounts."""
    parsed_as = parsed(that, record.id, parse_case)
    tests = () if isinstance(parsed_as, Fault) else tuple(walk(parsed_as))
    named = [test.left for test in tests if isinstance(test, Compare) and isinstance(test.left, Name)]
    atoms = [scope.symbol(str(name), record.id) for name in named]
    typed = any(atom is not None and words_of(atom, scope) is not None for atom in atoms)
    return link_case(that, record, scope) if typed or any(isinstance(test, Among) for test in tests) else None


def _named_in(types: LinkedCondition) -> LinkedExpr:
    """The names of a required type, for those who ask what a requirement reads."""
    return LinkedExpr(types.record, types.source, next(iter(types.targets)), types.targets)


def link_formula_case(case: FormulaCase, unit: Unit | None, record: Record, scope: Scope) -> LinkedCase | Fault:
    """One case of a formula, its dimension being that of ``unit`` (None where that cannot be read)."""
    when = link_case(case.when, record, scope) if case.when is not None else None
    body = link_expr(case.expr, record, scope)
    if isinstance(when, Fault):
        return when
    if isinstance(body, Fault):
        return body
    fault = check_condition(when, scope) if when is not None else None
    if fault is None and unit is not None and not is_nothing(body):
        fault = check_dimension(body, unit, record.id, scope)
    return fault or LinkedCase(body, when)


def is_nothing(body: LinkedExpr) -> bool:
    """Whether an expression is a plain 0, which is nothing in any unit."""
    return isinstance(body.expr, Number) and body.expr.value == 0


def check_condition(when: LinkedCondition, scope: Scope) -> Fault | None:
    """The fault of a condition that compares unlike amounts."""
    try:
        dimension(when.condition, partial(named_unit, when.targets, scope))
    except DimensionError as error:
        return BadDimension(when.source.at(error.offset), when.record, error.length, reason=str(error))
    return None


def unit_fault(text: Scalar | None, record: Record) -> Fault | None:
    """What is wrong with a declared unit."""
    if text is None:
        return None
    try:
        parse_unit(text.text)
    except UnitError as error:
        return BadInput(*text.whole(record.id), reason=str(error))
    return None


def multiple_fault(symbol: Symbol, record: Record, scope: Scope) -> Fault | None:
    """What is wrong with the symbol that a domain names: values must be whole multiples of it."""
    of = symbol.parent
    if of is None or scope.symbol(of.text, record.id) or withheld(of.text, record, scope, of.location, record.id):
        return None
    meant = nearest(of.text, scope.symbols(record))
    why = f"no symbol of this record, and {symbol.name} is to be a multiple of it"
    return UnknownName(*of.whole(record.id), name=of.text, meant=meant, why=why)


def without_nested_sums(formulas: Mapping[FormulaRef, LinkedFormula]) -> dict[FormulaRef, LinkedFormula]:
    """The formulas, those stripped of their bodies that sum over layers what sums over layers itself."""
    done, summing = dict(formulas), {ref for ref, linked in formulas.items() if next(_sums(linked), None) is not None}
    for ref in summing:
        linked = formulas[ref]
        for body, node in _sums(linked):
            inner = next((each for each in _summed_by(node, body, formulas) if each in summing), None)
            if inner is not None:
                reason = f"{ref} sums what {inner} sums already: a sum stands in no other sum, add them side by side"
                fault = BadExpression(body.source.at(node.offset), ref.record, node.length, reason=reason)
                done[ref] = replace(linked, cases=(), faults=(*linked.faults, fault))
    return done


def _sums(linked: LinkedFormula) -> Iterator[tuple[LinkedExpr, Sum]]:
    for case in linked.cases:
        yield from ((case.body, node) for node in walk(case.body.expr) if isinstance(node, Sum))


def _summed_by(node: Sum, body: LinkedExpr, formulas: Mapping[FormulaRef, LinkedFormula]) -> Iterator[FormulaRef]:
    """The formulas that a summed expression leads to."""
    queue = [body.targets[name] for name in names(node.term)]
    seen = set[FormulaRef]()
    while queue:
        ref = queue.pop(0)
        if isinstance(ref, FormulaRef) and ref not in seen:
            seen.add(ref)
            queue += uses(ref, formulas)
            yield ref


def link_sources(record: Record, scope: Scope) -> dict[SymbolAtom, ValueAtom | Fault]:
    """The recorded value that each symbol of a record is taken ``from`` first."""
    taken = ((symbol, symbol.source) for symbol in record.symbols.values())
    return {
        SymbolAtom(record.id, symbol.name): link_source(symbol, source, record, scope)
        for symbol, source in taken
        if source is not None
    }


def link_fallbacks(record: Record, scope: Scope) -> dict[SymbolAtom, Fallback | Fault]:
    """What gives a value to the symbols of a record whose first source may record none."""
    return {
        SymbolAtom(record.id, symbol.name): link_fallback(symbol, record, scope)
        for symbol in record.symbols.values()
        if symbol.later or symbol.otherwise is not None
    }


def link_fallback(symbol: Symbol, record: Record, scope: Scope) -> Fallback | Fault:
    """Further sources and the definition of a symbol, or the first thing wrong with them."""
    later = []
    for source in symbol.later:
        found = link_source(symbol, source, record, scope)
        if isinstance(found, Fault):
            return found
        later.append(found)
    if symbol.otherwise is None:
        return Fallback(tuple(later))
    body = link_expr(symbol.otherwise, record, scope)
    if isinstance(body, Fault):
        return body
    if not readable(symbol.unit):
        return Blocked(symbol.otherwise.location, record.id, cause=f"the unit of {symbol.name} is faulty")
    fault = check_dimension(body, unit_or_one(symbol.unit_text), record.id, scope)
    return fault or Fallback(tuple(later), body)


def link_source(symbol: Symbol, source: Scalar, record: Record, scope: Scope) -> ValueAtom | Fault:
    """The recorded value that a symbol is taken ``from``.

    A fault where that is no recorded value, or of another dimension than the symbol's unit.
    """
    if not readable(symbol.unit):
        return Blocked(source.location, record.id, cause=f"the unit of {symbol.name} is faulty")
    body = link_expr(source, record, scope)
    if isinstance(body, Fault):
        return body
    targets = tuple(body.targets.values())
    if len(targets) != 1 or not isinstance(targets[0], ValueAtom):
        reason = f"{source.text} is no recorded value; from: takes one, as model.head_dim"
        return BadInput(*source.whole(record.id), reason=reason)
    found = fact_unit(targets[0], scope)
    declared = unit_or_one(symbol.unit_text)
    if found.dimension != declared.dimension:
        return UnitMismatch(
            *source.whole(record.id),
            found=str(found),
            wanted=str(declared),
            what=symbol.name,
            this=source.text,
        )
    return targets[0]


def unit_of(target: Target, scope: Scope) -> Unit:
    """The declared unit of what a name stands for (``1`` where its declaration cannot be read: reported there)."""
    if isinstance(target, SymbolAtom):
        unit = scope.records[target.record].symbols[target.name].unit
        return ONE if unit is None else unit_or_one(unit.text)
    if isinstance(target, FormulaRef):
        return unit_or_one(scope.records[target.record].formulas[target.name].unit.text)
    return fact_unit(target, scope)


def fact_unit(atom: ValueAtom, scope: Scope) -> Unit:
    """The unit of a recorded value: a quantity of a kind of record has one unit, whichever record holds it."""
    fact = scope.records[atom.holder].facts.get(atom.path) if atom.holder not in ROLES else None
    if fact is not None:
        return unit_or_one(fact.unit)
    kind = ROLES[atom.holder] or Kind.MODEL if atom.holder in ROLES else scope.records[atom.holder].kind
    quantity = QUANTITIES.get(kind, {}).get(quantity_of(atom.path))
    return parse_unit(quantity.unit) if quantity is not None else ONE


def unit_or_one(text: str) -> Unit:
    """The unit written as ``text``, or ``1`` where it cannot be read (a rule reports that at its place)."""
    try:
        return parse_unit(text)
    except UnitError:
        return ONE


def readable(unit: Scalar | None) -> bool:
    """Whether a declared unit can be read (where it cannot, that is reported at its place)."""
    try:
        return unit is None or parse_unit(unit.text) is not None
    except UnitError:
        return False


def declared_at(target: Target, scope: Scope) -> Scalar | None:
    """Where the unit of a symbol or formula is declared."""
    if isinstance(target, SymbolAtom):
        return scope.records[target.record].symbols[target.name].unit
    return scope.records[target.record].formulas[target.name].unit if isinstance(target, FormulaRef) else None


def check_dimension(body: LinkedExpr, declared: Unit, record: str, scope: Scope) -> Fault | None:
    """The fault of an expression whose dimension is not that of ``declared``, or that adds unlike amounts.

    Bytes, seconds, joules and dollars must balance; counts may be introduced by the declaration.
    """
    if not all(readable(declared_at(target, scope)) for target in body.targets.values()):
        return Blocked(body.source.location, record, cause="a unit in it cannot be read")
    try:
        for node in walk(body.expr):
            if isinstance(node, Rebound):
                check_inputs(node, body, scope)
    except DimensionError as error:
        return BadDimension(body.source.at(error.offset), record, error.length, reason=str(error))
    unit = partial(named_unit, body.targets, scope)
    return balance_fault(body.expr, unit, declared, body.source, record)


def balance_fault(
    expr: Expr, unit: Callable[[Name], Unit], declared: Unit, source: Scalar, record: str
) -> BadDimension | None:
    """The fault of an expression, written as ``source``, in which each name has the ``unit`` of its kind."""
    try:
        found = dimension(expr, unit)
    except DimensionError as error:
        return BadDimension(source.at(error.offset), record, error.length, reason=str(error))
    if found.dimension == declared.dimension:
        return None
    reason = (
        f"the expression is in {physical(found)}, but its unit is declared as {declared.text or '1'}; "
        "correct the expression or the unit"
    )
    return BadDimension(*source.whole(record), reason=reason)


def named_unit(targets: Mapping[Name, Target], scope: Scope, name: Name) -> Unit:
    """The unit of what a name stands for; :class:`DimensionError` where that is a word."""
    words = words_of(targets[name], scope)
    if words is not None:
        shown = f"one of {', '.join(words)}" if words else "a name"
        raise DimensionError(
            "a word", "1", name, f"{name} is no number but {shown}: ask for it in the condition of a case"
        )
    return unit_of(targets[name], scope)


def check_inputs(node: Rebound, body: LinkedExpr, scope: Scope) -> None:
    """Raise :class:`DimensionError` where an input of a formula is not in the dimension of its symbol."""
    ref = body.targets[node.formula]
    for name, value in node.inputs:
        atom = scope.symbol(name, ref.record) if isinstance(ref, FormulaRef) else None
        declared = unit_of(atom, scope) if atom is not None else ONE
        found = dimension(value, partial(named_unit, body.targets, scope))
        if found.dimension != declared.dimension:
            reason = f"{name} is declared in {declared}, but this is in {physical(found)}"
            raise DimensionError(found.base_text, declared.base_text, value, reason)


def physical(unit: Unit) -> str:
    """The physical dimension in words: ``byte/second``."""
    over = [f"{name}^{power}" if power > 1 else name for name, power in unit.dimension if power > 0]
    under = [f"{name}^{-power}" if power < -1 else name for name, power in unit.dimension if power < 0]
    return "/".join(["*".join(over) or "1", *under])
