"""What one state of a base changes in another: records, values, figures with every quote of them, claims, findings."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from flopkb.arithmetic.diagnostics import Diagnostic, Location
from flopkb.arithmetic.numbers import readable
from flopkb.base.claims import claims_of
from flopkb.base.document import Scalar
from flopkb.base.evaluate import Evaluation, QuoteResult, Value
from flopkb.base.evaluate.facts import FactAtom
from flopkb.base.link import Computation
from flopkb.base.model import Fact, Record, Status
from flopkb.checking.check import CheckResult, check
from flopkb.review.data import used_values


@dataclass(frozen=True, slots=True)
class RecordChange:
    """A record that was added, removed or renamed (``before`` or ``after`` is None for one that is not there)."""

    before: str | None
    after: str | None
    location: Location


@dataclass(frozen=True, slots=True)
class Removal:
    """An id that is gone while something still used it: ``users`` are the records that did."""

    id: str
    users: tuple[str, ...]
    location: Location

    def __str__(self) -> str:
        users = ", ".join(self.users[:4]) + (", ..." if len(self.users) > 4 else "")
        return (
            f"{self.id} was used by {users}; keep it as a deprecated record, or keep the id in renamed_to "
            "so that what links to it can follow"
        )


@dataclass(frozen=True, slots=True)
class ValueChange:
    """A recorded value that changed, as written; None where it is new or gone."""

    name: str
    before: str | None
    after: str | None
    location: Location


@dataclass(frozen=True, slots=True)
class QuotePlace:
    """A quote: its text before and now, and whether it is right now."""

    location: Location
    before: str | None
    after: str
    ok: bool


@dataclass(frozen=True, slots=True)
class FigureChange:
    """A figure, or a formula quoted with its inputs, whose value moved, with every place that quotes it."""

    name: str
    before: str
    after: str
    places: tuple[QuotePlace, ...]


@dataclass(frozen=True, slots=True)
class ClaimChange:
    """A claim whose result changed; None where it is new or gone."""

    name: str
    before: str | None
    after: str | None
    location: Location


@dataclass(frozen=True, slots=True)
class State:
    """One side of a comparison: an evaluated base, what its check found, and its claims' results by name."""

    base: Evaluation
    result: CheckResult
    claims: Mapping[str, str]


def state_of(base: Evaluation) -> State:
    """A base, checked, with how its claims ended."""
    result, claims = check(base), claims_of(base)
    endings = {
        f"{record.id}.{name}": verdict.word
        for record in base.kb.records.values()
        for name, verdict in claims.of_record(record)
    }
    return State(base, result, endings)


@dataclass(frozen=True, slots=True)
class Difference:
    """Everything that changed, each part in the order of its names."""

    records: tuple[RecordChange, ...]
    removals: tuple[Removal, ...]
    values: tuple[ValueChange, ...]
    figures: tuple[FigureChange, ...]
    claims: tuple[ClaimChange, ...]
    new: tuple[Diagnostic, ...]
    fixed: tuple[Diagnostic, ...]
    before: int
    """How many findings were there before and still are."""

    @property
    def empty(self) -> bool:
        """Whether nothing changed."""
        return not (self.records or self.values or self.figures or self.claims or self.new or self.fixed)


def compare(old: State, new: State) -> Difference:
    """What ``new`` changes in ``old``."""
    renamed = renames(old.base, new.base)
    fresh, gone, kept = findings(old.result, new.result)
    return Difference(
        records=tuple(record_changes(old.base, new.base, renamed)),
        removals=tuple(removals(old.base, new.base)),
        values=tuple(value_changes(old.base, new.base, renamed)),
        figures=tuple(figure_changes(old.base, new.base, renamed)),
        claims=tuple(claim_changes(old, new, renamed)),
        new=fresh,
        fixed=gone,
        before=kept,
    )


def renames(old: Evaluation, new: Evaluation) -> dict[str, str]:
    """Old ids whose records live on under another: said by ``renamed_to``, or by equal content in a new file."""
    found: dict[str, str] = {}
    arrived = {id: record for id, record in new.kb.records.items() if id not in old.kb.records}
    for id, record in old.kb.records.items():
        said = new.kb.records.get(id)
        target = renamed_to(said) if said is not None else None
        if target is not None and target in arrived:
            found[id] = target
        elif said is None:
            same = [new_id for new_id, other in arrived.items() if body(other) == body(record)]
            found.update((id, new_id) for new_id in same[:1])
    return found


def renamed_to(record: Record) -> str | None:
    """The id that a record says it was renamed to."""
    node = record.document.root.get("renamed_to")
    return node.text if isinstance(node, Scalar) else None


