"""A correction does not do what it says.

Each counterexample must refute what was ``stated``; what was stated must hold wherever ``holds_when`` does; what stands
``now`` must hold, as a comparison over the declared domains or as the claim that it names. ``given`` applies to all of
them. Without a counterexample nobody can see that the earlier statement was wrong.
"""

from __future__ import annotations

from collections.abc import Iterator

from flopkb.arithmetic.diagnostics import Location
from flopkb.base.claims import claims_of
from flopkb.base.claims.verdicts import ClaimVerdict, Invalid, Proved, Refuted
from flopkb.base.document import Scalar
from flopkb.base.evaluate import Evaluation
from flopkb.base.faults import did_you_mean
from flopkb.base.model import Correction, Record
from flopkb.checking.findings import Finding, RecordRule, at


def check(record: Record, base: Evaluation) -> Iterator[Finding]:
    """Every part of a correction that fails."""
    if base.kb.records.get(record.id) is not record:
        return
    claims = claims_of(base)
    for place, correction in enumerate(record.corrections):
        verdicts = claims.correction(record, place)
        if not correction.counterexamples:
            yield at(correction.stated, "the correction has no counterexample that refutes what was stated; give one")
        for (where, _), verdict in zip(correction.counterexamples, verdicts.counterexamples, strict=True):
            yield from not_refuting(where, correction, verdict)
        stated = f"`{correction.stated.text}`"
        if verdicts.holds_when not in verdicts.counterexamples or not isinstance(verdicts.holds_when, Invalid):
            yield from not_holding(correction.holds_when, f"where this holds, {stated}", verdicts.holds_when)
        yield from not_holding(correction.now, "what stands now", verdicts.now)
        yield from claim_now(correction, record, base)


def not_refuting(where: Location, correction: Correction, verdict: ClaimVerdict) -> Iterator[Finding]:
    """A counterexample that leaves the earlier statement standing, or cannot be worked out."""
    if isinstance(verdict, Proved):
        stated = f"`{correction.stated.text}`"
        yield Finding(where, f"this does not refute {stated}: it holds here; give inputs at which it fails")
    elif isinstance(verdict, Invalid) and not verdict.blocked:
        yield Finding(verdict.location, f"counterexample: {verdict}", length=verdict.length, missing=verdict.missing)


def not_holding(place: Scalar | None, what: str, verdict: ClaimVerdict | None) -> Iterator[Finding]:
    """A condition or a new statement that fails somewhere."""
    if place is None:
        return
    if isinstance(verdict, Refuted):
        yield at(place, f"{what} is refuted: {verdict}")
    elif isinstance(verdict, Invalid) and not verdict.blocked:
        message = f"{what} cannot be decided: {verdict}"
        yield Finding(verdict.location, message, length=verdict.length, missing=verdict.missing)


def claim_now(correction: Correction, record: Record, base: Evaluation) -> Iterator[Finding]:
    """A claim that should stand in the place of what was stated, and does not."""
    named = correction.now_claim
    if named is None:
        return
    if named.text not in record.claims:
        yield at(named, f"{record.id} makes no claim {named.text}{did_you_mean(named.text, record.claims)}")
        return
    verdict = claims_of(base).claim(record.id, named.text)
    if isinstance(verdict, Refuted):  # a claim that cannot be decided is told at the claim
        yield at(named, f"the claim {named.text} does not stand: {verdict}")


RULE = RecordRule(id="failed-correction", doc=__doc__, run=check, claims=True)
