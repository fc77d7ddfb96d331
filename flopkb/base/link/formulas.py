"""Formulas and symbols of records, with their names looked up and their dimensions checked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from flopkb.arithmetic.units import UnitError, parse_unit
from flopkb.base.document import Scalar
from flopkb.base.faults import BadInput, Blocked, Cycle, Fault, UnitMismatch, UnknownName, nearest
from flopkb.base.link.dimensions import check_dimension, fact_unit, readable, unit_or_one
from flopkb.base.link.names import link_expr
from flopkb.base.link.scope import Scope, left_out
from flopkb.base.link.targets import FormulaRef, LinkedFormula, SymbolAtom, ValueAtom
from flopkb.base.model import Formula, Record, Symbol


def link_formula(formula: Formula, record: Record, scope: Scope) -> LinkedFormula:
    """One formula of ``record``; where anything is wrong with it, it has no body: nothing is computed from it."""
    ref = FormulaRef(record.id, formula.name)
    unit = unit_or_one(formula.unit.text)
    unreadable = unit_fault(formula.unit, record)
    body = link_expr(formula.expr, record, scope)
    if isinstance(body, Fault):
        return LinkedFormula(ref, record, formula, unit, None, tuple(f for f in (unreadable, body) if f))
    fault = unreadable or check_dimension(body, unit, record.id, scope)
    return LinkedFormula(ref, record, formula, unit, None if fault else body, (fault,) if fault else ())


def unit_fault(text: Scalar | None, record: Record) -> Fault | None:
    """What is wrong with a declared unit."""
    if text is None:
        return None
    try:
        parse_unit(text.text)
    except UnitError as error:
        return BadInput(location=text.location, record=record.id, length=len(text.text), reason=str(error))
    return None


def multiple_fault(symbol: Symbol, record: Record) -> Fault | None:
    """What is wrong with the symbol that a domain names: values must be whole multiples of it."""
    of = symbol.domain.multiple_of if symbol.domain is not None else None
    if (
        of is None
        or not isinstance(of.value, str)
        or of.text in record.symbols
        or left_out(record, f"symbols.{of.text}")
    ):
        return None
    meant = nearest(of.text, record.symbols)
    why = f"no symbol of this record, and {symbol.name} is to be a multiple of it"
    return UnknownName(location=of.location, record=record.id, length=len(of.text), name=of.text, meant=meant, why=why)


def without_cycles(formulas: Mapping[FormulaRef, LinkedFormula]) -> dict[FormulaRef, LinkedFormula]:
    """The formulas, those on a cycle stripped of their bodies; each cycle is told once."""
    done = dict(formulas)
    told: set[frozenset[FormulaRef]] = set()
    for ref in formulas:
        cycle = cycle_from(ref, formulas)
        if cycle is None:
            continue
        members = frozenset(cycle)
        linked = formulas[ref]
        where = linked.formula.expr
        fault: Fault = Blocked(location=where.location, record=ref.record, cause="on a cycle")
        if members not in told:
            path = tuple(str(member) for member in (*cycle, cycle[0]))
            fault = Cycle(location=where.location, record=ref.record, length=len(where.text), path=path)
            told.add(members)
        done[ref] = replace(linked, body=None, faults=(*linked.faults, fault))
    return done


def cycle_from(start: FormulaRef, formulas: Mapping[FormulaRef, LinkedFormula]) -> tuple[FormulaRef, ...] | None:
    """The formulas on the way from ``start`` back to itself, or None."""
    stack: list[tuple[FormulaRef, ...]] = [(start,)]
    seen: set[FormulaRef] = set()
    while stack:
        path = stack.pop()
        for following in uses(path[-1], formulas):
            if following == start:
                return path
            if following not in seen:
                seen.add(following)
                stack.append((*path, following))
    return None


def uses(ref: FormulaRef, formulas: Mapping[FormulaRef, LinkedFormula]) -> Iterator[FormulaRef]:
    """The formulas that a formula names."""
    linked = formulas.get(ref)
    if linked is not None and linked.body is not None:
        yield from (target for target in linked.body.targets.values() if isinstance(target, FormulaRef))


def link_source(symbol: Symbol, record: Record, scope: Scope) -> ValueAtom | Fault | None:
    """The recorded value that a symbol is taken ``from``, checked against the symbol's unit."""
    if symbol.source is None:
        return None
    if not readable(symbol.unit):
        return Blocked(location=symbol.source.location, record=record.id, cause=f"the unit of {symbol.name} is faulty")
    body = link_expr(symbol.source, record, scope)
    if isinstance(body, Fault):
        return body
    targets = tuple(body.targets.values())
    if len(targets) != 1 or not isinstance(targets[0], ValueAtom):
        reason = f"{symbol.source.text} is no recorded value; from: takes one, as model.head_dim"
        return BadInput(
            location=symbol.source.location, record=record.id, length=len(symbol.source.text), reason=reason
        )
    found = fact_unit(targets[0], scope)
    declared = unit_or_one(symbol.unit.text if symbol.unit else "1")
    if found.dimension != declared.dimension:
        return UnitMismatch(
            location=symbol.source.location,
            record=record.id,
            length=len(symbol.source.text),
            found=str(found),
            wanted=str(declared),
            what=symbol.name,
            this=symbol.source.text,
        )
    return targets[0]


def symbol_atom(symbol: Symbol, record: Record) -> SymbolAtom:
    """The atom of a symbol."""
    return SymbolAtom(record.id, symbol.name)
