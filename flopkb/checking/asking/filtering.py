"""Rows of an answer and records of a list, narrowed and sorted by value."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import TypeVar

from flopkb.arithmetic.units import Unit, UnitError, parse_amount, parse_unit
from flopkb.base.layers import PARTS
from flopkb.base.link.aliases import called_in
from flopkb.base.model import ROLES, Record
from flopkb.checking.api import Base, FlopkbError
from flopkb.checking.asking.answers import AnswerRow, sentence, usage_fault
from flopkb.checking.asking.conditions import Quantity, Term, condition, term
from flopkb.checking.asking.question import Question, QuestionFault

T = TypeVar("T")
SECTIONS = frozenset(PARTS.values())
"""Where a model describes the parts of its layers."""
ValueOf = Callable[[Term], Quantity | None]


def narrowed(
    rows: Sequence[AnswerRow], asked: Question, conditions: Iterable[str], sort: str | None, base: Base
) -> list[AnswerRow]:
    """The rows of which every condition holds, in the order asked for; those without a value come last."""
    read = [condition(text) for text in conditions]
    count = len(asked.formulas)
    groups = [rows[start : start + count] for start in range(0, len(rows), count)]
    values = [(group, of_rows(group, asked, base)) for group in groups]
    kept = [(group, value_of) for group, value_of in values if all(each.holds(value_of) for each in read)]
    return [row for group, _ in in_order(kept, sort) for row in group]


def in_order(items: Sequence[tuple[T, ValueOf]], sort: str | None) -> list[tuple[T, ValueOf]]:
    """Items by the value of a term; with ``-`` before it the largest first, those without a value last."""
    if not sort:
        return list(items)
    falling, wanted = sort.startswith("-"), term(sort.removeprefix("-"))
    values = [(value_of(wanted), item) for item in items for value_of in (item[1],)]
    known = [(found.base, item) for found, item in values if found is not None]
    ordered = sorted(known, key=lambda pair: pair[0], reverse=falling)
    return [*(item for _, item in ordered), *(item for found, item in values if found is None)]


def of_rows(group: Sequence[AnswerRow], asked: Question, base: Base) -> ValueOf:
    """What terms stand for in the rows of one choice: its value, its formulas, its inputs, any other formula there."""
    inputs = {**asked.inputs, **dict(group[0].inputs)}

    def value_of(wanted: Term) -> Quantity | None:
        own = {"value": group[0], **{row.formula: row for row in group}}
        row = own.get(wanted.name) if not wanted.called else None
        if row is not None:
            return Quantity(row.base, parse_unit(row.unit)) if row.base is not None else None
        if wanted.name in inputs and not wanted.called:
            return _amount(inputs[wanted.name], wanted)
        return formula_value(wanted, {**inputs, **dict(wanted.inputs)}, base)

    return value_of


def _amount(text: str, wanted: Term) -> Quantity:
    try:
        amount = parse_amount(text)
    except UnitError as fault:
        raise QuestionFault(
            f"{wanted} = {text} is no number, so it has no order; sort by value or a formula"
        ) from fault
    return Quantity(amount.base, amount.unit)


def formula_value(wanted: Term, inputs: Mapping[str, str], base: Base) -> Quantity | None:
    """The value of a formula with inputs; None where it has none. What it does not read is left out."""
    if "." not in wanted.name:
        raise QuestionFault(
            f"{wanted} is no value here; write value, an input, or a formula, as roofline.ridge(dtype=bf16)"
        )
    name = called_in(wanted.name, base.evaluation.kb.scope)
    known = base.input_names(name)
    given = {key: text for key, text in inputs.items() if key in known or key in dict(wanted.inputs)}
    try:
        found, _ = base.evaluated(name, **given)
    except FlopkbError as error:
        if usage_fault(error.fault) or name.partition(".")[0] not in base.records:
            raise QuestionFault(f"{wanted}: {sentence(error.fault)}") from error
        return None
    return Quantity(found.bases[0], parse_unit(found.unit)) if len(found.bases) == 1 else None


def of_record(record: Record, base: Base, part: str = "") -> ValueOf:
    """What terms stand for in a record: its recorded values, and formulas with the record in its roles.

    What the model does not record is looked for in one ``part`` of its layers (``mixers.local``).
    """
    roles = {role: record.id for role, kind in ROLES.items() if kind is record.kind}

    def value_of(wanted: Term) -> Quantity | None:
        if not wanted.called and wanted.name.partition(".")[0] not in base.records:
            return _recorded(record, wanted, base, part)
        return formula_value(wanted, {**roles, **dict(wanted.inputs)}, base)

    return value_of


def views(record: Record, base: Base) -> Iterator[ValueOf]:
    """The record with each part of its layers in turn: where these differ, a comparison may hold of one."""
    yield of_record(record, base)
    parts = dict.fromkeys(path.rpartition(".")[0] for path in record.facts if path.partition(".")[0] in SECTIONS)
    yield from (of_record(record, base, part) for part in parts)


def _recorded(record: Record, wanted: Term, base: Base, part: str) -> Quantity | None:
    path = next((p for p in (wanted.name, f"{part}.{wanted.name}") if p in record.facts), None)
    if path is None:
        return None
    try:
        found = base.fact(f"{record.id}.{path}")
    except FlopkbError:
        return None
    unit: Unit = parse_unit(found.unit)
    return Quantity(Fraction(found.bases[0]), unit)
