"""The sections of a record: symbols, formulas, points, figures, claims, corrections, recorded values; and what they are made of."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from flopkb.arithmetic.diagnostics import Location
from flopkb.base.document import Mapping, Node, Scalar, Sequence
from flopkb.base.layers import PARTS
from flopkb.base.model import (
    Basis,
    Binding,
    Claim,
    Correction,
    Domain,
    Fact,
    Figure,
    Formula,
    FormulaCase,
    Kind,
    Narrowing,
    Point,
    Reference,
    Requirement,
    Symbol,
    TypeGroup,
)
from flopkb.base.quantities import MODEL, QUANTITIES, QuantityForm

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
    domain, sources = node.get("domain"), scalars(node.get("from"))
    return Symbol(
        name=key.text,
        key=key,
        meaning=required(node, "meaning"),
        unit=scalar(node, "unit"),
        source=sources[0] if sources else None,
        value=scalar(node, "value"),
        domain=_domain(domain) if isinstance(domain, Mapping) else None,
        later=sources[1:],
        otherwise=scalar(node, "else"),
    )


def groups(node: Node | None) -> dict[str, TypeGroup]:
    """The entries of ``groups``."""
    pairs = node.entries if isinstance(node, Mapping) else ()
    return {key.text: TypeGroup(key.text, key, scalars(value)) for key, value in pairs}


def domains(node: Node | None) -> dict[str, Narrowing]:
    """The entries of ``domains``."""
    return {key.text: Narrowing(key, _domain(value)) for key, value in entries(node)}


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
            cases=tuple(_cases(value)),
            unit=required(value, "unit"),
            written=scalars(value.get("written")),
            requires=requirements(value.get("requires")),
            assumes=requirements(value.get("assumes")),
            such_that=scalar(value, "such_that"),
            otherwise=scalar(value, "else"),
        )
        for key, value in entries(node)
    }


def requirements(node: Node | None) -> tuple[Requirement, ...]:
    """The items of ``requires`` or ``assumes``."""
    return tuple(
        Requirement(required(item, "that"), required(item, "else"), scalar(item, "each"), scalar(item, "when"))
        for item in mappings(node)
    )


def _cases(node: Mapping) -> Iterator[FormulaCase]:
    expr = scalar(node, "expr")
    sought = scalar(node, "greatest")
    if expr is not None or sought is not None:
        yield FormulaCase(expr if expr is not None else required(node, "greatest"))
    for case in mappings(node.get("cases")):
        yield FormulaCase(required(case, "expr"), required(case, "when"))


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
            hypothetical=scalar(value, "hypothetical"),
            assumes=scalars(value.get("assumes")) if value.get("assumes") is not None else None,
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
        domains=domains(node.get("domains")),
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


def facts(root: Mapping, kind: Kind) -> dict[str, Fact]:
    """Every recorded value of a record by its dotted path, in the order of the file."""
    quantities = QUANTITIES.get(kind, {})
    found: dict[str, Fact] = {}
    for key, value in root.entries:
        if key.text == "peak_flops":
            for row_key, row in entries(value):
                path = f"peak_flops.{row_key.text}"
                found[path] = _row(path, row_key, row, quantities["peak_flops"].unit)
        elif key.text in quantities:
            found[key.text] = _fact(key, value, quantities[key.text].unit, root, kind)
        elif kind is Kind.MODEL and key.text in PARTS.values():
            found.update(_part_facts(key.text, value, root))
    _dispute(found, root, kind)
    return found


def _part_facts(section: str, node: Node, root: Mapping) -> Iterator[tuple[str, Fact]]:
    """The recorded values of the parts of a model's layers."""
    for name, part in entries(node):
        for key, value in part.entries:
            if key.text in MODEL:
                path = f"{section}.{name.text}.{key.text}"
                yield path, _fact(key, value, MODEL[key.text].unit, root, Kind.MODEL, path)


def _fact(key: Scalar, node: Node, unit: str, root: Mapping, kind: Kind, path: str = "") -> Fact:
    path = path or key.text
    if isinstance(node, Mapping):
        return _mapped(path, key.location, node, unit)
    assert isinstance(node, Scalar)
    field = "config_source" if kind is Kind.MODEL else "sources"
    sources = references(root.get(field), Kind.SOURCE, f"{field}")
    printed = node if kind is not Kind.MODEL or MODEL[key.text].form is QuantityForm.NUMBER else None
    return Fact(path, key.location, node, Basis.RECORDED, unit, sources, as_printed=printed, basis_at=node.location)


def _mapped(path: str, where: Location, node: Mapping, unit: str) -> Fact:
    """A mapping with ``value`` and ``basis``."""
    basis = required(node, "basis")
    return Fact(
        path=path,
        location=where,
        value=required(node, "value"),
        basis=Basis(basis.text),
        unit=unit,
        sources=references(node.get("source"), Kind.SOURCE, f"{path}.source"),
        as_printed=scalar(node, "as_printed"),
        reading=scalar(node, "reading"),
        formula=scalar(node, "formula"),
        method=scalar(node, "method"),
        device=scalar(node, "device"),
        date=scalar(node, "date"),
        disputed=tuple(_disputed(path, item, unit) for item in mappings(node.get("disputed"))),
        preferred=scalar(node, "preferred"),
        basis_at=basis.location,
        note=scalar(node, "note"),
    )


