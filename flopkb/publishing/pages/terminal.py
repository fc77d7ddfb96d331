"""The parts of a record's page that a terminal shows as wrapped lines: prose, claims, hardware, corrections."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import pairwise

from flopkb.arithmetic.numbers import decimal_text
from flopkb.base.claims import tested_mark
from flopkb.base.link import Passage
from flopkb.base.model import Binding, Claim, Correction, HardwareRow, Record
from flopkb.base.tables import tables_in
from flopkb.checking.api import Base
from flopkb.checking.rules.hardware_rows import at_points
from flopkb.publishing.export.resolved import ResolvedClaim, pairs
from flopkb.publishing.export.resolved.records import assigned
from flopkb.publishing.pages.blocks import FieldProse
from flopkb.publishing.pages.writing import TextWriter

WIDTH = 76


class RecordText(TextWriter):
    """Writes the page of a record for a terminal."""

    def __init__(self, base: Base) -> None:
        self.base = base

    def prose(self, block: FieldProse) -> str:
        found = (p for p in self.base.evaluation.passages(block.record) if p.prose.field == block.path)
        return "\n".join(line for passage in found for line in prose_lines(passage, self.base))


_VERBATIM = ("|", "```", "$$", "#", "    ")
_ITEM = re.compile(r"^( *)([-*+]|[0-9]{1,3}[.)]) +", re.MULTILINE)
_MATH = re.compile(r"(?<![$\\])\$(?=\S)([^$\n]+?)(?<=\S)\$(?!\d)")
_GROUP = r"((?:[^{}]|\{[^{}]*\})*)"
_PLAIN_MATH = (
    (r"\\(?:mathrm|text|operatorname|mathbf)\{([^{}]*)\}", r"\1"),
    (rf"\\sqrt\{{{_GROUP}\}}", r"sqrt(\1)"),
    (rf"\\frac\{{{_GROUP}\}}\{{{_GROUP}\}}", r"(\1)/(\2)"),
    (r"\\top\b", "T"),
    (r"\\(?:times)\b", "×"),
    (r"\\(?:cdot)\b", "·"),
    (r"\\(?:le|leq)\b", "≤"),
    (r"\\(?:ge|geq)\b", "≥"),
    (r"\\approx\b", "≈"),
    (r"\\[,;: ]", " "),
    (r"\\(?=[A-Za-z])", ""),
)
"""What stands for commands of LaTeX, in the order in which they are replaced."""
_STRONG = re.compile(r"\*\*(?=\S)(.+?)(?<=\S)\*\*", re.DOTALL)


def prose_lines(passage: Passage, base: Base) -> Iterator[str]:
    """The prose with each link as its text, wrapped by paragraph and by item; tables, code and formulas stay."""
    for block in plain_markdown(passage, base).strip().split("\n\n"):
        lines = block.split("\n")
        if lines[0].startswith(_VERBATIM):
            yield from lines
        else:
            yield from reflowed(_MATH.sub(lambda math: plain_math(math[1]), _STRONG.sub(r"\1", block)))
        yield ""


def plain_math(latex: str) -> str:
    """Mathematics of one line as a terminal can show it: ``softmax(Q K^T / sqrt(d_k)) V``."""
    text = latex
    for pattern, plain in _PLAIN_MATH:
        text = re.sub(pattern, plain, text)
    return " ".join(text.replace("{", "").replace("}", "").split())


def reflowed(block: str) -> Iterator[str]:
    """A paragraph or a list, wrapped; an item's further lines stand below its text."""
    starts = [match.start() for match in _ITEM.finditer(block)]
    paragraph = " ".join(block[: starts[0] if starts else None].split())  # a list may follow its paragraph at once
    yield from textwrap.wrap(paragraph, WIDTH)
    for start, end in pairwise([*starts, len(block)]):
        match = _ITEM.match(block, start)
        assert match is not None
        item = " ".join(block[match.end() : end].split())
        begin = f"{match[1]}{match[2]} "
        yield from textwrap.wrap(item, WIDTH, initial_indent=begin, subsequent_indent=" " * len(begin))


