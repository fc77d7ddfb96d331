"""``flopkb show``."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator
from fractions import Fraction
from pathlib import Path

import click

from flopkb.arithmetic.numbers import decimal_text, readable
from flopkb.base.claims import claims_of
from flopkb.base.document import Scalar
from flopkb.base.evaluate import Value
from flopkb.base.faults import did_you_mean
from flopkb.base.link import Passage
from flopkb.base.model import Binding, Claim, Correction, Fact, HardwareRow, Record
from flopkb.base.tables import tables_in
from flopkb.checking.api import Base
from flopkb.checking.rules.costs import at_points
from flopkb.commands import Outcome, UsageFault, open_base, unread
from flopkb.commands.terminal import RECORDS, answered

_WIDTH = 78


@click.command("show")
@click.argument("id", metavar="ID")
@RECORDS
@answered
def command(id: str, records: Path | None) -> Outcome:
    """Show a record for a person: its prose, its values, its figures with what they are now."""
    base = open_base(records)
    record = base.records.get(id)
    if record is None:
        broken = (
            " (a record of that name could not be read: run flopkb check)"
            if id in base.evaluation.kb.scope.broken
            else ""
        )
        raise UsageFault(f"there is no record {id}{broken}{did_you_mean(id, base.records)}")
    return Outcome("\n".join(page(record, base)) + "\n", error=unread(base))


def page(record: Record, base: Base) -> Iterator[str]:
    """The lines of the page: head, prose, then everything that is recorded or computed."""
    yield record.name
    yield f"{record.id} · {record.kind.value} · {record.status.value} · {record.path}"
    yield from head(record)
    for passage in base.evaluation.passages(record.id):
        if "." not in passage.prose.field and "[" not in passage.prose.field:
            yield from section(passage.prose.field.replace("_", " "), prose_lines(passage, base))
    yield from section("values", table(fact_row(fact) for fact in record.facts.values()))
    yield from section("formulas", table((f.name, f"= {f.expr.text}", f.unit.text) for f in record.formulas.values()))
    yield from section("figures", table(figure_row(name, record, base) for name in record.figures))
    yield from section("claims", claim_lines(record, base))
    yield from section("hardware parameters", (line for row in record.rows for line in row_lines(row, record, base)))
    yield from section("affected products", [r.target.text for r in record.products])
    yield from section("corrections", (line for c in record.corrections for line in correction_lines(c)))
    yield from section("sources", [r.target.text for r in record.sources])


def head(record: Record) -> Iterator[str]:
    """The scalar fields of the record that are no prose."""
    shown = {"id", "kind", "name", "status", *(p.field for p in record.prose), *record.facts}
    for key, node in record.document.root:
        if isinstance(node, Scalar) and key.text not in shown:
            yield f"{key.text.replace('_', ' ')}: {node.text}"


def section(title: str, lines: Iterable[str]) -> Iterator[str]:
    """A titled block, or nothing where there are no lines."""
    found = list(lines)
    if found:
        yield ""
        yield title.upper()
        yield from (f"  {line}" if line else "" for line in found)


def prose_lines(passage: Passage, base: Base) -> Iterator[str]:
    """The prose with each link as its text, wrapped by paragraph; blocks that must not be wrapped stay."""
    for block in plain_markdown(passage, base).strip().split("\n\n"):
        lines = block.split("\n")
        if any(
            line.lstrip().startswith(("|", "```", "$$", "-", "*", "#", "    ")) or line[:2].isdigit() for line in lines
        ):
            yield from lines
        else:
            yield from textwrap.wrap(" ".join(lines), _WIDTH - 2)
        yield ""


def plain_markdown(passage: Passage, base: Base) -> str:
    """The Markdown as written, each link of flopkb replaced by its text, each table directive by its table."""
    text, at, parts = passage.scalar.text, 0, []
    shown = [(link.start, link.end, text[link.text_start : link.text_end]) for link in passage.reading.links]
    for start, end, instead in sorted([*shown, *tables_in(passage, base.evaluation)]):
        parts += [text[at:start], instead]
        at = end
    return "".join([*parts, text[at:]])


def table(rows: Iterable[tuple[str, ...]]) -> Iterator[str]:
    """Rows in columns, each as wide as its widest cell (the last is free)."""
    found = [row for row in rows if row]
    if not found:
        return
    widths = [max(len(row[i]) for row in found) for i in range(len(found[0]) - 1)]
    for row in found:
        cells = [cell.ljust(width) for cell, width in zip(row, widths, strict=False)]
        yield "  ".join([*cells, row[-1]]).rstrip()


def fact_row(fact: Fact) -> tuple[str, ...]:
    """A recorded value: path, value, basis and source, what disputes it."""
    value = fact.value.text if fact.value is not None else (fact.absent or "")
    sources = ", ".join(r.target.text for r in fact.sources)
    basis = fact.formula.text if fact.formula is not None else sources
    own = fact.as_printed is not None and fact.as_printed is not fact.value
    printed = f", printed {fact.as_printed.text!r}" if own and fact.as_printed is not None else ""
    disputed = "".join(
        f"; {', '.join(r.target.text for r in other.sources)} states {other.value.text}"
        for other in fact.disputed
        if other.value
    )
    return (fact.path, value, f"{fact.basis.value}: {basis}{printed}{disputed}")


def figure_row(name: str, record: Record, base: Base) -> tuple[str, ...]:
    """A figure with its value now."""
    found = base.evaluation.figures[(record.id, name)]
    formula = record.figures[name].formula.text
    if not isinstance(found, Value):
        return (name, "not computed", str(found))
    contested = " (contested)" if found.contested() else ""
    return (name, ", ".join(readable(value, found.unit) for value in found.values), f"{formula}{contested}")


def row_lines(row: HardwareRow, record: Record, base: Base) -> Iterator[str]:
    """A hardware row."""
    names = ", ".join(name.text for name in row.magnitude)
    yield f"{row.parameter.text} ({row.basis.value}{', ' + names if names else ''})"
    yield from (f"  {line}" for line in textwrap.wrap(" ".join(row.effect.text.split()), _WIDTH - 4))
    yield from (f"  {line}" for line in elasticity_lines(row, record, base))


def correction_lines(correction: Correction) -> Iterator[str]:
    """A correction: what was stated, when it held, what refutes it, what stands now."""
    yield f"stated: {correction.stated.text}" + conditions(correction)
    for _, bindings in correction.counterexamples:
        pairs = ", ".join(f"{b.name} = {', '.join(v.text for v in b.values)}" for b in bindings)
        yield f"  refuted by {pairs}"
    if correction.now is not None:
        yield f"  now: {correction.now.text}"
    elif correction.now_claim is not None:
        yield f"  now: the claim {correction.now_claim.text}"


def conditions(correction: Correction) -> str:
    """``given`` and ``holds_when`` in words."""
    given = ", ".join(f"{b.name} = {', '.join(v.text for v in b.values)}" for b in correction.given)
    parts = [
        f" (given {given})" if given else "",
        f"; holds when {correction.holds_when.text}" if correction.holds_when else "",
    ]
    return "".join(parts)


def claim_lines(record: Record, base: Base) -> Iterator[str]:
    """Every claim of a record: what it says, and how it ended."""
    for name, verdict in claims_of(base.evaluation).of_record(record):
        yield name
        yield from textwrap.wrap(
            statement(record.claims[name]), _WIDTH - 2, initial_indent="  ", subsequent_indent="    "
        )
        yield from textwrap.wrap(str(verdict), _WIDTH - 2, initial_indent="  ", subsequent_indent="    ")


def statement(claim: Claim) -> str:
    """A claim in words near to its own."""
    relation = claim.relation.text.replace("_", " ")
    terms = [name.text if power is None else f"{name.text}**{power.text}" for name, power in claim.terms]
    if claim.formula is not None:
        text = f"{claim.formula.text} {relation} {', '.join(terms)}"
    else:
        text = f" {relation} ".join(terms) if len(terms) > 1 else f"{relation} {terms[0]}"
    options = {key.text: value.text for key, value in claim.options}
    parts = [f"as {name.text} goes to {end.text}" for name, end in claim.limits]
    parts += [f"in {options['in']}"] if "in" in options else []
    parts += [f"at {options['at']}"] if "at" in options else []
    parts += [f"given {bound(claim.given)}"] if claim.given else []
    parts += [f"where {' and '.join(text.text for text in claim.where)}"] if claim.where else []
    parts += [f"over {bound(claim.over)}"] if claim.over else []
    return ", ".join([text, *parts])


def bound(bindings: Iterable[Binding]) -> str:
    """Bindings in words."""
    return "; ".join(f"{binding.name} = {', '.join(value.text for value in binding.values)}" for binding in bindings)


def elasticity_lines(row: HardwareRow, record: Record, base: Base) -> Iterator[str]:
    """What a row's parameter does to its cost at each of its points."""
    if row.cost is None:
        return
    moves = "" if row.moves else " (does not move it)"
    yield f"elasticity of {row.cost.text} in {row.parameter.text}{moves}"
    for found in at_points(row, record, base.evaluation):
        value = decimal_text(found.computed) if isinstance(found.computed, Fraction) else f"none: {found.computed}"
        yield f"  {value} at {found.point.text}"
