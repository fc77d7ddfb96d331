"""An import into a record that is there: what differs from it, and its text with the values brought up to date.

Only the bytes of values that differ change, and the lines of fields that come or go: comments, prose and links stand.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction

from flopkb.arithmetic.diagnostics import Diagnostic, Location, Severity
from flopkb.arithmetic.formula import FormulaError, evaluate, parse
from flopkb.base.document import Document, Mapping, Node, Plain, Scalar, Sequence, plain
from flopkb.base.writing import Change, spliced
from flopkb.editing.fmt.nodes import Spans
from flopkb.editing.hf_config.naming import renamed

RULE = "import"
"""The rule under which everything about an import is reported."""

OWN = frozenset(
    {
        "id",
        "kind",
        "name",
        "aliases",
        "status",
        "confidence",
        "updated",
        "developer",
        "config_source",
        "sources",
        "num_parameters",
        "num_active_parameters",
        "disputed",
        "notes",
        "history",
        "suppress",
        "renamed_to",
        "superseded_by",
        "state_dtype",
        "conv_dtype",
    }
)
"""The fields of a record that an import leaves alone."""

_PARTS = ("mixers", "feed_forwards")


@dataclass(frozen=True, slots=True)
class _Difference:
    """A place where the record does not say what the config says: what stands there, and what would."""

    path: tuple[str, ...]
    at: Location
    old: Node | None
    new: Node | None


def differences(record: Document, wanted: Document, config: Mapping) -> list[Diagnostic]:
    """Each difference between a record and what its config gives, at its place in the record."""
    found = _differences(record.root, renamed(record, wanted).root, (), record.root.location)
    return [_told(one) for one in found if not _also_said(one, config)]


def merged(record: Document, wanted: Document, config: Mapping) -> str:
    """The text of the record with what the config gives."""
    target = renamed(record, wanted)
    old, new = Spans(record), Spans(target)
    changes: list[Change] = []
    for one in _differences(record.root, target.root, (), record.root.location):
        if one.new is not None or (len(one.path) > 1 and not _also_said(one, config)):
            changes.append(_change(one, record, target, old, new))
    return spliced(record.source, changes)


def left_over(record: Document, wanted: Document, config: Mapping) -> list[str]:
    """The fields of the whole model that stand in the record, and of which the config says nothing."""
    found = _differences(record.root, renamed(record, wanted).root, (), record.root.location)
    return [one.path[0] for one in found if one.new is None and len(one.path) == 1 and not _also_said(one, config)]


def _differences(old: Mapping, new: Mapping, path: tuple[str, ...], at: Location) -> Iterator[_Difference]:
    for key, value in new:
        there = old.get(key.text)
        here = (*path, key.text)
        if not path and key.text in OWN:
            continue
        if there is None:
            yield _Difference(here, at, None, value)
        elif isinstance(there, Mapping) and isinstance(value, Mapping) and _descends(here):
            name = old.key(key.text)
            yield from _differences(there, value, here, name.location if name is not None else at)
        elif not _same(there, value):
            yield _Difference(here, there.location, there, value)
    for key, value in old:
        if new.get(key.text) is None and not (not path and key.text in OWN):
            yield _Difference((*path, key.text), key.location, value, None)


def _descends(path: tuple[str, ...]) -> bool:
    """Whether a mapping here is compared key by key: parts and their fields, the keys of the config."""
    return (path[0] in _PARTS and len(path) <= 2) or path == ("config_keys",)


def _same(old: Node, new: Node) -> bool:
    """Whether two nodes say the same, whatever stands behind each."""
    one, other = _value(old), _value(new)
    if isinstance(one, Scalar) and isinstance(other, Scalar):
        return _number(one) == _number(other)
    return not isinstance(one, Scalar) and not isinstance(other, Scalar) and plain(one) == plain(other)


def _value(node: Node) -> Node:
    """The value itself, where it stands with its basis."""
    inner = node.get("value") if isinstance(node, Mapping) else None
    return inner if inner is not None else node


def _number(node: Scalar) -> Plain:
    """The value of a scalar; of arithmetic, what it comes to."""
    if isinstance(node.value, str) and node.text[:1].isdigit():
        try:
            return evaluate(parse(node.text), _no_name)
        except (FormulaError, KeyError):
            return node.value
    return node.value


def _no_name(name: object) -> Fraction:
    raise KeyError(name)


def _also_said(one: _Difference, config: Mapping) -> bool:
    """Whether a field that an import does not write stands in the config with the same name and value."""
    there = config.get(one.path[-1])
    return one.new is None and one.old is not None and there is not None and _same(one.old, there)


def _told(one: _Difference) -> Diagnostic:
    name = ".".join(one.path)
    if one.old is None:
        message = f"`{name}` is missing, and the config gives {_shown(one.new)}: import it again"
    elif one.new is None:
        message = f"`{name}` stands here, and the config says nothing of it: take it out, or write where it is from"
    else:
        message = f"`{name}` is {_shown(one.old)} here, and {_shown(one.new)} by the config: import it again"
    return Diagnostic(one.at, Severity.ERROR, RULE, message)


def _shown(node: Node | None) -> str:
    value = _value(node) if node is not None else None
    if isinstance(value, Scalar):
        return value.text
    return "another list" if isinstance(value, Sequence) else "a description"


def _change(one: _Difference, record: Document, target: Document, old: Spans, new: Spans) -> Change:
    """The bytes that bring one place up to date."""
    if one.old is None:
        return _insertion(one, record, target, old, new)
    if one.new is None:
        return _removal(one.path, record, old)
    was, now = _value(one.old), _value(one.new)
    if isinstance(was, Scalar) and isinstance(now, Scalar) and not isinstance(one.new, Mapping):
        return old.start(was), old.end(was), new.written(now)
    if (isinstance(one.old, Scalar) or old.is_flow(one.old)) and (isinstance(one.new, Scalar) or new.is_flow(one.new)):
        return old.start(one.old), old.end(one.old), new.written(one.new)
    start, end = _lines_of(one.path, record.root, old)
    return start, end, _block(one.path, target, new, 0)


def _insertion(one: _Difference, record: Document, target: Document, old: Spans, new: Spans) -> Change:
    """A field that comes, behind the one before it that the record has too."""
    holder, source = _holder(record.root, one.path), _holder(target.root, one.path)
    if old.is_flow(holder):
        at = old.end(holder) - 1
        return at, at, f", {one.path[-1]}: {_flow(one.new)}"
    before = None
    for key, _ in source:
        if key.text == one.path[-1]:
            break
        before = key.text if holder.get(key.text) is not None else before
    first = holder.entries[0][0]
    column = old.column(first)
    if before is None:
        at = old.places.starts[old.line(old.start(first))]
        return at, at, _block(one.path, target, new, column - _column(one.path, target, new))
    _, end = _lines_of((*one.path[:-1], before), record.root, old)
    text = _block(one.path, target, new, column - _column(one.path, target, new))
    return end, end, text if end == 0 or record.source[end - 1] == "\n" else f"\n{text}"


def _removal(path: tuple[str, ...], record: Document, old: Spans) -> Change:
    holder = _holder(record.root, path)
    if not old.is_flow(holder):
        return (*_lines_of(path, record.root, old), "")
    names = [key.text for key, _ in holder]
    index = names.index(path[-1])
    if index == 0:
        end = old.start(holder.entries[1][0]) if len(names) > 1 else old.end(holder.entries[0][1])
        return old.start(holder.entries[0][0]), end, ""
    return old.end(holder.entries[index - 1][1]), old.end(holder.entries[index][1]), ""


def _holder(root: Mapping, path: tuple[str, ...]) -> Mapping:
    """The mapping that holds the last key of a path."""
    found: Node = root
    for key in path[:-1]:
        inner = found.get(key) if isinstance(found, Mapping) else None
        assert inner is not None, path
        found = inner
    assert isinstance(found, Mapping), path
    return found


def _lines_of(path: tuple[str, ...], root: Mapping, spans: Spans) -> tuple[int, int]:
    """The lines of an entry, from the start of the first to behind the newline of the last."""
    holder = _holder(root, path)
    name, value = next((key, value) for key, value in holder if key.text == path[-1])
    start = spans.places.starts[spans.line(spans.start(name))]
    end = spans.source.find("\n", spans.end(value))
    return start, len(spans.source) if end < 0 else end + 1


def _column(path: tuple[str, ...], target: Document, new: Spans) -> int:
    return new.column(_holder(target.root, path).entries[0][0])


def _block(path: tuple[str, ...], target: Document, new: Spans, shift: int) -> str:
    """The lines of an entry of the wanted record, moved by some columns."""
    start, end = _lines_of(path, target.root, new)
    lines = target.source[start:end].splitlines(keepends=True)
    move: Callable[[str], str] = (lambda line: " " * shift + line) if shift >= 0 else (lambda line: line[-shift:])
    return "".join(move(line) for line in lines)


def _flow(node: Node | None) -> str:
    """A node in brackets."""
    if isinstance(node, Mapping):
        return f"{{{', '.join(f'{key.text}: {_flow(value)}' for key, value in node)}}}"
    if isinstance(node, Sequence):
        return f"[{', '.join(_flow(item) for item in node)}]"
    return node.text if node is not None else ""
