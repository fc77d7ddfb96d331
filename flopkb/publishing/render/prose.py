"""The rules of prose run on the text that a template gives: no number typed by hand, every quantity and link right."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from flopkb.arithmetic.diagnostics import Diagnostic, Location, Severity
from flopkb.arithmetic.numbers import ReadError, read
from flopkb.arithmetic.prose.bare import HOLE
from flopkb.base.document import Scalar
from flopkb.base.evaluate import Evaluation, with_page
from flopkb.base.link import Passage, link_page
from flopkb.base.model import Prose
from flopkb.checking.check import diagnostic
from flopkb.checking.findings import PageRule
from flopkb.checking.rules import RULES, bare_number
from flopkb.publishing.render.seen import Objects, seen, with_values, without_unit, wrong_wholes
from flopkb.publishing.render.template_text import MARK, Expanded, scalar

_TYPED = re.compile(
    r"\b(Equations?|Eqs?\.|Tables?|Tab\.|Figures?|Figs?\.|Listings?|Propositions?|Sections?|Notes?)[ \u00a0]\(?([0-9]+)\b"
)
_LABELS = {"E": "eq", "T": "tab", "F": "fig", "L": "lst", "P": "prop", "S": "sec", "N": "note"}
_BELOW = re.compile(r"[_^]\s*(?:\{[^{}]*\}|\\?\w+)|\\(?:h|v)?space\*?\{[^{}]*\}")
_DIGITS = re.compile(r"[0-9][0-9.,]*")
_FACTOR = re.compile(r"x[0-9]{2,}.*")
"""``x300`` is a factor, ``x2`` may be a name."""
_LEFT_OUT = ("bare-number", "bare-multiplier", "loose-bound", "partial-quantity")


def findings(expanded: Expanded, objects: Objects, template: str, path: str, base: Evaluation) -> list[Diagnostic]:
    """Everything that is wrong with the prose, in its order."""
    plain = scalar(expanded, template, path)
    typed = link_page(Prose("", without_marks(plain)), path, base.kb)
    text = seen(expanded, objects, typed[0])
    passages = link_page(Prose("", without_marks(scalar(text.expanded, template, path))), path, base.kb)
    whole = with_values(with_page(base, passages, path), path, text.shown)
    found = [
        diagnostic(rule, finding, ())
        for rule in RULES
        if isinstance(rule, PageRule) and rule.id not in _LEFT_OUT
        for finding in rule.run(whole.pages[0], whole)
    ]
    found += [*wrong_wholes(whole, text.shown), *without_unit(whole, path, text.shown)]
    found += [d for passage in typed for d in typed_numbers(passage)]
    found += typed_references(plain, path)
    errors = [d for d in found if d.severity is Severity.ERROR and d.location.path == path]
    return sorted({d.sort_key: d for d in errors}.values(), key=lambda d: d.sort_key)


def without_marks(text: Scalar) -> Scalar:
    """The text with holes for the marks that are left in it."""
    source = MARK.sub(HOLE * 3, text.text)
    return replace(text, text=source, value=source)


def typed_numbers(passage: Passage) -> Iterator[Diagnostic]:
    """Numbers that stand in the template's own text, in prose, in mathematics and in code that reads as a quantity."""
    for bare in passage.reading.bare:
        if (bare_number.is_number(bare) or _FACTOR.fullmatch(bare.text)) and not within_below(
            passage.scalar.text, bare.start
        ):
            yield typed(passage.scalar.at(bare.start), bare.text)
    linked = [(link.start, link.end) for link in passage.reading.links]
    for equation in passage.reading.equations:
        if any(start <= equation.start < end for start, end in linked) or equation.kind.value == "fence":
            continue
        body = _BELOW.sub(lambda m: " " * len(m[0]), equation.text)
        for digits in _DIGITS.finditer(body):
            if digits.start() == 0 or not (body[digits.start() - 1].isalnum() or body[digits.start() - 1] in "_."):
                yield typed(passage.scalar.at(equation.start + digits.start()), digits[0])
                break
    for start, end in passage.reading.codes:
        text = passage.scalar.text[start:end]
        if not any(first <= start < last for first, last in linked) and is_quantity(text):
            yield typed(passage.scalar.at(start), text)


def within_below(text: str, at: int) -> bool:
    """Whether a number is a sub- or superscript in mathematics."""
    before = text[max(0, at - 12) : at]
    return bool(re.search(r"[_^]\{?[-+\w\\{ ]*$", before)) and "$" in text[max(0, at - 2000) : at]


def is_quantity(text: str) -> bool:
    """Whether a code span holds nothing but a number with its qualifier and its unit."""
    if not any(c.isdigit() for c in text):
        return False
    try:
        read(text)
    except ReadError:
        return False
    return True


def typed(where: Location, number: str) -> Diagnostic:
    message = (
        f"{number} is typed: nothing stands behind it; print it with fig, fact or inp, or as lit('{number}', reason)"
    )
    return Diagnostic(where, Severity.ERROR, "bare-number", message, quoted=number, length=len(number))


def typed_references(scalar: Scalar, path: str) -> Iterator[Diagnostic]:
    """``Table 1`` typed by hand."""
    for found in _TYPED.finditer(scalar.text):
        kind = _LABELS[found[1][0]]
        message = f"{found[0]} is typed: write {{{{ ref('{kind}:name') }}}}, which counts for itself"
        yield Diagnostic(scalar.at(found.start()), Severity.ERROR, "typed-reference", message, length=len(found[0]))
