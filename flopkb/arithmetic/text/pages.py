"""What a reader sees of a document: hidden parts blanked out, code told from prose, every character in its place."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from pathlib import PurePath

from flopkb.arithmetic.prose import MARKDOWN
from flopkb.arithmetic.text.comments import comments
from flopkb.arithmetic.text.notebook import cells


class Markup(Enum):
    """How a document is written."""

    MARKDOWN = "markdown"
    HTML = "html"
    LATEX = "latex"
    RST = "restructuredtext"
    ASCIIDOC = "asciidoc"
    TYPST = "typst"
    NOTEBOOK = "notebook"
    SOURCE = "source"
    """The comments and docstrings of a program."""
    LOG = "log"
    PLAIN = "plain"


SUFFIXES = {
    **dict.fromkeys(MARKDOWN, Markup.MARKDOWN),
    **dict.fromkeys((".html", ".htm", ".xhtml"), Markup.HTML),
    **dict.fromkeys((".tex", ".ltx", ".sty"), Markup.LATEX),
    **dict.fromkeys((".rst", ".rest"), Markup.RST),
    **dict.fromkeys((".adoc", ".asciidoc", ".asc"), Markup.ASCIIDOC),
    ".typ": Markup.TYPST, ".ipynb": Markup.NOTEBOOK, ".log": Markup.LOG,
    **dict.fromkeys((".txt", ".text", ".org"), Markup.PLAIN),
}  # fmt: skip
"""The kind of a document by the end of its name."""
SOURCES = frozenset(
    ".py .pyi .js .mjs .jsx .ts .tsx .c .h .cc .cpp .cxx .hpp .hh .cu .cuh .java .kt .go .rs .swift .cs .scala .zig "  # noqa: SIM905
    ".jl .r .rb .sh .bash .lua .sol .f90 .m .php .yaml .yml .toml".split()
)
"""Programs and settings whose comments can be read."""
_STAMPED = re.compile(
    r"[ \t]*\[?(?:[0-9]{4}[-/][0-9]{2}[-/][0-9]{2}[T ]|[0-9]{2}:[0-9]{2}:[0-9]{2}|(?:DEBUG|INFO|WARN(?:ING)?|ERROR)\b)"
)
_HEAD = 400
_LINES_OF_A_LOG = 20


def markup_of(path: str, text: str) -> Markup:
    """The kind of a document by the end of its name, else by how it begins; lines with times are a log's."""
    suffix = PurePath(path).suffix.lower()
    known = SUFFIXES.get(suffix)
    if known not in (None, Markup.PLAIN):
        return known
    head = text[:_HEAD].lstrip().lower()
    if head.startswith(("<!doctype html", "<html", "<?xml")):
        return Markup.HTML
    if head.startswith(("\\documentclass", "\\begin{")):
        return Markup.LATEX
    return Markup.LOG if _is_log(text) else Markup.PLAIN


def _is_log(text: str) -> bool:
    lines = [line for line in text[: 200 * _LINES_OF_A_LOG].split("\n") if line.strip()][:_LINES_OF_A_LOG]
    return len(lines) > 2 and 2 * sum(_STAMPED.match(line) is not None for line in lines) > len(lines)


@dataclass(frozen=True, slots=True)
class Page:
    """``text`` is as long as the document; ``code`` are the parts whose lines stand alone; at ``edges`` nothing goes on."""

    text: str
    code: list[tuple[int, int]]
    edges: list[int]
    hard: bool = False
    """Whether every line stands alone."""

    def is_code(self, at: int) -> bool:
        """Whether the lines around an offset stand alone."""
        index = bisect_left(self.code, (at + 1, 0)) - 1
        return self.hard or (index >= 0 and self.code[index][0] <= at < self.code[index][1])


def page_of(text: str, markup: Markup) -> Page:
    """What a reader sees of a document."""
    if markup is Markup.NOTEBOOK:
        return _notebook(text)
    if markup is Markup.SOURCE:
        seen, parts = comments(text)
        return Page(seen, [], _edges(seen, parts), hard=True)
    seen = visible(text, markup)
    code = list(_CODE.get(markup, _no_code)(seen))
    fences = [match.span() for match in _FENCE.finditer(seen)] if markup is Markup.MARKDOWN else code
    return Page(seen, code, _edges(seen, fences), hard=markup in (Markup.PLAIN, Markup.LOG))


def _notebook(text: str) -> Page:
    seen, parts = cells(text)
    seen = visible(seen, Markup.MARKDOWN)
    code = [(start, end) for start, end, is_code in parts if is_code]
    for start, end, is_code in parts:
        if not is_code:
            code += [(start + a, start + b) for a, b in fenced(seen[start:end])]
    edges = [edge for start, end, _ in parts for edge in (start, end)]
    return Page(seen, sorted(code), sorted([*_edges(seen, code), *edges]))


_HIDES = re.compile(r"<!--|\{/\*|<(script|style|annotation)\b", re.IGNORECASE)
_TEX_COMMENT = re.compile(r"(?<!\\)%[^\n]*")
_NOT_A_LINE_END = re.compile(r"[^\n]")
_BLANK = re.compile(r"\n[ \t>]*(?=\n)")


