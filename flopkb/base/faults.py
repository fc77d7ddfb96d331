"""What can be wrong with a reference, a formula, an input or a value: facts first, the sentence last (a leaf).

``link.py`` and ``evaluate.py`` return these as values. A class carries the rule that reports it; ``str(fault)`` makes the
sentence. ``Blocked`` stands where something else, reported at its own place, kept a value from being computed.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from flopkb.arithmetic.diagnostics import Location, shortened


def nearest(word: str, known: Iterable[str]) -> str | None:
    """The known word that was probably meant, or None: a near one, else the only one that begins it, or it begins."""
    words = sorted(known)
    close = difflib.get_close_matches(word, words, n=1, cutoff=0.6)
    if close:
        return close[0]
    begun = [
        other for other in words if len(other) > 2 < len(word) and (other.startswith(word) or word.startswith(other))
    ]
    return begun[0] if len(begun) == 1 else None


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """``; did you mean X?`` where a known word is near, else nothing."""
    meant = nearest(word, known)
    return f"; did you mean {meant}?" if meant else ""


def listed(names: Iterable[str], limit: int = 6) -> str:
    """Names in a sentence, cut where there are many."""
    all_names = list(names)
    shown = ", ".join(all_names[:limit])
    return f"{shown}, ... ({len(all_names)} in all)" if len(all_names) > limit else shown


def round_trip(names: Sequence[str]) -> tuple[str, ...]:
    """The names on a cycle and back to the first, begun at the least: the same wherever the cycle was entered."""
    start = min(range(len(names)), key=names.__getitem__)
    return (*names[start:], *names[:start], names[start])


@dataclass(frozen=True, slots=True)
class Fault:
    """Something wrong at ``location`` of record ``record`` (empty for a document), on ``length`` characters.

    ``rule`` reports it. These three come first; what a kind of fault has besides is given by name.
    """

    rule: ClassVar[str] = ""
    location: Location
    record: str
    length: int = 1

    @property
    def missing(self) -> str:
        """The id, or the dotted name, of what is named and is not there: many faults may name the same one."""
        return ""


class Stopped(Exception):
    """A value cannot be had; ``fault`` says why. A stage of the way never lets it out."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault)
        self.fault = fault


@dataclass(frozen=True, slots=True, kw_only=True)
class Blocked(Fault):
    """Not computed because of another fault, which is reported where it stands."""

    cause: str

    def __str__(self) -> str:
        return f"not computed: {self.cause}; flopkb check says what is wrong there"


@dataclass(frozen=True, slots=True, kw_only=True)
class UnknownRecord(Fault):
    """An id that no record has."""

    rule: ClassVar[str] = "unknown-reference"
    target: str
    what: str
    meant: str | None = None
    row: str = ""

    @property
    def missing(self) -> str:
        """The record."""
        return self.target

    def __str__(self) -> str:
        if self.row:
            return f"{self.what} names {self.target}, which is no record of the base: {self.row}"
        hint = f"; did you mean {self.meant}?" if self.meant else "; add the record or correct the id"
        return f"{self.what} names {self.target}, which is no record of the base{hint}"


@dataclass(frozen=True, slots=True, kw_only=True)
class WrongKind(Fault):
    """A reference to a record of a kind that cannot stand there."""

    rule: ClassVar[str] = "wrong-kind"
    target: str
    what: str
    found: str
    wanted: tuple[str, ...]

    def __str__(self) -> str:
        wanted = " or ".join(self.wanted)
        return f"{self.what} takes the id of a record of kind {wanted}, but {self.target} is of kind {self.found}"


@dataclass(frozen=True, slots=True, kw_only=True)
class DeprecatedRecord(Fault):
    """A reference to a record that was given up."""

    rule: ClassVar[str] = "deprecated-reference"
    target: str
    what: str
    instead: str | None

    def __str__(self) -> str:
        hint = f"; use {self.instead}" if self.instead else "; use the record that took its place"
        return f"{self.what} names {self.target}, which is deprecated{hint}"


@dataclass(frozen=True, slots=True, kw_only=True)
class UnknownFigure(Fault):
    """A quote of a figure or formula that the record does not have."""

    rule: ClassVar[str] = "unknown-figure"
    target: str
    meant: str | None
    what: str = "figure or formula"

    @property
    def missing(self) -> str:
        """The figure or formula with its record."""
        return self.target if "." in self.target else f"{self.record}.{self.target}"

    def __str__(self) -> str:
        add = "; add it under formulas:" if self.what == "formula" else "; add it under figures: or formulas:"
        hint = f"; did you mean {self.meant}?" if self.meant else add
        return f"there is no {self.what} {self.target}{hint}"


@dataclass(frozen=True, slots=True, kw_only=True)
class UnknownFact(Fault):
    """A path below a record at which nothing is recorded, or a source that disputes nothing there."""

    rule: ClassVar[str] = "unknown-fact"
    holder: str
    path: str
    meant: str | None

    def __str__(self) -> str:
        hint = f"; did you mean {self.meant}?" if self.meant else ""
        return f"{self.holder} records no {self.path}{hint}"


