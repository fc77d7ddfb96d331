"""The path to a value in a data file: ``benchmarks[name="test_new[1]"].stats.mean``, as steps (a leaf).

``.key`` and ``."any key"`` go to a key, ``[0]`` to an item (``[-1]`` is the last), ``[field=value]`` to the one item
whose field has the value (or ``!=``, ``<``, ``<=``, ``>``, ``>=``; several in a row must hold together), ``[*]`` to every
item (behind fields: to every item that has them, as ``[-1]`` there is the last of those), ``@attribute`` to an attribute.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

_QUOTED = r'"(?:[^"\\]|\\.)*"'
_STEP = re.compile(
    rf"\.?(?P<quoted>{_QUOTED})"
    r"|\.?(?P<key>[^.\[\]@\"\s](?:[^.\[\]@\"]*[^.\[\]@\"\s])?)"
    r"|\[(?P<index>-?[0-9]{1,9})\]"
    r"|\[(?P<each>\*)\]"
    rf"|\[\s*(?P<field>{_QUOTED}|[^\]=<>!\"]*?)\s*(?P<op>[<>!]=|[=<>])\s*(?P<value>{_QUOTED}|[^\]\"]*?)\s*\]"
    r"|@(?P<attribute>[^.\[\]@\"\s=]+)"
)
_ESCAPED = re.compile(r"\\(.)")
LONGEST = 1000
"""A path may have this many characters."""


@dataclass(frozen=True, slots=True)
class KeyStep:
    """To the value of a key (of XML: to an element, or with ``@`` to an attribute)."""

    key: str

    def __str__(self) -> str:
        return self.key


@dataclass(frozen=True, slots=True)
class IndexStep:
    """To the item at a position, from 0; from the end where it is negative."""

    index: int

    def __str__(self) -> str:
        return f"[{self.index}]"


@dataclass(frozen=True, slots=True)
class EachStep:
    """To every item."""

    def __str__(self) -> str:
        return "[*]"


@dataclass(frozen=True, slots=True)
class FieldTest:
    """A field of an item against a value: the same (as text, or as a number), not the same, or a number's order."""

    field: str
    op: str
    value: str

    def __str__(self) -> str:
        return f"{self.field}{self.op}{self.value}"


@dataclass(frozen=True, slots=True)
class MatchStep:
    """To the item in which each of some fields is as tested, or with ``many`` to all such items."""

    fields: tuple[FieldTest, ...]
    many: bool = False
    pick: int | None = None
    """The place among the items that pass, where one of several is meant."""

    def __str__(self) -> str:
        chosen = "[*]" if self.many else "" if self.pick is None else f"[{self.pick}]"
        return "".join(f"[{test}]" for test in self.fields) + chosen

    @property
    def equal(self) -> FieldTest | None:
        """The first test for a value itself, by which items can be looked up."""
        return next((test for test in self.fields if test.op == "="), None)


PathStep = KeyStep | IndexStep | EachStep | MatchStep


@dataclass(frozen=True, slots=True)
class DataPath:
    """The steps of a path, and the path as it is written."""

    text: str
    steps: tuple[PathStep, ...]

    @property
    def last_key(self) -> str:
        """The last key on the way, by whose ending a unit may be known; empty where there is none."""
        return next((step.key for step in reversed(self.steps) if isinstance(step, KeyStep)), "")

    @property
    def several(self) -> bool:
        """Whether it may select several things."""
        return any(isinstance(step, EachStep) or (isinstance(step, MatchStep) and step.many) for step in self.steps)


class PathFault(ValueError):
    """A path that cannot be read: ``offset`` is where, the text says what to write."""

    def __init__(self, reason: str, offset: int) -> None:
        super().__init__(reason)
        self.offset = offset


def read_path(text: str) -> DataPath:
    """The path in ``text``; raises :class:`PathFault`."""
    if len(text) > LONGEST:
        raise PathFault(f"a path of more than {LONGEST} characters; shorten it", LONGEST)
    return DataPath(text, tuple(_joined(_steps(text))))


def _steps(text: str) -> Iterator[PathStep]:
    at = 0
    while at < len(text):
        match = _STEP.match(text, at)
        if match is None or (at and match["key"] and text[at] != "."):
            shown = text[at : at + 20]
            raise PathFault(
                f'`{shown}` is no step of a path; write .key, ."any key", [0], [field=value], [*] or @attribute', at
            )
        yield _step(match)
        at = match.end()


def _step(match: re.Match[str]) -> PathStep:
    if match["index"] is not None:
        return IndexStep(int(match["index"]))
    if match["each"] is not None:
        return EachStep()
    if match["field"] is not None:
        return MatchStep((FieldTest(_plain(match["field"]), match["op"], _plain(match["value"])),))
    if match["attribute"] is not None:
        return KeyStep(f"@{match['attribute']}")
    return KeyStep(_plain(match["quoted"] or match["key"]))


def _plain(text: str) -> str:
    """A key or a value without its quotes."""
    return _ESCAPED.sub(r"\1", text[1:-1]) if text.startswith('"') else text


def _joined(steps: Iterator[PathStep]) -> Iterator[PathStep]:
    """The steps, those on fields that follow each other as one."""
    held: MatchStep | None = None
    for step in steps:
        if isinstance(step, MatchStep):
            held = MatchStep((*held.fields, *step.fields)) if held is not None else step
            continue
        if held is not None and isinstance(step, EachStep):
            yield replace(held, many=True)
        elif held is not None and isinstance(step, IndexStep):
            yield replace(held, pick=step.index)
        elif held is not None:
            yield from (held, step)
        else:
            yield step
        held = None
    if held is not None:
        yield held
