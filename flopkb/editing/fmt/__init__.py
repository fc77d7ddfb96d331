"""The usual form of a record's file: order of keys, wrapping, style of numbers, blanks. It never changes what is said.

result = formatted(document)
result.source    the file's new text; the old one where ``result.left`` says why it was left alone
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from flopkb.base.document import Document, Mapping, Node, Scalar, Style, scalars
from flopkb.base.document import Sequence as ListNode
from flopkb.base.loading import load_text
from flopkb.base.schema.files import SchemaPart, kind_schema
from flopkb.base.schema.validate import kind_of
from flopkb.base.writing import spliced
from flopkb.editing.fmt.layout import flow_changes, in_schema_order
from flopkb.editing.fmt.nodes import Spans, is_prose, ordered, part_of
from flopkb.editing.fmt.style import number_changes, spacing_changes, styled_amount, styled_number, without_stray_blanks

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
    return spliced(document.source, number_changes(document, Spans(document)))


def _flows(document: Document) -> str:
    kind = kind_of(document)
    assert kind is not None, "only records come here"
    spans = Spans(document)
    return spliced(document.source, flow_changes(document.root, kind_schema(kind), spans, newline_of(document.source)))


def _spacing(document: Document) -> str:
    return spliced(document.source, spacing_changes(document.root, Spans(document)))


_STEPS: tuple[Callable[[Document], str], ...] = (
    _ended,
    _spacing,
    without_stray_blanks,
    _numbers,
    _flows,
    in_schema_order,
)


def newline_of(source: str) -> str:
    """The line end that most lines of a file have."""
    return "\r\n" if 2 * source.count("\r\n") > source.count("\n") else "\n"


_COMMENT = re.compile(r"(?:^|(?<=[ \t]))#.*$", re.MULTILINE)


def same_meaning(old: Document, new: Document, part: SchemaPart) -> bool:
    """Whether the new form differs from the old one in nothing but style."""
    return same(old.root, new.root, part) and comments(old) == comments(new)


def same(old: Node, new: Node, part: SchemaPart) -> bool:
    """Whether two nodes hold the same, keys in any order where the schema fixes one."""
    if isinstance(old, Mapping):
        return isinstance(new, Mapping) and _same_mapping(old, new, part)
    if isinstance(old, ListNode):
        if not isinstance(new, ListNode) or len(old.items) != len(new.items):
            return False
        below = part.get("items", {})
        return all(same(a, b, below) for a, b in zip(old.items, new.items, strict=True))
    return isinstance(new, Scalar) and (_same_scalar(old, new) or _newline_added(old, new, part))


def _same_mapping(old: Mapping, new: Mapping, part: SchemaPart) -> bool:
    before, after = list(old.entries), list(new.entries)
    names = [key.text for key, _ in before]
    if [key.text for key, _ in after] not in (names, ordered(names, part)):
        return False
    values = {key.text: value for key, value in after}
    return all(same(value, values[key.text], part_of(part, key.text)) for key, value in before)


def _same_scalar(old: Scalar, new: Scalar) -> bool:
    if old.style is not new.style:
        return False
    if old.text == new.text:
        return True
    if isinstance(old.value, (int, Fraction)) and old.style is Style.PLAIN:
        return old.value == new.value and new.text == styled_number(old.text)
    return isinstance(new.value, str) and new.text == styled_amount(old.text)


def _newline_added(old: Scalar, new: Scalar, part: SchemaPart) -> bool:
    """Whether Markdown at the end of a file got the newline that it lacked."""
    return is_prose(part) and old.style is new.style and new.text == f"{old.text}\n"


def comments(document: Document) -> Counter[str]:
    """The comments of a file, without blanks at their ends."""
    spans, parts, at = Spans(document), [], 0
    for scalar in scalars(document.root):
        parts.append(document.source[at : spans.start(scalar)])
        at = spans.end(scalar)
    rest = ".".join([*parts, document.source[at:]])
    return Counter(match[0].rstrip() for match in _COMMENT.finditer(rest))
