"""The rows of an answer: for each choice of the inputs that have several values, and for each formula, a value or why not."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import product
from math import prod

from flopkb.arithmetic.numbers import column_texts, exact_text, short_text
from flopkb.arithmetic.units import Unit, parse_unit
from flopkb.base.evaluate import Case
from flopkb.base.evaluate.requirements import Beyond
from flopkb.base.faults import (
    Fault,
    MissingInput,
    NoLimit,
    NotApplicable,
    Unavailable,
    UnknownInput,
    UnknownRecord,
    UnreadInput,
    listed,
)
from flopkb.base.model import ROLES
from flopkb.checking.api import Base, FigureValue, FlopkbError
from flopkb.checking.asking.near import that_applies, that_reads
from flopkb.checking.asking.question import Question, QuestionFault

MOST = 10_000
"""A table has at most so many values; each is exact."""

Choice = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class AnswerRow:
    """What a formula gives for one choice of the inputs that have several values: a value, or why there is none.

    ``value`` is exact, in ``unit``; ``text`` is for people.
    """

    inputs: Choice
    formula: str = ""
    value: str = ""
    unit: str = ""
    text: str = ""
    assumes: tuple[str, ...] = ()
    reason: str = ""
    words: str = ""
    """The reason in a few words."""
    base: Fraction | None = None
    """The value in base units."""
    bound: Choice = ()
    """What the formula was asked with, by hand and through points."""
    rounded: bool = False
    """The value is near the exact one, and its text says "about"."""
    beyond: Beyond | None = None
    """What is assumed of the quantity that was sought, where the value is beyond it."""
    case: Case | None = field(default=None, repr=False, compare=False)
    fault: Fault | None = field(default=None, repr=False, compare=False)

    def told(self, *, several: bool = False) -> dict[str, object]:
        """The row as an object for programs; of a single answer there are no inputs to tell."""
        chosen: dict[str, object] = {"inputs": dict(self.inputs)} if self.inputs else {}
        if several:
            chosen["formula"] = self.formula
        if self.reason:
            return {**chosen, "reason": self.reason}
        if not self.value:  # it holds throughout: there is no value, and that is the answer
            return {**chosen, "value": None, "text": self.text, "assumes": list(self.assumes)}
        return {**chosen, "value": self.value, "unit": self.unit, "text": self.text, "assumes": list(self.assumes)}


def choices(asked: Question) -> Iterator[Choice]:
    """Every choice of one value for each input that has several; the last varies fastest."""
    names = asked.listed
    texts = [[text.strip() for text in asked.inputs[name].split(",")] for name in names]
    if (count := counted_values(asked)) > MOST:
        raise QuestionFault(f"these inputs make {count:,} values, and a table has at most {MOST:,}; take fewer")
    for values in product(*texts):
        yield tuple(zip(names, values, strict=True))


def counted_values(asked: Question) -> int:
    """How many values the inputs make."""
    return len(asked.formulas) * prod(asked.inputs[name].count(",") + 1 for name in asked.listed)


def answers(asked: Question, base: Base, unit: Unit | None = None, elsewhere: Collection[str] = ()) -> list[AnswerRow]:
    """All rows, by choice and then by formula. What can be mended by asking again is a :class:`QuestionFault`.

    An input that one row's formula reads need not be read by every other's, nor one that is read ``elsewhere``.
    """
    rows, unread = list[AnswerRow](), dict[str, UnreadInput]()
    read: set[str] = set()
    for choice in choices(asked):
        inputs = {**asked.inputs, **dict(choice)}
        for formula in asked.formulas:
            row, faults = _row(formula, choice, _known(formula, inputs, asked, base), base, unit)
            rows.append(row)
            named = {fault.name: fault for fault in faults}
            unread.update(named)
            if row.value:
                read |= inputs.keys() - named.keys()
    for name in unread.keys() - read - set(elsewhere):
        raise QuestionFault(str(explained(unread[name], unread[name].formula, base)))
    _mendable(rows)
    return rows


def _mendable(rows: Sequence[AnswerRow]) -> None:
    """Raise for the first row that asking again would mend, unless only some of the choices need that."""
    for row in rows:
        if (
            row.fault is not None
            and usage_fault(row.fault)
            and not any(r.value for r in rows if r.formula == row.formula)
        ):
            raise QuestionFault(f"{row.formula}: {row.reason}")


@dataclass(frozen=True, slots=True)
class _Given:
    points: tuple[str, ...]
    inputs: Mapping[str, str]


def _known(formula: str, inputs: Mapping[str, str], asked: Question, base: Base) -> _Given:
    """What of the question a formula can be asked with: names that only another of its formulas knows are left out."""
    if len(asked.formulas) == 1:
        return _Given(asked.points, inputs)
    own = base.input_names(formula)
    others = {name for other in asked.formulas if other != formula for name in base.input_names(other)}
    kept = {name: value for name, value in inputs.items() if name in own or name not in others}
    points = base.points_of(formula)
    elsewhere = {point for other in asked.formulas if other != formula for point in base.points_of(other)}
    return _Given(tuple(p for p in asked.points if p in points or p not in elsewhere), kept)


def _row(
    formula: str, choice: Choice, given: _Given, base: Base, unit: Unit | None
) -> tuple[AnswerRow, tuple[UnreadInput, ...]]:
    """One row, and the inputs that were given and not read for it."""
    try:
        value, unread = base.evaluated(formula, *given.points, **given.inputs)
    except FlopkbError as error:
        row = refused(formula, explained(error.fault, formula, base), choice)
        of_type = isinstance(error.fault, (NotApplicable, Unavailable)) and error.fault.other_type
        other = that_applies(formula, given.inputs, base) if of_type else ""
        return (replace(row, reason=f"{row.reason}; ask {other}") if other else row), ()
    rows = list(rows_of(value, formula, choice, unit))
    return rows[0], unread if len(rows) == 1 else ()


def refused(formula: str, fault: Fault, choice: Choice = ()) -> AnswerRow:
    """A row with the reason why there is no value."""
    words = fault.words if isinstance(fault, NotApplicable) else "not computed"
    if isinstance(fault, NoLimit):
        return AnswerRow(choice, formula, text=sentence(fault), words=words, fault=fault)
    return AnswerRow(choice, formula, reason=sentence(fault), words=words, fault=fault)


def rows_of(value: FigureValue, formula: str, choice: Choice = (), unit: Unit | None = None) -> Iterator[AnswerRow]:
    """A row for each value of a figure, in ``unit`` where one is asked for (of the same dimension)."""
    declared = parse_unit(value.unit)
    wanted = unit or declared
    cases = value.computed.cases if value.computed is not None else ()
    if len(cases) != len(value.bases):
        yield AnswerRow(choice, formula, *_texts(value.bases[0], wanted, unit), value.assumes, base=value.bases[0])
        return
    for base, case in zip(value.bases, cases, strict=True):
        texts = _texts(base, wanted, unit)
        chosen = (*choice, *case.choice)
        limit = limit_passed(case)
        yield AnswerRow(
            chosen, formula, *texts, case.assumes, base=base, bound=bound_in(value), beyond=limit, case=case
        )


def limit_passed(case: Case) -> Beyond | None:
    """What is assumed of the symbol whose greatest value was sought, where that is beyond it."""
    env = case.upper.env
    symbol = env.kb.formulas[env.formula].sought_symbol
    return case.examined[0].limit_of(symbol.name) if symbol is not None and case.examined else None


def in_columns(rows: Sequence[AnswerRow]) -> list[AnswerRow]:
    """Rows that stand below each other: those of one formula in one unit, which is that of most of them."""
    texts = {id(row): row.text for row in rows}
    for formula in {row.formula for row in rows}:
        own = [row for row in rows if row.formula == formula and row.value and row.base is not None]
        if not own:
            continue
        bases = [row.base for row in own if row.base is not None]
        texts |= zip(map(id, own), column_texts(bases, parse_unit(own[0].unit)), strict=True)
    return [replace(row, text=f"about {texts[id(row)]}" if row.rounded else texts[id(row)]) for row in rows]


def bound_in(value: FigureValue) -> Choice:
    """The inputs of a computation, those of its points among them."""
    bindings = value.computed.computation.bindings if value.computed is not None else ()
    return tuple((binding.name, ",".join(text.text for text in binding.values)) for binding in bindings)


def _texts(base: Fraction, wanted: Unit, asked: Unit | None) -> tuple[str, str, str]:
    """Value, unit and text; in the unit asked for where there is one."""
    shown = in_unit(base, asked) if asked is not None else short_text(base, wanted)
    return exact_text(base / wanted.scale), wanted.text or "1", shown


def in_unit(base: Fraction, unit: Unit) -> str:
    """A value in base units in the unit that was asked for."""
    from flopkb.arithmetic.numbers import amount_text

    return amount_text(base, unit, 6)


def usage_fault(fault: Fault) -> bool:
    """Whether a person can mend it by calling again with other inputs."""
    return isinstance(fault, (MissingInput, UnknownInput, UnreadInput))


def explained(fault: Fault, formula: str, base: Base) -> Fault:
    """The fault; one of missing symbols says what each means, one of an unread input which formula reads it."""
    if isinstance(fault, UnreadInput):
        return fault if fault.idle else replace(fault, instead=that_reads(fault.name, formula, base))
    if not isinstance(fault, MissingInput):
        return fault
    scope, record = base.evaluation.kb.scope, formula.partition(".")[0]
    atoms = {name: scope.symbol(name, record) for name in fault.names}
    found = {name: symbol for name, atom in atoms.items() if atom is not None and (symbol := scope.declared(atom))}
    return replace(fault, meanings=tuple((name, " ".join(each.meaning.text.split())) for name, each in found.items()))


def sentence(fault: Fault) -> str:
    """The fault, for a person who gives inputs on the command line."""
    if isinstance(fault, MissingInput):
        names = " ".join(f"{name}={'ID' if name in ROLES else 'VALUE'}" for name in fault.names)
        noun = "input" if len(fault.names) == 1 else "inputs"
        told = dict(fault.meanings)
        shown = [f"{name} ({told[name]})" if name in told else name for name in fault.names]
        roles = dict.fromkeys(kind for name in fault.names if (kind := ROLES.get(name)) is not None)
        kinds = " or ".join(f"flopkb list {kind.value}" for kind in roles)
        hint = f" ({kinds} names them)" if kinds else ""
        return f"missing {noun} {listed(shown)}; {fault.out_of_reach or f'add {names}{hint}'}"
    if isinstance(fault, UnknownRecord) and fault.what == "the link":
        hint = f"; did you mean {fault.meant}?" if fault.meant else "; flopkb list KIND names those there are"
        return f"there is no record {fault.target}{hint}"
    if isinstance(fault, Unavailable) and fault.choice is not None:
        return f"{fault.reason}; say which, as {'='.join(fault.choice)}"
    if isinstance(fault, NotApplicable):
        return fault.told if isinstance(fault, NoLimit) else f"not applicable: {fault.told}"
    return str(fault)
