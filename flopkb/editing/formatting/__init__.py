"""The usual form of a record's file: order of keys, wrapping, style of numbers, blanks. It never changes what is said.

result = formatted(document)
result.source    the file's new text; the old one where ``result.left`` says why it was left alone
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from flopkb.base.document import Document
from flopkb.base.loading import load_text
from flopkb.base.schema.files import kind_schema
from flopkb.base.schema.validate import kind_of
from flopkb.editing.formatting.flows import WIDTH, flow_changes
from flopkb.editing.formatting.meaning import same_meaning
from flopkb.editing.formatting.numbers import Change, number_changes
from flopkb.editing.formatting.order import in_schema_order
from flopkb.editing.formatting.spacing import spacing_changes, without_stray_blanks
from flopkb.editing.formatting.spans import Spans

__all__ = ["WIDTH", "Formatted", "formatted"]

_MARK = "\ufeff"
_ROUNDS = 5
"""One round brings a file into its form; more are for what one step makes possible for an earlier one."""


@dataclass(frozen=True, slots=True)
class Formatted:
    """The text of a file in the usual form; ``left`` says why a file was left as it was."""

    source: str
    left: str = ""


def formatted(document: Document) -> Formatted:
    """The file of a record in the usual form, with its byte order mark and its line ends."""
    kind = kind_of(document)
    if kind is None:
        return Formatted(document.source, "it is no record: it has no `kind` that flopkb knows")
    start = _loaded(document.source.removeprefix(_MARK), document.path)
    if start is None or start.source[:1] == "{":
        return Formatted(document.source, "the whole of it stands in brackets")
    mark = _MARK if document.source.startswith(_MARK) else ""
    now = start
    for _ in range(_ROUNDS):
        after = _round(now)
        if after is None or not same_meaning(start, after, kind_schema(kind)):
            return Formatted(document.source, "another form of it might not mean the same")
        if after.source == now.source:
            break
        now = after
    return Formatted(mark + now.source)


def _round(document: Document) -> Document | None:
    """Each step once; None where one of them gives what cannot be read."""
    now = document
    for step in _STEPS:
        source = step(now)
        after = now if source == now.source else _loaded(source, now.path)
        if after is None:
            return None
        now = after
    return now


def _loaded(source: str, path: str) -> Document | None:
    found = load_text(source, path)
    return found if isinstance(found, Document) else None


def _ended(document: Document) -> str:
    """The source with a newline at its end."""
    source = document.source
    return source if source.endswith("\n") else source + newline_of(source)


def _numbers(document: Document) -> str:
    return _changed(document.source, number_changes(document, Spans(document)))


def _flows(document: Document) -> str:
    kind = kind_of(document)
    assert kind is not None, "only records come here"
    spans = Spans(document)
    return _changed(document.source, flow_changes(document.root, kind_schema(kind), spans, newline_of(document.source)))


def _spacing(document: Document) -> str:
    return _changed(document.source, spacing_changes(document.root, Spans(document)))


_STEPS: tuple[Callable[[Document], str], ...] = (
    _ended,
    _spacing,
    without_stray_blanks,
    _numbers,
    _flows,
    in_schema_order,
)


def _changed(source: str, changes: Iterable[Change]) -> str:
    """The source with all changes made; none of them overlap."""
    pieces, at = [], 0
    for start, end, text in sorted(changes):
        pieces += [source[at:start], text]
        at = end
    return "".join([*pieces, source[at:]])


def newline_of(source: str) -> str:
    """The line end that most lines of a file have."""
    return "\r\n" if 2 * source.count("\r\n") > source.count("\n") else "\n"
