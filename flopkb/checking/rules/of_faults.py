"""Rules without logic of their own: each reports one type of fault that an earlier stage found, where it stands.

A fault type carries the id of its rule; here stands the documentation of each. What has to look further than the type
of a fault is a module of its own.
"""

from __future__ import annotations

from collections.abc import Iterator

from flopkb.base.equations import DERIVATION, INPUT, MISMATCH, UNREADABLE, UNTIED, equation_faults
from flopkb.base.evaluate import Evaluation
from flopkb.base.faults import (
    BadDimension,
    BadExpression,
    BadInput,
    BadLayers,
    BadTable,
    BadTarget,
    Cycle,
    DeprecatedRecord,
    DividesByZero,
    Fault,
    MissingInput,
    NoData,
    NotCovered,
    OutsideDomain,
    SeveralCases,
    Unavailable,
    UnknownClaim,
    UnknownFact,
    UnknownFigure,
    UnknownInput,
    UnknownName,
    UnknownRecord,
    WidenedDomain,
    WrongKind,
)
from flopkb.base.model import Subject
from flopkb.checking.findings import BaseRule, Finding, PageRule, RecordRule, of_fault


def file_rule(id: str, doc: str) -> BaseRule:
    """The rule that reports what finding, loading or the schema found."""

    def run(base: Evaluation) -> Iterator[Finding]:
        for found in base.diagnostics:
            if found.rule == id:
                yield Finding(found.location, found.message, found.severity, length=found.length)

    return BaseRule(id=id, doc=doc, run=run)


def fault_rule(fault: type[Fault], doc: str, *, pages: bool = True) -> RecordRule:
    """The rule that reports the faults of one type, in documents too where ``pages``."""

    def run(subject: Subject, base: Evaluation) -> Iterator[Finding]:
        yield from map(of_fault, base.faults_of(subject.id, fault))

    return (PageRule if pages else RecordRule)(id=fault.rule, doc=doc, run=run, declares=True)


def equation_rule(id: str, doc: str, *, pages: bool = True) -> RecordRule:
    """The rule that reports one sort of wrong equation, in documents too where ``pages``."""

    def run(subject: Subject, base: Evaluation) -> Iterator[Finding]:
        for fault in equation_faults(subject, base):
            if fault.rule == id:
                yield Finding(
                    fault.location,
                    fault.message,
                    fault.severity,
                    quoted=fault.quoted,
                    computed=fault.computed,
                    length=fault.length,
                    replacement=fault.instead,
                )

    return (PageRule if pages else RecordRule)(id=id, doc=doc, run=run)


FILE = file_rule(
    "file",
    """A file that cannot be read, or that does not belong among the records.

Records are ``.yaml`` files in the folders of ``records/``. A folder or link named like one, a file that may not be
read, and one that is too large are reported, not passed over.
""",
)

YAML = file_rule(
    "yaml",
    """A file is not YAML as flopkb reads it.

Besides broken syntax that is: duplicate keys, anchors, aliases, tags, ``.nan`` and ``.inf``, numbers out of range,
tabs, text that is not UTF-8, files over 1 MiB, and nesting deeper than 64. Each of them hides or changes values in
some reader.
""",
)

SCHEMA = file_rule(
    "schema",
    """A record does not have the shape of its kind.

An unknown key (the message names the nearest known one), a missing or wrong value, a value out of its bounds. The
schemas in ``schema/`` say what each kind holds; editors that know them show the same faults while typing.
""",
)

DATA_FILE = file_rule(
    "data-file",
    """A data file that a document names cannot be read.

It is not there, lies outside the repository (``--data-from`` allows a folder), is too large, or is broken in its format.
The finding stands where the file is declared; nothing is computed from it.
""",
)

DATA_NAME = file_rule(
    "data-name",
    """A name that a document declares has another meaning already.

Data and figures of a document, those of ``flopkb.yaml`` above it, the ids of the base's records, roles and functions
share one set of names. Rename one of the two.
""",
)


def data_values(base: Evaluation) -> Iterator[Finding]:
    """What is wrong with data where it is declared, and at the links and figures that name it."""
    yield from file_rule(NoData.rule, "").run(base)
    for holder in (each for each in base.prose if each not in base.kb.records):  # records name no data
        yield from (of_fault(fault) for fault in base.faults_of(holder, NoData))


