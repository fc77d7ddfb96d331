"""A data file as a tree: JSON, YAML, TOML and XML read whole, each number kept as it is written (a leaf but for YAML).

A tree is a dict, a list, or a leaf: text, a number as text, true or false, null. XML elements are dicts of their
attributes (``@name``) and children, so that one way of steps leads through all of them. Entities of XML beyond the
usual five, duplicate keys and what YAML may not hold in a record are refused. JSON is read by Python's own decoder,
since results may fill megabytes and no place in them is reported (that of ``loading/json_text.py`` knows every place).
"""

from __future__ import annotations

import gc
import json
import re
from collections.abc import Callable, Mapping
from typing import Any

from flopkb.base.document import Mapping as MappingNode
from flopkb.base.document import Node, Scalar, Sequence
from flopkb.base.loading import parse_fragment


class NumberText(str):
    """A number as the file writes it."""

    __slots__ = ()


class Element(dict[str, "Tree"]):
    """An element of XML: its attributes under ``@name``, its children by name (a list of those that share one)."""

    __slots__ = ("text",)

    def __init__(self) -> None:
        super().__init__()
        self.text = ""


Tree = dict[str, "Tree"] | list["Tree"] | str | bool | None
"""What a data file holds."""

NUMBER = re.compile(r"[-+]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]{1,3})?", re.ASCII)
"""A number as data files write it."""

GROUPED = re.compile(r"[-+]?[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]+)?", re.ASCII)
"""A text that is a number with its digits in groups, as spreadsheets write it: ``1,234``."""


def plain_number(leaf: Tree) -> str | None:
    """The digits of a leaf that is a number, or a text of digits in groups; None for anything else."""
    if isinstance(leaf, NumberText):
        return leaf
    return leaf.replace(",", "") if isinstance(leaf, str) and GROUPED.fullmatch(leaf) else None


_NUMERIC = frozenset("+-.0123456789")


class Unreadable(ValueError):
    """A file that cannot be read in its format; the text says where and why."""


def number_or_text(text: str) -> str:
    """A leaf of a format without types: a number where all of it is one."""
    return NumberText(text) if text[:1] in _NUMERIC and NUMBER.fullmatch(text) else text


def _object(pairs: list[tuple[str, Tree]]) -> Tree:
    found = dict(pairs)
    if len(found) < len(pairs):
        seen: set[str] = set()
        twice = next(key for key, _ in pairs if key in seen or seen.add(key))  # type: ignore[func-returns-value]
        raise Unreadable(f"the key {twice[:60]} is given twice in one object")
    return found


_DECODER = json.JSONDecoder(
    object_pairs_hook=_object, parse_float=NumberText, parse_int=NumberText, parse_constant=NumberText
)


def read_json(text: str) -> Tree:
    """JSON; NaN and infinities are read, and refused where a number is asked for."""
    collecting = gc.isenabled()
    gc.disable()  # nothing that is made here is garbage, and looking for some takes twice as long as reading
    try:
        return _DECODER.decode(text)  # type: ignore[no-any-return]
    except json.JSONDecodeError as error:
        raise Unreadable(f"it is no JSON: {error.msg} in line {error.lineno}, column {error.colno}") from None
    except RecursionError:
        raise Unreadable("its JSON is nested too deep") from None
    finally:
        if collecting:
            gc.enable()


def read_yaml(text: str) -> Tree:
    """YAML, by the reader of records."""
    root = parse_fragment(text, "", 1, 1)
    if isinstance(root, list):
        where = root[0].location if root else None
        reason = f"{root[0].message} (line {where.line}, column {where.column})" if where else "it is empty"
        raise Unreadable(f"it is no YAML that flopkb reads: {reason}")
    return _of_node(root)


def _of_node(node: Node) -> Tree:
    if isinstance(node, MappingNode):
        return {key.text: _of_node(value) for key, value in node.entries}
    if isinstance(node, Sequence):
        return [_of_node(item) for item in node.items]
    return _of_scalar(node)


def _of_scalar(node: Scalar) -> Tree:
    if isinstance(node.value, bool) or node.value is None:
        return node.value
    if isinstance(node.value, str):
        return node.value
    return NumberText(node.text if NUMBER.fullmatch(node.text) else str(node.value))


def read_toml(text: str) -> Tree:
    """TOML; dates are texts."""
    import tomllib

    try:
        return _of_toml(tomllib.loads(text, parse_float=NumberText))
    except tomllib.TOMLDecodeError as error:
        raise Unreadable(f"it is no TOML: {error}") from None
    except RecursionError:
        raise Unreadable("its TOML is nested too deep") from None


def _of_toml(value: Any) -> Tree:
    if isinstance(value, dict):
        return {key: _of_toml(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_of_toml(item) for item in value]
    if isinstance(value, (str, bool)):
        return value
    return NumberText(value) if isinstance(value, int) else str(value)


def read_xml(text: str) -> Tree:
    """XML, without anything that it refers to: a document type is passed over, entities of its own are refused."""
    from xml.parsers import expat

    reader = _XmlReader()
    parser = expat.ParserCreate()
    parser.buffer_text = True
    parser.StartElementHandler, parser.EndElementHandler = reader.start, reader.end
    parser.CharacterDataHandler, parser.EntityDeclHandler = reader.data, reader.entity
    try:
        parser.Parse(text.encode("utf-8"), True)
    except expat.ExpatError as error:
        reason = f"{expat.ErrorString(error.code)} in line {error.lineno}, column {error.offset + 1}"
        raise Unreadable(f"it is no XML: {reason}") from None
    return reader.root


class _XmlReader:
    """Collects the elements of one document."""

    def __init__(self) -> None:
        self.root: Element = Element()
        self.open = [self.root]
        self.names: list[str] = []

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        if len(self.open) > 200:
            raise Unreadable("its XML is nested too deep")
        element = Element()
        for key, value in attributes.items():
            element[f"@{_local(key)}"] = number_or_text(value.strip())
        self.open.append(element)
        self.names.append(_local(name))

    def end(self, _: str) -> None:
        element, name = self.open.pop(), self.names.pop()
        held = self.open[-1]
        before = held.get(name)
        if before is None:
            held[name] = element
        elif isinstance(before, list):
            before.append(element)
        else:
            held[name] = [before, element]

    def data(self, text: str) -> None:
        self.open[-1].text += text

    def entity(self, *_: object) -> None:
        raise Unreadable("it declares entities of its own, which are not expanded; remove them")


def _local(name: str) -> str:
    """A name without its prefix."""
    return name.rpartition(":")[2]


TREES: Mapping[str, Callable[[str], Tree]] = {
    "json": read_json,
    "yaml": read_yaml,
    "toml": read_toml,
    "xml": read_xml,
}
"""The formats that are read whole."""
