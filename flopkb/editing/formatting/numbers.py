"""The style of numbers: `0.5` for `.5`, `1e6` for `+1E+06`, `80 GB` for `80GB`. No digit is added or taken away."""

from __future__ import annotations

import re
from collections.abc import Iterator

from flopkb.arithmetic.units import UnitError, parse_amount
from flopkb.base.document import Document, Scalar, Style
from flopkb.editing.formatting.shape import is_amount, is_number, parts
from flopkb.editing.formatting.spans import Spans

_NUMBER = re.compile(r"([+-]?)([0-9]*)(?:\.([0-9]*))?(?:[eE]([+-]?)0*([0-9]+))?", re.ASCII)
_AMOUNT = re.compile(
    r"([+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?) ?((?!(?:Ki|Mi|Gi|Ti)(?![A-Za-z]))[A-Za-zµ].*)",
    re.ASCII | re.DOTALL,
)

Change = tuple[int, int, str]
"""Start, end and what takes the place of the text between."""


def number_changes(document: Document, spans: Spans) -> Iterator[Change]:
    """What changes in the file for its numbers to be in the usual style."""
    for node, part in parts(document):
        if not isinstance(node, Scalar) or "\n" in spans.written(node):
            continue
        if node.style is Style.PLAIN and is_number(node, part):
            styled = styled_number(node.text)
        elif is_amount(part) and isinstance(node.value, str):
            styled = styled_amount(node.text)
        else:
            continue
        inner = 0 if node.style is Style.PLAIN else 1
        start, end = spans.start(node) + inner, spans.end(node) - inner
        if styled != node.text and spans.source[start:end] == node.text:
            yield start, end, styled


def styled_number(text: str) -> str:
    """A number without a plus, with a digit before its point, and a small `e`; other notations stay."""
    match = _NUMBER.fullmatch(text)
    if match is None:
        return text
    sign, whole, part, exponent_sign, exponent = match.groups()
    power = f"e{exponent_sign.strip('+')}{exponent}" if exponent else ""
    return f"{sign.strip('+')}{whole or '0'}{f'.{part}' if part else ''}{power}"


def styled_amount(text: str) -> str:
    """A number and a unit with one space between; anything that would then be read otherwise stays."""
    match = _AMOUNT.fullmatch(text)
    if match is None:
        return text
    styled = f"{styled_number(match[1])} {match[2]}"
    try:
        same = parse_amount(styled) == parse_amount(text)
    except UnitError:
        return text
    return styled if same else text
