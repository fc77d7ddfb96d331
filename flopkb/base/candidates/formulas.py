"""Formulas at the points of a record, with the roles that its text names: values that no figure states yet."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product

from flopkb.arithmetic.diagnostics import Location
from flopkb.arithmetic.prose import Target, parse_target
from flopkb.base.candidates.values import Candidate, Kind, roles_of, words_of
from flopkb.base.document import Scalar
from flopkb.base.evaluate import Evaluation, Value
from flopkb.base.faults import Fault, MissingInput
from flopkb.base.link import Computation, FormulaRef, Linker
from flopkb.base.model import ROLES, Binding, Record

_MOST_CHOICES = 48
_ROUNDS = 3
_NOWHERE = Location("", 1, 1)


def formula_values(record: Record, named: Iterable[str], base: Evaluation) -> Iterator[Candidate]:
    """The formulas of a record, and those of others that it uses, at its points and for the records in ``named``."""
    fillers = role_fillers(record, named, base)
    for ref in formulas_near(record, base):
        head = f"fig:{ref.name}" if ref.record == record.id else f"fig:{ref}"
        seen: set[tuple[object, ...]] = set()
        for point in ("", *record.points):
            for target, value in filled(head, point, fillers, record, base):
                if value.values not in seen:
                    seen.add(value.values)
                    yield Candidate(target, Kind.FORMULA, value.values, value.unit, roles_of(value), words_of(ref.name))


def formulas_near(record: Record, base: Evaluation) -> list[FormulaRef]:
    """The formulas of the record, those that they name, and those of its figures."""
    found: dict[FormulaRef, None] = {FormulaRef(record.id, name): None for name in record.formulas}
    for ref in tuple(found):
        body = base.kb.formulas[ref].body
        targets = body.targets.values() if body is not None else ()
        found.update((target, None) for target in targets if isinstance(target, FormulaRef))
    for name in record.figures:
        computation = base.kb.figures.get((record.id, name))
        if isinstance(computation, Computation):
            found[computation.formula] = None
    return list(found)


def role_fillers(record: Record, named: Iterable[str], base: Evaluation) -> dict[str, tuple[str, ...]]:
    """For each role the records that may fill it: those that the text names, and those of the points and figures."""
    groups: list[tuple[Binding, ...]] = [point.bindings for point in record.points.values()]
    groups += [(*figure.with_, *figure.over) for figure in record.figures.values()]
    found: dict[str, dict[str, None]] = {role: {} for role in ROLES}
    for role, kind in ROLES.items():
        own = [id for id in named if id in base.kb.records and base.kb.records[id].kind is kind]
        own += [text.text for group in groups for b in group if b.name == role for text in b.values]
        found[role].update((id, None) for id in own)
    return {role: tuple(ids)[:12] for role, ids in found.items()}


def filled(
    head: str, point: str, fillers: dict[str, tuple[str, ...]], record: Record, base: Evaluation
) -> Iterator[tuple[str, Value]]:
    """The formula at a point, with every choice of what fills the roles that it still needs."""
    choices: list[tuple[tuple[str, str], ...]] = [()]
    for _ in range(_ROUNDS):
        missing: dict[tuple[str, ...], list[tuple[tuple[str, str], ...]]] = {}
        for choice in choices[:_MOST_CHOICES]:
            text = target_text(head, point, choice)
            found = value_of(text, record, base)
            if isinstance(found, Value):
                yield text, found
            elif isinstance(found, MissingInput) and all(name in ROLES for name in found.names):
                missing.setdefault(found.names, []).append(choice)
        choices = [
            (*choice, *zip(names, ids, strict=True))
            for names, open_ in missing.items()
            for choice in open_
            for ids in product(*(fillers[name] for name in names))
        ]
        if not choices:
            return


def target_text(head: str, point: str, choice: tuple[tuple[str, str], ...]) -> str:
    """The link target with its point and inputs."""
    query = "&".join(part for part in (point, *(f"{name}={id}" for name, id in choice)) if part)
    return f"{head}?{query}" if query else head


def value_of(text: str, record: Record, base: Evaluation) -> Value | Fault | None:
    """What a link target in the prose of the record is worth."""
    target = parse_target(text)
    if not isinstance(target, Target):
        return None
    linker = Linker(record.id, record, base.kb.scope)
    found = linker.resolve(target, Scalar(_NOWHERE, text, text), text, _NOWHERE)
    return base.evaluator.value(found) if isinstance(found, Computation) else None
