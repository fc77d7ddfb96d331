"""What a name in an expression and a link in prose can stand for (frozen, hashable)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from flopkb.arithmetic.diagnostics import Location
from flopkb.arithmetic.formula import Compare, Condition, Expr, Name, Rebound
from flopkb.arithmetic.units import Unit
from flopkb.base.document import Scalar
from flopkb.base.faults import Fault
from flopkb.base.link.frames import Frame, Level
from flopkb.base.model import Binding, Formula, Record


@dataclass(frozen=True, slots=True, order=True)
class SymbolAtom:
    """A symbol of a record, perhaps in a frame; ``bare`` is its value without what the asker binds to it."""

    record: str
    name: str
    frame: Frame | None = None
    bare: bool = False

    def __str__(self) -> str:
        return self.name if self.frame is None else f"{self.name}[{self.frame}]"

    @property
    def plain(self) -> SymbolAtom:
        """The symbol itself, as it is declared."""
        return self if self.frame is None and not self.bare else SymbolAtom(self.record, self.name)


@dataclass(frozen=True, slots=True, order=True)
class ValueAtom:
    """A recorded value of a role's record or of a named record: ``accelerator.peak_flops[dtype]``.

    ``holder`` is a role or a record id; ``index`` a role or a dtype id, or empty.
    """

    holder: str
    path: str
    index: str = ""
    frame: Frame | None = None

    def __str__(self) -> str:
        inside = ", ".join(part for part in (self.index, str(self.frame or "")) if part)
        return f"{self.holder}.{self.path}[{inside}]" if inside else f"{self.holder}.{self.path}"

    @property
    def plain(self) -> ValueAtom:
        """The value outside of every frame."""
        return self if self.frame is None else ValueAtom(self.holder, self.path, self.index)


@dataclass(frozen=True, slots=True, order=True)
class FormulaRef:
    """A formula of a record, perhaps in a frame."""

    record: str
    name: str
    frame: Frame | None = None

    def __str__(self) -> str:
        own = f"{self.record}.{self.name}"
        return own if self.frame is None else f"{own}[{self.frame}]"

    @property
    def plain(self) -> FormulaRef:
        """The formula itself, as its record has it."""
        return self if self.frame is None else FormulaRef(self.record, self.name)


Target = SymbolAtom | ValueAtom | FormulaRef


@dataclass(frozen=True, slots=True)
class LinkedExpr:
    """An expression with what each of its names stands for; ``record`` is the scope in which they were looked up."""

    record: str
    source: Scalar
    expr: Expr = field(repr=False)
    targets: Mapping[Name, Target] = field(repr=False)
    levels: Mapping[Rebound, Level] = field(default_factory=dict, repr=False)
    """What each of its calls with inputs binds."""


@dataclass(frozen=True, slots=True)
class LinkedCondition:
    """A condition with what each of its names stands for; types stand in it as their words."""

    record: str
    source: Scalar
    condition: Condition = field(repr=False)
    targets: Mapping[Name, Target] = field(repr=False)


@dataclass(frozen=True, slots=True)
class LinkedCase:
    """An expression, and when it is the one that counts (None: always)."""

    body: LinkedExpr
    when: LinkedCondition | None = None


@dataclass(frozen=True, slots=True)
class Fallback:
    """What gives a symbol its value where its first source records none: further sources, then a definition."""

    later: tuple[ValueAtom, ...] = ()
    otherwise: LinkedExpr | None = None


NO_FALLBACK = Fallback()


@dataclass(frozen=True, slots=True)
class LinkedRequirement:
    """A requirement or assumption with its names looked up: every one of ``parts`` must hold; ``words`` for when not.

    ``each`` is the role of which it must hold for every part of a model, ``when`` the case in which it must. One that
    asks for a type is a condition as cases have them: ``types``; then there are no parts.
    """

    record: str
    parts: tuple[Compare, ...] = field(repr=False)
    body: LinkedExpr
    words: str
    each: str = ""
    when: LinkedCondition | None = None
    types: LinkedCondition | None = None

    @property
    def targets(self) -> tuple[Target, ...]:
        """What all of its names stand for."""
        return (*self.body.targets.values(), *(self.when.targets.values() if self.when is not None else ()))


@dataclass(frozen=True, slots=True)
class LinkedFormula:
    """A formula ready to be evaluated, or the faults that keep it from that: then it has no cases."""

    ref: FormulaRef
    record: Record = field(repr=False)
    formula: Formula = field(repr=False)
    unit: Unit
    cases: tuple[LinkedCase, ...]
    faults: tuple[Fault, ...] = ()
    requires: tuple[LinkedRequirement, ...] = ()
    assumes: tuple[LinkedRequirement, ...] = ()
    sought: LinkedRequirement | None = None
    """Up to where the symbol that is its expression may grow; then the formula is the greatest value of it."""

    @property
    def body(self) -> LinkedExpr | None:
        """The one expression; None where there are cases, or faults."""
        return self.cases[0].body if self.cases and self.cases[0].when is None else None

    @property
    def sought_symbol(self) -> SymbolAtom | None:
        """The symbol whose greatest value the formula is."""
        target = next(iter(self.body.targets.values())) if self.sought is not None and self.body is not None else None
        return target if isinstance(target, SymbolAtom) else None

    @property
    def targets(self) -> tuple[Target, ...]:
        """What all of its names stand for, those of conditions too."""
        parts: list[LinkedCondition | LinkedExpr] = [self.sought.body] if self.sought is not None else []
        parts += [part for case in self.cases for part in (case.when, case.body) if part is not None]
        return tuple(dict.fromkeys(target for part in parts for target in part.targets.values()))


@dataclass(frozen=True, slots=True)
class Computation:
    """A value asked for: a formula with its bindings (``over`` divides by the value at both).

    ``title`` is how messages name it: the figure's name, or the formula's.
    """

    formula: FormulaRef
    title: str
    record: str
    location: Location
    bindings: tuple[Binding, ...] = ()
    over: tuple[Binding, ...] = ()
    hypothetical: str = ""
    """Why it is asked although the formula does not cover the case; empty where it must."""

    @property
    def place(self) -> tuple[Location, str, int]:
        """Where a fault of it stands."""
        return self.location, self.record, len(self.title)


@dataclass(frozen=True, slots=True)
class InputTarget:
    """An input of a point or a figure: ``in:long.s``."""

    record: str
    owner: str
    binding: Binding
    computation: Computation


PRINTED = "printed"
"""In place of a source: the printed form of the value, letter for letter."""


@dataclass(frozen=True, slots=True)
class FactTarget:
    """A recorded value, or what another ``source`` states in its place (:data:`PRINTED`: its printed form)."""

    record: str
    path: str
    source: str | None = None
    title: str = field(default="", compare=False)
    """How messages name a value of a data file."""


@dataclass(frozen=True, slots=True)
class FigureTarget:
    """A figure of a record."""

    record: str
    name: str


@dataclass(frozen=True, slots=True)
class ClaimTarget:
    """A claim of a record."""

    record: str
    name: str


@dataclass(frozen=True, slots=True)
class LiteralTarget:
    """A number that is no figure, with the reason."""

    reason: str


QuoteTarget = FigureTarget | Computation | InputTarget | FactTarget | ClaimTarget | LiteralTarget
