"""What a record holds, as frozen values (a leaf).

``schema.py`` builds these from documents; nothing here knows YAML or looks anything up.
Every text that a later stage judges keeps its :class:`~flopkb.base.document.Scalar`, so that each character has a place.
"""

from __future__ import annotations

import re
from collections.abc import Mapping as MappingType
from dataclasses import dataclass, field
from enum import Enum
from types import MappingProxyType

from flopkb.arithmetic.diagnostics import Location
from flopkb.base.document import Document, Scalar
from flopkb.base.layers import Layers

_WORD = re.compile(r"[^\W\d_]{2,}")
_WORDS_OF_A_REASON = 3


class Kind(Enum):
    """The kinds of record; each has a folder of records and a schema."""

    WORKLOAD_CLASS = "workload_class"
    FORMULA = "formula"
    VOCABULARY = "vocabulary"
    ACCELERATOR = "accelerator"
    INTERCONNECT = "interconnect"
    MODEL = "model"
    DTYPE = "dtype"
    SOURCE = "source"

    @property
    def folder(self) -> str:
        """The folder of ``records/`` that holds this kind."""
        return {"workload_class": "workload_classes", "vocabulary": "vocabularies"}.get(self.value, self.value + "s")


class Status(Enum):
    """How far a record is trusted: findings in a draft are warnings; a deprecated record may not be used."""

    DRAFT = "draft"
    VERIFIED = "verified"
    CONTESTED = "contested"
    DEPRECATED = "deprecated"


class Basis(Enum):
    """What stands behind a value."""

    RECORDED = "recorded"
    DERIVED = "derived"
    MEASURED = "measured"
    UNVERIFIED = "unverified"


ROLES: MappingType[str, Kind | None] = MappingProxyType(
    {
        "model": Kind.MODEL,
        "mixer": None,
        "feed_forward": None,
        "accelerator": Kind.ACCELERATOR,
        "interconnect": Kind.INTERCONNECT,
        "dtype": Kind.DTYPE,
        "kv_dtype": Kind.DTYPE,
        "weight_dtype": Kind.DTYPE,
        "expert_dtype": Kind.DTYPE,
        "index_dtype": Kind.DTYPE,
        "state_dtype": Kind.DTYPE,
        "conv_dtype": Kind.DTYPE,
    }
)
"""The roles, which flow from one record's formula into another's, each with the kind of record that fills it.

A mixer or a feed-forward block is no record: the model that is bound names it.
"""


@dataclass(frozen=True, slots=True)
class Reference:
    """A place where a record names another: ``what`` says in which field, ``kinds`` what it may be."""

    target: Scalar
    kinds: frozenset[Kind]
    what: str


@dataclass(frozen=True, slots=True)
class Domain:
    """The values that a symbol may take. Exactly one of ``integer``, ``rational``, ``one_of`` is set; texts are numbers.

    ``multiple_of`` is a number or the name of another symbol of the record.
    """

    location: Location
    integer: tuple[Scalar, Scalar] | None = None
    rational: tuple[Scalar, Scalar] | None = None
    one_of: tuple[Scalar, ...] | None = None
    multiple_of: Scalar | None = None

    @property
    def parent(self) -> Scalar | None:
        """The name of the symbol of which values are whole multiples, where the domain names one."""
        of = self.multiple_of
        return of if of is not None and isinstance(of.value, str) else None


@dataclass(frozen=True, slots=True)
class Narrowing:
    """An entry of ``domains``: what a record or a claim leaves of the domain of a symbol."""

    key: Scalar
    domain: Domain


@dataclass(frozen=True, slots=True)
class TypeGroup:
    """Types of layers under one name, as conditions use it."""

    name: str
    key: Scalar
    members: tuple[Scalar, ...]


@dataclass(frozen=True, slots=True)
class Symbol:
    """A name in formulas: bound by a figure, taken from a role's record (``source``), or a constant.

    ``later`` are the values that stand where the first source records none, in their order; ``otherwise`` is the
    expression that defines it where no source does.
    """

    name: str
    key: Scalar
    meaning: Scalar
    unit: Scalar | None = None
    source: Scalar | None = None
    value: Scalar | None = None
    domain: Domain | None = None
    later: tuple[Scalar, ...] = ()
    otherwise: Scalar | None = None

    @property
    def unit_text(self) -> str:
        """The declared unit, ``1`` where there is none."""
        return self.unit.text if self.unit is not None else "1"

    @property
    def parent(self) -> Scalar | None:
        """The name of the symbol of which this one is a whole multiple, where its domain names one."""
        return self.domain.parent if self.domain is not None else None


@dataclass(frozen=True, slots=True)
class FormulaCase:
    """An expression, and when it is the one that counts (None: always, for then it is the only one)."""

    expr: Scalar
    when: Scalar | None = None

    def __str__(self) -> str:
        return self.expr.text if self.when is None else f"{self.expr.text} where {self.when.text}"


