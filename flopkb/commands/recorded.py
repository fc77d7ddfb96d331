"""What ``flopkb explain`` tells of a recorded value: who states it, in which words, who states another, who quotes it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from flopkb.base.link import FactTarget
from flopkb.base.model import Fact
from flopkb.checking.api import Base
from flopkb.commands import json_text

if TYPE_CHECKING:
    from flopkb.base.evaluate import QuoteResult


def is_recorded(name: str, base: Base) -> bool:
    """Whether ``record.path`` is a recorded value."""
    record = base.records.get(name.partition(".")[0])
    return record is not None and name.partition(".")[2] in record.facts


def fact_in(name: str, base: Base) -> Fact:
    """The recorded value of ``record.path``."""
    id, _, path = name.partition(".")
    return base.records[id].facts[path]


def words(value: Fact) -> str:
    """The value as written, or why there is none."""
    return value.value.text if value.value is not None else (value.absent or "").replace("_", " ")


def sources(value: Fact) -> str:
    """The sources that state a value."""
    return ", ".join(reference.target.text for reference in value.sources)


def prose_of(name: str, base: Base) -> dict[str, str]:
    """What the record says in prose beside its values, in one line each, by the text as written."""
    from flopkb.publishing.pages.terminal import prose_lines

    passages = base.evaluation.passages(name.partition(".")[0])
    return {p.scalar.text: " ".join(" ".join(prose_lines(p, base)).split()) for p in passages}


def notes(name: str, base: Base) -> list[str]:
    """The notes of the disputed values, in their order."""
    from flopkb.publishing.export.resolved.values import notes_of

    plain = prose_of(name, base)
    return [plain.get(text, text) for text in notes_of(fact_in(name, base), base.records[name.partition(".")[0]])]


def quotes_of(name: str, base: Base) -> Iterator[QuoteResult]:
    """The places that quote the value, and what others state in its place."""
    id, _, path = name.partition(".")
    for results in base.quotes().values():
        for result in results:
            target = result.quote.target
            if isinstance(target, FactTarget) and (target.record, target.path) == (id, path):
                yield result


def recorded_text(name: str, base: Base) -> str:
    """The value for a person."""
    return "\n".join([*value_lines(name, base), "", *quote_lines(name, base)]) + "\n"


def value_lines(name: str, base: Base) -> Iterator[str]:
    """The value, its evidence, and both sides of what sources dispute."""
    from flopkb.base.evaluate.differences import difference
    from flopkb.publishing.pages.facts import TOLD

    fact = fact_in(name, base)
    yield f"{name} = {words(fact)}  ({fact.location})"
    derived = f" from {fact.formula.text}" if fact.formula is not None else ""
    yield f"basis: {fact.basis.value}{derived}"
    for reference in fact.sources:
        source = base.records.get(reference.target.text)
        yield f"source: {reference.target.text}" + (f" ({source.name})" if source is not None else "")
    if fact.as_printed is not None and fact.as_printed is not fact.value:
        read = f", read as {fact.reading.text}" if fact.reading is not None else ""
        yield f"printed: {fact.as_printed.text!r}{read}"
    told = {"dtype": fact.dtype and fact.dtype.target.text, "sparsity": fact.sparsity, "sums in": fact.accumulate}
    measured = {each: text and text.text for each, text in (("method", fact.method), ("device", fact.device))}
    yield from (f"{key}: {text}" for key, text in {**told, **measured}.items() if text)
    plain = prose_of(name, base)
    yield from [f"note: {plain.get(fact.note.text, fact.note.text)}"] if fact.note is not None else []
    for other, note in zip(fact.disputed, notes(name, base), strict=True):
        yield f"{sources(other)} states {words(other)} ({TOLD[difference(fact, other).value]}){note and f': {note}'}"
    why = fact.preferred
    yield from [f"preferred: {plain.get(why.text, why.text)}"] if why is not None and fact.disputed else []


def quote_lines(name: str, base: Base) -> Iterator[str]:
    """Every place that quotes the value; how many figures move with it."""
    quotes = list(quotes_of(name, base))
    yield "quoted at" if quotes else "quoted nowhere"
    for result in quotes:
        target = result.quote.target
        other = f"  (as {target.source} states it)" if isinstance(target, FactTarget) and target.source else ""
        yield f"  {result.location}  {result.quote.link.text}{other}"
    yield f"flopkb impact {name} shows what moves with it"


def recorded_json(name: str, base: Base) -> str:
    """The value for programs."""
    from flopkb.base.evaluate.differences import difference

    fact = fact_in(name, base)

    def told(value: Fact) -> dict[str, object]:
        return {
            "text": words(value),
            "sources": [reference.target.text for reference in value.sources],
            "as_printed": value.as_printed.text if value.as_printed is not None else None,
            "reading": value.reading.text if value.reading is not None else None,
        }

    return json_text(
        {
            "value": name,
            **told(fact),
            "basis": fact.basis.value,
            "formula": fact.formula.text if fact.formula is not None else None,
            "location": str(fact.location),
            "disputed": [
                {**told(each), "difference": difference(fact, each).value, "note": note}
                for each, note in zip(fact.disputed, notes(name, base), strict=True)
            ],
            "preferred": fact.preferred.text if fact.preferred is not None and fact.disputed else None,
            "quoted_at": [{"location": str(r.location), "text": r.quote.link.text} for r in quotes_of(name, base)],
        }
    )
