"""From a tree or rows to what paths select: one value, or the values of many items, and what aggregates make of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from flopkb.arithmetic.formula import compares
from flopkb.base.data.steps import DataPath, EachStep, FieldTest, IndexStep, KeyStep, MatchStep, PathStep
from flopkb.base.data.trees import Element, Tree, plain_number
from flopkb.base.faults import did_you_mean, listed

_NUMERIC = frozenset("+-.0123456789")
MOST_MATCHES = 2_000_000
"""A path may select this many values."""


class Missing(LookupError):
    """A path that selects nothing, or not the one thing that it should; the text says what is there instead."""


@dataclass(slots=True)
class Selector:
    """Selects from one tree, which must live as long: lists are looked through once for each field that is asked for."""

    tree: Tree
    _indexes: dict[tuple[int, str], dict[str, list[Tree]]] = field(default_factory=dict)

    def select(self, path: DataPath, *, many: bool = False) -> list[Tree]:
        """What a path selects: one thing unless it has ``[*]`` or ``many`` may match; raises :class:`Missing`."""
        several = many or path.several
        found = [self.tree]
        for place, step in enumerate(path.steps):
            found = [below for node in found for below in self._below(node, step, path.steps[:place], several)]
            if len(found) > MOST_MATCHES:
                raise Missing(f"it selects more than {MOST_MATCHES} values")
        if not found:
            raise Missing("there are no items there")
        return found

    def _below(self, node: Tree, step: PathStep, before: Sequence[PathStep], several: bool) -> Iterator[Tree]:
        if isinstance(step, KeyStep):
            yield _value(node, step.key, before)
            return
        items = _items(node, step, before)
        if isinstance(step, EachStep):
            yield from items
        elif isinstance(step, IndexStep):
            if not -len(items) <= step.index < len(items):
                raise Missing(f"{_shown(before)} has {len(items)} items, so there is none at {step.index}")
            yield items[step.index]
        else:
            yield from only(
                [item for item in self._near(items, step) if matches(item, step)], step, before, items, several
            )

    def _near(self, items: Sequence[Tree], step: MatchStep) -> Sequence[Tree]:
        """The items that may pass."""
        test = step.equal
        if test is None or len(items) == 1:
            return items
        name, value = test.field, test.value
        key = (id(items), name)
        if key not in self._indexes:
            index: dict[str, list[Tree]] = {}
            for item in items:
                text = _text(field_of(item, name))
                if text is not None:
                    index.setdefault(_key(text), []).append(item)
            self._indexes[key] = index
        return self._indexes[key].get(_key(value), ())


def only(
    found: list[Tree], step: MatchStep, before: Sequence[PathStep], items: Sequence[Tree], several: bool
) -> list[Tree]:
    """The one item that fits a step on fields (or, where ``several`` may, all of them)."""
    if not found:
        raise Missing(f"no item of {_shown(before)} has {_wanted(step)}{_near(step, items)}")
    if step.pick is not None:
        if not -len(found) <= step.pick < len(found):
            raise Missing(
                f"{len(found)} items of {_shown(before)} have {_wanted(step)}, so there is none at {step.pick}"
            )
        return [found[step.pick]]
    if len(found) > 1 and not several:
        reason = f"{len(found)} items of {_shown(before)} have {_wanted(step)}; add a field that tells them apart"
        raise Missing(f"{reason}, or name an aggregate")
    return found


def _wanted(step: MatchStep) -> str:
    return " and ".join(f"{test.field} {test.op} {test.value}" for test in step.fields)


def _near(step: MatchStep, items: Sequence[Tree]) -> str:
    """What the fields of a step hold instead."""
    for test in step.fields:
        name, value = test.field, test.value
        values = [text for item in items[:1000] if (text := _text(field_of(item, name))) is not None]
        if not values:
            keys = {key for item in items[:100] if isinstance(item, dict) for key in item}
            return f": none has a field {name}{did_you_mean(name, keys)}"
        if test.op == "=" and value not in values:
            return did_you_mean(value, values) or f"; {name} is {listed(dict.fromkeys(values), 4)}"
    return ""


def _value(node: Tree, key: str, before: Sequence[PathStep]) -> Tree:
    if isinstance(node, dict):
        if key in node:
            return node[key]
        hint = did_you_mean(key, (str(name) for name in node)) or f"; it has {listed(map(str, node), 5) or 'none'}"
        raise Missing(f"{_shown(before)} has no key {key}{hint}")
    what = "is a list: name an item, as [0] or [field=value]" if isinstance(node, list) else "is a value"
    raise Missing(f"{_shown(before)} {what}, so it has no key {key}")


def _items(node: Tree, step: PathStep, before: Sequence[PathStep]) -> Sequence[Tree]:
    if isinstance(node, list):
        return node
    if isinstance(node, Element):
        return [node]  # the only one of its name
    if isinstance(node, dict) and isinstance(step, EachStep):
        return list(node.values())
    raise Missing(f"{_shown(before)} is no list, so {step} selects nothing")


def _shown(before: Sequence[PathStep]) -> str:
    """The way so far."""
    text = "".join(f".{step}" if isinstance(step, KeyStep) else str(step) for step in before).lstrip(".")
    return text[:80] or "the file"


def matches(item: Tree, step: MatchStep) -> bool:
    """Whether each field of an item is as its test asks."""
    return all(_passes(field_of(item, test.field), test) for test in step.fields)


def _passes(leaf: Tree, test: FieldTest) -> bool:
    if test.op in ("=", "!="):
        return _same(leaf, test.value) == (test.op == "=")
    number = plain_number(leaf)
    if number is None:
        return False
    try:
        return compares(test.op, Fraction(number), Fraction(test.value))
    except (ValueError, ZeroDivisionError):
        return False


def field_of(item: Tree, field: str) -> Tree:
    """A field of an item: a key, an attribute, or a key further down behind dots; None where it has none."""
    if not isinstance(item, dict):
        return None
    for name in (field, f"@{field}"):
        if name in item:
            return item[name]
    head, _, rest = field.partition(".")
    return field_of(item[head], rest) if rest and head in item else None


def _text(leaf: Tree) -> str | None:
    if isinstance(leaf, bool):
        return "true" if leaf else "false"
    if isinstance(leaf, Element):
        return leaf.text.strip()
    return leaf if isinstance(leaf, str) else None


def _same(leaf: Tree, value: str) -> bool:
    text = _text(leaf)
    if text == value:
        return True
    number = plain_number(leaf)
    if number is None:
        return False
    try:
        return Fraction(number) == Fraction(value)
    except (ValueError, ZeroDivisionError):
        return False


def mean(values: Sequence[Fraction]) -> Fraction:
    """The arithmetic mean."""
    return sum(values, Fraction(0)) / len(values)


def median(values: Sequence[Fraction]) -> Fraction:
    """The middle value; of an even number of them, the mean of the two in the middle."""
    ordered, half = sorted(values), len(values) // 2
    return ordered[half] if len(values) % 2 else (ordered[half - 1] + ordered[half]) / 2


AGGREGATES: Mapping[str, Callable[[Sequence[Fraction]], Fraction]] = {
    "min": min,
    "max": max,
    "mean": mean,
    "median": median,
    "count": lambda values: Fraction(len(values)),
    "sum": lambda values: sum(values, Fraction(0)),
}
"""What may be asked of many values; ``count`` counts items of any kind."""


def row_matches(rows: Iterable[Tree], paths: Sequence[tuple[DataPath, bool]]) -> list[list[Tree] | Missing]:
    """What each path selects from rows that are passed over once: its first step chooses rows, the rest goes on in them.

    Beside each path stands whether many may match.
    """
    return _RowPass(paths).run(rows)


class _RowPass:
    """One pass: the steps on fields are looked up by the value of their first field, so that many cost no more than one."""

    def __init__(self, paths: Sequence[tuple[DataPath, bool]]) -> None:
        self.paths = paths
        self.found: list[list[Tree]] = [[] for _ in paths]
        self.every: list[int] = []
        self.last: list[int] = []
        self.tested: list[int] = []
        self.by_index: dict[int, list[int]] = {}
        self.by_field: dict[str, dict[str, list[int]]] = {}
        self.sample: list[Tree] = []
        for place, (path, _) in enumerate(paths):
            self._file(place, path.steps[0] if path.steps else EachStep())

    def _file(self, place: int, first: PathStep) -> None:
        if isinstance(first, EachStep):
            self.every.append(place)
        elif isinstance(first, IndexStep):
            if first.index < 0:
                self.last.append(place)
            self.by_index.setdefault(first.index, []).append(place)
        elif isinstance(first, MatchStep):
            test = first.equal
            if test is None:
                self.tested.append(place)
            else:
                self.by_field.setdefault(test.field, {}).setdefault(_key(test.value), []).append(place)

    def run(self, rows: Iterable[Tree]) -> list[list[Tree] | Missing]:
        """The matches of each path."""
        ending = max((-index for index in self.by_index if index < 0), default=0)
        tail: list[Tree] = []
        count = 0
        for row in rows:
            self._row(row, count)
            if count < 1000:
                self.sample.append(row)
            if ending:
                tail = [*tail[-ending + 1 :], row] if ending > 1 else [row]
            count += 1
        for place in self.last:
            step = self.paths[place][0].steps[0]
            assert isinstance(step, IndexStep)
            self.found[place] = [tail[step.index]] if -step.index <= len(tail) else []
        return [self._result(place, count) for place in range(len(self.paths))]

    def _row(self, row: Tree, count: int) -> None:
        for place in self.every:
            self._keep(place, row)
        for place in self.by_index.get(count, ()):
            self._keep(place, row)
        for name, values in self.by_field.items():
            text = _text(field_of(row, name))
            for place in values.get(_key(text), ()) if text is not None else ():
                self._try(place, row)
        for place in self.tested:
            self._try(place, row)

    def _try(self, place: int, row: Tree) -> None:
        step = self.paths[place][0].steps[0]
        if isinstance(step, MatchStep) and matches(row, step):
            self._keep(place, row)

    def _keep(self, place: int, row: Tree) -> None:
        found = self.found[place]
        if len(found) > MOST_MATCHES:
            return
        rest = self.paths[place][0].steps[1:]
        if rest and isinstance(rest[0], KeyStep) and isinstance(row, dict) and rest[0].key in row:
            row = {rest[0].key: row[rest[0].key]}  # of a long table only the column that is asked for is held
        found.append(row)

    def _result(self, place: int, count: int) -> list[Tree] | Missing:
        (path, many), found = self.paths[place], self.found[place]
        several = many or path.several or not path.steps
        first, rest = (path.steps[0], path.steps[1:]) if path.steps else (EachStep(), ())
        try:
            if len(found) > MOST_MATCHES:
                raise Missing(f"it selects more than {MOST_MATCHES} values")
            if isinstance(first, KeyStep):
                raise Missing(f"the file is rows: name one, as [field=value], or all, as [*], before .{first}")
            if isinstance(first, IndexStep) and not found:
                raise Missing(f"the file has {count} rows, so there is none at {first.index}")
            if isinstance(first, MatchStep):
                found = only(found, first, (), self.sample, several)
            below = DataPath(path.text, rest)
            selected = [node for row in found for node in Selector(row).select(below, many=several)]
            if not selected:
                raise Missing("there are no rows")
        except Missing as missing:
            return missing
        return selected


def _key(value: str) -> str:
    """The value by which rows are looked up: of a number any writing of it."""
    value = plain_number(value) or value
    if value.isascii() and value.isdigit():
        return value.lstrip("0") or "0"
    if value[:1] not in _NUMERIC:
        return value
    try:
        return str(Fraction(value))
    except (ValueError, ZeroDivisionError):
        return value
