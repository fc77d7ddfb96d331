"""Recorded values of accelerators, models and number formats."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from flopkb.arithmetic.diagnostics import Location
from flopkb.base.document import Mapping, Node, Scalar
from flopkb.base.model import QUANTITIES, Basis, Fact, Kind, Reference
from flopkb.base.schema.parts import entries, mappings, references, required, scalar


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
    _dispute(found, root, kind)
    return found


def _fact(key: Scalar, node: Node, unit: str, root: Mapping, kind: Kind) -> Fact:
    if isinstance(node, Mapping):
        return _mapped(key.text, key.location, node, unit)
    assert isinstance(node, Scalar)
    field = "config_source" if kind is Kind.MODEL else "sources"
    sources = references(root.get(field), Kind.SOURCE, f"{field}")
    return Fact(key.text, key.location, node, Basis.RECORDED, unit, sources, as_printed=node, basis_at=node.location)


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
