"""The pages of records as HTML of the site."""

from __future__ import annotations

from flopkb.base.link import FormulaRef
from flopkb.publishing.export.anchors import Links
from flopkb.publishing.export.html.prose import prose, remark
from flopkb.publishing.export.resolved import ResolvedBase
from flopkb.publishing.pages.blocks import (
    Block,
    BlockGroup,
    FieldProse,
    Fields,
    Folded,
    Heading,
    Items,
    Paragraph,
    RecordTable,
    RowCell,
    TableRow,
    Verbatim,
)
from flopkb.publishing.pages.elements import Html, el, joined
from flopkb.publishing.pages.elements import text as escaped
from flopkb.publishing.pages.inlines import (
    Aside,
    Badge,
    Code,
    Day,
    Flow,
    FormulaMath,
    QuotedNumber,
    Remark,
    SiteLink,
    Styled,
)
from flopkb.publishing.pages.mathematics import Notation, formula_tex, math
from flopkb.publishing.pages.writing import BlockWriter


class SiteWriter(BlockWriter):
    """Writes what stands on one page of the site, whose ``links`` know where it lies."""

    form = "html"
    gap = ""
    hard_break = "<br>"

    def __init__(self, links: Links) -> None:
        self.links = links

    def html(self, *blocks: Block | None) -> Html:
        """Blocks as HTML."""
        return Html(self.blocks(block for block in blocks if block is not None))

    def flow(self, *children: Flow) -> Html:
        """Running text as HTML."""
        return Html(self.inlines(children))

    # -- blocks -------------------------------------------------------------------------------------------------------
    def heading(self, block: Heading) -> str:
        return el(f"h{block.level}", self.flow(block.children))

    def paragraph(self, block: Paragraph) -> str:
        inner = self.flow(block.children)
        if block.role == "bare":
            return inner
        if block.role == "display":
            return el("div", inner, class_="display", tabindex="0")
        return el("p", inner, class_=block.role or None)

    def verbatim(self, block: Verbatim) -> str:
        return el("pre", el("code", block.text), tabindex="0")

    def data_table(self, block: RecordTable) -> str:
        """A table that can be sorted, scrolls by itself on narrow screens, and is named for readers of the screen."""
        bodies = [
            el("tbody", *(self.row(row, block) for row in group if self.shows(row.forms))) for group in block.groups
        ]
        if not bodies:
            return ""
        heads = [
            el("th", head.title, scope="col", class_="num" if head.number else None)
            for head in block.heads
            if self.shows(head.forms)
        ]
        classes = " ".join(filter(None, ("sortable" if block.sortable else "", block.role))) or None
        caption = el("caption", block.caption, class_="hidden")
        made = el("table", caption, el("thead", el("tr", *heads)), *bodies, class_=classes)
        return el("div", made, class_="scroll", tabindex="0", role="group", aria_label=block.caption)

    def row(self, row: TableRow, block: RecordTable) -> Html:
        cells = map(self.cell, self.cells(row, block))
        return el("tr", *cells, id=row.anchor or None, class_=row.role or None)

    def cell(self, cell: RowCell) -> Html:
        inner, classes = self.flow(cell.children), "num" if cell.number else None
        if cell.is_head:
            return el("th", inner, scope="row", data_key=cell.key, class_=classes)
        return el("td", inner, data_key=cell.key, class_=classes, colspan=cell.span)

    def items(self, block: Items) -> str:
        lines = [el("li", self.flow(line)) for line in block.lines]
        return el("ol" if block.ordered else "ul", *lines, class_=block.role or None) if lines else ""

    def fields(self, block: Fields) -> str:
        pairs = [(el("dt", name), el("dd", self.flow(told))) for name, told in block.pairs]
        shown = [el("div", pair) for pair in pairs] if block.role else pairs
        return el("dl", *shown, class_=block.role or None) if pairs else ""

    def folded(self, block: Folded) -> str:
        summary = el("summary", self.flow(block.summary))
        return el("details", summary, self.html(*block.blocks), class_=block.role, id=block.anchor or None)

    def group(self, block: BlockGroup) -> str:
        inner = list(map(self.block, block.blocks))
        made = Html("".join(inner))
        if block.tag:
            made = el(block.tag, made, class_=block.role or None, id=block.anchor or None)
        return joined(unfold() if block.role == "figures" and len(inner) > 1 else None, made)

    def prose(self, block: FieldProse) -> str:
        part = self.links.base.records[block.record].passage(block.path)
        return el("div", prose(part, self.links), class_=block.role or None) if part is not None else ""

    # -- inlines ------------------------------------------------------------------------------------------------------
    def words(self, text: str) -> str:
        return escaped(text)

    def code(self, child: Code) -> str:
        return el("code", child.text, class_=child.role or None)

    def styled(self, child: Styled) -> str:
        tag = "b" if child.style == "strong" else child.style
        return el(tag, self.flow(child.children), class_=child.role or None)

    def number(self, child: QuotedNumber) -> str:
        return el("span", child.text, title=child.title)

    def web_link(self, href: str, inner: str) -> str:
        return el("a", Html(inner), href=href, rel="noopener noreferrer", class_="web")

    def aside(self, child: Aside) -> str:
        return el("small", self.flow(child.children))

    def day(self, child: Day) -> str:
        return el("time", child.text, datetime=child.text)

    def badge(self, child: Badge) -> str:
        sign = el("span", child.sign, aria_hidden="true") if child.sign else None
        gap = " " if child.sign and not child.bare else None
        word = el("span", child.word, class_="hidden") if child.bare else child.word
        role = f"mark {child.role}{' bare' if child.bare else ''}"
        return el("span", sign, gap, word, class_=role, title=child.title)

    def site_link(self, child: SiteLink) -> str:
        return self.links.to(child.place, self.flow(child.children), class_=child.role or None)

    def remark(self, child: Remark) -> str:
        if not child.path:
            return remark(child.text, child.record, self.links, anchors=child.anchors) or ""
        part = self.links.base.records[child.record].passage(child.path)
        return prose(part, self.links, inline=True) if part is not None else escaped(child.text)

    def formula_math(self, child: FormulaMath) -> str:
        if child.symbol:
            record, _, name = child.ref.partition(".")
            return symbol_math(self.links.base, record, name)
        return formula_math(self.links.base, child.ref, display=child.display)


def unfold() -> Html:
    """What unfolds all figures at once, shown where there is a script to do so."""
    return el("button", "Unfold all", type="button", class_="unfold", hidden=True)


def formula_math(base: ResolvedBase, ref: str, *, display: bool = False) -> Html:
    """``name = expression``."""
    record, _, name = ref.rpartition(".")
    kb, key = base.base.evaluation.kb, FormulaRef(record, name)
    linked = kb.formulas.get(key)
    if linked is None:
        return el("code", ref)
    code = el("code", f"{name} = {linked.formula.text}")
    if not linked.cases or linked.sought is not None:
        return code
    notation = Notation(kb, {})
    right = formula_tex(linked, notation, inline=not display)
    return math(f"{notation.formula(key)} = {right}", display=display) or code


def symbol_math(base: ResolvedBase, record: str, name: str) -> Html:
    """A symbol."""
    return math(Notation(base.base.evaluation.kb, {}).of(record, name)) or el("code", name)
