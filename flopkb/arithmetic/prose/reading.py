"""Markdown prose, read: from text to the links, numbers and equations in it, with every offset true to the source."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

from flopkb.arithmetic.prose.bare import HOLE, bare_numbers, multiplying_words, spelled_numbers
from flopkb.arithmetic.prose.parts import (
    BareKind,
    BareNumber,
    BlockKind,
    Citation,
    CodeBlock,
    Comment,
    Equation,
    EquationKind,
    Link,
    MarkupPiece,
    Occurrence,
    PieceKind,
    Placeholder,
    RawLink,
    Stretch,
    TableDirective,
)
from flopkb.arithmetic.prose.plain import (
    Builder,
    Mapped,
    is_placeholder_tag,
    last_sentence_end,
    occurrences,
    placeholders,
    sentence_at,
    sentence_ends,
)
from flopkb.arithmetic.prose.targets import parse_target

TABLE_INFO = "flopkb-table"
_EQUALS = re.compile(r"(?<![<>!:+/|-])==?(?![>=])|[≈≅≃]|\\(?:approx|simeq|cong)\b")
_ORDERS = re.compile(
    r"[\w)\]}%]\s*(?:[<>]=?|[≤≥≠]|!=|\\(?:[lg](?:t|e|eq|eqslant)?|neq?)(?![A-Za-z]))(?![<>|=-])\s*[\w(\\$.−]"
)
_SUBSCRIPT = re.compile(r"_(?:\{[^{}]*\}|\w)")
_ELLIPSIS = re.compile(r"\s*(?:…|\.\.\.)\s*$")


@dataclass(frozen=True)
class ProseReading:
    """What stands in a Markdown text; offsets are into it, in the order of the text.

    ``plain`` is what a reader sees of the prose (code spans in it, code blocks not): white space collapsed, one block a
    line; :meth:`source_at` leads back. Numbers in the text of a claim's link or of a web link are bare as anywhere.
    ``codes`` are the insides of code spans, ``closed`` are links, images, titles and HTML: no link can stand in them.
    """

    text: str = field(repr=False)
    links: tuple[Link, ...]
    citations: tuple[Citation, ...]
    bare: tuple[BareNumber, ...]
    equations: tuple[Equation, ...]
    tables: tuple[TableDirective, ...]
    placeholders: tuple[Placeholder, ...]
    comments: tuple[Comment, ...]
    codes: tuple[tuple[int, int], ...]
    closed: tuple[tuple[int, int], ...]
    rendered: Mapped = field(repr=False)

    @property
    def plain(self) -> str:
        """The prose as a reader sees it."""
        return self.rendered.text

    def source_at(self, plain_offset: int) -> int:
        """Where a character of ``plain`` stands in the source."""
        return self.rendered.at(plain_offset)

    def takes_link(self, start: int, end: int) -> bool:
        """Whether brackets around ``start:end`` of the source would make a link, and break none."""
        return not any(first < end and start < last for first, last in self.closed)

    @cached_property
    def _sentence_ends(self) -> tuple[int, ...]:
        return sentence_ends(self.plain)

    @property
    def sentences(self) -> Iterator[tuple[int, int]]:
        """The spans of all sentences in ``plain``."""
        at = 0
        for end in self._sentence_ends:
            start = at + len(self.plain[at:end]) - len(self.plain[at:end].lstrip())
            if start < end:
                yield start, end
            at = end

    def sentence_at(self, plain_offset: int) -> tuple[int, int]:
        """The span in ``plain`` of the sentence that holds ``plain_offset``."""
        return sentence_at(self.plain, self._sentence_ends, plain_offset)

    def find(self, effect: str) -> tuple[Occurrence, ...]:
        """Where ``effect`` stands in the prose: all of it, or its first words and ``…``; Markdown in it is rendered."""
        words = _ELLIPSIS.sub("", effect)
        prefix = words != effect
        places = list(occurrences(self.plain, words))
        if not places:
            words = read_plain(words)
            places = list(occurrences(self.plain, words))
        length = len(" ".join(words.split()))
        return tuple(self._occurrence(at, at + length, prefix=prefix) for at in places)

    def _occurrence(self, start: int, end: int, *, prefix: bool) -> Occurrence:
        sentence_end = last_sentence_end(self._sentence_ends, end)
        first, last = (start, sentence_end) if prefix else (self.sentence_at(start)[0], sentence_end)
        inside = tuple(link for link in self.links if first <= link.plain_start and link.plain_end <= last)
        stop = last if prefix else end
        return Occurrence(start, stop, *self.rendered.span(start, stop), inside)


def read_plain(text: str) -> str:
    """What a reader sees of a short Markdown text, on one line: a link is its text, a citation nothing."""
    return _ProseRenderer(text, frozenset(), front_matter=False).rendered.text.replace("\n", " ")


def read_prose(text: str, names: frozenset[str] = frozenset(), *, front_matter: bool = False) -> ProseReading:
    """Read Markdown prose. Numbers within ``names`` (of records) are exempt.

    With ``front_matter`` a YAML header at the beginning of a document is no prose.
    """
    return _ProseRenderer(text, names, front_matter=front_matter).reading()


class _ProseRenderer:
    """Renders block after block and notes what is found on the way."""

    def __init__(self, text: str, names: frozenset[str], *, front_matter: bool) -> None:
        self.text = text
        self.names = names
        from flopkb.arithmetic.prose.markdown import read_markdown  # loads markdown-it-py

        self.blocks = read_markdown(text, front_matter=front_matter)
        self.source = self.blocks.masked
        self.builder = Builder()
        self.links: list[RawLink] = []
        self.citations: list[Citation] = []
        self.titles: list[tuple[int, int]] = []
        self.comments: list[tuple[int, int]] = []
        self.codes: list[tuple[int, int]] = []
        self.closed: list[tuple[int, int]] = []
        self.equations: list[Equation] = []
        # Spans of the plain text: what is no prose for numbers; code and mathematics; mathematics without an equation.
        self.holes: list[tuple[int, int]] = []
        self.quiet: list[tuple[int, int]] = []
        self.mathematics: list[tuple[int, int]] = []
        self.breaks: list[int] = []  # where emphasis was, in the plain text
        self.left: list[tuple[int, int]] = []  # tags that are placeholders
        self.open: RawLink | None = None  # the link whose text is being rendered, and the kinds of pieces in it
        self.seen: list[PieceKind] = []
        for block in self.blocks.prose:
            self.block(block)
        self.asides()
        self.rendered = self.builder.build()

    def block(self, block: Stretch) -> None:
        """Render one stretch."""
        self.builder.open_block(block.start)
        at = block.start
        for piece in block.inlines.pieces:
            self.seen_text(at, piece.start)
            self.piece(piece)
            at = piece.end
        self.seen_text(at, block.end)
        self.citations += block.inlines.citations
        self.titles += block.inlines.titles
        self.comments += block.inlines.comments
        self.closed += [(block.start, block.end)] if block.kind is BlockKind.HTML else block.inlines.closed
        self.left += [span for span in block.inlines.tags if is_placeholder_tag(self.source[slice(*span)])]

    def seen_text(self, start: int, end: int) -> None:
        """Text that is seen as it stands."""
        if start < end:
            first, last = self.builder.verbatim(self.source, start, end)
            self.note(PieceKind.RENDERED, first, last)

    def note(self, kind: PieceKind, start: int, end: int) -> None:
        """Something was rendered: if it is in the text of a link, that is where it counts."""
        if self.open is not None and start < end:
            self.seen.append(kind)
            if not self.open.prose:
                self.holes.append((start, end))

    def piece(self, piece: MarkupPiece) -> None:
        """Render one piece."""
        kind, builder = piece.kind, self.builder
        if kind is PieceKind.RENDERED:
            builder.rendered(piece.text, piece.start, piece.end)
            self.note(kind, builder.length - len(piece.text.strip(" \n\t")), builder.length)
        elif kind is PieceKind.EMPHASIS:
            self.breaks.append(builder.length)
        elif kind is PieceKind.CITATION:
            builder.forget_space()
        elif kind is PieceKind.OPEN:
            if piece.link is not None:
                self.open, self.seen = piece.link, []
                piece.link.plain = (builder.length, builder.length)
        elif kind is PieceKind.CLOSE:
            if piece.link is not None:
                self.close(piece.link)
        else:
            span = builder.verbatim(self.source, piece.inner_start, piece.inner_end)
            self.note(kind, *span)
            self.formal(piece, span)

    def close(self, link: RawLink) -> None:
        """The text of a link has been rendered."""
        link.plain = (link.plain[0], self.builder.length)
        link.only = self.seen[0] if len(self.seen) == 1 else None
        self.open = None
        if link.scheme is not None:
            self.links.append(link)

    def formal(self, piece: MarkupPiece, span: tuple[int, int]) -> None:
        """An autolink or code (no prose), an equation, or mathematics without one (prose, but for subscripts)."""
        if piece.kind is PieceKind.URL:
            self.holes.append(span)
            if piece.link is not None:
                piece.link.plain = span
                self.links.append(piece.link)
            return
        start, end = piece.inner_start, piece.inner_end
        equation = _EQUALS.search(self.source, start, end) is not None
        self.quiet.append(span)
        if piece.kind is PieceKind.CODE:
            self.codes.append((start, end))
        if equation or piece.kind is PieceKind.CODE:
            self.holes.append(span)
        else:
            self.mathematics.append(span)
        related = equation or _ORDERS.search(self.source, start, end) is not None
        if related and (self.open is None or self.open.prose):
            text = self.source[start:end].replace("\0", " ")
            self.equations.append(Equation(text, start, end, EquationKind(piece.kind.value), "", *span))

    def asides(self) -> None:
        """Titles of links, which readers see when they point at them, follow the prose."""
        for start, end in self.titles:
            self.builder.open_block(start)
            self.builder.verbatim(self.source, start, end)

    def reading(self) -> ProseReading:
        """Put the reading together."""
        links = tuple(sorted((self.link(found) for found in self.links), key=lambda link: link.start))
        tables = [_table(self.source, code) for code in self.blocks.code if _is_table(code)]
        rows = [equation for code in self.blocks.code for equation in _rows(self.source, code)]
        return ProseReading(
            self.text,
            links,
            tuple(sorted(self.citations, key=lambda citation: citation.start)),
            tuple(sorted(self.bare(), key=lambda number: number.start)),
            tuple(sorted([*self.equations, *rows], key=lambda equation: equation.start)),
            tuple(tables),
            tuple(sorted(self.placeholders(), key=lambda left: left.start)),
            tuple(Comment(self.text[start:end], start, end) for start, end in self.comments),
            tuple(self.codes),
            tuple(sorted([*self.closed, *self.titles])),
            self.rendered,
        )

    def link(self, raw: RawLink) -> Link:
        """A link with its text as it is seen."""
        plain, (start, end) = self.rendered.text, raw.plain
        while start < end and plain[start] in " \n":
            start += 1
        target = self.source[raw.target.start : raw.target.end]
        text_start, text_end = self.rendered.span(start, end) if start < end else (raw.inner, raw.inner)
        return Link(
            plain[start:end],
            text_start,
            text_end,
            raw.start,
            raw.end,
            raw.scheme or "",
            target.replace("\0", ""),
            raw.target.start,
            parse_target(target, raw.target.start),
            code=raw.only is PieceKind.CODE,
            math=raw.only in (PieceKind.MATH, PieceKind.DISPLAY),
            plain_start=start,
            plain_end=end,
        )

    def bare(self) -> Iterator[BareNumber]:
        """The numbers and multiplying words that are neither linked nor exempt."""
        scanned = _with_holes(self.rendered.text, [*self.holes, *self.subscripts()])
        for start, end, multiplier in bare_numbers(scanned, self.breaks, self.names):
            yield self.number(start, end, BareKind.WORD if multiplier else BareKind.NUMBER)
        words = list(multiplying_words(scanned))
        for start, end in spelled_numbers(scanned, words):
            yield self.number(start, end, BareKind.NUMBER)
        for start, end in words:
            yield self.number(start, end, BareKind.WORD)

    def number(self, start: int, end: int, kind: BareKind) -> BareNumber:
        return BareNumber(self.rendered.text[start:end], *self.rendered.span(start, end), kind, start, end)

    def subscripts(self) -> Iterator[tuple[int, int]]:
        """Subscripts in mathematics belong to an identifier."""
        for start, end in self.mathematics:
            for subscript in _SUBSCRIPT.finditer(self.rendered.text, start, end):
                yield subscript.span()

    def placeholders(self) -> Iterator[Placeholder]:
        """Placeholders in prose, and tags that are none."""
        plain, quiet = self.rendered.text, sorted(self.quiet)
        index = 0
        for start, end in placeholders(plain):
            while index < len(quiet) and quiet[index][1] <= start:
                index += 1
            if index == len(quiet) or end <= quiet[index][0]:
                yield Placeholder(plain[start:end], *self.rendered.span(start, end))
        for start, end in self.left:
            yield Placeholder(self.text[start:end], start, end)


def _with_holes(plain: str, holes: list[tuple[int, int]]) -> str:
    """The plain text with holes where nothing is prose, character for character."""
    parts, at = [], 0
    for start, end in sorted(holes):
        if end > at:
            parts += [plain[at : max(at, start)], HOLE * (end - max(at, start))]
            at = end
    return "".join([*parts, plain[at:]])


def _is_table(code: CodeBlock) -> bool:
    return code.info.split(maxsplit=1)[:1] == [TABLE_INFO]


def _table(source: str, code: CodeBlock) -> TableDirective:
    """The body of a table directive, without the indentation of what holds it."""
    starts, sources, parts, length = [], [], [], 0
    for start, end in code.rows:
        starts.append(length)
        sources.append(start)
        parts.append(source[start:end] + "\n")
        length += len(parts[-1])
    body = Mapped("".join(parts), tuple(starts), tuple(sources), (-1,) * len(starts))
    return TableDirective(body, code.start, code.end, code.info)


def _rows(source: str, code: CodeBlock) -> Iterator[Equation]:
    """The lines of a code block that hold an equation or another relation."""
    if _is_table(code):
        return
    for start, end in code.rows:
        row = source[start:end]
        if _EQUALS.search(row) or _ORDERS.search(row):
            left = start + len(row) - len(row.lstrip())
            yield Equation(row.strip(), left, start + len(row.rstrip()), EquationKind.FENCE, code.info)
