"""Slips in what a formula is for, and in the layers of a model: the wrong case, a bound moved, a type, a count."""

from __future__ import annotations

import re
from collections.abc import Iterator

from flopkb.arithmetic.formula import (
    Among,
    Compare,
    Condition,
    Expr,
    Flag,
    FormulaError,
    Joined,
    Name,
    Number,
    Opposite,
    parse_case,
    walk,
)
from flopkb.base.document import Mapping, Scalar
from flopkb.base.evaluate import Evaluation
from flopkb.base.layers import PARTS
from flopkb.base.model import Record, Requirement
from flopkb.base.schema.layering import layer_types
from flopkb.base.schema.sections import mappings, scalar
from flopkb.checking.mutate.mutants import Mutant, MutantGroup, made

TURNED = {"<": ">", ">": "<", "<=": ">=", ">=": "<=", "==": "!=", "!=": "=="}
SIDES = ("2*({})", "({})/2")
"""What becomes of the right side of a comparison that is no number: twice as much is let through, or half."""
JOINTS = {"and": "or", "or": "and"}


def case_mutants(record: Record, base: Evaluation) -> Iterator[Mutant]:
    """Of every condition of a case, a requirement and an assumption: words, signs, bounds, joints exchanged."""
    for formula in record.formulas.values():
        for case in formula.cases:
            if case.when is not None:
                yield from condition_mutants(case.when, "case", record, base)
        for asked in (*formula.requires, *formula.assumes):
            yield from requirement_mutants(asked, record, base)
    for asked in (*record.requires, *record.assumes):
        yield from requirement_mutants(asked, record, base)


def requirement_mutants(asked: Requirement, record: Record, base: Evaluation) -> Iterator[Mutant]:
    """Those of what must hold, and of when it must."""
    yield from condition_mutants(asked.that, "requirement", record, base)
    if asked.when is not None:
        yield from condition_mutants(asked.when, "case", record, base)


def condition_mutants(text: Scalar, what: str, record: Record, base: Evaluation) -> Iterator[Mutant]:
    """The mutants of one condition; none of one that is faulty as it stands."""
    try:
        condition = parse_case(text.text)
    except FormulaError:
        return
    for node in walk(condition):
        for offset, length, after, slip in part_mutants(node, text.text, base):
            yield made(MutantGroup.LAYERS, record, text, offset, length, after, f"{slip} of a {what}")


Slip = tuple[int, int, str, str]
"""Where it stands, how long it is, what comes in its place, and what kind of slip that is."""


def part_mutants(node: Expr | Condition, text: str, base: Evaluation) -> Iterator[Slip]:
    """The slips of one node of a condition."""
    match node:
        case Compare():
            yield from compare_mutants(node, text)
        case Among():
            yield from among_mutants(node, text, base)
        case Flag():
            yield node.offset, node.length, f"not {text[node.offset : node.end]}", "sense"
        case Opposite():
            yield node.offset, node.part.offset - node.offset, "", "sense"
        case Joined():
            for left, right in zip(node.parts, node.parts[1:], strict=False):
                at = text.index(node.op, left.end, right.offset)
                yield at, len(node.op), JOINTS[node.op], "joint"


def compare_mutants(node: Compare, text: str) -> Iterator[Slip]:
    """The sign turned; the word on the right exchanged, or the bound moved both ways."""
    at = text.index(node.op, node.left.end)
    yield at, len(node.op), TURNED[node.op], "comparison"
    right, written = node.right, text[node.right.offset : node.right.end]
    if isinstance(right, Name) and others(written):
        yield from ((right.offset, right.length, other, "type") for other in others(written))
    elif isinstance(right, Number):
        yield right.offset, right.length, str(right.value + 1), "bound"
    elif node.op not in ("==", "!="):
        yield from ((right.offset, right.length, side.format(written), "bound") for side in SIDES)


def among_mutants(node: Among, text: str, base: Evaluation) -> Iterator[Slip]:
    """A group exchanged for every other; each word of a list exchanged for the next type that is not in it."""
    start = node.symbol.end
    for word in (node.group,) if node.group else node.words:
        found = re.compile(rf"\b{re.escape(word)}\b").search(text, start, node.end)
        if found is None:
            continue
        for other in groups_beside(word, base) if node.group else others(word, node.words):
            yield found.start(), len(word), other, "group" if node.group else "type"


def groups_beside(group: str, base: Evaluation) -> tuple[str, ...]:
    """The other groups of types, but for those that say the same."""
    known = {
        each.name: frozenset(m.text for m in each.members)
        for r in base.kb.records.values()
        for each in r.groups.values()
    }
    return tuple(name for name, members in known.items() if members != known.get(group))


def others(word: str, taken: tuple[str, ...] = ()) -> tuple[str, ...]:
    """The types that come before and behind one in the list of its role, and are not ``taken``; none of what is no type."""
    for role in PARTS:
        types = [name for name in layer_types(role) if name == word or name not in taken]
        if word in types and len(types) > 1:
            at = types.index(word)
            return tuple(dict.fromkeys((types[at - 1], types[(at + 1) % len(types)])))
    return ()


def layer_mutants(record: Record) -> Iterator[Mutant]:
    """Every type of a part of a model exchanged for each other one; each count and each repetition one more and one less."""
    if record.layers is None:
        return
    for role in PARTS:
        for part in record.layers.parts(role).values():
            for other in layer_types(role):
                if other != part.type.text:
                    yield slip(record, part.type, other, "type of a layer")
    for item in mappings(record.document.root.get("layers")):
        for place in (item, *mappings(item.get("layers"))):
            yield from number_mutants(place, record)


def number_mutants(place: Mapping, record: Record) -> Iterator[Mutant]:
    """A count and a repetition, one more and one less."""
    for key in ("count", "repeat"):
        written = scalar(place, key)
        if written is not None and isinstance(written.value, int):
            yield from (slip(record, written, str(written.value + step), f"{key} of layers") for step in (1, -1))


def slip(record: Record, scalar: Scalar, after: str, what: str) -> Mutant:
    """A mutant that replaces a whole scalar."""
    return Mutant(MutantGroup.LAYERS, record.id, scalar.at(0), scalar.text, after, what)
