"""What may be used by something that could not be read, linked or computed: nobody can say that it is unused.

A misspelt name leaves the real one without a user, and a file that could not be read may use anything that its text
mentions. Both are reported where they stand; what they would have used is not reported a second time.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import PurePath

from flopkb.base.document import Node, Scalar, Sequence
from flopkb.base.evaluate.evaluation import QuoteResult
from flopkb.base.evaluate.usage import Usage
from flopkb.base.evaluate.values import Value
from flopkb.base.faults import BadTable, Fault
from flopkb.base.link import Computation, KnowledgeBase, ValueAtom
from flopkb.base.model import Binding, Figure, Record

_WORD = re.compile(r"\w+")


def give_benefit(
    usage: Usage,
    kb: KnowledgeBase,
    figures: Mapping[tuple[str, str], Value | Fault],
    results: Iterable[QuoteResult],
) -> None:
    """Count as used what is named by anything faulty."""
    if None in kb.unread:
        words: set[str] | None = None
    else:
        texts = (text for text in (*kb.unread, *suspect_texts(kb, figures, results)) if text)
        words = {word for text in texts for word in _WORD.findall(text)}
    for record in kb.records.values():
        if words is None or words:
            _mark(record, words, usage)


def suspect_texts(
    kb: KnowledgeBase, figures: Mapping[tuple[str, str], Value | Fault], results: Iterable[QuoteResult]
) -> Iterator[str]:
    """The text of everything that is faulty, and the names that were probably meant."""
    for record in kb.records.values():
        yield record.id if PurePath(record.path).stem != record.id else ""
        yield from (text for path in record.dropped for text in texts_at(record.document.root, path))
        for figure in record.figures.values():
            if isinstance(figures[(record.id, figure.name)], Fault):
                yield from figure_texts(figure, record)
                yield from formula_holders(kb, kb.figures[(record.id, figure.name)])
    for linked in kb.formulas.values():
        if linked.body is None:
            yield linked.formula.expr.text
    for fault in kb.faults:
        yield getattr(fault, "meant", None) or ""
    for passage in (
        p for found in kb.passages.values() for p in found if any(isinstance(f, BadTable) for f in p.faults)
    ):
        yield from (table.body.text for table in passage.reading.tables)
    for result in results:
        if isinstance(result.fault, Fault):
            yield result.quote.link.target
            yield getattr(result.fault, "meant", None) or ""
            yield from formula_holders(kb, result.quote.target)


def texts_at(node: Node, path: str) -> Iterator[str]:
    """Every text in the part of a document that was left out."""
    key, _, rest = path.partition(".")
    if not path:
        yield from all_texts(node)
    elif isinstance(node, Sequence):
        if key.isdigit() and int(key) < len(node.items):
            yield from texts_at(node.items[int(key)], rest)
    elif not isinstance(node, Scalar):
        below = node.get(key)
        yield key
        yield from all_texts(node) if below is None else texts_at(below, rest)


def all_texts(node: Node) -> Iterator[str]:
    """Every key and scalar below a node."""
    if isinstance(node, Scalar):
        yield node.text
    elif isinstance(node, Sequence):
        for item in node.items:
            yield from all_texts(item)
    else:
        for key, value in node.entries:
            yield key.text
            yield from all_texts(value)


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


def _mark(record: Record, words: set[str] | None, usage: Usage) -> None:
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
