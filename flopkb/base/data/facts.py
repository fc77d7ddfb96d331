"""The values of a data file as facts of a record, made when they are asked for: a file may hold more than anyone quotes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from flopkb.arithmetic.diagnostics import Location
from flopkb.arithmetic.units import parse_unit
from flopkb.base.data.numbers import DataNumber, NoNumber, number_of, unit_of_key
from flopkb.base.data.trees import Element, Tree
from flopkb.base.document import Scalar
from flopkb.base.faults import did_you_mean
from flopkb.base.model import Basis, Fact

MOST_LISTED = 5000
"""So many values of a file are listed, for proposals and for what was probably meant."""

VALUE = "value"
"""The path of the value of a row that is a bare value."""


class DataFacts(Mapping[str, Fact]):
    """The facts below some trees of a file: each prefix (empty for the whole file) with the tree that stands there.

    ``single`` are values that were asked for by a path of their own, with their numbers; ``units`` those declared, by
    the last key or by all keys.
    """

    def __init__(self, file: str, units: Mapping[str, str]) -> None:
        self.file = file
        self.units = units
        self.trees: dict[str, Tree] = {}
        self.single: dict[str, DataNumber] = {}
        self.columns: tuple[DataFacts, ...] = ()
        self._made: dict[str, Fact | None] = {}

    def __getitem__(self, path: str) -> Fact:
        if path not in self._made:
            try:
                number: DataNumber | None = self.number(path)
            except (NoNumber, KeyError):
                number = None
            self._made[path] = fact(path, number, self.file) if number is not None else None
        found = self._made[path]
        if found is None:
            raise KeyError(path)
        return found

    def number(self, path: str) -> DataNumber:
        """The number at a path; raises :class:`NoNumber`, or KeyError where there is nothing."""
        if path in self.single:
            return self.single[path]
        if self.columns:
            return self._of_rows(path)
        leaf = self.leaf(path)
        key = path.rpartition(".")[2]
        return number_of(leaf, self.units.get(path) or self.units.get(key) or unit_of_key(key))

    def _of_rows(self, path: str) -> DataNumber:
        """The number of the first row that has one: all of them must count in what one unit measures."""
        found: list[DataNumber] = []
        for row in self.columns:
            try:
                found.append(row.number(path))
            except (NoNumber, KeyError):
                continue
        if not found:
            raise KeyError(path)
        other = other_unit(found)
        if other is not None:
            raise NoNumber(f"is {found[0].text} in one row and {other.text} in another, which no one unit measures")
        return found[0]

    def leaf(self, path: str) -> Tree:
        """What stands at a path of plain keys; raises KeyError where nothing does."""
        for prefix, tree in self.trees.items():
            if prefix and path != prefix and not path.startswith(f"{prefix}."):
                continue
            rest = path[len(prefix) :].lstrip(".") if prefix else path
            for key in rest.split(".") if rest else ():
                if not isinstance(tree, dict) or key not in tree:
                    break
                tree = tree[key]
            else:
                return tree
        raise KeyError(path)

    def why(self, path: str) -> str:
        """Why there is no number at a path."""
        try:
            self.number(path)
        except NoNumber as error:
            return f"{path} in {self.file} {error}"
        except KeyError:
            pass
        return f"{self.file} has no {path}{did_you_mean(path, self)}"

    def __iter__(self) -> Iterator[str]:
        for count, path in enumerate(self._paths()):
            if count >= MOST_LISTED:
                return
            yield path

    def _paths(self) -> Iterator[str]:
        yield from self.single
        for row in self.columns[:1]:
            yield from row
        for prefix, tree in self.trees.items():
            yield from _leaves(tree, prefix)

    def __len__(self) -> int:
        return sum(1 for _ in self)


def other_unit(numbers: Sequence[DataNumber]) -> DataNumber | None:
    """The first number whose unit does not measure what that of the first one does."""
    units = {number.unit: parse_unit(number.unit).dimension for number in numbers}
    return next((number for number in numbers if units[number.unit] != units[numbers[0].unit]), None)


def _leaves(tree: Tree, path: str) -> Iterator[str]:
    """The paths of plain keys to all values below a tree."""
    if isinstance(tree, dict) and not (isinstance(tree, Element) and not tree):
        for key, below in tree.items():
            if key.isidentifier() and key.isascii():
                yield from _leaves(below, f"{path}.{key}" if path else key)
    elif not isinstance(tree, list) and path:
        yield path


def fact(path: str, number: DataNumber, file: str) -> Fact:
    """A number of a file as a recorded value."""
    where = Location(file, 1, 1)
    value = number.value.numerator if number.value.denominator == 1 else number.value
    return Fact(path, where, Scalar(where, value, number.text), Basis.RECORDED, number.unit, basis_at=where)
