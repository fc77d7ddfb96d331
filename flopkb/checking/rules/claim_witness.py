"""A sentence says where something exists, and there it does not.

A claim ``exists`` holds where one point does. Where the sentence that links to it names values of its symbols
(``n_q = 64``), they are put in: there the claim must hold. Correct the values, or let the sentence name none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from flopkb.base.claims import claims_of
from flopkb.base.claims.verdicts import Proved
from flopkb.base.document import Scalar
from flopkb.base.evaluate import Evaluation
from flopkb.base.link import ClaimTarget, Passage, Quote
from flopkb.base.model import Binding, Claim, Record, Subject
from flopkb.checking.findings import Finding, PageRule

_NAMED = re.compile(r"(?<![\w.])([A-Za-z]\w*)\s?(?:=|is)\s?([0-9][0-9,]*)(?![\w,.]?[0-9A-Za-z])")


def check(subject: Subject, base: Evaluation) -> Iterator[Finding]:
    """Every link to a claim that something exists whose sentence names a place where it does not."""
    for passage in base.passages(subject.id):
        for quote in passage.quotes:
            target = quote.target
            holder = base.kb.records.get(target.record) if isinstance(target, ClaimTarget) else None
            claim = holder.claims.get(target.name) if holder is not None and isinstance(target, ClaimTarget) else None
            if holder is not None and claim is not None and claim.relation.text == "exists":
                yield from at_witness(claim, holder, quote, passage, base)


def at_witness(claim: Claim, holder: Record, quote: Quote, passage: Passage, base: Evaluation) -> Iterator[Finding]:
    """The finding on one link, if its sentence names a place."""
    named = witness(quote, passage, holder, base)
    claims = claims_of(base)
    if not named or not isinstance(claims.claim(holder.id, claim.name), Proved):
        return
    given = {binding.name: binding for binding in (*claim.given, *named)}
    over = tuple(binding for binding in claim.over if binding.name not in given)
    verdict = claims.checker.claim(replace(claim, given=tuple(given.values()), over=over), holder)
    if not isinstance(verdict, Proved):
        place = ", ".join(f"{binding.name} = {binding.values[0].text}" for binding in named)
        message = f"the claim {claim.name} does not hold at {place}: {verdict}; correct the values or the sentence"
        yield Finding(quote.location, message, length=quote.length)


def witness(quote: Quote, passage: Passage, holder: Record, base: Evaluation) -> tuple[Binding, ...]:
    """The values of symbols of the claim's record that the sentence names."""
    start, end = passage.reading.sentence_at(quote.link.plain_start)
    found: dict[str, Binding] = {}
    for match in _NAMED.finditer(passage.reading.plain, start, end):
        name, digits = match[1], match[2].replace(",", "")
        if base.kb.scope.symbol(name, holder.id) is not None:
            key, value = Scalar(quote.location, name, name), Scalar(quote.location, int(digits), digits)
            found[name] = Binding(key, (value,))
    return tuple(found.values())


RULE = PageRule(id="claim-witness", doc=__doc__, run=check, claims=True)
