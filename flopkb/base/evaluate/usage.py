"""What of the base is used: by figures and quotes, decided by what their values move with."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from flopkb.arithmetic.diagnostics import Location
from flopkb.arithmetic.formula import FormulaError, Name, names, parse, parse_conditions
from flopkb.arithmetic.units import UnitError, parse_amount
from flopkb.base.document import Scalar
from flopkb.base.evaluate.derived import inputs_of
from flopkb.base.evaluate.environment import Taken
from flopkb.base.evaluate.forms import OverAtom
from flopkb.base.evaluate.values import Evaluator, Value
from flopkb.base.link import (
    Computation,
    FactTarget,
    FigureTarget,
    FormulaRef,
    InputTarget,
    KnowledgeBase,
    Quote,
    SymbolAtom,
    ValueAtom,
)
from flopkb.base.link.computations import formula_ref
from flopkb.base.model import ROLES, Binding, Claim, Correction, HardwareRow, Record


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


def find_usage(kb: KnowledgeBase, evaluator: Evaluator, values: Iterable[Value], quotes: Iterable[Quote]) -> Usage:
    """The usage of a whole base."""
    usage = Usage()
    for linked in kb.formulas.values():
        if linked.body is not None:
            usage.symbols.update((t.record, t.name) for t in linked.body.targets.values() if isinstance(t, SymbolAtom))
    for record in kb.records.values():
        _record(record, kb, usage)
    for value in values:
        _value(value, evaluator, usage)
    for quote in quotes:
        _quote(quote, usage)
    _derived(kb, usage)
    return usage


def _record(record: Record, kb: KnowledgeBase, usage: Usage) -> None:
    usage.symbols.update((record.id, name) for name in mentioned(record) if name in record.symbols)
    usage.points.update((record.id, f.at.text) for f in record.figures.values() if f.at is not None)
    usage.points.update((record.id, point.text) for row in record.rows for point, _ in row.elasticity)
    for row in record.rows:
        _cost(row, record, kb, usage)
    usage.sources.update(r.target.text for r in record.references if r.target.text != record.id)
    for passage in kb.passages.get(record.id, ()):
        usage.sources.update(citation.id for citation in passage.reading.citations if citation.id != record.id)
    for name, computation in ((n, kb.figures.get((record.id, n))) for n in record.figures):
        del name
        if isinstance(computation, Computation):
            bound = (*computation.bindings, *computation.over)
            usage.symbols.update((computation.formula.record, n) for n in expression_names(bound))


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
    roles = (source.holder, source.index) if isinstance(source, ValueAtom) else ()
    return (*roles, leaf.name) if isinstance(leaf, SymbolAtom) else roles


def mentioned(record: Record) -> Iterator[str]:
    """Names in the domains, claims and corrections of a record."""
    for symbol in record.symbols.values():
        if symbol.domain is not None and symbol.domain.multiple_of is not None:
            yield symbol.domain.multiple_of.text
    for claim in record.claims.values():
        yield from claim_names(claim)
    for correction in record.corrections:
        yield from correction_names(correction)


def claim_names(claim: Claim) -> Iterator[str]:
    """Names in a claim's terms, conditions and bindings."""
    texts = [text for pair in claim.terms for text in pair if text is not None]
    texts += [text for pair in claim.options for text in pair]
    yield from expressions((*texts, *claim.where))
    yield from expression_names((*claim.given, *claim.over))


def correction_names(correction: Correction) -> Iterator[str]:
    """Names in a correction's statements and bindings."""
    statements = (correction.stated, correction.holds_when, correction.now)
    yield from expressions(text for text in statements if text is not None)
    yield from expression_names(correction.given)
    for _, bindings in correction.counterexamples:
        yield from expression_names(bindings)


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
        return names(parse(text))
    except FormulaError:
        pass
    try:
        return tuple(name for part in parse_conditions(text) for name in names(part))
    except FormulaError:
        return ()


def _value(value: Value, evaluator: Evaluator, usage: Usage) -> None:
    usage.facts.update((atom.record, atom.path) for atom in value.facts())
    computation = value.computation
    for binding in (*computation.bindings, *computation.over):
        used = fills(binding, value, evaluator) if binding.name in ROLES else moves(binding, value, evaluator)
        if used:
            usage.bindings.add(binding.key.location)


def moves(binding: Binding, value: Value, evaluator: Evaluator) -> bool:
    """Whether the value depends on what a symbol is bound to."""
    atom = SymbolAtom(value.computation.formula.record, binding.name)
    if value.depends_on(atom) or value.depends_on(OverAtom(atom)):
        return True
    is_number = all(is_amount(text) for text in binding.values)
    return not is_number and evaluator.forms.formula(value.computation.formula).depends_on(atom)


def is_amount(text: Scalar) -> bool:
    """Whether an input is a number (with or without a unit), not an expression."""
    try:
        return not isinstance(text.value, str) or parse_amount(text.text) is not None
    except UnitError:
        return False


def fills(binding: Binding, value: Value, evaluator: Evaluator) -> bool:
    """Whether a recorded value is found through a role (it may cancel: that the role was meant is plain to see)."""
    for side in (side for case in value.cases for side in case.sides):
        for atom in (atom for atom in side.targets if isinstance(side.env.standing(atom), Taken)):
            source = evaluator.kb.sources.get(atom) if isinstance(atom, SymbolAtom) else atom
            if isinstance(source, ValueAtom) and binding.name in (source.holder, source.index):
                return True
    return False


def _quote(quote: Quote, usage: Usage) -> None:
    target = quote.target
    if isinstance(target, FigureTarget):
        usage.figures.add((target.record, target.name))
    elif isinstance(target, FactTarget):
        _fact(target, usage)
    elif isinstance(target, InputTarget):
        usage.bindings.add(target.binding.key.location)
        usage.points.add((target.record, target.owner))
        usage.figures.add((target.record, target.owner))
    usage.points.update(quote.points)


def _fact(target: FactTarget, usage: Usage) -> None:
    if target.source is None:
        usage.facts.add((target.record, target.path))
    else:
        usage.disputed.add((target.record, target.path, target.source))


def _derived(kb: KnowledgeBase, usage: Usage) -> None:
    """What a derived value is computed from is used where the derived value is (twice over for a chain of two)."""
    queue = list(usage.facts)
    while queue:
        holder, path = queue.pop()
        record = kb.records.get(holder)
        fact = record.facts.get(path) if record is not None else None
        for sibling in inputs_of(fact) if fact is not None else ():
            if (holder, sibling) not in usage.facts:
                usage.facts.add((holder, sibling))
                queue.append((holder, sibling))
