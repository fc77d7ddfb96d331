"""The sentences of the base of this repository that hold a link, each as a sentence of a document, changed in one place.

Whether a change makes the sentence false is decided here, by arithmetic on the exact value of the link.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

from conftest import own_base

from flopkb.arithmetic.diagnostics import Location
from flopkb.arithmetic.numbers import Quoted
from flopkb.arithmetic.units import parse_unit
from flopkb.base.document import Scalar, Segment, Style
from flopkb.base.evaluate import Evaluation, QuoteResult, with_page
from flopkb.base.link import LiteralTarget, Passage, link_page
from flopkb.base.model import Prose
from flopkb.checking.findings import PageRule
from flopkb.checking.rules import RULES

HEAD = "<!-- flopkb: every number is linked -->\n\n"
PREFIXES = {"MB": "kB", "GB": "MB", "TB": "GB", "GB/s": "MB/s", "TB/s": "GB/s", "W": "mW", "ms": "us", "s": "ms"}
"""Units with the unit of which they hold a thousand."""


@dataclass(frozen=True)
class Sentence:
    """``before`` and ``behind`` stand around a link to ``target`` whose text is ``text``; ``q`` and ``v`` in its unit."""

    before: str
    text: str
    target: str
    behind: str
    q: Fraction
    place: Fraction
    v: Fraction
    unit: str
    """The unit as it is written; empty where there is none."""

    @property
    def divides(self) -> bool:
        """Whether ``over`` stands at the link: then another relation beside it is one of a quotient."""
        return self.before.endswith(" over ") or self.behind.startswith(" over ")

    def said(self, text: str = "", *, before: str = "", behind: str = "") -> str:
        """The sentence with another text in the link, or with something directly before or behind it."""
        return f"{self.before}{before}[{text or self.text}]({self.target}){behind}{self.behind}"


@cache
def base() -> Evaluation:
    """The records of this repository."""
    return own_base().evaluation


def found(sentences: Sequence[str], known: Evaluation) -> list[list[str]]:
    """What is found in each sentence; all of them are paragraphs of one document."""
    text = HEAD + "\n\n".join(sentences) + "\n"
    lines = [0, *(at + 1 for at, c in enumerate(text) if c == "\n")]
    segments = tuple(Segment(at, row, 1) for row, at in enumerate(lines, 1))
    scalar = Scalar(Location("own.md", 1, 1), text, text, Style.LITERAL, segments)
    whole = with_page(known, link_page(Prose("", scalar), "own.md", known.kb), "own.md")
    told: list[list[str]] = [[] for _ in sentences]
    for rule in RULES:
        if isinstance(rule, PageRule):
            for finding in rule.run(whole.pages[0], whole):
                told[(finding.location.line - 3) // 2].append(f"{rule.id}: {finding.message}")
    return told


@cache
def sentences() -> tuple[Sentence, ...]:
    """Every sentence with a plain number in a link, as far as it stands without a finding outside its record."""
    made = [
        sentence
        for id in base().kb.records
        for passage, results in passages(id)
        for result in results
        if (sentence := sentence_of(passage, result)) is not None
    ]
    return tuple(s for s, told in zip(made, found([s.said() for s in made], base()), strict=True) if not told)


def passages(id: str) -> Iterator[tuple[Passage, Sequence[QuoteResult]]]:
    """The prose of a record with what its links stand for."""
    results = iter(base().quotes.get(id, ()))
    for passage in base().passages(id):
        yield passage, [next(results) for _ in passage.quotes]


def sentence_of(passage: Passage, result: QuoteResult) -> Sentence | None:
    """The sentence of a link to one value whose text is digits with or without a unit; None for any other."""
    link, reading = result.quote.link, result.reading
    if result.quote.is_math or isinstance(result.quote.target, LiteralTarget) or len(result.values) != 1:
        return None
    if not isinstance(reading, Quoted) or reading.number is None or not link.text[0].isdigit() or result.quote.column:
        return None
    if reading.qualifier or reading.bound or reading.end or reading.number.suffix or reading.number.numeral.spelled:
        return None
    start, end = passage.reading.sentence_at(link.plain_start)
    first, last = passage.reading.rendered.span(start, end)
    raw = passage.scalar.text
    if not first <= link.start or not link.end <= last or "|" in raw[first:last]:
        return None
    owned = [other for other in passage.reading.links if first <= other.start < last]
    parts, at = [""], first
    for other in owned:
        lead = raw[at : other.start]
        scheme, _, name = other.target.partition(":")
        own = getattr(other.parsed, "record", "") is None and scheme in ("fig", "in", "fact", "claim")
        target = f"{scheme}:{passage.holder}.{name}" if own else other.target
        parts[-1] += lead
        if other is link:
            parts += [target, ""]
        else:
            parts[-1] += f"{raw[other.start : other.text_end]}{raw[other.text_end : other.target_start]}{target})"
        at = other.end
    parts[-1] += raw[at:last]
    scale = reading.unit.scale if reading.unit is not None else Fraction(1)
    before, target, behind = (" ".join(part.split("\n")) for part in parts)
    unit = link.text[reading.number.stop :].strip()
    return Sentence(before, link.text, target, behind, reading.value, reading.place, result.values[0] / scale, unit)


def false_ones(s: Sentence) -> dict[str, str]:
    """The sentence made false in one place, by the kind of change."""
    made: dict[str, str] = {}
    for at, c in enumerate(s.text):
        if not c.isdigit():
            break
        other = "1" if c == "9" else chr(ord(c) + 1)
        if at + 1 == len(s.text) or not s.text[at + 1].isdigit():
            made["digit"] = s.said(f"{s.text[:at]}{other}{s.text[at + 1 :]}")
    made["sign inside"] = s.said(f"-{s.text}")
    made["sign before"] = s.said(before="-")
    made["word before"] = s.said(before="negative ")
    made["factor before"] = s.said(before="two times ")
    low, high = s.v < s.q, s.v > s.q
    bound = "under" if high or not low else "over"
    made["bound inside"] = s.said(f"{bound} {s.text}")
    made["bound before"] = s.said(before="less than " if bound == "under" else "more than ")
    if not s.divides:
        made["relation"] = s.said(behind=f" > [{s.text}]({s.target})")
    if s.unit in ("", "x"):
        made["unit behind"] = s.said(behind=" GB/s")
        made["unit inside"] = s.said(f"{s.text.removesuffix('x')} GB/s")
        made["scale behind"] = s.said(behind="k" if not s.unit else " million")
    elif parse_unit(s.unit).dimension:
        made["unit behind"] = s.said(behind=" per second" if "/s" not in s.unit else "²")
        made["unit inside"] = s.said(f"{s.text}/mm²" if "/" not in s.unit else f"{s.text}²")
    if s.unit in PREFIXES:
        made["prefix"] = s.said(s.text.replace(s.unit, PREFIXES[s.unit]))
    return made


def true_ones(s: Sentence) -> dict[str, str]:
    """The same in other words."""
    made = {"about": s.said(f"about {s.text}")}
    if s.v >= s.q:
        made["at least"] = s.said(f"at least {s.text}")
        made["or more"] = s.said(f"{s.text} or more")
    if s.v <= s.q:
        made["at most"] = s.said(f"at most {s.text}")
    if s.v == s.q:
        made["exactly"] = s.said(f"exactly {s.text}")
    if s.v == s.q and not s.divides:
        made["equal"] = s.said(behind=f" = [{s.text}]({s.target})")
    if s.unit in PREFIXES and s.v == s.q and s.q.denominator == 1:
        made["prefix"] = s.said(f"{int(s.q * 1000):,} {PREFIXES[s.unit]}")
    return made
