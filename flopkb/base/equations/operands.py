"""The numbers of a passage, linked or not, and the runs that signs or words make of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from flopkb.arithmetic.numbers import Quoted, ReadError, quantity_at, read
from flopkb.arithmetic.prose.spans import Spans
from flopkb.base.evaluate import QuoteResult
from flopkb.base.link import LiteralTarget, Passage

SPACE = "[ \u00a0\u202f\u2009]"
IS = (
    rf"{SPACE}(?:is|are|was|were|remains?|stays?|lies|stands|sits){SPACE}"
    rf"(?:(?:well|far|just|slightly|still|already|always|never{SPACE}not){SPACE})?"
)
"""What says of a number how it stands to the next."""
RELATIONS: Mapping[str, Callable[[Fraction, Fraction], bool]] = {
    "<": lambda a, b: a < b, "<=": lambda a, b: a <= b, ">": lambda a, b: a > b, ">=": lambda a, b: a >= b,
    "≠": lambda a, b: a != b, "=": lambda a, b: a == b, "≈": lambda a, b: a == b,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Operand:
    """A number of a run at ``start:end`` of the plain text; ``result`` is what its link stands for (None: it has none)."""

    text: str
    start: int
    end: int
    result: QuoteResult | None = None

    @property
    def backed(self) -> bool:
        """Whether a value stands behind it."""
        return self.result is not None and not isinstance(self.result.quote.target, LiteralTarget)

    @property
    def reading(self) -> Quoted | None:
        """The number, if it can be read."""
        try:
            return read(self.text)
        except ReadError:
            return None


@dataclass(frozen=True, slots=True)
class Run:
    """Numbers with what joins each to the next: an operator, a relation, ``to``, or nothing at all."""

    operands: tuple[Operand, ...]
    joints: tuple[str, ...]
    opening: str = ""
    """The brackets before the first of them."""

    @property
    def related(self) -> bool:
        """Whether it is an equation or a comparison."""
        return any(joint.strip("()") in RELATIONS for joint in self.joints)

    def sides(self) -> Iterator[tuple[str, tuple[Operand, ...], str]]:
        """Each side with the relation before it (empty before the first), its numbers and its text."""
        relation, own, text = "", [self.operands[0]], self.opening + self.operands[0].text
        for joint, operand in zip(self.joints, self.operands[1:], strict=True):
            sign = joint.strip("()")
            if sign in RELATIONS:
                behind = joint[joint.index(sign) + len(sign) :]
                yield relation, tuple(own), text + joint[: joint.index(sign)]
                relation, own, text = sign, [operand], behind + operand.text
            else:
                own.append(operand)
                text += joint + operand.text
        yield relation, tuple(own), text


def operands_of(passage: Passage, results: Sequence[QuoteResult]) -> Iterator[Operand]:
    """The links of a passage that show a number, and the numbers that are not linked, each with its unit."""
    plain = passage.reading.plain
    shown = [result for result in results if not result.quote.is_math and result.quote.link.scheme != "claim"]
    for result in shown:
        link = result.quote.link
        if link.text:
            yield Operand(link.text, link.plain_start, link.plain_end, result)
    spans = Spans((result.quote.link.plain_start, result.quote.link.plain_end) for result in shown)
    for bare in passage.reading.bare:
        low, high = spans.room(bare.plain_start, bare.plain_end, len(plain))
        found = quantity_at(plain, bare.plain_start, bare.plain_end, low, high)
        inside = found is not None and low <= found.start and found.stop <= high
        if found is not None and inside:
            yield Operand(found.text, found.start, found.stop)
        else:
            yield Operand(bare.text, bare.plain_start, bare.plain_end)


def of_one_unit(a: Operand, b: Operand) -> bool:
    """Whether both are measured, in units of one dimension."""
    units = [operand.reading.unit for operand in (a, b) if operand.reading is not None]
    dimensions = [unit.dimension for unit in units if unit is not None]
    return len(dimensions) == 2 and dimensions[0] == dimensions[1] != ()
