"""Recorded values as exact numbers, and the row of a quantity that a formula takes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from flopkb.arithmetic.diagnostics import Location
from flopkb.arithmetic.units import ONE, Unit, UnitError, parse_amount, parse_unit
from flopkb.base.document import Scalar
from flopkb.base.evaluate.derived import derived_value
from flopkb.base.faults import BadInput, Blocked, Fault, Unavailable, UnitMismatch, UnknownFact, listed, nearest
from flopkb.base.link.names import blocked_entry
from flopkb.base.model import Basis, Fact, Record


@dataclass(frozen=True, slots=True, order=True)
class FactAtom:
    """A recorded value as a variable of a figure (so that what depends on it is decided exactly)."""

    record: str
    path: str

    def __str__(self) -> str:
        return f"{self.record}.{self.path}"


def amount_in_base(text: Scalar, unit: str, record: str, what: str) -> Fraction | Fault:
    """The number in ``text`` in base units; a bare number is in ``unit``, a unit must be of its dimension."""
    declared = parse_unit(unit)
    if isinstance(text.value, (int, Fraction)) and not isinstance(text.value, bool):
        return Fraction(text.value) * declared.scale
    try:
        amount = parse_amount(text.text)
    except UnitError as error:
        return BadInput(location=text.location, record=record, length=len(text.text), reason=str(error))
    if amount.unit == ONE:
        return amount.value * declared.scale
    if amount.unit.dimension != declared.dimension:
        return UnitMismatch(
            location=text.location,
            record=record,
            length=len(text.text),
            found=str(amount.unit),
            wanted=unit,
            what=what,
        )
    return amount.base


def fact_value(fact: Fact, record: Record) -> Fraction | Fault:
    """The exact value of a fact in base units: of a derived one what its formula gives, not its digits."""
    if fact.value is None:
        return Unavailable(location=fact.location, record=record.id, holder=record.id, reason=absence(fact, record))
    if fact.basis is Basis.DERIVED and fact.formula is not None:
        return derived_value(fact, record, fact_value)
    return amount_in_base(fact.value, fact.unit, record.id, fact.path)


def absence(fact: Fact, record: Record) -> str:
    """Why a record has no value at a path."""
    dtype = fact.dtype.target.text if fact.dtype else fact.path
    if fact.absent == "not_supported":
        says = "its record says not_supported"
        return f"{record.id} has no {dtype} arithmetic ({says}), so it has no peak_flops for {dtype}"
    says = "its record says not_published"
    return f"no {dtype} peak of {record.id} is published ({says}), so nothing can be computed from it"


def find_fact(record: Record, path: str, index: str, where: Location, at: str) -> tuple[str, Fact] | Fault:
    """The fact at ``path``; with an ``index``, the one dense row of that dtype."""
    missing = blocked_entry(record, f"{path}.{index}" if index else path, at, where)
    if missing is not None:
        return missing
    if index:
        return dense_row(record, path, index, where, at)
    fact = record.facts.get(path)
    if fact is not None:
        return path, fact
    rows = [p for p in record.facts if p.startswith(path + ".")]
    if rows:
        reason = f"{record.id}.{path} has rows ({listed(rows)}); name one, as {rows[0]}, or index it with a dtype"
        return Unavailable(location=where, record=at, holder=record.id, reason=reason)
    if any(True for _ in record.facts):
        return Unavailable(
            location=where,
            record=at,
            holder=record.id,
            reason=f"{record.id} records no {path}; record it with its source",
        )
    return UnknownFact(location=where, record=at, holder=record.id, path=path, meant=nearest(path, record.facts))


def dense_row(record: Record, path: str, dtype: str, where: Location, at: str) -> tuple[str, Fact] | Fault:
    """Exactly one dense row of ``path`` for ``dtype``, or the reason why there is none."""
    named = record.facts.get(f"{path}.{dtype}")
    if named is not None and named.sparsity == "sparse":
        reason = (
            f"{record.id}.{path}.{dtype} is a sparse peak, which counts operations that are skipped; name a dense one"
        )
        return unavailable(record, where, at, f"{reason} (the two meet only in a figure with over:)")
    rows = [(p, f) for p, f in rows_of(record, path) if f.dtype and f.dtype.target.text == dtype]
    dense = [(p, f) for p, f in rows if f.sparsity != "sparse"]
    if not rows and named is not None:  # what its dtype says is reported there
        return Blocked(location=where, record=at, cause=f"{record.id}.{path}.{dtype} is a row of another format")
    if not rows:
        has = listed(sorted({f.dtype.target.text for _, f in rows_of(record, path) if f.dtype and not f.absent}))
        return unavailable(record, where, at, f"{record.id} records no {path} for {dtype}; it has {has or 'none'}")
    if not dense:
        return unavailable(record, where, at, sparse_only(record, path, dtype))
    if len(dense) > 1:
        names = listed(p for p, _ in dense)
        if any(p.endswith("_sparse") for p, _ in dense):  # its name is reported there
            return Blocked(location=where, record=at, cause=f"a dense row of {record.id} for {dtype} is named sparse")
        reason = f"{record.id} has several dense rows for {dtype} ({names}); a formula takes exactly one"
        return unavailable(record, where, at, reason)
    if dense[0][1].absent:
        return unavailable(record, where, at, absence(dense[0][1], record))
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


def unavailable(record: Record, where: Location, at: str, reason: str) -> Unavailable:
    """The fault of a value that ``record`` cannot give."""
    return Unavailable(location=where, record=at, holder=record.id, reason=reason)


def fact_unit(fact: Fact) -> Unit:
    """The canonical unit of a fact."""
    return parse_unit(fact.unit)
