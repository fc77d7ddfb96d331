"""A claim is false: there is a counterexample in its domain.

A claim is decided over the declared domains of its symbols, narrowed by ``given``, ``where`` and ``over``. The message
gives a counterexample in which no symbol can be made smaller, with the exact values of both sides. Narrow the claim to
where it holds, or correct it; a sentence that rests on it by a ``claim:`` link is reported too.
"""

from __future__ import annotations

from collections.abc import Iterator

from flopkb.base.claims import claims_of
from flopkb.base.claims.verdicts import Refuted
from flopkb.base.evaluate import Evaluation
from flopkb.base.link import ClaimTarget
from flopkb.base.model import Record, Subject
from flopkb.checking.findings import Finding, PageRule, at


def check(subject: Subject, base: Evaluation) -> Iterator[Finding]:
    """Every refuted claim of the record, and every sentence that rests on one."""
    claims = claims_of(base)
    if isinstance(subject, Record):
        for name, verdict in claims.of_record(subject):
            if isinstance(verdict, Refuted):
                yield at(subject.claims[name].relation, f"{name} is refuted: {verdict}")
    for result in base.quotes.get(subject.id, ()):
        target = result.quote.target
        if isinstance(target, ClaimTarget):
            verdict_there = claims.claim(target.record, target.name)
            if isinstance(verdict_there, Refuted):
                name = target.name if target.record in base.kb.documents else f"{target.record}.{target.name}"
                message = f"this rests on the claim {name}, which is refuted: {verdict_there}"
                yield Finding(result.location, message, length=result.quote.length)


RULE = PageRule(id="claim-refuted", doc=__doc__, run=check, claims=True, declares=True)
