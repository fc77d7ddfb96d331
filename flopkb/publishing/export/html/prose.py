"""Markdown prose as HTML: links led to figures, values and claims, mathematics as MathML, no HTML of its own."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from flopkb.arithmetic.prose import SCHEMES
from flopkb.arithmetic.prose.reading import TABLE_INFO
from flopkb.base.evaluate import TableResult, Value
from flopkb.base.faults import Fault
from flopkb.base.link import Computation, Passage
from flopkb.base.tables import cell_text, column_heads, head, value_text
from flopkb.publishing.export.anchors import Links, ask_place, destination, quote_anchor
from flopkb.publishing.export.exact import Exact
from flopkb.publishing.export.html.typeset import typeset
from flopkb.publishing.export.resolved import ResolvedBase, ResolvedQuote, pairs, unit_text
from flopkb.publishing.pages.elements import Child, Html, el, joined, text
from flopkb.publishing.pages.lookups import sort_key
from flopkb.publishing.pages.mathematics import math

_TAGS = {
    "em_open": "em",
    "strong_open": "strong",
    "s_open": "s",
    "paragraph_open": "p",
    "blockquote_open": "blockquote",
}
_FIRST = 3
"""The record's name is a heading of the first level, the field's one of the second."""


def prose(passage: Passage, links: Links, *, inline: bool = False, anchors: bool = True) -> Html:
    """A passage as HTML; ``inline`` gives the text of one that is a paragraph without its paragraph.

    ``anchors`` are for the one place where a passage stands at home; without them it may be repeated elsewhere.
    """
    return _ProseWriter(passage, links, anchors).write(inline=inline)


def remark(text: str, record: str, links: Links, *, anchors: bool = True) -> Html | None:
    """A short field of a record, which is prose where its schema says so: a note, a reason."""
    if not text:
        return None
    holder = links.base.records.get(record)
    for part in holder.prose if holder is not None else ():
        if part.scalar.text == text:
            return prose(part, links, inline=True, anchors=anchors)
    return joined(" ".join(text.split()))


def quotes_of(passage: Passage, base: ResolvedBase) -> dict[str, deque[tuple[int, ResolvedQuote]]]:
    """The quotes of a passage with their numbers in the record, by the target as Markdown reads it, in order."""
    record = base.records[passage.holder]
    results = base.base.evaluation.quotes.get(passage.holder, ())
    own = {id(quote) for quote in passage.quotes}
    found: dict[str, deque[tuple[int, ResolvedQuote]]] = defaultdict(deque)
    for index, (result, quote) in enumerate(zip(results, record.quotes, strict=True)):
        if id(result.quote) in own:
            found[unescaped(quote.target)].append((index, quote))
    return found


def unescaped(target: str) -> str:
    """A target without Markdown's escapes, as the parser of Markdown hands it over."""
    from markdown_it.common.utils import unescapeAll

    plain: str = unescapeAll(target)
    return plain


