"""Claims and corrections: what they say as a sentence, and how they ended."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from flopkb.base.claims import Claims
from flopkb.base.document import Mapping as MappingNode
from flopkb.base.document import Sequence
from flopkb.base.model import Claim, Record
from flopkb.publishing.export.resolved.facts import text, text_at
from flopkb.publishing.export.resolved.figures import pairs
from flopkb.publishing.export.resolved.model import ResolvedClaim, ResolvedCorrection
from flopkb.publishing.export.resolved.placing import Placing

Pairs = tuple[tuple[str, str], ...]


def resolved_claims(record: Record, claims: Claims, placing: Placing) -> Iterator[ResolvedClaim]:
    """The claims of a record."""
    notes = notes_of(record)
    for claim in record.claims.values():
        yield ResolvedClaim(
            id=claim.name,
            relation=claim.relation.text,
            formula=text(claim.formula),
            terms=tuple((term.text, text(exponent)) for term, exponent in claim.terms),
            given=pairs(claim.given),
            where=tuple(condition.text for condition in claim.where),
            over=pairs(claim.over),
            options=tuple((key.text, value.text) for key, value in claim.options),
            limits=tuple((key.text, value.text) for key, value in claim.limits),
            statement=statement(claim),
            conditions=conditions(claim),
            verdict=claims.claim(record.id, claim.name),
            place=placing.place(claim.location),
            note=notes.get(claim.name, ""),
        )


def notes_of(record: Record) -> Mapping[str, str]:
    """The notes of the claims, by the claims' ids."""
    node = record.document.root.get("claims")
    items = node.items if isinstance(node, Sequence) else ()
    return {text_at(item, "id"): text_at(item, "note") for item in items}


def statement(claim: Claim) -> str:
    """What is claimed, in words; formulas and expressions are as written."""
    terms = [term.text for term, _ in claim.terms]
    subject = text(claim.formula)
    options = {key.text: value.text for key, value in claim.options}
    relation = claim.relation.text
    if relation in ("at_most", "at_least"):
        return f"{terms[0]} {'<=' if relation == 'at_most' else '>='} {terms[1]}"
    if relation == "exists":
        return f"somewhere {terms[0]}"
    if relation == "equals":
        return f"{subject} == {terms[0]}"
    if relation == "tends_to":
        ends = ", ".join(f"{key.text} goes to {value.text}" for key, value in claim.limits)
        return f"{subject} tends to {terms[0]} as {ends}"
    if relation == "crosses":
        at = f" at {options['at']}" if "at" in options else ""
        return f"{subject} crosses {terms[0]} once as {options.get('in', '')} grows{at}"
    return f"{subject} {worded(relation)} {listed(powers(claim))}"


def worded(relation: str) -> str:
    """The relations on symbols, in words."""
    return {
        "independent_of": "does not depend on",
        "proportional_to": "is proportional to",
        "increasing_in": "grows with",
        "decreasing_in": "falls with",
    }.get(relation, relation.replace("_", " "))


def powers(claim: Claim) -> list[str]:
    """The symbols, each with its exponent where it is not one."""
    return [
        term.text if exponent is None or exponent.text == "1" else f"{term.text}^{exponent.text}"
        for term, exponent in claim.terms
    ]


def listed(names: list[str]) -> str:
    """``B, L and d_h``."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def conditions(claim: Claim) -> str:
    """What narrows it, in words."""
    parts = [f"given {assigned(pairs(claim.given))}"] if claim.given else []
    parts += [f"where {' and '.join(condition.text for condition in claim.where)}"] if claim.where else []
    parts += [f"over {assigned(pairs(claim.over), ' in ')}"] if claim.over else []
    return "; ".join(parts)


def assigned(bound: Pairs, sign: str = " = ") -> str:
    """``b_kv = 2, B = 1``."""
    return ", ".join(f"{name}{sign}{value}" for name, value in bound)


def resolved_corrections(record: Record, claims: Claims, placing: Placing) -> Iterator[ResolvedCorrection]:
    """The corrections of a record, in the order of the file."""
    node = record.document.root.get("corrections")
    items = [item for item in node.items if isinstance(item, MappingNode)] if isinstance(node, Sequence) else []
    for index, correction in enumerate(record.corrections):
        item = items[index]
        yield ResolvedCorrection(
            index=index,
            date=text_at(item, "date"),
            stated=correction.stated.text,
            given=pairs(correction.given),
            holds_when=text(correction.holds_when),
            counterexamples=tuple(pairs(bindings) for _, bindings in correction.counterexamples),
            now=text(correction.now),
            now_claim=text(correction.now_claim),
            note=text_at(item, "note"),
            verdicts=claims.correction(record, index),
            place=placing.place(correction.location),
        )
