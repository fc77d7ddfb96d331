"""Questions to ask of the formulas of a base, and what Python answers: every figure, and as many others as one wants."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from fractions import Fraction
from typing import Any

from flopkb.arithmetic.diagnostics import Location
from flopkb.arithmetic.numbers.writing import answer_text, exact_text
from flopkb.base.document import Scalar
from flopkb.base.evaluate import Evaluation, Value
from flopkb.base.evaluate.domains import number
from flopkb.base.faults import Fault
from flopkb.base.link.expressions import words_of
from flopkb.base.link.targets import Computation, FormulaRef, SymbolAtom, ValueAtom
from flopkb.base.model import ROLES, Binding, Domain
from flopkb.publishing.export.html.questions import given, questions

NOWHERE = Location("", 1, 1)
USUAL = (1, 2, 8, 64, 100, 1024, 4096, 8192, 131072)


@dataclass(frozen=True)
class Question:
    """A formula with its inputs as the page takes them, and the exact value (None: there is none)."""

    formula: str
    given: Mapping[str, Any]
    value: str | None
    text: str = ""
    assumes: tuple[str, ...] = ()
    over: Mapping[str, Any] | None = None
    picked: Mapping[str, str] = field(default_factory=dict)

    @property
    def data(self) -> dict[str, Any]:
        """As JSON."""
        return asdict(self)


def figures(base: Evaluation) -> Iterator[Question]:
    """Every figure of the base, each of its values."""
    for value in base.figures.values():
        if not isinstance(value, Value) or value.computation.hypothetical:
            continue
        for asked, case in zip(questions(value, base), value.cases, strict=True):
            yield Question(
                asked.formula, asked.given, exact_text(case.value), "", case.assumes, asked.over, asked.picked
            )


def scenarios(base: Evaluation, count: int, seed: int) -> Iterator[Question]:
    """Questions made at random: any formula, any records in its roles, numbers mostly inside their domains."""
    chance = random.Random(seed)
    refs = sorted((ref for ref, linked in base.kb.formulas.items() if linked.cases), key=str)
    for _ in range(count):
        ref = chance.choice(refs)
        made = {name: Scalar(NOWHERE, text, text) for name, text in inputs(ref, base, chance).items()}
        bindings = tuple(Binding(Scalar(NOWHERE, name, name), (text,)) for name, text in made.items())
        value = base.evaluator.value(Computation(ref, str(ref), ref.record, NOWHERE, bindings))
        asked = given(made, ref, base)
        if isinstance(value, Fault):
            yield Question(str(ref), asked, None, str(value))
        elif not value.cases[0].upper.picked and is_short(value.cases[0].value):
            # what cancels a page asks for all the same
            case = value.cases[0]
            yield Question(str(ref), asked, exact_text(case.value), answer_text(case.value, value.unit), value.assumes)


def is_short(value: Fraction) -> bool:
    """Whether a page computes it: it has none that takes thousands of digits, as a share to the power of a large batch."""
    return max(value.numerator.bit_length(), value.denominator.bit_length()) < 14_000


def inputs(ref: FormulaRef, base: Evaluation, chance: random.Random) -> dict[str, str]:
    """Inputs for a formula; now and then one is missing, or one is given that a record has."""
    made, roles, kb = dict[str, str](), set[str](), base.kb
    for atom in sorted(kb.reach(ref).symbols, key=str):
        taken = sources(atom, base)
        roles |= {name for value in taken for name in (value.holder, value.index) if name in ROLES}
        symbol = kb.scope.records[atom.record].symbols[atom.name]
        open_ = (not taken and symbol.value is None) or chance.random() < 0.05
        if (
            open_
            and chance.random() > 0.03
            and kb.scope.symbol(atom.name, ref.record) == atom
            and not words_of(atom, kb.scope)
        ):
            made[atom.name] = some(symbol.domain, chance)
    parts = roles & {"mixer", "feed_forward"}
    for role in sorted((roles - parts) | ({"model"} if parts else set())):
        rare = role.endswith("dtype") and role not in ("dtype", "kv_dtype", "weight_dtype")
        if chance.random() > (0.5 if rare else 0.02):
            made[role] = chance.choice([record.id for record in kb.records.values() if record.kind is ROLES[role]])
    model = kb.records.get(made.get("model", ""))
    for role in sorted(parts & kb.reach(ref).roles):
        if model is not None and model.layers is not None and (names := sorted(model.layers.parts(role))):
            made[role] = chance.choice(names)
    return made


def sources(atom: SymbolAtom, base: Evaluation) -> list[ValueAtom]:
    """The recorded values that a symbol can stand for."""
    rest = base.kb.fallbacks.get(atom)
    later = rest.later if rest is not None and not isinstance(rest, Fault) else ()
    return [value for value in (base.kb.sources.get(atom), *later) if isinstance(value, ValueAtom)]


def some(domain: Domain | None, chance: random.Random) -> str:
    """A number of a domain, as one would type it."""
    if domain is None:
        return str(chance.randint(1, 5000))
    if domain.one_of is not None:
        return chance.choice(domain.one_of).text
    bounds = domain.integer or domain.rational
    assert bounds is not None
    low, high = (number(bound) for bound in bounds)
    if domain.integer is not None:
        far = int(low + (high - low) * Fraction(chance.choice([0, 1, 50, 5000, 10**6]), 10**6))
        return str(min(int(high), max(int(low), chance.choice([*USUAL, far]))))
    return str(low + (high - low) * Fraction(chance.choice([0, 1, 5, 50, 5000, 10**6]), 10**6))
