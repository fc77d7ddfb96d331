"""No text is read in more than linear time: a megabyte without a line break, and marks that never close."""

from __future__ import annotations

import time

import pytest

from flopkb.prose import read_prose

SENTENCE = (
    "An MHA cache sits [295x](fig:gap) below the ridge at 2.3 flop/byte, `a = 2*3`, half the bytes *here* & there. "
)
HOSTILE = [
    *[
        "[",
        "]",
        "[](",
        "[a](b",
        "![",
        "[^",
        "[@a ",
        '[a](b "',
        "`a",
        "$a ",
        "$",
        "*a ",
        "a* ",
        "*a _b ",
        "_a ",
        "__",
        "~~a ",
    ],
    *["<", "<a b='", "<!--", "<?", "&a", "\\", "> ", "- ", "| ", "a.", "{{"],
    *["1.", "1-", "1^", "10.1234/", "Figures 1, ", "half ", "x2 "],
]


def seconds(text: str) -> float:
    start = time.process_time()
    reading = read_prose(text)
    reading.sentence_at(0)
    return time.process_time() - start


@pytest.mark.parametrize("piece", [SENTENCE, SENTENCE + "\n", "word ", " ", "9", "a"])
def test_a_megabyte(piece: str) -> None:
    assert seconds(piece * (10**6 // len(piece))) < 5  # about one on a machine at rest


@pytest.mark.parametrize("piece", HOSTILE)
def test_four_times_the_text_takes_about_four_times_as_long(piece: str) -> None:
    size = 20_000 // len(piece)
    short = min(seconds(piece * size) for _ in range(2))
    assert seconds(piece * size * 4) < 10 * short + 0.1


def test_many_lengths_of_backticks() -> None:
    assert seconds(" ".join("`" * n for n in range(1, 700))) < 2


@pytest.mark.parametrize("line", ["-", "=", "- ", "* ", "`", "~", "#", "|-", "| ", "\\|", "[a]: ", "<a ", "\t", "1) "])
def test_a_long_line_below_a_paragraph(line: str) -> None:
    assert seconds("a | b\n" + line * (200_000 // len(line)) + "x\n") < 2
    assert seconds("a | b\n" + line * (200_000 // len(line))) < 2


def test_deep_nesting() -> None:
    assert seconds("> - " * 20_000 + "a\n" + ("> " * 500 + "b\n") * 100) < 2
    assert seconds("[" * 50_000 + "]" * 50_000) < 2
