"""What the rules on hardware rows share: a row's cost, its elasticities, and where its effect stands in prose; no rule itself."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

from flopkb.base.document import Scalar
from flopkb.base.elasticity import Tie, elasticity
from flopkb.base.evaluate import Evaluation, QuoteResult
from flopkb.base.faults import BadInput, Fault
from flopkb.base.link import FigureTarget, FormulaRef
from flopkb.base.link.names import formula_ref, merged, unknown_point
from flopkb.base.model import HardwareRow, Point, Record


@dataclass(frozen=True, slots=True)
class AtPoint:
    """An elasticity of a row: at which point, what is declared, and what it is."""

    point: Scalar
    declared: Scalar
    computed: Fraction | Tie | Fault


def cost_of(row: HardwareRow, record: Record, base: Evaluation) -> FormulaRef | Fault | None:
    """The formula that is the row's cost, or what is wrong with its name; None where it has none."""
    if row.cost is None:
        return None
    return formula_ref(row.cost.text, record, base.kb.scope, row.cost.location)


def at_points(row: HardwareRow, record: Record, base: Evaluation) -> tuple[AtPoint, ...]:
    """The elasticities of a row, worked out once; none where its cost is not known."""
    key = ("elasticity", row.location)
    if key not in base.shared:
        base.shared[key] = tuple(_at_points(row, record, base))
    found = base.shared[key]
    assert isinstance(found, tuple)
    return found


def _at_points(row: HardwareRow, record: Record, base: Evaluation) -> Iterator[AtPoint]:
    ref = cost_of(row, record, base)
    if not isinstance(ref, FormulaRef):
        return
    for name, declared in row.elasticity:
        point = record.points.get(name.text)
        if point is None:
            yield AtPoint(name, declared, unknown_point(name.text, record, record.id, name.location))
        else:
            yield AtPoint(name, declared, at_point(ref, row.parameter.text, point, record, base, name))


def at_point(
    ref: FormulaRef, quantity: str, point: Point, record: Record, base: Evaluation, place: Scalar
) -> Fraction | Tie | Fault:
    """The elasticity of a cost at a point; of a list of inputs every choice must give the same."""
    bindings = merged((), (point,), base.kb.scope, own=ref.record == record.id)
    found: Fraction | Tie | Fault | None = None
    for values in product(*(binding.values for binding in bindings)):
        bound = {binding.name: value for binding, value in zip(bindings, values, strict=True)}
        computed = elasticity(base.evaluator, ref, quantity, bound, record.id, place.location)
        if not isinstance(computed, Fraction):
            return computed
        if found is not None and computed != found:
            reason = f"the inputs listed at {point.name} give different elasticities; take a point for each"
            return BadInput(location=place.location, record=record.id, length=len(place.text), reason=reason)
        found = computed
    assert found is not None, "a point has at least one choice"
    return found


@dataclass(frozen=True, slots=True)
class Sentence:
    """One place in the prose that an effect matches, with the quotes in the sentence."""

    quotes: tuple[QuoteResult, ...]

    def figures(self) -> frozenset[tuple[str, str]]:
        """The figures that the sentence quotes, by record and name."""
        return frozenset(
            (result.quote.target.record, result.quote.target.name)
            for result in self.quotes
            if isinstance(result.quote.target, FigureTarget)
        )


def sentences(row: HardwareRow, record: Record, base: Evaluation) -> tuple[Sentence, ...]:
    """Every place in the prose of ``record`` that the effect matches."""
    return tuple(_sentences(row, record, base))


def _sentences(row: HardwareRow, record: Record, base: Evaluation) -> Iterator[Sentence]:
    results = base.quotes.get(record.id, ())
    for passage in base.passages(record.id):
        for match in passage.reading.find(row.effect.text):
            inside = {link.start for link in match.links}
            yield Sentence(
                tuple(r for r in results if r.quote.scalar is passage.scalar and r.quote.link.start in inside)
            )
