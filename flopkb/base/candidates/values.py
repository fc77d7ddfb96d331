"""The values that prose of a record may quote: its figures, inputs and recorded values, and what it quotes already."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import IntEnum
from fractions import Fraction
from functools import lru_cache

from flopkb.arithmetic.units import Unit, parse_unit
from flopkb.base.evaluate import Evaluation, Value
from flopkb.base.evaluate.facts import fact_value
from flopkb.base.evaluate.quoting import input_values
from flopkb.base.faults import Fault
from flopkb.base.link import FormulaRef, InputTarget
from flopkb.base.link.figures import formula_ref
from flopkb.base.link.targets import Computation
from flopkb.base.model import ROLES, Binding, Record


class Kind(IntEnum):
    """What a candidate is, the likelier first."""

    FIGURE = 0
    FACT = 1
    INPUT = 2
    FORMULA = 3

    @property
    def noun(self) -> str:
        """The kind in a sentence."""
        return {Kind.FACT: "recorded value"}.get(self, self.name.lower())


@dataclass(frozen=True, slots=True)
class Candidate:
    """A value with the link target that quotes it. ``values`` are exact, in base units of ``unit``.

    ``records`` are the records whose names near a number speak for this candidate; ``words`` are words that do.
    """

    target: str
    kind: Kind
    values: tuple[Fraction, ...]
    unit: Unit
    records: frozenset[str] = frozenset()
    words: frozenset[str] = frozenset()


def own_values(record: Record, base: Evaluation) -> Iterator[Candidate]:
    """The figures, inputs and recorded values of a record."""
    yield from figures_of(record, base)
    yield from facts_of(record)
    yield from inputs_of(record, base)


def figures_of(record: Record, base: Evaluation, prefix: str = "") -> Iterator[Candidate]:
    """The figures of a record that could be computed; ``prefix`` is what another record writes before their names."""
    for name, figure in record.figures.items():
        value = base.figures.get((record.id, name))
        if isinstance(value, Value):
            words = words_of(f"{name}_{figure.formula.text}")
            named = roles_of(value) | ({record.id} if prefix else frozenset())
            yield Candidate(f"fig:{prefix}{name}", Kind.FIGURE, value.values, value.unit, named, words)


def roles_of(value: Value) -> frozenset[str]:
    """The records that fill the roles of a computation."""
    bound = (*value.computation.bindings, *value.computation.over)
    return frozenset(text.text for binding in bound if binding.name in ROLES for text in binding.values)


def facts_of(record: Record) -> Iterator[Candidate]:
    """The recorded values of a record, those that sources dispute too."""
    for path, fact in record.facts.items():
        stated = [(fact, "")]
        stated += [(other, f"@{r.target.text}") for other in fact.disputed for r in other.sources[:1]]
        for found, source in stated:
            value = fact_value(found, record)
            if not isinstance(value, Fault):
                target = f"fact:{record.id}.{path}{source}"
                named = frozenset({record.id, source[1:]} - {""})
                yield Candidate(target, Kind.FACT, (value,), parse_unit(fact.unit), named, words_of(path))


def inputs_of(record: Record, base: Evaluation) -> Iterator[Candidate]:
    """The inputs of the points and figures of a record that are numbers."""
    for point in record.points.values():
        ref = FormulaRef(record.id, "")
        yield from _inputs(record, point.name, ref, point.bindings, base)
    for figure in record.figures.values():
        found = formula_ref(figure.formula.text, record, base.kb.scope, figure.formula.location)
        if not isinstance(found, Fault):
            yield from _inputs(record, figure.name, found, (*figure.with_, *figure.over), base)


def _inputs(
    record: Record, owner: str, ref: FormulaRef, bindings: tuple[Binding, ...], base: Evaluation
) -> Iterator[Candidate]:
    known = base.kb.records[ref.record].symbols
    for binding in bindings:
        if binding.name in ROLES or binding.name not in known:
            continue
        computation = Computation(ref, owner, record.id, binding.key.location, bindings)
        found = input_values(InputTarget(record.id, owner, binding, computation), base.evaluator)
        if not isinstance(found, Fault):
            values, unit = found
            words = words_of(f"{owner}_{known[binding.name].meaning.text}")
            yield Candidate(f"in:{owner}.{binding.name}", Kind.INPUT, values, unit, frozenset({owner}), words)


def quoted_values(holder: str, base: Evaluation) -> Iterator[Candidate]:
    """What the prose of a record or document quotes already, with the targets that it uses."""
    kinds = {"fig": Kind.FIGURE, "fact": Kind.FACT, "in": Kind.INPUT}
    seen: set[str] = set()
    for result in base.quotes.get(holder, ()):
        link = result.quote.link
        if result.values and result.unit is not None and link.scheme in kinds and link.target not in seen:
            seen.add(link.target)
            named = roles_of(result.value) if result.value is not None else frozenset[str]()
            yield Candidate(link.target, kinds[link.scheme], result.values, result.unit, named, words_of(link.target))


def figures_elsewhere(record: Record, base: Evaluation) -> Iterator[Candidate]:
    """The figures of all other records."""
    for other in base.kb.records.values():
        if other.id != record.id:
            yield from figures_of(other, base, f"{other.id}.")


def facts_named(records: Iterable[str], base: Evaluation) -> Iterator[Candidate]:
    """The recorded values of other records."""
    for id in records:
        record = base.kb.records.get(id)
        if record is not None:
            yield from facts_of(record)


@lru_cache(maxsize=4096)
def words_of(text: str) -> frozenset[str]:
    """The words of a name or a meaning that are long enough to say something, without their plural."""
    parts = "".join(c if c.isalnum() else " " for c in text.lower()).split()
    return frozenset(part.rstrip("s") for part in parts if len(part) > 3)
