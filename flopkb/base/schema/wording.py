"""Sentences about what a schema finds: the field, what is wrong, what to write. None is longer than 300 characters."""

from __future__ import annotations

import re
from collections.abc import Iterable
from collections.abc import Mapping as MappingType
from fractions import Fraction
from typing import Any, Protocol

from flopkb.arithmetic.diagnostics import on_one_line, shortened
from flopkb.base.document import Mapping, Node, Scalar, Sequence
from flopkb.base.faults import nearest


class Violation(Protocol):
    """What these sentences need of an error of jsonschema, which only ``validate.py`` imports."""

    validator: str
    validator_value: Any
    instance: Any
    schema: Any


LONGEST = 299
"""Messages are cut at this many characters."""

_LONGEST_EXAMPLE = 80
"""Longer examples are left out of sentences."""

_NUMBER = re.compile(r"[-+]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]+)?", re.ASCII)


def field(root: Mapping, path: Iterable[str | int]) -> str:
    """A path as a person names it: ``figures.gap.with``; an item of a list by its ``id`` where it has one."""
    name = ""
    node: Node | None = root
    for step in path:
        if isinstance(node, Mapping):
            node = node.get(str(step))
            name += f".{step}" if name else str(step)
        else:
            node = node.items[int(step)] if isinstance(node, Sequence) else None
            label = node.get("id") if isinstance(node, Mapping) else None
            name += f".{label.text}" if isinstance(label, Scalar) else f"[{step}]"
    return on_one_line(name, 90)


def shown(value: object) -> str:
    """A value in a sentence; lists and mappings are named, never written out."""
    if value is None:
        return "empty"
    if isinstance(value, bool):
        return f"`{str(value).lower()}`"
    if isinstance(value, str):
        return f"`{on_one_line(value, 40)}`" if value.strip() else "blank"
    if isinstance(value, (list, dict)):
        return "a list" if isinstance(value, list) else "a mapping"
    return f"`{on_one_line(str(value), 40)}`"


def _sentence(message: str) -> str:
    return shortened(message, LONGEST)


def choice(where: str, found: object, known: Iterable[str]) -> str:
    """A word that is none of a closed list."""
    known = list(known)
    close = nearest(found, known) if isinstance(found, str) else None
    if close:
        return _sentence(f"`{where}` is {shown(found)}; did you mean `{close}`?")
    names = ", ".join(known) if len(known) <= 15 else ", ".join(known[:15]) + ", …"
    return _sentence(f"`{where}` is {shown(found)}: write one of {names}")


def value(where: str, error: Violation, node: Node) -> str:
    """A value of the wrong type, form or size."""
    assert isinstance(error.schema, dict)
    wanted = error.schema.get("errorMessage") or error.schema.get("wanted", "write what its description asks for")
    found = error.instance
    if error.validator == "enum" or (error.validator == "type" and "enum" in error.schema):
        return choice(where, found, error.schema["enum"])
    if found is None:
        return _sentence(f"`{where}` is empty: fill in {hint(error.schema)}")
    if _quoted_number(found, error.schema, node):
        return _sentence(f"`{where}` is a number in quotes: remove the quotes around {shown(found)}")
    if isinstance(node, Scalar) and _unquoted(found, error.schema, node):
        return _sentence(f"`{where}` is `{on_one_line(node.text, 40)}`, which is no text: put it in quotes")
    if isinstance(node, Scalar) and isinstance(found, (int, Fraction)) and not isinstance(found, bool):
        return _sentence(f"`{where}` is `{on_one_line(node.text, 40)}`: {wanted}")
    if error.validator in ("minItems", "maxItems", "minProperties"):
        size = len(found)
        return _sentence(f"`{where}` has {size or 'no'} {'entry' if size == 1 else 'entries'}: {wanted}")
    if error.validator == "pattern" and isinstance(found, str) and found.endswith("\n"):
        return _sentence(f"`{where}` ends with a newline: write it on one line, without `|`")
    return _sentence(f"`{where}` is {_kind(found, error)}: {wanted}")


def hint(schema: MappingType[str, Any]) -> str:
    """What goes where a part of a schema applies, in the words of its description, with an example if it is short."""
    first = re.split(r"(?<=[^.])\.(?:\s|$)", str(schema.get("description", "what its name says")), maxsplit=1)[0]
    words = first[0].lower() + first[1:] if first[1:2].islower() or first[1:2] == " " else first
    if "enum" in schema:
        return f"{words}: {', '.join(schema['enum'])}"
    written = _flow((schema.get("examples") or [""])[0])
    return f"{words}, such as `{written}`" if 0 < len(written) < _LONGEST_EXAMPLE else words


