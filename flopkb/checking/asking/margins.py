"""How far each input may move before a comparison flips: the comparison turned around for one input after another."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from flopkb.arithmetic.numbers import digits_text, short_text
from flopkb.arithmetic.units import Unit
from flopkb.base.evaluate import Case
from flopkb.base.evaluate.solving import Solution
from flopkb.base.link import SymbolAtom
from flopkb.checking.api import Base, FlopkbError
from flopkb.checking.asking.answers import AnswerRow, sentence
from flopkb.checking.asking.question import Question, QuestionFault


@dataclass(frozen=True, slots=True)
class Margin:
    """One input: its value now, and where the comparison flips; ``words`` say so, or why it never does."""

    name: str
    now: Fraction
    unit: Unit
    words: str
    flips: Fraction | None = None

    @property
    def change(self) -> str:
        """How many times its value the input is where the comparison flips."""
        return f"{digits_text(self.flips / self.now, 3)}x" if self.flips is not None and self.now else ""

    def told(self) -> dict[str, object]:
        """The margin as an object for programs: values exact, in base units."""
        flips = str(self.flips) if self.flips is not None else None
        return {
            "name": self.name,
            "now": str(self.now),
            "flips": flips,
            "unit": self.unit.base_text or "1",
            "words": self.words,
        }


def statement_in(text: str, formula: str) -> str:
    """A comparison in which ``value`` stands for the formula that is asked."""
    if not any(op in text for op in ("<", ">")):
        raise QuestionFault(
            f"--margin {text}: write a comparison, as 'value <= 20 ms' or 'capacity.footprint <= memory'"
        )
    return " ".join(formula if word == "value" else word for word in text.split(" "))


def margins(text: str, row: AnswerRow, asked: Question, base: Base) -> list[Margin]:
    """The margin of every input that is a number, given or recorded, those given first."""
    assert row.case is not None
    statement = statement_in(text, row.formula)
    read = sorted(numbers(row.case), key=lambda number: number[0] not in asked.inputs)
    found = [margin(name, now, unit, statement, asked, base) for name, now, unit in read]
    if not any(found):
        raise QuestionFault(f"--margin {text}: no input of {row.formula} moves it; name a formula that it reads")
    return [each for each in found if each is not None]


def numbers(case: Case) -> list[tuple[str, Fraction, Unit]]:
    """The symbols that a value was computed from and that are numbers of their own, with their values."""
    side, found = case.upper, dict[str, tuple[str, Fraction, Unit]]()
    for atom, value in side.targets.items():
        if isinstance(atom, SymbolAtom) and atom.frame is None and not isinstance(value, str):
            found.setdefault(atom.name, (atom.name, value, side.unit(atom)))
    return list(found.values())


def margin(name: str, now: Fraction, unit: Unit, statement: str, asked: Question, base: Base) -> Margin | None:
    """The margin of one input; None for one that does not move the comparison, or that cannot be turned around."""
    inputs: Mapping[str, str] = {key: value for key, value in asked.inputs.items() if key != name}
    try:
        found = base.solve(statement, name, *asked.points, **inputs)
    except FlopkbError as error:
        return Margin(name, now, unit, sentence(error.fault)) if name in asked.inputs else None
    if found.value is None and "does not move it" in found.words:
        return None
    return told(found, now, unit)


def told(found: Solution, now: Fraction, unit: Unit) -> Margin:
    """A solution as a margin: up to where the comparison holds from the value of now on, or from where it would."""
    if found.value is None:
        return Margin(found.name, now, unit, found.words if found.never else found.words.partition(":")[0])
    at = short_text(found.value, unit)
    up = found.upward
    held = now <= found.value if up else now >= found.value
    where = f"{'up to' if up else 'from'} {at}{'' if up else ' on'}"
    words = f"holds {where}" if held else f"would hold {where}"
    return Margin(found.name, now, unit, words + (f", {found.words}" if found.words else ""), found.value)


def margin_rows(text: str, row: AnswerRow, found: Sequence[Margin]) -> list[tuple[str, ...]]:
    """The margins as rows of a table, under a head."""
    rows = [(each.name, short_text(each.now, each.unit), each.words, each.change) for each in found]
    return [("input", "is", statement_in(text, row.formula), "change"), *rows]