@dataclass
class _ProseWriter:
    passage: Passage
    links: Links
    anchors: bool
    quotes: dict[str, deque[tuple[int, ResolvedQuote]]] = field(init=False)
    top: int = 1
    """The highest level of heading in the passage."""

    def __post_init__(self) -> None:
        self.quotes = quotes_of(self.passage, self.links.base)

    def write(self, *, inline: bool) -> Html:
        from flopkb.arithmetic.prose.markdown import parser

        tokens: Sequence[Any] = parser(html=False).parse(self.passage.scalar.text)
        self.top = min((int(token.tag[1]) for token in tokens if token.type == "heading_open"), default=1)
        if inline and [token.type for token in tokens] == ["paragraph_open", "inline", "paragraph_close"]:
            return self.inlines(tokens[1].children)
        return joined(*self.blocks(tokens))

    # -- blocks -------------------------------------------------------------------------------------------------------
    def blocks(self, tokens: Sequence[Any]) -> Iterator[Html]:
        """The blocks; tags of the parser's own making are passed on."""
        table: list[Any] | None = None
        for token in tokens:
            if token.type == "table_open":
                table = []
            if table is not None:
                table.append(token)
                if token.type == "table_close":
                    yield self.table(table)
                    table = None
            else:
                yield self.block(token)

    def block(self, token: Any) -> Html:
        kind = token.type
        if kind == "inline":
            return self.inlines(token.children)
        if kind == "fence" and token.info.split(maxsplit=1)[:1] == [TABLE_INFO]:
            return self.directive(token)
        if kind in ("fence", "code_block"):
            return el("pre", el("code", token.content), tabindex="0")
        if kind == "math_block":
            return el(
                "div",
                math(token.content.strip(), display=True) or el("code", token.content),
                class_="display",
                tabindex="0",
            )
        if kind == "hr":
            return el("hr")
        if kind in ("heading_open", "heading_close"):
            level = min(int(token.tag[1]) - self.top + _FIRST, 6)
            return Html(f"<h{level}>" if token.nesting > 0 else f"</h{level}>")
        if kind.startswith("footnote"):
            return self.footnote(token)
        if token.hidden:
            return Html("")
        tag = token.tag if token.tag.isalnum() else ""
        start = token.attrGet("start") if kind == "ordered_list_open" else None
        opening = f'<{tag} start="{int(start)}">' if start else f"<{tag}>"
        return Html(opening if token.nesting > 0 else f"</{tag}>" if tag else "")

    def footnote(self, token: Any) -> Html:
        """The notes, after the prose."""
        if token.type == "footnote_block_open":
            return Html('<section class="notes"><ol>')
        if token.type == "footnote_block_close":
            return Html("</ol></section>")
        if token.type == "footnote_open":
            return Html(f'<li id="{self.note_id(token)}">')
        if token.type == "footnote_anchor":
            return el("a", "↩", href=f"#{self.note_id(token)}-mark", aria_label="Back to the text")
        return Html("</li>" if token.type == "footnote_close" else "")

    def note_id(self, token: Any) -> str:
        return f"note-{self.passage.prose.field.replace('.', '-')}-{token.meta['id'] + 1}"

    def directive(self, token: Any) -> Html:
        """A table of figures; where it is faulty, the directive as it is written."""
        line = token.map[0]
        source = self.passage.scalar.text
        for result in self.links.base.base.evaluation.tables.get(self.passage.holder, ()):
            start = result.table.directive.start
            own = any(table is result.table for table in self.passage.tables)
            if own and source.count("\n", 0, start) == line:
                return figure_table(result, self.links, self.caption(result.table.caption))
        return el("pre", el("code", token.content), tabindex="0", class_="faulty")

    def caption(self, scalar: Any) -> Html | None:
        """The caption of a table, which is prose of its own."""
        for passage in self.links.base.base.evaluation.passages(self.passage.holder):
            if scalar is not None and passage.scalar is scalar:
                return prose(passage, self.links, inline=True)
        return None

    def table(self, tokens: Sequence[Any]) -> Html:
        """A table of the author's, which scrolls by itself where it is too wide."""
        parts: list[Child] = []
        for token in tokens:
            if token.type == "inline":
                parts.append(self.inlines(token.children))
            elif token.nesting > 0:
                scope = ' scope="col"' if token.type == "th_open" else ""
                align = str(token.attrGet("style") or "").partition(":")[2]
                side = f' class="{align}"' if align in ("right", "center") else ""
                parts.append(
                    Html(f"<{token.tag}{scope}{side}>" if token.tag != "table" else '<table class="sortable">')
                )
            else:
                parts.append(Html(f"</{token.tag}>"))
        return el("div", *parts, class_="scroll", tabindex="0", role="group", aria_label="Table")

    # -- inlines ------------------------------------------------------------------------------------------------------
    def inlines(self, tokens: Sequence[Any]) -> Html:
        """Running text."""
        stack: list[tuple[Any, list[Child]]] = [(None, [])]
        for token in tokens or ():
            if token.nesting > 0:
                stack.append((token, []))
            elif token.nesting < 0 and len(stack) > 1:
                opening, children = stack.pop()
                stack[-1][1].append(self.nested(opening, children))
            else:
                stack[-1][1].append(self.leaf(token))
        return joined(*(child for _, children in stack for child in children))

    def nested(self, opening: Any, children: list[Child]) -> Html:
        if opening.type == "link_open":
            return self.link(str(opening.attrGet("href") or ""), children)
        tag = _TAGS.get(opening.type)
        return el(tag, *children) if tag is not None else joined(*children)

    def leaf(self, token: Any) -> Html:
        if token.type == "citation":
            return self.citation(token)
        if token.type == "code_inline":
            return el("code", token.content)
        if token.type in ("math_inline", "math_inline_double"):
            display = token.type == "math_inline_double"
            return math(token.content, display=display) or el("code", token.content)
        if token.type == "softbreak":
            return Html("\n")
        if token.type == "hardbreak":
            return el("br")
        if token.type == "image":
            return self.image(token)
        if token.type == "footnote_ref":
            number, id = token.meta["id"] + 1, self.note_id(token)
            return el("sup", el("a", str(number), href=f"#{id}", id=f"{id}-mark", role="doc-noteref"))
        return text(token.content)

    def image(self, token: Any) -> Html:
        """A picture lies elsewhere, and nothing is fetched: its text with a link to it."""
        return self.link(str(token.attrGet("src") or ""), [token.content or "picture"])

    def link(self, address: str, children: list[Child]) -> Html:
        scheme = address.partition(":")[0].lower()
        if scheme in SCHEMES:
            return self.quote(address, children)
        if scheme in ("http", "https"):
            return el("a", *children, href=address, rel="noopener noreferrer", class_="web")
        return el("span", *children, title=address)

    def quote(self, target: str, children: list[Child]) -> Html:
        """A quoted figure, value, input or claim."""
        queue = self.quotes.get(target)
        if not queue:
            return joined(*children)
        index, quote = queue.popleft()
        mark = el("span", quote.mark, class_="tested") if quote.mark else None
        place = destination(quote, self.links.base)
        if quote.kind == "derivation":
            record, kb = self.links.base.records[quote.record].record, self.links.base.base.evaluation.kb
            children = [typeset(quote.text, record, kb) or joined(*children)]
        if place is None:
            if quote.fault:
                return el("span", *children, class_="unresolved", title=quote.fault)
            return el("span", *children, class_="lit") if quote.kind == "literal" else joined(*children)
        linked = self.links.to_quote(place, children, quote, quote_anchor(index) if self.anchors else None)
        return joined(linked, mark)

    def citation(self, token: Any) -> Html:
        """``[@a; @b]`` as ``(A 2024; B 2023)``."""
        content: str = token.content
        parts: list[Child] = ["("]
        at = 1
        for cited in token.meta["cited"]:
            mark = 2 if cited.lead.endswith("-@") else 1
            parts += [content[at : cited.start - mark], self.links.source(cited.id)]
            at = cited.end
        return joined(*parts, content[at:-1], ")")


