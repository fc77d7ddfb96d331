"""What a rule is and what it yields: a place, a sentence, and for a number what was quoted and computed (a leaf)."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass

from flopkb.arithmetic.diagnostics import Location, Severity
from flopkb.base.document import Scalar
from flopkb.base.evaluate import Evaluation
from flopkb.base.faults import Fault
from flopkb.base.model import Record, Subject


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
    missing: str = ""
    """What it names that is not there."""


def at(scalar: Scalar, message: str, severity: Severity = Severity.ERROR) -> Finding:
    """A finding at a scalar, as long as its text (its first line)."""
    return Finding(scalar.location, message, severity, length=max(1, len(scalar.text.split("\n", 1)[0])))


def of_fault(fault: Fault) -> Finding:
    """The finding that reports a fault of linking or evaluation."""
    return Finding(fault.location, str(fault), length=fault.length, missing=fault.missing)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """A rule: its id and its docstring. Its class says what it runs on."""

    id: str
    doc: str
    claims: bool = False
    """Whether it needs claims decided, and is silent where they are skipped."""

    @property
    def documentation(self) -> str:
        """Its page: Markdown, but with double backticks."""
        return inspect.cleandoc(self.doc)

    @property
    def title(self) -> str:
        """The first sentence of the documentation."""
        return self.documentation.split("\n\n", 1)[0].replace("\n", " ")


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordRule(Rule):
    """A rule on each record; with ``declares`` also on what each document declares, which is a record of its own."""

    declares: bool = False
    run: Callable[[Record, Evaluation], Iterable[Finding]]


@dataclass(frozen=True, slots=True, kw_only=True)
class PageRule(RecordRule):
    """A rule on each record and each document."""

    run: Callable[[Subject, Evaluation], Iterable[Finding]]


@dataclass(frozen=True, slots=True, kw_only=True)
class BaseRule(Rule):
    """A rule on the base as a whole, also on the files of it that could not be read."""

    run: Callable[[Evaluation], Iterable[Finding]]


@dataclass(frozen=True, slots=True, kw_only=True)
class SuppressionRule(Rule):
    """A rule on what the others found in a record: the ids of those that found something or may, and of all rules."""

    run: Callable[[Record, Collection[str], Collection[str]], Iterable[Finding]]
