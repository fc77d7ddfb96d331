"""A difference for a terminal, as a short Markdown comment, and as JSON."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import asdict

from flopkb.arithmetic.diagnostics import Diagnostic
from flopkb.checking.formats import finding
from flopkb.checking.text_report import TextStyle, counted
from flopkb.review.difference import Difference, FigureChange, QuotePlace, RecordChange

_RED, _GREEN, _YELLOW, _BOLD = "31", "32", "33", "1"
_CALL = re.compile(r"(@(?=\w)|#(?=\d))")


def text_difference(found: Difference, style: TextStyle) -> str:
    """Every change, a line each, quotes below their figure."""
    if found.empty:
        return "nothing changed\n"
    return "\n".join([*_text(found, style), headline(found)]) + "\n"


def _text(found: Difference, style: TextStyle) -> Iterator[str]:
    for title, lines in (
        ("records", [record_line(change) for change in found.records]),
        ("removed ids that are in use", [style.paint(f"{r.location}: {r}", _RED) for r in found.removals]),
        ("values", [f"{v.name}: {v.before or 'not there'} -> {v.after or 'gone'}" for v in found.values]),
        ("figures", [line for figure in found.figures for line in figure_lines(figure, style)]),
        ("claims", [f"{c.name}: {c.before or 'new'} -> {c.after or 'gone'}  ({c.location})" for c in found.claims]),
        ("new findings", [style.paint(finding_line(d), _RED) for d in found.new]),
        ("fixed findings", [style.paint(finding_line(d), _GREEN) for d in found.fixed]),
    ):
        if lines:
            yield style.paint(title, _BOLD)
            yield from (f"  {line}" for line in lines)


def headline(found: Difference) -> str:
    """What changed, counted."""
    stale = sum(1 for figure in found.figures for place in figure.places if not place.ok)
    quoted = sum(len(figure.places) for figure in found.figures)
    parts = [
        counted(len(found.records), "record") + " added, removed or renamed" if found.records else "",
        counted(len(found.values), "value") + " changed" if found.values else "",
        f"{counted(len(found.figures), 'figure')} moved, quoted at {counted(quoted, 'place')}, {stale} stale"
        if found.figures
        else "",
        counted(len(found.claims), "claim") + " changed" if found.claims else "",
        f"{counted(len(found.new), 'finding')} new, {len(found.fixed)} fixed, {found.before} there before",
    ]
    return "; ".join(part for part in parts if part)


def record_line(change: RecordChange) -> str:
    """What became of a record."""
    if change.before is None:
        return f"added {change.after}"
    return f"removed {change.before}" if change.after is None else f"renamed {change.before} -> {change.after}"


def figure_lines(figure: FigureChange, style: TextStyle) -> Iterator[str]:
    """A figure and the places that quote it."""
    yield f"{figure.name}: {figure.before} -> {figure.after}"
    yield from (f"  {place_line(place, style)}" for place in figure.places)


def place_line(place: QuotePlace, style: TextStyle) -> str:
    """A quote: what it says, and whether that is right now."""
    text = place.after if place.before in (None, place.after) else f"{place.before} -> {place.after}"
    verdict = style.paint("right", _GREEN) if place.ok else style.paint("stale", _RED)
    return f"{place.location}  {text}  {verdict}"


def finding_line(found: Diagnostic) -> str:
    """A finding on one line."""
    return f"{found.location}: {found.severity.value}: {found.rule}: {found.message}"


def markdown_difference(found: Difference) -> str:
    """A comment for a pull request: what needs a look is open, the rest folds away."""
    if found.empty:
        return "**flopkb**: nothing changed in the base.\n"
    return "\n".join([f"**flopkb**: {headline(found)}", "", *_markdown(found)]).rstrip() + "\n"


def _markdown(found: Difference) -> Iterator[str]:
    stale = {place.location for figure in found.figures for place in figure.places}
    new = [d for d in found.new if d.location not in stale]  # a stale quote is in the table of figures
    if found.removals or new:
        yield "### To mend"
        yield ""
        yield from limited([f"- {code(r.location)} {cell(str(r))}" for r in found.removals])
        yield from limited([f"- {code(d.location)} {d.rule}: {cell(d.message)}" for d in new], 10)
        yield ""
    if found.values:
        rows = [f"| {code(v.name)} | {cell(v.before or '—')} | {cell(v.after or '—')} |" for v in found.values]
        yield from folded(counted(len(rows), "value"), ["| value | before | now |", "|---|---|---|", *limited(rows)])
    if found.figures:
        rows = [figure_row(figure) for figure in found.figures]
        head = ["| figure | before | now | quoted |", "|---|---|---|---|"]
        yield from folded(f"{counted(len(rows), 'figure')} moved", [*head, *limited(rows, 30)])
    lines = [f"- {cell(record_line(change))}" for change in found.records]
    lines += [f"- claim {code(c.name)}: {cell(c.before or 'new')} → {cell(c.after or 'gone')}" for c in found.claims]
    lines += [f"- fixed: {code(d.location)} {d.rule}" for d in found.fixed]
    if lines:
        yield from folded("records, claims, fixed findings", limited(lines))


def limited(lines: list[str], most: int = 15) -> list[str]:
    """The lines, cut where a comment would become a wall."""
    return lines if len(lines) <= most else [*lines[:most], more(lines, most)]


def more(lines: list[str], most: int) -> str:
    """The line that says how many were cut, as an item or a row like them."""
    text = f"and {len(lines) - most} more"
    return f"| {text} |" + " |" * (lines[0].count(" | ")) if lines[0].startswith("|") else f"- {text}"


def folded(title: str, lines: Iterable[str]) -> Iterator[str]:
    """A collapsible part."""
    yield from (f"<details><summary>{title}</summary>", "", *lines, "", "</details>")


def figure_row(figure: FigureChange) -> str:
    """A figure as a row: its quotes counted, the stale ones with their places."""
    stale = [code(place.location) for place in figure.places if not place.ok]
    quoted = f"{len(figure.places)}×" + (f", stale at {', '.join(stale[:3])}" if stale else "")
    quoted += f" and {len(stale) - 3} more" if len(stale) > 3 else ""
    return f"| {code(figure.name)} | {cell(figure.before)} | {cell(figure.after)} | {quoted} |"


def code(text: object) -> str:
    """Inline code that no backtick, pipe or end of line in the text can end."""
    return f"`{' '.join(str(text).replace('`', chr(39)).replace('|', '¦').splitlines())}`"


def cell(text: str) -> str:
    """Text in a table or a list, harmless as Markdown and HTML; it calls nobody (``@name``) and links no issue."""
    escaped = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    escaped = "".join(f"\\{c}" if c in "\\`*_[]|~" else c for c in escaped)
    return " ".join(_CALL.sub(r"\1<!-- -->", escaped).splitlines())


def json_difference(found: Difference) -> str:
    """The whole difference for programs."""
    document = {
        "records": [record(change) for change in found.records],
        "removals": [{"id": r.id, "used_by": list(r.users), **where(r)} for r in found.removals],
        "values": [{"name": v.name, "before": v.before, "after": v.after, **where(v)} for v in found.values],
        "figures": [
            {
                "name": figure.name,
                "before": figure.before,
                "after": figure.after,
                "quotes": [{"before": p.before, "after": p.after, "ok": p.ok, **where(p)} for p in figure.places],
            }
            for figure in found.figures
        ],
        "claims": [{"name": c.name, "before": c.before, "after": c.after, **where(c)} for c in found.claims],
        "new_findings": [finding(d) for d in found.new],
        "fixed_findings": [finding(d) for d in found.fixed],
        "findings_before": found.before,
    }
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def record(change: RecordChange) -> dict[str, object]:
    """A record change as JSON."""
    return {"before": change.before, "after": change.after, **where(change)}


def where(part: object) -> dict[str, object]:
    """The place of a part as JSON keys."""
    return asdict(part.location)  # type: ignore[attr-defined]
