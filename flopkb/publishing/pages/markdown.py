"""A document as Markdown that reads well on GitHub: ``$`` mathematics, tables, footnotes, links that lead somewhere."""

from __future__ import annotations

import re
from collections.abc import Iterable

from flopkb.publishing.pages.blocks import (
    Block,
    Captioned,
    DisplayMath,
    Finished,
    Folded,
    Heading,
    ListOf,
    Picture,
    PlainTable,
    References,
    Stated,
    Verbatim,
)
from flopkb.publishing.pages.inlines import Code, Flow, Jump, NoteMark, Styled
from flopkb.publishing.pages.writing import CAPTIONS, BlockWriter, plain

_SPECIAL = re.compile(r"([\\`*_\[\]<>$|#~])|^([-+]|[0-9]+[.)])(?=\s)", re.MULTILINE)
_MARKS = {"em": "*", "strong": "**", "del": "~~"}


def markdown(document: Finished, stem: str) -> str:
    """The document as a whole Markdown file; its plots are the files ``stem-name.svg`` beside it."""
    return MarkdownWriter(document, stem).page()


def escaped(text: str) -> str:
    """Text in which no character is taken for a mark."""
    return _SPECIAL.sub(lambda m: "\\" + m[0] if m[1] else m[0][:-1] + "\\" + m[0][-1], text).replace(
        "\N{NO-BREAK SPACE}", "&nbsp;"
    )


class MarkdownWriter(BlockWriter):
    """Writes a document; plots are files named after ``stem``."""

    form = "markdown"
    divider = "---"
    hard_break = "\\\n"
    brackets = ("\\[", "\\]")

    def __init__(self, document: Finished, stem: str) -> None:
        self.document = document
        self.stem = stem

    def page(self) -> str:
        document = self.document
        parts = [f"<!-- rendered from {document.version}; do not edit by hand -->", f"# {self.inlines(document.title)}"]
        if document.subtitle:
            parts.append(f"*{self.inlines(document.subtitle)}*")
        byline = " · ".join(part for part in (", ".join(document.authors), document.date) if part)
        parts += [escaped(byline)] if byline else []
        parts += [self.block(block) for block in document.blocks]
        parts += [self.note(note.label, note.blocks) for note in document.notes]
        parts.append(f"---\n\nRendered from {escaped(document.version)}. Every number is computed from that base.")
        return "\n\n".join(parts) + "\n"

    def note(self, label: str, blocks: Iterable[Block]) -> str:
        first, *rest = (self.block(block) for block in blocks)
        lines = "\n\n".join([first, *rest]).split("\n")
        return f"[^{label}]: " + "\n".join([lines[0], *(f"    {line}" if line else "" for line in lines[1:])])

    # -- blocks -------------------------------------------------------------------------------------------------------
    def heading(self, block: Heading) -> str:
        return f'{"#" * max(block.level, 2)} <a id="{block.anchor}"></a>{self.inlines(block.children)}'

    def quote(self, inner: str) -> str:
        return quoted(inner)

    def listed(self, block: ListOf) -> str:
        items = []
        for number, item in enumerate(block.items, block.start or 1):
            lead = "- " if block.start is None else f"{number}. "
            lines = ("\n" if block.tight else "\n\n").join(self.block(b) for b in item).split("\n")
            items.append("\n".join([lead + lines[0], *(" " * len(lead) + line if line else "" for line in lines[1:])]))
        return ("\n" if block.tight else "\n\n").join(items)

    def verbatim(self, block: Verbatim) -> str:
        ticks = "`" * max(3, *(len(run) + 1 for run in re.findall("`+", block.text)), 3)
        return f"{ticks}{block.language}\n{block.text.rstrip()}\n{ticks}"

    def table(self, block: PlainTable) -> str:
        head = self.row(block.head)
        marks = {"right": "---:", "center": ":---:", "left": "---", "": "---"}
        rule = "| " + " | ".join(marks[align] for align in block.aligns) + " |"
        return "\n".join([head, rule, *(self.row(row) for row in block.rows)])

    def row(self, cells: Iterable[Flow]) -> str:
        return "| " + " | ".join(self.inlines(cell).replace("\n", " ") for cell in cells) + " |"

    def display(self, block: DisplayMath) -> str:
        if block.target is None:
            return f"$$\n{block.tex}\n$$"
        return f'<a id="{block.target.anchor}"></a>\n\n$$\n{block.tex} \\tag{{{block.target.number}}}\n$$'

    def captioned(self, block: Captioned) -> str:
        name = f"{CAPTIONS[block.target.kind]} {block.target.number}"
        caption = f'<a id="{block.target.anchor}"></a>**{name}.** {self.inlines(block.caption)}'
        if isinstance(block.body, Picture):
            return f"![{escaped(block.body.text)}]({self.stem}-{block.body.name}.svg)\n\n{caption}"
        return f"{caption}\n\n{self.block(block.body)}"

    def stated(self, block: Stated) -> str:
        body = self.blocks(block.blocks)
        if block.target is None:
            return quoted(f"*Proof.* {body} ∎")
        title = f" ({self.inlines(block.title)})" if block.title else ""
        lead = f'<a id="{block.target.anchor}"></a>**Proposition {block.target.number}{title}.** '
        note = f"\n\n*{self.inlines(block.note)}*" if block.note else ""
        return quoted(f"{lead}{body}{note}")

    def references(self, block: References) -> str:
        return "\n\n".join(f'<a id="ref-{e.id}"></a>\\[{e.number}\\] {self.inlines(e.children)}' for e in block.entries)

    def folded(self, block: Folded) -> str:
        return (
            f"<details>\n<summary>{self.inlines(block.summary)}</summary>\n\n{self.blocks(block.blocks)}\n\n</details>"
        )

    # -- inlines ------------------------------------------------------------------------------------------------------
    def words(self, text: str) -> str:
        return escaped(text)

    def styled(self, child: Styled) -> str:
        return f"{_MARKS[child.style]}{self.inlines(child.children)}{_MARKS[child.style]}"

    def code(self, child: Code) -> str:
        return code_span(child.text)

    def math(self, tex: str) -> str:
        # GitHub reads $`...`$ before Markdown touches the underscores and stars within.
        return f"$`{tex}`$"

    def web_link(self, href: str, inner: str) -> str:
        return f"[{inner}]({href.replace(')', '%29')})"

    def jump(self, child: Jump) -> str:
        """A link to a place; a note is led to by its own mark."""
        if child.target.kind == "note":
            return f"{escaped(plain(child.children))}[^{child.target.label.partition(':')[2]}]"
        return f"[{self.inlines(child.children)}](#{child.target.anchor})"

    def source(self, id: str, number: int, at: str) -> str:
        return f"[{number}](#ref-{id})" + (f", {escaped(at)}" if at else "")

    def note_mark(self, child: NoteMark) -> str:
        return f"[^{child.label}]"


def code_span(text: str) -> str:
    """A code span with more backticks than the text has in a row; bars are escaped, as tables ask."""
    ticks = "`" * (max((len(run) for run in re.findall("`+", text)), default=0) + 1)
    pad = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{ticks}{pad}{text}{pad}{ticks}".replace("|", "\\|")


def quoted(text: str) -> str:
    """A block quote."""
    return "\n".join(f"> {line}" if line else ">" for line in text.split("\n"))
