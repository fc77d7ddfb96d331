"""A figure that unfolds: formula, inputs with their sources, steps, the exact value, and every place that quotes it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from flopkb.arithmetic.amounts import readable
from flopkb.arithmetic.units import parse_unit
from flopkb.base.model import ROLES
from flopkb.publishing.export.anchors import Place, computation_anchor, figure_anchor, quote_anchor
from flopkb.publishing.export.exact import Exact
from flopkb.publishing.export.html import badges
from flopkb.publishing.export.html.element import Child, Html, between, el, joined
from flopkb.publishing.export.html.links import Links
from flopkb.publishing.export.html.mathematics import formula_math, symbol_math
from flopkb.publishing.export.html.prose import remark
from flopkb.publishing.export.html.tables import Num, Row, table, value_cell
from flopkb.publishing.export.resolved import ResolvedCase, ResolvedFact, ResolvedFigure, ResolvedInput, ResolvedQuote

Quotes = dict[str, list[tuple[str, int, ResolvedQuote]]]
"""Every quote by its key, each with its record and its number there."""
Facts = dict[str, ResolvedFact]


def amount(value: Exact) -> str:
    """A computed value for a reader: at least six digits, with the prefix that makes it short."""
    return readable(value.base, parse_unit(value.unit))


def as_quoted(figure: ResolvedFigure, quotes: Quotes) -> str:
    """The words with which the base quotes it, the figure's own record first; empty where it does not."""
    found = [quote for _, _, quote in quotes.get(figure.key, ()) if not quote.is_math]
    own = [quote for quote in found if quote.record == figure.record]
    return (own or found)[0].text if found else ""


def figure_details(figure: ResolvedFigure, links: Links, quotes: Quotes, facts: Facts) -> Html:
    """The figure, folded; what a reader sees of it first is what the base says and what it is."""
    anchor = figure_anchor(figure.name) if figure.name else computation_anchor(figure.key)
    quoted = as_quoted(figure, quotes)
    computed = ", ".join(map(amount, figure.values))
    head = el(
        "summary",
        el("code", figure.name or figure.formula.partition(".")[2], class_="name"),
        el("span", quoted or computed or "not computed", class_="said"),
        el("span", f"= {computed}" if computed and quoted not in ("", computed) else None, class_="worth"),
        el("span", how(figure), class_="how"),
        badges.contested() if figure.contested else None,
    )
    body = el("div", *filter(None, parts(figure, links, quotes, facts)), class_="inside")
    return el("details", head, body, class_="figure" if figure.name else "figure placed", id=anchor)


def how(figure: ResolvedFigure) -> str:
    """The formula and its inputs in one line."""
    name = figure.formula if figure.formula.partition(".")[0] != figure.record else figure.formula.partition(".")[2]
    given, over = briefly(figure.bindings), briefly(figure.over)
    return f"{name}{' at ' if given else ''}{given}{' over ' if over else ''}{over}"


def briefly(pairs: tuple[tuple[str, str], ...]) -> str:
    """Inputs; a record in a role speaks for itself."""
    return ", ".join(value if key in ROLES else f"{key} = {value}" for key, value in pairs)


def parts(figure: ResolvedFigure, links: Links, quotes: Quotes, facts: Facts) -> Iterator[Html | None]:
    """What is inside."""
    if figure.fault:
        yield el("p", f"Not computed: {figure.fault}", class_="fault")
    yield el("div", formula_math(links.base, figure.formula, display=True), class_="display", tabindex="0")
    yield el("p", links.formula(figure.formula), " = ", el("code", figure.expr), *asked(figure), class_="asked")
    for case in figure.cases:
        yield from case_parts(figure, case, links, facts)
    yield from contested_parts(figure, links, facts)
    yield quoted_at(figure, links, quotes)


def asked(figure: ResolvedFigure) -> Iterator[Child]:
    """With which inputs, and at which it is divided."""
    if figure.bindings:
        yield joined(" with ", *between(", ", (el("code", f"{name} = {value}") for name, value in figure.bindings)))
    if figure.over:
        yield joined(
            ", divided by its value at ",
            *between(", ", (el("code", f"{name} = {value}") for name, value in figure.over)),
        )


def case_parts(figure: ResolvedFigure, case: ResolvedCase, links: Links, facts: Facts) -> Iterator[Html | None]:
    """One choice of the listed inputs."""
    if len(figure.cases) > 1:
        yield el("h4", "For ", ", ".join(f"{name} = {value}" for name, value in case.choice))
    sides = ("Input", "Value", "Given by", "Basis", "Source")
    rows = [input_row(read, figure, links, facts) for read in case.inputs]
    heads = [Num(name) if name == "Value" else name for name in sides]
    yield table(
        heads,
        [[row] for row in rows],
        caption=f"Inputs of {figure.name or figure.formula}",
        sortable=False,
        class_="inputs",
    )
    if case.cancels:
        yield el(
            "p",
            "Does not depend on ",
            *between(", ", (el("code", name) for name in case.cancels)),
            ": it cancels." if len(case.cancels) == 1 else ": they cancel.",
            class_="cancels",
        )
    yield step_list(case, links)
    yield exact_line(case.value)


