"""Texts with the expected places marked by guillemets, so that a test shows what it expects where it stands."""

from __future__ import annotations

import re

from flopkb.arithmetic.prose import ProseReading, read_prose

Span = tuple[int, int]


def marked(text: str) -> tuple[str, list[Span]]:
    """``text`` without its guillemets, and the spans that they enclosed."""
    plain, spans, start = "", [], 0
    for part in re.split("([«»])", text):
        if part == "«":
            start = len(plain)
        elif part == "»":
            spans.append((start, len(plain)))
        else:
            plain += part
    return plain, spans


def bare_spans(reading: ProseReading) -> list[Span]:
    """Where the bare numbers and words are."""
    return [(number.start, number.end) for number in reading.bare]


def assert_bare(text: str, names: frozenset[str] = frozenset()) -> ProseReading:
    """Exactly the marked places are bare; the reading, for more questions."""
    source, expected = marked(text)
    reading = read_prose(source, names)
    assert bare_spans(reading) == expected, [source[slice(*span)] for span in bare_spans(reading)]
    return reading


def shown(source: str, spans: list[Span]) -> list[str]:
    """The texts at ``spans``."""
    return [source[start:end] for start, end in spans]
