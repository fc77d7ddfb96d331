"""A document against the JSON Schema of its kind (the only import of jsonschema).

jsonschema finds what is wrong; here each of its errors becomes the facts of one fault: where, what, and which part of
the record has to be left out for the rest to be checked.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from collections.abc import Mapping as MappingType
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from flopkb.arithmetic.diagnostics import Diagnostic, Location, Severity
from flopkb.base.document import Document, Mapping, Node, Scalar, Sequence, plain
from flopkb.base.model import Kind
from flopkb.base.quantities import QUANTITIES
from flopkb.base.schema import wording
from flopkb.base.schema.files import DOCUMENT, SchemaPart, filled_schema, kind_schema
from flopkb.base.schema.fitting import fits, is_date

if TYPE_CHECKING:
    from jsonschema.exceptions import ValidationError  # type: ignore[import-untyped]

RULE = "schema"
"""The rule under which everything that a schema says is reported."""


Path = tuple[str | int, ...]
"""Keys and list positions from the top of a record down."""

Fact = tuple[Path, str, str]
"""What is wrong where, in short: one fault that jsonschema reports twice has one."""


@dataclass(frozen=True, slots=True)
class SchemaFinding:
    """A fault, and the part of the record that it makes unusable (None: nothing has to be left out)."""

    diagnostic: Diagnostic
    dropped: Path | None


def kind_of(document: Document) -> Kind | None:
    """The kind that the document names; None where it names none, or one that there is not."""
    node = document.root.get("kind")
    return next((kind for kind in Kind if isinstance(node, Scalar) and node.value == kind.value), None)


def findings(document: Document) -> list[SchemaFinding]:
    """Everything that the schema of the document's kind finds, one finding a fault, in the order of the file."""
    root = document.root
    kind = kind_of(document)
    if kind is None:
        return [SchemaFinding(_kind_fault(root), ("kind",))]
    found = _found(kind.value, root)
    found.update(_stranded(root) if kind is Kind.MODEL else {})
    kept = (finding for fact, finding in found.items() if fact[1] != "misplaced" or (fact[0], "oneOf", "") not in found)
    return sorted(kept, key=lambda finding: finding.diagnostic.sort_key)


def declaration_findings(root: Mapping) -> list[SchemaFinding]:
    """Everything that the schema of what documents declare finds, in the order of the file."""
    return sorted(_found(DOCUMENT, root).values(), key=lambda finding: finding.diagnostic.sort_key)


def _found(name: str, root: Mapping) -> dict[Fact, SchemaFinding]:
    found: dict[Fact, SchemaFinding] = {}
    value = plain(root)
    for error in () if fits(value, filled_schema(name)) else _validator(name).iter_errors(value):
        for fact, finding in _translate(error, root):
            found.setdefault(fact, finding)
    return found


def _kind_fault(root: Mapping) -> Diagnostic:
    node, known = root.get("kind"), [kind.value for kind in Kind]
    if node is None:
        return _diagnostic(root.location, 1, f"missing key `kind`: add one of {', '.join(known)}")
    return _diagnostic(node.location, _length(node), wording.choice("kind", plain(node), known))


@cache
def _validator(name: str) -> Any:
    return compiled(filled_schema(name))


def compiled(schema: SchemaPart) -> Any:
    """A validator of a schema that has no references left, so that nothing can be fetched; dates are checked."""
    from jsonschema import Draft202012Validator, FormatChecker  # type: ignore[import-untyped]

    checker = FormatChecker(formats=())
    checker.checks("date", raises=ValueError)(is_date)
    return Draft202012Validator(dict(schema), format_checker=checker)


def _stranded(root: Mapping) -> dict[Fact, SchemaFinding]:
    """Disputed values of fields that the model's record does not hold (JSON Schema cannot say this)."""
    disputed = root.get("disputed")
    keys = [key for key, _ in disputed.entries] if isinstance(disputed, Mapping) else []
    stranded = [key for key in keys if root.get(key.text) is None and key.text in QUANTITIES[Kind.MODEL]]
    return {
        (path, "stranded", ""): _finding(key.location, len(key.text), wording.stranded(key.text), path)
        for key in stranded
        for path in [("disputed", key.text)]
    }


