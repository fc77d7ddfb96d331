"""Whether a claim on the one record that it names holds for every other of its kind: then it says nothing of that one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from flopkb.base.claims.checker import Checker
from flopkb.base.claims.verdicts import Proved, Refuted, Tested
from flopkb.base.document import Scalar
from flopkb.base.model import ROLES, Binding, Claim, Record, Status


def general_note(checker: Checker, claim: Claim, record: Record) -> str:
    """The sentence on the roles for which the claim holds whoever fills them; empty where there are none.

    Where something is said to exist, saying where is something to say.
    """
    single = [b for b in (*claim.given, *claim.over) if b.name in ROLES and len(b.values) == 1]
    asked = single if claim.relation.text != "exists" else []
    return "; ".join(
        f"it holds for every other {b.name} of the base that it can be asked of, so it says nothing of {b.values[0].text}"
        for b in asked
        if holds_for_all(checker, claim, record, b)
    )


def holds_for_all(checker: Checker, claim: Claim, record: Record, role: Binding) -> bool:
    """Whether the claim holds with each other record in a role that it can be asked of, and there is one."""
    asked = False
    for other in others(checker, role):
        given, over = (tuple(other if b is role else b for b in part) for part in (claim.given, claim.over))
        verdict = checker.claim(replace(claim, given=given, over=over), record)
        if isinstance(verdict, Refuted):
            return False
        asked = asked or isinstance(verdict, Proved | Tested)
    return asked


def others(checker: Checker, role: Binding) -> Iterator[Binding]:
    """The binding with each record of the kind that it does not name."""
    named = {value.text for value in role.values}
    for other in checker.kb.records.values():
        if other.kind is ROLES[role.name] and other.id not in named and other.status is not Status.DEPRECATED:
            at = role.values[0].location
            yield replace(role, values=(Scalar(at, other.id, other.id),), is_list=False)
