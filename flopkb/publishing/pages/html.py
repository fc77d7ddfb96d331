"""A document as one HTML file: no script, no request, math as MathML, plots as inline SVG."""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import escape
from pathlib import Path

from flopkb.publishing.pages.blocks import (
    Captioned,
    DisplayMath,
    Finished,
    Folded,
    Heading,
    ListOf,
    Paragraph,
    Picture,
    PlainTable,
    References,
    Stated,
    Verbatim,
)
from flopkb.publishing.pages.inlines import Code, Flow, Jump, NoteMark, QuotedNumber, Styled
from flopkb.publishing.pages.mathematics import mathml
from flopkb.publishing.pages.writing import CAPTIONS, BlockWriter, plain

_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
_CODE = re.compile(r"(#[^\n]*)|\b(def|return|import|lambda|min|max)\b|(?<![\w.])([0-9][0-9.e+*]*)")


def html(document: Finished) -> str:
    """The document as the text of one HTML file, with its style and plots within."""
    return HtmlWriter(document).page()


class HtmlWriter(BlockWriter):
    """Writes a document as one page."""

    form = "html"
    gap = "\n"
    divider = "<hr>"
    hard_break = "<br>\n"

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
        while notes and isinstance(blocks[notes - 1], (References, Folded)):
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
    def heading(self, block: Heading) -> str:
        level = min(max(block.level, 2), 6)
        return f'<h{level} id="{escape(block.anchor)}">{self.inlines(block.children)}</h{level}>'

    def paragraph(self, block: Paragraph) -> str:
        return f"<p>{self.inlines(block.children)}</p>"

    def quote(self, inner: str) -> str:
        return f"<blockquote>\n{inner}\n</blockquote>"

    def listed(self, block: ListOf) -> str:
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

    def verbatim(self, block: Verbatim) -> str:
        text = coloured(block.text) if block.language == "python" else escape(block.text)
        return f'<pre tabindex="0"><code>{text.rstrip()}</code></pre>'

    def table(self, block: PlainTable) -> str:
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

    def cell(self, tag: str, children: Flow, align: str) -> str:
        scope = ' scope="col"' if tag == "th" else ""
        style = f' class="{align}"' if align in ("right", "center") else ""
        return f"<{tag}{scope}{style}>{self.inlines(children)}</{tag}>"

    def display(self, block: DisplayMath) -> str:
        number = f'<span class="no">({block.target.number})</span>' if block.target else ""
        anchor = f' id="{block.target.anchor}"' if block.target else ""
        return f'<div class="equation"{anchor}><div>{mathml(block.tex, display=True)}</div>{number}</div>'

    def captioned(self, block: Captioned) -> str:
        kind = CAPTIONS[block.target.kind]
        caption = f"<figcaption><b>{kind}&nbsp;{block.target.number}.</b> {self.inlines(block.caption)}</figcaption>"
        body = self.picture(block.body) if isinstance(block.body, Picture) else self.block(block.body)
        parts = [body, caption] if isinstance(block.body, Picture) else [caption, body]
        return f'<figure id="{block.target.anchor}" class="{block.target.kind}">\n' + "\n".join(parts) + "\n</figure>"

    def picture(self, block: Picture) -> str:
        from flopkb.publishing import plot

        return plot.inline_svg(block.chart, block.name, block.text)

    def stated(self, block: Stated) -> str:
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

    def references(self, block: References) -> str:
        items = [
            f'<li id="ref-{escape(e.id)}"><span class="label">[{e.number}]</span>'
            f"<div>{self.inlines(e.children)}</div></li>"
            for e in block.entries
        ]
        return '<ol class="references" role="doc-bibliography">\n' + "\n".join(items) + "\n</ol>"

    def folded(self, block: Folded) -> str:
        return f"<details>\n<summary>{self.inlines(block.summary)}</summary>\n{self.blocks(block.blocks)}\n</details>"

    # -- inlines ------------------------------------------------------------------------------------------------------
    def words(self, text: str) -> str:
        return escape(text, quote=False)

    def number(self, child: QuotedNumber) -> str:
        text = self.words(child.text)
        return f'<data value="{escape(child.text)}" title="{escape(child.title)}">{text}</data>'

    def styled(self, child: Styled) -> str:
        return f"<{child.style}>{self.inlines(child.children)}</{child.style}>"

    def code(self, child: Code) -> str:
        return f"<code>{self.words(child.text)}</code>"

    def math(self, tex: str) -> str:
        return mathml(tex, display=False)

    def web_link(self, href: str, inner: str) -> str:
        return f'<a href="{escape(href)}">{inner}</a>'

    def jump(self, child: Jump) -> str:
        return f'<a href="#{escape(child.target.anchor)}">{self.inlines(child.children)}</a>'

    def source(self, id: str, number: int, at: str) -> str:
        place = f", {escape(at)}" if at else ""
        return f'<a href="#ref-{escape(id)}" role="doc-biblioref">{number}</a>{place}'

    def note_mark(self, child: NoteMark) -> str:
        mark = f' id="mark-{escape(child.label)}"' if child.first else ""
        return f'<sup{mark}><a href="#note-{escape(child.label)}" role="doc-noteref">{child.number}</a></sup>'


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