def _translate(error: ValidationError, root: Mapping) -> Iterator[tuple[Fact, SchemaFinding]]:
    """The findings in one error of jsonschema, each with the fact by which a second report of it is recognised."""
    path: Path = tuple(error.absolute_path)
    keyword = str(error.validator)
    if "propertyNames" in error.absolute_schema_path:
        yield (path, "name", str(error.instance)), _name_fault(error, path, root)
    elif keyword in ("additionalProperties", "required"):
        yield from _key_faults(error, path, root)
    elif keyword == "oneOf" and "properties" in error.validator_value[0]:
        yield from _typed_faults(error, path, root)
    elif keyword == "oneOf":
        yield from _alternative_fault(error, path, root)
    elif keyword == "dependentRequired":
        yield from _company_faults(error, path, root)
    elif error.schema is False:
        yield from _misplaced(error, path, root)
    elif keyword == "uniqueItems":
        yield (path, "value", ""), _repetition(path, root)
    else:
        node = node_at(root, path)
        message = wording.value(wording.field(root, path), error, node)
        yield (path, "value", ""), _finding(node.location, _length(node), message, entry_of(path))


def _name_fault(error: ValidationError, path: Path, root: Mapping) -> SchemaFinding:
    """A key that is no proper name."""
    mapping = node_at(root, path)
    assert isinstance(mapping, Mapping)
    key = mapping.key(str(error.instance))
    assert key is not None
    message = wording.name(wording.field(root, path), key.text, error)
    return _finding(key.location, len(key.text), message, (*path, key.text))


def _key_faults(error: ValidationError, path: Path, root: Mapping) -> Iterator[tuple[Fact, SchemaFinding]]:
    """Unknown and missing keys of one mapping. A missing key that an unknown one was meant to be is not reported."""
    mapping = node_at(root, path)
    assert isinstance(mapping, Mapping) and isinstance(error.schema, dict)
    known, where = error.schema.get("properties", {}), wording.field(root, path)
    meant = _meant(mapping, known)
    if error.validator == "additionalProperties":
        for key, _ in mapping.entries:
            if key.text in meant:
                message = wording.unknown_key(where, key.text, meant[key.text], known)
                # Under a wrong name an entry says something else than it should; a section or field is then not there.
                own = meant[key.text] or key.text
                drop = entry_of(path) if path else ((key.text,) if mapping.get(own) is not None else (own,))
                yield (path, "unknown", key.text), _finding(key.location, len(key.text), message, drop)
        return
    for name in error.validator_value:
        if mapping.get(name) is None and name not in meant.values():
            place, length = _parent(root, path)
            message = wording.missing_key(where, name, known.get(name, {}))
            yield (path, "missing", name), _finding(place, length, message, entry_of(path) if path else (name,))


def _meant(mapping: Mapping, known: MappingType[str, Any]) -> dict[str, str | None]:
    """The unknown keys of a mapping, each with the known key that it was meant to be."""
    return {key.text: wording.meant(key.text, known, mapping) for key, _ in mapping.entries if key.text not in known}


def _alternative_fault(error: ValidationError, path: Path, root: Mapping) -> Iterator[tuple[Fact, SchemaFinding]]:
    """None or several of a group of keys of which exactly one is wanted."""
    mapping = node_at(root, path)
    if not isinstance(mapping, Mapping):
        return  # its type is reported
    assert isinstance(error.schema, dict)
    group = [branch["required"][0] for branch in error.validator_value]
    present = [key for key, _ in mapping.entries if key.text in group]
    where = wording.field(root, path)
    if len(present) > 1:
        message, second = wording.one_too_many(where, present[0].text, present[1].text), present[1]
        drop = entry_of(path) or (second.text,)
        yield (path, "oneOf", ""), _finding(second.location, len(second.text), message, drop)
    elif not set(group) & set(_meant(mapping, error.schema["properties"]).values()):
        place, length = _parent(root, path)
        yield (path, "oneOf", ""), _finding(place, length, wording.none_of(where, group), entry_of(path) or None)


def _typed_faults(error: ValidationError, path: Path, root: Mapping) -> Iterator[tuple[Fact, SchemaFinding]]:
    """What is wrong with a mapping whose ``type`` says which keys it has: of all alternatives that one is looked at."""
    mapping = node_at(root, path)
    if not isinstance(mapping, Mapping):
        return  # its type is reported
    types = [branch["properties"]["type"]["enum"][0] for branch in error.validator_value]
    node = mapping.get("type")
    if node is None:
        place, length = _parent(root, path)
        message = wording.missing_key(wording.field(root, path), "type", {"enum": types})
        yield (path, "missing", "type"), _finding(place, length, message, entry_of(path))
    elif plain(node) not in types:
        message = wording.choice(wording.field(root, (*path, "type")), plain(node), types)
        yield ((*path, "type"), "value", ""), _finding(node.location, _length(node), message, entry_of(path))
    else:
        chosen = types.index(plain(node))
        for inner in error.context:
            if inner.schema_path[0] == chosen:
                yield from _translate(inner, root)


