"""Prose of several lines in anything but a ``|`` block.

A folded (``>``), quoted or plain scalar joins its lines, so a finding could no longer name the line of a number, and a
correction would have to be reflowed. Write ``|`` and keep the line breaks.
"""

from __future__ import annotations

from collections.abc import Iterator

from flopkb.base.document import Style
from flopkb.base.evaluate import Evaluation
from flopkb.base.model import Record
from flopkb.checking.findings import Finding, RecordRule


def check(record: Record, base: Evaluation) -> Iterator[Finding]:
    """Every prose field that is folded."""
    for prose in record.prose:
        scalar = prose.scalar
        if scalar.style is Style.FOLDED or (scalar.style is not Style.LITERAL and spans_lines(scalar.segments)):
            yield Finding(
                scalar.location,
                f"{prose.field} is {written(scalar.style)} over several lines, which loses their numbers; "
                "write a | block",
            )


def written(style: Style) -> str:
    """A style in words."""
    return {Style.FOLDED: "a folded block", Style.PLAIN: "plain text"}.get(style, f"{style.value} text")


def spans_lines(segments: tuple[object, ...]) -> bool:
    """Whether a scalar is written over more than one line of the file."""
    lines = {getattr(segment, "line", None) for segment in segments}
    return len(lines) > 1


RULE = RecordRule(id="folded-prose", doc=__doc__, run=check)
