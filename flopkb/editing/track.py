"""First links of a document: where its numbers stand in data files, as declarations and links that leave its text as it is."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import permutations

from flopkb.arithmetic.numbers import Quoted, RunningQuantity, Verdict, judge, quantity_at, without_count
from flopkb.arithmetic.prose import BareNumber, read_plain
from flopkb.arithmetic.units import ONE, Unit
from flopkb.base.faults import listed
from flopkb.base.link import Passage
from flopkb.base.link.columns import column_unit
from flopkb.base.matching import significant
from flopkb.base.writing import Edit
from flopkb.editing.places import DataPlace, words_in

_FRONT = re.compile(r"\ufeff?---[ \t]*\r?\n(?:.*\r?\n)*?(?P<end>(?:---|\.\.\.)[ \t]*(?:\r?\n|$))")
_MOST_IN_GROUP = 80
_MOST_RATIOS = 400_000
_ENOUGH = 3


@dataclass(frozen=True, slots=True)
class Placed:
    """A number of the document with what it quotes: a place, or (``over``) a ratio of two."""

    passage: Passage = field(repr=False)
    bare: BareNumber
    quantity: RunningQuantity
    place: DataPlace
    over: DataPlace | None = None

    @property
    def words(self) -> frozenset[str]:
        """The words on the way to it."""
        return self.place.words | (self.over.words if self.over is not None else frozenset())


@dataclass(frozen=True, slots=True)
class Tracked:
    """What was found: the numbers that have one place, and those that have none, or several as likely."""

    placed: tuple[Placed, ...]
    missing: tuple[BareNumber, ...]
    doubtful: tuple[tuple[BareNumber, tuple[str, ...]], ...]
    closed: tuple[BareNumber, ...] = ()
    """Those that stand where no link can."""


def tracked(passage: Passage, places: Sequence[DataPlace]) -> Tracked:
    """Where each bare number of a document stands in the data."""
    index = _Index(places)
    placed: list[Placed] = []
    missing: list[BareNumber] = []
    doubtful: list[tuple[BareNumber, tuple[str, ...]]] = []
    closed: list[BareNumber] = []
    for bare in passage.reading.bare:
        quantity = quantity_at(passage.reading.plain, bare.plain_start, bare.plain_end)
        if quantity is None or not quantity.whole or quantity.reading.word is not None:
            continue
        quantity = without_count(quantity, bare.plain_end)
        reading, column = quantity.reading, column_unit(passage.scalar.text, bare.start)
        if column is not None and reading.unit is None:
            reading = replace(reading, unit=column)
        found = [Placed(passage, bare, quantity, *match) for match in index.matches(reading)]
        likely = likeliest(found, surroundings(bare, passage))
        if not passage.reading.takes_link(bare.start, bare.end):
            closed.append(bare)
        elif len(likely) == 1:
            placed.append(likely[0])
        elif found:
            doubtful.append((bare, tuple(dict.fromkeys(f"{each.place.at} in {each.place.file}" for each in found))))
        else:
            missing.append(bare)
    return Tracked(tuple(placed), tuple(missing), tuple(doubtful), tuple(closed))


class _Index:
    """The values by size, and ratios of those that are alike."""

    def __init__(self, places: Sequence[DataPlace]) -> None:
        self.by_value = sorted(((place.value, n) for n, place in enumerate(places)))
        self.values = [value for value, _ in self.by_value]
        self.places = places
        pairs = sorted(
            ((one.value / other.value, n) for n, (one, other) in enumerate(alike(places))), key=lambda p: p[0]
        )
        self.pairs = list(alike(places))
        self.ratios = [ratio for ratio, _ in pairs]
        self.by_ratio = pairs

    def matches(self, reading: Quoted) -> Iterator[tuple[DataPlace, DataPlace | None]]:
        """What the text of a number could quote: values, then (of a multiplier) ratios."""
        if reading.end is not None or reading.bound or reading.approximate or reading.number is None:
            return
        scale = reading.unit.scale if reading.unit is not None else 1
        value = reading.value
        seen: set[int] = set()
        for size in {value * scale, value}:
            near, far = sorted((size * 9 / 10, size * 11 / 10))
            low, high = bisect_left(self.values, near), bisect_right(self.values, far)
            seen.update(n for _, n in self.by_value[low:high])
        for n in sorted(seen):
            place = in_unit_of(self.places[n], reading.unit)
            if place is not None and judge(reading, [place.value], place.unit).verdict is Verdict.OK:
                yield place, None
        if reading.unit is None or reading.unit == ONE:
            low, high = bisect_left(self.ratios, value * 9 / 10), bisect_right(self.ratios, value * 11 / 10)
            for ratio, n in self.by_ratio[low:high] if significant(reading) > 1 and _is_multiplier(reading) else ():
                if judge(reading, [ratio], ONE).verdict is Verdict.OK:
                    yield self.pairs[n]


def _is_multiplier(reading: Quoted) -> bool:
    return reading.text.rstrip().endswith(("x", "×")) or reading.text.lstrip().startswith(("x", "×"))


def alike(places: Sequence[DataPlace]) -> Iterator[tuple[DataPlace, DataPlace]]:
    """Values that a ratio may compare: of the same key, or beside each other in one unit; both ways round."""
    groups: defaultdict[tuple[str, str, str], list[DataPlace]] = defaultdict(list)
    for place in places:
        if place.value:
            groups[(place.file, place.key, place.number.unit)].append(place)
            if place.sure:
                groups[(place.file, place.at[: -len(place.key)], place.number.unit)].append(place)
    count = 0
    for members in groups.values():
        for pair in permutations(members, 2) if len(members) <= _MOST_IN_GROUP else ():
            count += 1
            if count > _MOST_RATIOS:
                return
            yield pair


def in_unit_of(place: DataPlace, unit: Unit | None) -> DataPlace | None:
    """The place, in the unit of the text where its own is not known; None where the two do not go together."""
    if unit is None or place.sure:
        return place if unit is None or unit.dimension == place.unit.dimension else None
    if not unit.dimension and (unit.scale == 1 or abs(place.value) <= 1):
        return place  # a multiplier, or the percentage of a share
    return replace(place, number=replace(place.number, unit=str(unit)), sure=False)


def likeliest(found: Sequence[Placed], near: frozenset[str]) -> list[Placed]:
    """Those with the most words of their way around the number; a few digits alone are chance."""
    if not found:
        return []
    direct = [each for each in found if each.over is None]
    scored = [(len((each.words - file_words(each)) & near), each) for each in direct or found]
    most = max(score for score, _ in scored)
    best = [each for score, each in scored if score == most]
    if len({(each.place.file, each.place.at, each.over and each.over.at) for each in best}) > 1:
        return best
    digits = significant(best[0].quantity.reading)
    asked = {1: 99, 2: 2, 3: 1}.get(digits, 0 if len(scored) == 1 else 1)
    return best[:1] if most >= asked and (best[0].place.sure or digits >= _ENOUGH) else []


def file_words(placed: Placed) -> frozenset[str]:
    """The words of the file's name, which say nothing of the place in it."""
    return words_in(placed.place.file)


