"""Recorded values as exact numbers: as stated, as derived from others, as printed; and the row that a formula takes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from flopkb.arithmetic.diagnostics import Location
from flopkb.arithmetic.formula import (
    Expr,
    FormulaError,
    Name,
    TooLargeError,
    ZeroDenominator,
    evaluate,
    names,
    parse,
)
from flopkb.arithmetic.units import ONE, Unit, UnitError, parse_amount, parse_unit
from flopkb.base.data.facts import DataFacts
from flopkb.base.document import Scalar
from flopkb.base.evaluate.parts import shared_fact
from flopkb.base.faults import (
    BadDimension,
    BadExpression,
    BadInput,
    Blocked,
    Cycle,
    DividesByZero,
    Fault,
    NoData,
    Unavailable,
    UnitMismatch,
    UnknownFact,
    listed,
    nearest,
    round_trip,
)
from flopkb.base.link.cycles import cycle_from
from flopkb.base.link.expressions import parsed
from flopkb.base.link.formulas import balance_fault, readable
from flopkb.base.link.names import blocked_entry, left_out
from flopkb.base.model import Basis, Fact, Kind, Record
from flopkb.base.quantities import MODEL, QuantityForm, quantity_of

_BYTE, _PIN = parse_unit("byte"), parse_unit("pin")


def is_of(path: str, quantity: str) -> bool:
    """Whether a recorded value is the quantity or a row of it."""
    return path == quantity or path.startswith(quantity + ".")


@dataclass(frozen=True, slots=True, order=True)
class FactAtom:
    """A recorded value as a variable of a figure (so that what depends on it is decided exactly)."""

    record: str
    path: str

    def __str__(self) -> str:
        return f"{self.record}.{self.path}"


def amount_in_base(text: Scalar, unit: str, record: str, what: str) -> Fraction | Fault:
    """The number in ``text`` in base units; a bare number is in ``unit``, a unit must be of its dimension.

    Yes and no are 1 and 0.
    """
    declared = parse_unit(unit)
    if isinstance(text.value, (int, Fraction)):
        return Fraction(text.value) * declared.scale
    try:
        amount = parse_amount(text.text)
    except UnitError as error:
        return BadInput(*text.whole(record), reason=str(error))
    if amount.unit == ONE:
        return amount.value * declared.scale
    stated = counted(amount.unit, declared)
    if stated.dimension != declared.dimension:
        return UnitMismatch(*text.whole(record), found=str(amount.unit), wanted=unit, what=what)
    return amount.value * stated.scale


def counted(unit: Unit, declared: Unit) -> Unit:
    """The unit, or of bits the count that they are where pins are meant: a bus of 384 bit has as many pins.

    Bits times bits a second are then bits a second, and a bandwidth can be derived from bus and pin rate.
    """
    if unit.powers == _BYTE.powers and declared.powers == _PIN.powers:
        return Unit(unit.scale * 8, _PIN.powers, unit.text)
    return unit


Called = Callable[[Fact, Record], Fraction | Fault | None]
"""What a derivation that calls formulas of the base comes to; None of one that is made of other values of its record."""


def calls_nothing(fact: Fact, record: Record) -> None:
    """Where no base is at hand, no formula is called."""


def fact_value(fact: Fact, record: Record, called: Called = calls_nothing) -> Fraction | Fault:
    """The exact value of a fact in base units: of a derived one what its formula gives, not its digits."""
    if fact.value is None:
        return Unavailable(fact.location, record.id, holder=record.id, reason=absence(fact, record))
    if fact.basis is Basis.DERIVED and fact.formula is not None:
        found = called(fact, record)
        return derived_value(fact, record, called) if found is None else found
    return stated_value(fact.value, fact, record)


def stated_value(text: Scalar, fact: Fact, record: Record) -> Fraction | Fault:
    """What a record states for a fact, in base units: an amount, or what a sum of products comes to."""
    quantity = MODEL.get(quantity_of(fact.path)) if record.kind is Kind.MODEL else None
    if quantity is None or quantity.form is not QuantityForm.ARITHMETIC or not isinstance(text.value, str):
        return amount_in_base(text, fact.unit, record.id, fact.path)
    expr = parsed(text, record.id, parsed_once)
    if isinstance(expr, BadExpression):
        return expr
    nothing: dict[Name, Fraction] = {}
    try:
        return evaluate(expr, nothing.__getitem__)
    except TooLargeError as error:
        return BadExpression(*text.whole(record.id), reason=str(error))


def absence(fact: Fact, record: Record) -> str:
    """Why a record has no value at a path."""
    dtype = fact.dtype.target.text if fact.dtype else fact.path
    if fact.absent == "not_supported":
        says = "its record says not_supported"
        return f"{record.id} has no {dtype} arithmetic ({says}), so it has no peak_flops for {dtype}"
    says = "its record says not_published"
    return f"no {dtype} peak of {record.id} is published ({says}), so nothing can be computed from it"


def find_fact(record: Record, path: str, index: str, where: Location, at: str) -> tuple[str, Fact] | Fault:
    """The path and the fact at ``path``; with an ``index`` (a dtype id), the one dense row of that dtype.

    Several rows, none, or a part left out for its own fault: a fault at ``where`` of the record ``at``, which asks.
    """
    missing = blocked_entry(record, f"{path}.{index}" if index else path, at, where)
    if missing is not None:
        return missing
    if index:
        return dense_row(record, path, index, where, at)
    fact = record.facts.get(path)
    if fact is not None:
        return path, fact
    shared = shared_fact(record, path, (where, at, 1))
    if shared is not None:
        return shared
    if isinstance(record.facts, DataFacts):
        return NoData(where, at, reason=record.facts.why(path))
    rows = [p for p in record.facts if p.startswith(path + ".")]
    if rows:
        reason = f"{record.id}.{path} has rows ({listed(rows)}); name one, as {rows[0]}, or index it with a dtype"
        return Unavailable(where, at, holder=record.id, reason=reason)
    if any(True for _ in record.facts):
        return Unavailable(
            where, at, holder=record.id, reason=f"{record.id} records no {path}; record it with its source"
        )
    return UnknownFact(where, at, holder=record.id, path=path, meant=nearest(path, record.facts))


def dense_row(record: Record, path: str, dtype: str, where: Location, at: str) -> tuple[str, Fact] | Fault:
    """Exactly one dense row of ``path`` for ``dtype``, or the reason why there is none."""
    named = record.facts.get(f"{path}.{dtype}")
    if named is not None and named.sparsity == "sparse":
        reason = (
            f"{record.id}.{path}.{dtype} is a sparse peak, which counts operations that are skipped; name a dense one"
        )
        return Unavailable(where, at, holder=record.id, reason=f"{reason} (the two meet only in a figure with over:)")
    rows = [(p, f) for p, f in rows_of(record, path) if f.dtype and f.dtype.target.text == dtype]
    dense = [(p, f) for p, f in rows if f.sparsity != "sparse"]
    if not rows and named is not None:  # what its dtype says is reported there
        return Blocked(where, at, cause=f"{record.id}.{path}.{dtype} is a row of another format")
    if not rows:
        has = listed(sorted({f.dtype.target.text for _, f in rows_of(record, path) if f.dtype and not f.absent}))
        return Unavailable(
            where, at, holder=record.id, reason=f"{record.id} records no {path} for {dtype}; it has {has or 'none'}"
        )
    if not dense:
        return Unavailable(where, at, holder=record.id, reason=sparse_only(record, path, dtype))
    if len(dense) > 1:
        names = listed(p for p, _ in dense)
        if any(p.endswith("_sparse") for p, _ in dense):  # its name is reported there
            return Blocked(where, at, cause=f"a dense row of {record.id} for {dtype} is named sparse")
        reason = f"{record.id} has several dense rows for {dtype} ({names}); a formula takes exactly one"
        return Unavailable(where, at, holder=record.id, reason=reason)
    if dense[0][1].absent:
        return Unavailable(where, at, holder=record.id, reason=absence(dense[0][1], record))
    return dense[0]


def rows_of(record: Record, path: str) -> Iterable[tuple[str, Fact]]:
    """The rows of a quantity that has rows, by path."""
    return ((p, f) for p, f in record.facts.items() if p.startswith(path + "."))


def sparse_only(record: Record, path: str, dtype: str) -> str:
    """The sentence for a peak that only counts skipped zeros."""
    return (
        f"{record.id}.{path} has only a sparse peak for {dtype}, which counts operations that are skipped; "
        "a formula takes a dense peak: record it"
    )


def fact_unit(fact: Fact) -> Unit:
    """The canonical unit of a fact."""
    return parse_unit(fact.unit)


def derived_value(fact: Fact, record: Record, called: Called) -> Fraction | Fault:
    """What the formula of ``fact`` gives from its siblings, in base units."""
    assert fact.formula is not None
    text = fact.formula
    expr = parsed(text, record.id, parsed_once)
    if isinstance(expr, BadExpression):
        return expr
    used = names(expr)
    if not used:
        reason = "a derived value is computed from other values of the record, and this names none"
        return BadExpression(*text.whole(record.id), reason=reason)
    unlike = unbalanced(fact, expr, record)
    if unlike is not None:
        return unlike
    cycle = cycle_from(
        fact.path, lambda path: inputs_of(record.facts[path], record.facts) if path in record.facts else ()
    )
    if cycle is not None:
        return Cycle(*text.whole(record.id), path=round_trip(cycle))
    values: dict[Name, Fraction] = {}
    for name in used:
        sibling = record.facts.get(sibling_path(str(name), fact, record.facts))
        if sibling is None and left_out(record, str(name)):
            return Blocked(text.location, record.id, cause=f"{record.id}.{name} is faulty")
        if sibling is None:
            meant = nearest(str(name), record.facts)
            return UnknownFact(
                text.at(name.offset), record.id, name.length, holder=record.id, path=str(name), meant=meant
            )
        value = fact_value(sibling, record, called)
        if isinstance(value, Fault):
            return Blocked(text.location, record.id, cause=str(value))
        values[name] = value
    try:
        return evaluate(expr, values.__getitem__)
    except TooLargeError as error:
        return BadExpression(*text.whole(record.id), reason=str(error))
    except ZeroDenominator as error:
        return DividesByZero(text.location, record.id, formula=fact.path, denominator=error.denominator)


def unbalanced(fact: Fact, expr: Expr, record: Record) -> BadDimension | None:
    """The fault of a derivation that is not in the unit of its value, or that adds unlike amounts (unknown names pass)."""
    assert fact.formula is not None

    paths = {name: sibling_path(str(name), fact, record.facts) for name in names(expr)}

    def unit(name: Name) -> Unit:
        return fact_unit(record.facts[paths[name]])

    if any(path not in record.facts for path in paths.values()):
        return None
    return balance_fault(expr, unit, fact_unit(fact), fact.formula, record.id)


@lru_cache(maxsize=1024)
def parsed_once(text: str) -> Expr:
    """The tree of a derivation: few texts are asked for often."""
    return parse(text)


def sibling_path(name: str, fact: Fact, facts: Mapping[str, Fact]) -> str:
    """The path of the value that a derivation names: of a part of the model its own field, else the model's."""
    beside = f"{fact.path.rpartition('.')[0]}.{name}"
    return beside if quantity_of(fact.path) != fact.path and beside in facts else name


def inputs_of(fact: Fact, facts: Mapping[str, Fact]) -> tuple[str, ...]:
    """The paths of the siblings that a derived value is computed from (none where its formula does not parse)."""
    if fact.formula is None:
        return ()
    try:
        return tuple(sibling_path(str(name), fact, facts) for name in names(parsed_once(fact.formula.text)))
    except FormulaError:
        return ()


def declared_faults(records: Iterable[Record]) -> Iterator[Fault]:
    """Recorded values and constants that cannot be read, or are in a unit that does not measure them, used or not."""
    for record in records:
        facts = (stated for fact in record.facts.values() for stated in (fact, *fact.disputed))
        found = [stated_value(fact.value, fact, record) for fact in facts if fact.value is not None]
        symbols = (symbol for symbol in record.symbols.values() if readable(symbol.unit))
        found += [amount_in_base(s.value, s.unit_text, record.id, s.name) for s in symbols if s.value is not None]
        yield from (value for value in found if isinstance(value, Fault))
