"""Equations in prose: those tied to figures, derivations of formulas, and those that stand alone, recomputed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from flopkb.arithmetic.diagnostics import Severity, shortened
from flopkb.arithmetic.numbers import miscomputed, with_unit
from flopkb.arithmetic.prose import Equation, EquationKind
from flopkb.arithmetic.text import Markup, ScannedEquation, ScanVerdict, scan_text
from flopkb.arithmetic.text.joints import RELATION
from flopkb.arithmetic.text.strict import EquationSide, read_equation
from flopkb.base.equations.coded import apart, bounded_faults, named_faults, stated_faults
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
from flopkb.base.equations.joined import is_whole, related_faults, runs, unbacked
from flopkb.base.equations.operands import Run
from flopkb.base.equations.orders import best_side, never_faults, ordered_faults
from flopkb.base.equations.tied import tied_faults
from flopkb.base.evaluate import Evaluation, QuoteResult
from flopkb.base.link import Computation, FormulaRef, Passage
from flopkb.base.model import Record, Subject

_SAYS = re.compile(rf"[0-9*/+×·]|\\(?:frac|cdot|times)|(?<=\s)[-−](?=\s)|{RELATION.pattern}")
_RELATION = re.compile(r"[=≈≃≅~]|\\approx|\\simeq|\\cong")
_EQUALS = re.compile(rf"{_RELATION.pattern}|\\equiv(?![A-Za-z])")
_ORDER = re.compile(r"[<>≤≥≠]|\\(?:l|g)(?:t|e|eq|eqslant)?(?![A-Za-z])|\\neq?(?![A-Za-z])|!=")
_DIGIT = re.compile(r"(?<![\w}])[0-9]")
_SUBSCRIPT = re.compile(r"_(?:\{[^{}]*\}|\w)")

__all__ = [
    "DERIVATION",
    "INPUT",
    "MISMATCH",
    "UNREADABLE",
    "UNTIED",
    "EquationFault",
    "Run",
    "equation_faults",
    "is_decided",
    "runs",
    "says_something",
    "unbacked",
    "with_results",
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


def is_decided(run: Run, passage: Passage) -> bool:
    """Whether a run says something of its numbers that is judged."""
    return run.related and is_whole(run, passage.reading.plain)


def with_results(subject: Subject, base: Evaluation) -> Iterator[tuple[Passage, list[QuoteResult]]]:
    """The passages of a record or document, each with the results of its quotes."""
    results = iter(base.quotes.get(subject.id, ()))
    for passage in base.passages(subject.id):
        yield passage, [next(results) for _ in passage.quotes]


def _faults(subject: Subject, base: Evaluation) -> Iterator[EquationFault]:
    for passage, own in with_results(subject, base):
        for run in runs(passage, own):
            if is_decided(run, passage):
                yield from related_faults(run, passage)
        for result in own:
            quote = result.quote
            if (
                quote.is_math
                and quote.link.scheme in ("fig", "in", "fact")
                and result.fault is None
                and says_something(quote.link.text)
            ):
                yield from tied_faults(result, passage, base)
        yield from lone_faults(passage, subject, base)


def lone_faults(passage: Passage, subject: Subject, base: Evaluation) -> Iterator[EquationFault]:
    """What is wrong with the equations of a passage that no link ties."""
    scanned = scanned_equations(passage, strict=isinstance(subject, Record))
    for found in scanned:
        if found.verdict is not ScanVerdict.OK:
            yield scan_fault(found, passage)
    yield from named_faults(passage, base)
    for equation in passage.reading.equations:
        wrong = [*lone_order_faults(equation, passage, base), *stated_faults(equation, passage, base)]
        if isinstance(subject, Record) and equation.kind is not EquationKind.FENCE and _ORDER.search(equation.text):
            names = Names.of(subject, base)
            wrong += [f for text, place in apart(equation, passage) for f in never_faults(text, names, place)]
        yield from wrong
        code = equation.kind is EquationKind.CODE
        told = code or (equation.kind is not EquationKind.FENCE and _EQUALS.search(equation.text) is not None)
        if isinstance(subject, Record) and told and not wrong and not is_read(equation, scanned):
            yield from unread_faults(equation, passage, subject, base)


def is_read(equation: Equation, scanned: Sequence[ScannedEquation]) -> bool:
    """Whether all of its relations were recomputed: none stands before what was scanned, or behind it."""
    inside = [found for found in scanned if found.start < equation.end and equation.start < found.end]
    if not inside:
        return False
    first, last = min(found.start for found in inside), max(found.end for found in inside)
    head, tail = equation.text[: max(0, first - equation.start)], equation.text[max(0, last - equation.start) :]
    return _EQUALS.search(head) is None and _EQUALS.search(tail) is None


def lone_order_faults(equation: Equation, passage: Passage, base: Evaluation) -> Iterator[EquationFault]:
    """An inequality between numbers, or recorded values by their names, that does not hold."""
    if not _ORDER.search(equation.text):
        return
    for text, place in apart(equation, passage):
        read = read_equation(text, frozenset())
        parts = [best_side(group) for group in read.groups]
        if any(side.fault for group in read.groups for side in group) or None in parts:
            continue
        for relation, left, right in zip(read.relations[1:], parts, parts[1:], strict=False):
            if relation is None or not relation.sign or left is None or right is None:
                continue
            if left.names or right.names:
                yield from bounded_faults(relation, left, right, place, base)
            else:
                yield from ordered_faults(relation, left, right, place)


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
    """Whether it is about the record: mathematics always is, code where it names one of the record's symbols or holds an amount."""
    if equation.kind is not EquationKind.CODE:
        return True
    every = [side for sides in groups for side in sides]
    amounts = [side.quoted.unit for side in every if side.quoted is not None and side.quoted.unit is not None]
    compared = any("." in name for side in every for name in side.names)  # with the value of that name
    measured = not compared and any(unit.dimension for unit in amounts)
    return measured or any(set(side.names) & names.known for sides in groups for side in sides)
