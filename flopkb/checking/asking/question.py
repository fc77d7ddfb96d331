"""The arguments of a question: formulas, points and inputs, as a person types them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from flopkb.arithmetic.numbers import grouped
from flopkb.base.faults import did_you_mean
from flopkb.base.link.aliases import called, called_in
from flopkb.base.link.names import Scope
from flopkb.base.link.quotes import GROUPED
from flopkb.base.model import ROLES
from flopkb.checking.asking.sweeps import SweepFault, how_read, written_out

_THOUSANDS = re.compile(r"\s*([0-9]+(?:\.[0-9]+)?)\s?([kKmM])(?:\s*tokens?)?\s*")
_DOLLARS = re.compile(r"\$[ ]?([0-9]+(?:\.[0-9]+)?)")
"""An amount of money as people write it: ``$2/hour``."""
_BINARY = {"k": 1 << 10, "m": 1 << 20}


class QuestionFault(Exception):
    """A question that cannot be put; the text says what to write."""


@dataclass(frozen=True, slots=True)
class Question:
    """Formulas with the inputs and points that all of them are asked with; ``notes`` say how something was read."""

    formulas: tuple[str, ...]
    points: tuple[str, ...]
    inputs: Mapping[str, str]
    notes: tuple[str, ...] = ()

    @property
    def listed(self) -> tuple[str, ...]:
        """The inputs that have several values."""
        return tuple(name for name, value in self.inputs.items() if "," in value and not GROUPED.match(value))


def question(arguments: Sequence[str], scope: Scope) -> Question:
    """The question in some arguments, the first of which names a formula; raises :class:`QuestionFault`.

    ``record.formula?model=llama_3_8b&h100`` holds inputs and points as links do; a bare word with a dot is another
    formula, one without a point.
    """
    formulas, points, inputs = list[str](), list[str](), dict[str, str]()
    for number, text in enumerate(part for argument in arguments for part in _parts(argument)):
        name, equals, value = text.partition("=")
        if number == 0 or (not equals and "." in name):
            formulas.append(_formula(called_in(text, scope), scope))
        elif not equals:
            points.append(name)
        elif not name or not value:
            raise QuestionFault(f"{text!r} is no input; write NAME=VALUE, as model=llama_3_8b or L=32768")
        elif name in inputs:
            raise QuestionFault(f"the input {name} is given twice; several values stand in one, as {name}=1,2,4")
        else:
            inputs[name] = value
    _hold_points(points, formulas, scope)
    return _read(Question(tuple(dict.fromkeys(formulas)), tuple(points), inputs), scope)


def _formula(name: str, scope: Scope) -> str:
    """The name of a formula or figure, as it is; a recorded value is told by another command."""
    id, _, path = name.partition(".")
    record = scope.records.get(id)
    if record is None or path in record.formulas or path in record.figures:
        return name
    if path in record.facts:
        raise QuestionFault(f"{name} is recorded, not computed: flopkb explain {name} tells it with its source")
    if path and not record.formulas and not record.figures:
        hint = did_you_mean(path, record.facts) or f"; flopkb show {id} prints what it records"
        raise QuestionFault(f"{id} records no {path}{hint}")
    return name


def _hold_points(points: Sequence[str], formulas: Sequence[str], scope: Scope) -> None:
    """Raise for a record where a point belongs: it is given in its role."""
    holders = [scope.records.get(formula.partition(".")[0]) for formula in formulas]
    for name in points:
        if any(holder is None or name in holder.points for holder in holders):
            continue
        kinds = {scope.records[id].kind for id in called(name, scope)}
        roles = [f"{role}={name}" for role, kind in ROLES.items() if kind in kinds]
        if roles:
            of = formulas[0].partition(".")[0]
            raise QuestionFault(f"{name} is no point of {of}; as an input, write {' or '.join(roles[:4])}")


def _parts(argument: str) -> Iterator[str]:
    formula, query, rest = argument.partition("?")
    yield formula if query else argument
    yield from (part for part in rest.split("&") if part)


def _read(asked: Question, scope: Scope) -> Question:
    """The question with ranges written out and each k of tokens as what it stands for."""
    inputs, notes = dict[str, str](), list[str]()
    for name, value in asked.inputs.items():
        try:
            inputs[name] = written_out(value)
            notes += [f"{name}={read}"] if (read := how_read(value)) else []
        except SweepFault as fault:
            raise QuestionFault(f"{name}: {fault}") from fault
        inputs[name] = _DOLLARS.sub(r"\1 dollar", inputs[name])
        if any(_of_tokens(name, formula, scope) for formula in asked.formulas):
            inputs[name], tokens = _tokens(name, inputs[name])
            notes += tokens
    return Question(asked.formulas, asked.points, inputs, tuple(notes))


def _of_tokens(name: str, formula: str, scope: Scope) -> bool:
    """Whether an input of a formula counts tokens."""
    atom = scope.symbol(name, formula.partition(".")[0])
    symbol = scope.declared(atom) if atom is not None else None
    return symbol is not None and symbol.unit_text == "token"


def _tokens(name: str, value: str) -> tuple[str, list[str]]:
    """The value with a k of tokens as 1,024 of them, and what says so."""
    read, notes = list[str](), list[str]()
    if not any(letter in value for letter in "kKmM"):
        return value, notes
    for text in value.split(","):
        match = _THOUSANDS.fullmatch(text)
        number = Fraction(match[1]) * _BINARY[match[2].lower()] if match else Fraction(1, 2)
        if match is None or number.denominator > 1:
            read.append(text)
            continue
        read.append(str(number))
        each = _BINARY[match[2].lower()]
        notes.append(
            f"{name}={text.strip()} is read as {grouped(str(number))} tokens (a {match[2]} of them is {each:,})"
        )
    if len(notes) > 1:
        notes = [f"{name}: a k of tokens is read as 1,024 of them"]
    return ", ".join(part.strip() for part in read) if notes else value, notes
