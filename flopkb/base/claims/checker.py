"""Claims to verdicts: every case of every claim decided, and what came out told in the record's own terms."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import chain, islice
from zlib import crc32

from flopkb.arithmetic.formula import TooLargeError, ZeroDenominator, number_text
from flopkb.base.claims.decide import NEGATED, Effort, Fails, Holds, NoPoint, Outcome, Passed, ZeroDivisor, decide
from flopkb.base.claims.reading import Condition, Denominators, Term, Undecidable
from flopkb.base.claims.relations import (
    Read,
    check_open,
    crossing,
    domain_only,
    ends,
    equal_there,
    read,
    settled,
    statements,
    with_condition,
)
from flopkb.base.claims.setting import Case, Setting, settings
from flopkb.base.claims.space import DividedByZero
from flopkb.base.claims.statement import Primed, Statement
from flopkb.base.claims.telling import refuted, somewhere, together, told
from flopkb.base.claims.tending import tends
from flopkb.base.document import Scalar
from flopkb.base.evaluate.forms import Forms
from flopkb.base.link import KnowledgeBase
from flopkb.base.model import Binding, Claim, Record
from flopkb.base.verdicts import Invalid, Proved, Refuted, Tested, Verdict

SAMPLES = 16


@dataclass(slots=True)
class Checker:
    """Decides claims over one base; forms and divisors are made once for all of them."""

    kb: KnowledgeBase
    forms: Forms
    effort: Effort = field(default_factory=Effort)
    denominators: Denominators = field(init=False)

    def __post_init__(self) -> None:
        self.denominators = Denominators(self.kb, self.forms)

    def claim(self, claim: Claim, record: Record) -> Verdict:
        """How a claim of ``record`` ends."""
        return self.guarded(ClaimWork(self, claim, record).verdict, claim.relation)

    def guarded(self, work: Callable[[], Verdict], place: Scalar) -> Verdict:
        """The verdict, or why there is none."""
        try:
            return work()
        except Undecidable as error:
            return error.verdict
        except TooLargeError as error:
            return Invalid(str(error), place.location, len(place.text))

    def settings(
        self, record: Record, place: Scalar, bindings: Sequence[Binding], where: Sequence[Scalar]
    ) -> Iterator[Setting]:
        """A setting for each choice of the values given for symbols."""
        return settings(self.kb, self.forms, self.denominators, record, place.location, bindings, where)


@dataclass(slots=True)
class ClaimWork:
    """The work on one claim."""

    checker: Checker
    claim: Claim
    record: Record

    @property
    def seed(self) -> int:
        """A number that depends on nothing but the name of the claim."""
        return crc32(f"{self.record.id}.{self.claim.name}".encode())

    def verdict(self) -> Verdict:
        """The claim, decided in every case."""
        cases = list(self.cases())
        found = (self.in_case(each, case) for each, case in cases)
        if self.claim.relation.text == "exists":
            return somewhere(found)
        return together(chain(found, self.between_roles(cases)))

    def between_roles(self, cases: Sequence[tuple[Read, Case]]) -> Iterator[Verdict]:
        """That the formula is the same for every choice of a role of which it is said to be independent."""
        first: dict[tuple[str, ...], Case] = {}
        for each, case in cases:
            if not each.roles or each.formula is None:
                continue
            fixed = tuple(str(role) for role in (*case.roles, *each.setting.chosen) if role.name not in each.roles)
            other = first.setdefault(fixed, case)
            if other is not case:
                one, two = (at_roles(each.formula, each, c) for c in (other, case))
                shared = tuple(role for role in case.roles if role.name not in each.roles)
                outcome = self.decide(Statement("==", one, two, case.space))
                yield told(outcome, shared, case.space, self.claim.relation, self.claim.where)

    def cases(self) -> Iterator[tuple[Read, Case]]:
        """Every case of every setting."""
        bindings = (*self.claim.given, *self.claim.over)
        for setting in self.checker.settings(self.record, self.claim.relation, bindings, self.claim.where):
            each = read(self.claim, setting)
            for case in setting.cases(each.terms):
                yield each, case

    def in_case(self, each: Read, case: Case) -> Verdict:
        """The claim in one case."""
        relation = self.claim.relation.text
        if relation == "tends_to":
            moving = ends(self.claim, each.setting)
            for atom in moving:
                check_open(atom, case, each)
            return tends(each, case, moving, lambda outcome: self.tell(outcome, case), self.decide, self.seed)
        if relation == "crosses":
            return self.crosses(each, case)
        if relation == "exists":
            return self.exists(each, case)
        for atom, _ in each.symbols:
            check_open(atom, case, each)
        if settled(each, case):
            return self.tell(self.decide(domain_only(each, case)), case)
        return together(self.tell(self.decide(s), case) for s in statements(each, case))

    def decide(self, statement: Statement) -> Outcome:
        """How one of the claim's statements ends."""
        return decide(statement, self.checker.effort, self.seed)

    def tell(self, outcome: Outcome, case: Case) -> Verdict:
        """An outcome as a verdict on the claim."""
        return told(outcome, case.roles, case.space, self.claim.relation, self.claim.where)

    def exists(self, each: Read, case: Case) -> Verdict:
        """A point at which the condition holds: there the statement that it never does is refuted."""
        ((text, _),) = self.claim.terms
        comparisons = tuple(each.setting.reader.comparisons(text))
        space = case.space
        pairs = [tuple(map(case.term, pair)) for pair in zip(each.sides[::2], each.sides[1::2], strict=True)]
        for (part, _), (left, right) in list(zip(comparisons, pairs, strict=True))[:-1]:
            divisors = (*left.divisors, *right.divisors)
            space = with_condition(space, Condition(part.op, left.form - right.form, text, divisors))
        left, right = pairs[-1]
        never = Statement(NEGATED[comparisons[-1][0].op], left, right, space)
        outcome = decide(never, self.checker.effort, self.seed, doubtful=True)
        if isinstance(outcome, Fails):
            return Proved("a witness", refuted(outcome, case.roles).counterexample)
        if isinstance(outcome, ZeroDivisor):
            return self.tell(outcome, case)
        if isinstance(outcome, Holds):
            return Refuted((), reason=f"it holds nowhere in the domain (proved by {outcome.method})")
        if isinstance(outcome, NoPoint) and outcome.certain:
            return Refuted((), reason="it holds nowhere in the domain")
        tried = f" at {outcome.points} points tried" if isinstance(outcome, Passed) and outcome.points else ""
        reason = f"no witness was found{tried}, and nothing shows that there is none; name one with given:"
        return Invalid(reason, self.claim.relation.location, len(self.claim.relation.text))

    def crosses(self, each: Read, case: Case) -> Verdict:
        """Equal at the crossing, and on opposite sides of it before and after, in one direction everywhere."""
        if len(each.sides) > 1:
            there = self.tell(self.decide(equal_there(each, case)), case)
            if isinstance(there, Refuted | Invalid):
                return there
            up = self.upward(each, case)
            return together(self.beside(s, each, case) for s in crossing(each, case, up=up))
        before, after, *again = crossing(each, case, up=self.rises(each, case))
        verdicts = [self.tell(self.decide(statement), case) for statement in (before, after)]
        if not any(isinstance(verdict, Refuted | Invalid) for verdict in verdicts):
            verdicts += [self.beyond(statement, each, case) for statement in again]
        return together(verdicts)

    def beside(self, statement: Statement, each: Read, case: Case) -> Verdict:
        """On one side of ``at``, where there must be a value."""
        outcome = self.decide(statement)
        if not isinstance(outcome, NoPoint):
            return self.tell(outcome, case)
        side = "below" if statement.space.conditions[-1].op == "<" else "above"
        reason = f"no value of {self.claim.options[0][1].text} in its domain lies {side} {each.sides[1].text}"
        return Refuted((), reason=f"{reason}, so nothing crosses there")

    def beyond(self, statement: Statement, each: Read, case: Case) -> Verdict:
        """That what was passed once stays passed: so it does where it is passed at the last value alone."""
        outcome = self.decide(statement)
        if isinstance(outcome, NoPoint):
            return Proved("normal form") if outcome.certain else Tested(0, "no value beyond the crossing was found")
        verdict = self.tell(outcome, case)
        if not isinstance(outcome, Fails) or not isinstance(verdict, Refuted) or verdict.left is None:
            return verdict
        ((atom, _),) = each.symbols
        second = number_text(outcome.point[Primed(atom)] / case.space.axis(atom).scale)
        left = replace(verdict.left, text=f"{verdict.left.text} at {atom} = {second}")
        return replace(verdict, left=left, wanted=f"still {verdict.wanted}")

    def rises(self, each: Read, case: Case) -> bool:
        """Whether the formula gains on the expression from one end of the symbol to the other."""
        assert each.formula is not None
        ((atom, _),) = each.symbols
        check_open(atom, case, each)
        gap = case.put(each.formula.form) - case.put(each.sides[0].form)
        span = case.space.axis(atom).span
        try:
            for point in islice(case.space.points(self.seed, SAMPLES), SAMPLES):
                low, high = (gap.evaluate({**point, atom: end}) for end in (span.low, span.high))
                if low != high:
                    return low < high
        except (ZeroDenominator, DividedByZero):
            pass  # the statements themselves report it
        return True

    def upward(self, each: Read, case: Case) -> bool:
        """Whether the formula mostly passes the expression upward at ``at``."""
        assert each.formula is not None
        ((atom, _),) = each.symbols
        check_open(atom, case, each)
        sides = [case.put(term.form) for term in each.terms]
        votes = Fraction(0)
        try:
            space = case.space.restricted([atom, *(a for form in sides for a in form.atoms())])
            for point in islice(space.points(self.seed, SAMPLES), SAMPLES):
                formula, expression, at = (form.evaluate(point) for form in sides)
                votes += sign(formula - expression) * sign(point[atom] - at)
        except (ZeroDenominator, DividedByZero):
            pass  # the statements themselves report it
        return votes >= 0


def at_roles(formula: Term, each: Read, case: Case) -> Term:
    """The formula with what stands in the roles that a claim is about."""
    roles = ", ".join(str(role) for role in case.roles if role.name in each.roles)
    return replace(case.term(formula), text=f"{formula.text} at {roles}")


def sign(value: Fraction) -> int:
    """-1, 0 or 1."""
    return (value > 0) - (value < 0)
