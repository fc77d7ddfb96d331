"""The formulas of a record with their units and inputs, as ``flopkb eval RECORD`` lists them."""

from __future__ import annotations

import json
from collections.abc import Iterator

from flopkb.base.link.targets import FormulaRef
from flopkb.base.model import Record
from flopkb.checking.api import Base
from flopkb.checking.asking.near import inputs_of
from flopkb.checking.text_report import aligned
from flopkb.commands import Outcome, UsageFault, record_named, unread


def formula_listing(name: str, base: Base, form: str) -> Outcome:
    """Each formula of a record with its unit and what it can be asked with."""
    record = record_named(name, base)
    rows = list(formula_rows(record, base))
    if not rows:
        raise UsageFault(f"{record.id} has no formulas; flopkb show {record.id} prints what it has")
    if form == "json":
        told = [{"formula": name, "unit": unit, "inputs": list(inputs)} for name, unit, inputs in rows]
        return Outcome(json.dumps(told, indent=2, ensure_ascii=False) + "\n", error=unread(base))
    lines = [(name, unit, ", ".join(inputs)) for name, unit, inputs in rows]
    return Outcome("\n".join(aligned([("formula", "unit", "inputs"), *lines])) + "\n", error=unread(base))


def formula_rows(record: Record, base: Base) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """Name, unit and inputs of each formula."""
    for name in record.formulas:
        ref = FormulaRef(record.id, name)
        yield str(ref), base.evaluation.kb.formulas[ref].unit.text or "1", inputs_of(ref, base)