@dataclass(frozen=True, slots=True)
class Requirement:
    """A condition that must hold for a formula to speak of a thing, with the words for where it does not (``otherwise``).

    Of an assumption the value stands all the same, and the words with it. ``each`` is what it holds of one by one
    (``model.mixers``), ``when`` of which of them, or in which case.
    """

    that: Scalar
    otherwise: Scalar
    each: Scalar | None = None
    when: Scalar | None = None


@dataclass(frozen=True, slots=True)
class Formula:
    """An expression, or one for each case, with its declared unit; ``written`` are the names that prose may write for it."""

    name: str
    key: Scalar
    cases: tuple[FormulaCase, ...]
    unit: Scalar
    written: tuple[Scalar, ...] = ()
    requires: tuple[Requirement, ...] = ()
    assumes: tuple[Requirement, ...] = ()
    aggregate: str = ""
    """Of a document: what is made of its values for the rows of a data file (``mean``, ...)."""
    such_that: Scalar | None = None
    """The condition up to which the one symbol that is the expression may grow: the formula is its greatest value."""
    otherwise: Scalar | None = None
    """What is said where that condition holds at no value."""

    @property
    def text(self) -> str:
        """The expression as written; of cases each with its condition."""
        if self.such_that is not None:
            return f"greatest {self.cases[0].expr.text} such that {self.such_that.text}"
        return "; ".join(str(case) for case in self.cases)


@dataclass(frozen=True, slots=True)
class Binding:
    """``name: value`` of a point, a figure or a claim; a list makes the figure a set."""

    key: Scalar
    values: tuple[Scalar, ...]
    is_list: bool = False

    @property
    def name(self) -> str:
        """The symbol or role that is bound."""
        return self.key.text


@dataclass(frozen=True, slots=True)
class Point:
    """A named set of bindings (an operating point)."""

    name: str
    key: Scalar
    bindings: tuple[Binding, ...]


@dataclass(frozen=True, slots=True)
class Figure:
    """A value that prose may quote: a formula with its inputs (or, with ``over``, a ratio of two values of it).

    ``hypothetical`` is why it is asked although the formula does not cover the case. ``assumes`` are the lines that it is
    said to assume, or their first words (None where nothing is said of that).
    """

    name: str
    key: Scalar
    formula: Scalar
    with_: tuple[Binding, ...] = ()
    at: Scalar | None = None
    over: tuple[Binding, ...] = ()
    hypothetical: Scalar | None = None
    assumes: tuple[Scalar, ...] | None = None


@dataclass(frozen=True, slots=True)
class Claim:
    """A statement about formulas over declared domains; ``claims.py`` gives the fields their meaning.

    ``relation`` is the key that says what is claimed (``independent_of``, ``at_most``, ...), ``terms`` its operands
    as written (of ``proportional_to`` each with its exponent, where one is written), ``options`` the further fields
    ``in`` and ``at`` by name, ``limits`` the entries of ``as``: each symbol with the value that it approaches.
    """

    name: str
    location: Location
    relation: Scalar
    formula: Scalar | None
    terms: tuple[tuple[Scalar, Scalar | None], ...]
    given: tuple[Binding, ...] = ()
    where: tuple[Scalar, ...] = ()
    over: tuple[Binding, ...] = ()
    options: tuple[tuple[Scalar, Scalar], ...] = ()
    limits: tuple[tuple[Scalar, Scalar], ...] = ()
    domains: MappingType[str, Narrowing] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Fact:
    """A recorded value.

    ``path`` is the dotted path below the record (``memory_bandwidth``, ``peak_flops.bf16``). ``value`` is the amount as
    written, unit and all (``3350 GB/s``), or None where ``absent`` says why there is none. ``as_printed`` is what
    someone read in the source, ``reading`` the expression in ``printed`` that turns it into the value. ``formula`` is
    the expression over sibling facts that gives a derived value. ``disputed`` are values that other sources state;
    ``preferred`` is the reason why this one stands. ``basis_at`` is where the basis is written (the value itself where
    it is understood). ``as_printed`` of a plain number is the number itself; what a model's config.json
    states is preferred to what others do, so there ``preferred`` is the ``config_source``.
    """

    path: str
    location: Location
    value: Scalar | None
    basis: Basis
    unit: str = "1"
    sources: tuple[Reference, ...] = ()
    as_printed: Scalar | None = None
    reading: Scalar | None = None
    formula: Scalar | None = None
    absent: str | None = None
    dtype: Reference | None = None
    sparsity: str | None = None
    accumulate: str | None = None
    method: Scalar | None = None
    device: Scalar | None = None
    date: Scalar | None = None
    disputed: tuple[Fact, ...] = ()
    preferred: Scalar | None = None
    basis_at: Location | None = None
    note: Scalar | None = None

    @property
    def is_flag(self) -> bool:
        """Whether it is a yes or a no: 1 or 0 in formulas, and no number that prose could quote."""
        return self.value is not None and isinstance(self.value.value, bool)


