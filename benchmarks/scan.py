"""What scanning costs: time per megabyte of Markdown, against markdown-it-py parsing the same text, and its growth.

    python benchmarks/scan.py [FILE...] [--runs N]

Without files, two texts are made from the same fixed seed: an *article* as people write them (about one equation to
a hundred words, lists, tables, code, mathematics) and *dense* notes (nothing but equations, the worst case; of more than
8,000 the rest is not read). Then a megabyte of each of some hostile things, and a mix of mostly prose. Times are those of
the processor, the least of N runs. Aims: at most 5 times markdown-it-py on the article, time linear in size (twice the
text may take at most 2.5 times as long), 5 s for a hostile megabyte, 3.9 MB/s over the mix.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Callable
from pathlib import Path

from markdown_it import MarkdownIt

from flopkb.arithmetic.text import Markup, scan_text

SEED = 20261129
SIZES = (125_000, 250_000, 500_000, 1_000_000)
TEXT = """the cache of each layer holds keys and values so that a step reads them once while weights are shared by the
batch and bandwidth sets the pace of decoding long before arithmetic does unless many requests are served together which
is why a server waits for a moment before it starts the next step of the model and keeps its queue full"""
WORDS = TEXT.split()


def main(files: list[Path], runs: int) -> None:
    """Print a table for each text."""
    texts = {file.name: file.read_text(encoding="utf-8") for file in files}
    if not texts:
        texts = {"article": article(SIZES[-1]), "dense": dense(SIZES[0])}
    for name, text in texts.items():
        report(name, text, runs)
    if not files:
        hostile(runs)
        print(
            f"a mix of kinds: {len(mix()) / least(lambda: scan_text(mix(), 'mix', Markup.PLAIN), runs) / 1e6:.2f} MB/s"
        )


HOSTILE = (
    "= ", "1 + 1 = ", "2 * 3 = 6\n", "- 12 * 3 = 36 tokens\n", "[width= 5, x=2] ( 25.2, 0.0)\n", "%add.1 = f32[128]{0} add(%x)\n"
)  # fmt: skip


def hostile(runs: int) -> None:
    """A megabyte of one thing, again and again; none may take more than 5 s."""
    for unit in HOSTILE:
        text = unit * (SIZES[-1] // len(unit))
        slowest = max(
            least(lambda k=kind, t=text: scan_text(t, "hostile", k), runs) for kind in (Markup.MARKDOWN, Markup.PLAIN)
        )
        print(f"a megabyte of {unit!r}: {slowest:.2f} s")


def mix() -> str:
    """Mostly prose, as folders of documents are: forty parts without an equation to one article."""
    chance = random.Random(SEED)
    prose = "\n\n".join(" ".join(sentence(chance, 14) for _ in range(5)) for _ in range(900))
    return prose * 3 + article(SIZES[0])


def report(name: str, text: str, runs: int) -> None:
    """Time per megabyte, the ratio, and how both grow with the size."""
    found = scan_text(text, name, Markup.MARKDOWN)
    print(f"{name}: {len(text) / 1e6:.2f} MB, {len(found.equations)} equations, {len(text.split())} words")
    print(f"{'size MB':>9} {'scan s/MB':>10} {'parse s/MB':>11} {'ratio':>6} {'growth':>7}")
    parser = MarkdownIt("commonmark").enable("table")
    before = 0.0
    for size in (size for size in SIZES if size <= len(text) * 1.05):
        part = text[:size]
        scanned = least(lambda part=part: scan_text(part, name, Markup.MARKDOWN), runs)
        parsed = least(lambda part=part: parser.parse(part), runs)
        growth = f"{scanned / before:7.2f}" if before else "      -"
        print(
            f"{size / 1e6:9.3f} {scanned / size * 1e6:10.3f} {parsed / size * 1e6:11.3f} {scanned / parsed:6.2f} {growth}"
        )
        before = scanned


def least(work: Callable[[], object], runs: int) -> float:
    """The least processor time of some runs."""
    times = []
    for _ in range(runs):
        began = time.process_time()
        work()
        times.append(time.process_time() - began)
    return min(times)


def article(size: int) -> str:
    """Markdown as people write it, with an equation now and then."""
    chance = random.Random(SEED)
    parts: list[str] = []
    length = 0
    while length < size:
        block = chance.choices((paragraph, bullets, table, code, mathematics), (10, 3, 1, 1, 1))[0](chance)
        parts.append(block)
        length += len(block) + 2
    return "\n\n".join(parts)[:size]


def dense(size: int) -> str:
    """One equation a line."""
    chance = random.Random(SEED)
    lines: list[str] = []
    length = 0
    while length < size:
        lines.append("- " + equation(chance))
        length += len(lines[-1]) + 1
    return "\n".join(lines)[:size]


def equation(chance: random.Random) -> str:
    """A product or a quotient with its result."""
    a, b, c = (chance.randint(2, 9000) for _ in range(3))
    forms = (
        f"{a} * {b} = {a * b}",
        f"{a:,} × {b} × 2 bytes = {a * b * 2:,} bytes",
        f"`{a} / {b} = {a / b:.3f}`",
        f"{a} GB/s × {c} = {a * c} GB/s",
        f"({a} + {b}) * {c} = **{(a + b) * c}**",
    )
    return chance.choice(forms)


def sentence(chance: random.Random, words: int) -> str:
    """Words, with emphasis, code and numbers among them."""
    chosen = [chance.choice(WORDS) for _ in range(words)]
    if chance.random() < 0.3:
        chosen[chance.randrange(words)] = f"**{chance.randint(2, 80)} layers**"
    if chance.random() < 0.2:
        chosen[chance.randrange(words)] = "`batch = 8`"
    return " ".join(chosen).capitalize()


def paragraph(chance: random.Random) -> str:
    """Some sentences, one in eight with an equation."""
    out = []
    for _ in range(chance.randint(3, 7)):
        tail = f", so {equation(chance)}" if chance.random() < 0.12 else ""
        out.append(sentence(chance, chance.randint(9, 18)) + tail + ".")
    return " ".join(out)


def bullets(chance: random.Random) -> str:
    """A list."""
    items = [f"- {sentence(chance, 8)}" for _ in range(4)]
    return "\n".join([*items[:-1], f"{items[-1]}: {equation(chance)}"])


def table(chance: random.Random) -> str:
    """A table of results."""
    rows = [f"| {sentence(chance, 3)} | {chance.randint(1, 99)} | {chance.randint(1, 9)}x |" for _ in range(4)]
    rows.append(f"| {sentence(chance, 3)} | {chance.randint(1, 99)} | {equation(chance)} |")
    return "\n".join(["| what | n | how |", "| --- | --: | --- |", *rows])


def code(chance: random.Random) -> str:
    """A fenced block of code without equations."""
    lines = [f"{chance.choice(WORDS)}_{i} = load({i}, size={chance.randint(1, 99)}) * 2" for i in range(6)]
    return "\n".join(["```python", *lines, "```"])


def mathematics(chance: random.Random) -> str:
    """A displayed equation in LaTeX."""
    a, b = chance.randint(2, 999), chance.randint(2, 999)
    return f"$$\\frac{{{a} \\cdot {b}}}{{{b}}} = {a}\\,\\text{{GB}}$$"


if __name__ == "__main__":
    arguments = sys.argv[1:]
    count = int(arguments[arguments.index("--runs") + 1]) if "--runs" in arguments else 3
    names = [Path(name) for name in arguments if name.endswith((".md", ".markdown"))]
    main(names, count)
