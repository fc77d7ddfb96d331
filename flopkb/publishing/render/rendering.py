"""From a template to a finished document (header, sandbox, prose rules, reading, numbering) and to its files.

The last part says whether a file still says what its template would say now: how the page looks, the drawing of a plot
and the version of a base in which nothing that is quoted has changed are no part of what a document says.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from html.parser import HTMLParser
from itertools import zip_longest
from pathlib import Path

from flopkb.arithmetic.diagnostics import Diagnostic, Location, Severity, on_one_line
from flopkb.base.claims import tested_mark
from flopkb.base.faults import did_you_mean
from flopkb.base.link import ClaimTarget
from flopkb.base.model import Kind
from flopkb.checking.api import Base
from flopkb.publishing.pages import bibliography
from flopkb.publishing.pages.blocks import (
    Block,
    BlockQuote,
    Captioned,
    Finished,
    Heading,
    Paragraph,
    Picture,
    References,
    Stated,
)
from flopkb.publishing.pages.inlines import Flow, Inline, Words
from flopkb.publishing.pages.writing import plain
from flopkb.publishing.provenance import base_version
from flopkb.publishing.render.api import Api
from flopkb.publishing.render.assembly import Assembly, Found
from flopkb.publishing.render.header import Header, read_header
from flopkb.publishing.render.objects import CiteThing, Opening
from flopkb.publishing.render.prose import findings
from flopkb.publishing.render.reading import DocumentReader, Parsed, parsed
from flopkb.publishing.render.sandbox import LARGEST_TEMPLATE, Sandbox
from flopkb.publishing.render.template_text import Bad, Expanded, TemplateFault, expand, place, placed

FORMATS = {"html": (".html", ".htm"), "markdown": (".md", ".markdown"), "latex": (".tex", ".latex")}
"""The formats and the endings of files that mean them."""


@dataclass(frozen=True, slots=True)
class Rendered:
    """A document, or what keeps the template from becoming one."""

    document: Finished | None
    diagnostics: tuple[Diagnostic, ...] = ()


def render(template: str, path: str, base: Base) -> Rendered:
    """The document that a template gives; ``path`` is how the template is reported."""
    source = template.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    if len(source) > LARGEST_TEMPLATE:
        fault = TemplateFault(f"a template has at most {LARGEST_TEMPLATE:,} characters", 0)
        return Rendered(None, (diagnosed(fault, "", path),))
    try:
        return Rendering(source, path, base).rendered()
    except TemplateFault as fault:
        return Rendered(None, (diagnosed(fault, source, path),))
    except Bad as bad:
        return Rendered(None, (diagnosed(TemplateFault(bad.reason, 0, bad.rule), source, path),))
    except RecursionError:
        return Rendered(None, (diagnosed(TemplateFault("the document is nested too deeply", 0), source, path),))


def diagnosed(fault: TemplateFault, source: str, path: str) -> Diagnostic:
    """A fault with its line and column."""
    return Diagnostic(place(source, fault.offset, path), Severity.ERROR, fault.rule, on_one_line(fault.reason, 299))


class Rendering:
    """One render."""

    def __init__(self, source: str, path: str, base: Base) -> None:
        self.source, self.path, self.base = source, path, base
        self.header: Header = read_header(source, self.offset_of)
        self.api = Api(base, self.header)
        self.sandbox = Sandbox(source, self.header.end, self.api.functions(), self.api.place)
        self.api.site = lambda: self.sandbox.environment.site
        self.source_ids = frozenset(r.id for r in base.records.values() if r.kind is Kind.SOURCE)

    def offset_of(self, where: Location) -> int:
        """The offset of a place in the header."""
        at = 0
        for _ in range(where.line - 1):
            at = self.source.find("\n", at) + 1
        return at + where.column - 1

    def rendered(self) -> Rendered:
        marked = self.sandbox.run()
        expanded = placed(expand(marked, self.sandbox.environment.pieces, self.source), self.api.placed)
        tokens = parsed(expanded.text, expanded.offset)
        found = findings(expanded, self.api.placed, self.source, self.path, self.base.evaluation)
        if found:
            return Rendered(None, tuple(found))
        first, _ = self.read(expanded, tokens, {}, None)
        self.check_notes(expanded, tokens)
        cited = first.found.citation_order()
        self.check_use(first.found, cited)
        try:
            entries = bibliography.references(cited, self.base.records, self.header.citation_style) if cited else []
        except bibliography.StyleFault as fault:
            raise TemplateFault(str(fault), self.header.offsets.get("citation_style", 0)) from None
        second, blocks = self.read(expanded, tokens, {entry.id: entry.children for entry in entries}, first.found)
        return Rendered(self.finished(second, blocks))

    def read(
        self, expanded: Expanded, tokens: Parsed, entries: dict[str, tuple[Inline, ...]], known: Found | None
    ) -> tuple[Assembly, tuple[Block, ...]]:
        """One reading of the text."""
        assembly = Assembly(self.api.placed, entries, self.source_ids, list(self.api.rows), known, self.claim_mark)
        return assembly, DocumentReader(expanded.text, assembly, expanded.offset, tokens).read()

    def claim_mark(self, target: str) -> str:
        """What follows words that are linked to a claim: that it is only tested."""
        record, _, name = target.partition(":")[2].rpartition(".")
        return tested_mark(ClaimTarget(record, name), self.base.evaluation)

    def check_notes(self, expanded: Expanded, tokens: Parsed) -> None:
        """Every note is referred to."""
        for label, number in tokens.notes.items():
            if number < 0:
                name = label.removeprefix(":")
                at = expanded.text.find(f"[^{name}]:")
                raise TemplateFault(f"nothing refers to the note [^{name}]", expanded.offset(at), "unused-note")

    def check_use(self, found: Found, cited: list[str]) -> None:
        """Everything made is printed; what the header declares is what is cited."""
        printed = {id(thing.thing if isinstance(thing, Opening) else thing) for thing, _ in self.api.placed}
        for thing, offset in self.api.made:
            if id(thing) not in printed:
                what = "this citation" if isinstance(thing, CiteThing) else "this"
                raise TemplateFault(
                    f"{what} is made and printed nowhere",
                    offset,
                    "unused-citation" if isinstance(thing, CiteThing) else "template",
                )
        for value, offset in self.api.told:
            if value not in self.api.inputs:
                raise TemplateFault("no figure of this document has this number as an input", offset, "bare-number")
        declared = self.header.sources
        if declared is None:
            return
        for source, offset in declared.items():
            if source not in self.source_ids:
                raise TemplateFault(
                    f"{source} is no source of the base{did_you_mean(source, self.source_ids)}",
                    offset,
                    "missing-citation",
                )
            if source not in cited:
                raise TemplateFault(f"the source {source} is declared and never cited", offset, "unused-citation")
        for source in cited:
            if source not in declared:
                at = self.header.offsets["sources"]
                raise TemplateFault(
                    f"the document cites {source}, which its sources: do not list", at, "missing-citation"
                )

    def finished(self, assembly: Assembly, blocks: tuple[Block, ...]) -> Finished:
        title: Flow = (Words(self.header.title),) if self.header.title else ()
        if not title and blocks and isinstance(blocks[0], Heading) and blocks[0].level == 1:
            title, blocks = blocks[0].children, blocks[1:]
        if not title:
            title = (Words("Untitled"),)
        if assembly.found.citation_order() and not any(isinstance(block, References) for block in blocks):
            blocks = (*blocks, Heading(2, (Words("References"),), "references"), *assembly.block(None, 0))
        subtitle: Flow = (Words(self.header.subtitle),) if self.header.subtitle else ()
        description = self.header.description or first_words(blocks)
        return Finished(
            title,
            subtitle,
            self.header.authors,
            self.header.date,
            self.header.language,
            blocks,
            assembly.notes(),
            str(base_version(self.base)),
            description,
        )


def first_words(blocks: Iterable[Block]) -> str:
    """The first sentence of the document, for search results."""
    for block in blocks:
        if isinstance(block, Paragraph):
            return plain(block.children).partition(". ")[0][:200]
    return ""


_VERSION = re.compile(r"flopkb [^\s,]+, base of [0-9]+ records, last updated [0-9a-z-]+, digest [0-9a-f]+")
_SKIPPED = ("style", "svg", "math")
_TOLD = ("href", "id", "alttext", "aria-label", "data-values", "content", "title")
_VOID = ("meta", "link", "br", "hr")


def files_of(document: Finished, output: Path, form: str) -> dict[Path, bytes]:
    """The files to write with their bytes: plots beside ``output``, the document last, so that it never lacks one."""
    if form == "html":
        from flopkb.publishing.pages.html import html

        return {output: html(document).encode("utf-8")}
    from flopkb.publishing import plot

    stem = output.name.partition(".")[0] or "document"
    ending = "svg" if form == "markdown" else "pdf"
    files = {
        output.parent / f"{stem}-{p.name}.{ending}": plot.drawn(p.chart, ending, p.name)
        for p in pictures(document.blocks)
    }
    if form == "markdown":
        from flopkb.publishing.pages.markdown import markdown

        text = markdown(document, stem)
    else:
        from flopkb.publishing.pages.latex import latex

        text = latex(document, stem)
    return {**files, output: text.encode("utf-8")}


def pictures(blocks: tuple[Block, ...]) -> Iterator[Picture]:
    """The plots of a document."""
    for block in blocks:
        if isinstance(block, Captioned) and isinstance(block.body, Picture):
            yield block.body
        elif isinstance(block, (BlockQuote, Stated)):
            yield from pictures(block.blocks)


class _PageText(HTMLParser):
    """Collects what a page says."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.said: list[str] = []
        self.within: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        inside = any(name in _SKIPPED for name in self.within)
        if tag not in _VOID:
            self.within.append(tag)
        if not inside:
            self.said += [f"{name}={value}" for name, value in attrs if name in _TOLD and value]

    def handle_endtag(self, tag: str) -> None:
        if tag in self.within:
            while self.within and self.within.pop() != tag:
                pass

    def handle_data(self, data: str) -> None:
        if not any(name in _SKIPPED for name in self.within):
            self.said += data.split()


def meaning(text: str, form: str) -> list[str]:
    """What a file says, in its order."""
    plain = _VERSION.sub("flopkb", text)
    if form != "html":
        return plain.split()
    reader = _PageText()
    reader.feed(plain)
    reader.close()
    return reader.said


def difference(old: str, new: str, form: str) -> str:
    """The first thing that two files say differently; empty where they say the same."""
    before, after = meaning(old, form), meaning(new, form)
    for index, (left, right) in enumerate(zip_longest(before, after, fillvalue="")):
        if left != right:
            near = " ".join(word for word in before[max(0, index - 6) : index] if "=" not in word)
            return f"after “{near[-60:]}” it says “{around(left, right)}”, now “{around(right, left)}”"
    return ""


def around(text: str, other: str) -> str:
    """The part of a text in which it differs from the other."""
    same = next(
        (index for index, (a, b) in enumerate(zip(text, other, strict=False)) if a != b), min(len(text), len(other))
    )
    return ("…" if same > 20 else "") + text[max(0, same - 20) : same + 40]
