"""Claims and corrections to verdicts: every case of each decided, the outcome in the record's own terms."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import chain, islice
from zlib import crc32

from flopkb.arithmetic.diagnostics import Location
from flopkb.arithmetic.formula import TooLargeError, ZeroDenominator, compares, number_text
from flopkb.arithmetic.prover.decide import (
    NEGATED,
    Effort,
    Fails,
    Holds,
    NoPoint,
    Outcome,
    Passed,
    Second,
    Statement,
    ZeroDivisor,
    decide,
)
from flopkb.arithmetic.prover.limits import NoLimit, decide_limit
from flopkb.arithmetic.prover.space import Condition, DividedByZero, Term, at
from flopkb.base.claims.cases import ClaimSetting, RoleCase, settings
from flopkb.base.claims.reading import Denominators, Undecidable
from flopkb.base.claims.relations import (
    ReadClaim,
    check_open,
    crossing,
    ends,
    equal_there,
    read,
    settled,
    statements,
)
from flopkb.base.claims.verdicts import (
    ClaimVerdict,
    CorrectionVerdicts,
    Invalid,
    Proved,
    Refuted,
    Tested,
    refuted,
    somewhere,
    together,
    verdict_on,
)
from flopkb.base.document import Scalar
from flopkb.base.evaluate.normal_forms import NormalForms
from flopkb.base.faults import listed
from flopkb.base.link import KnowledgeBase
from flopkb.base.link.expressions import row_bindings
from flopkb.base.link.targets import LinkedExpr
from flopkb.base.model import Binding, Claim, Correction, Record

SAMPLES = 16


@dataclass(slots=True)
class Checker:
    """Decides claims over one base; forms and divisors are made once for all of them."""

    kb: KnowledgeBase
    forms: NormalForms
    effort: Effort = field(default_factory=Effort)
    denominators: Denominators = field(init=False)

    def __post_init__(self) -> None:
        self.denominators = Denominators(self.kb, self.forms)

    def claim(self, claim: Claim, record: Record) -> ClaimVerdict:
        """How a claim of ``record`` ends."""
        return self.guarded(ClaimWork(self, claim, record).verdict, claim.relation)

    def comparison(
        self, op: str, left: LinkedExpr, right: LinkedExpr, bindings: Sequence[Binding], place: Scalar
    ) -> ClaimVerdict:
        """How ``left op right`` ends over the declared domains; both are in the names of one record."""
        record = self.kb.scope.records[left.record]
        return self.guarded(lambda: self._comparison(op, (left, right), record, bindings, place), place)

    def _comparison(
        self, op: str, written: Sequence[LinkedExpr], record: Record, bindings: Sequence[Binding], place: Scalar
    ) -> ClaimVerdict:
        found: list[ClaimVerdict] = []
        texts = [body.source for body in written]
        for setting in settings(self.denominators, record, place.location, bindings, texts=texts):
            sides = [setting.reader.value(body) for body in written]
            for case in setting.cases(sides):
                one, other = (side.at(case.numbers) for side in sides)
                outcome = decide(Statement(op, one, other, case.space), self.effort, crc32(place.text.encode()))
                found.append(verdict_on(outcome, case.roles, case.space, place, ()))
        return together(found)

    def guarded(self, work: Callable[[], ClaimVerdict], place: Scalar) -> ClaimVerdict:
        """The verdict, or why there is none."""
        try:
            return work()
        except Undecidable as error:
            return error.verdict
        except TooLargeError as error:
            return Invalid(str(error), place.location, len(place.text))


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

    def verdict(self) -> ClaimVerdict:
        """The claim, decided in every case."""
        cases = list(self.cases())
        found = (self.in_case(each, case) for each, case in cases)
        if self.claim.relation.text == "exists":
            return somewhere(found)
        unread = self.unread(cases)
        if unread and len(unread) == len(self.claim.terms):
            reason = f"{self.formula} does not read {listed(unread)} at all, so this says nothing; leave it out"
            return Invalid(reason, self.claim.relation.location, len(self.claim.relation.text))
        verdict = together(chain(found, self.between_roles(cases)))
        if unread and isinstance(verdict, Proved | Tested):
            return replace(verdict, note=f"it says nothing of {listed(unread)}: {self.formula} does not read them")
        return verdict

    @property
    def formula(self) -> str:
        """What the claim is about."""
        return self.claim.formula.text if self.claim.formula is not None else "the formula"

    def unread(self, cases: Sequence[tuple[ReadClaim, RoleCase]]) -> list[str]:
        """Of what a claim of independence names, what the formula cannot contain, whatever cancels."""
        if self.claim.relation.text != "independent_of" or self.claim.formula is None or not cases:
            return []
        each, _ = cases[0]
        read_ = each.setting.reader.reads(self.claim.formula)
        return [name.text for name, _ in self.claim.terms if not each.setting.reader.among(name.text, read_)]

    def between_roles(self, cases: Sequence[tuple[ReadClaim, RoleCase]]) -> Iterator[ClaimVerdict]:
        """That the formula is the same for every choice of a role of which it is said to be independent."""
        first: dict[tuple[str, ...], tuple[ReadClaim, RoleCase]] = {}
        for each, case in cases:
            if not each.roles or each.formula is None:
                continue
            fixed = tuple(str(role) for role in (*case.roles, *each.setting.chosen) if role.name not in each.roles)
            before, other = first.setdefault(fixed, (each, case))
            if other is not case and before.formula is not None:
                one, two = at_roles(before.formula, before, other), at_roles(each.formula, each, case)
                shared = tuple(role for role in case.roles if role.name not in each.roles)
                outcome = self.decide(Statement("==", one, two, case.space))
                yield verdict_on(outcome, shared, case.space, self.claim.relation, self.claim.where)

    def cases(self) -> Iterator[tuple[ReadClaim, RoleCase]]:
        """Every case of every setting."""
        claim = self.claim
        place, scope = claim.relation.location, self.checker.kb.scope
        texts = [text for text in (claim.formula, *(text for text, _ in claim.terms)) if text is not None]
        rows = row_bindings(texts, self.record, scope, place) if self.record.near else ()
        bindings = (*claim.given, *claim.over, *rows)
        for setting in settings(
            self.checker.denominators, self.record, place, bindings, claim.where, claim.domains, texts=texts
        ):
            each = read(self.claim, setting)
            for case in setting.cases(each.terms):
                yield each, case

    def in_case(self, each: ReadClaim, case: RoleCase) -> ClaimVerdict:
        """The claim in one case."""
        relation = self.claim.relation.text
        if relation == "tends_to":
            moving = ends(self.claim, each.setting)
            for atom in moving:
                check_open(atom, case, each)
            assert each.formula is not None
            formula, expression = each.formula.at(case.numbers), each.sides[0].at(case.numbers)
            return self.as_verdict(decide_limit(formula, expression, moving, case.space, self.decide, self.seed), case)
        if relation == "crosses":
            return self.crosses(each, case)
        if relation == "exists":
            return self.exists(each, case)
        for atom, _ in each.symbols:
            check_open(atom, case, each)
        if each.formula is not None and settled(each, case):
            formula = each.formula.at(case.numbers)  # what is left to check is the domain
            return self.as_verdict(self.decide(Statement("==", formula, formula, case.space)), case)
        return together(self.as_verdict(self.decide(s), case) for s in statements(each, case))

    def decide(self, statement: Statement) -> Outcome:
        """How one of the claim's statements ends."""
        return decide(statement, self.checker.effort, self.seed)

    def as_verdict(self, outcome: Outcome | NoLimit, case: RoleCase) -> ClaimVerdict:
        """An outcome as a verdict on the claim."""
        return verdict_on(outcome, case.roles, case.space, self.claim.relation, self.claim.where)

    def exists(self, each: ReadClaim, case: RoleCase) -> ClaimVerdict:
        """A point at which the condition holds: there the statement that it never does is refuted."""
        ((text, _),) = self.claim.terms
        comparisons = tuple(each.setting.reader.comparisons(text))
        space = case.space
        sides = [side.at(case.numbers) for side in each.sides]
        pairs = list(zip(sides[::2], sides[1::2], strict=True))
        for (part, _), (left, right) in list(zip(comparisons, pairs, strict=True))[:-1]:
            divisors = (*left.divisors, *right.divisors)
            space = space.where(Condition(part.op, left.form - right.form, text.text, divisors))
        left, right = pairs[-1]
        never = Statement(NEGATED[comparisons[-1][0].op], left, right, space)
        outcome = decide(never, self.checker.effort, self.seed, expect_failure=True)
        if isinstance(outcome, Fails):
            return Proved("a witness", refuted(outcome, case.roles).counterexample)
        if isinstance(outcome, ZeroDivisor):
            return self.as_verdict(outcome, case)
        if isinstance(outcome, Holds):
            return Refuted((), reason=f"it holds nowhere in the domain (proved by {outcome.method})")
        if isinstance(outcome, NoPoint) and outcome.certain:
            return Refuted((), reason="it holds nowhere in the domain")
        tried = f" at {outcome.points} points tried" if isinstance(outcome, Passed) and outcome.points else ""
        reason = f"no witness was found{tried}, and nothing shows that there is none; name one with given:"
        return Invalid(reason, self.claim.relation.location, len(self.claim.relation.text))

    def crosses(self, each: ReadClaim, case: RoleCase) -> ClaimVerdict:
        """Equal at the crossing, and on opposite sides of it before and after, in one direction everywhere."""
        if len(each.sides) > 1:
            there = self.as_verdict(self.decide(equal_there(each, case)), case)
            if isinstance(there, Refuted | Invalid):
                return there
            up = self.upward(each, case)
            return together(self.beside(s, each, case) for s in crossing(each, case, up=up))
        before, after, *again = crossing(each, case, up=self.rises(each, case))
        verdicts = [self.as_verdict(self.decide(statement), case) for statement in (before, after)]
        if not any(isinstance(verdict, Refuted | Invalid) for verdict in verdicts):
            verdicts += [self.beyond(statement, each, case) for statement in again]
        return together(verdicts)

    def beside(self, statement: Statement, each: ReadClaim, case: RoleCase) -> ClaimVerdict:
        """On one side of ``at``, where there must be a value."""
        outcome = self.decide(statement)
        if not isinstance(outcome, NoPoint):
            return self.as_verdict(outcome, case)
        side = "below" if statement.space.conditions[-1].op == "<" else "above"
        reason = f"no value of {self.claim.options[0][1].text} in its domain lies {side} {each.sides[1].text}"
        return Refuted((), reason=f"{reason}, so nothing crosses there")

    def beyond(self, statement: Statement, each: ReadClaim, case: RoleCase) -> ClaimVerdict:
        """That what was passed once stays passed: so it does where it is passed at the last value alone."""
        outcome = self.decide(statement)
        if isinstance(outcome, NoPoint):
            return Proved("normal form") if outcome.certain else Tested(0, "no value beyond the crossing was found")
        verdict = self.as_verdict(outcome, case)
        if not isinstance(outcome, Fails) or not isinstance(verdict, Refuted) or verdict.left is None:
            return verdict
        ((atom, _),) = each.symbols
        second = number_text(outcome.point[Second(atom)] / case.space.symbol(atom).scale)
        left = replace(verdict.left, text=f"{verdict.left.text} at {atom} = {second}")
        return replace(verdict, left=left, wanted=f"still {verdict.wanted}")

    def rises(self, each: ReadClaim, case: RoleCase) -> bool:
        """Whether the formula gains on the expression from one end of the symbol to the other."""
        assert each.formula is not None
        ((atom, _),) = each.symbols
        check_open(atom, case, each)
        gap = at(each.formula.form, case.numbers) - at(each.sides[0].form, case.numbers)
        domain = case.space.symbol(atom).domain
        try:
            for point in islice(case.space.points(self.seed, SAMPLES), SAMPLES):
                low, high = (gap.evaluate({**point, atom: end}) for end in (domain.low, domain.high))
                if low != high:
                    return low < high
        except (ZeroDenominator, DividedByZero):
            pass  # the statements themselves report it
        return True

    def upward(self, each: ReadClaim, case: RoleCase) -> bool:
        """Whether the formula mostly passes the expression upward at ``at``."""
        assert each.formula is not None
        ((atom, _),) = each.symbols
        check_open(atom, case, each)
        sides = [at(term.form, case.numbers) for term in each.terms]
        votes = Fraction(0)
        try:
            space = case.space.restricted([atom, *(a for form in sides for a in form.atoms())])
            for point in islice(space.points(self.seed, SAMPLES), SAMPLES):
                formula, expression, there = (form.evaluate(point) for form in sides)
                votes += sign(formula - expression) * sign(point[atom] - there)
        except (ZeroDenominator, DividedByZero):
            pass  # the statements themselves report it
        return votes >= 0


