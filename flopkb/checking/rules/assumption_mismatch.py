"""A figure assumes something else than it says.

What formulas assume and does not hold, or is not known, goes with each of their values in words. A figure may state these
words, as ``assumes: [trained context exceeded]``, or that there are none, as ``assumes: []``: then a formula that no
longer says so, or says more, is found where it matters. Each text is a line that goes with the value, or its first words.
"""

from __future__ import annotations

from collections.abc import Iterator

from flopkb.base.evaluate import Evaluation, Value
from flopkb.base.model import Record
from flopkb.checking.findings import Finding, RecordRule, at


def check(record: Record, base: Evaluation) -> Iterator[Finding]:
    """What is stated of a figure's assumptions and is not assumed, and what is assumed besides."""
    for figure in record.figures.values():
        value = base.figures.get((record.id, figure.name))
        if figure.assumes is None or not isinstance(value, Value):
            continue
        lines, stated = value.assumes, [text.text for text in figure.assumes]
        for text in figure.assumes:
            if not any(line.startswith(text.text) for line in lines):
                yield at(text, f"the figure {figure.name} does not assume this; {_told(lines)}")
        for line in lines:
            if not line.startswith(tuple(stated)):
                yield at(figure.key, f"the figure {figure.name} also assumes: {line}; say so in its assumes")


def _told(lines: tuple[str, ...]) -> str:
    return f"it assumes: {'; '.join(lines)}" if lines else "it assumes nothing, so drop this"


RULE = RecordRule(id="assumption-mismatch", doc=__doc__, run=check)
