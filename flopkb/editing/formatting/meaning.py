"""Whether two forms of a record say the same: equal values in every place, every comment still there."""

from __future__ import annotations

import re
from collections import Counter
from fractions import Fraction

from flopkb.base.document import Document, Mapping, Node, Scalar, Style
from flopkb.base.document import Sequence as ListNode
from flopkb.base.edits import scalars
from flopkb.base.schema.files import SchemaPart
from flopkb.editing.formatting.numbers import styled_amount, styled_number
from flopkb.editing.formatting.shape import is_prose, ordered, part_of
from flopkb.editing.formatting.spans import Spans

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
    return isinstance(new, Scalar) and (_same_scalar(old, new) or _ended(old, new, part))


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


def _ended(old: Scalar, new: Scalar, part: SchemaPart) -> bool:
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
