"""Lines as people write them, each with its verdict: ``corpus/*.txt``, one line each, verdict, tab, text."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from flopkb.arithmetic.text import Markup, ScanVerdict, scan_text

CORPUS = Path(__file__).parent / "corpus"
KINDS = {"md": Markup.MARKDOWN, "html": Markup.HTML, "latex": Markup.LATEX, "plain": Markup.PLAIN}


def corpus() -> Iterator[object]:
    for file in sorted(CORPUS.glob("*.txt")):
        kind = KINDS[file.name.split(".")[1]]
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
            if line and not line.startswith("## "):
                verdict, text = line.split("\t", 1)
                text = text if kind is Markup.LATEX else text.replace("\\n", "\n")
                yield pytest.param(kind, text, verdict, id=f"{file.name}:{number}")


def worst(text: str, kind: Markup) -> str:
    equations = scan_text(text, "page", kind).equations
    return max((equation.verdict for equation in equations), key=list(ScanVerdict).index, default="none")


@pytest.mark.parametrize(("kind", "text", "verdict"), tuple(corpus()))
def test_a_line_has_its_verdict(kind: Markup, text: str, verdict: str) -> None:
    assert worst(text, kind) == verdict


def test_the_corpus_is_large_and_varied() -> None:
    verdicts = [param.values[2] for param in corpus()]  # type: ignore[attr-defined]
    assert len(verdicts) > 500
    assert {*ScanVerdict, "none"} - {ScanVerdict.DIFFERENT} == set(verdicts)