DATA_VALUE = BaseRule(
    id=NoData.rule,
    doc="""A document names a value in a data file that is not there, or is no number.

A key or row that the file does not have, a row that is not the only one, null, NaN, a text that states no number, a
path or a unit that cannot be read. It is told where the value is declared, and at every link that quotes it.
""",
    run=data_values,
)

UNKNOWN_REFERENCE = fault_rule(
    UnknownRecord,
    """A reference names an id that no record has.

``sources``, ``affected_by_hardware``, roles in bindings, citations ``[@id]`` and links all name records by id.
Correct the id, or add the record.
""",
)

WRONG_KIND = fault_rule(
    WrongKind,
    """A reference names a record of a kind that cannot stand there.

A source must be a ``source`` record, a product an ``accelerator``, the role ``model`` a ``model`` record, and so on. An
id that exists but is of another kind is nearly always a slip of the pen.
""",
)

DEPRECATED_REFERENCE = fault_rule(
    DeprecatedRecord,
    """A record uses one that is deprecated.

A deprecated record keeps its id so that old links do not break, but nothing new may stand on it: use the record that
took its place.
""",
)

FORMULA_SYNTAX = fault_rule(
    BadExpression,
    """An expression does not parse, or is larger than flopkb computes with.

Formulas are names, numbers, ``+ - * / **``, ``min max ceil floor``; conditions add comparisons. A constant with a
unit is a symbol with ``value:``, never a number inside the expression.
""",
    pages=False,
)

UNKNOWN_NAME = fault_rule(
    UnknownName,
    """An expression uses a name that is neither symbol, formula, role nor record.

Names are looked up among the record's own symbols and formulas and the symbols of the vocabulary, then as
``record.formula`` or ``role.value``. Symbols of another record's own are out of reach: only roles and the vocabulary
flow from formula to formula.
""",
    pages=False,
)

CYCLE = fault_rule(
    Cycle,
    """Formulas or inputs that are defined by each other.

The message shows the way round. One of them must be written without the others.
""",
    pages=False,
)

FORMULA_DIMENSION = fault_rule(
    BadDimension,
    """A formula does not balance.

Bytes, seconds, joules and dollars of the expression must be those of its declared unit, and sums, ``min``, ``max`` and
comparisons need like amounts. Counts such as flop and token may be introduced by the declaration.
""",
    pages=False,
)

NOT_COVERED = fault_rule(
    NotCovered,
    """A formula is asked of a thing for which it has no case.

Nothing is computed for what a formula does not cover: a type of layer without a case is neither nothing nor the same as
another. Ask the formula that covers it, or add the case.
""",
)

SEVERAL_CASES = fault_rule(
    SeveralCases,
    """Two cases of a formula hold at once.

Exactly one may, or the order of the cases would decide. Narrow a condition: ``x and not y`` beside ``y``.
""",
)

LAYERS = fault_rule(
    BadLayers,
    """The layers of a model do not fit each other.

``layers:`` names the parts that ``mixers:`` and ``feed_forwards:`` describe; every part stands in some layer, the counts
add up to ``num_hidden_layers``, and ``reuses`` names a mixer that keeps a cache. A model whose layers are alike says
``attention:`` or ``feed_forward:`` with the fields of that type beside it.
""",
    pages=False,
)

BAD_INPUT = fault_rule(
    BadInput,
    """An input, a unit or a recorded value that cannot be read as what it should be.

Inputs are plain digits with a unit (``3350 GB/s``, ``32768``, ``32Ki``), the id of a record, or an expression in
symbols. ``32k`` could mean 32,000 or 32,768 and is refused; ``KB`` and a bare ``b`` likewise.
""",
)

UNKNOWN_INPUT = fault_rule(
    UnknownInput,
    """A binding names something that the formula's record does not have, or a point that does not exist.

An input that nothing reads would be ignored, and a misspelt one would leave the real one unbound, so both are errors.
""",
)

MISSING_INPUT = fault_rule(
    MissingInput,
    """A figure or a quote leaves an input open that its value depends on.

Nothing defaults: a symbol that no binding, point or role gives a value must cancel exactly, or the figure needs it.
""",
)

OUTSIDE_DOMAIN = fault_rule(
    OutsideDomain,
    """An input lies outside the domain that its symbol declares.

Either the input is wrong, or the domain is narrower than what the record speaks of.
""",
)

