"""A document as one HTML file: no script, no request, math as MathML, plots as inline SVG."""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import escape
from pathlib import Path

from flopkb.publishing.render.mathml import mathml
from flopkb.publishing.render.objects import Target
from flopkb.publishing.render.tree import (
    Block,
    Break,
    Captioned,
    Cited,
    Code,
    CodeBlock,
    Details,
    Finished,
    Formula,
    Grid,
    Heading,
    Inline,
    Jump,
    Link,
    ListOf,
    Math,
    NoteMark,
    Number,
    Paragraph,
    Picture,
    Quote,
    References,
    Rule,
    Stated,
    Styled,
    Text,
    grouped_citations,
    plain,
)

KINDS = {"tab": "Table", "fig": "Figure", "lst": "Listing"}
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
_CODE = re.compile(r"(#[^\n]*)|\b(def|return|import|lambda|min|max)\b|(?<![\w.])([0-9][0-9.e+*]*)")


def html(document: Finished) -> str:
    """The whole file."""
    return _Writer(document).page()


class _Writer:
    def __init__(self, document: Finished) -> None:
        self.document = document
        self.cited: set[str] = set()

    def page(self) -> str:
        document = self.document
        title = escape(plain(document.title))
        style = (Path(__file__).parent / "page.css").read_text(encoding="utf-8")
        head = [
            "<!doctype html>",
            f'<html lang="{escape(document.language)}">',
            "<head>",
            '<meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>{title}</title>",
            f'<meta name="description" content="{escape(document.description)}">',
            f'<meta name="generator" content="{escape(document.version)}">',
            '<link rel="icon" href="data:,">',
            f"<style>\n{style}</style>",
            "</head>",
            "<body>",
        ]
        return "\n".join([*head, *self.body(), "</body>", "</html>"]) + "\n"

    def body(self) -> Iterable[str]:
        document = self.document
        yield "<header>"
        yield f"<h1>{self.inlines(document.title)}</h1>"
        if document.subtitle:
            yield f'<p class="subtitle">{self.inlines(document.subtitle)}</p>'
        byline = [", ".join(document.authors), document.date]
        if any(byline):
            yield f'<p class="byline">{escape(" · ".join(part for part in byline if part))}</p>'
        yield "</header>"
        yield "<main>"
        blocks = list(document.blocks)
        notes = len(blocks)
        while notes and isinstance(blocks[notes - 1], (References, Details)):
            notes -= 1
        notes -= 1 if notes and isinstance(blocks[notes - 1], Heading) and notes < len(blocks) else 0
        yield from (self.block(block) for block in blocks[:notes])
        yield from self.notes()
        yield from (self.block(block) for block in blocks[notes:])
        yield "</main>"
        yield f'<footer>Rendered from <span class="version">{escape(document.version)}</span>.'
        yield "Every number is computed from that base.</footer>"

    def notes(self) -> Iterable[str]:
        """The footnotes, before the references."""
        if not self.document.notes:
            return
        yield '<section role="doc-endnotes" aria-label="Notes">\n<h2 id="notes">Notes</h2>\n<ol class="notes">'
        for note in self.document.notes:
            back = f'<a href="#mark-{escape(note.label)}" role="doc-backlink" aria-label="Back to the text">↩</a>'
            inner = [self.block(block) for block in note.blocks]
            if inner and inner[-1].endswith("</p>"):
                inner[-1] = inner[-1].removesuffix("</p>") + f" {back}</p>"
            else:
                inner.append(back)
            text = f'<span class="label">{note.number}</span><div>{"".join(inner)}</div>'
            yield f'<li id="note-{escape(note.label)}">{text}</li>'
        yield "</ol>\n</section>"

    # -- blocks -------------------------------------------------------------------------------------------------------
    def blocks(self, blocks: Iterable[Block]) -> str:
        return "\n".join(self.block(block) for block in blocks)

    def block(self, block: Block) -> str:
        name = f"write_{type(block).__name__.lower()}"
        written: str = getattr(self, name)(block)
        return written

    def write_heading(self, block: Heading) -> str:
        level = min(max(block.level, 2), 6)
        return f'<h{level} id="{escape(block.anchor)}">{self.inlines(block.children)}</h{level}>'

    def write_paragraph(self, block: Paragraph) -> str:
        return f"<p>{self.inlines(block.children)}</p>"

    def write_quote(self, block: Quote) -> str:
        return f"<blockquote>\n{self.blocks(block.blocks)}\n</blockquote>"

    def write_listof(self, block: ListOf) -> str:
        tag = "ul" if block.start is None else "ol"
        start = f' start="{block.start}"' if block.start not in (None, 1) else ""
        items = []
        for item in block.items:
            if block.tight:
                parts = [self.inlines(b.children) if isinstance(b, Paragraph) else self.block(b) for b in item]
                items.append("<li>" + "\n".join(parts) + "</li>")
            else:
                items.append(f"<li>{self.blocks(item)}</li>")
        return f"<{tag}{start}>\n" + "\n".join(items) + f"\n</{tag}>"

    def write_codeblock(self, block: CodeBlock) -> str:
        text = coloured(block.text) if block.language == "python" else escape(block.text)
        return f'<pre tabindex="0"><code>{text.rstrip()}</code></pre>'

    def write_rule(self, block: Rule) -> str:
        return "<hr>"

    def write_grid(self, block: Grid) -> str:
        head = "".join(self.cell("th", cell, align) for cell, align in zip(block.head, block.aligns, strict=False))
        rows = [
            "<tr>"
            + "".join(self.cell("td", cell, align) for cell, align in zip(row, block.aligns, strict=False))
            + "</tr>"
            for row in block.rows
        ]
        body = "\n".join(rows)
        table = f"<table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody></table>"
        return f'<div class="scroll" tabindex="0">{table}</div>'

    def cell(self, tag: str, children: tuple[Inline, ...], align: str) -> str:
        scope = ' scope="col"' if tag == "th" else ""
        style = f' class="{align}"' if align in ("right", "center") else ""
        return f"<{tag}{scope}{style}>{self.inlines(children)}</{tag}>"

    def write_formula(self, block: Formula) -> str:
        number = f'<span class="no">({block.target.number})</span>' if block.target else ""
        anchor = f' id="{block.target.anchor}"' if block.target else ""
        return f'<div class="equation"{anchor}><div>{mathml(block.tex, display=True)}</div>{number}</div>'

    def write_captioned(self, block: Captioned) -> str:
        kind = KINDS[block.target.kind]
        caption = f"<figcaption><b>{kind}&nbsp;{block.target.number}.</b> {self.inlines(block.caption)}</figcaption>"
        body = self.picture(block.body) if isinstance(block.body, Picture) else self.block(block.body)
        parts = [body, caption] if isinstance(block.body, Picture) else [caption, body]
        return f'<figure id="{block.target.anchor}" class="{block.target.kind}">\n' + "\n".join(parts) + "\n</figure>"

    def picture(self, block: Picture) -> str:
        from flopkb.publishing import plot

        return plot.inline_svg(block.chart, block.name, block.text)

    def write_stated(self, block: Stated) -> str:
        blocks = [self.block(b) for b in block.blocks]
        if block.target is None:
            lead = '<em class="kind">Proof.</em> '
            blocks.append('<span class="qed" aria-label="end of proof">∎</span>')
        else:
            title = f" ({self.inlines(block.title)})" if block.title else ""
            lead = f'<strong class="kind">Proposition&nbsp;{block.target.number}{title}.</strong> '
        if blocks and blocks[0].startswith("<p>"):
            blocks[0] = f"<p>{lead}{blocks[0][3:]}"
        else:
            blocks.insert(0, f"<p>{lead}</p>")
        if block.target is None and len(blocks) > 1 and blocks[-2].endswith("</p>"):
            mark = blocks.pop()
            blocks[-1] = f"{blocks[-1].removesuffix('</p>')} {mark}</p>"
        note = f'\n<p class="checked">{self.inlines(block.note)}</p>' if block.note else ""
        anchor = f' id="{block.target.anchor}"' if block.target else ""
        return (
            f'<div class="{"proposition" if block.target else "proof"}"{anchor}>\n'
            + "\n".join(blocks)
            + f"{note}\n</div>"
        )

    def write_references(self, block: References) -> str:
        items = [
            f'<li id="ref-{escape(e.id)}"><span class="label">[{e.number}]</span>'
            f"<div>{self.inlines(e.children)}</div></li>"
            for e in block.entries
        ]
        return '<ol class="references" role="doc-bibliography">\n' + "\n".join(items) + "\n</ol>"

    def write_details(self, block: Details) -> str:
        return f"<details>\n<summary>{escape(block.title)}</summary>\n{self.blocks(block.blocks)}\n</details>"

    # -- inlines ------------------------------------------------------------------------------------------------------
    def inlines(self, children: Iterable[Inline]) -> str:
        return "".join(self.inline(child) for child in children)

    def inline(self, child: Inline) -> str:
        if isinstance(child, Text):
            return escape(child.text, quote=False)
        if isinstance(child, Styled):
            return f"<{child.style}>{self.inlines(child.children)}</{child.style}>"
        if isinstance(child, Code):
            return f"<code>{escape(child.text, quote=False)}</code>"
        if isinstance(child, Math):
            return mathml(child.tex, display=False)
        if isinstance(child, Number):
            text = escape(child.text, quote=False)
            return f'<data value="{escape(child.text)}" title="{escape(child.title)}">{text}</data>'
        if isinstance(child, Link):
            return f'<a href="{escape(child.href)}">{self.inlines(child.children)}</a>'
        if isinstance(child, Jump):
            return f'<a href="#{escape(anchor(child.target))}">{self.inlines(child.children)}</a>'
        if isinstance(child, Cited):
            return self.citation(child)
        if isinstance(child, NoteMark):
            mark = f' id="mark-{escape(child.label)}"' if child.first else ""
            return f'<sup{mark}><a href="#note-{escape(child.label)}" role="doc-noteref">{child.number}</a></sup>'
        assert isinstance(child, Break)
        return "<br>\n" if child.hard else "\n"

    def citation(self, child: Cited) -> str:
        parts = [
            "–".join(self.source(*item) for item in (run[:1] + run[-1:] if len(run) > 1 else run))
            for run in grouped_citations(child)
        ]
        return f"[{', '.join(parts)}]"

    def source(self, id: str, number: int, at: str) -> str:
        place = f", {escape(at)}" if at else ""
        return f'<a href="#ref-{escape(id)}" role="doc-biblioref">{number}</a>{place}'


def anchor(target: Target) -> str:
    """The id that a cross-reference leads to."""
    return target.anchor


def coloured(code: str) -> str:
    """Python with its comments, keywords and numbers marked."""
    parts, at = [], 0
    for found in _CODE.finditer(code):
        kind = "c" if found[1] else "k" if found[2] else "m"
        parts += [
            escape(code[at : found.start()], quote=False),
            f'<span class="{kind}">{escape(found[0], quote=False)}</span>',
        ]
        at = found.end()
    return "".join([*parts, escape(code[at:], quote=False)])