def visible(text: str, markup: Markup) -> str:
    """The text with what no reader sees blanked out, every character keeping its place."""
    if markup is Markup.LATEX:
        return _TEX_COMMENT.sub(lambda match: " " * len(match[0]), text)
    if markup in _LINE_COMMENTS:
        return _LINE_COMMENTS[markup].sub(lambda match: " " * len(match[0]), text)
    if "<" not in text and "{/*" not in text:
        return text
    out: list[str] = []
    at = 0
    for start, end, sign in _hidden(text):
        out += (text[at:start], sign, _NOT_A_LINE_END.sub(" ", text[start + 1 : end]))
        at = end
    return "".join(out) + text[at:] if out else text


_LINE_COMMENTS = {
    Markup.RST: re.compile(r"^\.\. (?![\w|_\[-]+(?:::|:|\]))[^\n]*", re.MULTILINE),
    Markup.ASCIIDOC: re.compile(r"^//(?!/)[^\n]*", re.MULTILINE),
    Markup.TYPST: re.compile(r"(?<![:/])//[^\n]*"),
}


def _hidden(text: str) -> Iterator[tuple[int, int, str]]:
    """Comments, scripts, styles and annotations, with the sign that stands for each; what is never closed hides nothing."""
    lowered, open_ended, at = text.lower(), set[str](), 0
    while (match := _HIDES.search(text, at)) is not None:
        closer = f"</{match[1].lower()}" if match[1] else "-->" if match[0] == "<!--" else "*/}"
        end = -1 if closer in open_ended else lowered.find(closer, match.end())
        if end < 0:
            open_ended.add(closer)
            at = match.end()
            continue
        at = end + len(closer)
        yield match.start(), at, "|" if match[1] else " "


def _edges(text: str, parts: list[tuple[int, int]]) -> list[int]:
    edges = [match.start() for match in _BLANK.finditer(text)]
    for start, end in parts:
        edges += (start, end)
    return sorted(edges)


_FENCE = re.compile(r"^[ \t>]{0,12}(`{3,}|~{3,})([^\n]*)$", re.MULTILINE)
_PRE = re.compile(r"<(/?)pre\b[^>]{0,400}>", re.IGNORECASE)
_PROSE_FENCE = re.compile(r"\s*\{?(?:math|note|tip|warning|important|admonition|figure)\b")


def fenced(text: str) -> list[tuple[int, int]]:
    """The insides of fenced code blocks of Markdown (a directive of MyST that holds prose or mathematics is none)."""
    found: list[tuple[int, int]] = []
    opening: re.Match[str] | None = None
    for match in _FENCE.finditer(text):
        if opening is None:
            opening = match
        elif match[1][0] == opening[1][0] and len(match[1]) >= len(opening[1]):
            if not _PROSE_FENCE.match(opening[2]):
                found.append((opening.end(), match.start()))
            opening = None
    return found


def _preformatted(text: str) -> list[tuple[int, int]]:
    """The insides of ``<pre>`` elements."""
    found: list[tuple[int, int]] = []
    opening = -1
    for match in _PRE.finditer(text):
        if match[1] and opening >= 0:
            found.append((opening, match.start()))
            opening = -1
        elif not match[1] and opening < 0:
            opening = match.end()
    return found


_LITERAL = re.compile(
    r"^([ ]*)(?:\.\. (?:code|code-block|sourcecode|parsed-literal|prompt)::[^\n]*|[^\n]*(?<!:)::)[ \t]*$", re.MULTILINE
)
_DIRECTIVE = re.compile(r"[ ]*\.\. (?!code|sourcecode|parsed-literal|prompt)[\w-]+::")
_INDENT = re.compile(r"[ \t]*")


def _literal_blocks(text: str) -> list[tuple[int, int]]:
    """The indented blocks behind ``::`` and the code directives of reStructuredText."""
    found: list[tuple[int, int]] = []
    last = 0
    for match in _LITERAL.finditer(text):
        if match.start() < last or _DIRECTIVE.match(match[0]):
            continue
        start = at = match.end()
        while (line := text.find("\n", at)) >= 0:
            indent = _INDENT.match(text, line + 1)
            assert indent is not None
            if len(indent[0]) <= len(match[1]) and text[indent.end() : indent.end() + 1] not in ("", "\n"):
                break
            at = line + 1
        last = at = len(text) if line < 0 else at
        found.append((start, at))
    return found


_DELIMITED = re.compile(r"^(-{4,}|\.{4,}|```)[^\n]*$", re.MULTILINE)


def _delimited(text: str) -> list[tuple[int, int]]:
    """The listing and literal blocks of AsciiDoc, the raw blocks of Typst."""
    found: list[tuple[int, int]] = []
    opening: re.Match[str] | None = None
    for match in _DELIMITED.finditer(text):
        if opening is None:
            opening = match
        elif match[1] == opening[1]:
            found.append((opening.end(), match.start()))
            opening = None
    return found


def _no_code(text: str) -> list[tuple[int, int]]:
    return []


_CODE = {
    Markup.MARKDOWN: fenced, Markup.HTML: _preformatted, Markup.RST: _literal_blocks, Markup.ASCIIDOC: _delimited,
    Markup.TYPST: _delimited,
}  # fmt: skip