def _disputed(path: str, node: Mapping, unit: str) -> Fact:
    """What another source states; recorded unless it says otherwise."""
    basis, value = scalar(node, "basis"), required(node, "value")
    return Fact(
        path=path,
        location=node.location,
        value=value,
        basis=Basis(basis.text) if basis is not None else Basis.RECORDED,
        unit=unit,
        sources=references(node.get("source"), Kind.SOURCE, f"{path}.disputed.source"),
        as_printed=scalar(node, "as_printed"),
        reading=scalar(node, "reading"),
        basis_at=(basis or value).location,
    )


def _row(path: str, key: Scalar, node: Mapping, unit: str) -> Fact:
    """A row of ``peak_flops``: a value for one number format, or the reason why there is none."""
    absent, sparsity = scalar(node, "absent"), scalar(node, "sparsity")
    if absent is None:
        fact = _mapped(path, key.location, node, unit)
    else:
        sources = references(node.get("source"), Kind.SOURCE, f"{path}.source")
        basis = Basis.RECORDED if sources else Basis.UNVERIFIED
        fact = Fact(path, key.location, None, basis, unit, sources, absent=absent.text, basis_at=absent.location)
    accumulate = scalar(node, "accumulate")
    return replace(
        fact,
        dtype=Reference(required(node, "dtype"), frozenset({Kind.DTYPE}), f"{path}.dtype"),
        sparsity=sparsity.text if sparsity is not None else "dense",
        accumulate=accumulate.text if accumulate is not None else None,
    )


def _dispute(found: dict[str, Fact], root: Mapping, kind: Kind) -> None:
    """Hangs a model's ``disputed`` values on the facts that they dispute; its config.json is preferred to them."""
    node, config = root.get("disputed"), scalar(root, "config_source")
    for key, items in node.entries if isinstance(node, Mapping) and kind is Kind.MODEL else ():
        fact = found.get(key.text)
        if fact is not None:
            more = tuple(_disputed(key.text, item, fact.unit) for item in mappings(items))
            preferred = fact.preferred or config
            found[key.text] = replace(fact, disputed=(*fact.disputed, *more), preferred=preferred)


def fact_references(found: dict[str, Fact]) -> Iterator[Reference]:
    """The references that facts hold, each once (plain numbers share the record's own)."""
    for fact in found.values():
        if fact.as_printed is None or fact.as_printed is not fact.value:
            yield from fact.sources
        if fact.dtype is not None:
            yield fact.dtype
        for disputed in fact.disputed:
            yield from disputed.sources


def accumulate_references(root: Mapping) -> Iterator[Reference]:
    """The formats in which the rows of ``peak_flops`` keep their sums."""
    for key, row in entries(root.get("peak_flops")):
        yield from references(row.get("accumulate"), Kind.DTYPE, f"peak_flops.{key.text}.accumulate")


def scalar(node: Mapping, key: str) -> Scalar | None:
    """The scalar under ``key``, or None."""
    value = node.get(key)
    return value if isinstance(value, Scalar) else None


def required(node: Mapping, key: str) -> Scalar:
    """The scalar under a key that the schema requires."""
    value = node.get(key)
    assert isinstance(value, Scalar), key
    return value


def scalars(node: Node | None) -> tuple[Scalar, ...]:
    """One scalar or a list of them, as a tuple."""
    if isinstance(node, Scalar):
        return (node,)
    items = node.items if isinstance(node, Sequence) else ()
    return tuple(item for item in items if isinstance(item, Scalar))


def mappings(node: Node | None) -> Iterator[Mapping]:
    """The mappings of a list."""
    for item in node.items if isinstance(node, Sequence) else ():
        if isinstance(item, Mapping):
            yield item


def entries(node: Node | None) -> Iterator[tuple[Scalar, Mapping]]:
    """The entries of a mapping of mappings."""
    for key, value in node.entries if isinstance(node, Mapping) else ():
        if isinstance(value, Mapping):
            yield key, value


def scalar_entries(node: Node | None) -> tuple[tuple[Scalar, Scalar], ...]:
    """The entries of a mapping of scalars."""
    pairs = node.entries if isinstance(node, Mapping) else ()
    return tuple((key, value) for key, value in pairs if isinstance(value, Scalar))


def bindings(node: Node | None) -> tuple[Binding, ...]:
    """The inputs that a mapping gives."""
    pairs = node.entries if isinstance(node, Mapping) else ()
    return tuple(Binding(key, scalars(value), isinstance(value, Sequence)) for key, value in pairs)


def references(node: Node | None, kind: Kind, what: str) -> tuple[Reference, ...]:
    """One id or a list of ids of records of ``kind``."""
    return tuple(Reference(target, frozenset({kind}), what) for target in scalars(node))


def flag(node: Mapping, key: str, default: bool) -> bool:
    """A true or false field."""
    value = scalar(node, key)
    return value.value is True if value is not None else default
