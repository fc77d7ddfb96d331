"""Recorded values with both sides of every conflict, hardware rows with their basis, claims and corrections."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from flopkb.base.verdicts import Proved, Refuted, Tested, Verdict
from flopkb.publishing.export.anchors import fact_anchor
from flopkb.publishing.export.html import badges
from flopkb.publishing.export.html.element import Child, Html, between, el, joined
from flopkb.publishing.export.html.figures import Quotes, as_quoted
from flopkb.publishing.export.html.links import Links
from flopkb.publishing.export.html.prose import prose, remark
from flopkb.publishing.export.html.tables import Cell, Num, Row, table, value_cell
from flopkb.publishing.export.resolved import (
    ResolvedCorrection,
    ResolvedFact,
    ResolvedFigure,
    ResolvedRecord,
    ResolvedRow,
)

Figures = dict[str, ResolvedFigure]
_ABSENT = {"not_supported": "not supported by the part", "not_published": "not published"}


def fact_table(
    facts: Sequence[ResolvedFact], links: Links, moved: dict[str, list[str]], *, named: bool = False
) -> Html | None:
    """Recorded values, each with what other sources state. ``named`` adds the record, ``moved`` figures by value."""
    heads = ("Quantity", Num("Value"), "Basis", "Source", "As printed", "Moves")
    groups = [fact_rows(fact, links, moved.get(fact.key, []), named=named) for fact in facts]
    return table(heads, groups, caption="Recorded values", class_="facts")


def fact_rows(fact: ResolvedFact, links: Links, moved: list[str], *, named: bool) -> list[Row]:
    """A value, and both sides where it is contested."""
    name: Child = links.fact(fact.key) if named else el("code", fact.path)
    mark = joined(" ", badges.contested()) if fact.disputed else None
    sources = between(", ", map(links.source, fact.sources))
    first = (
        Cell(joined(name, mark, detail(fact, links, named=named)), fact.key if named else fact.path, is_head=True),
        value_cell(fact.value, fact.written if fact.written is not None else _ABSENT.get(fact.absent, fact.absent)),
        badges.basis(fact.basis),
        joined(*sources),
        printed(fact),
        moves(moved, links),
    )
    rows = [Row(first, None if named else fact_anchor(fact.path), "stands" if fact.disputed else None)]
    rows += [other_row(other, links, named=named) for other in fact.disputed]
    if fact.disputed and fact.preferred:
        why = joined(
            el("b", fact.written or ""), " stands: ", remark(fact.preferred, fact.record, links, anchors=not named)
        )
        rows.append(Row((Cell(why, span=6),), None, "why"))
    return rows


def detail(fact: ResolvedFact, links: Links, *, named: bool) -> Child:
    """What a row of peak rates is a row of, how a value was measured, what its note says."""
    parts = [
        fact.sparsity,
        f"sums in {fact.accumulate}" if fact.accumulate else "",
        fact.method,
        fact.device,
        fact.date,
    ]
    told = ", ".join(filter(None, parts))
    note = remark(fact.note, fact.record, links, anchors=not named)
    return el("small", *between(" ", filter(None, ("", told, note)))) if told or note else None


def printed(fact: ResolvedFact) -> Child:
    """What the source prints and how it is read, or the formula that derives it."""
    if fact.formula:
        return joined("= ", el("code", fact.formula))
    if not fact.as_printed:
        return None
    reading = joined(" read as ", el("code", fact.reading)) if fact.reading else None
    return joined("“", fact.as_printed, "”", reading)


def moves(figures: list[str], links: Links) -> Child:
    """The figures that depend on a value."""
    if not figures:
        return None
    shown = between(", ", (links.figure(key) for key in figures))
    count = f"{len(figures)} {'figure' if len(figures) == 1 else 'figures'}"
    return el("details", el("summary", count), *shown, class_="small")


def other_row(other: ResolvedFact, links: Links, *, named: bool) -> Row:
    """What another source states."""
    source = other.sources[0] if other.sources else ""
    note = remark(other.note, other.record, links, anchors=not named)
    return Row(
        (
            Cell(joined("stated otherwise", el("small", " ", note) if note else None)),
            value_cell(other.value, other.written or ""),
            badges.basis(other.basis),
            joined(*between(", ", map(links.source, other.sources))),
            printed(other),
            None,
        ),
        None if named else fact_anchor(other.path, source),
        "other",
    )


def row_table(rows: Sequence[ResolvedRow], links: Links, figures: Figures, quotes: Quotes) -> Html | None:
    """Hardware rows."""
    heads = ("Parameter", "Basis", "Effect", "Magnitude", "Parts", "Behind it")
    groups = [[hardware_row(row, links, figures, quotes)] for row in rows]
    return table(heads, groups, caption="Effects of hardware", class_="hardware")


def hardware_row(row: ResolvedRow, links: Links, figures: Figures, quotes: Quotes) -> Row:
    """One of them."""
    flags = " (as an amount asked for)" if row.demand else "" if row.moves else " (changes nothing)"
    magnitudes = (links.figure(key, magnitude(key, figures, quotes)) for key in row.magnitude)
    evidence: list[Child] = [*map(links.source, row.sources), el("q", row.as_printed) if row.as_printed else None]
    evidence += [", ".join(filter(None, (row.method, row.device, row.date)))]
    elasticity = ", ".join(f"{value} at {point}" for point, value in row.elasticity)
    cost = joined("elasticity of ", el("code", row.cost), ": ", elasticity) if row.cost else None
    return Row(
        (
            Cell(joined(el("code", row.parameter), el("small", flags) if flags else None), row.parameter, is_head=True),
            badges.basis(row.basis),
            row.sentence,
            joined(*between(", ", magnitudes)),
            joined(*between(", ", map(links.record, row.values_for))),
            joined(*between(" ", (part for part in (*evidence, cost) if part))),
        ),
        f"row-{row.index + 1}",
        f"row-{row.basis.value}",
    )


def magnitude(key: str, figures: Figures, quotes: Quotes) -> str:
    """A figure in the words of the record."""
    figure = figures.get(key)
    said = as_quoted(figure, quotes) if figure is not None else ""
    return said or key


def claim_table(record: ResolvedRecord, links: Links) -> Html | None:
    """The claims of a record."""
    groups = []
    for claim in record.claims:
        says = joined(el("code", claim.statement), el("small", f" {claim.conditions}") if claim.conditions else None)
        told = told_verdict(claim.verdict)
        note = remark(claim.note, record.id, links)
        cells = (
            Cell(el("code", claim.id), claim.id, is_head=True),
            joined(says, el("small", " ", note) if note else None),
            badges.verdict(claim.verdict),
            told,
        )
        groups.append([Row(cells, f"claim-{claim.id}")])
    return table(("Claim", "Says", "Result", "How it is known"), groups, caption="Claims", class_="claims")


def told_verdict(verdict: Verdict | None) -> str:
    """The sentence of a verdict, without the word that the mark has already."""
    if isinstance(verdict, Proved):
        return str(verdict).removeprefix("proved ")
    if isinstance(verdict, Tested):
        return str(verdict).removeprefix("tested ")
    return "" if verdict is None else str(verdict)


def corrections(record: ResolvedRecord, links: Links) -> Iterator[Html]:
    """What was wrong and what stands now."""
    for correction in record.corrections:
        yield el(
            "article",
            *filter(None, correction_parts(correction, record, links)),
            class_="correction",
            id=f"correction-{correction.index + 1}",
        )


def correction_parts(correction: ResolvedCorrection, record: ResolvedRecord, links: Links) -> Iterator[Html | None]:
    """One correction: stated, refuted, now."""
    given = joined(" at ", assigned(correction.given)) if correction.given else None
    holds = joined("; it holds when ", el("code", correction.holds_when)) if correction.holds_when else None
    now: Child = el("code", correction.now) if correction.now else None
    if correction.now_claim and not links.base.has(record.id, "claim", correction.now_claim):
        now = el("code", correction.now_claim)
    elif correction.now_claim:
        now = el("a", el("code", correction.now_claim), href=f"#claim-{correction.now_claim}")
    lines: list[Child] = [
        el("dt", "Stated"),
        el("dd", el("del", el("code", correction.stated)), given, holds),
    ]
    for index, bound in enumerate(correction.counterexamples):
        found = correction.verdicts.counterexamples[index] if correction.verdicts is not None else None
        lines += [el("dt", "Refuted by"), el("dd", assigned(bound), refuted(found))]
    lines += [el("dt", "Now"), el("dd", now)]
    yield el("time", correction.date, datetime=correction.date)
    yield el("dl", *lines)
    part = record.passage(f"corrections.{correction.index}.note")
    yield el("div", prose(part.passage, links)) if part is not None else None


def refuted(verdict: Verdict | None) -> Child:
    """How a counterexample contradicts what was stated."""
    if isinstance(verdict, Refuted) and verdict.left is not None and verdict.right is not None:
        return el("small", f": there {verdict.left}, {verdict.right}")
    return None


def assigned(pairs: Sequence[tuple[str, str]]) -> Html:
    """Inputs."""
    return joined(*between(", ", (el("code", f"{name} = {value}") for name, value in pairs)))
