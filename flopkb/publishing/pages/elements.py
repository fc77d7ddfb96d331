"""HTML built from elements: every text is escaped where it is put in, so that no caller has to remember to (a leaf)."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable

_VOID = frozenset({"br", "hr", "img", "input", "link", "meta", "wbr"})
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ufffe\uffff]")


class Html(str):
    """Text that is HTML already. A plain ``str`` is a text to be escaped."""

    __slots__ = ()


Child = str | Html | None | Iterable["Child"]
Attribute = str | int | bool | None


def text(value: str) -> Html:
    """A text as HTML; characters that HTML cannot hold become the replacement character."""
    return Html(html.escape(_CONTROL.sub("\ufffd", value), quote=True))


def joined(*children: Child) -> Html:
    """Children one after the other."""
    return Html("".join(map(_written, children)))


def _written(child: Child) -> str:
    if child is None:
        return ""
    if isinstance(child, str):
        return child if isinstance(child, Html) else text(child)
    return "".join(map(_written, child))


def el(tag: str, /, *children: Child, **attributes: Attribute) -> Html:
    """An element. ``class_`` is the class, ``data_key`` is ``data-key``; True is a bare attribute, None is none."""
    opening = f"<{tag}{''.join(_attribute(key, value) for key, value in attributes.items())}>"
    if tag in _VOID:
        return Html(opening)
    return Html(f"{opening}{joined(*children)}</{tag}>")


def _attribute(key: str, value: Attribute) -> str:
    if value is None or value is False:
        return ""
    name = key.rstrip("_").replace("_", "-")
    return f" {name}" if value is True else f' {name}="{text(str(value))}"'


def between(separator: Child, children: Iterable[Child]) -> list[Child]:
    """Children with a separator between each two."""
    found: list[Child] = []
    for child in children:
        found += [separator, child] if found else [child]
    return found