def at_roles(formula: Term, each: ReadClaim, case: RoleCase) -> Term:
    """The formula with what stands in the roles that a claim is about."""
    roles = ", ".join(str(role) for role in case.roles if role.name in each.roles)
    return replace(formula.at(case.numbers), text=f"{formula.text} at {roles}")


def sign(value: Fraction) -> int:
    """-1, 0 or 1."""
    return (value > 0) - (value < 0)


@dataclass(slots=True)
class CorrectionWork:
    """The work on one correction: its counterexamples against what was stated, that where it held, what holds now.

    ``given`` applies to all three; a counterexample beats it. The sides of a comparison are compared as numbers in
    base units: an earlier statement may well have mixed its dimensions.
    """

    checker: Checker
    correction: Correction
    record: Record

    def verdicts(self, *, thoroughly: bool = True) -> CorrectionVerdicts:
        """Every part of the correction; not ``thoroughly``: the counterexamples alone."""
        correction = self.correction
        refuting = tuple(self.refuting(where, bindings) for where, bindings in correction.counterexamples)
        if not thoroughly:
            return CorrectionVerdicts(refuting)
        held = None
        if correction.holds_when is not None:
            held = self.holding(correction.stated, (correction.holds_when,))
        now = self.holding(correction.now, ()) if correction.now is not None else None
        return CorrectionVerdicts(refuting, held, now)

    def refuting(self, where: Location, bindings: tuple[Binding, ...]) -> ClaimVerdict:
        """Whether a counterexample refutes what was stated: then it is ``Refuted``, else it is told why not."""
        place = Scalar(where, "", "")
        return self.checker.guarded(lambda: self._refuting(place, merged(self.correction.given, bindings)), place)

    def _refuting(self, place: Scalar, bindings: Sequence[Binding]) -> ClaimVerdict:
        found = []
        texts = [self.correction.stated]
        for setting in settings(self.checker.denominators, self.record, place.location, bindings, texts=texts):
            parts = list(sides_of(self.correction.stated, setting))
            for case in setting.cases([side for _, *sides in parts for side in sides]):
                found.append(
                    failing([(op, one.at(case.numbers), other.at(case.numbers)) for op, one, other in parts], place)
                )
        # Of a list of values each must refute it.
        return next((verdict for verdict in found if not isinstance(verdict, Refuted)), found[0])

    def holding(self, comparison: Scalar, where: Sequence[Scalar]) -> ClaimVerdict:
        """How a comparison ends over the domain, where ``where`` holds."""
        return self.checker.guarded(lambda: self._holding(comparison, where), comparison)

    def _holding(self, comparison: Scalar, where: Sequence[Scalar]) -> ClaimVerdict:
        found: list[ClaimVerdict] = []
        for setting in settings(
            self.checker.denominators,
            self.record,
            comparison.location,
            self.correction.given,
            where,
            texts=[comparison],
        ):
            parts = list(sides_of(comparison, setting))
            for case in setting.cases([side for _, *sides in parts for side in sides]):
                for op, one, other in parts:
                    statement = Statement(op, one.at(case.numbers), other.at(case.numbers), case.space)
                    outcome = decide(statement, self.checker.effort, self.seed)
                    found.append(verdict_on(outcome, case.roles, case.space, comparison, where))
        return together(found)

    @property
    def seed(self) -> int:
        """A number that depends on nothing but the text."""
        return crc32(f"{self.record.id}:{self.correction.stated.text}".encode())


