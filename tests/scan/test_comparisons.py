"""Comparisons, read where they are asked for: what their digits bear out, what they do not, and what is none."""

from __future__ import annotations

import pytest

from flopkb.arithmetic.text import scan_text

SAID = [
    ("4.1x faster (812.6 s to 101.3 s)", "different", "8.02172", "x"),
    ("8.0x faster (812.6 s to 101.3 s)", "ok", "8.02172", "x"),
    ("120x faster (800 ms → 6.5 ms)", "ok", "123.077", "x"),
    ("3x more (10 to 40)", "ok", "4", "x"),
    ("30% reduction in memory (from 10.0 GB to 7.0 GB)", "ok", "30", "%"),
    ("25% faster (100 ms vs 75 ms)", "ok", "25", "%"),
    ("52% faster (100 ms vs 75 ms)", "different", "33.3333", "%"),
    ("$0.044, 12% less than $0.050", "ok", "12", "%"),
    ("$0.034, 12% less than $0.050", "different", "32", "%"),
    ("24.0 GB is 3x larger than 8.0 GB", "ok", "3", "x"),
    ("4.7% (18/640)", "different", "2.8125", "%"),
    ("2.8% (18/640)", "ok", "2.8125", "%"),
    ("18 of 640 runs (2.8%)", "ok", "2.8125", "%"),
    ("40960MiB (42.95 GB)", "ok", "42.94967296", "GB"),
    ("40960MiB (43.95 GB)", "different", "42.94967296", "GB"),
    ("80 GB (74.5 GiB)", "ok", "74.5058", "GiB"),
    ("80 GB (80 GiB)", "different", "74.5058", "GiB"),
    ("90 min (1.5 h)", "ok", "1.5", "h"),
    ("560 GB fits on 8 x 80 GB", "ok", "640", "GB"),
    ("700 GB fits 8 x 80 GB", "different", "640", "GB"),
]


@pytest.mark.parametrize(("text", "verdict", "computed", "unit"), SAID)
def test_a_comparison_is_judged_by_its_digits(text: str, verdict: str, computed: str, unit: str) -> None:
    found = scan_text(f"We saw that {text}, all in all.\n", "a.md", comparisons=True).equations
    assert [(e.verdict, e.computed, e.unit, e.text) for e in found] == [(verdict, computed, unit, text)]


@pytest.mark.parametrize(("text", "verdict"), [case[:2] for case in SAID])
def test_they_are_left_alone_where_nobody_asks(text: str, verdict: str) -> None:
    assert scan_text(f"We saw that {text}, all in all.\n", "a.md").equations == (), verdict


@pytest.mark.parametrize(
    "text",
    [
        "version 3.2 (2024)",
        "16 GB (2 modules)",
        "3 of 5 (see 40%)",
        "5x faster (about twice)",
        "80 GB (3.35 TB/s)",
        "7 B (14 GB)",
        "10 ms (0.5 s later)",
        "40 MB fits 3 x 5 ms",
        "12% less than before",
    ],
)
def test_what_is_none(text: str) -> None:
    assert scan_text(f"{text}\n", "a.md", comparisons=True).equations == ()
