"""A number in prose that nothing stands behind.

Every number in a record's prose is linked to a figure, an input or a recorded value, is part of an equation, or is
linked as a literal with the reason why it is none (``[2](lit:ordinal)``). Exempt are identifiers (H100, FP8), ISO
dates, footnote marks, "Table 2" and the like, arXiv numbers and DOIs, and the names of records. ``flopkb link``
proposes what to link to. In a Markdown document this holds only where it asks for it, with the comment
``<!-- flopkb: every number is linked -->`` or ``flopkb: strict`` in its header.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from flopkb.arithmetic.numbers import ReadError, quantity_at, read, without_count
from flopkb.arithmetic.prose import BareKind, BareNumber
from flopkb.arithmetic.prose.spans import Spans
from flopkb.base.candidates import QuotableValue, own_values, quoted_values
from flopkb.base.evaluate import Evaluation
from flopkb.base.link import Passage
from flopkb.base.matching import best, matches
from flopkb.base.model import QuotingPage, Record, Subject
from flopkb.base.row_tables import in_row_table
from flopkb.checking.findings import Finding, PageRule

_ADVISED = 500
"""For so many numbers of a record it is looked up what they could quote: a megabyte holds a quarter of a million."""


def check(subject: Subject, base: Evaluation) -> Iterator[Finding]:
    """Every number of the record, or of a document that asks for it, that is not linked."""
    for passage in covered(subject, base):
        for start, end in amounts_in_code(passage):
            text = passage.scalar.text[start:end]
            message = f"`{text}` is linked to nothing, and code is no excuse; write it as prose and link it"
            yield Finding(passage.scalar.at(start), message, quoted=text, length=end - start)
    found = [(passage, bare) for passage in covered(subject, base) for bare in passage.reading.bare if is_number(bare)]
    if isinstance(subject, QuotingPage):
        found = [(passage, bare) for passage, bare in found if not in_row_table(bare.start, subject.id, base)]
    values = list(values_near(subject, base)) if found else []
    for number, (passage, bare) in enumerate(found):
        cure = advice(bare, passage, values, base) if number < _ADVISED else literal(bare.text)
        yield Finding(
            passage.scalar.at(bare.start),
            f"{bare.text} is linked to nothing; {cure}",
            quoted=bare.text,
            length=bare.end - bare.start,
        )


def amounts_in_code(passage: Passage) -> Iterator[tuple[int, int]]:
    """The code spans of prose that are an amount of a unit, and nothing else."""
    linked = Spans((link.start, link.end) for link in passage.reading.links)
    for start, end in passage.reading.codes:
        if not linked.hold(start) and is_amount(passage.scalar.text[start:end]):
            yield start, end


def is_amount(text: str) -> bool:
    """Whether a text is a number with a physical unit."""
    try:
        reading = read(text)
    except ReadError:
        return False
    return reading.number is not None and reading.unit is not None and bool(reading.unit.dimension)


def covered(subject: Subject, base: Evaluation) -> tuple[Passage, ...]:
    """The prose in which every number must be linked."""
    passages = base.passages(subject.id)
    return () if isinstance(subject, QuotingPage) and not subject.strict else passages


def is_number(bare: BareNumber) -> bool:
    """Whether it is a number, in digits or in words (``x2`` may be a name, so it counts as a word that multiplies)."""
    return bare.kind is BareKind.NUMBER or bare.text[0] == "×"


def values_near(subject: Subject, base: Evaluation) -> Iterator[QuotableValue]:
    """What the number may quote: the values of the record and those that its prose quotes."""
    if isinstance(subject, Record):
        yield from own_values(subject, base)
    yield from quoted_values(subject.id, base)


def advice(bare: BareNumber, passage: Passage, values: Sequence[QuotableValue], base: Evaluation) -> str:
    """What to link it to, if that is clear."""
    clear = best(matches(bare, passage, values, base.kb.records))
    if clear is not None:
        return f"write [{clear.quantity.text}]({clear.candidate.target})"
    found = quantity_at(passage.reading.plain, bare.plain_start, bare.plain_end)
    text = without_count(found, bare.plain_end).text if found is not None and found.whole else bare.text
    return literal(text)


def literal(text: str) -> str:
    """What to do with a number of which nobody can say what it quotes."""
    return f"link it to a figure, an input or a recorded value, or as a literal: [{text}](lit:reason)"


RULE = PageRule(id="bare-number", doc=__doc__, run=check)