@dataclass(frozen=True, slots=True, kw_only=True)
class NoData(Fault):
    """A name of a data file, or of a value in one, that gives no number."""

    rule: ClassVar[str] = "data-value"
    reason: str

    def __str__(self) -> str:
        return self.reason


@dataclass(frozen=True, slots=True, kw_only=True)
class UnknownClaim(Fault):
    """A link to a claim that the record does not make."""

    rule: ClassVar[str] = "unknown-claim"
    target: str
    meant: str | None

    def __str__(self) -> str:
        hint = f"; did you mean {self.meant}?" if self.meant else "; add it under claims:"
        return f"there is no claim {self.target}{hint}"


@dataclass(frozen=True, slots=True, kw_only=True)
class BadTarget(Fault):
    """A link target that is not of the form that its scheme takes."""

    rule: ClassVar[str] = "bad-link"
    reason: str

    def __str__(self) -> str:
        return self.reason


@dataclass(frozen=True, slots=True, kw_only=True)
class BadLiteral(Fault):
    """A ``lit:`` link whose reason is none of the closed list."""

    rule: ClassVar[str] = "literal-reason"
    reason: str

    def __str__(self) -> str:
        return self.reason


@dataclass(frozen=True, slots=True, kw_only=True)
class BadTable(Fault):
    """A table directive that cannot be read."""

    rule: ClassVar[str] = "bad-table"
    reason: str

    def __str__(self) -> str:
        return self.reason


@dataclass(frozen=True, slots=True, kw_only=True)
class UnknownName(Fault):
    """A name in an expression that is neither symbol, formula, role nor record."""

    rule: ClassVar[str] = "unknown-name"
    name: str
    meant: str | None
    why: str = ""

    @property
    def missing(self) -> str:
        """The name with its record."""
        return self.name if "." in self.name else f"{self.record}.{self.name}"

    def __str__(self) -> str:
        if self.why:
            return f"{self.name} is {self.why}" + (f"; did you mean {self.meant}?" if self.meant else "")
        hint = f"; did you mean {self.meant}?" if self.meant else "; declare it under symbols:"
        return f"{self.name} is no symbol or formula of this record and no role or record id{hint}"


@dataclass(frozen=True, slots=True, kw_only=True)
class UnknownInput(Fault):
    """A binding of a name that is no symbol of the formula's record and no role, or of an unknown point."""

    rule: ClassVar[str] = "unknown-input"
    name: str
    holder: str
    meant: str | None
    what: str = "input"

    def __str__(self) -> str:
        hint = f"; did you mean {self.meant}?" if self.meant else ""
        return f"{self.holder} has no {self.what} {self.name}{hint}"


@dataclass(frozen=True, slots=True, kw_only=True)
class UnreadInput(Fault):
    """An input that is given and that the formula does not read, directly or on the way."""

    rule: ClassVar[str] = "unknown-input"
    name: str
    formula: str
    instead: str = ""
    """A formula that gives the same and reads it."""
    idle: bool = False
    """Whether the formula reads it of other things than that which is asked of."""

    def __str__(self) -> str:
        if self.idle:
            return f"{self.formula} has no use for {self.name} here: nothing that it counts is in that format; leave it out"
        other = f", or ask {self.instead}, which does" if self.instead else ""
        return f"{self.formula} does not read {self.name}: leave it out{other}"


@dataclass(frozen=True, slots=True, kw_only=True)
class BadExpression(Fault):
    """An expression that does not parse."""

    rule: ClassVar[str] = "formula-syntax"
    reason: str

    def __str__(self) -> str:
        return self.reason


@dataclass(frozen=True, slots=True, kw_only=True)
class Cycle(Fault):
    """Formulas, or inputs, that are defined by each other."""

    rule: ClassVar[str] = "cycle"
    path: tuple[str, ...]

    def __str__(self) -> str:
        return f"defined by itself: {' -> '.join(self.path)}; break the cycle"


@dataclass(frozen=True, slots=True, kw_only=True)
class BadDimension(Fault):
    """An expression whose physical dimension is not that of its declared unit, or that adds unlike amounts."""

    rule: ClassVar[str] = "formula-dimension"
    reason: str

    def __str__(self) -> str:
        return self.reason


@dataclass(frozen=True, slots=True, kw_only=True)
class BadInput(Fault):
    """An input whose value cannot be read, or whose unit is not the symbol's."""

    rule: ClassVar[str] = "bad-input"
    reason: str

    def __str__(self) -> str:
        return self.reason


@dataclass(frozen=True, slots=True, kw_only=True)
class BadLayers(Fault):
    """The layers of a model do not fit each other, or their number."""

    rule: ClassVar[str] = "layers"
    reason: str

    def __str__(self) -> str:
        return self.reason


