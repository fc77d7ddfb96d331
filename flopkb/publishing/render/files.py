"""The files that a document becomes, and whether a file still says what its template would say now.

How the page looks, the drawing of a plot and the version of a base in which nothing that is quoted has changed are no
part of what a document says.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from itertools import zip_longest
from pathlib import Path

from flopkb.publishing.pages.blocks import Block, BlockQuote, Captioned, Finished, Picture, Stated

_VERSION = re.compile(r"flopkb [^\s,]+, base of [0-9]+ records, last updated [0-9a-z-]+, digest [0-9a-f]+")
_SKIPPED = ("style", "svg", "math")
_TOLD = ("href", "id", "alttext", "aria-label", "data-values", "content", "title")
_VOID = ("meta", "link", "br", "hr")


def files_of(document: Finished, output: Path, form: str) -> dict[Path, bytes]:
    """The files to write, the document last."""
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