def body(record: Record) -> str:
    """The text of a record without its id, so that a mere renaming leaves it equal."""
    return re.sub(rf"\b{re.escape(record.id)}\b", "\0", record.document.source)


def record_changes(old: Evaluation, new: Evaluation, renamed: Mapping[str, str]) -> Iterator[RecordChange]:
    """Records added, removed and renamed."""
    for id in sorted(old.kb.records.keys() | new.kb.records.keys()):
        before, after = old.kb.records.get(id), new.kb.records.get(id)
        if id in renamed:
            yield RecordChange(id, renamed[id], new.kb.records[renamed[id]].id_at.location)
        elif before is not None and after is None and id not in new.kb.scope.broken:
            yield RecordChange(id, None, before.id_at.location)
        elif before is None and after is not None and id not in renamed.values():
            yield RecordChange(None, id, after.id_at.location)


def removals(old: Evaluation, new: Evaluation) -> Iterator[Removal]:
    """Ids that are gone, though something used them and nothing says what became of them."""
    if old.kb.records.keys() <= new.kb.records.keys():
        return
    users: defaultdict[str, set[str]] = defaultdict(set)
    for record in old.kb.records.values():
        for target in targets(record, old):
            users[target].add(record.id)
    kept = {said for record in new.kb.records.values() if (said := renamed_from(record))}
    for id, record in sorted(old.kb.records.items()):
        others = users[id] - {id}
        if id not in new.kb.records and id not in new.kb.scope.broken and id not in kept and others:
            yield Removal(id, tuple(sorted(others)), record.id_at.location)


def renamed_from(record: Record) -> str | None:
    """The id that a deprecated record keeps alive."""
    return record.id if record.status is Status.DEPRECATED else None


def targets(record: Record, base: Evaluation) -> Iterator[str]:
    """Ids that a record names: in its references, its bindings, its links and its citations."""
    yield from (reference.target.text for reference in record.references)
    groups = [point.bindings for point in record.points.values()]
    groups += [(*figure.with_, *figure.over) for figure in record.figures.values()]
    yield from (value.text for bindings in groups for binding in bindings for value in binding.values)
    for passage in base.passages(record.id):
        yield from (citation.id for citation in passage.reading.citations)
        for link in passage.reading.links:
            holder = getattr(link.parsed, "record", None)
            if holder is not None:
                yield holder
            yield from (given.value for given in getattr(link.parsed, "inputs", ()))


def value_changes(old: Evaluation, new: Evaluation, renamed: Mapping[str, str]) -> Iterator[ValueChange]:
    """Recorded values that changed in records that are on both sides."""
    for id, before in sorted(old.kb.records.items()):
        after = new.kb.records.get(renamed.get(id, id))
        if after is None:
            continue
        for path in dict.fromkeys([*before.facts, *after.facts]):
            was, now = stated(before.facts.get(path)), stated(after.facts.get(path))
            if was != now:
                fact = after.facts.get(path) or before.facts[path]
                yield ValueChange(f"{after.id}.{path}", was, now, fact.location)
    before_data, after_data = used_values(old), used_values(new)
    for atom in sorted(before_data.keys() | after_data.keys()):
        was_fact, now_fact = before_data.get(atom) or held(old, atom), after_data.get(atom) or held(new, atom)
        place = (now_fact or was_fact or before_data[atom]).location
        was, now = stated(was_fact), stated(now_fact)
        if was != now and _read_in(old, atom) and _read_in(new, atom):
            yield ValueChange(f"{place.path}: {atom.path}", was, now, place)


def held(base: Evaluation, atom: FactAtom) -> Fact | None:
    """What a data file holds at a place, though no document uses it."""
    record = base.kb.scope.records.get(atom.record)
    return record.facts.get(atom.path) if record is not None else None


def _read_in(base: Evaluation, atom: FactAtom) -> bool:
    """Whether documents name the data file at all: one that is named for the first time has not changed."""
    return atom.record in base.kb.scope.records


def stated(fact: Fact | None) -> str | None:
    """A fact's value as written, or why there is none."""
    if fact is None:
        return None
    return fact.value.text if fact.value is not None else fact.absent


def figure_changes(old: Evaluation, new: Evaluation, renamed: Mapping[str, str]) -> Iterator[FigureChange]:
    """Figures and quoted formulas whose value moved, with their quotes."""
    before, after = named_values(old, renamed), named_values(new, {})
    quotes = quotes_by_name(new, {})
    was = {key: result.quote.link.text for key, result in keyed_quotes(old, renamed).items()}
    for name in sorted(before.keys() & after.keys()):
        if before[name].values == after[name].values:
            continue
        places = tuple(
            QuotePlace(r.location, was.get(key), r.quote.link.text, r.judgement is None or r.judgement.ok)
            for key, r in quotes.get(name, ())
        )
        yield FigureChange(name, shown(before[name]), shown(after[name]), places)


