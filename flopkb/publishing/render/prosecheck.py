"""The rules of prose on the text that a template gives: no number typed, every link right, at the template's place."""

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
from flopkb.publishing.render.template_text import MARK

_TYPED = re.compile(
    r"\b(Equations?|Eqs?\.|Tables?|Tab\.|Figures?|Figs?\.|Listings?|Propositions?|Sections?|Notes?)[ \u00a0]\(?([0-9]+)\b"
)
_LABELS = {"E": "eq", "T": "tab", "F": "fig", "L": "lst", "P": "prop", "S": "sec", "N": "note"}
_BELOW = re.compile(r"[_^]\s*(?:\{[^{}]*\}|\\?\w+)|\\(?:h|v)?space\*?\{[^{}]*\}")
_DIGITS = re.compile(r"[0-9][0-9.,]*")
_LEFT_OUT = ("bare-number", "bare-multiplier", "loose-bound")


def findings(text: Scalar, path: str, base: Evaluation) -> list[Diagnostic]:
    """Everything that is wrong with the prose, in its order."""
    source = MARK.sub(HOLE * 3, text.text)
    scalar = replace(text, text=source, value=source)
    passages = link_page(Prose("", scalar), path, base.kb)
    whole = with_page(base, passages, path)
    found = [
        diagnostic(rule, finding, ())
        for rule in RULES
        if isinstance(rule, PageRule) and rule.id not in _LEFT_OUT
        for finding in rule.run(whole.pages[0], whole)
    ]
    found += [d for passage in passages for d in typed_numbers(passage)]
    found += typed_references(scalar, path)
    errors = [d for d in found if d.severity is Severity.ERROR and d.location.path == path]
    return sorted({d.sort_key: d for d in errors}.values(), key=lambda d: d.sort_key)


def typed_numbers(passage: Passage) -> Iterator[Diagnostic]:
    """Numbers that stand in the template's own text, in prose, in mathematics and in code that reads as a quantity."""
    for bare in passage.reading.bare:
        if bare_number.is_number(bare) and not within_below(passage.scalar.text, bare.start):
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
    """Whether a code span holds nothing but a number with its unit."""
    if not text[:1].isdigit():
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
