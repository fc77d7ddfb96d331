"""What a plot can be told: each option checked, with the values that are meant where none are given."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from flopkb.arithmetic.numbers import decimal_text
from flopkb.arithmetic.units import UnitError, parse_amount
from flopkb.base.evaluate import Value
from flopkb.base.faults import did_you_mean
from flopkb.base.model import Kind, Record
from flopkb.base.tables import grouped
from flopkb.checking.api import Base, FlopkbError
from flopkb.publishing.credits import sources_of, sources_of_fact, unique
from flopkb.publishing.plot.chart import PlotFault

MOST = 8
KNOWN = ("parts", "precisions", "models", "kv_dtype", "weight_dtype", "batches", "contexts", "at", "shape", "title")


@dataclass(slots=True)
class Options:
    """The options of one plot, and the sources of the values that it has used."""

    base: Base
    given: Mapping[str, object]
    used: list[str]

    @classmethod
    def of(cls, base: Base, given: Mapping[str, object], allowed: Sequence[str]) -> Options:
        """The options, of which this kind of plot knows ``allowed``."""
        for name in given:
            if name not in (*allowed, "title"):
                raise PlotFault(
                    f"this plot has no option {name}{did_you_mean(name, allowed)}; it has {', '.join(allowed)}"
                )
        return cls(base, given, [])

    def ids(self, name: str, kind: Kind, usual: Sequence[str]) -> list[Record]:
        """Records of a kind."""
        found = []
        for id in self.texts(name, usual):
            record = self.base.records.get(id)
            if record is None or record.kind is not kind:
                known = [r.id for r in self.base.records.values() if r.kind is kind]
                raise PlotFault(f"{name}: there is no {kind.value} {id}{did_you_mean(id, known)}")
            found.append(record)
        return found

    def texts(self, name: str, usual: Sequence[str]) -> list[str]:
        """A list of texts."""
        value = self.given.get(name) or list(usual)
        items = [value] if isinstance(value, str) else value
        if (
            not isinstance(items, (list, tuple))
            or not all(isinstance(item, str) for item in items)
            or len(items) > MOST
        ):
            raise PlotFault(f"{name} takes up to {MOST} ids")
        return list(dict.fromkeys(items))

    def numbers(self, name: str, usual: Sequence[int]) -> list[int]:
        """A list of whole numbers (as inputs: 32768 or 32Ki)."""
        value = self.given.get(name) or list(usual)
        items = value if isinstance(value, (list, tuple)) else [value]
        if len(items) > MOST:
            raise PlotFault(f"{name} takes up to {MOST} numbers")
        return list(dict.fromkeys(whole(name, item) for item in items))

    def pairs(self, name: str, usual: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
        """Labels with what they stand for: pairs, or a mapping."""
        value = self.given.get(name) or list(usual)
        items = list(value.items()) if isinstance(value, Mapping) else value
        if not isinstance(items, (list, tuple)) or len(items) > 2 * MOST or not all(is_pair(item) for item in items):
            raise PlotFault(f"{name} takes up to {2 * MOST} pairs: a label and the figure that it stands for")
        return [(label[:80], target) for label, target in items]

    def one(self, name: str, usual: str) -> str:
        """One text."""
        value = self.given.get(name) or usual
        if not isinstance(value, str):
            raise PlotFault(f"{name} takes one id")
        return value

    def title(self, usual: str) -> str:
        """The title: the writer's, else one made of the options."""
        return self.one("title", usual)[:300]

    def value(self, formula: str, **inputs: str | int | Fraction) -> Fraction:
        """A formula at inputs, in base units; its sources are noted."""
        try:
            found = self.base.evaluate(formula, **inputs)
        except FlopkbError as error:
            raise PlotFault(f"{formula}: {error}") from None
        if len(found.bases) != 1:
            raise PlotFault(f"{formula} has several values at these inputs; a plot takes one")
        self.note(found.computed)
        return found.bases[0]

    def asked(self, target: str) -> Fraction:
        """A figure, or a formula with its inputs in place."""
        try:
            found = self.base.figure(target.removeprefix("fig:"))
        except FlopkbError as error:
            raise PlotFault(f"{target}: {error}") from None
        if len(found.bases) != 1:
            raise PlotFault(f"{target} has several values; a plot takes one")
        self.note(found.computed)
        return found.bases[0]

    def labelled(self, label: str, target: str) -> str:
        """A label with the inputs that it names in braces, as in ``batch of {b}``."""
        if "{" not in label:
            return label
        computed = self.base.figure(target.removeprefix("fig:")).computed
        assert computed is not None
        side = computed.cases[0].upper
        found = {str(atom): value / side.unit(atom).scale for atom, value in side.targets.items()}

        def shown(match: re.Match[str]) -> str:
            if match[1] not in found:
                raise PlotFault(f"{target} has no input {match[1]}{did_you_mean(match[1], found)}")
            return grouped(decimal_text(found[match[1]], exponent=False))

        return re.sub(r"\{(\w+)\}", shown, label)

    def fact(self, record: Record, path: str) -> Fraction:
        """A recorded value, in base units."""
        try:
            found = self.base.fact(f"{record.id}.{path}")
        except FlopkbError as error:
            raise PlotFault(f"{record.id}.{path}: {error}") from None
        self.used += sources_of_fact(record.facts[path], record)
        return found.bases[0]

    def note(self, value: Value | None) -> None:
        if value is not None:
            self.used += sources_of(value, self.base)

    @property
    def sources(self) -> tuple[str, ...]:
        """The source records of everything plotted."""
        return unique(self.used)

    @property
    def credits(self) -> tuple[str, ...]:
        """Their names."""
        return tuple(self.base.records[id].name for id in self.sources if id in self.base.records)


def is_pair(item: object) -> bool:
    """Whether an item is two texts."""
    return isinstance(item, (list, tuple)) and len(item) == 2 and all(isinstance(part, str) for part in item)


def whole(name: str, item: object) -> int:
    """A positive whole number."""
    try:
        value = (
            parse_amount(str(item)).base if isinstance(item, (str, int)) and not isinstance(item, bool) else Fraction(0)
        )
    except UnitError as error:
        raise PlotFault(f"{name}: {error}") from None
    if value.denominator != 1 or not 1 <= value <= 10**9:
        raise PlotFault(f"{name} takes whole numbers from 1 on, as 32768 or 32Ki")
    return int(value)


def short_name(record: Record) -> str:
    """The first alias of a record, else its name."""
    return record.aliases[0].text if record.aliases else record.name
