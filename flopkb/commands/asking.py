"""What the commands that ask for one value share: opening the base, and saying why there is no value."""

from __future__ import annotations

from pathlib import Path

from flopkb.arithmetic.numbers import decimal_text
from flopkb.base.faults import Fault, MissingInput, UnknownInput, UnknownRecord, listed
from flopkb.base.model import ROLES
from flopkb.base.pipeline import BaseNotFound
from flopkb.checking.api import Base, FigureValue, load
from flopkb.checking.report.text import counted
from flopkb.commands import UsageFault, records_folder


def open_base(records: Path | None) -> Base:
    """The base, or the reason why there is none as a usage fault."""
    try:
        return load(records_folder(records))
    except BaseNotFound as error:
        raise UsageFault(str(error)) from error


def unread(base: Base) -> str:
    """A warning where some records could not be read, so that an answer without them surprises nobody."""
    faults = [d for d in base.evaluation.diagnostics if d.rule in ("yaml", "file", "schema")]
    return (
        f"flopkb: {counted(len(faults), 'fault')} in the files of this base; flopkb check shows them" if faults else ""
    )


def plain_value(value: FigureValue) -> str:
    """Value and unit, in plain decimals without an exponent."""
    numbers = ", ".join(decimal_text(number, exponent=False) for number in value.values)
    return numbers if value.unit == "1" else f"{numbers} {value.unit}"


def sentence(fault: Fault) -> str:
    """The fault, for a person who gives inputs on the command line."""
    if isinstance(fault, MissingInput):
        names = " ".join(f"{name}={'ID' if name in ROLES else 'VALUE'}" for name in fault.names)
        noun = "input" if len(fault.names) == 1 else "inputs"
        return f"missing {noun} {listed(fault.names)}; add {names}"
    if isinstance(fault, UnknownRecord) and fault.what == "the link":
        hint = f"; did you mean {fault.meant}?" if fault.meant else "; flopkb list KIND names those there are"
        return f"there is no record {fault.target}{hint}"
    return str(fault)


def check_name(name: str) -> None:
    """A figure or formula is named with its record."""
    if "." not in name.partition("?")[0]:
        raise UsageFault(f"{name} names no record; write RECORD.NAME, as decode_attention.ai")


def is_usage(fault: Fault) -> bool:
    """Whether the person can mend it by calling again."""
    return isinstance(fault, (MissingInput, UnknownInput))