def _company_faults(error: ValidationError, path: Path, root: Mapping) -> Iterator[tuple[Fact, SchemaFinding]]:
    """A key that needs another one beside it."""
    mapping = node_at(root, path)
    assert isinstance(mapping, Mapping) and isinstance(error.schema, dict)
    known = error.schema["properties"]
    meant = set(_meant(mapping, known).values())
    place, length = _parent(root, path)
    for name, others in error.validator_value.items():
        for other in others if mapping.get(name) is not None else ():
            if mapping.get(other) is None and other not in meant:
                message = wording.lonely(wording.field(root, path), name, other, known.get(other, {}))
                yield (path, "needs", other), _finding(place, length, message, entry_of(path))


def _misplaced(error: ValidationError, path: Path, root: Mapping) -> Iterator[tuple[Fact, SchemaFinding]]:
    """Keys that have no meaning beside another one (which, jsonschema does not say: the schema's path does)."""
    mapping, steps = node_at(root, path), tuple(error.absolute_schema_path)
    beside = str(steps[steps.index("dependentSchemas") + 1])
    kind = root.get("kind")
    barred: Any = kind_schema(Kind(kind.text if isinstance(kind, Scalar) else ""))
    for step in steps:
        barred = barred[step]
    for key, _ in mapping.entries if isinstance(mapping, Mapping) else ():
        if barred.get(key.text) is False:
            message = wording.misplaced(wording.field(root, path), key.text, beside)
            yield (path, "misplaced", key.text), _finding(key.location, len(key.text), message, (*path, key.text))


def _repetition(path: Path, root: Mapping) -> SchemaFinding:
    """The second of two equal items in a list."""
    items = node_at(root, path)
    assert isinstance(items, Sequence)
    seen: list[object] = []
    for index, item in enumerate(items.items):
        value = plain(item)
        if value in seen:
            message = wording.repetition(wording.field(root, path), value)
            return _finding(item.location, _length(item), message, (*path, index))
        seen.append(value)
    raise AssertionError(path)


def _parent(root: Mapping, path: Path) -> tuple[Location, int]:
    """The place of what holds the node at ``path``: its key, or the item itself in a list."""
    if path and isinstance(path[-1], str):
        parent = node_at(root, path[:-1])
        key = parent.key(path[-1]) if isinstance(parent, Mapping) else None
        if key is not None:
            return key.location, len(key.text)
    return node_at(root, path).location, 1


def _length(node: Node) -> int:
    return max(1, len(node.text)) if isinstance(node, Scalar) and len(node.segments) <= 1 else 1


def _finding(where: Location, length: int, message: str, dropped: Path | None) -> SchemaFinding:
    return SchemaFinding(_diagnostic(where, length, message), dropped)


def _diagnostic(where: Location, length: int, message: str) -> Diagnostic:
    return Diagnostic(where, Severity.ERROR, RULE, message, length=length)


ESSENTIAL = frozenset({"id", "kind", "status"})
"""Without these there is no record."""

_ENTRIES = frozenset(
    {
        *("symbols", "formulas", "points", "figures", "claims", "hardware_parameters", "corrections", "history"),
        *("suppress", "data", "peak_flops", "aliases", "sources", "affected_by_hardware", "mixers", "feed_forwards"),
    }
)
"""Sections whose entries stand on their own: a fault in one leaves the others."""


def entry_of(path: Path) -> Path:
    """The smallest part around ``path`` that can be left out: an entry of a section, or a whole field."""
    if len(path) >= 3 and path[1] == "disputed":
        return path[:3]
    if path and path[0] == "disputed":
        return path[:3]
    return path[:2] if path and path[0] in _ENTRIES else path[:1]


def without(root: Mapping, dropped: Collection[Path]) -> Mapping:
    """The tree without the nodes at the dropped paths (keys and, of lists, indexes); places stay as they were."""
    if not dropped:
        return root
    pruned = _without(root, (), frozenset(dropped))
    assert isinstance(pruned, Mapping)
    return pruned


def _without(node: Node, path: Path, dropped: frozenset[Path]) -> Node:
    if isinstance(node, Mapping):
        kept = [(key, value, (*path, key.text)) for key, value in node.entries]
        return Mapping(node.location, tuple((k, _without(v, p, dropped)) for k, v, p in kept if p not in dropped))
    if isinstance(node, Sequence):
        items = [(item, (*path, index)) for index, item in enumerate(node.items)]
        return Sequence(node.location, tuple(_without(item, p, dropped) for item, p in items if p not in dropped))
    return node


def node_at(root: Node, path: Path) -> Node:
    """The node at ``path``, which must exist."""
    for step in path:
        match root:
            case Mapping():
                found = root.get(str(step))
            case Sequence():
                found = root.items[int(step)]
            case _:
                found = None
        if found is None:
            raise KeyError(path)
        root = found
    return root