def surroundings(bare: BareNumber, passage: Passage) -> frozenset[str]:
    """The words near a number: of its line; in a table of the head of its column too; of the heading above."""
    text = passage.scalar.text
    start = text.rfind("\n", 0, bare.start) + 1
    end = text.find("\n", bare.end)
    line = text[start : end if end >= 0 else len(text)]
    words = words_in(read_plain(line.replace("|", " "))) - words_in(bare.text)
    if line.lstrip().startswith("|"):
        words |= column_words(text, start, line[: bare.start - start].count("|"))
    heading = re.findall(r"^#{1,6}[ \t]+(.*)$", text[:start], re.MULTILINE)
    return words | (words_in(heading[-1]) if heading else frozenset())


def column_words(text: str, start: int, column: int) -> frozenset[str]:
    """The words in the head of a column of the table that has a line at ``start``."""
    head = ""
    while start > 0:
        before = text.rfind("\n", 0, start - 1) + 1
        line = text[before : start - 1]
        if not line.lstrip().startswith("|"):
            break
        head, start = line, before
    cells = head.split("|")
    return words_in(cells[column]) if column < len(cells) else frozenset()


def edits(found: Tracked, passage: Passage) -> list[Edit]:
    """The declarations at the top of the document (behind its header), and a link for each number that has a place."""
    names = Names()
    links = [edit for placed in found.placed if (edit := link_edit(placed, names)) is not None]
    if not links:
        return []
    scalar = passage.scalar
    header = _FRONT.match(scalar.text)
    at = header.end() if header is not None else 0
    written = names.comment()
    if scalar.location.path.lower().endswith(".mdx"):  # where a comment of HTML is a fault
        at = header.start("end") if header is not None else 0
        written = names.header() if header is not None else f"---\n{names.header()}---\n"
    ending = "\r\n" if "\r\n" in scalar.text else "\n"
    return [Edit(scalar, at, at, written.replace("\n", ending), "declarations"), *links]


