"""Recorded values and constants that cannot be read, or are in a unit that does not measure them."""

from __future__ import annotations

from collections.abc import Iterator

from flopkb.base.evaluate.facts import amount_in_base
from flopkb.base.faults import Fault
from flopkb.base.link import KnowledgeBase
from flopkb.base.link.formulas import readable
from flopkb.base.model import Record


def declared_faults(kb: KnowledgeBase) -> Iterator[Fault]:
    """What is wrong with the amounts that records state, whether or not anything uses them."""
    for record in kb.records.values():
        yield from fact_faults(record)
        yield from constant_faults(record)


def fact_faults(record: Record) -> Iterator[Fault]:
    """The recorded values, disputed ones among them."""
    for fact in record.facts.values():
        for stated in (fact, *fact.disputed):
            if stated.value is not None:
                found = amount_in_base(stated.value, stated.unit, record.id, stated.path)
                if isinstance(found, Fault):
                    yield found


def constant_faults(record: Record) -> Iterator[Fault]:
    """The symbols with a value of their own."""
    for symbol in record.symbols.values():
        if symbol.value is not None and readable(symbol.unit):
            unit = symbol.unit.text if symbol.unit is not None else "1"
            found = amount_in_base(symbol.value, unit, record.id, symbol.name)
            if isinstance(found, Fault):
                yield found