def _kind(found: object, error: Violation) -> str:
    if isinstance(found, str) and error.validator in ("maxLength",):
        return f"{len(found)} characters long"
    return shown(found)


def _quoted_number(found: object, schema: MappingType[str, Any], node: Node) -> bool:
    kinds = schema.get("type", ())
    numeric = bool({"number", "integer"} & ({kinds} if isinstance(kinds, str) else set(kinds)))
    quoted = isinstance(node, Scalar) and node.style.value.endswith("quoted")
    return numeric and quoted and isinstance(found, str) and _NUMBER.fullmatch(found.strip()) is not None


def _unquoted(found: object, schema: MappingType[str, Any], node: Scalar) -> bool:
    """Whether quotes are all that is missing for a text."""
    textual = schema.get("type") == "string" and "on one line" in schema.get("errorMessage", "")
    return textual and not isinstance(found, str) and re.search(schema.get("pattern", ""), node.text) is not None


def name(where: str, key: str, error: Violation) -> str:
    """A key that is no proper name in a mapping whose keys are free."""
    assert isinstance(error.schema, dict)
    if error.validator == "enum":
        known = error.schema["enum"]
        return unknown_key(where, key, nearest(key, known), known)
    return _sentence(
        f"`{on_one_line(key, 40)}` is no name for an entry of `{where}`: {error.schema.get('errorMessage', '')}"
    )


def meant(unknown: str, known: Iterable[str], mapping: Mapping) -> str | None:
    """The known key that an unknown one was meant to be: the nearest that is not there already."""
    return nearest(unknown, [key for key in known if mapping.get(key) is None]) or nearest(unknown, known)


def unknown_key(where: str, key: str, close: str | None, known: Iterable[str]) -> str:
    """A key that the schema does not have."""
    place = f" in `{where}`" if where else ""
    if close:
        return _sentence(f"unknown key `{on_one_line(key, 40)}`{place}; did you mean `{close}`?")
    return _sentence(f"unknown key `{on_one_line(key, 40)}`{place}: remove it, or use one of {', '.join(known)}")


def missing_key(where: str, key: str, schema: MappingType[str, Any]) -> str:
    """A required key that is not there."""
    place = f" in `{where}`" if where else ""
    return _sentence(f"missing key `{key}`{place}: add it{_example(key, schema)}")


def _example(key: str, schema: MappingType[str, Any]) -> str:
    examples = schema.get("enum") or schema.get("examples") or [None]
    written = _flow(examples[0])
    return f", such as `{key}: {written}`" if examples[0] is not None and len(written) < _LONGEST_EXAMPLE else ""


def _flow(value: object) -> str:
    """A value of a schema's example as YAML on one line."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {_flow(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_flow, value)) + "]"
    if isinstance(value, str) and (_NUMBER.fullmatch(value) or "," in value or ":" in value):
        return f'"{value}"'
    return str(value).lower() if isinstance(value, bool) else str(value)


def one_too_many(where: str, first: str, second: str) -> str:
    """Two keys of which only one may be there."""
    return _sentence(f"`{second}` beside `{first}`{f' in `{where}`' if where else ''}: keep one of them")


def none_of(where: str, group: Iterable[str]) -> str:
    """None of the keys of which one must be there."""
    return _sentence(f"{f'`{where}`' if where else 'the record'} needs one of {', '.join(group)}: add one")


def lonely(where: str, key: str, other: str, schema: MappingType[str, Any]) -> str:
    """A key that needs another beside it."""
    return _sentence(f"`{key}` in `{where}` needs `{other}` beside it: add it{_example(other, schema)}")


def misplaced(where: str, key: str, beside: str) -> str:
    """A key without meaning beside another."""
    return _sentence(f"`{key}` has no meaning beside `{beside}` in `{where}`: remove one of them")


def repetition(where: str, value: object) -> str:
    """A list that holds one thing twice."""
    what = "an equal entry" if isinstance(value, (list, dict)) else shown(value)
    return _sentence(f"{what} stands in `{where}` already: remove it")


def stranded(field_name: str) -> str:
    """A disputed value of a field that the record does not have."""
    return f"`disputed.{field_name}` disputes nothing: add `{field_name}` with the value that stands, or remove this"
