"""What a rule yields: a place, a sentence, and for a number what was quoted and what was computed (a leaf)."""

from __future__ import annotations

from dataclasses import dataclass

from flopkb.arithmetic.diagnostics import Location, Severity
from flopkb.base.document import Scalar
from flopkb.base.faults import Fault


@dataclass(frozen=True, slots=True)
class Finding:
    """One fault that a rule found."""

    location: Location
    message: str
    severity: Severity = Severity.ERROR
    quoted: str | None = None
    computed: str | None = None
    length: int = 1
    replacement: str | None = None


def at(scalar: Scalar, message: str, severity: Severity = Severity.ERROR) -> Finding:
    """A finding at a scalar, as long as its text (its first line)."""
    return Finding(scalar.location, message, severity, length=max(1, len(scalar.text.split("\n", 1)[0])))


def of_fault(fault: Fault) -> Finding:
    """The finding that reports a fault of linking or evaluation."""
    return Finding(fault.location, str(fault), length=fault.length)
