"""The public Python API: a base, its figures and facts, and values for inputs of one's own.

base = flopkb.load("records")
base.figure("decode_attention.gap_mha").value          # Fraction(1979000, 6700)
base.evaluate("decode_attention.ai", model="llama_3_8b", kv_dtype="int8").text    # '8 flop/byte'
str(base.claim("decode_attention.below_the_roof"))     # 'proved by signs'
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

from flopkb.arithmetic.diagnostics import Location
from flopkb.arithmetic.numbers import answer_text, decimal_text, with_unit
from flopkb.arithmetic.prose import Input, Target, TargetError, parse_target
from flopkb.arithmetic.units import Unit, parse_unit
from flopkb.base.document import Scalar
from flopkb.base.evaluate import Evaluation, Value
from flopkb.base.evaluate.asked import roles_through
from flopkb.base.evaluate.inputs import recorded_value
from flopkb.base.evaluate.usage import idle_roles, roles_read
from flopkb.base.faults import Fault, UnknownClaim, UnreadInput, nearest
from flopkb.base.link import Computation, FactTarget, FigureTarget, Holder, Linker, ValueAtom
from flopkb.base.link.aliases import called_in, called_one
from flopkb.base.model import ROLES, Kind, Record
from flopkb.base.pipeline import BaseNotFound, asked_base, evaluated_base, find_records

if TYPE_CHECKING:
    from flopkb.base.claims.verdicts import ClaimVerdict
    from flopkb.base.evaluate import QuoteResult
    from flopkb.base.evaluate.solving import Solution
    from flopkb.base.evaluate.sweeping import Swept
    from flopkb.checking.asking.floats import FloatTable
    from flopkb.checking.asking.tabular import AnswerTable, TableInput
    from flopkb.checking.check import CheckResult  # a question needs no rules

__all__ = ["Base", "BaseNotFound", "FigureValue", "FlopkbError", "load"]


class FlopkbError(Exception):
    """A figure, fact or formula that cannot be had; ``fault`` holds the facts, the text says what to do."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(str(fault))
        self.fault = fault


@dataclass(frozen=True, slots=True)
class FigureValue:
    """A computed value: exact, in base units (byte, second, flop, ...) and in its declared unit."""

    title: str
    unit: str
    """The declared unit."""
    bases: tuple[Fraction, ...]
    """The exact values in base units; more than one where an input is a list."""
    computed: Value | None = field(default=None, repr=False)

    @property
    def values(self) -> tuple[Fraction, ...]:
        """The exact values in the declared unit."""
        scale = parse_unit(self.unit).scale
        return tuple(value / scale for value in self.bases)

    @property
    def value(self) -> Fraction:
        """The exact value in the declared unit; ValueError for a set of several values."""
        if len(self.values) != 1:
            raise ValueError(f"{self.title} is a set of {len(self.values)} values; use .values")
        return self.values[0]

    def __float__(self) -> float:
        """The value in the declared unit, rounded to a float; ValueError for a set of several values."""
        return float(self.value)

    def __repr__(self) -> str:
        return f"<{self.title} = {self.text}>"

    def _repr_html_(self) -> str:
        """The value as a notebook shows it: as a person says it, what it is of, and what it assumes."""
        from html import escape

        unit = parse_unit(self.unit)
        values = ", ".join(answer_text(base, unit) for base in self.bases)
        notes = "".join(f"<br><small>assumes: {escape(line)}</small>" for line in self.assumes)
        return f"<b>{escape(values)}</b> <code>{escape(self.title)}</code>{notes}"

    @property
    def assumes(self) -> tuple[str, ...]:
        """What the value assumes and an asker may not share, a line each; nothing of what is known to hold."""
        return self.computed.assumes if self.computed is not None else ()

    @property
    def text(self) -> str:
        """Value and unit as plain decimals of at least six significant digits."""
        return with_unit(", ".join(decimal_text(value) for value in self.values), self.unit)


