"""What a bare number could quote: the values near it, each with its link target (``matching`` says which of them it fits).

The values are the figures, inputs and recorded values of its record, what the prose quotes already, what other records
state, and formulas at the points of the record with the roles that its text names: values that no figure states yet.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum
from fractions import Fraction
from functools import lru_cache
from itertools import product

from flopkb.arithmetic.diagnostics import Location
from flopkb.arithmetic.prose import Target, parse_target
from flopkb.arithmetic.units import Unit, parse_unit
from flopkb.base.data.facts import DataFacts
from flopkb.base.document import Scalar
from flopkb.base.evaluate import Evaluation, Value
from flopkb.base.evaluate.facts import fact_value
from flopkb.base.evaluate.inputs import recorded_value
from flopkb.base.evaluate.quotes import input_values
from flopkb.base.faults import Fault, MissingInput
from flopkb.base.link import Computation, FigureTarget, FormulaRef, InputTarget, KnowledgeBase, Linker
from flopkb.base.link.names import formula_ref
from flopkb.base.model import ROLES, Binding, Record

_MOST_CHOICES = 48
_ROUNDS = 3
_NOWHERE = Location("", 1, 1)


class QuotableKind(IntEnum):
    """What a candidate is, the likelier first."""

    FIGURE = 0
    FACT = 1
    INPUT = 2
    FORMULA = 3

    @property
    def noun(self) -> str:
        """The kind in a sentence."""
        return {QuotableKind.FACT: "recorded value"}.get(self, self.name.lower())


@dataclass(frozen=True, slots=True)
class QuotableValue:
    """A value with the link target that quotes it. ``values`` are exact, in base units of ``unit``.

    ``records`` are the records whose names near a number speak for this candidate; ``words`` are words that do.
    """

    target: str
    kind: QuotableKind
    values: tuple[Fraction, ...]
    unit: Unit
    records: frozenset[str] = frozenset()
    words: frozenset[str] = frozenset()


def own_values(record: Record, base: Evaluation) -> Iterator[QuotableValue]:
    """The figures, inputs and recorded values of a record."""
    yield from figures_of(record, base)
    yield from facts_of(record, base.kb)
    yield from inputs_of(record, base)


def figures_of(record: Record, base: Evaluation, prefix: str = "") -> Iterator[QuotableValue]:
    """The figures of a record that could be computed; ``prefix`` is what another record writes before their names."""
    for name, figure in record.figures.items():
        value = base.figures.get((record.id, name))
        if isinstance(value, Value):
            words = words_of(f"{name}_{figure.formula.text}")
            named = roles_of(value) | ({record.id} if prefix else frozenset())
            yield QuotableValue(f"fig:{prefix}{name}", QuotableKind.FIGURE, value.values, value.unit, named, words)


def roles_of(value: Value) -> frozenset[str]:
    """The records that fill the roles of a computation."""
    bound = (*value.computation.bindings, *value.computation.over)
    return frozenset(text.text for binding in bound if binding.name in ROLES for text in binding.values)


def facts_of(record: Record, kb: KnowledgeBase) -> Iterator[QuotableValue]:
    """The recorded values of a record, those that sources dispute too."""
    for path, fact in record.facts.items():
        stated = [(fact, "")]
        stated += [(other, f"@{r.target.text}") for other in fact.disputed for r in other.sources[:1]]
        for found, source in stated:
            value = recorded_value(found, record, kb)
            if not isinstance(value, Fault):
                target = f"fact:{record.id}.{path}{source}"
                named = frozenset({record.id, source[1:]} - {""})
                yield QuotableValue(target, QuotableKind.FACT, (value,), parse_unit(fact.unit), named, words_of(path))


def inputs_of(record: Record, base: Evaluation) -> Iterator[QuotableValue]:
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
) -> Iterator[QuotableValue]:
    scope = base.kb.scope
    for binding in bindings:
        atom = scope.symbol(binding.name, ref.record) if binding.name not in ROLES else None
        symbol = scope.declared(atom) if atom is not None else None
        if symbol is None:
            continue
        computation = Computation(ref, owner, record.id, binding.key.location, bindings)
        found = input_values(InputTarget(record.id, owner, binding, computation), base.evaluator)
        if not isinstance(found, Fault):
            values, unit = found
            words = words_of(f"{owner}_{symbol.meaning.text}")
            yield QuotableValue(
                f"in:{owner}.{binding.name}", QuotableKind.INPUT, values, unit, frozenset({owner}), words
            )


def quoted_values(holder: str, base: Evaluation) -> Iterator[QuotableValue]:
    """What the prose of a record or document quotes already, with the targets that it uses."""
    kinds = {"fig": QuotableKind.FIGURE, "fact": QuotableKind.FACT, "in": QuotableKind.INPUT}
    seen: set[str] = set()
    for result in base.quotes.get(holder, ()):
        link = result.quote.link
        printed = isinstance(result.quote.target, FigureTarget) and link.scheme not in kinds  # by a template
        target, scheme = (f"fig:{result.quote.title}", "fig") if printed else (link.target, link.scheme)
        if result.values and result.unit is not None and scheme in kinds and target not in seen:
            seen.add(target)
            named = roles_of(result.value) if result.value is not None else frozenset[str]()
            yield QuotableValue(target, kinds[scheme], result.values, result.unit, named, words_of(target))


def figures_elsewhere(record: Record, base: Evaluation) -> Iterator[QuotableValue]:
    """The figures of all other records."""
    for other in base.kb.records.values():
        if other.id != record.id:
            yield from figures_of(other, base, f"{other.id}.")


def document_values(record: Record, base: Evaluation) -> Iterator[QuotableValue]:
    """The figures that a document declares or shares, and the values in its data files."""
    figures = [*record.formulas, *(name for name, near in record.near.items() if near.path == name)]
    for name in figures:
        value = value_of(f"fig:{name}", record, base)
        if isinstance(value, Value):
            yield QuotableValue(f"fig:{name}", QuotableKind.FIGURE, value.values, value.unit, words=words_of(name))
    for name, near in record.near.items():
        owner = base.kb.scope.records.get(near.record)
        if owner is not None and isinstance(owner.facts, DataFacts):
            rows = [base.kb.scope.records[row] for row in owner.rows_of] or [owner]
            yield from data_values(name, near.path, owner, rows)


def data_values(name: str, place: str, owner: Record, rows: Sequence[Record]) -> Iterator[QuotableValue]:
    """The values at and below a place of a data file, under the name that stands for it."""
    for path in owner.facts:
        inner = path == place or not place or path.startswith(f"{place}.")
        found = [(row, row.facts.get(path)) for row in rows] if inner else []
        values = [fact_value(fact, row) for row, fact in found if fact is not None]
        exact = tuple(value for value in values if isinstance(value, Fraction))
        rest = "" if path == place else f".{path[len(place) :].lstrip('.')}"
        target = parse_target(f"fact:{name}{rest}")
        if exact and len(exact) == len(rows) and isinstance(target, Target):
            unit, words = parse_unit(owner.facts[path].unit), words_of(f"{name}{rest}")
            yield QuotableValue(f"fact:{name}{rest}", QuotableKind.FACT, exact, unit, words=words)


def facts_named(records: Iterable[str], base: Evaluation) -> Iterator[QuotableValue]:
    """The recorded values of other records."""
    for id in records:
        record = base.kb.records.get(id)
        if record is not None:
            yield from facts_of(record, base.kb)


@lru_cache(maxsize=4096)
def words_of(text: str) -> frozenset[str]:
    """The words of a name or a meaning that are long enough to say something, without their plural."""
    parts = "".join(c if c.isalnum() else " " for c in text.lower()).split()
    return frozenset(part.rstrip("s") for part in parts if len(part) > 3)


def formula_values(record: Record, named: Iterable[str], base: Evaluation) -> Iterator[QuotableValue]:
    """The formulas of a record, and those of others that it uses, at its points and for the records in ``named``."""
    fillers = role_fillers(record, named, base)
    for ref in formulas_near(record, base):
        head = f"fig:{ref.name}" if ref.record == record.id else f"fig:{ref}"
        seen: set[tuple[object, ...]] = set()
        for point in ("", *record.points):
            for target, value in filled(head, point, fillers, record, base):
                if value.values not in seen:
                    seen.add(value.values)
                    yield QuotableValue(
                        target, QuotableKind.FORMULA, value.values, value.unit, roles_of(value), words_of(ref.name)
                    )


def formulas_near(record: Record, base: Evaluation) -> list[FormulaRef]:
    """The formulas of the record, those that they name, and those of its figures."""
    found: dict[FormulaRef, None] = {FormulaRef(record.id, name): None for name in record.formulas}
    for ref in tuple(found):
        body = base.kb.formulas[ref].body
        targets = body.targets.values() if body is not None else ()
        found.update((target, None) for target in targets if isinstance(target, FormulaRef))
    for name in record.figures:
        computation = base.kb.figures.get((record.id, name))
        if isinstance(computation, Computation):
            found[computation.formula] = None
    return list(found)


def role_fillers(record: Record, named: Iterable[str], base: Evaluation) -> dict[str, tuple[str, ...]]:
    """For each role the records that may fill it: those that the text names, and those of the points and figures."""
    groups: list[tuple[Binding, ...]] = [point.bindings for point in record.points.values()]
    groups += [(*figure.with_, *figure.over) for figure in record.figures.values()]
    found: dict[str, dict[str, None]] = {role: {} for role in ROLES}
    for role, kind in ROLES.items():
        own = [id for id in named if id in base.kb.records and base.kb.records[id].kind is kind]
        own += [text.text for group in groups for b in group if b.name == role for text in b.values]
        found[role].update((id, None) for id in own)
    return {role: tuple(ids)[:12] for role, ids in found.items()}


def filled(
    head: str, point: str, fillers: dict[str, tuple[str, ...]], record: Record, base: Evaluation
) -> Iterator[tuple[str, Value]]:
    """The formula at a point, with every choice of what fills the roles that it still needs."""
    choices: list[tuple[tuple[str, str], ...]] = [()]
    for _ in range(_ROUNDS):
        missing: dict[tuple[str, ...], list[tuple[tuple[str, str], ...]]] = {}
        for choice in choices[:_MOST_CHOICES]:
            text = target_text(head, point, choice)
            found = value_of(text, record, base)
            if isinstance(found, Value):
                yield text, found
            elif isinstance(found, MissingInput) and all(name in ROLES for name in found.names):
                missing.setdefault(found.names, []).append(choice)
        choices = [
            (*choice, *zip(names, ids, strict=True))
            for names, open_ in missing.items()
            for choice in open_
            for ids in product(*(fillers[name] for name in names))
        ]
        if not choices:
            return


def target_text(head: str, point: str, choice: tuple[tuple[str, str], ...]) -> str:
    """The link target with its point and inputs."""
    query = "&".join(part for part in (point, *(f"{name}={id}" for name, id in choice)) if part)
    return f"{head}?{query}" if query else head


def value_of(text: str, record: Record, base: Evaluation) -> Value | Fault | None:
    """What a link target in the prose of the record is worth."""
    target = parse_target(text)
    if not isinstance(target, Target):
        return None
    linker = Linker(record, base.kb.scope)
    found = linker.resolve(target, Scalar(_NOWHERE, text, text), _NOWHERE)
    return base.evaluator.value(found) if isinstance(found, Computation) else None
