"""Claims and elasticities as lines for a person, with what came out of them."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator
from fractions import Fraction

from flopkb.arithmetic.numbers import decimal_text
from flopkb.base.claims import claims_of
from flopkb.base.model import Binding, Claim, HardwareRow, Record
from flopkb.checking.api import Base
from flopkb.checking.rules.costs import at_points

_WIDTH = 76


def claim_lines(record: Record, base: Base) -> Iterator[str]:
    """Every claim of a record: what it says, and how it ended."""
    for name, verdict in claims_of(base.evaluation).of_record(record):
        yield name
        yield from textwrap.wrap(statement(record.claims[name]), _WIDTH, initial_indent="  ", subsequent_indent="    ")
        yield from textwrap.wrap(str(verdict), _WIDTH, initial_indent="  ", subsequent_indent="    ")


def statement(claim: Claim) -> str:
    """A claim in words near to its own."""
    relation = claim.relation.text.replace("_", " ")
    terms = [name.text if power is None else f"{name.text}**{power.text}" for name, power in claim.terms]
    if claim.formula is not None:
        text = f"{claim.formula.text} {relation} {', '.join(terms)}"
    else:
        text = f" {relation} ".join(terms) if len(terms) > 1 else f"{relation} {terms[0]}"
    options = {key.text: value.text for key, value in claim.options}
    parts = [f"as {name.text} goes to {end.text}" for name, end in claim.limits]
    parts += [f"in {options['in']}"] if "in" in options else []
    parts += [f"at {options['at']}"] if "at" in options else []
    parts += [f"given {bound(claim.given)}"] if claim.given else []
    parts += [f"where {' and '.join(text.text for text in claim.where)}"] if claim.where else []
    parts += [f"over {bound(claim.over)}"] if claim.over else []
    return ", ".join([text, *parts])


def bound(bindings: Iterable[Binding]) -> str:
    """Bindings in words."""
    return "; ".join(f"{binding.name} = {', '.join(value.text for value in binding.values)}" for binding in bindings)


def elasticity_lines(row: HardwareRow, record: Record, base: Base) -> Iterator[str]:
    """What a row's parameter does to its cost at each of its points."""
    if row.cost is None:
        return
    moves = "" if row.moves else " (does not move it)"
    yield f"elasticity of {row.cost.text} in {row.parameter.text}{moves}"
    for found in at_points(row, record, base.evaluation):
        value = decimal_text(found.computed) if isinstance(found.computed, Fraction) else f"none: {found.computed}"
        yield f"  {value} at {found.point.text}"


def rows_quoting(figure: str, base: Base) -> Iterator[str]:
    """The hardware rows that a figure is the magnitude of, with their elasticities."""
    holder, _, name = figure.partition("?")[0].rpartition(".")
    record = base.records.get(holder)
    for row in record.rows if record is not None else ():
        if any(magnitude.text == name for magnitude in row.magnitude):
            assert record is not None
            yield f"magnitude of {row.parameter.text} ({row.basis.value})  ({row.location})"
            yield from (f"  {line}" for line in elasticity_lines(row, record, base))
