"""A basis is claimed without what it needs, or with what it rules out.

``recorded`` needs a source and what is printed there, letter for letter (but of a source known secondhand, which nobody
read); ``derived`` needs its formula, or for a hardware row the ``cost`` formula and the ``elasticity`` at its points;
``measured`` needs method, device and date, and no data sheet as its source; ``unverified`` says that nothing stands behind a
row, so it has neither magnitude nor source. An effect with nothing behind it is not dressed up as sourced.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from flopkb.base.document import Scalar
from flopkb.base.evaluate import Evaluation
from flopkb.base.model import Basis, Fact, HardwareRow, Kind, Record
from flopkb.checking.findings import Finding, RecordRule
from flopkb.checking.rules.unread_source import access_of

_SPARSE = re.compile(r"\b(?:with (?:structured )?sparsity|sparse\b(?! row)|2:4)", re.IGNORECASE)


def check(record: Record, base: Evaluation) -> Iterator[Finding]:
    """Every hardware row and recorded value against its basis."""
    for row in record.rows:
        reason = row_reason(row)
        if reason:
            yield Finding(row.basis_at, f"{row.parameter.text}: {reason}", length=len(row.basis.value))
    plain = [fact for fact in record.facts.values() if _is_plain(fact) and fact_reason(fact)]
    if len(plain) > 1:
        yield _together(plain)
    for fact in record.facts.values():
        reason = fact_reason(fact) or printed_reason(fact, record, base)
        if reason and not (len(plain) > 1 and _is_plain(fact)):
            yield Finding(fact.basis_at or fact.location, f"{fact.path}: {reason}", length=len(fact.basis.value))


def _is_plain(fact: Fact) -> bool:
    """Whether a value stands alone, its basis understood."""
    return fact.value is not None and fact.basis_at == fact.value.location


def _together(plain: list[Fact]) -> Finding:
    """What several plain values lack, said once: one key names the source of them all."""
    first, more = plain[0], len(plain) - 1
    message = f"{first.path} and {more} more plain values have no source; name it for all as `config_source`, or say unverified"
    return Finding(first.basis_at or first.location, message)


def row_reason(row: HardwareRow) -> str | None:
    """What a hardware row lacks for its basis, or has against it."""
    if row.basis is Basis.RECORDED and not row.sources:
        return "basis recorded needs a source; name it, or say unverified"
    if row.basis is Basis.RECORDED and row.as_printed is None:
        return "basis recorded needs as_printed: what the source prints, or say unverified"
    if row.basis is Basis.DERIVED and not row.demand and row.cost is None:
        return "basis derived needs the cost formula that the parameter moves (and its elasticity), or demand: true"
    if row.basis is Basis.MEASURED and not measured(row):
        return "basis measured needs method, device and date"
    if row.basis is Basis.UNVERIFIED and (row.magnitude or row.sources):
        nothing = "basis unverified says that nothing stands behind the row"
        return f"{nothing}; leave out magnitude and source, or change the basis"
    return None


def fact_reason(fact: Fact) -> str | None:
    """What a recorded value lacks for its basis."""
    if fact.basis is Basis.RECORDED and not fact.sources:
        return "basis recorded needs a source; name it, or say unverified"
    if fact.basis is Basis.DERIVED and fact.formula is None:
        return "basis derived needs the formula that gives the value from the record's other values"
    if fact.basis is Basis.MEASURED and not measured(fact):
        return "basis measured needs method, device and date"
    if fact.basis is Basis.UNVERIFIED and fact.sources:
        return "basis unverified says that nothing stands behind the value; leave out the source, or change the basis"
    return None


def printed_reason(fact: Fact, record: Record, base: Evaluation) -> str | None:
    """What speaks against a basis in what is printed, and where."""
    sources = [base.kb.records[r.target.text] for r in fact.sources if r.target.text in base.kb.records]
    kinds = [kind.text for source in sources if isinstance(kind := source.document.root.get("source_kind"), Scalar)]
    printable = record.kind in (Kind.ACCELERATOR, Kind.INTERCONNECT) and fact.value is not None
    if fact.basis is Basis.RECORDED and printable and fact.as_printed is None and not secondhand(fact, base):
        return "basis recorded needs as_printed: what the source prints, letter for letter"
    if fact.basis is Basis.MEASURED and kinds and all(kind == "datasheet" for kind in kinds):
        return "a data sheet is no measurement; name the report of who measured, or say recorded"
    as_it_is = fact.reading is None or fact.reading.text.strip() == "printed"
    if fact.sparsity == "dense" and as_it_is and any(_SPARSE.search(text) for text in _said_of(fact)):
        return "the row is dense, but what is said of it names sparsity; halve it by a reading, or make it a sparse row"
    return None


def _said_of(fact: Fact) -> Iterator[str]:
    """What is printed, and what is noted beside it."""
    yield from (text.text for text in (fact.as_printed, fact.note) if text is not None)


def secondhand(fact: Fact, base: Evaluation) -> bool:
    """Whether all sources of a value are known through others alone, so that nobody saw what they print."""
    read = [access_of(base.kb.records[r.target.text]) for r in fact.sources if r.target.text in base.kb.records]
    return bool(read) and all(access is not None and access.text == "secondhand" for access in read)


def measured(evidence: HardwareRow | Fact) -> bool:
    """Whether a measurement says how, on what and when."""
    return None not in (evidence.method, evidence.device, evidence.date)


RULE = RecordRule(id="basis-without-evidence", doc=__doc__, run=check)
