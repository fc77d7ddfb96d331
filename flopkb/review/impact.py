"""What depends on a recorded value, and what another value would move and break."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from flopkb.arithmetic.numbers import short_text
from flopkb.base.data.files import DataFolder
from flopkb.base.document import Document, Scalar, Style
from flopkb.base.evaluate import Evaluation, QuoteResult, Value
from flopkb.base.evaluate.facts import FactAtom, inputs_of
from flopkb.base.evaluate.inputs import recorded_value
from flopkb.base.faults import Fault, did_you_mean
from flopkb.base.layers import is_count
from flopkb.base.link import FactTarget, FigureTarget
from flopkb.base.loading import LoadedBase, load_text
from flopkb.base.model import Fact, Record
from flopkb.base.on_demand import OnDemand
from flopkb.base.pipeline import PageText, evaluated
from flopkb.checking.cores import Checked, Work, processes
from flopkb.checking.kept import Keeper, Kept
from flopkb.checking.keys import USUAL, record_keys
from flopkb.checking.mutate.readers import Reading
from flopkb.checking.rules import RULES
from flopkb.checking.text_report import counted
from flopkb.review.difference import Difference, State, compare


class ImpactFault(Exception):
    """There is no such value, or none could be written there; the text says what to do."""


def found_fact(name: str, base: Evaluation) -> tuple[Record, Fact]:
    """The value ``record.path``."""
    id, _, path = name.partition(".")
    record = base.kb.records.get(id)
    if record is None:
        raise ImpactFault(f"there is no record {id}{did_you_mean(id, base.kb.records)}")
    fact = record.facts.get(path)
    if fact is None:
        hint = did_you_mean(path, record.facts) or f"; it records {', '.join(record.facts) or 'no values'}"
        raise ImpactFault(f"{id} records no {path or 'value (write record.value)'}{hint}")
    return record, fact


@dataclass(frozen=True, slots=True)
class Branch:
    """Something that moves with a recorded value (``kind``: value, figure or formula), and the places that quote it."""

    kind: str
    name: str
    text: str
    quotes: tuple[QuoteResult, ...]

    @property
    def title(self) -> str:
        """The line above its quotes."""
        if self.kind == "figure":
            return f"{self.name} = {self.text}"
        return f"{self.name} ({self.text})" if self.kind == "value" else f"{self.name} {self.text}"


def reading(base: Evaluation, id: str) -> Evaluation:
    """The base with those of its figures and quotes alone that may read a record, by what their texts say.

    Of documents all quotes are kept; so are the quotes of the record itself.
    """
    texts = Reading(base.kb)
    figures = [
        key for key, asked in base.kb.figures.items() if key[0] not in base.kb.records or id in texts.computation(asked)
    ]
    holders = [holder for holder in base.quotes if holder == id or _quotes_it(holder, id, texts, base)]
    return replace(
        base,
        figures=OnDemand(figures, base.figures.__getitem__),
        quotes=OnDemand(holders, base.quotes.__getitem__),
    )


def _quotes_it(holder: str, id: str, texts: Reading, base: Evaluation) -> bool:
    if holder not in base.kb.records:
        return True
    return any(id in texts.quote(quote) for passage in base.passages(holder) for quote in passage.quotes)


def tree_of(record: Record, fact: Fact, whole: Evaluation) -> Iterator[Branch]:
    """The value and those derived from it, the figures that move with it, and the formulas that are asked with it."""
    base = reading(whole, record.id)
    atoms = [FactAtom(record.id, path) for path in derived_from(record, fact.path)]
    for atom in atoms:
        yield Branch("value", str(atom), "recorded", tuple(fact_quotes(atom, base)))
    moved = {*atoms}
    for (holder, figure), value in base.figures.items():
        if isinstance(value, Value) and value.facts() & moved:
            shown = ", ".join(short_text(exact, value.unit) for exact in value.values)
            found = tuple(r for r in quotes(base) if r.quote.target == FigureTarget(holder, figure))
            yield Branch("figure", f"{holder}.{figure}", shown, found)
    asked: dict[str, list[QuoteResult]] = {}
    for result in quotes(base):
        found_value = result.value
        if found_value is None or isinstance(result.quote.target, FigureTarget) or not found_value.facts() & moved:
            continue
        asked.setdefault(str(found_value.computation.formula), []).append(result)
    for name, results in asked.items():
        yield Branch("formula", name, "asked with its inputs", tuple(results))


def shown_value(fact: Fact) -> str:
    """A recorded value as written."""
    return fact.value.text if fact.value is not None else (fact.absent or "")


def tree(record: Record, fact: Fact, branches: Sequence[Branch]) -> Iterator[str]:
    """The branches for a person, the places that quote each below it."""
    yield f"{record.id}.{fact.path} = {shown_value(fact)}  ({fact.location})"
    for branch in branches:
        yield from quoted_lines(branch.title, list(branch.quotes))
    figures = sum(1 for branch in branches if branch.kind == "figure")
    total = sum(len(branch.quotes) for branch in branches)
    yield f"{counted(figures, 'figure')} and {counted(total, 'quote')} depend on it"


def tree_told(record: Record, fact: Fact, branches: Sequence[Branch]) -> dict[str, object]:
    """The branches for programs."""
    return {
        "value": f"{record.id}.{fact.path}",
        "recorded": shown_value(fact),
        "location": str(fact.location),
        "moves": [
            {
                "kind": branch.kind,
                "name": branch.name,
                **({"text": branch.text} if branch.kind == "figure" else {}),
                "quotes": [{"location": str(r.location), "text": r.quote.link.text} for r in branch.quotes],
            }
            for branch in branches
        ],
    }


def derived_from(record: Record, path: str) -> list[str]:
    """The path, and the paths of the record's values that are derived from it."""
    found = [path]
    for at in found:
        found += [
            other for other, fact in record.facts.items() if at in inputs_of(fact, record.facts) and other not in found
        ]
    return found