WIDENED_DOMAIN = fault_rule(
    WidenedDomain,
    """A record or a claim gives a symbol values that its declaration does not allow.

``domains: {b_kv: {one_of: [2, 1]}}`` narrows what the vocabulary declares, for the formulas of one record or for one
claim. A wider domain belongs where the symbol is declared, for all records at once.
""",
    pages=False,
)

ZERO_DENOMINATOR = fault_rule(
    DividesByZero,
    """A formula divides by something that is zero for the inputs given.

Such a value does not exist; correct the input or the formula.
""",
)

UNAVAILABLE_VALUE = fault_rule(
    Unavailable,
    """A formula needs a value that a record cannot give.

The part lacks the precision, has none published, or gives only a sparse peak where a dense one is meant: the ridge of a
part is that of its dense peak.
""",
)

BAD_LINK = fault_rule(
    BadTarget,
    """A link target is not of the form that its scheme takes.

``fig:[record.]name[?point&input=value]``, ``in:[record.]owner.input``, ``fact:record.path[@source]``, ``lit:reason``
and ``claim:[record.]name`` are the forms.
""",
)

BAD_TABLE = fault_rule(
    BadTable,
    """A table directive cannot be read.

A block fenced as ``flopkb-table`` holds YAML: ``formula:`` and ``rows: {input: [values]}`` at least, and if wanted
``with:``, ``at:``, ``over:``, ``columns:``, ``unit:``, ``digits:``, ``labels:`` and ``caption:``. Its cells are
computed and checked as figures are.
""",
)

UNKNOWN_FIGURE = fault_rule(
    UnknownFigure,
    """A link or a figure names a figure or formula that does not exist.

``fig:name`` looks in the record that holds the prose, ``fig:record.name`` in another. Correct the name or declare the
figure under ``figures:``.
""",
)

UNKNOWN_FACT = fault_rule(
    UnknownFact,
    """A ``fact:`` link, a ``from:`` or an expression names a value that the record does not hold.

The path is that of the record's keys (``memory_bandwidth``, ``peak_flops.bf16``); ``@source`` picks what a source
states otherwise under ``disputed``.
""",
)

UNKNOWN_CLAIM = fault_rule(
    UnknownClaim,
    """A ``claim:`` link names a claim that the record does not make.

``claim:name`` looks in the record that holds the prose, ``claim:record.name`` in another. Correct the name, or add the
claim under ``claims:``.
""",
)

EQUATION_MISMATCH = equation_rule(
    MISMATCH,
    """An equation in prose does not come out.

An equation tied to a figure (`` [`2*32*8*128*2 = 128 KiB/token`](fig:kv_8b) ``) is recomputed as it stands, and its
result is judged against the figure as any quoted number is. One that stands alone, in a code span, between dollars or
in a document, is recomputed as it stands.
""",
)

EQUATION_INPUT = equation_rule(
    INPUT,
    """A number in an equation is no input of the figure that it is tied to.

Every number on the left must be an input or a constant of the figure's formula (or a value between them that it
computes), as often as the formula has it. Then the equation moves with its inputs: when one of them is corrected, the
finding stands at the number that stayed behind.
""",
)

DERIVATION_MISMATCH = equation_rule(
    DERIVATION,
    r"""A side of a derivation is not the formula that it is tied to.

Every side of `` [`AI = 4*L*d_h*n_q / (4*L*d_h*n_kv) = n_q/n_kv`](fig:ai?kv_dtype=bf16) `` must equal the formula with
the inputs that the link gives, for all values of the others; this is decided exactly. The name on the left is that of
the formula or one of its ``written:`` names. Python's notation and LaTeX are read (``2mnb``, ``\frac{2mnb}{2mn}``).
""",
)

UNREADABLE_EQUATION = equation_rule(
    UNREADABLE,
    """An equation that is tied to a figure cannot be read.

It uses a name that is neither symbol nor formula of the figure's record, or a notation that flopkb does not know.
Nothing would be checked, so it is an error.
""",
)

UNTIED_EQUATION = equation_rule(
    UNTIED,
    """An equation in a record that nothing stands behind.

An equation of numbers is recomputed as it stands, but a derivation of one of the record's formulas, or a number given
to one of its symbols, has to be linked to be checked. An error where it holds a number, else a warning.
""",
    pages=False,
)