@dataclass(frozen=True, slots=True)
class Base:
    """A loaded and evaluated base."""

    evaluation: Evaluation = field(repr=False)

    def __repr__(self) -> str:
        return f"<flopkb base: {len(self.records)} records, {len(self.evaluation.kb.formulas)} formulas>"

    @property
    def records(self) -> Mapping[str, Record]:
        """The records by id."""
        return self.evaluation.kb.records

    def quotes(self) -> Mapping[str, tuple[QuoteResult, ...]]:
        """Every quote of the base by the record that holds it, judged."""
        return self.evaluation.quotes

    def check(self) -> CheckResult:
        """Everything that ``flopkb check`` reports."""
        from flopkb.checking.check import check

        return check(self.evaluation)

    def claim(self, name: str) -> ClaimVerdict:
        """How the claim ``record.name`` ends: ``Proved``, ``Tested``, ``Refuted`` or ``Invalid``."""
        record, _, claim = name.rpartition(".")
        from flopkb.base.claims import claims_of

        verdict = claims_of(self.evaluation).claim(record, claim)
        if verdict is None:
            raise FlopkbError(UnknownClaim(location=Location("", 1, 1), record="", target=name, meant=self._near(name)))
        return verdict

    def _near(self, name: str) -> str | None:
        return nearest(name, (f"{record.id}.{claim}" for record in self.records.values() for claim in record.claims))

    def figure(self, name: str) -> FigureValue:
        """The figure ``record.name``, or a formula with inputs: ``record.formula?model=llama_3_8b``."""
        head, query, rest = name.partition("?")
        return self.ask(f"fig:{called_in(head, self.evaluation.kb.scope)}{query}{rest}")

    def fact(self, name: str) -> FigureValue:
        """The recorded value ``record.path``, or ``record.path@source`` for what a source states otherwise."""
        head, at, source = name.partition("@")
        return self.ask(f"fact:{called_in(head, self.evaluation.kb.scope)}{at}{source}")

    def evaluate(self, formula: str, *points: str, **inputs: str | int | Fraction) -> FigureValue:
        """A formula ``record.name`` with inputs: ids or names for roles, numbers (with units, as text) for symbols."""
        found, unread = self.evaluated(formula, *points, **inputs)
        for fault in unread:
            raise FlopkbError(fault)
        return found

    def evaluated(
        self, formula: str, *points: str, **inputs: str | int | Fraction
    ) -> tuple[FigureValue, tuple[UnreadInput, ...]]:
        """A formula with inputs, and of these a fault for each that it does not read."""
        head, query, rest = formula.partition("?")
        parsed = self.target(f"fig:{called_in(head, self.evaluation.kb.scope)}{query}{rest}")
        pairs = tuple(Input(key, str(value), 0, 0) for key, value in inputs.items())
        named = tuple((point, 0) for point in points)
        wanted = Target(parsed.scheme, parsed.record, parsed.name, 0, parsed.inputs + pairs, parsed.points + named)
        found = self.value_of(wanted)
        if found.computed is None:
            return found, ()
        symbols = tuple(sorted(self.evaluation.evaluator.symbols_read(found.computed)))
        idle = idle_roles(found.computed)
        roles = tuple(sorted(roles_read(found.computed) | self._roles_behind(symbols, found.computed) - idle))
        known = ((name, roles if name in ROLES else symbols) for name in inputs)
        return found, tuple(
            UnreadInput(Location("", 1, 1), "", name=name, formula=formula, idle=name in idle)
            for name, read in known
            if name not in read
        )

    def _roles_behind(self, symbols: Iterable[str], value: Value) -> frozenset[str]:
        """The roles from which symbols are taken that an asker may have bound to another amount."""
        kb, record = self.evaluation.kb, value.computation.formula.record
        atoms = (kb.scope.symbol(name, record) for name in symbols)
        sources = (kb.sources.get(atom) for atom in atoms if atom is not None)
        return frozenset(
            role
            for source in sources
            if isinstance(source, ValueAtom)
            for role in roles_through(source)
            if role in ROLES
        )

    def input_names(self, formula: str) -> frozenset[str]:
        """The names that an input of a formula may have: symbols that its record may use, and roles."""
        record = self.records.get(formula.partition(".")[0])
        return frozenset((*self.evaluation.kb.scope.symbols(record), *ROLES)) if record is not None else frozenset()

    def points_of(self, formula: str) -> frozenset[str]:
        """The names of the points that a formula may be asked at."""
        record = self.records.get(formula.partition(".")[0])
        return frozenset(record.points) if record is not None else frozenset()

    def solve(self, statement: str, name: str, *points: str, **inputs: str | int | Fraction) -> Solution:
        """The value of the symbol ``name`` at which a statement holds (``decode_step.time <= 20 ms``), exactly."""
        from flopkb.checking.turned import asked_of, solved

        asked = asked_of(statement, points, inputs, self.evaluation.kb)
        found = asked if isinstance(asked, Fault) else solved(name, asked, self._by_ids(asked.target), self.evaluation)
        if isinstance(found, Fault):
            raise FlopkbError(found)
        return found

    def table(self, *formulas: str, at: Sequence[str] = (), **inputs: TableInput) -> AnswerTable:
        """Formulas for every choice of inputs that are lists: rows that pandas takes, with units and exact values."""
        from flopkb.checking.asking.tabular import table

        return table(formulas, at, inputs, self)

    def sweep(self, *formulas: str, at: Sequence[str] = (), **inputs: TableInput) -> FloatTable:
        """Formulas over very many values of one input, in floats that are the exact values to 12 digits."""
        from flopkb.checking.asking.floats import float_table
        from flopkb.checking.asking.question import QuestionFault
        from flopkb.checking.asking.tabular import asked_in_python

        try:
            return float_table(asked_in_python(formulas, at, inputs, self), self)
        except QuestionFault as fault:
            raise FlopkbError(question_fault(str(fault))) from fault

    def swept(
        self, formula: str, name: str, low: Fraction, high: Fraction, *points: str, **inputs: str | int | Fraction
    ) -> Swept:
        """A formula as one form in the symbol ``name`` between two values (in base units), for many values of it."""
        from flopkb.checking.turned import asked_of, over_symbol

        asked = asked_of(f"{formula} >= 0", points, inputs, self.evaluation.kb)
        if isinstance(asked, Fault):
            raise FlopkbError(asked)
        found = over_symbol(name, low, high, asked, self._by_ids(asked.target), self.evaluation)
        if isinstance(found, Fault):
            raise FlopkbError(found)
        return found

    def ask(self, target: str) -> FigureValue:
        """What a link target stands for: ``fig:...`` or ``fact:...``."""
        return self.value_of(self.target(target))

    def target(self, text: str) -> Target:
        """A link target, taken apart."""
        parsed = parse_target(text)
        if isinstance(parsed, TargetError):
            raise FlopkbError(_fault(f"{text} {parsed.reason}"))
        return parsed

    def value_of(self, target: Target) -> FigureValue:
        """The value of a parsed target."""
        where = Location("", 1, 1)
        target = self._by_ids(target)
        resolved = Linker(Holder(""), self.evaluation.kb.scope).resolve(target, Scalar(where, "", ""), where)
        if isinstance(resolved, Fault):
            raise FlopkbError(resolved)
        if isinstance(resolved, FigureTarget):
            found = self._figure_value((resolved.record, resolved.name))
            return self._figure(found, target.dotted)
        if isinstance(resolved, Computation):
            return self._figure(self.evaluation.evaluator.value(resolved), target.dotted)
        if isinstance(resolved, FactTarget):
            return self._fact(resolved)
        raise FlopkbError(_fault(f"{target.scheme}:{target.dotted} is no value; ask for a fig: or a fact:"))

    def _figure_value(self, key: tuple[str, str]) -> Value | Fault:
        """The value of a figure, computed now where the base was opened for a question."""
        known = self.evaluation.figures.get(key)
        asked = self.evaluation.kb.figures[key]
        if known is not None:
            return known
        return self.evaluation.evaluator.value(asked) if isinstance(asked, Computation) else asked

    def _by_ids(self, target: Target) -> Target:
        """A target in which records are named by their ids, whatever a person calls them."""
        scope = self.evaluation.kb.scope
        inputs = tuple(
            replace(given, value=", ".join(called_one(text.strip(), scope, kinds) for text in given.value.split(",")))
            if (kinds := kinds_of(given.key))
            else given
            for given in target.inputs
        )
        record = called_one(target.record, scope) if target.record is not None else None
        return replace(target, record=record, inputs=inputs)

    def _figure(self, found: Value | Fault, title: str) -> FigureValue:
        if isinstance(found, Fault):
            raise FlopkbError(found)
        return FigureValue(title, unit_text(found.unit), found.values, found)

    def _fact(self, target: FactTarget) -> FigureValue:
        from flopkb.base.link import fact_of

        record = self.records[target.record]
        fact = fact_of(record.facts[target.path], target.source)
        assert fact is not None
        value = recorded_value(fact, record, self.evaluation.kb)
        if isinstance(value, Fault):
            raise FlopkbError(value)
        return FigureValue(f"{target.record}.{target.path}", fact.unit, (value,))