def quotes(base: Evaluation) -> Iterator[QuoteResult]:
    """Every quote of the base."""
    return (result for results in base.quotes.values() for result in results)


def fact_quotes(atom: FactAtom, base: Evaluation) -> list[QuoteResult]:
    """The places that quote a recorded value."""
    return [r for r in quotes(base) if r.quote.target == FactTarget(atom.record, atom.path)]


def quoted_lines(title: str, results: list[QuoteResult]) -> Iterator[str]:
    """A branch of the tree."""
    yield f"├─ {title}"
    for result in results:
        yield f"│  └─ {result.location}  {result.quote.link.text}"


def with_value(record: Record, fact: Fact, new: str, base: Evaluation, asking: Asking) -> Difference:
    """What would differ if the value were another one; the printed form is left out, as the value is only supposed."""
    if is_count(fact.path):
        raise ImpactFault(
            f"{record.id}.{fact.path} is the sum of counts under layers: edit them in a copy, and use diff"
        )
    if fact.value is None:
        raise ImpactFault(f"{record.id}.{fact.path} has no value ({fact.absent}), so there is none to replace")
    source = replaced(record.document.source, fact.value, new)
    loaded = load_text(source, record.path)
    if not isinstance(loaded, Document):
        raise ImpactFault(f"{new!r} cannot be written there: {loaded[0].message}")
    documents = tuple(loaded if r is record else r.document for r in base.kb.records.values())
    supposed = evaluated(
        LoadedBase(documents, (), base.kb.scope.broken), asking.texts, (), asking.folder, at_once=False
    )
    changed = supposed.kb.records.get(record.id)
    if changed is None or fact.path not in changed.facts:
        reason = supposed.diagnostics[0].message if supposed.diagnostics else "it is no value of this quantity"
        raise ImpactFault(f"{new!r} is no value for {record.id}.{fact.path}: {reason}")
    value = recorded_value(changed.facts[fact.path], changed, supposed.kb)
    if isinstance(value, Fault):
        raise ImpactFault(f"{new!r} is no value for {record.id}.{fact.path}: {value}")
    before, after = checked_both(base, supposed, record.id, asking.keeper)
    kept = tuple(d for d in after.result.diagnostics if d.rule not in ("reading-mismatch", "derived-value"))
    after = State(reading(supposed, record.id), replace(after.result, diagnostics=kept), after.claims)
    return compare(State(reading(base, record.id), before.result, before.claims), after)


@dataclass(frozen=True, slots=True)
class Asking:
    """What a question reads beside the base: documents, their data files, and what is known from the last check."""

    texts: Sequence[PageText]
    folder: DataFolder
    keeper: Keeper


def checked_both(old: Evaluation, new: Evaluation, changed: str, keeper: Keeper) -> tuple[State, State]:
    """Two states of a base checked: of the first what is known from the last time, of the second what reads the change."""
    kept, known = keeper.load(), record_keys(old.kb, USUAL)
    was = Work(old, RULES, processes(), keys=known, kept=kept.parts, with_causes=True).checked()
    if known and not was.result.crashes:
        keeper.save(Kept(kept.result, was.parts))
    texts = Reading(old.kb)
    alike = {
        id: key for id, key in known.items() if id != changed and not _reads(old.kb.records[id], changed, texts, old)
    }
    keys = {**record_keys(new.kb, USUAL), **alike} if known else {}
    now = Work(new, RULES, processes(), keys=keys, kept={**kept.parts, **was.parts}).checked()
    return _state(old, was), _state(new, now)


def _reads(record: Record, id: str, texts: Reading, base: Evaluation) -> bool:
    """Whether anything of a record may read another: figures, quotes, claims, derived values."""
    claims = record.document.root.get("claims")
    asked = (base.kb.figures[key] for key in ((record.id, name) for name in record.figures) if key in base.kb.figures)
    return (
        id in record.document.source
        or any(id in texts.computation(each) for each in asked)
        or _quotes_it(record.id, id, texts, base)
        or (claims is not None and id in texts.texts(claims, record))
        or id in texts.rest(record)
    )


def _state(base: Evaluation, done: Checked) -> State:
    return State(base, done.result, {f"{id}.{name}": word for (id, name), word in done.claims.items()})


def replaced(source: str, value: Scalar, new: str) -> str:
    """The text of the file with another value; quoted as the value was."""
    lines = source.split("\n")
    at = value.at(0)
    line, start = lines[at.line - 1], at.column - 1
    if not line.startswith(value.text, start) or value.style in (Style.LITERAL, Style.FOLDED):
        raise ImpactFault(f"the value at {at} is written in a way that cannot be replaced here; edit the file instead")
    lines[at.line - 1] = line[:start] + new + line[start + len(value.text) :]
    return "\n".join(lines)
