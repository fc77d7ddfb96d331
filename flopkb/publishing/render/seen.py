"""Printed values as a reader sees them: judged with the words, signs and units that the template types around them.

A printed value stands in the text as a link does, so that the rules on quantities and equations in prose are those of
records. What the template types there need not move into the call where the whole holds: it is judged at each render.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from flopkb.arithmetic.diagnostics import Diagnostic, Severity
from flopkb.arithmetic.numbers import Judgement, ReadError, RunningQuantity, Verdict, misquoted, read
from flopkb.arithmetic.prose import misnamed
from flopkb.base.evaluate import Evaluation, QuoteResult
from flopkb.base.link import FigureTarget, LiteralTarget, Passage
from flopkb.checking.rules.partial_quantity import RULE, PartialQuote, advice, partial_quotes
from flopkb.publishing.pages.inlines import QuotedNumber, Words
from flopkb.publishing.render.template_text import MARK, OBJECT, Expanded, index_of
from flopkb.publishing.render.values import NBSP, stands

Objects = Sequence[tuple[object, int]]
"""What a document prints, by the number in its mark, with its place in the template."""
_MATH = re.compile(r"\$\$.+?\$\$|(?<![\\$])\$(?!\s)[^$\n]+\$", re.DOTALL)
_MARKUP = re.compile(r"([\\`*_{}\[\]<>$~|#])")


@dataclass(frozen=True, slots=True)
class SeenText:
    """The text with links for the values printed in its prose; ``shown`` are those values, by where their link begins."""

    expanded: Expanded
    shown: Mapping[int, QuotedNumber | Words]


def seen(expanded: Expanded, objects: Objects, passage: Passage) -> SeenText:
    """The text as it is read; marks in code, mathematics and links (``passage`` says where) stay."""
    reading = passage.reading
    closed = [found.span() for found in _MATH.finditer(expanded.text)]
    closed += [
        *((e.start, e.end) for e in reading.equations),
        *reading.codes,
        *((k.start, k.end) for k in reading.links),
    ]
    parts: list[str] = []
    shown: dict[int, QuotedNumber | Words] = {}
    moves: list[tuple[int, int]] = [(0, 0)]
    at = grown = 0
    for found in MARK.finditer(expanded.text):
        thing = objects[index_of(found[0])][0] if found[0][0] == OBJECT else None
        reason = reason_of(thing)
        if (
            not isinstance(thing, (QuotedNumber, Words))
            or not reason
            or any(start <= found.start() < end for start, end in closed)
        ):
            continue
        text = _MARKUP.sub(r"\\\1", thing.text.replace(NBSP, " "))
        link = f"[{text}](lit:{reason})"
        shown[found.start() + grown] = thing
        parts += [expanded.text[at : found.start()], link]
        at, grown = found.end(), grown + len(link) - len(found[0])
        moves.append((at, grown))
    whole = "".join([*parts, expanded.text[at:]])
    return SeenText(Expanded(whole, list(_moved(expanded.places, moves))), shown)


def reason_of(thing: object) -> str:
    """What the link says that stands for a printed thing: the reason of a literal; a value's is replaced by the value."""
    if isinstance(thing, Words):
        return thing.reason
    return "name" if isinstance(thing, QuotedNumber) else ""


def _moved(
    places: Sequence[tuple[int, int, bool]], moves: Sequence[tuple[int, int]]
) -> Iterator[tuple[int, int, bool]]:
    """The places behind what has grown; a mark has a place of its own, so none lies within one."""
    at = 0
    for start, offset, runs in places:
        while at + 1 < len(moves) and moves[at + 1][0] <= start:
            at += 1
        yield start + moves[at][1], offset, runs


def with_values(base: Evaluation, path: str, shown: Mapping[int, QuotedNumber | Words]) -> Evaluation:
    """The base with the printed values in place of the links that stand for them in the document ``path``."""
    if not shown:
        return base
    passages = base.passages(path)
    whole = len(passages[0].quotes)
    own, others = base.quotes[path][:whole], base.quotes[path][whole:]
    results = (_printed(result, shown.get(result.quote.link.start), path) for result in own)
    return replace(base, quotes={**base.quotes, path: (*results, *others)})


def _printed(result: QuoteResult, thing: QuotedNumber | Words | None, path: str) -> QuoteResult:
    """What is printed is right as it was written; alone, or (where ``bare`` left it out) with its unit."""
    if not isinstance(thing, QuotedNumber) or thing.unit is None:
        return result
    quote = replace(result.quote, target=FigureTarget(path, thing.name))
    try:
        reading = read(quote.link.text)
    except ReadError as error:
        return QuoteResult(quote, reading=error)
    return QuoteResult(quote, thing.unit, thing.values, None, reading, Judgement(Verdict.OK, thing.text))


def wrong_wholes(base: Evaluation, shown: Mapping[int, QuotedNumber | Words]) -> Iterator[Diagnostic]:
    """The quantities of which a printed value, or a link, is only a part, where the whole is not right."""
    for part in partial_quotes(base.pages[0], base):
        quote = part.result.quote
        printed = shown.get(quote.link.start)
        if printed is not None and whole_holds(part, printed):
            continue
        say = printed_advice(part) if printed is not None else advice(part)
        message = f"{quote.link.text} is only part of `{part.whole.text}`; {say}"
        yield Diagnostic(quote.location, Severity.ERROR, RULE.id, message, length=quote.length)


def whole_holds(part: PartialQuote, printed: QuotedNumber | Words) -> bool:
    """Whether the whole is what the value is, or what the reason of a literal says."""
    if isinstance(printed, Words) and isinstance(part.whole, RunningQuantity):
        return not misnamed(part.whole.text, printed.reason)
    return part.holds


def printed_advice(part: PartialQuote) -> str:
    """What to write instead of what stands around a printed value, or a literal."""
    if isinstance(part.result.quote.target, LiteralTarget):
        return "its reason does not hold for the whole; put all of it into lit(), or rewrite the sentence"
    if isinstance(part.whole, RunningQuantity):
        return f"{part.result.quote.title} is not that; have the call print sign, bound and unit, or say what holds"
    return "nothing stands behind the whole; print all of it, or rewrite the sentence"


def without_unit(base: Evaluation, path: str, shown: Mapping[int, QuotedNumber | Words]) -> Iterator[Diagnostic]:
    """Values printed bare that have no unit in the text either: behind them, behind what they run to, or in the head."""
    covered = {part.result.location for part in partial_quotes(base.pages[0], base)}
    for result in base.quotes[path]:
        thing = shown.get(result.quote.link.start)
        if (
            not isinstance(thing, QuotedNumber)
            or thing.unit is None
            or not thing.unit.dimension
            or result.location in covered
        ):
            continue
        column = result.quote.column
        text = thing.text if column is None else f"{thing.text} {column}"
        if stands(text, thing.values, thing.unit):
            continue
        judgement = Judgement(Verdict.UNIT_MISSING, thing.text, note=f"have it print its unit, {thing.unit}")
        message = misquoted(thing.text, result.quote.title, judgement)
        yield Diagnostic(result.location, Severity.ERROR, "unit-mismatch", message, length=result.quote.length)