def named_values(base: Evaluation, renamed: Mapping[str, str]) -> dict[str, Value]:
    """Every value that could be computed, by a name that means the same on both sides."""
    found = {
        f"{renamed.get(record, record)}.{name}": value
        for (record, name), value in base.figures.items()
        if isinstance(value, Value)
    }
    for results in base.quotes.values():
        for result in results:
            if result.value is not None:
                found.setdefault(quoted_name(result, renamed), result.value)
    return found


def quoted_name(result: QuoteResult, renamed: Mapping[str, str]) -> str:
    """``record.figure``, or the formula with its inputs as the link gives them."""
    target = result.quote.target
    if not isinstance(target, Computation):
        holder, _, name = result.quote.title.rpartition(".")
        own = holder or result.quote.holder
        return f"{renamed.get(own, own)}.{name}"
    inputs = "&".join(
        sorted(f"{b.name}={','.join(renamed.get(v.text, v.text) for v in b.values)}" for b in target.bindings)
    )
    return f"{renamed.get(target.formula.record, target.formula.record)}.{target.formula.name}" + (
        f"?{inputs}" if inputs else ""
    )


Key = tuple[str, str, str, int]


def keyed_quotes(base: Evaluation, renamed: Mapping[str, str]) -> dict[Key, QuoteResult]:
    """Quotes by holder, field, target and which one of them it is: the same on both sides while the prose is."""
    found: dict[Key, QuoteResult] = {}
    for holder, results in base.quotes.items():
        counts: Counter[tuple[str, str, str]] = Counter()
        for result in results:
            if result.value is not None:
                part = (renamed.get(holder, holder), result.quote.field, quoted_name(result, renamed))
                counts[part] += 1
                found[(*part, counts[part])] = result
    return found


def quotes_by_name(base: Evaluation, renamed: Mapping[str, str]) -> dict[str, list[tuple[Key, QuoteResult]]]:
    """The quotes of each value."""
    found: defaultdict[str, list[tuple[Key, QuoteResult]]] = defaultdict(list)
    for key, result in keyed_quotes(base, renamed).items():
        found[key[2]].append((key, result))
    return found


def shown(value: Value) -> str:
    """The values with their unit, for a person."""
    return ", ".join(readable(exact, value.unit) for exact in value.values)


def claim_changes(old: State, new: State, renamed: Mapping[str, str]) -> Iterator[ClaimChange]:
    """Claims whose result is another one now."""
    before = {f"{renamed.get(record, record)}.{name}": result for (record, name), result in split(old.claims)}
    for name in sorted(before.keys() | new.claims.keys()):
        was, now = before.get(name), new.claims.get(name)
        if was != now:
            record, _, claim = name.rpartition(".")
            side = new.base if now is not None else old.base
            holder = side.kb.records.get(record)
            if holder is not None and claim in holder.claims:
                yield ClaimChange(name, was, now, holder.claims[claim].location)


def split(claims: Mapping[str, str]) -> Iterable[tuple[tuple[str, str], str]]:
    """``record.claim`` taken apart."""
    return [((name.rpartition(".")[0], name.rpartition(".")[2]), result) for name, result in claims.items()]


def findings(old: CheckResult, new: CheckResult) -> tuple[tuple[Diagnostic, ...], tuple[Diagnostic, ...], int]:
    """Findings that are new, those that are fixed, and how many were there before; lines may have moved meanwhile.

    A quote that was wrong and is now wrong by another amount is new, and not fixed.
    """
    before = Counter(identity(found) for found in old.diagnostics)
    after = Counter(identity(found) for found in new.diagnostics)
    fresh = surplus(new.diagnostics, before)
    wrong = {(found.rule, found.location.path, found.quoted) for found in fresh if found.quoted}
    gone = surplus(old.diagnostics, after)
    fixed = tuple(found for found in gone if (found.rule, found.location.path, found.quoted) not in wrong)
    return fresh, fixed, len(new.diagnostics) - len(fresh)


def identity(found: Diagnostic) -> tuple[str, str, str]:
    """What makes a finding the same one in another revision: not its line."""
    return (found.rule, found.location.path, found.message)


def surplus(found: Iterable[Diagnostic], known: Counter[tuple[str, str, str]]) -> tuple[Diagnostic, ...]:
    """The findings beyond those that are known."""
    left = Counter(known)
    rest = []
    for item in found:
        if left[identity(item)] > 0:
            left[identity(item)] -= 1
        else:
            rest.append(item)
    return tuple(rest)
