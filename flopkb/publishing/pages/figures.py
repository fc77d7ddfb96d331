"""Figures: a line each, or unfolding to formula, inputs with their sources, steps, exact value, and who quotes it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from flopkb.arithmetic.numbers import exact_or_near, unit_behind
from flopkb.base.model import ROLES, Kind
from flopkb.publishing.export.anchors import computation_anchor, figure_anchor, quote_anchor
from flopkb.publishing.export.exact import Exact
from flopkb.publishing.export.resolved import (
    ResolvedCase,
    ResolvedFact,
    ResolvedFigure,
    ResolvedInput,
    ResolvedQuote,
    ResolvedRecord,
)
from flopkb.publishing.pages.blocks import (
    Block,
    BlockGroup,
    ColumnHead,
    Folded,
    Heading,
    Items,
    Paragraph,
    RecordTable,
    TableRow,
)
from flopkb.publishing.pages.inlines import (
    Aside,
    Code,
    Flow,
    FormulaMath,
    OnlyIn,
    Remark,
    SiteLink,
    SitePlace,
    Styled,
    Words,
)
from flopkb.publishing.pages.lookups import (
    CONTESTED,
    Lookups,
    amount,
    assigned,
    basis_mark,
    between,
    fact_link,
    value_cell,
)
from flopkb.publishing.plot.options import short_name

_HEADS = (
    ColumnHead("Figure"),
    ColumnHead("Value"),
    ColumnHead("Exact", forms="markdown"),
    ColumnHead("Formula", forms="markdown"),
    ColumnHead("Inputs", forms="markdown"),
    ColumnHead("Computed by", forms="text"),
)


def figure_list(figures: Sequence[ResolvedFigure], look: Lookups, record: ResolvedRecord) -> Iterator[Block]:
    """Figures: on the site each folded over its inputs and steps, elsewhere a table with a line for each."""
    if figures:
        yield BlockGroup((figure_details(figure, look, record.id) for figure in figures), "div", "figures", form="html")
        yield BlockGroup(
            (RecordTable(_HEADS, [[figure_row(f, record)] for f in figures], "Figures"),), "", form="markdown text"
        )


def anchor_of(figure: ResolvedFigure) -> str:
    """Where a figure stands on a page."""
    return figure_anchor(figure.name) if figure.name else computation_anchor(figure.key)


def figure_row(figure: ResolvedFigure, record: ResolvedRecord) -> TableRow:
    """A figure on one line."""
    values = ", ".join(map(amount, figure.values))
    inputs = (assigned(figure.bindings), (", divided at ", assigned(figure.over)) if figure.over else None)
    written = record.record.figures[figure.name].formula.text if figure.name else ""
    by = f"{written}{' (contested)' if figure.contested else ''}" if values else figure.fault
    cells = (
        (Code(figure.name or figure.key), OnlyIn("markdown", " **contested**") if figure.contested else None),
        (OnlyIn("markdown", Words(values or figure.fault)), OnlyIn("text", values or "not computed")),
        between(", ", (Code(value.fraction) for value in figure.values)),
        (Code(figure.formula), " = ", Code(figure.expr)),
        inputs,
        by,
    )
    return TableRow(cells, anchor_of(figure))


def figure_details(figure: ResolvedFigure, look: Lookups, here: str) -> Block:
    """The figure, folded; what a reader sees of it first is what the base says and what it is."""
    quoted, computed = look.as_quoted(figure), ", ".join(map(amount, figure.values))
    summary = (
        Styled("span", Words(titled(figure, look)), "name"),
        Styled("span", Words(quoted or computed or "not computed"), "said"),
        Styled("span", Words(f"= {computed}") if computed and quoted not in ("", computed) else None, "worth"),
        Code(figure.name, "how") if figure.name else None,
        CONTESTED if figure.contested else None,
    )
    role = "figure" if figure.name else "figure placed"
    return Folded(summary, (BlockGroup(inside(figure, look, here), "div", "inside"),), role, anchor_of(figure))


def titled(figure: ResolvedFigure, look: Lookups) -> str:
    """The figure in words: what is computed, and of what, each thing once; records by the names that people use."""
    own = figure.formula.partition(".")[2].replace("_", " ")
    given, over = ([*dict.fromkeys(called(*pair, look) for pair in pairs)] for pairs in (figure.bindings, figure.over))
    return ", ".join((own, *given)) + (f", over {', '.join(over)}" if over else "")


def called(name: str, value: str, look: Lookups) -> str:
    """An input: a part or a model by its short name, a number format by its id, anything else as it is bound."""
    record = look.base.base.records.get(value) if name in ROLES else None
    if record is None:
        return f"{name} = {value}"
    return record.id if record.kind is Kind.DTYPE else short_name(record)


def inside(figure: ResolvedFigure, look: Lookups, here: str) -> Iterator[Block]:
    """What is behind a figure."""
    if figure.fault:
        yield Paragraph(("Not computed: ", Words(figure.fault)), "fault")
    yield Paragraph(FormulaMath(figure.formula, display=True), "display")
    given = (" with ", assigned(figure.bindings)) if figure.bindings else None
    over = (", divided by its value at ", assigned(figure.over)) if figure.over else None
    yield Paragraph((look.formula(figure.formula, here), " = ", Code(figure.expr), given, over), "asked")
    for case in figure.cases:
        yield from case_parts(figure, case, look, here)
    yield from disputes(figure, look)
    yield from (Paragraph(("Assumes: ", Words(line), "."), "assumes") for line in figure.assumes)
    yield quoted_at(figure, look, here)


def case_parts(figure: ResolvedFigure, case: ResolvedCase, look: Lookups, here: str) -> Iterator[Block]:
    """One choice of the listed inputs."""
    if len(figure.cases) > 1:
        yield Heading(4, ("For ", ", ".join(f"{name} = {value}" for name, value in case.choice)), "")
    heads = [ColumnHead(name, name == "Value") for name in ("Input", "Value", "Given by", "Basis", "Source")]
    rows = [[input_row(read, figure, look)] for read in case.inputs]
    yield RecordTable(heads, rows, f"Inputs of {figure.name or figure.formula}", "inputs", sortable=False)
    if case.cancels:
        tail = ": it cancels." if len(case.cancels) == 1 else ": they cancel."
        yield Paragraph(("Does not depend on ", between(", ", map(Code, case.cancels)), tail), "cancels")
    if len(case.steps) > 1:
        yield Items([*step_lines(case, look, here)], "steps", ordered=True)
    yield exact_line(case.value)


def input_row(read: ResolvedInput, figure: ResolvedFigure, look: Lookups) -> TableRow:
    """What is read, with the basis and the source of a recorded value."""
    scope = look.base.base.evaluation.kb.scope
    own = scope.symbol(read.name, figure.formula.partition(".")[0]) is not None
    ref = f"{figure.formula.partition('.')[0]}.{read.name}"
    fact = look.facts.get(read.fact)
    name = (
        FormulaMath(ref, symbol=True) if own else Code(read.name),
        Aside((" ", Words(read.meaning))) if read.meaning else None,
        Aside(" below the line") if read.side == "lower" else None,
    )
    via = (Code(read.given), " is ") if read.fact and read.given else None
    behind = basis_mark(fact.basis) if fact is not None else Aside("chosen")
    return TableRow(
        (
            name,
            value_cell(read.value, Words(amount(read.value))),
            (via, fact_link(read.fact) if read.fact else Code(read.given)),
            (behind, (" ", CONTESTED) if fact is not None and fact.contested else None),
            (between(", ", map(look.source, fact.sources)), printed(fact)) if fact is not None else None,
        )
    )


def printed(fact: ResolvedFact) -> Flow:
    """What the source prints, and how that is read."""
    if fact.formula:
        return Code(fact.formula)
    if not fact.as_printed or fact.as_printed == fact.written:
        return None
    reading = (", read as ", Code(fact.reading)) if fact.reading else None
    return Aside((" prints “", Words(fact.as_printed), "”", reading))


def step_lines(case: ResolvedCase, look: Lookups, here: str) -> Iterator[Flow]:
    """The formulas on the way, innermost first."""
    for step in case.steps:
        form = (Code(step.form), unit_behind(step.unit))
        shown = Words(amount(step.value)) if step.value is not None else form
        yield (look.formula(step.formula, here), " = ", Code(step.expr), " = ", shown)


def exact_line(value: Exact) -> Block:
    """The exact value, in the declared unit."""
    unit = unit_behind(value.unit)
    if value.value.denominator == 1:
        return Paragraph(("Exactly ", Styled("b", Words(f"{value.numerator}{unit}"), "exact"), "."))
    if exact_or_near(value.value) != value.fraction:
        return Paragraph((f"{exact_or_near(value.value)}{unit}.",))
    decimal = f"{value.decimal}{'' if value.decimal_is_exact else '…'}{unit}"
    return Paragraph(("Exactly ", Styled("b", Words(f"{value.fraction}{unit}"), "exact"), " = ", decimal, "."))


def disputes(figure: ResolvedFigure, look: Lookups) -> Iterator[Block]:
    """What other sources say of its inputs."""
    for fact in (look.facts[key] for key in figure.contested if key in look.facts):
        others = [
            (Words(other.written or other.absent), " (", between(", ", map(look.source, other.sources)), ")")
            for other in fact.disputed
            if other.difference == "conflict"
        ]
        reason = Remark(fact.preferred, fact.record, anchors=False)
        why = (". It stands because: ", reason) if fact.preferred else None
        taken = Words(f" is taken as {fact.written}; others state ")
        yield Paragraph((CONTESTED, " ", fact_link(fact.key), taken, between(", ", others), why, "."), "dispute")


def quoted_at(figure: ResolvedFigure, look: Lookups, here: str) -> Block:
    """Every place that quotes it."""
    found = look.quotes.get(figure.key, [])
    links = between(", ", (quote_link(*place, here) for place in found))
    return Paragraph(Aside(("Quoted ", links) if found else "Not quoted in prose."))


def quote_link(record: str, index: int, quote: ResolvedQuote, here: str) -> Flow:
    """A place that quotes it, by the words that stand there."""
    where = quote.field.replace("_", " ").split(".")[0]
    shown = where if record == here else f"{record}, {where}"
    place = SiteLink(SitePlace(record, quote_anchor(index)), Words(quote.text))
    return ("“", place, Words(f"” in {shown} (line {quote.place.line})"))
