"""What a document asks of the base: figures, recorded values, inputs, each with what is told of it and its sources."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from flopkb.arithmetic.diagnostics import Location
from flopkb.arithmetic.numbers import decimal_text, readable, with_unit
from flopkb.arithmetic.prose import Input, Link, Target, TargetError, parse_target
from flopkb.arithmetic.units import Unit, parse_unit
from flopkb.base.document import Scalar, Segment
from flopkb.base.evaluate import Case, Value
from flopkb.base.evaluate.computing import Computed
from flopkb.base.evaluate.differences import conflicts
from flopkb.base.evaluate.inputs import BoundExpression, recorded_value
from flopkb.base.evaluate.quotes import quote_result
from flopkb.base.faults import Fault, NotApplicable
from flopkb.base.link import (
    Computation,
    FactTarget,
    FigureTarget,
    Holder,
    InputTarget,
    Linker,
    Quote,
    fact_of,
)
from flopkb.base.model import Fact
from flopkb.checking.api import Base
from flopkb.publishing.provenance import sources_of, sources_of_fact
from flopkb.publishing.render.template_text import Bad

HERE = Location("", 1, 1)


@dataclass(frozen=True, slots=True)
class Answer:
    """Exact values in base units of ``unit``, how the value is named, and the records that it rests on."""

    name: str
    values: tuple[Fraction, ...]
    unit: Unit
    sources: tuple[str, ...] = ()
    value: Value | None = None
    told: str = ""
    contested: str = ""
    """What other sources state of its inputs, where they disagree."""

    @property
    def exact(self) -> str:
        """The value in full, for whoever asks."""
        return ", ".join(readable(value, self.unit) for value in self.values)


def figure(base: Base, target: str, inputs: Mapping[str, object], argument: int | None = 0) -> Answer:
    """A figure, or a formula with inputs; keyword ``at`` names a point."""
    parsed = with_inputs(parse(target, "fig", argument), inputs)
    found = resolved(base, parsed, target, argument)
    if isinstance(found, FigureTarget):
        value = base.evaluation.figures[(found.record, found.name)]
    elif isinstance(found, Computation):
        value = base.evaluation.evaluator.value(found)
    else:
        raise Bad(f"{target} is no figure", argument)
    if isinstance(value, Fault):
        words = value.words if isinstance(value, NotApplicable) else ""
        raise Bad(f"{parsed.dotted}: {value}", argument, rule=rule_of(value), words=words)
    return answered(base, parsed.dotted, value)


def answered(base: Base, name: str, value: Value) -> Answer:
    """A computed value as an answer."""
    formula = base.evaluation.kb.formulas[value.computation.formula].formula
    inputs = "; ".join(", ".join(input_texts(case)) for case in value.cases[:4])
    told = f"{name}: {formula.text}" + (f" with {inputs}" if inputs else "")
    return Answer(name, value.values, value.unit, tuple(sources_of(value, base)), value, told, contested(value))


def computation(base: Base, target: str, inputs: Mapping[str, object], argument: int | None = 0) -> Computation:
    """The computation of a figure or of a formula with inputs, whether or not it has a value."""
    parsed = with_inputs(parse(target, "fig", argument), inputs)
    found = resolved(base, parsed, target, argument)
    if isinstance(found, FigureTarget):
        linked = base.evaluation.kb.figures[(found.record, found.name)]
        if isinstance(linked, Fault):
            raise Bad(str(linked), argument)
        return linked
    assert isinstance(found, Computation)
    return found


def fact(base: Base, target: str, argument: int | None = 0) -> Answer:
    """A recorded value, or with ``@source`` what another source states."""
    parsed = parse(target, "fact", argument)
    found = resolved(base, parsed, target, argument)
    assert isinstance(found, FactTarget)
    record = base.records[found.record]
    recorded = fact_of(record.facts[found.path], found.source)
    assert recorded is not None
    value = recorded_value(recorded, record, base.evaluation.kb)
    if isinstance(value, Fault):
        raise Bad(str(value), argument)
    name = f"{found.record}.{found.path}" + (f"@{found.source}" if found.source else "")
    return Answer(
        name,
        (value,),
        parse_unit(recorded.unit),
        tuple(sources_of_fact(recorded, record)),
        None,
        fact_told(name, recorded),
        others(name, recorded),
    )


def contested(value: Value) -> str:
    """What other sources state of the inputs that a value moves with."""
    moving = value.facts()
    return "; ".join(others(str(atom), recorded) for atom, recorded in value.contested() if atom in moving)


def others(name: str, recorded: Fact) -> str:
    """What other sources state of a recorded value."""
    stated = list(dict.fromkeys(other.value.text for other in conflicts(recorded) if other.value is not None))
    return f"{name}: others state {', '.join(stated)}" if stated else ""


def fact_told(name: str, recorded: Fact) -> str:
    """A recorded value in a line: basis and how it is printed."""
    printed = f', printed "{recorded.as_printed.text}"' if recorded.as_printed is not None else ""
    formula = f" = {recorded.formula.text}" if recorded.formula is not None else ""
    return f"{name}: {recorded.basis.value}{formula}{printed}"


def input_value(base: Base, target: str, argument: int | None = 0) -> Answer:
    """An input of a point or a figure."""
    parsed = parse(target, "in", argument)
    found = resolved(base, parsed, target, argument)
    assert isinstance(found, InputTarget)
    quote = Quote("", Scalar(HERE, "", ""), fake_link(target, parsed), found)
    result = quote_result(quote, base.evaluation.evaluator, base.evaluation.figures)
    if result.fault is not None:
        raise Bad(str(result.fault), argument)
    assert result.unit is not None
    return Answer(parsed.dotted, result.values, result.unit, told=f"input {parsed.dotted}")


def fake_link(target: str, parsed: Target) -> Link:
    """A link as prose would hold it, for the reader of quotes."""
    return Link("1", 0, 1, 0, 1, parsed.scheme, target, 0, parsed)


def parse(target: object, scheme: str, argument: int | None) -> Target:
    """A target taken apart; ``scheme`` is understood."""
    if not isinstance(target, str) or len(target) > 1000:
        raise Bad(f"{scheme} takes the name of a value as a text", argument)
    lead = 0 if target.startswith(f"{scheme}:") else len(scheme) + 1
    text = target if not lead else f"{scheme}:{target}"
    parsed = parse_target(text)
    if isinstance(parsed, TargetError):
        raise Bad(f"{target} {parsed.reason}", argument, max(0, parsed.offset - lead), "bad-link")
    if parsed.record is None:
        raise Bad(f"name the record too: record.{parsed.name}", argument)
    return parsed


def with_inputs(parsed: Target, inputs: Mapping[str, object]) -> Target:
    """The target with inputs given by keyword; ``at`` is a point or a list of them."""
    pairs, points = list(parsed.inputs), list(parsed.points)
    for key, value in inputs.items():
        if key == "at":
            points += [(text_of(item), 0) for item in (value if isinstance(value, (list, tuple)) else [value])]
        else:
            pairs.append(Input(key, text_of(value), 0, 0))
    return replace(parsed, inputs=tuple(pairs), points=tuple(points))


def text_of(value: object) -> str:
    """An input as it would be written in a link."""
    if isinstance(value, bool) or not isinstance(value, (str, int, float)):
        raise Bad("an input is a number, an amount with its unit or the id of a record")
    text = str(value)
    if not text.strip() or len(text) > 200:
        raise Bad("an input is empty or too long")
    return text


def resolved(base: Base, parsed: Target, written: str, argument: int | None) -> object:
    """What the target stands for; a fault is placed within ``written``."""
    lead = 0 if written.startswith(f"{parsed.scheme}:") else len(parsed.scheme) + 1
    scalar = Scalar(HERE, "", "", segments=(Segment(0, 1, 1),))
    found = Linker(Holder(""), base.evaluation.kb.scope).resolve(parsed, scalar, scalar.at(lead))
    if isinstance(found, Fault):
        inside = found.location.column - 1 - lead
        raise Bad(str(found), argument, inside if 0 <= inside < len(written) else 0, rule_of(found))
    return found


def rule_of(fault: Fault) -> str:
    """The rule under which ``flopkb check`` reports a fault of this kind."""
    kind = type(fault).__name__
    names = {
        "UnknownFigure": "unknown-figure",
        "UnknownFact": "unknown-fact",
        "UnknownInput": "unknown-input",
        "MissingInput": "missing-input",
        "Unavailable": "unavailable-value",
        "OutsideDomain": "outside-domain",
        "UnknownReference": "unknown-reference",
        "WrongKind": "wrong-kind",
        "DividesByZero": "zero-denominator",
        "BadInput": "bad-input",
        "BadTarget": "bad-link",
    }
    return names.get(kind, "template")


def input_texts(case: Case) -> Iterator[str]:
    """The inputs of a case, each once: ``B = 8``."""
    seen: dict[str, None] = {}
    for side in case.sides:
        for atom in side.targets:
            standing = side.env.standing(atom)
            if isinstance(standing, BoundExpression):
                seen[f"{atom} = {standing.body.source.text}"] = None
            elif atom not in side.picked:
                seen[f"{atom} = {readable(side.targets[atom], side.unit(atom))}"] = None
    return iter(seen)


def side_of(value: Value) -> Computed:
    """The one computation behind a value that is no set."""
    if len(value.cases) != 1 or value.cases[0].lower is not None:
        raise Bad("this needs one value of one formula: give each input once", 0)
    return value.cases[0].upper


def short(value: Fraction, unit: Unit) -> str:
    """A value in its unit, plainly."""
    return with_unit(decimal_text(value / unit.scale), unit.text)