def figure_table(result: TableResult, links: Links, caption: Html | None) -> Html:
    """A table of figures that prose asks for; each cell leads to where it is asked."""
    table_, kb = result.table, links.base.base.evaluation.kb
    names = [head(name, table_, kb) for name in table_.rows.names]
    heads = [el("th", name, scope="col") for name in names]
    heads += [el("th", name, scope="col", class_="num") for name in column_heads(table_, kb)]
    rows = []
    for line, cells, asked in zip(table_.rows.lines, result.cells, table_.cells, strict=True):
        labels = [
            el("th", value_text(binding, table_, kb), scope="row", data_key=binding.values[0].text) for binding in line
        ]
        both = zip(cells, asked, strict=True)
        rows.append(el("tbody", el("tr", *labels, *(computed_cell(cell, of, result, links) for cell, of in both))))
    made = el(
        "table",
        el("caption", caption) if caption else None,
        el("thead", el("tr", *heads)),
        *rows,
        class_="sortable figures",
    )
    return el("div", made, class_="scroll", tabindex="0", role="group", aria_label=f"Table of {table_.formula}")


def computed_cell(cell: Value | Fault, of: Computation, result: TableResult, links: Links) -> Html:
    """A cell of such a table, which leads to where its formula is asked with its inputs."""
    shown = cell_text(cell, result.table)
    if isinstance(cell, Fault):
        return el("td", shown, el("small", f" {cell}", class_="hidden"), class_="none")
    value = Exact.of_base(cell.value, unit_text(result.table.unit))
    place = ask_place(str(of.formula), pairs(of.bindings))
    link = links.to(place, shown, class_="q q-fig")
    return el("td", link, class_="num", data_key=sort_key(value))
