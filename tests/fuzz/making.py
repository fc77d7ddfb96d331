"""Inputs: real texts, pieces that mean something to a reader, and ways of spoiling one with the other."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import cache

from conftest import REPOSITORY

from fuzz.doors import config_seed, neutral

BITS = [
    *("=", "≈", "*", "×", "/", "^", "**", "{", "}", "(", ")", "[", "]", "](fig:six)", "](fact:gpu.memory_capacity)", "`", "```\n"),
    *("$", "$$", "\\frac{", "\\sqrt", "\\text{", "%", "°", "!", "x", " GB", "/s", " KiB", "1e9", "10^", "e999", "-", "−", "+"),
    *("~", "..", ",", ".", "1,000", "0x1F", "½", "\n", "\n\n", "  ", "|", "&", "\t", "\r", "\r\n", "\0", "\ufeff", "\u200b"),
    *("\u202e", "٣", "３", "²", "⌈", "€", "<!--", "-->", "<!-- flopkb:", "{{", "}}", "{%", "%}", "__class__", "|attr('x')"),
    *("&a ", "*a", "!!python/object:os.system ", "<<: ", "? ", ": ", "- ", "# ", "> ", "1. ", "'", '"', "\\", "\\u0000"),
    *("null", "true", "NaN", ".inf", "[" * 70, "(" * 70, "9" * 30, "9" * 500, "sum(model.mixers, ", "has(", "min(", "at most "),
    *("half", " times ", "about ", "one hundred ", "L", "n_q", "model", "?model=llm&L=", "://", "../", "$ref: http://x/", "file:///"),
]  # fmt: skip


@cache
def seeds(door: str) -> tuple[bytes, ...]:
    """Real inputs of a way in."""
    records = tuple(neutral().values())
    texts = [line for data in records for line in data.split(b"\n") if len(line) > 8]
    pages = [file.read_bytes()[:1500] for file in sorted((REPOSITORY / "docs").glob("*.md"))]
    match door:
        case "numbers":
            return (
                b"about 2,000 GB/s",
                b"4-8x",
                b"at most 3",
                b"$5",
                b"three and a half times",
                b"1.5e3 flop/byte",
                b"-3 %",
            )
        case "formulas":
            return (
                b"2*n*(L + 1)/b",
                b"sum(model.mixers, L*n)",
                b"n_q <= 64*n_kv",
                b"min(a, ceil(b/2))**2",
                b"has(w) and a in b",
            )
        case "prose" | "arithmetic":
            return (*pages, *texts, b"`2*32*128*2 = 16 KiB`", b"$2^{10} = 1024$ and 3 \xc3\x97 4 = 12")
        case "documents":
            return (*pages, b"<!-- flopkb: every number is linked -->\n[8](fact:llm.num_key_value_heads) heads\n")
        case "data files":
            rows = (b'{"x": [{"y": 1}]}', b"x,y\n1,2\n", b"x: [{y: 1}]\n", b"<x><y>1</y></x>", b"[x]\ny = 1\n")
            return tuple(bytes([n]) + row for n in range(14) for row in rows)
        case "config.json":
            return (config_seed(),)
        case "templates":
            calls = (
                b"{{ fig('cache.size', model='llm', kv_dtype='bf16', L=10) }} {% for i in [1, 2] %}{{ i }}{% endfor %}"
            )
            return (
                calls,
                b"---\ntitle: T\n---\n{{ fact('gpu.memory_capacity') }}\n{{ table('cache.size', rows={'L': [1]}) }}",
            )
    return records


def spoilt(data: bytes, choose: random.Random, others: tuple[bytes, ...]) -> bytes:
    """A text with a few pieces cut, doubled, turned around, put in, or taken from another."""
    for _ in range(choose.randint(1, 6)):
        at = choose.randint(0, len(data))
        end = min(len(data), at + choose.randint(1, 16))
        data = choose.choice(_WAYS)(data, at, end, choose, others)
    return data[:4000]


Way = Callable[[bytes, int, int, random.Random, tuple[bytes, ...]], bytes]


def _other(data: bytes, at: int, end: int, choose: random.Random, others: tuple[bytes, ...]) -> bytes:
    other = choose.choice(others)
    start = choose.randint(0, len(other))
    return data[:at] + other[start : start + 60] + data[end:]


_WAYS: tuple[Way, ...] = (
    lambda d, at, end, choose, others: d[:at] + d[end:],
    lambda d, at, end, choose, others: d[:at] + choose.choice(BITS).encode() + d[at:],
    lambda d, at, end, choose, others: d[:at] + choose.choice(BITS).encode() + d[end:],
    lambda d, at, end, choose, others: d[:at] + d[at:end] * choose.randint(2, 5) + d[end:],
    lambda d, at, end, choose, others: d[:at] + d[at:end][::-1] + d[end:],
    lambda d, at, end, choose, others: d[:at] + bytes(choose.randrange(256) for _ in range(3)) + d[end:],
    _other,
)


def record_of(tree: object) -> bytes:
    """A tree of lists, mappings and scalars as a record, in the JSON that is YAML."""
    import json

    head = {"id": "fuzz", "kind": "formula", "name": "Fuzz", "status": "verified", "updated": "2026-01-05"}
    return json.dumps({**head, **(tree if isinstance(tree, dict) else {"formulas": tree})}, indent=1).encode()