@dataclass(frozen=True, slots=True)
class HardwareRow:
    """One row of ``hardware_parameters``: which quantity moves the class, by what figure, on which basis."""

    parameter: Scalar
    effect: Scalar
    magnitude: tuple[Scalar, ...]
    basis: Basis
    location: Location
    basis_at: Location
    demand: bool = False
    moves: bool = True
    values_for: tuple[Reference, ...] = ()
    sources: tuple[Reference, ...] = ()
    as_printed: Scalar | None = None
    method: Scalar | None = None
    device: Scalar | None = None
    date: Scalar | None = None
    cost: Scalar | None = None
    elasticity: tuple[tuple[Scalar, Scalar], ...] = ()


@dataclass(frozen=True, slots=True)
class Correction:
    """An earlier statement that was wrong, when it did hold, what refutes it, and what stands now.

    What stands now is a comparison (``now``) or a claim of the record (``now_claim``).
    """

    location: Location
    stated: Scalar
    given: tuple[Binding, ...]
    holds_when: Scalar | None
    counterexamples: tuple[tuple[Location, tuple[Binding, ...]], ...]
    now: Scalar | None
    now_claim: Scalar | None = None


@dataclass(frozen=True, slots=True)
class Prose:
    """A field of the record that readers read as Markdown: ``field`` is its dotted path."""

    field: str
    scalar: Scalar


@dataclass(frozen=True, slots=True)
class Suppression:
    """An editor's word that the findings of ``rule`` at a place of this record are meant, with the reason.

    ``at`` is the dotted path of the field (``derivation``, ``figures.gap``). Without it, and without a reason in words,
    nothing is suppressed.
    """

    rule: Scalar
    reason: Scalar
    at: Scalar | None = None

    @property
    def is_reasoned(self) -> bool:
        """Whether the reason is a few words and no sign or filler."""
        return len(_WORD.findall(self.reason.text)) >= _WORDS_OF_A_REASON


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """What a name of a document stands for: ``path`` in the record of a data file (all of it, where that is empty), or a
    figure that ``flopkb.yaml`` shares. ``fault`` says why it stands for nothing.
    """

    record: str
    path: str = ""
    fault: str = ""


@dataclass(frozen=True, slots=True, repr=False)
class Record:
    """One record. Fields that its kind does not have are empty."""

    id: str
    kind: Kind
    name: str
    status: Status
    document: Document
    id_at: Scalar
    aliases: tuple[Scalar, ...] = ()
    symbols: MappingType[str, Symbol] = field(default_factory=dict)
    requires: tuple[Requirement, ...] = ()
    assumes: tuple[Requirement, ...] = ()
    """What each formula of the record requires and assumes, besides its own."""
    groups: MappingType[str, TypeGroup] = field(default_factory=dict)
    domains: MappingType[str, Narrowing] = field(default_factory=dict)
    formulas: MappingType[str, Formula] = field(default_factory=dict)
    points: MappingType[str, Point] = field(default_factory=dict)
    figures: MappingType[str, Figure] = field(default_factory=dict)
    claims: MappingType[str, Claim] = field(default_factory=dict)
    facts: MappingType[str, Fact] = field(default_factory=dict)
    layers: Layers | None = None
    rows: tuple[HardwareRow, ...] = ()
    products: tuple[Reference, ...] = ()
    corrections: tuple[Correction, ...] = ()
    prose: tuple[Prose, ...] = ()
    sources: tuple[Reference, ...] = ()
    suppressions: tuple[Suppression, ...] = ()
    references: tuple[Reference, ...] = ()
    """Every typed reference of the record, those of facts and rows among them (not those in prose)."""
    dropped: frozenset[str] = frozenset()
    """Dotted paths of entries (``figures.gap``) that were left out for faults reported at their own place."""
    near: MappingType[str, Elsewhere] = field(default_factory=dict)
    """Of a document: the names that it uses for data files and shared figures."""
    rows_of: tuple[str, ...] = ()
    """Of many rows of a data file: the ids of the records of each, which fill the role that this record's id is."""

    def __repr__(self) -> str:
        return f"<{self.kind.value} {self.id}: {self.name}, {self.status.value}>"

    @property
    def path(self) -> str:
        """The file, as reported."""
        return self.document.path

    @property
    def kind_at(self) -> Location:
        """Where the kind is stated."""
        node = self.document.root.get("kind")
        return node.location if node is not None else self.location

    @property
    def location(self) -> Location:
        """Where the record begins."""
        return self.document.root.location


@dataclass(frozen=True, slots=True)
class QuotingPage:
    """A Markdown document that quotes the base: it is checked like a verified record, and nothing refers to it.

    ``strict`` is one that asks that every number in it be linked; ``declares`` a ``flopkb.yaml``, which has no prose.
    """

    id: str
    status: Status = Status.VERIFIED
    strict: bool = False
    declares: bool = False


Subject = Record | QuotingPage
"""What the rules on prose look at."""
