"""``flopkb impact``."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import click

from flopkb.arithmetic.amounts import readable
from flopkb.base.document import Document, Scalar, Style
from flopkb.base.evaluate import QuoteResult, Value
from flopkb.base.evaluate.facts import FactAtom, fact_value, inputs_of
from flopkb.base.faults import Fault, did_you_mean
from flopkb.base.link import FactTarget, FigureTarget
from flopkb.base.loading import LoadedBase, load_text
from flopkb.base.model import Fact, Record
from flopkb.base.pipeline import evaluated
from flopkb.checking.api import Base
from flopkb.checking.report.text import TextStyle, counted
from flopkb.commands import Outcome, UsageFault
from flopkb.commands.asking import open_base
from flopkb.commands.terminal import RECORDS, answered, style
from flopkb.review.difference import Difference, compare, state_of
from flopkb.review.report import text_difference


@click.command("impact")
@click.argument("fact", metavar="FACT")
@click.option("--set", "new", metavar="VALUE", help="Suppose another value and show what it would move and break.")
@RECORDS
@answered
def command(fact: str, new: str | None, records: Path | None) -> Outcome:
    """Show what depends on a recorded value, as nvidia_h100_sxm.memory_bandwidth. Nothing is written."""
    return impact_command(fact, new, records, style())


def impact_command(name: str, new: str | None, records: Path | None, style: TextStyle) -> Outcome:
    """What depends on a recorded value; with a new value, what it would move and break."""
    base = open_base(records)
    record, fact = found_fact(name, base)
    if new is None:
        return Outcome("\n".join(tree(record, fact, base)) + "\n")
    difference = with_value(record, fact, new, base)
    return Outcome(f"if {name} were {new} (nothing is written)\n{text_difference(difference, style)}")


def found_fact(name: str, base: Base) -> tuple[Record, Fact]:
    """The value ``record.path``."""
    id, _, path = name.partition(".")
    record = base.records.get(id)
    if record is None:
        raise UsageFault(f"there is no record {id}{did_you_mean(id, base.records)}")
    fact = record.facts.get(path)
    if fact is None:
        hint = did_you_mean(path, record.facts) or f"; it records {', '.join(record.facts) or 'no values'}"
        raise UsageFault(f"{id} records no {path or 'value (write record.value)'}{hint}")
    return record, fact


def tree(record: Record, fact: Fact, base: Base) -> Iterator[str]:
    """The value, the values derived from it, the figures that move with it, and below each the places that quote it."""
    shown = fact.value.text if fact.value is not None else (fact.absent or "")
    yield f"{record.id}.{fact.path} = {shown}  ({fact.location})"
    atoms = [FactAtom(record.id, path) for path in derived_from(record, fact.path)]
    for atom in atoms:
        yield from quoted_lines(f"{atom} (recorded)", fact_quotes(atom, base))
    figures = [(key, v) for key, v in base.evaluation.figures.items() if isinstance(v, Value) and v.facts() & {*atoms}]
    for (holder, figure), value in figures:
        title = f"{holder}.{figure} = {', '.join(readable(exact, value.unit) for exact in value.values)}"
        yield from quoted_lines(title, [r for r in quotes(base) if r.quote.target == FigureTarget(holder, figure)])
    asked: dict[str, list[QuoteResult]] = {}
    for result in quotes(base):
        if (
            result.value is not None
            and not isinstance(result.quote.target, FigureTarget)
            and result.value.facts() & {*atoms}
        ):
            asked.setdefault(f"{result.value.computation.formula} asked with its inputs", []).append(result)
    for title, results in asked.items():
        yield from quoted_lines(title, results)
    total = sum(len(fact_quotes(atom, base)) for atom in atoms) + sum(len(r) for r in asked.values())
    total += sum(
        1 for r in quotes(base) if isinstance(r.quote.target, FigureTarget) and r.value and r.value.facts() & {*atoms}
    )
    yield f"{counted(len(figures), 'figure')} and {counted(total, 'quote')} depend on it"


def derived_from(record: Record, path: str) -> list[str]:
    """The path, and the paths of the record's values that are derived from it."""
    found = [path]
    for at in found:
        found += [other for other, fact in record.facts.items() if at in inputs_of(fact) and other not in found]
    return found


def quotes(base: Base) -> Iterator[QuoteResult]:
    """Every quote of the base."""
    return (result for results in base.evaluation.quotes.values() for result in results)


def fact_quotes(atom: FactAtom, base: Base) -> list[QuoteResult]:
    """The places that quote a recorded value."""
    return [r for r in quotes(base) if r.quote.target == FactTarget(atom.record, atom.path)]


def quoted_lines(title: str, results: list[QuoteResult]) -> Iterator[str]:
    """A branch of the tree."""
    yield f"├─ {title}"
    for result in results:
        yield f"│  └─ {result.location}  {result.quote.link.text}"


def with_value(record: Record, fact: Fact, new: str, base: Base) -> Difference:
    """What would differ if the value were another one; the printed form is left out, as the value is only supposed."""
    if fact.value is None:
        raise UsageFault(f"{record.id}.{fact.path} has no value ({fact.absent}), so there is none to replace")
    source = replaced(record.document.source, fact.value, new)
    loaded = load_text(source, record.path)
    if not isinstance(loaded, Document):
        raise UsageFault(f"{new!r} cannot be written there: {loaded[0].message}")
    documents = tuple(loaded if r is record else r.document for r in base.records.values())
    supposed = evaluated(LoadedBase(documents, (), base.evaluation.kb.scope.broken))
    changed = supposed.kb.records.get(record.id)
    if changed is None or fact.path not in changed.facts:
        reason = supposed.diagnostics[0].message if supposed.diagnostics else "it is no value of this quantity"
        raise UsageFault(f"{new!r} is no value for {record.id}.{fact.path}: {reason}")
    value = fact_value(changed.facts[fact.path], changed)
    if isinstance(value, Fault):
        raise UsageFault(f"{new!r} is no value for {record.id}.{fact.path}: {value}")
    after = state_of(supposed)
    kept = tuple(d for d in after.result.diagnostics if d.rule not in ("reading-mismatch", "derived-value"))
    return compare(state_of(base.evaluation), replace(after, result=replace(after.result, diagnostics=kept)))


def replaced(source: str, value: Scalar, new: str) -> str:
    """The text of the file with another value; quoted as the value was."""
    lines = source.split("\n")
    at = value.at(0)
    line, start = lines[at.line - 1], at.column - 1
    if not line.startswith(value.text, start) or value.style in (Style.LITERAL, Style.FOLDED):
        raise UsageFault(f"the value at {at} is written in a way that cannot be replaced here; edit the file instead")
    lines[at.line - 1] = line[:start] + new + line[start + len(value.text) :]
    return "\n".join(lines)
