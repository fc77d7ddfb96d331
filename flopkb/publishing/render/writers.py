"""The files that a document becomes in each format: itself, and beside it the plots that a format cannot hold."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from flopkb.publishing.pages.blocks import Block, BlockQuote, Captioned, Finished, Picture, Stated


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