def kinds_of(role: str) -> frozenset[Kind]:
    """The kind of record that fills a role; nothing for what is none, or is filled by a part of a model."""
    kind = ROLES.get(role)
    return frozenset({kind}) if kind is not None else frozenset()


def unit_text(unit: Unit) -> str:
    """The unit as declared."""
    return unit.text or "1"


def question_fault(text: str) -> Fault:
    """What is wrong with a question, as a fault."""
    from flopkb.base.faults import BadInput

    return BadInput(location=Location("", 1, 1), record="", reason=text)


def _fault(reason: str) -> Fault:
    from flopkb.base.faults import BadTarget

    return BadTarget(location=Location("", 1, 1), record="", reason=reason)


def load(records: str | os.PathLike[str] | None = None) -> Base:
    """Load and evaluate the base in ``records`` (default: the nearest ``records/`` upward, else the installed one)."""
    root = Path(records) if records is not None else find_records(Path.cwd())
    return Base(evaluated_base(root, Path.cwd()))


def open_for_questions(root: Path, question: Iterable[str] | None = None) -> Base:
    """The base in ``root`` with nothing computed but what is asked: it tells no quotes and no findings.

    Of a ``question`` only the records that its words need are read.
    """
    return Base(asked_base(root, Path.cwd(), question))
