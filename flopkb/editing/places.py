"""Every number in some data files with the path to it and the words on the way: what a first link could point at."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from flopkb.arithmetic.units import Unit, parse_unit
from flopkb.base.data.numbers import DataNumber, NoNumber, number_of, unit_of_key
from flopkb.base.data.records import labelled
from flopkb.base.data.trees import NUMBER, Element, Tree

MOST = 50_000
"""So many numbers of a file are looked at."""

_WORD = re.compile(r"[a-z]+|[0-9]+(?:\.[0-9]+)?")
_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_KNOWN_UNITS = (
    (re.compile(r"(?:^|\.)benchmarks\[.*\]\.stats\.(?:min|max|mean|stddev|median|iqr|q1|q3)$"), "s"),
    (re.compile(r"(?:^|\.)results\[command=.*\]\.(?:mean|stddev|median|user|system|min|max)$"), "s"),
    (re.compile(r"(?:^|\.)(?:mean|median|slope|std_dev|median_abs_dev)\.point_estimate$"), "ns"),
)
"""The units of pytest-benchmark, hyperfine and criterion, whose keys do not name them."""


@dataclass(frozen=True, slots=True)
class DataPlace:
    """A number of ``file`` (as it is named in the document) at the path ``at``, reached by ``words``.

    ``plain`` says that plain keys lead to it; ``sure`` that its unit is known, and not taken from the text that quotes it.
    """

    file: str
    at: str
    number: DataNumber
    words: frozenset[str]
    plain: bool
    sure: bool = True

    @property
    def unit(self) -> Unit:
        """The unit that it counts in."""
        return parse_unit(self.number.unit)

    @property
    def value(self) -> Fraction:
        """The exact value, in base units."""
        return self.number.value * self.unit.scale

    @property
    def said(self) -> bool:
        """Whether the file itself says the unit: by the key's ending, or in the text; ``unit:`` declares any other."""
        written = NUMBER.fullmatch(self.number.text) is None
        return (self.sure and written) or self.number.unit in ("1", unit_of_key(self.key))

    @property
    def key(self) -> str:
        """The last key on the way."""
        return re.split(r"[.\[\]@\"]+", self.at.rstrip('"]'))[-1]


def words_in(text: str) -> frozenset[str]:
    """The words and numbers of a text, in lower case; those of ``newModel2`` are new, model and 2."""
    parted = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", text)
    return frozenset(word for word in _WORD.findall(parted.lower()) if len(word) > 1 or word.isdigit())


def places_in(tree: Tree, file: str, *, rows: bool = False) -> Iterator[DataPlace]:
    """The numbers of a tree, in the order of the file; of a table its rows are the items."""
    for count, place in enumerate(_walk(tree, file, "", words_in(file.rpartition("/")[2]), plain=not rows)):
        if count >= MOST:
            return
        yield place


def _walk(node: Tree, file: str, at: str, words: frozenset[str], *, plain: bool) -> Iterator[DataPlace]:
    if isinstance(node, list):
        for step, item in steps_to(node):
            yield from _walk(item, file, f"{at}{step}", words | words_in(step), plain=False)
        return
    if isinstance(node, dict) and not (isinstance(node, Element) and not node):
        for key, below in node.items():
            simple = _PLAIN.fullmatch(key) is not None
            step = key if key.startswith("@") or simple else '"' + key.replace("\\", "\\\\").replace('"', '\\"') + '"'
            joined = f"{at}{step}" if not at or key.startswith("@") else f"{at}.{step}"
            yield from _walk(below, file, joined, words | words_in(key), plain=plain and simple)
        return
    try:
        number = number_of(node, known_unit(at))
    except NoNumber:
        return
    yield DataPlace(file, at, number, words, plain, number.unit != "1")


def known_unit(at: str) -> str | None:
    """The unit that a path is known to lead to."""
    found = next((unit for pattern, unit in _KNOWN_UNITS if pattern.search(at)), None)
    key = at.rpartition(".")[2].rpartition("@")[2].strip('"')
    percent = "%" if words_in(key) & {"pct", "percent", "percentage"} else None
    return found or unit_of_key(key) or percent


def steps_to(items: Sequence[Tree]) -> Iterator[tuple[str, Tree]]:
    """The step to each item of a list: by the texts that tell it from the others, else by its place."""
    keys = labelled(items)
    for place, item in enumerate(items):
        if keys and isinstance(item, dict):
            yield "".join(f"[{key}={_value(str(item[key]))}]" for key in keys), item
        else:
            yield f"[{place}]", item


def _value(text: str) -> str:
    """A value in a step, in quotes where it has to be."""
    if re.fullmatch(r"[A-Za-z0-9_.+-]+", text):
        return text
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
