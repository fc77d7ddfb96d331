"""Documents to records: the second stage. It judges the shape of a record, not whether what it says is true.

findings = validate(document)
records, broken, diagnostics = read_records(base.documents)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from collections.abc import Mapping as MappingType
from functools import cache
from pathlib import PurePosixPath

from flopkb.arithmetic.diagnostics import Diagnostic
from flopkb.base.document import Document, Mapping, Node, Scalar, Sequence
from flopkb.base.model import Basis, HardwareRow, Kind, Prose, Record, Reference, Status, Suppression
from flopkb.base.schema import sections
from flopkb.base.schema.files import SchemaError, SchemaPart, check_schemas, kind_schema, schema_directory
from flopkb.base.schema.layering import count_facts, layers, part_mappings
from flopkb.base.schema.sections import (
    accumulate_references,
    fact_references,
    facts,
    flag,
    mappings,
    references,
    required,
    scalar,
    scalar_entries,
    scalars,
)
from flopkb.base.schema.validate import ESSENTIAL, SchemaFinding, findings, kind_of, without

__all__ = ["SchemaError", "check_schemas", "read_records", "schema_directory", "validate"]


def validate(document: Document) -> list[Diagnostic]:
    """Everything that the schema of the document's kind finds, in the order of the file."""
    return [finding.diagnostic for finding in findings(document)]


def read_records(documents: Iterable[Document]) -> tuple[list[Record], frozenset[str], list[Diagnostic]]:
    """All records that could be built, the ids of those that could not, and what was found, in the order given.

    An id that cannot be read is taken from the file's name, so that references to it are not reported as unknown.
    """
    records: list[Record] = []
    broken: set[str] = set()
    diagnostics: list[Diagnostic] = []
    for document in documents:
        found = findings(document)
        diagnostics.extend(finding.diagnostic for finding in found)
        record = record_of(document, found)
        if record is not None:
            records.append(record)
        else:
            broken.update(_names(document))
    return records, frozenset(broken), diagnostics


def _names(document: Document) -> set[str]:
    written = document.root.get("id")
    return {PurePosixPath(document.path).stem} | ({written.text} if isinstance(written, Scalar) else set())


PROSE_TYPE = "text/markdown"
"""The media type by which the schemas mark prose."""


def record_of(document: Document, found: Iterable[SchemaFinding]) -> Record | None:
    """The record in ``document`` without the parts that findings drop; None where that is its id, kind or status."""
    dropped = {finding.dropped for finding in found if finding.dropped is not None}
    kind = kind_of(document)
    if kind is None or any(path[0] in ESSENTIAL for path in dropped):
        return None
    root = without(document.root, dropped)
    values = facts(root, kind)
    stack = layers(root) if kind is Kind.MODEL else None
    if stack is not None:
        values.update((fact.path, fact) for fact in count_facts(stack, root))
    rows = tuple(_row(item, index) for index, item in enumerate(mappings(root.get("hardware_parameters"))))
    identity, name = required(root, "id"), scalar(root, "name")
    sources = references(root.get("sources"), Kind.SOURCE, "sources")
    products = references(root.get("affected_by_hardware"), Kind.ACCELERATOR, "affected_by_hardware")
    return Record(
        id=identity.text,
        kind=kind,
        name=name.text if name is not None else identity.text,
        status=Status(required(root, "status").text),
        document=document,
        id_at=identity,
        aliases=scalars(root.get("aliases")),
        symbols=sections.symbols(root.get("symbols")),
        requires=sections.requirements(root.get("requires")),
        assumes=sections.requirements(root.get("assumes")),
        groups=sections.groups(root.get("groups")),
        domains=sections.domains(root.get("domains")),
        formulas=sections.formulas(root.get("formulas")),
        points=sections.points(root.get("points")),
        figures=sections.figures(root.get("figures")),
        claims=sections.claims(root.get("claims")),
        facts=values,
        layers=stack,
        rows=rows,
        products=products,
        corrections=sections.corrections(root.get("corrections")),
        prose=tuple(prose(root, prose_tree(kind))),
        sources=sources,
        suppressions=tuple(_suppression(item) for item in mappings(root.get("suppress"))),
        references=(
            *sources,
            *_own_references(root, kind),
            *fact_references(values),
            *accumulate_references(root),
            *products,
            *(reference for row in rows for reference in (*row.values_for, *row.sources)),
        ),
        dropped=frozenset(".".join(map(str, path)) for path in dropped),
    )


def _own_references(root: Mapping, kind: Kind) -> Iterator[Reference]:
    """References that a record makes as a whole, and the dtypes in which its layers keep their state."""
    for section, key, node in (("", root, root), *part_mappings(root)) if kind is Kind.MODEL else ():
        for field in ("state_dtype", "conv_dtype"):
            where = f"{section}.{key.text}.{field}" if isinstance(key, Scalar) else field
            yield from references(node.get(field), Kind.DTYPE, where)
    yield from references(root.get("config_source"), Kind.SOURCE, "config_source")
    for field in ("renamed_to", "superseded_by"):
        yield from references(root.get(field), kind, field)


def _row(node: Mapping, index: int) -> HardwareRow:
    parameter, basis = required(node, "parameter"), required(node, "basis")
    where = f"hardware_parameters.{parameter.text}"
    return HardwareRow(
        parameter=parameter,
        effect=required(node, "effect"),
        magnitude=scalars(node.get("magnitude")),
        basis=Basis(basis.text),
        location=node.location,
        basis_at=basis.location,
        demand=flag(node, "demand", False),
        moves=flag(node, "moves", True),
        values_for=references(node.get("values_for"), Kind.ACCELERATOR, f"{where}.values_for"),
        sources=references(node.get("source"), Kind.SOURCE, f"{where}.source"),
        as_printed=scalar(node, "as_printed"),
        method=scalar(node, "method"),
        device=scalar(node, "device"),
        date=scalar(node, "date"),
        cost=scalar(node, "cost"),
        elasticity=scalar_entries(node.get("elasticity")),
    )


def _suppression(node: Mapping) -> Suppression:
    return Suppression(required(node, "rule"), required(node, "reason"), scalar(node, "at"))


ProseTree = MappingType[str, "ProseTree"]
"""Where prose is: by key, or ``*`` for the items of a list and for free keys; empty at the prose itself."""


@cache
def prose_tree(kind: Kind) -> ProseTree:
    """Where a kind's schema says that text is Markdown."""
    return _prose_below(kind_schema(kind)) or {}


def _prose_below(schema: SchemaPart) -> ProseTree | None:
    if schema.get("contentMediaType") == PROSE_TYPE:
        return {}
    parts = dict(schema.get("properties", {}))
    parts["*"] = schema.get("items") or schema.get("additionalProperties")
    below = {key: _prose_below(part) for key, part in parts.items() if isinstance(part, dict)}
    return {key: tree for key, tree in below.items() if tree is not None} or None


def prose(node: Node, tree: ProseTree, path: str = "") -> Iterator[Prose]:
    """Every text below ``node`` that is Markdown, in the order of the file."""
    if isinstance(node, Scalar):
        if not tree and isinstance(node.value, str):
            yield Prose(path, node)
    elif isinstance(node, Sequence):
        for index, item in enumerate(node.items if "*" in tree else ()):
            yield from prose(item, tree["*"], f"{path}.{index}")
    else:
        for key, value in node.entries:
            below = tree.get(key.text, tree.get("*"))
            if below is not None:
                yield from prose(value, below, f"{path}.{key.text}" if path else key.text)
