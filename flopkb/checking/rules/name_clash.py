"""One name stands for two things.

In expressions a name is a symbol or a formula of the record, so the two may not share one; nor may a formula and a
figure, which links name alike, or a point and a figure, which ``in:`` names alike. Roles (``model``, ``dtype``, ...)
and functions (``min``, ``ceil``, ...) are taken, and no record may have the id of a role. What a vocabulary declares
every record uses as it is: no other may declare it again.
"""

from __future__ import annotations

from collections.abc import Iterator

from flopkb.arithmetic.diagnostics import shortened
from flopkb.arithmetic.formula import FUNCTIONS
from flopkb.base.document import Scalar
from flopkb.base.evaluate import Evaluation
from flopkb.base.model import ROLES, Record
from flopkb.checking.findings import Finding, RecordRule, at


def check(record: Record, base: Evaluation) -> Iterator[Finding]:
    """Every name of the record that has another meaning already."""
    if record.id in ROLES:
        yield at(record.id_at, f"{record.id} is a role in formulas, so no record can be named by it; choose another id")
    symbols = {name: symbol.key for name, symbol in record.symbols.items()}
    formulas = {name: formula.key for name, formula in record.formulas.items()}
    figures = {name: figure.key for name, figure in record.figures.items()}
    points = {name: point.key for name, point in record.points.items()}
    groups = {name: group.key for name, group in record.groups.items()}
    yield from _taken(symbols | formulas | groups)
    yield from _of_vocabulary(record, symbols | formulas | groups, base)
    yield from _shared("group", groups, "symbol", symbols)
    for other in (each for each in base.kb.records.values() if each.groups) if groups else ():
        if other.id < record.id:
            both = {name: key for name, key in groups.items() if name in other.groups}
            yield from (
                at(key, f"the group {name} is one of {other.id}; rename one of them") for name, key in both.items()
            )
    yield from _shared("formula", formulas, "symbol", symbols)
    yield from _shared("figure", figures, "formula", formulas)
    yield from _shared("figure", figures, "point", points)


def _taken(keys: dict[str, Scalar]) -> Iterator[Finding]:
    for name, key in keys.items():
        if name in ROLES or name in FUNCTIONS:
            what = "a role" if name in ROLES else "a function"
            yield at(key, f"{name} is {what} in formulas; choose another name")


def _of_vocabulary(record: Record, keys: dict[str, Scalar], base: Evaluation) -> Iterator[Finding]:
    scope = base.kb.scope
    for name, key in keys.items():
        declared = scope.vocabulary.get(name)
        if declared is not None and declared.record != record.id:
            symbol = scope.declared(declared)
            meaning = f" ({shortened(' '.join(symbol.meaning.text.split()), 80)})" if symbol is not None else ""
            yield at(
                key,
                f"{name} is a symbol of the vocabulary {declared.record}{meaning}; use it without declaring it, "
                "narrow it under domains:, or choose another name",
            )


def _shared(what: str, keys: dict[str, Scalar], other: str, others: dict[str, Scalar]) -> Iterator[Finding]:
    for name, key in keys.items():
        if name in others:
            line = others[name].location.line
            yield at(key, f"the {what} {name} has the name of a {other} (line {line}); rename one of them")


RULE = RecordRule(id="name-clash", doc=__doc__, run=check)
