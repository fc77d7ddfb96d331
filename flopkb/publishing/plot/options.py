"""What a plot can be told: each option checked; where one is not given, what the base itself names most."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from flopkb.arithmetic.numbers import decimal_text, grouped
from flopkb.arithmetic.units import UnitError, parse_amount
from flopkb.base.faults import NotApplicable, did_you_mean
from flopkb.base.link.aliases import called_one
from flopkb.base.model import ROLES, Kind, Record, Status
from flopkb.checking.api import Base, FigureValue, FlopkbError
from flopkb.publishing.plot.chart import NoSuchPoint, PlotFault
from flopkb.publishing.provenance import sources_of, sources_of_fact, unique

MOST = 8
FEW = 4
"""So many curves are drawn where nobody says which: all of them find room for their names on a phone."""


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

    def parts(self, usual: Callable[[], list[str]] | None = None) -> list[Record]:
        """The accelerators asked for; else ``usual``, else the one that the base names most."""
        return self._records("parts", Kind.ACCELERATOR, usual)

    def models(self, usual: Callable[[], list[str]] | None = None) -> list[Record]:
        """The models asked for; else ``usual``, else the one that the base names most."""
        return self._records("models", Kind.MODEL, usual)

    def _records(self, name: str, kind: Kind, usual: Callable[[], list[str]] | None) -> list[Record]:
        found = []
        for id in self.texts(name, usual or (lambda: [self.usual(kind)])):
            record = self.base.records.get(called_one(id, self.base.evaluation.kb.scope, frozenset({kind})))
            if record is None or record.kind is not kind:
                known = [r.id for r in of_kind(self.base, kind)]
                raise PlotFault(f"{name}: there is no {kind.value} {id}{did_you_mean(id, known)}")
            found.append(record)
        return found

    def precisions(self) -> list[str]:
        """The number formats of arithmetic."""
        return self.texts("precisions", lambda: [self.usual(Kind.DTYPE)])

    def single_of(self, *names: str) -> None:
        """Raise :class:`PlotFault` for an option that is given several values where the plot shows one."""
        for name in names:
            value = self.given.get(name)
            if isinstance(value, (list, tuple)) and len(value) > 1:
                raise PlotFault(f"this plot takes one of {name}, not {len(value)}; draw one plot for each")

    def format(self, name: str) -> str:
        """The number format for ``kv_dtype`` or ``weight_dtype``."""
        return self.one(name, lambda: self.usual(Kind.DTYPE))

    def texts(self, name: str, usual: Callable[[], list[str]]) -> list[str]:
        """A list of texts."""
        value = self.given.get(name) or usual()
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

    def pairs(self, name: str, usual: Callable[[], list[tuple[str, str]]]) -> list[tuple[str, str]]:
        """Labels with what they stand for: pairs, or a mapping."""
        value = self.given.get(name) or usual()
        items = list(value.items()) if isinstance(value, Mapping) else value
        if not isinstance(items, (list, tuple)) or len(items) > 2 * MOST or not all(is_pair(item) for item in items):
            raise PlotFault(f"{name} takes up to {2 * MOST} pairs: a label and the figure that it stands for")
        return [(label[:80], target) for label, target in items]

    def one(self, name: str, usual: Callable[[], str]) -> str:
        """One text."""
        value = self.given.get(name) or usual()
        if not isinstance(value, str):
            raise PlotFault(f"{name} takes one id")
        return value

    def title(self, usual: str) -> str:
        """The title: the writer's, else one made of the options."""
        return self.one("title", lambda: usual)[:300]

    # -- what the base has -----------------------------------------------------------------------------------------
    def value(self, name: str, unit: str, **inputs: str | int | Fraction) -> Fraction:
        """The first formula of this name and unit that covers the inputs, in base units; its sources are noted.

        Where it covers them and does not apply, as beyond what a part holds, no other formula stands in for it.
        """
        refused: PlotFault | None = None
        for formula in self.called(name, unit):
            try:
                found, unread = self.base.evaluated(formula, **inputs)
                for fault in unread:
                    if fault.name not in ROLES:  # a plot names its records for all of its formulas
                        raise FlopkbError(fault)
            except FlopkbError as error:
                if isinstance(error.fault, NotApplicable):
                    raise NoSuchPoint(f"{formula}: {error}", error.fault.words) from None
                refused = refused or PlotFault(f"{formula}: {error}")
                continue
            return self.single(formula, found)
        raise refused or PlotFault(f"this plot needs a formula called {name} with the unit {unit}; the base has none")

    def called(self, name: str, unit: str) -> list[str]:
        """The formulas of a name and unit, in the order of the base."""
        return [
            f"{record.id}.{name}"
            for record in self.base.records.values()
            if name in record.formulas and record.formulas[name].unit.text == unit
        ]

    def single(self, name: str, found: FigureValue) -> Fraction:
        """The one value of a figure or formula, its sources noted."""
        if len(found.bases) != 1:
            raise PlotFault(f"{name} has several values at these inputs; a plot takes one")
        if found.computed is not None:
            self.used += sources_of(found.computed, self.base)
        return found.bases[0]

    def usual(self, kind: Kind) -> str:
        """The record of a kind that the points and figures of the base name most."""
        records = [record for record in of_kind(self.base, kind) if record.status is not Status.DEPRECATED]
        if not records:
            raise PlotFault(f"this base has no {kind.value} to plot")
        named = named_in(self.base)
        return max(records, key=lambda record: named[record.id]).id

    def having(self, name: str, unit: str, **inputs: str | int | Fraction) -> list[str]:
        """The models for which a formula has a value, those that the base names most, in the order of their names.

        Of several with one value, whose curves would lie on each other, the one named most.
        """
        kept, key = self.base.evaluation.shared, (name, unit, *inputs.items())
        if key not in kept:
            kept[key] = tuple(self._having(name, unit, **inputs))
        chosen = kept[key]
        assert isinstance(chosen, tuple)
        return list(chosen) or [self.usual(Kind.MODEL)]

    def _having(self, name: str, unit: str, **inputs: str | int | Fraction) -> list[str]:
        named, probe, found = named_in(self.base), Options(self.base, {}, []), dict[Fraction, Record]()
        for model in sorted(of_kind(self.base, Kind.MODEL), key=lambda record: (-named[record.id], record.id)):
            with suppress(PlotFault):
                found.setdefault(probe.value(name, unit, model=model.id, **inputs), model)
        chosen = sorted([*found.values()][:FEW], key=lambda record: by_number(record.name))
        return [model.id for model in chosen]

    def apart(self, path: str) -> list[str]:
        """The parts whose recorded value is the greatest, then each time less than half of the last, the least first.

        Of several with one value, the part that the base names most.
        """
        named, probe, found = named_in(self.base), Options(self.base, {}, []), list[tuple[Fraction, str]]()
        for part in of_kind(self.base, Kind.ACCELERATOR):
            with suppress(PlotFault):
                found.append((probe.fact(part, path), part.id))
        chosen: list[tuple[Fraction, str]] = []
        for value, id in sorted(found, key=lambda item: (-item[0], -named[item[1]], item[1])):
            if not chosen or value < chosen[-1][0] / 2:
                chosen.append((value, id))
        return [id for _, id in reversed(chosen[:MOST])] or [self.usual(Kind.ACCELERATOR)]

    def classes(self) -> list[tuple[str, str]]:
        """What stands on a roofline: what ``workloads.json`` names, as far as the base has those records.

        In a base that has none of them: of each workload class its least and its greatest intensity.
        """
        named = json.loads(Path(__file__).with_name("workloads.json").read_text(encoding="utf-8"))
        found = [(label, target) for label, target in named.items() if target.partition(".")[0] in self.base.records]
        if found:
            return found
        for record in of_kind(self.base, Kind.WORKLOAD_CLASS):
            own = sorted(self.intensities(record), key=lambda item: item[0])
            found += [(key, key) for _, key in (*own[:1], *own[1:][-1:])]
        return found[: 2 * MOST]

    def intensities(self, record: Record) -> Iterator[tuple[Fraction, str]]:
        """The figures of a class in flop/byte that have one value and move with no part, each with its key."""
        for name in record.figures:
            try:
                found = self.base.figure(f"{record.id}.{name}").computed
            except FlopkbError:
                continue
            if found is not None and found.unit.text == "flop/byte" and len(found.values) == 1:
                kinds = {self.base.records[atom.record].kind for atom in found.facts()}
                if Kind.ACCELERATOR not in kinds:
                    yield found.values[0], f"{record.id}.{name}"

    def asked(self, target: str) -> Fraction:
        """A figure, or a formula with its inputs in place."""
        try:
            found = self.base.figure(target.removeprefix("fig:"))
        except FlopkbError as error:
            raise PlotFault(f"{target}: {error}") from None
        return self.single(target, found)

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

    @property
    def sources(self) -> tuple[str, ...]:
        """The source records of everything plotted."""
        return unique(self.used)

    @property
    def credits(self) -> tuple[str, ...]:
        """Their names."""
        return tuple(self.base.records[id].name for id in self.sources if id in self.base.records)


def of_kind(base: Base, kind: Kind) -> list[Record]:
    """The records of a kind, by id."""
    return sorted((record for record in base.records.values() if record.kind is kind), key=lambda record: record.id)


def named_in(base: Base) -> Counter[str]:
    """How often the points and figures of a base name each record."""
    bound = [point.bindings for record in base.records.values() for point in record.points.values()]
    bound += [figure.with_ for record in base.records.values() for figure in record.figures.values()]
    return Counter(value.text for bindings in bound for binding in bindings for value in binding.values)


def by_number(name: str) -> list[tuple[int, str]]:
    """A key that sorts the numbers in names by what they are worth: 7B before 70B."""
    return [(int(part), "") if part.isdecimal() else (0, part) for part in re.split(r"([0-9]+)", name)]


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
