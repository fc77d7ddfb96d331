"""What of the base is used: by figures and quotes, decided by what their values move with, and by what is faulty.

A misspelt name leaves the real one without a user, and a file that could not be read may use anything that its text
mentions. Both are reported where they stand; what they would have used is not reported a second time.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import TYPE_CHECKING

from flopkb.arithmetic.diagnostics import Location
from flopkb.arithmetic.formula import FormulaError, Name, names, parse_case, parse_formula
from flopkb.base.document import Node, Scalar, Sequence, scalars
from flopkb.base.evaluate.asked import is_amount, roles_through
from flopkb.base.evaluate.computing import Computed
from flopkb.base.evaluate.facts import inputs_of
from flopkb.base.evaluate.normal_forms import OverAtom
from flopkb.base.evaluate.values import Evaluator, Value, moves_with
from flopkb.base.faults import BadTable, Fault
from flopkb.base.link import (
    PRINTED,
    Computation,
    FactTarget,
    FigureTarget,
    FormulaRef,
    InputTarget,
    KnowledgeBase,
    Passage,
    Quote,
    SymbolAtom,
    ValueAtom,
)
from flopkb.base.link.names import formula_ref
from flopkb.base.model import ROLES, Binding, Figure, HardwareRow, Kind, Narrowing, Record

if TYPE_CHECKING:
    from flopkb.base.evaluate.quotes import QuoteResult, TableResult

_WORD = re.compile(r"\w+")


@dataclass(slots=True)
class Usage:
    """What is used: symbols, figures and points as (record, name), facts as (record, path), bindings by places."""

    symbols: set[tuple[str, str]] = field(default_factory=set)
    figures: set[tuple[str, str]] = field(default_factory=set)
    points: set[tuple[str, str]] = field(default_factory=set)
    sources: set[str] = field(default_factory=set)
    facts: set[tuple[str, str]] = field(default_factory=set)
    disputed: set[tuple[str, str, str]] = field(default_factory=set)
    bindings: set[Location] = field(default_factory=set)

    def add(self, other: Usage) -> None:
        """Count as used what ``other`` counts."""
        self.symbols |= other.symbols
        self.figures |= other.figures
        self.points |= other.points
        self.sources |= other.sources
        self.facts |= other.facts
        self.disputed |= other.disputed
        self.bindings |= other.bindings


@dataclass(frozen=True, slots=True)
class Share:
    """What one record or document uses, and the words in whatever of it is faulty."""

    used: Usage
    words: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Holding:
    """A record or document, with the values of its figures, its links and tables, and its prose."""

    id: str
    figures: Mapping[str, Value | Fault]
    results: tuple[QuoteResult, ...]
    tables: tuple[TableResult, ...]
    passages: tuple[Passage, ...]


def share_of(held: Holding, evaluator: Evaluator) -> Share:
    """What one record or document uses of the base."""
    kb, usage = evaluator.kb, Usage()
    values = [value for value in held.figures.values() if isinstance(value, Value)]
    values += [result.value for result in held.results if result.value is not None]
    values += [value for table in held.tables for value in table.values()]
    for ref in kb.formulas_in([held.id]):
        linked = kb.formulas[ref]
        asked = (target for each in (*linked.requires, *linked.assumes) for target in each.targets)
        read = (*linked.targets, *asked)
        usage.symbols.update((target.record, target.name) for target in read if isinstance(target, SymbolAtom))
    record = kb.records.get(held.id)
    if record is not None:
        _record(record, held.passages, kb, usage)
    for value in values:
        _value(value, evaluator, usage)
    for result in held.results:
        _quote(result.quote, usage)
    usage.points.update(point for table in held.tables for point in table.table.points)
    texts = (text for text in suspect_texts(held, kb) if text)
    return Share(usage, frozenset(word for text in texts for word in _WORD.findall(text)))


def joined(shares: Iterable[Share], kb: KnowledgeBase) -> Usage:
    """What all of a base is used by: the shares of its records and documents together, and what follows from them."""
    usage, words = Usage(), set[str]()
    for share in shares:
        usage.add(share.used)
        words |= share.words
    _derived(kb, usage)
    use_mentioned(usage, kb, words)
    return usage


def _record(record: Record, passages: Iterable[Passage], kb: KnowledgeBase, usage: Usage) -> None:
    named = (kb.scope.symbol(name, record.id) for name in mentioned(record))
    usage.symbols.update((atom.record, atom.name) for atom in named if atom is not None)
    usage.points.update((record.id, f.at.text) for f in record.figures.values() if f.at is not None)
    usage.figures.update((record.id, f.name) for f in record.figures.values() if f.assumes is not None)
    usage.points.update((record.id, point.text) for row in record.rows for point, _ in row.elasticity)
    for row in record.rows:
        _cost(row, record, kb, usage)
    usage.sources.update(r.target.text for r in record.references if r.target.text != record.id)
    for passage in passages:
        usage.sources.update(citation.id for citation in passage.reading.citations if citation.id != record.id)
    for name in record.figures:
        computation = kb.figures.get((record.id, name))
        if isinstance(computation, Computation):
            bound = (*computation.bindings, *computation.over)
            used = (kb.scope.symbol(n, computation.formula.record) for n in expression_names(bound))
            usage.symbols.update((atom.record, atom.name) for atom in used if atom is not None)


def _cost(row: HardwareRow, record: Record, kb: KnowledgeBase, usage: Usage) -> None:
    """The inputs at which the elasticity of a cost is stated."""
    if row.cost is None:
        return
    ref = formula_ref(row.cost.text, record, kb.scope, row.cost.location)
    leaves = kb.leaves(ref) if isinstance(ref, FormulaRef) else ()
    names = {name for leaf in leaves for name in read_by(leaf, kb)}
    for name, _ in row.elasticity:
        point = record.points.get(name.text)
        for binding in point.bindings if point is not None else ():
            if binding.name in names:
                usage.bindings.add(binding.key.location)


def read_by(leaf: object, kb: KnowledgeBase) -> tuple[str, ...]:
    """The inputs that give a leaf its value: the symbol itself, or the roles that lead to a recorded value."""
    source = kb.sources.get(leaf) if isinstance(leaf, SymbolAtom) else leaf
    roles = roles_through(source) if isinstance(source, ValueAtom) else ()
    return (*roles, leaf.name) if isinstance(leaf, SymbolAtom) else roles


def mentioned(record: Record) -> Iterator[str]:
    """Names in the domains, claims and corrections of a record."""
    for symbol in record.symbols.values():
        if symbol.domain is not None and symbol.domain.multiple_of is not None:
            yield symbol.domain.multiple_of.text
        yield from expressions((symbol.otherwise,) if symbol.otherwise is not None else ())
    yield from narrowing_names(record.domains)
    for claim in record.claims.values():
        yield from narrowing_names(claim.domains)
        texts = [text for pair in (*claim.terms, *claim.options) for text in pair if text is not None]
        yield from expressions((*texts, *claim.where))
        yield from expression_names((*claim.given, *claim.over))
    for correction in record.corrections:
        statements = (correction.stated, correction.holds_when, correction.now)
        yield from expressions(text for text in statements if text is not None)
        for bindings in (correction.given, *(bindings for _, bindings in correction.counterexamples)):
            yield from expression_names(bindings)


def narrowing_names(domains: Mapping[str, Narrowing]) -> Iterator[str]:
    """The symbols that ``domains`` name."""
    for name, narrowing in domains.items():
        yield name
        yield from (of.text for of in (narrowing.domain.parent,) if of is not None)


def expression_names(bindings: Iterable[Binding]) -> Iterator[str]:
    """Names bound, and names in the expressions that they are bound to."""
    for binding in bindings:
        if binding.name not in ROLES:
            yield from expressions(value for value in binding.values if isinstance(value.value, str))


def expressions(texts: Iterable[Scalar]) -> Iterator[str]:
    """The bare names in expressions and conditions; a text that does not parse has none (and is reported elsewhere)."""
    for text in texts:
        for name in _names(text.text):
            if len(name.parts) == 1:
                yield name.parts[0]


def _names(text: str) -> tuple[Name, ...]:
    try:
        return names(parse_formula(text))
    except FormulaError:
        pass
    try:
        return names(parse_case(text))
    except FormulaError:
        return ()


def _value(value: Value, evaluator: Evaluator, usage: Usage) -> None:
    usage.facts.update((atom.record, atom.path) for atom in value.facts())
    asked = (taken.atom for case in value.cases for taken in case.asked())
    usage.facts.update((atom.record, atom.path) for atom in asked)
    computation = value.computation
    for binding in (*computation.bindings, *computation.over):
        is_role = evaluator.kb.scope.is_role(binding.name)
        used = fills(binding, value) if is_role else moves(binding, value, evaluator)
        if used:
            usage.bindings.add(binding.key.location)


def moves(binding: Binding, value: Value, evaluator: Evaluator) -> bool:
    """Whether the value depends on what a symbol is bound to."""
    atom = evaluator.kb.scope.symbol(binding.name, value.computation.formula.record)
    if atom is None:
        return False
    if value.depends_on(atom) or value.depends_on(OverAtom(atom)):
        return True
    if any(atom == other.plain for case in value.cases for each in case.examined for other in each.read.targets):
        return True
    sides = [side.env for case in value.cases for side in case.sides]
    if any(atom == other.plain for env in sides for other in env.deciders):
        return True
    is_number, ref = all(is_amount(text) for text in binding.values), value.computation.formula
    return not is_number and any(moves_with(evaluator.forms.formula(ref, env), atom) for env in sides)


def fills(binding: Binding, value: Value) -> bool:
    """Whether a recorded value is found through a role (it may cancel: that the role was meant is plain to see)."""
    return binding.name in roles_read(value)


def roles_read(value: Value) -> frozenset[str]:
    """The roles through which recorded values are found for a value, whether or not they cancel."""
    sources = [each.via for case in value.cases for each in (*case.taken(), *case.asked())]
    sources += _deciding(value)
    sources += [source for case in value.cases for side in case.sides for source in _sources_asked(side)]
    return frozenset(role for source in sources for role in roles_through(source) if role in ROLES) - idle_roles(value)


def idle_roles(value: Value) -> frozenset[str]:
    """The number formats that only decide a case and are in no value: of experts, where a model has none."""
    decided = frozenset(role for source in _deciding(value) for role in roles_through(source))
    formats = {role for role in decided if ROLES.get(role) is Kind.DTYPE}
    through = [(each.atom, roles_through(each.via)) for case in value.cases for each in case.taken()]
    inside = {atom for case in value.cases for atom in case.form.atoms()}
    return frozenset(formats - {role for atom, roles in through if atom in inside for role in roles})


def _deciding(value: Value) -> list[ValueAtom]:
    envs = [side.env for case in value.cases for side in case.sides]
    return [source for env in envs for source in env.deciding_sources()]


def _sources_asked(side: Computed) -> Iterator[ValueAtom]:
    """The recorded values that what is required and assumed on the way names, those too that no record has."""
    kb = side.env.kb
    for ref in side.formulas:
        linked = kb.formulas[ref.plain]
        targets = (target for asked in (*linked.requires, *linked.assumes) for target in asked.body.targets.values())
        found = (kb.sources.get(target) for target in targets if isinstance(target, SymbolAtom))
        yield from (source for source in found if isinstance(source, ValueAtom))


def _quote(quote: Quote, usage: Usage) -> None:
    target = quote.target
    if isinstance(target, FigureTarget):
        usage.figures.add((target.record, target.name))
    elif isinstance(target, FactTarget):
        if target.source is None or target.source == PRINTED:
            usage.facts.add((target.record, target.path))
        else:
            usage.disputed.add((target.record, target.path, target.source))
    elif isinstance(target, InputTarget):
        usage.bindings.add(target.binding.key.location)
        usage.points.add((target.record, target.owner))
        usage.figures.add((target.record, target.owner))
    usage.points.update(quote.points)


def _derived(kb: KnowledgeBase, usage: Usage) -> None:
    """What a derived value is computed from is used where the derived value is (twice over for a chain of two)."""
    queue = list(usage.facts)
    while queue:
        holder, path = queue.pop()
        record = kb.records.get(holder)
        fact = record.facts.get(path) if record is not None else None
        for sibling in inputs_of(fact, record.facts) if record is not None and fact is not None else ():
            if (holder, sibling) not in usage.facts:
                usage.facts.add((holder, sibling))
                queue.append((holder, sibling))


def use_mentioned(usage: Usage, kb: KnowledgeBase, suspect: Collection[str]) -> None:
    """Count as used what is named by anything faulty (``suspect``: the words of that), or by a file that is no record."""
    words: set[str] | None = None
    if None not in kb.unread:
        meant = (getattr(fault, "meant", None) for fault in kb.faults)
        words = {*suspect, *(word for text in (*kb.unread, *meant) if text for word in _WORD.findall(text))}
    for record in kb.records.values() if words is None or words else ():
        _use_named(record, words, usage)


def suspect_texts(held: Holding, kb: KnowledgeBase) -> Iterator[str]:
    """The text of everything in a record or document that is faulty, and the names that were probably meant."""
    record = kb.records.get(held.id)
    if record is not None:
        yield record.id if PurePath(record.path).stem != record.id else ""
        yield from (text for path in record.dropped for text in texts_at(record.document.root, path))
        for figure in record.figures.values():
            if isinstance(held.figures[figure.name], Fault):
                yield from figure_texts(figure, record)
                yield from formula_holders(kb, kb.figures[(record.id, figure.name)])
        if any(isinstance(fault, BadTable) for passage in held.passages for fault in passage.faults):
            yield from (table.body.text for passage in held.passages for table in passage.reading.tables)
    for linked in (kb.formulas[ref] for ref in kb.formulas_in([held.id])):
        if linked.body is None:
            yield linked.formula.text
    for result in held.results:
        if isinstance(result.fault, Fault):
            yield result.quote.link.target
            yield getattr(result.fault, "meant", None) or ""
            yield from formula_holders(kb, result.quote.target)


def texts_at(node: Node, path: str) -> Iterator[str]:
    """Every text in the part of a document that was left out."""
    key, _, rest = path.partition(".")
    if not path:
        yield from (scalar.text for scalar in scalars(node))
    elif isinstance(node, Sequence):
        if key.isdigit() and int(key) < len(node.items):
            yield from texts_at(node.items[int(key)], rest)
    elif not isinstance(node, Scalar):
        below = node.get(key)
        yield key
        yield from texts_at(node, "") if below is None else texts_at(below, rest)


def figure_texts(figure: Figure, record: Record) -> Iterator[str]:
    """The name of a figure and all that it names."""
    yield figure.name
    point = record.points.get(figure.at.text) if figure.at is not None else None
    yield from binding_texts((*figure.with_, *figure.over, *(point.bindings if point is not None else ())))
    if point is not None:
        yield point.name


def binding_texts(bindings: Iterable[Binding]) -> Iterator[str]:
    """The names and values of inputs."""
    for binding in bindings:
        yield binding.name
        yield from (value.text for value in binding.values)


def formula_holders(kb: KnowledgeBase, target: object) -> Iterator[str]:
    """The records that the formula of a computation names by their ids."""
    if isinstance(target, Computation) and target.formula in kb.formulas:
        yield from (leaf.holder for leaf in kb.leaves(target.formula) if isinstance(leaf, ValueAtom))


def _use_named(record: Record, words: set[str] | None, usage: Usage) -> None:
    def named(name: str) -> bool:
        return words is None or name in words

    if named(record.id):
        usage.sources.add(record.id)
        usage.facts.update((record.id, path) for path in record.facts)
        for path, fact in record.facts.items():
            usage.disputed.update((record.id, path, r.target.text) for other in fact.disputed for r in other.sources)
    usage.symbols.update((record.id, name) for name in record.symbols if named(name))
    for point in filter(lambda point: named(point.name), record.points.values()):
        usage.points.add((record.id, point.name))
        usage.bindings.update(binding.key.location for binding in point.bindings)
    for figure in filter(lambda figure: named(figure.name), record.figures.values()):
        usage.figures.add((record.id, figure.name))
        usage.bindings.update(binding.key.location for binding in (*figure.with_, *figure.over))