def sides_of(comparison: Scalar, setting: ClaimSetting) -> Iterator[tuple[str, Term, Term]]:
    """The comparisons of a text: the operator and both sides of each."""
    for part, body in setting.reader.comparisons(comparison):
        yield (part.op, *setting.reader.sides(part, body))


def failing(parts: Sequence[tuple[str, Term, Term]], place: Scalar) -> ClaimVerdict:
    """``Refuted`` by the first of the comparisons that fails, all their inputs being given; else they hold."""
    for op, one, other in parts:
        for divisor in (*one.divisors, *other.divisors):
            if divisor.form.constant() == 0:
                reason = f"{divisor.title} divides by {divisor.text}, which is zero here; give other inputs"
                raise Undecidable(Invalid(reason, place.location))
        difference = (one.form - other.form).constant()
        if difference is None:
            names = sorted({str(atom) for side in (one, other) for atom in side.form.atoms()})
            raise Undecidable(Invalid(f"this leaves {', '.join(names)} open; give a value for each", place.location))
        if not compares(op, difference, Fraction(0)):
            return Refuted((), reason=f"{one.text} and {other.text} differ by {difference}")
    return Proved("evaluation")


def merged(given: Sequence[Binding], over: Sequence[Binding]) -> tuple[Binding, ...]:
    """The bindings of ``given``, those of ``over`` in their place."""
    return tuple({binding.name: binding for binding in (*given, *over)}.values())
