"""Equations in prose: those tied to figures, derivations of formulas, and those that stand alone, recomputed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from flopkb.arithmetic.diagnostics import Severity, shortened
from flopkb.arithmetic.numbers import miscomputed, with_unit
from flopkb.arithmetic.prose import Equation, EquationKind
from flopkb.arithmetic.text import Markup, ScannedEquation, ScanVerdict, scan_text
from flopkb.arithmetic.text.strict import EquationSide, read_equation
from flopkb.base.equations.derivation import Names, derivation_faults
from flopkb.base.equations.findings import (
    DERIVATION,
    INPUT,
    MISMATCH,
    UNREADABLE,
    UNTIED,
    EquationFault,
    EquationPlace,
)
from flopkb.base.equations.numeric import TiedFigure, bound_faults, number_faults
from flopkb.base.evaluate import Evaluation, QuoteResult
from flopkb.base.link import Computation, FigureTarget, FormulaRef, Passage
from flopkb.base.model import Record, Subject

_SAYS = re.compile(r"[0-9=≈*/+×·]|\\(?:approx|frac|cdot|times)|(?<=\s)[-−](?=\s)")
_RELATION = re.compile(r"[=≈≃≅~]|\\approx|\\simeq|\\cong")
_DIGIT = re.compile(r"(?<![\w}])[0-9]")
_SUBSCRIPT = re.compile(r"_(?:\{[^{}]*\}|\w)")

__all__ = [
    "DERIVATION",
    "INPUT",
    "MISMATCH",
    "UNREADABLE",
    "UNTIED",
    "EquationFault",
    "equation_faults",
    "says_something",
]


def equation_faults(subject: Subject, base: Evaluation) -> tuple[EquationFault, ...]:
    """What is wrong with the equations of a record or document (found once, for all rules that tell of it)."""
    key = ("equations", subject.id)
    known = base.shared.get(key)
    if known is None:
        known = base.shared[key] = tuple(_faults(subject, base))
    assert isinstance(known, tuple)
    return known


def says_something(text: str) -> bool:
    """Whether code or mathematics holds an equation, a number or an expression, not a lone name."""
    return _SAYS.search(text) is not None


def _faults(subject: Subject, base: Evaluation) -> Iterator[EquationFault]:
    results = iter(base.quotes.get(subject.id, ()))
    for passage in base.passages(subject.id):
        for result in (next(results) for _ in passage.quotes):
            quote = result.quote
            if (
                quote.is_math
                and quote.link.scheme in ("fig", "in", "fact")
                and result.fault is None
                and says_something(quote.link.text)
            ):
                yield from tied_faults(result, passage, base)
        yield from lone_faults(passage, subject, base)


def tied_faults(result: QuoteResult, passage: Passage, base: Evaluation) -> Iterator[EquationFault]:
    """What is wrong with the equation (or derivation) in the text of a link."""
    link = result.quote.link
    place = EquationPlace(
        passage, tuple(passage.reading.source_at(link.plain_start + i) for i in range(len(link.text)))
    )
    computation = computation_of(result, base)
    names = Names.of(base.kb.records[computation.formula.record], base) if computation is not None else None
    equation = read_equation(link.text, names.known if names is not None else frozenset())
    for sides in equation.groups[:1]:
        yield from group_faults(sides, result, computation, names, place)
    for bound, sides in zip(equation.bounds[1:2], equation.groups[1:2], strict=True):
        if result.values and result.unit is not None and bound and sides[0].quoted is not None:
            yield from bound_faults(bound, sides[0], TiedFigure.of(result), place)


def computation_of(result: QuoteResult, base: Evaluation) -> Computation | None:
    """The computation that a link stands for, or None for a recorded value or an input."""
    target = result.quote.target
    if isinstance(target, FigureTarget):
        found = base.kb.figures[(target.record, target.name)]
        return found if isinstance(found, Computation) else None
    return target if isinstance(target, Computation) else None


def group_faults(
    sides: Sequence[EquationSide],
    result: QuoteResult,
    computation: Computation | None,
    names: Names | None,
    place: EquationPlace,
) -> Iterator[EquationFault]:
    """What is wrong with one run of sides that are said to be equal."""
    for side in sides:
        if side.fault is not None:
            owner = names.record.id if names is not None else "the record"
            advice = f"write it in the names of {owner}, as Python or LaTeX"
            message = f"{side.fault.reason} in {shortened(side.text, 60)}; {advice}"
            yield place.fault(UNREADABLE, side.fault.offset, side.end, message)
    symbolic = [side for side in sides if side.names]
    numeric = [side for side in sides if side.expr is not None and not side.names]
    if result.values and result.unit is not None:
        yield from number_faults(numeric, TiedFigure.of(result), place)
    elif numeric and computation is not None and names is not None:
        symbolic = [side for side in sides if side.expr is not None]
    if not symbolic or names is None or computation is None:
        return
    if computation.over:
        reason = "is a ratio of two values: tie it to numbers, or the formula to its symbols"
        yield place.fault(UNREADABLE, symbolic[0].start, symbolic[0].end, f"{result.quote.title} {reason}")
        return
    yield from derivation_faults(symbolic, computation, result.quote.title, names, place)


def lone_faults(passage: Passage, subject: Subject, base: Evaluation) -> Iterator[EquationFault]:
    """What is wrong with the equations of a passage that no link ties."""
    scanned = scanned_equations(passage, strict=isinstance(subject, Record))
    for found in scanned:
        if found.verdict is not ScanVerdict.OK:
            yield scan_fault(found, passage)
    if isinstance(subject, Record):
        for equation in passage.reading.equations:
            read = any(found.start < equation.end and equation.start < found.end for found in scanned)
            if not read and equation.kind is not EquationKind.FENCE:
                yield from unread_faults(equation, passage, subject, base)


def scanned_equations(passage: Passage, *, strict: bool) -> tuple[ScannedEquation, ...]:
    """The arithmetic in a passage, without what its links tie; where it is strict, no comment silences any."""
    whole, at, parts = passage.scalar.text, 0, []
    for link in passage.reading.links:
        parts += [whole[at : link.start], "\ufffc" * (link.end - link.start)]
        at = link.end
    text = "".join([*parts, whole[at:]])
    if not _RELATION.search(text):
        return ()
    result = scan_text(text, passage.scalar.location.path, Markup.MARKDOWN, foreign=False)
    return (*result.equations, *result.suppressed) if strict else result.equations


def scan_fault(found: ScannedEquation, passage: Passage) -> EquationFault:
    """The fault of an equation that was read and is not right."""
    computed = with_unit(found.computed, found.unit)
    cut = found.verdict is ScanVerdict.TRUNCATED
    what = ("" if cut else "it ") + miscomputed(found.quoted, computed, cut=cut)
    what += f"; {found.advice}" if found.verdict is ScanVerdict.AMBIGUOUS else ""
    reading = f" (read as {found.reading})" if found.reading not in ("", "as written") else ""
    severity = Severity.WARNING if found.verdict is ScanVerdict.AMBIGUOUS else Severity.ERROR
    message = f"{shortened(found.text, 80)}: {what}{reading}"
    return EquationFault(MISMATCH, passage, found.start, found.end, message, found.quoted, computed, severity)


def unread_faults(equation: Equation, passage: Passage, record: Record, base: Evaluation) -> Iterator[EquationFault]:
    """An equation of a record in which nothing could be recomputed: a derivation, a definition, an assignment."""
    names = Names.of(record, base)
    place = EquationPlace(passage, tuple(range(equation.start, equation.end)))
    read = read_equation(equation.text, names.known)
    for sides in read.groups:
        formula = names.formula(sides[0].names[0]) if sides[0].is_name else None
        if formula is not None and len(sides) > 1 and all(side.expr is not None for side in sides):
            yield from untied_derivation(formula, sides, names, place)
            return
    if has_number(equation) and speaks_of(read.groups, equation, names):
        message = f"{shortened(equation.text, 80)} holds a number that nothing stands behind; link it: [`...`](fig:...)"
        yield place.fault(UNTIED, 0, len(equation.text), message, quoted=equation.text)


def untied_derivation(
    formula: str, sides: tuple[EquationSide, ...], names: Names, place: EquationPlace
) -> Iterator[EquationFault]:
    """A derivation of one of the record's formulas: if it holds for all inputs it should be tied to it."""
    ref = FormulaRef(names.record.id, formula)
    computation = Computation(ref, formula, names.record.id, place.passage.scalar.location)
    wrong = list(derivation_faults(sides, computation, formula, names, place))
    yield from (fault for fault in wrong if fault.rule != DERIVATION)
    tie = f"tie it with its inputs: [`...`](fig:{formula})"
    said = f"is not {formula} for all inputs; correct it, or {tie}" if wrong else f"is not tied to {formula}; {tie}"
    last = sides[-1].end
    severity = Severity.ERROR if wrong else Severity.WARNING
    text = shortened(place.passage.scalar.text[place.offsets[0] : place.offsets[-1] + 1], 80)
    yield place.fault(DERIVATION if wrong else UNTIED, 0, last, f"{text} {said}", severity=severity)


def has_number(equation: Equation) -> bool:
    """Whether digits stand in it that are no part of a name."""
    return _DIGIT.search(_SUBSCRIPT.sub("", equation.text)) is not None


def speaks_of(groups: tuple[tuple[EquationSide, ...], ...], equation: Equation, names: Names) -> bool:
    """Whether it is about the record: mathematics always is, code only where it names one of the record's symbols."""
    if equation.kind is not EquationKind.CODE:
        return True
    return any(set(side.names) & names.known for sides in groups for side in sides)