def input_row(read: ResolvedInput, figure: ResolvedFigure, links: Links, facts: Facts) -> Row:
    """What is read, with the basis and the source of a recorded value."""
    holder = figure.formula.partition(".")[0]
    record = holder if read.name in symbols_of(holder, links) else ""
    name = joined(
        symbol_math(links.base, record, read.name) if record else el("code", read.name),
        el("small", f" {read.meaning}") if read.meaning else None,
    )
    fact = facts.get(read.fact)
    side = el("small", " below the line") if read.side == "lower" else None
    given: Child = links.fact(read.fact) if read.fact else el("code", read.given)
    via = joined(el("code", read.given), " is ") if read.fact and read.given else None
    sources = between(", ", map(links.source, fact.sources)) if fact is not None else None
    behind = badges.basis(fact.basis) if fact is not None else el("small", "chosen")
    contested = joined(" ", badges.contested()) if fact is not None and fact.disputed else None
    return Row(
        (
            joined(name, side),
            value_cell(read.value, amount(read.value)),
            joined(via, given),
            joined(behind, contested),
            joined(sources, printed(fact)),
        )
    )


def symbols_of(record: str, links: Links) -> set[str]:
    """The names of a record's symbols."""
    found = links.base.records.get(record)
    return {symbol.name for symbol in found.symbols} if found is not None else set()


def printed(fact: ResolvedFact | None) -> Child:
    """What the source prints, and how that is read."""
    if fact is None:
        return None
    if fact.formula:
        return el("code", fact.formula)
    if not fact.as_printed or fact.as_printed == fact.written:
        return None
    reading = joined(", read as ", el("code", fact.reading)) if fact.reading else None
    return joined(el("small", " prints “", fact.as_printed, "”", reading))


def step_list(case: ResolvedCase, links: Links) -> Html | None:
    """The formulas on the way, innermost first."""
    if len(case.steps) < 2:
        return None
    lines = [
        el(
            "li",
            links.formula(step.formula),
            " = ",
            el("code", step.expr),
            " = ",
            amount(step.value)
            if step.value is not None
            else joined(el("code", step.form), f" {step.unit}" if step.unit != "1" else None),
        )
        for step in case.steps
    ]
    return el("ol", *lines, class_="steps")


def exact_line(value: Exact) -> Html:
    """The exact value, in the declared unit."""
    unit = "" if value.unit == "1" else f" {value.unit}"
    if value.value.denominator == 1:
        return el("p", "Exactly ", el("b", value.numerator, unit, class_="exact"), ".")
    return el(
        "p",
        "Exactly ",
        el("b", value.fraction, unit, class_="exact"),
        " = ",
        f"{value.decimal}{'' if value.decimal_is_exact else '…'}",
        unit,
        ".",
    )


def contested_parts(figure: ResolvedFigure, links: Links, facts: Facts) -> Iterator[Html | None]:
    """What other sources say of its inputs."""
    for key in figure.contested:
        fact = facts.get(key)
        if fact is None:
            continue
        others = between(
            ", ",
            (
                joined(other.written or other.absent, " (", *between(", ", map(links.source, other.sources)), ")")
                for other in fact.disputed
            ),
        )
        reason = remark(fact.preferred, fact.record, links, anchors=False)
        why = joined(". It stands because: ", reason) if reason else None
        yield el(
            "p",
            badges.contested(),
            " ",
            links.fact(key),
            f" is taken as {fact.written}; others state ",
            *others,
            why,
            ".",
            class_="dispute",
        )


def quoted_at(figure: ResolvedFigure, links: Links, quotes: Quotes) -> Html:
    """Every place that quotes it."""
    found = quotes.get(figure.key, [])
    if not found:
        return el("p", el("small", "Not quoted in prose."))
    entry = partial(quote_link, links=links)
    return el("p", el("small", "Quoted ", *between(", ", (entry(*place) for place in found))))


def quote_link(record: str, index: int, quote: ResolvedQuote, links: Links) -> Html:
    """A place that quotes it, by the words that stand there."""
    where = quote.field.replace("_", " ").split(".")[0]
    shown = where if record == links.here else f"{record}, {where}"
    return joined(
        "“", links.to(Place(record, quote_anchor(index)), quote.text), f"” in {shown} (line {quote.place.line})"
    )
