"""Symbols, formulas, points, figures, claims and corrections of a workload class or a formula record."""

from __future__ import annotations

from collections.abc import Iterator

from flopkb.base.document import Mapping, Node, Scalar, Sequence
from flopkb.base.model import Claim, Correction, Domain, Figure, Formula, Point, Symbol
from flopkb.base.schema.parts import bindings, entries, mappings, required, scalar, scalar_entries, scalars

RELATIONS = (
    "independent_of",
    "equals",
    "proportional_to",
    "increasing_in",
    "decreasing_in",
    "at_most",
    "at_least",
    "tends_to",
    "crosses",
    "exists",
)
"""The keys of which a claim has exactly one."""


def symbols(node: Node | None) -> dict[str, Symbol]:
    """The entries of ``symbols``."""
    return {key.text: _symbol(key, value) for key, value in entries(node)}


def _symbol(key: Scalar, node: Mapping) -> Symbol:
    domain = node.get("domain")
    return Symbol(
        name=key.text,
        key=key,
        meaning=required(node, "meaning"),
        unit=scalar(node, "unit"),
        source=scalar(node, "from"),
        value=scalar(node, "value"),
        domain=_domain(domain) if isinstance(domain, Mapping) else None,
    )


def _domain(node: Mapping) -> Domain:
    one_of = scalars(node.get("one_of"))
    return Domain(
        location=node.location,
        integer=_pair(node.get("integer")),
        rational=_pair(node.get("rational")),
        one_of=one_of or None,
        multiple_of=scalar(node, "multiple_of"),
    )


def _pair(node: Node | None) -> tuple[Scalar, Scalar] | None:
    found = scalars(node)
    return (found[0], found[1]) if len(found) == 2 else None


def formulas(node: Node | None) -> dict[str, Formula]:
    """The entries of ``formulas``."""
    return {
        key.text: Formula(
            name=key.text,
            key=key,
            expr=required(value, "expr"),
            unit=required(value, "unit"),
            written=scalars(value.get("written")),
        )
        for key, value in entries(node)
    }


def points(node: Node | None) -> dict[str, Point]:
    """The entries of ``points``."""
    return {key.text: Point(key.text, key, bindings(value)) for key, value in entries(node)}


def figures(node: Node | None) -> dict[str, Figure]:
    """The entries of ``figures``."""
    return {
        key.text: Figure(
            name=key.text,
            key=key,
            formula=required(value, "formula"),
            with_=bindings(value.get("with")),
            at=scalar(value, "at"),
            over=bindings(value.get("over")),
        )
        for key, value in entries(node)
    }


def claims(node: Node | None) -> dict[str, Claim]:
    """The items of ``claims`` by their ids (the first of two with one id; a rule reports the second)."""
    found: dict[str, Claim] = {}
    for item in mappings(node):
        claim = _claim(item)
        found.setdefault(claim.name, claim)
    return found


def _claim(node: Mapping) -> Claim:
    relation = next(key for key, _ in node.entries if key.text in RELATIONS)
    options = ((node.key(name), scalar(node, name)) for name in ("in", "at"))
    return Claim(
        name=required(node, "id").text,
        location=node.location,
        relation=relation,
        formula=scalar(node, "formula"),
        terms=_terms(node.get(relation.text)),
        given=bindings(node.get("given")),
        where=scalars(node.get("where")),
        over=bindings(node.get("over")),
        options=tuple((key, value) for key, value in options if key is not None and value is not None),
        limits=scalar_entries(node.get("as")),
    )


def _terms(node: Node | None) -> tuple[tuple[Scalar, Scalar | None], ...]:
    if isinstance(node, Mapping):
        return scalar_entries(node)
    return tuple((item, None) for item in scalars(node))


def corrections(node: Node | None) -> tuple[Correction, ...]:
    """The items of ``corrections``."""
    return tuple(_correction(item) for item in mappings(node))


def _correction(node: Mapping) -> Correction:
    now = node.get("now")
    return Correction(
        location=node.location,
        stated=required(node, "stated"),
        given=bindings(node.get("given")),
        holds_when=scalar(node, "holds_when"),
        counterexamples=tuple((each.location, bindings(each)) for each in _one_or_many(node.get("counterexample"))),
        now=now if isinstance(now, Scalar) else None,
        now_claim=scalar(now, "claim") if isinstance(now, Mapping) else None,
    )


def _one_or_many(node: Node | None) -> Iterator[Mapping]:
    if isinstance(node, Mapping):
        yield node
    elif isinstance(node, Sequence):
        yield from mappings(node)
