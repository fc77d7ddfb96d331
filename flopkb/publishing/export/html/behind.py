"""What is behind the numbers of a record, for the script that shows it where they are quoted: a file for each record.

It holds the cards of figures and recorded values as HTML, what each figure asks, and of each quote the values for which
it is right, so that the page can say what a change makes of it. ``judge.js`` is the other side.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator
from fractions import Fraction

from flopkb.arithmetic.formula import Name, names, parse_formula
from flopkb.arithmetic.numbers import Quoted
from flopkb.arithmetic.numbers.accepted import Accepted, Band, accepted
from flopkb.arithmetic.units import UnitError, parse_amount, parse_unit
from flopkb.base.evaluate import QuoteResult, Value
from flopkb.base.evaluate.derivations import linked_derivation
from flopkb.base.evaluate.facts import sibling_path
from flopkb.base.faults import BadExpression, Fault
from flopkb.base.link.expressions import parsed
from flopkb.base.link.targets import LinkedExpr, Target, ValueAtom
from flopkb.base.model import Basis, Fact, Record
from flopkb.publishing.export.anchors import Links, fact_anchor, quote_anchor
from flopkb.publishing.export.html.program import Json, Tree, node, tree
from flopkb.publishing.export.html.questions import questions
from flopkb.publishing.export.html.writer import SiteWriter
from flopkb.publishing.export.resolved import ResolvedFact, ResolvedQuote, ResolvedRecord, unit_text
from flopkb.publishing.pages.blocks import Block, Fields, Folded, Items, Paragraph
from flopkb.publishing.pages.facts import TOLD
from flopkb.publishing.pages.figures import anchor_of, inside, quote_link, titled
from flopkb.publishing.pages.inlines import Aside, Code, Flow, Remark, Words, Written
from flopkb.publishing.pages.lookups import CONTESTED, Lookups, basis_mark, between

WHOLE = 10**6


def behind_files(look: Lookups) -> dict[str, bytes]:
    """The files by their paths; records without numbers have none."""
    reading = readers(look)
    made = {id: behind(record, look, reading) for id, record in look.base.records.items()}
    return {
        f"assets/behind/{id}.js": f"flopkbBehind({json.dumps(id)},{json.dumps(data, separators=(',', ':'))});\n".encode()
        for id, data in made.items()
        if data
    }


def behind(record: ResolvedRecord, look: Lookups, reading: dict[str, list[str]]) -> dict[str, Json]:
    """What is behind the numbers of one record; empty where it has none."""
    writer = SiteWriter(Links(look.base, "", "../"))
    cards: dict[str, Json] = {}
    for figure in record.figures:
        cards[anchor_of(figure)] = {
            "title": titled(figure, look),
            "key": figure.key,
            "html": writer.html(*inside(figure, look, "")),
        }
    for fact in record.facts:
        cards[fact_anchor(fact.path)] = fact_card(fact, look, reading, writer)
    quotes = [*quoted(record, look)]
    found: dict[str, Json] = {
        "cards": cards,
        "quotes": quotes,
        "asks": asks(record, look),
        "folder": record.kind.folder,
    }
    if derived := [*derivations(record, look)]:
        found |= {"kind": record.kind.value, "derived": derived}
    return found if cards or quotes else {}


# -- cards ------------------------------------------------------------------------------------------------------------
def fact_card(fact: ResolvedFact, look: Lookups, reading: dict[str, list[str]], writer: SiteWriter) -> dict[str, Json]:
    """A recorded value: where it comes from, what it moves, who quotes it, and what a change of it would be judged by."""
    name = look.base.records[fact.record].name
    made: dict[str, Json] = {
        "title": f"{name}: {fact.path}",
        "key": fact.key,
        "html": writer.html(*fact_blocks(fact, look)),
    }
    if fact.value is not None and fact.written is not None:
        made |= {
            **amount_data(fact),
            "written": fact.written,
            "units": units_of(fact),
            "readers": sorted({*reading.get(fact.key, ()), *reading.get(fact.record, ())}),
        }
    return made


def fact_blocks(fact: ResolvedFact, look: Lookups) -> Iterator[Block]:
    """The fields of a recorded value, and both sides where it is contested."""
    shown = Written(fact.written) if fact.written is not None else Words(fact.absence)
    fields: list[tuple[str, Flow]] = [
        ("Value", (shown, " ", CONTESTED if fact.contested else None)),
        ("Basis", basis_mark(fact.basis)),
    ]
    if fact.sources:
        fields.append(("Source", between(", ", map(look.source, fact.sources))))
    if fact.as_printed:
        reading = (", read as ", Code(fact.reading)) if fact.reading else None
        fields.append(("As printed", ("“", Words(fact.as_printed), "”", reading)))
    if fact.formula:
        fields.append(("Derived by", Code(fact.formula)))
    told = ", ".join(filter(None, (fact.sparsity, fact.method, fact.device, fact.date)))
    if told:
        fields.append(("How", Words(told)))
    if fact.note:
        fields.append(("Note", Remark(fact.note, fact.record, anchors=False)))
    yield Fields(fields, "fields")
    for other in fact.disputed:
        sources = between(", ", map(look.source, other.sources))
        yield Paragraph(
            (TOLD[other.difference], ": ", Words(other.written or other.absence), " (", sources, ")"), "dispute"
        )
    if fact.disputed and fact.preferred:
        yield Paragraph((Words(fact.written or ""), " stands: ", Remark(fact.preferred, fact.record, anchors=False)))
    moved = look.moved.get(fact.key, [])
    if moved:
        links = [look.figure(key, "", Words(titled(look.figures[key], look))) for key in moved]
        yield Folded(f"Moves {len(moved)} figures" if len(moved) > 1 else "Moves a figure", (Items(links),), "")
    found = look.quotes.get(fact.key, [])
    yield Paragraph(
        Aside(("Quoted ", between(", ", (quote_link(*place, "") for place in found))))
        if found
        else Aside("Not quoted in prose.")
    )


def amount_data(fact: ResolvedFact) -> dict[str, Json]:
    """A recorded value in base units, its unit, and where the program has it; whether it counts, and so stays whole."""
    assert fact.value is not None
    unit = parse_unit(fact.unit or "1")
    made: dict[str, Json] = {"value": str(fact.value.base), "unit": fact.unit or "1", "scale": str(unit.scale)}
    whole = not unit.dimension and fact.value.base.denominator == 1 and fact.value.base < WHOLE
    return made | {"places": places(fact)} | ({"whole": True} if whole else {})


def units_of(fact: ResolvedFact) -> dict[str, Json]:
    """The units that the value is written in, with their scales."""
    try:
        unit = parse_amount(fact.written or "").unit
    except UnitError:
        return {}
    return {unit.text: str(unit.scale)} if unit.text else {}


def places(fact: ResolvedFact) -> list[str]:
    """Where the program has the value: under its path, and as the dense row of its number format."""
    dense = [f"{fact.quantity}.{fact.dtype}"] if fact.dtype and fact.sparsity != "sparse" else []
    return [*dict.fromkeys((fact.path, *dense))]


def derivations(record: ResolvedRecord, look: Lookups) -> Iterator[dict[str, Json]]:
    """The derived values of a record, each with what derives it, which a change of another moves."""
    kb = look.base.base.evaluation.kb
    for fact in record.facts:
        own = record.record.facts[fact.path]
        if fact.value is None or own.basis is not Basis.DERIVED or own.formula is None:
            continue
        body = linked_derivation(own, record.record, kb)
        made = tree(body) if isinstance(body, LinkedExpr) else plain_tree(own, record.record)
        if made is not None:
            yield {"key": fact.key, "tree": made, **amount_data(fact)}


def plain_tree(fact: Fact, record: Record) -> Tree | None:
    """What derives a value from others of its record; None where that cannot be read."""
    expr = parsed(fact.formula, record.id, parse_formula) if fact.formula is not None else None
    if expr is None or isinstance(expr, BadExpression):
        return None
    targets: dict[Name, Target] = {
        name: ValueAtom(record.id, sibling_path(str(name), fact, record.facts)) for name in names(expr)
    }
    return node(expr, targets, None)


# -- quotes -----------------------------------------------------------------------------------------------------------
def readers(look: Lookups) -> dict[str, list[str]]:
    """The records whose quotes a change of a record, or of one of its values, can move, by its id or key."""
    moved: dict[str, set[str]] = defaultdict(set)
    for key, places_of in look.quotes.items():
        figure = look.figures.get(key) or look.base.computations.get(key)
        read = [*figure.facts, *(value for _, value in figure.bindings)] if figure is not None else [key]
        for each in (*read, *(fact.partition(".")[0] for fact in read)):
            moved[each] |= {record for record, _, _ in places_of}
    return {key: sorted(records) for key, records in moved.items()}


def quoted(record: ResolvedRecord, look: Lookups) -> Iterator[dict[str, Json]]:
    """The quotes of figures and recorded values that can be judged again."""
    results = look.base.base.evaluation.quotes.get(record.id, ())
    for index, (result, quote) in enumerate(zip(results, record.quotes, strict=True)):
        if quote.kind not in ("figure", "computation", "fact") or not quote.values or "@" in quote.key:
            continue
        made: dict[str, Json] = {
            "anchor": quote_anchor(index),
            "text": quote.text,
            "key": quote.key,
            "kind": quote.kind,
        }
        found = bounds_of(result, quote, look)
        if found is not None:
            yield made | {"accepts": told(found)}
        elif quote.is_math and quote.kind != "fact":
            yield made | {"math": True}


def bounds_of(result: QuoteResult, quote: ResolvedQuote, look: Lookups) -> Accepted | None:
    """The values for which a quote is right, in base units of what it quotes; None where nothing judges it or it is wrong."""
    if (
        not isinstance(result.reading, Quoted)
        or result.unit is None
        or result.judgement is None
        or not result.judgement.ok
    ):
        return None
    found = accepted(result.reading, result.unit)
    figure = look.figures.get(quote.key) or look.base.computations.get(quote.key)
    own = figure.values[0].base if figure is not None and figure.values else quote_base(quote, look)
    if found is None or own is None or not result.values or not result.values[0]:
        return None
    return found.times(own / result.values[0])


def quote_base(quote: ResolvedQuote, look: Lookups) -> Fraction | None:
    """The recorded value that is quoted, in base units."""
    fact = look.facts.get(quote.key)
    return fact.value.base if fact is not None and fact.value is not None else None


def told(found: Accepted) -> dict[str, Json]:
    """Bounds as JSON; what need not hold is left out."""
    bands = {"each": found.each, "least": found.least, "greatest": found.greatest}
    return {name: band_data(band) for name, band in bands.items() if band is not None}


def band_data(band: Band) -> dict[str, Json]:
    """One of them."""
    made: dict[str, Json] = {
        name: str(end) for name, end in (("low", band.low), ("high", band.high)) if end is not None
    }
    made |= {name: True for name, given in (("open", band.open), ("squared", band.squared)) if given}
    return made | {name: [*map(str, values)] for name, values in (("also", band.also), ("but", band.but)) if values}


def asks(record: ResolvedRecord, look: Lookups) -> dict[str, Json]:
    """What the record's figures, and all that its prose quotes, ask: by key."""
    base = look.base.base.evaluation
    found: dict[str, Value | Fault | None] = {
        figure.key: base.figures[(record.id, figure.name)] for figure in record.figures
    }
    for result, quote in zip(base.quotes.get(record.id, ()), record.quotes, strict=True):
        found.setdefault(quote.key, result.value)
    return {key: asked(value, look) for key, value in found.items() if isinstance(value, Value)}


def asked(value: Value, look: Lookups) -> dict[str, Json]:
    """What one figure asks; that it is hypothetical, where it is."""
    if value.computation.hypothetical:
        return {"hypothetical": True}
    base, facts = look.base.base.evaluation, sorted(map(str, value.facts()))
    read = [look.facts[key] for key in facts if key in look.facts]
    inputs: list[Json] = [{"key": fact.key, **amount_data(fact)} for fact in read if fact.value is not None]
    values = [str(each) for each in value.values]
    return {
        "cases": [question.data for question in questions(value, base)],
        "facts": facts,
        "inputs": inputs,
        "values": values,
        "unit": unit_text(value.unit),
        "scale": str(value.unit.scale),
    }
