"""The evaluated base: every figure and every quote with its exact value or what keeps it from having one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from flopkb.arithmetic.diagnostics import Diagnostic, Location
from flopkb.arithmetic.numbers import Judgement, Quoted, ReadError
from flopkb.arithmetic.units import Unit
from flopkb.base.evaluate.tables import TableResult
from flopkb.base.evaluate.usage import Usage
from flopkb.base.evaluate.values import Evaluator, Value
from flopkb.base.faults import Fault
from flopkb.base.link import KnowledgeBase, Passage, Quote
from flopkb.base.model import Page


@dataclass(frozen=True, slots=True)
class QuoteResult:
    """A link in prose with what it stands for.

    ``values`` are exact, in base units of ``unit``; ``reading`` is the number as written. Where there is nothing to
    judge (a literal, a claim, a fault elsewhere) ``judgement`` is None.
    """

    quote: Quote
    unit: Unit | None = None
    values: tuple[Fraction, ...] = ()
    value: Value | None = field(default=None, repr=False)
    reading: Quoted | ReadError | None = None
    judgement: Judgement | None = None
    fault: Fault | None = None

    @property
    def location(self) -> Location:
        """Where the quoted text begins."""
        return self.quote.location


@dataclass(frozen=True, slots=True)
class Evaluation:
    """What the rules look at.

    ``diagnostics`` are those of loading and of the schema. ``figures`` and ``quotes`` are by record id (a document's
    quotes are under its path).
    """

    kb: KnowledgeBase
    evaluator: Evaluator = field(repr=False)
    figures: Mapping[tuple[str, str], Value | Fault] = field(repr=False)
    quotes: Mapping[str, tuple[QuoteResult, ...]] = field(repr=False)
    prose: Mapping[str, tuple[Passage, ...]] = field(repr=False)
    usage: Usage = field(repr=False)
    pages: tuple[Page, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()
    faults: Mapping[str, tuple[Fault, ...]] = field(default_factory=dict, repr=False)
    tables: Mapping[str, tuple[TableResult, ...]] = field(default_factory=dict, repr=False)
    shared: dict[object, object] = field(default_factory=dict, compare=False, repr=False)
    """What several rules need and one of them has worked out."""

    def faults_of(self, holder: str, *kinds: type[Fault]) -> Iterator[Fault]:
        """The faults of a record (or document) that are of one of ``kinds``."""
        return (fault for fault in self.faults.get(holder, ()) if isinstance(fault, kinds))

    def passages(self, holder: str) -> tuple[Passage, ...]:
        """The prose of a record or document."""
        return self.prose.get(holder, ())

    @property
    def recomputed(self) -> int:
        """How many figures, quotes (equations tied to a figure too) and cells of tables have been recomputed."""
        found = (result for results in self.quotes.values() for result in results)
        quoted = sum(1 for r in found if r.judgement is not None or (r.quote.is_math and r.values))
        tables = (table for found in self.tables.values() for table in found)
        cells = sum(1 for table in tables for _ in table.values())
        return quoted + cells + sum(1 for value in self.figures.values() if isinstance(value, Value))
