"""What the formats write, as frozen values: every record with its values computed and its references followed.

Texts are as authors wrote them. Files are named below the folder of records, so that nothing depends on where it lies.
``records.resolve`` makes them of a base, once for all formats.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from flopkb.arithmetic.diagnostics import Location
from flopkb.arithmetic.units import Unit
from flopkb.base.claims.verdicts import ClaimVerdict, CorrectionVerdicts
from flopkb.base.document import Mapping as MappingNode
from flopkb.base.document import Node, Scalar, Sequence
from flopkb.base.evaluate.differences import Difference
from flopkb.base.evaluate.domains import domain_text
from flopkb.base.link import Passage
from flopkb.base.model import (
    Basis,
    Binding,
    Claim,
    Correction,
    Formula,
    HardwareRow,
    Kind,
    Narrowing,
    Record,
    Reference,
    Status,
    Symbol,
    TypeGroup,
)
from flopkb.checking.api import Base
from flopkb.publishing.export.exact import Exact
from flopkb.publishing.provenance import BaseVersion

KINDS = (
    Kind.WORKLOAD_CLASS,
    Kind.FORMULA,
    Kind.VOCABULARY,
    Kind.ACCELERATOR,
    Kind.INTERCONNECT,
    Kind.MODEL,
    Kind.DTYPE,
    Kind.SOURCE,
)
"""The order in which records are shown: what is said, what it rests on."""


@dataclass(frozen=True, slots=True)
class Placing:
    """``root`` is the folder of records as the paths of the base name it (empty: they are left as they are)."""

    root: str = ""

    def file(self, path: str) -> str:
        """The path below the root."""
        return path.removeprefix(f"{self.root.rstrip('/')}/") if self.root else path

    def place(self, where: Location) -> Location:
        """The same place, in the file as it is named here."""
        return replace(where, path=self.file(where.path))


_ABSENT = {"not_supported": "not supported by the part", "not_published": "not published"}


@dataclass(frozen=True, slots=True)
class ResolvedFact:
    """A recorded value, or what another source states in its place (then ``disputes`` is true).

    ``difference`` says how the other value differs: in rounding, in notation, or as a conflict.

    ``key`` is ``record.path``, with ``@source`` for what is stated otherwise. ``quantity`` is the first part of the
    path. ``written`` is the amount as the record writes it; None (with no ``value``) where ``absent`` says why.
    """

    key: str
    record: str
    path: str
    quantity: str
    unit: str
    written: str | None
    value: Exact | None
    basis: Basis
    sources: tuple[str, ...]
    as_printed: str = ""
    reading: str = ""
    formula: str = ""
    absent: str = ""
    dtype: str = ""
    sparsity: str = ""
    accumulate: str = ""
    method: str = ""
    device: str = ""
    date: str = ""
    note: str = ""
    preferred: str = ""
    disputes: bool = False
    difference: str = ""
    disputed: tuple[ResolvedFact, ...] = ()
    place: Location = field(default=Location("", 1, 1))
    fault: str = ""

    @property
    def contested(self) -> bool:
        """Whether a source contradicts the value: what only rounds it or writes it otherwise does not."""
        return any(other.difference == Difference.CONFLICT.value for other in self.disputed)

    @property
    def absence(self) -> str:
        """Why there is no value, in words; empty where there is one."""
        return _ABSENT.get(self.absent, self.absent)


@dataclass(frozen=True, slots=True)
class ResolvedInput:
    """What a computation reads: ``name`` stands for ``value``, because of ``given`` (as written) or of a fact.

    ``given`` is empty where nothing but the fact gives the value. ``side`` is ``lower`` in the computation that a
    figure with ``over`` is divided by. ``fact`` is the key of the recorded value.
    """

    name: str
    meaning: str
    value: Exact
    given: str = ""
    fact: str = ""
    side: str = "upper"


@dataclass(frozen=True, slots=True)
class ResolvedStep:
    """A formula on the way: its value, or (``value`` None) the ``form`` in what cancels further on."""

    formula: str
    expr: str
    value: Exact | None
    form: str
    unit: str


@dataclass(frozen=True, slots=True)
class ResolvedCase:
    """One choice of the listed inputs."""

    choice: tuple[tuple[str, str], ...]
    value: Exact
    inputs: tuple[ResolvedInput, ...]
    steps: tuple[ResolvedStep, ...]
    cancels: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ResolvedFigure:
    """A value that can be quoted: a figure of a record, or a formula with inputs as a link asks for it.

    ``key`` is ``record.name``, or ``record.formula?input=value&...`` with the inputs in order of their names; ``name``
    is empty for a formula with inputs. Without ``cases``, ``fault`` says why there is no value. ``facts`` are keys of
    the recorded values that it moves with; ``contested`` those of its inputs that other sources state otherwise;
    ``assumes`` are lines on what the value assumes.
    """

    key: str
    record: str
    name: str
    formula: str
    expr: str
    unit: str
    at: str
    bindings: tuple[tuple[str, str], ...]
    over: tuple[tuple[str, str], ...]
    cases: tuple[ResolvedCase, ...] = ()
    fault: str = ""
    facts: tuple[str, ...] = ()
    contested: tuple[str, ...] = ()
    assumes: tuple[str, ...] = ()
    place: Location = field(default=Location("", 1, 1))

    @property
    def values(self) -> tuple[Exact, ...]:
        """The values, in the order of the choices."""
        return tuple(case.value for case in self.cases)


@dataclass(frozen=True, slots=True)
class ResolvedQuote:
    """A link in prose. ``key`` names what is quoted, ``text`` is as written.

    ``kind`` is figure, computation, derivation (an equation with open symbols), input, fact, claim, literal or
    unresolved. ``verdict`` is what judging the text gave, empty where there is nothing to judge.
    """

    record: str
    field: str
    text: str
    target: str
    kind: str
    key: str
    values: tuple[Exact, ...]
    verdict: str
    is_math: bool
    place: Location
    fault: str = ""
    mark: str = ""
    """What a reader is to see behind the words: that a claim is only tested."""


@dataclass(frozen=True, slots=True)
class ResolvedCell:
    """A cell of a table: the inputs of its row and column, and its value, or ``fault``, why there is none."""

    inputs: tuple[tuple[str, str], ...]
    value: Exact | None
    fault: str = ""


@dataclass(frozen=True, slots=True)
class ResolvedTable:
    """A table of figures in prose: ``rows`` and ``columns`` name the inputs that change along them."""

    formula: str
    unit: str
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    caption: str
    cells: tuple[tuple[ResolvedCell, ...], ...]


@dataclass(frozen=True, slots=True)
class ResolvedRow:
    """A row of ``hardware_parameters``; ``sentence`` are the words of prose that its effect stands for.

    ``magnitude`` are keys of figures; ``index`` counts from 0.
    """

    own: HardwareRow
    record: str
    index: int
    sentence: str
    magnitude: tuple[str, ...]
    place: Location


@dataclass(frozen=True, slots=True)
class ResolvedClaim:
    """A statement about formulas; ``statement`` is a sentence, ``conditions`` what narrows it."""

    own: Claim
    statement: str
    conditions: str
    verdict: ClaimVerdict | None
    place: Location
    note: str = ""

    @property
    def id(self) -> str:
        """Its id in the record."""
        return self.own.name


@dataclass(frozen=True, slots=True)
class ResolvedCorrection:
    """An earlier statement, when it held, what refutes it, what stands now (``own``), and how each of these ends."""

    own: Correction
    index: int
    date: str
    note: str
    verdicts: CorrectionVerdicts | None
    place: Location


@dataclass(frozen=True, slots=True)
class ResolvedRecord:
    """One record with everything in it. ``fields`` are those that have no place of their own here."""

    id: str
    kind: Kind
    name: str
    status: Status
    aliases: tuple[str, ...]
    confidence: str
    updated: str
    file: str
    sources: tuple[str, ...]
    fields: Mapping[str, Node]
    symbols: tuple[Symbol, ...]
    shared: tuple[tuple[str, Symbol], ...]
    """The symbols of vocabularies that its formulas use, each with the record that declares it."""
    groups: tuple[TypeGroup, ...]
    domains: tuple[Narrowing, ...]
    formulas: tuple[Formula, ...]
    points: tuple[tuple[str, tuple[tuple[str, str], ...]], ...]
    figures: tuple[ResolvedFigure, ...]
    claims: tuple[ResolvedClaim, ...]
    facts: tuple[ResolvedFact, ...]
    rows: tuple[ResolvedRow, ...]
    products: tuple[str, ...]
    corrections: tuple[ResolvedCorrection, ...]
    history: tuple[tuple[str, str], ...]
    prose: tuple[Passage, ...]
    quotes: tuple[ResolvedQuote, ...]
    tables: tuple[ResolvedTable, ...]
    citations: tuple[str, ...]
    record: Record = field(repr=False)

    def passage(self, name: str) -> Passage | None:
        """The prose in a field, by its dotted path."""
        return next((passage for passage in self.prose if passage.prose.field == name), None)


@dataclass(frozen=True, slots=True)
class ResolvedBase:
    """All records by id, ordered by kind and id; ``computations`` are the formulas with inputs that prose asks for.

    ``labels`` are how sources are named in running text, by id.
    """

    base: Base = field(repr=False)
    records: Mapping[str, ResolvedRecord]
    computations: Mapping[str, ResolvedFigure]
    labels: Mapping[str, str]
    version: BaseVersion
    unread: int = 0

    def label(self, source: str) -> str:
        """How a source is named in running text; its id where it is none of the base."""
        return self.labels.get(source, source)

    def has(self, record: str, part: str, name: str) -> bool:
        """Whether a record has a figure, a claim or a formula of a name; ``part`` says which of them is meant."""
        found = self.records.get(record)
        if found is None:
            return False
        own = {"figure": found.record.figures, "claim": found.record.claims, "formula": found.record.formulas}
        return name in own[part]

    def of_kind(self, kind: Kind) -> tuple[ResolvedRecord, ...]:
        """The records of a kind."""
        return tuple(record for record in self.records.values() if record.kind is kind)

    @property
    def facts(self) -> tuple[ResolvedFact, ...]:
        """Every recorded value, each followed by what other sources state in its place."""
        own = (fact for record in self.records.values() for fact in record.facts)
        return tuple(stated for fact in own for stated in (fact, *fact.disputed))

    @property
    def figures(self) -> tuple[ResolvedFigure, ...]:
        """Every figure of a record."""
        return tuple(figure for record in self.records.values() for figure in record.figures)

    @property
    def quotes(self) -> tuple[ResolvedQuote, ...]:
        """Every link in prose, in the order of records and of their text."""
        return tuple(quote for record in self.records.values() for quote in record.quotes)


# -- texts of a record ------------------------------------------------------------------------------------------------
def unit_text(unit: Unit) -> str:
    """The unit as declared; ``1`` where it has none."""
    return unit.text or "1"


def pairs(bindings: tuple[Binding, ...]) -> tuple[tuple[str, str], ...]:
    """Names and values as written; the values of a list are separated by commas."""
    return tuple((binding.name, ", ".join(value.text for value in binding.values)) for binding in bindings)


def node_at(node: Node | None, path: str) -> Node | None:
    """The node at a dotted path of keys, or None."""
    for key in path.split("."):
        if not isinstance(node, MappingNode):
            return None
        node = node.get(key)
    return node


def text_at(node: Node, path: str) -> str:
    """The text at a dotted path of keys; empty where there is none, or something else than one text."""
    found = node_at(node, path)
    return found.text if isinstance(found, Scalar) else ""


def text(scalar: Scalar | None) -> str:
    """The text as written, or nothing."""
    return scalar.text if scalar is not None else ""


def targets_of(references: tuple[Reference, ...]) -> tuple[str, ...]:
    """The ids of the records that are referred to."""
    return tuple(reference.target.text for reference in references)


def domain_of(symbol: Symbol) -> str:
    """The values that a symbol may take, in words; empty where the record does not say."""
    return domain_text(symbol.domain) if symbol.domain is not None else ""


def origin_of(symbol: Symbol) -> str:
    """What a symbol is taken from, and what stands where that is not recorded; empty for one that is only bound."""
    if symbol.source is None:
        return ""
    sources = ", else ".join(source.text for source in (symbol.source, *symbol.later))
    return f"{sources}, else {symbol.otherwise.text}" if symbol.otherwise is not None else sources


def scalars_of(node: Node | None) -> tuple[str, ...]:
    """One text or a list of them, as written."""
    items = node.items if isinstance(node, Sequence) else (node,)
    return tuple(item.text for item in items if isinstance(item, Scalar))