@dataclass(frozen=True, slots=True, kw_only=True)
class NotCovered(Fault):
    """A formula that has no case for what it is asked of: ``about`` says what, ``covered`` who has one."""

    rule: ClassVar[str] = "not-covered"
    formula: str
    about: str
    covered: tuple[str, ...] = ()

    def __str__(self) -> str:
        hint = f"{listed(self.covered)} covers it" if self.covered else "add a case for it, or ask another formula"
        return f"{self.formula} has no case for {self.about or 'these inputs'}: {hint}"


@dataclass(frozen=True, slots=True, kw_only=True)
class SeveralCases(Fault):
    """A formula of which two cases hold at once."""

    rule: ClassVar[str] = "several-cases"
    formula: str
    conditions: tuple[str, ...]

    def __str__(self) -> str:
        both = " and ".join(f"`{shortened(text, 70)}`" for text in self.conditions[:2])
        return f"{both} both hold in {self.formula} here: narrow one, so that exactly one case holds"


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitMismatch(Fault):
    """An amount in a unit of another dimension than the one declared."""

    rule: ClassVar[str] = "unit-mismatch"
    found: str
    wanted: str
    what: str
    this: str = "this"

    def __str__(self) -> str:
        return f"{self.what} is declared in {self.wanted}, but {self.this} is in {self.found}"


@dataclass(frozen=True, slots=True, kw_only=True)
class MissingInput(Fault):
    """Symbols or roles that the value depends on and nothing binds."""

    rule: ClassVar[str] = "missing-input"
    formula: str
    names: tuple[str, ...]
    meanings: tuple[tuple[str, str], ...] = field(default=(), compare=False)
    """What some of the names stand for, where that is told."""

    def __str__(self) -> str:
        noun, it = ("input", "it") if len(self.names) == 1 else ("inputs", "them")
        needs = f"missing {noun} {listed(self.names)}: {self.formula} depends on {it}"
        return f"{needs}; {self.out_of_reach or f'bind {it} under with:, at: or in the link'}"

    @property
    def out_of_reach(self) -> str:
        """What to do about the first symbol of another record's own among the names; empty where there is none."""
        name = next((name for name in self.names if "." in name), "")
        holder, _, symbol = name.partition(".")
        if not name:
            return ""
        return (
            f"{symbol} is a symbol of {holder}'s own, which no input of another record's formula reaches: the formula that "
            f"names one of {holder} passes it, as {holder}.FORMULA({symbol}=...)"
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class OutsideDomain(Fault):
    """An input outside the domain that its symbol declares."""

    rule: ClassVar[str] = "outside-domain"
    name: str
    value: str
    domain: str

    def __str__(self) -> str:
        return (
            f"{self.name} = {self.value} is outside its domain ({self.domain}); correct the input or widen the domain"
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class WidenedDomain(Fault):
    """A record or a claim that gives a symbol values outside the domain that its declaration gives it."""

    rule: ClassVar[str] = "widened-domain"
    name: str
    domain: str
    wider: str

    def __str__(self) -> str:
        return (
            f"domains: narrows, and {self.domain} is not within the domain of {self.name} ({self.wider}); "
            "narrow it, or correct the domain where the symbol is declared"
        )


WANTED = {
    "==": "equal to",
    "!=": "different from",
    "<=": "at most",
    ">=": "at least",
    "<": "less than",
    ">": "more than",
}
"""What the left side of a comparison is said to be of the right one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NotApplicable(Fault):
    """A value asked of a thing that the formula does not cover; ``words`` say what is the matter, ``detail`` the numbers."""

    rule: ClassVar[str] = "not-applicable"
    formula: str
    words: str
    detail: str = ""
    other_type: bool = False

    @property
    def told(self) -> str:
        """The words, with the numbers."""
        return f"{self.words}: {self.detail}" if self.detail else self.words

    def __str__(self) -> str:
        return f"{self.formula} is not applicable: {self.told}"


@dataclass(frozen=True, slots=True, kw_only=True)
class NoLimit(NotApplicable):
    """A greatest value is sought and the condition holds throughout the domain."""

    def __str__(self) -> str:
        return f"{self.formula} has {self.told}"


@dataclass(frozen=True, slots=True, kw_only=True)
class DividesByZero(Fault):
    """A division by an expression that is zero for these inputs."""

    rule: ClassVar[str] = "zero-denominator"
    formula: str
    denominator: str
    always: bool = False

    def __str__(self) -> str:
        when = "whatever the inputs are" if self.always else "for these inputs"
        return f"{self.formula} divides by {self.denominator}, which is zero {when}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Unavailable(Fault):
    """A value that a formula needs and a record cannot give: a sparse peak, a precision that the part lacks."""

    rule: ClassVar[str] = "unavailable-value"
    holder: str
    reason: str
    choice: tuple[str, str] | None = None
    """The role that has to be bound, and what could fill it."""
    other_type: bool = False
    """The formula is of other types of layers."""

    def __str__(self) -> str:
        return self.reason + (f"; say which, as {': '.join(self.choice)}" if self.choice else "")
