"""Claims of the base in a document: what they state, and how they were checked."""

from __future__ import annotations

from flopkb.arithmetic.formula import FormulaError, Name, names, parse
from flopkb.base.document import Scalar
from flopkb.base.faults import Fault, did_you_mean
from flopkb.base.link.names import resolve
from flopkb.base.model import Claim, Record
from flopkb.checking.api import Base
from flopkb.publishing.render import mathematics
from flopkb.publishing.render.asking import HERE
from flopkb.publishing.render.faults import Bad
from flopkb.publishing.render.notation import Notation
from flopkb.publishing.render.objects import MathThing

_RELATIONS = {"at_most": "<=", "at_least": ">=", "equals": "=="}


def find(base: Base, target: object) -> tuple[Claim, Record]:
    """The claim ``record.name``."""
    if not isinstance(target, str) or len(target) > 300:
        raise Bad("name a claim as record.name", 0)
    record_id, _, name = target.rpartition(".")
    record = base.records.get(record_id)
    if record is None:
        raise Bad(f"there is no record {record_id or target}{did_you_mean(record_id, base.records)}", 0)
    if name not in record.claims:
        raise Bad(f"{record_id} has no claim {name}{did_you_mean(name, record.claims)}", 0, len(record_id) + 1)
    return record.claims[name], record


def verdict(base: Base, claim: Claim, record: Record) -> str:
    """How the claim stands: ``proved`` or ``tested``; raises :class:`Bad` for one that does not hold."""
    from flopkb.base.claims.checker import Checker
    from flopkb.base.verdicts import Proved, Tested

    found = Checker(base.evaluation.kb, base.evaluation.evaluator.forms).claim(claim, record)
    if isinstance(found, Proved):
        return "proved"
    if isinstance(found, Tested):
        return "tested"
    raise Bad(f"the claim {record.id}.{claim.name} does not hold: {found}"[:280], rule="claim")


def checked(base: Base, targets: object) -> str:
    """A sentence on the claims that a proposition rests on; empty where it names none."""
    wanted = [targets] if isinstance(targets, str) else targets
    if not isinstance(wanted, (list, tuple)) or len(wanted) > 20:
        raise Bad("claims is a list of claims, as record.name")
    told = []
    for target in wanted:
        claim, record = find(base, target)
        told.append(f"{record.id}.{claim.name} ({verdict(base, claim, record)})")
    return ", ".join(told)


def claim(base: Base, notation: Notation, target: object) -> MathThing:
    """What a claim states, for the relations that are one comparison."""
    found, record = find(base, target)
    op = _RELATIONS.get(found.relation.text)
    if op is None:
        raise Bad(f"a claim that is {found.relation.text} has no short form: say it in words", 0)
    verdict(base, found, record)
    terms = [term for term, _ in found.terms]
    left = [found.formula] if found.formula is not None and len(terms) == 1 else []
    sides = [side(text, record, base, notation) for text in (*left, *terms) if text is not None]
    return MathThing(f" {mathematics.relation(op)} ".join(sides))


def side(text: Scalar, record: Record, base: Base, notation: Notation) -> str:
    """One side of a comparison as TeX."""
    try:
        expr = parse(text.text)
    except FormulaError as error:
        raise Bad(str(error)) from None
    targets = {name: resolve(name, record, base.evaluation.kb.scope, HERE) for name in names(expr)}

    def written(name: Name) -> str:
        target = targets[name]
        return notation.name(name, None if isinstance(target, Fault) else target)

    return mathematics.tex(expr, written, inline=True)
