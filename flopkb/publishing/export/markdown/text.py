"""Text for Markdown: what is no Markdown escaped, what is Markdown with its links led to the pages of the site.

Prose stays as its author wrote it, character for character, but for the targets of its links, its citations, and what
a renderer might take for HTML.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from flopkb.arithmetic.prose.parts import BlockKind, MarkupPiece, PieceKind
from flopkb.base.link import Passage
from flopkb.base.tables import tables_in
from flopkb.publishing.export.resolved import ResolvedBase, ResolvedQuote
from flopkb.publishing.export.tex import visible
from flopkb.publishing.pages.markdown import code_span

_MARKUP = re.compile(r"[\\`*_\[\]<>|~$]|&(?=[#A-Za-z])")
_LINE_START = re.compile(r"^(?:#{1,6}(?=\s|$)|[+-](?=\s|$)|[0-9]+(?=[.)](?:\s|$))|=+$|-+$)")
_SCHEME = re.compile(r"\]\(\s*<?\s*([A-Za-z][A-Za-z0-9+.-]*):")
_WEB = frozenset({"http", "https", "mailto"})
_VERBATIM = frozenset({PieceKind.CODE, PieceKind.URL})
_MATH = frozenset({PieceKind.MATH, PieceKind.DISPLAY})

Edit = tuple[int, int, str]
Leads = Callable[[ResolvedQuote], str | None]
"""The address that a quote leads to, or None."""


def escaped(text: str) -> str:
    """A text that is no Markdown, on one line, as Markdown that shows it."""
    line = _MARKUP.sub(lambda match: "\\" + match[0], " ".join(visible(text).split()))
    begun = _LINE_START.match(line)
    if begun is None:
        return line
    return f"{begun[0]}\\{line[begun.end() :]}" if begun[0].isdigit() else f"\\{line}"


def code(text: str) -> str:
    """A text as a code span; a bar within it is escaped, as tables ask."""
    line = " ".join(visible(text).split())
    return code_span(line) if line else ""


def prose(
    passage: Passage, quotes: dict[int, ResolvedQuote], base: ResolvedBase, leads: Leads, cite: Callable[[str], str]
) -> str:
    """A passage with its links led elsewhere; ``quotes`` are by the offset at which their link begins."""
    edits = [*link_edits(passage, quotes, leads), *citation_edits(passage, cite)]
    edits += [
        (start, end, captions(table, base, leads, cite, passage))
        for start, end, table in tables_in(passage, base.base.evaluation)
    ]
    taken = [(start, end) for start, end, _ in edits]
    edits += [edit for edit in safety_edits(passage.scalar.text) if not any(a <= edit[0] < b for a, b in taken)]
    return visible(applied(passage.scalar.text, edits))


def applied(text: str, edits: list[Edit]) -> str:
    """The text with its edits."""
    parts, at = [], 0
    for start, end, instead in sorted(edits):
        parts += [text[at:start], instead]
        at = end
    return "".join([*parts, text[at:]])


def link_edits(passage: Passage, quotes: dict[int, ResolvedQuote], leads: Leads) -> Iterator[Edit]:
    """Links of flopkb: with the address on the site, or (where there is none) their text alone."""
    text = passage.scalar.text
    for link in passage.reading.links:
        if text[link.start] != "[":
            yield link.start, link.end, escaped(link.text)
            continue
        close = text.index("]", link.text_end)
        inner = applied(text[link.start + 1 : close], list(safety_edits(text[link.start + 1 : close])))
        quote = quotes.get(link.start)
        address = leads(quote) if quote is not None else None
        yield link.start, link.end, inner if address is None else f"[{inner}]({address})"


def citation_edits(passage: Passage, cite: Callable[[str], str]) -> Iterator[Edit]:
    """``[@a; @b]`` as ``([A 2024](...); [B 2023](...))``."""
    text = passage.scalar.text
    groups: set[tuple[int, int]] = set()
    for cited in passage.reading.citations:
        groups.add((text.rindex("[", 0, cited.start), text.index("]", cited.end)))
        at = cited.start - (2 if text[cited.start - 2] == "-" else 1)
        yield at, cited.end, cite(cited.id)
    for start, end in groups:
        yield start, start + 1, "("
        yield end, end + 1, ")"


def captions(table: str, base: ResolvedBase, leads: Leads, cite: Callable[[str], str], passage: Passage) -> str:
    """A table with the links in its caption led elsewhere."""
    for other in base.base.evaluation.passages(passage.holder):
        if other.prose.field == f"{passage.prose.field}.table" and other.scalar.text.strip() in table:
            quotes = quotes_by_place(base, other)
            table = table.replace(other.scalar.text.strip(), prose(other, quotes, base, leads, cite).strip())
    return table


def quotes_by_place(base: ResolvedBase, passage: Passage) -> dict[int, ResolvedQuote]:
    """The quotes of a passage, by the offset at which their link begins."""
    resolved = base.records[passage.holder].quotes
    results = base.base.evaluation.quotes.get(passage.holder, ())
    own = {id(quote) for quote in passage.quotes}
    return {r.quote.link.start: q for r, q in zip(results, resolved, strict=True) if id(r.quote) in own}


def safety_edits(text: str) -> Iterator[Edit]:
    """What keeps HTML from being HTML and odd addresses from being links."""
    from flopkb.arithmetic.prose.markdown import read_markdown

    blocks = read_markdown(text)
    for block in blocks.prose:
        if block.kind is BlockKind.HTML:
            yield from less_than(text, block.start, block.end)
            continue
        at = block.start
        for piece in block.inlines.pieces:
            yield from less_than(text, at, piece.start)
            yield from piece_edits(text, piece)
            at = max(at, piece.end)
        yield from less_than(text, at, block.end)
    for definition in blocks.definitions.values():
        if bad_address(text[definition.start : definition.end]):
            bracket = text.rfind("[", 0, definition.start)
            yield bracket, bracket, "\\"


def piece_edits(text: str, piece: MarkupPiece) -> Iterator[Edit]:
    """What is done to a piece of markup."""
    if piece.kind in _VERBATIM:
        return
    if piece.kind in _MATH:
        for match in re.finditer("<", text[piece.start : piece.end]):
            yield piece.start + match.start(), piece.start + match.end(), r"\lt "
    elif piece.kind is PieceKind.CLOSE:
        address = _SCHEME.match(text, piece.start, piece.end)
        if address is not None and address[1].lower() not in _WEB:
            yield piece.start, piece.start, "\\"
    else:
        yield from less_than(text, piece.start, piece.end)


def less_than(text: str, start: int, end: int) -> Iterator[Edit]:
    """A backslash before each ``<``, unless there is one."""
    for match in re.finditer("<", text[start:end]):
        at = start + match.start()
        if at == 0 or text[at - 1] != "\\":
            yield at, at, "\\"


def bad_address(address: str) -> bool:
    """Whether an address has a scheme that is none of the web's."""
    scheme, colon, _ = address.strip("<> ").partition(":")
    return bool(colon) and scheme.isascii() and scheme.replace("+", "").isalnum() and scheme.lower() not in _WEB
