"""What a base says, without where and how it is written: what two layouts of one record must have in common."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Mapping
from enum import Enum
from fractions import Fraction
from typing import Any

from flopkb.arithmetic.diagnostics import Location
from flopkb.arithmetic.units import UnitError, parse_amount
from flopkb.base.document import Document, Scalar
from flopkb.base.evaluate import Evaluation, Value
from flopkb.base.model import Prose, Reference
from flopkb.checking.check import check

NUMBER = re.compile(r"(?<![\w.])([+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?) ?(?=[^\d.]|\Z)")


def resolved(base: Evaluation) -> dict[str, Any]:
    """The records, every figure's exact values, every quote's, and all findings, by what they say."""
    result = check(base)
    assert not result.crashes, result.crashes
    figures = {name: values(found) for name, found in base.figures.items()}
    quotes = {
        holder: sorted(str((found.quote.link.text, found.values, found.judgement)) for found in results)
        for holder, results in base.quotes.items()
    }
    found = sorted((d.rule, d.severity.value, sentence(d.message)) for d in result.diagnostics)
    records = {record.id: content(record) for record in (*base.kb.records.values(), *base.kb.twins)}
    return {"records": records, "figures": figures, "quotes": quotes, "findings": found}


def values(found: object) -> object:
    """The exact values of a figure, or the sentence that says why it has none."""
    return tuple(found.values) if isinstance(found, Value) else sentence(str(found))


def sentence(message: str) -> str:
    """A message with its numbers as exact values: it repeats them as they are written."""
    return NUMBER.sub(lambda match: f"{Fraction(match[1])} ", message)


def content(part: object) -> object:
    """A part of a record as plain data: texts of amounts as they are read, no places, no order of keys."""
    if isinstance(part, Scalar):
        return plain(part.value)
    if isinstance(part, (Location, Document)):
        return None
    if isinstance(part, Mapping):
        return {key: content(value) for key, value in part.items()}
    if isinstance(part, (tuple, list)):
        if any(isinstance(item, Prose) for item in part):  # Markdown in any order, a newline at its end or not
            return {item.field: item.scalar.text.rstrip("\n") for item in part}
        items = [content(item) for item in part]
        return sorted(items, key=str) if any(isinstance(item, Reference) for item in part) else items
    if isinstance(part, (set, frozenset)):
        return sorted(map(str, part))
    if dataclasses.is_dataclass(part):
        fields = ((field.name, getattr(part, field.name)) for field in dataclasses.fields(part))
        return {name: content(value) for name, value in fields}
    return part.value if isinstance(part, Enum) else part


def plain(value: object) -> object:
    """A value with blanks and forms of numbers in amounts out of the way."""
    if not isinstance(value, str):
        return Fraction(value) if isinstance(value, (int, Fraction)) and not isinstance(value, bool) else value
    try:
        amount = parse_amount(value)
    except UnitError:
        return value
    return (amount.value, str(amount.unit.text)) if amount.unit.text else value