def link_edit(placed: Placed, names: Names) -> Edit | None:
    """The number as the text of a link; None where markup begins in it and ends outside."""
    quantity, scalar = placed.quantity, placed.passage.scalar
    start, end = placed.passage.reading.rendered.span(quantity.start, quantity.stop)
    if read_plain(scalar.text[start:end]) != quantity.text:
        return None
    target = names.figure(placed.place, placed.over) if placed.over is not None else f"fact:{names.value(placed.place)}"
    return Edit(scalar, start, end, f"[{scalar.text[start:end]}]({target})", f"{quantity.text} -> {target}")


class Names:
    """The names that the document declares, each once."""

    def __init__(self) -> None:
        self.data: dict[tuple[str, str, str], tuple[str, str]] = {}
        self.figures: dict[str, tuple[str, str]] = {}
        self.taken: set[str] = set()

    def value(self, place: DataPlace) -> str:
        """The dotted name of a value."""
        if place.plain and place.said:
            return f"{self._named((place.file, '', ''), _stem(place.file), place.file)}.{place.at}"
        unit = "" if place.sure and place.number.unit == "1" else place.number.unit
        parts = [f"file: {_yaml(place.file)}", f"at: {_yaml(place.at)}"]
        parts += [f"unit: {_yaml(unit)}"] if unit and unit != "1" else []
        chosen = re.findall(r"=\"?([^\]\"]+)", place.at)
        named = "_".join([*(chosen or [_stem(place.file)]), place.key])
        return self._named((place.file, place.at, unit), named, "{" + ", ".join(parts) + "}")

    def figure(self, one: DataPlace, other: DataPlace | None) -> str:
        """The link to a ratio."""
        assert other is not None
        expr = f"{self.value(one)} / {self.value(other)}"
        if expr not in self.figures:
            apart = sorted(one.words ^ other.words) or ["ratio"]
            self.figures[expr] = (self._free("_".join(["ratio", *apart])), expr)
        return f"fig:{self.figures[expr][0]}"

    def _named(self, key: tuple[str, str, str], wanted: str, written: str) -> str:
        if key not in self.data:
            self.data[key] = (self._free(wanted), written)
        return self.data[key][0]

    def _free(self, wanted: str) -> str:
        plain = re.sub(r"[^A-Za-z0-9_]+", "_", wanted).strip("_")[:36] or "data"
        plain = plain if plain[0].isalpha() else f"d_{plain}"[:36]
        name = next(n for n in (plain, *(f"{plain}_{i}" for i in range(2, 1000))) if n not in self.taken)
        self.taken.add(name)
        return name

    def comment(self) -> str:
        """The declarations in a comment."""
        return "\n".join(["<!-- flopkb:", *self._lines(), "-->", ""])

    def header(self) -> str:
        """The declarations as a part of a header."""
        return "".join(f"{line}\n" for line in ["flopkb:", *(f"  {line}" for line in self._lines())])

    def _lines(self) -> list[str]:
        lines = ["data:", *(f"  {name}: {written}" for name, written in self.data.values())]
        if self.figures:
            lines += ["figures:", *(f'  {name}: {{expr: {expr}, unit: "1"}}' for name, expr in self.figures.values())]
        return lines


def _stem(file: str) -> str:
    return file.rpartition("/")[2].split(".")[0]


def _yaml(text: str) -> str:
    """A text as a YAML value in a flow mapping."""
    return text if re.fullmatch(r"[A-Za-z][A-Za-z0-9_./-]*", text) else "'" + text.replace("'", "''") + "'"


def unplaced(found: Tracked, passage: Passage) -> Iterator[tuple[BareNumber, str]]:
    """The numbers that are left, with the reason."""
    left: Iterable[tuple[BareNumber, str]] = [(bare, "no data file has it") for bare in found.missing]
    several = [(bare, f"{listed(names, 3)} could be meant; link it by hand") for bare, names in found.doubtful]
    closed = [(bare, "it stands in a link, a title or HTML, where no link can") for bare in found.closed]
    yield from sorted([*left, *several, *closed], key=lambda item: item[0].start)
