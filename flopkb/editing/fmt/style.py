"""What is changed within a line: the style of numbers, and blanks.

`0.5` for `.5`, `1e6` for `+1E+06`, `80 GB` for `80GB`; no digit is added or taken away. One blank behind `:` and `-`, none at
the end of a line, no two blank lines in a row.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from flopkb.arithmetic.units import UnitError, parse_amount
from flopkb.base.document import Document, Mapping, Node, Scalar, Style, scalars
from flopkb.base.writing import Change
from flopkb.editing.fmt.nodes import Spans, is_amount, is_number, parts

_NUMBER = re.compile(r"([+-]?)([0-9]*)(?:\.([0-9]*))?(?:[eE]([+-]?)0*([0-9]+))?", re.ASCII)
_AMOUNT = re.compile(
    r"([+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?) ?((?!(?:Ki|Mi|Gi|Ti)(?![A-Za-z]))[A-Za-zµ].*)",
    re.ASCII | re.DOTALL,
)


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
    """A number without a plus, with a digit before its point, and a small `e`; other notations stay.

    An exponent keeps its plus: without it ``1.0e+2`` is text to a YAML 1.1 reader.
    """
    match = _NUMBER.fullmatch(text)
    if match is None:
        return text
    sign, whole, part, exponent_sign, exponent = match.groups()
    power = f"e{exponent_sign}{exponent}" if exponent else ""
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


_COLON = re.compile(r"[ \t]*:[ \t]*")
_DASH = re.compile(r"(?<![^ \t\n])-([ \t]{2,}|\t)\Z")
_BLOCKS = (Style.LITERAL, Style.FOLDED)


def spacing_changes(node: Node, spans: Spans) -> Iterator[Change]:
    """What changes around the colons and dashes of what is not in brackets."""
    if isinstance(node, Scalar) or spans.is_flow(node):
        return
    if isinstance(node, Mapping):
        for key, value in node:
            yield from _colon(spans.end(key), spans.start(value), value, spans)
            yield from spacing_changes(value, spans)
    else:
        for item in node:
            yield from _dash(item, spans)
            yield from spacing_changes(item, spans)


def _colon(end: int, start: int, value: Node, spans: Spans) -> Iterator[Change]:
    """``key : value`` to ``key: value``; an empty value, or one on the next line, has no blank before it."""
    match = _COLON.match(spans.source, end)
    if match is None or match.end() > start:
        colon = spans.source.index(":", end) if match else end
        if colon > end and not spans.source[end:colon].strip(" \t"):
            yield end, colon + 1, ":"
        return
    same_line = match.end() == start
    wanted = ": " if same_line else ":"
    stop = match.end() if same_line else end + match[0].index(":") + 1
    if spans.source[end:stop] != wanted:
        yield end, stop, wanted


def _dash(item: Node, spans: Spans) -> Iterator[Change]:
    """``-   item`` to ``- item``; a mapping below a dash keeps its column, which its other keys share."""
    start = spans.start(item)
    if (not isinstance(item, Scalar) and not spans.is_flow(item)) or spans.end(item) == start:
        return
    line = spans.places.starts[spans.line(start)]
    match = _DASH.search(spans.source[line:start])
    if match:
        yield line + match.start(), start, "- "


def without_stray_blanks(document: Document) -> str:
    """The source without blanks at the ends of lines and without blank lines that say nothing."""
    kept = set(_kept(document.root, Spans(document)))
    found: list[tuple[str, bool]] = []
    for number, line in enumerate(document.source.removesuffix("\n").split("\n")):
        if number in kept:
            found.append((line, True))
            continue
        text = line.rstrip(" \t\r")
        if text or (found and found[-1][0].strip()):
            found.append((text + ("\r" if line.endswith("\r") else ""), False))
    while found and not found[-1][1] and not found[-1][0].strip():
        found.pop()
    return "".join(f"{line}\n" for line, _ in found)


def _kept(node: Node, spans: Spans) -> Iterator[int]:
    """The lines whose ends belong to a text of several lines."""
    for scalar in scalars(node):
        first, last = spans.line(spans.start(scalar)), spans.line(spans.end(scalar))
        yield from range(first + 1, last + 1) if scalar.style in _BLOCKS else range(first, last)
