"""How fast prose is read: against markdown-it-py parsing the same text, and whether hostile text stays linear.

    python benchmarks/prose.py

The first part prints seconds per megabyte of both in one run and their ratio. The second reads texts of marks that never
close at one and at four times the length; a factor near 4 is linear, one near 16 would be quadratic.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from pathlib import Path

from markdown_it import MarkdownIt

from flopkb.arithmetic.prose import read_prose
from flopkb.base.loading import load_base
from flopkb.base.schema import read_records

ROOT = Path(__file__).resolve().parents[1]
SENTENCE = (
    "An MHA cache sits [295x](fig:gap) below the ridge at 2.3 flop/byte, `a = 2*3`, half the bytes *here* & there. "
)
HOSTILE = (
    *("[", "]", "[](", "[a](b", "![", "[^", "[@a ", '[a](b "', "`a", "$a ", "$", "*a ", "a* ", "*a _b ", "_a ", "__"),
    *("~~a ", "<", "<a b='", "<!--", "<?", "&a", "\\", "> ", "- ", "| ", "a.", "{{", "1.", "1-", "1^", "10.1234/"),
    *("Figures 1, ", "half ", "x2 "),
)


def seconds(read: Callable[[str], object], text: str) -> float:
    """The median of three readings."""
    times = []
    for _ in range(3):
        began = time.perf_counter()
        read(text)
        times.append(time.perf_counter() - began)
    return statistics.median(times)


def prose_of_the_base() -> str:
    """All prose of the records, repeated to about a megabyte."""
    records, _, _ = read_records(load_base(ROOT / "records", ROOT).documents)
    text = "\n\n".join(prose.scalar.text for record in records for prose in record.prose)
    return text * max(1, 10**6 // len(text))


def main() -> None:
    """Measure and print."""
    parser = MarkdownIt("commonmark").enable("table")
    for name, text in (("the base's prose", prose_of_the_base()), ("one line", SENTENCE * (10**6 // len(SENTENCE)))):
        megabytes = len(text.encode()) / 1e6
        ours, theirs = seconds(read_prose, text) / megabytes, seconds(parser.parse, text) / megabytes
        print(f"{name:<17} flopkb {ours:.2f} s/MB, markdown-it-py {theirs:.2f} s/MB, ratio {ours / theirs:.2f}")
    worst = max(
        (
            (
                seconds(read_prose, piece * (80_000 // len(piece)))
                / max(1e-9, seconds(read_prose, piece * (20_000 // len(piece))))
            ),
            piece,
        )
        for piece in HOSTILE
    )
    print(f"worst growth for four times the text: {worst[0]:.1f} times, for {worst[1]!r}")


if __name__ == "__main__":
    main()