def plain_markdown(passage: Passage, base: Base) -> str:
    """The Markdown as written, each link of flopkb replaced by its text, each table directive by its table."""
    text, at, parts = passage.scalar.text, 0, []
    shown = [
        (q.link.start, q.link.end, text[q.link.text_start : q.link.text_end] + tested_mark(q.target, base.evaluation))
        for q in passage.quotes
    ]
    for start, end, instead in sorted([*shown, *tables_in(passage, base.evaluation)]):
        parts += [text[at:start], instead]
        at = end
    return "".join([*parts, text[at:]])


def claim_lines(claim: ResolvedClaim) -> Iterator[str]:
    """A claim: what it says, and how it ended."""
    yield claim.id
    for told in (statement(claim.own), str(claim.verdict)):
        yield from textwrap.wrap(told, WIDTH, initial_indent="  ", subsequent_indent="    ")


def statement(claim: Claim) -> str:
    """A claim in words near to its own."""
    relation = claim.relation.text.replace("_", " ")
    terms = [name.text if power is None else f"{name.text}**{power.text}" for name, power in claim.terms]
    if claim.formula is not None:
        text = f"{claim.formula.text} {relation} {', '.join(terms)}"
    else:
        text = f" {relation} ".join(terms) if len(terms) > 1 else f"{relation} {terms[0]}"
    options = {key.text: value.text for key, value in claim.options}
    parts = [f"as {name.text} goes to {end.text}" for name, end in claim.limits]
    parts += [f"in {options['in']}"] if "in" in options else []
    parts += [f"at {options['at']}"] if "at" in options else []
    parts += [f"given {bound(claim.given)}"] if claim.given else []
    parts += [f"where {' and '.join(text.text for text in claim.where)}"] if claim.where else []
    parts += [f"over {bound(claim.over)}"] if claim.over else []
    return ", ".join([text, *parts])


def bound(bindings: Iterable[Binding]) -> str:
    """Bindings in words."""
    return "; ".join(f"{binding.name} = {', '.join(value.text for value in binding.values)}" for binding in bindings)


def elasticity_lines(row: HardwareRow, record: Record, base: Base) -> Iterator[str]:
    """What a row's parameter does to its cost at each of its points."""
    if row.cost is None:
        return
    moves = "" if row.moves else " (does not move it)"
    yield f"elasticity of {row.cost.text} in {row.parameter.text}{moves}"
    for found in at_points(row, record, base.evaluation):
        value = decimal_text(found.computed) if isinstance(found.computed, Fraction) else f"none: {found.computed}"
        yield f"  {value} at {found.point.text}"


def row_lines(row: HardwareRow, record: Record, base: Base) -> Iterator[str]:
    """A hardware row."""
    names = ", ".join(name.text for name in row.magnitude)
    yield f"{row.parameter.text} ({row.basis.value}{', ' + names if names else ''})"
    yield from (f"  {line}" for line in textwrap.wrap(" ".join(row.effect.text.split()), WIDTH - 2))
    yield from (f"  {line}" for line in elasticity_lines(row, record, base))


def correction_lines(correction: Correction) -> Iterator[str]:
    """A correction: what was stated, when it held, what refutes it, what stands now."""
    given = f" (given {assigned(pairs(correction.given))})" if correction.given else ""
    holds = f"; holds when {correction.holds_when.text}" if correction.holds_when else ""
    yield f"stated: {correction.stated.text}{given}{holds}"
    yield from (f"  refuted by {assigned(pairs(bound))}" for _, bound in correction.counterexamples)
    if correction.now is not None:
        yield f"  now: {correction.now.text}"
    elif correction.now_claim is not None:
        yield f"  now: the claim {correction.now_claim.text}"
