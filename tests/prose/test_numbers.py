"""Bare numbers: each kind of quantity is found at its place, each exempt kind is not; near misses are told apart."""

from __future__ import annotations

import pytest

from flopkb.arithmetic.numbers import quantity_at
from flopkb.arithmetic.prose import BareKind, read_prose

from .marked import assert_bare

NAMES = frozenset(["NVIDIA RTX 4090", "Llama 2 7B", "A100 80GB SXM", "H100", "decode", "5th-gen  core", "B200"])


@pytest.mark.parametrize(
    "text",
    [
        "«295x» below",
        "«2k» and «32Ki» and «70B» and «8»",
        "«1,979» TFLOP/s",
        "«1\u2009979» and «1\u202f979\u202f000» and «1\u00a0979» GB",
        "«4.0» flop/byte and «.5» of it",
        "«4-8x» and «4–8x» and «12-14»",
        "«2 × 10⁹» and «2·10^9» and «10¹²» and «2^34» and «1e9» and «1e-4» and «2×10⁹»",
        "«−3» and («-4») and «±2»",
        "«$49.24» or «€5» or «21.7%»",
        "«2.4×», not «3×»",
        "the «1st» and the «2nd», a «3D» view, «4-bit» codes".replace("4-bit»", "4»-bit"),
        "«½» and «1½» and «¾»",
        "«295x»-wide and «2»-to-«3x»",
        "PCIe «5.0» and CUDA «12.1»",
        "B=«1», L=«4096»",
        "O(«1») and O(n^«2»)",
        "«8»*«9» is «7»",
        "«1,5» and «1.2.3»",
        "a/«4» and «12»:«30»",
        "#«12» and @«5»",
        "ends with «5».",
        "(«5»), [«6»], “«7»”",
        "a—«5» and H100–«295»",
        "«5»…«6»",
        "«three hundred», «forty» gigabytes, «seven hundred» watts, «A million» bytes, «two» bytes, «twenty-one»",
        "«２９５» of them, «٢٩٥», «۴» and «𝟐𝟗𝟓»",
    ],
)
def test_quantities(text: str) -> None:
    reading = assert_bare(text)
    assert {number.kind for number in reading.bare} == {BareKind.NUMBER}


@pytest.mark.parametrize(
    "text",
    [
        "H100, Llama-3-8B, FP8, GQA-8, int8, n_2, x86-64, v0.3.1, Qwen2.5-7B, Llama-3.1-8B, α2",
        "on 2026-10-05 and 2026-10-05T12:30:00Z and (2024-02-29)",
        "see Equation 2, Eq. 3, Eq. (4), Table 1, Tab. 5, Figure 12, Fig. 3a, Figure 2.1",
        "Figures 1 and 2, Tables 2–4, Eqs. (1), (2) and (3), Figs. 1-3",
        "arXiv:2402.02750 and arXiv 2402.02750v2 and arXiv preprint arXiv:cs/0112017",
        "10.1145/3600006.3613165 and doi:10.1109/5.771073",
        "https://a.b/c2/3?d=4 and http://x.y/10.5 and www.z2.org/7",
        "<https://a.b/7> and <me2@x7.org>",
        "[paper](https://a.b/295) and ![](5.png)",
        "[2402.02750](https://arxiv.org/abs/2402.02750)",
        "a note[^1] here\n\n[^1]: text",
        "one, two, ten of them, dozens and hundreds of them, one byte, a two-byte word, two days",
        "Section 4.2 or Sections 3 and 4.1, §7, Appendix 2, Chapter 3",
        "1. item\n2. item",
        "[r]: https://a.b/5\n\ntext",
        "&#215; and &#x32;0 is no source digit"[:6],
        "<td width='20'>a</td>",
        "`295` and `2*3`",
        "```\n295\n```",
        "    295",
        "<!-- 295 -->",
        "$x_{12} + y_3$",
        "an NVIDIA RTX 4090, a Llama 2 7B, the A100\u00a080GB sxm, a 5th-gen core",
    ],
)
def test_exempt(text: str) -> None:
    assert_bare(text, NAMES)


@pytest.mark.parametrize(
    "text",
    [
        "«2026-13-05», «2026-02-30», «2026-10»",
        "Equation of «2», figure «3», Table «3x» larger, Table «3.5x», Figure «1»% off".replace("«1»%", "«1%»"),
        "Figure 2 and «295» sequences, Tables 1 and 2 and «16» GiB".replace("and «16»", "hold «16»"),
        "«2402.02750» alone, archive:«2402.02750»",
        "[«2402.02750»](https://example.org/abs)",
        "«10.5»/«3» is no DOI",
        "«4090» alone, RTX «4091», XRTX «4090», RTX «40900», Llama «2» «70B», a Llama 2 7B and «7B»",
        "[x «295» y](https://a.b)",
        "[never «295x»](claim:c) and [sits 295x](fig:g)",
        "![a chart of «295»](u.png)",
        '[a](https://b.c "title of «295»")',
        "<b>«295»</b> and <td>«3»</td><td>«4»</td>",
        "«10<sup>9</sup>»".replace("</sup>»", "»</sup>"),
        "$«295»$ and $«2»mnb$".replace("«2»mnb", "«2mnb»"),
        r"\«$5»",
        "&lt;«5»",
        "cut:«5»below".replace("«5»below", "«5below»"),
    ],
)
def test_near_misses(text: str) -> None:
    assert_bare(text, NAMES)


@pytest.mark.parametrize(
    "text",
    [
        "# Sits «295x» below",
        "Sits «295x»\n=========",
        "| «1» | b |\n|:--|--:|\n| c | «2» |\n",
        "- a «1»\n- b\n  «2»\n\n  «3»\n",
        "> a «1»\n> b «2»\nlazy «3»",
        "a[^n]\n\n[^n]: note «1»\n    goes on «2»\n\n    and «3»",
        "a *«1»* b **«2»** _«3»_ ***«4»*** ~~«5»~~",
        "«1»\\\n«2»  \n«3»",
        "<details>\n«1»\n\n«2» *x*\n",
        "    code 5\n\n«1»\n\n    code 6",
        "```text\n5\n```\n«1»\n~~~\n6\n~~~\n«2»",
    ],
)
def test_every_part_of_a_text_is_prose(text: str) -> None:
    assert_bare(text)


def test_emphasis_within_a_word_cuts_it() -> None:
    # Markdown takes B*4*L for an emphasised 4: it is not hidden in the word that is left.
    assert_bare("B*«4»*L")
    assert_bare("«2»*«32»*«32»")


def test_a_number_is_covered_by_a_link_in_part() -> None:
    assert_bare("[29](fig:a)«5x» and [2](lit:coefficient)mnb and GQA-[8](in:a.b) and [4](fig:a)-«8x»")


def test_a_link_is_a_boundary_for_what_follows() -> None:
    assert_bare("[2](fig:a)-to-«3x» and `b`-wide-«2x»")


@pytest.mark.parametrize("text", ["(«x2»)", "gives «×2» more", "«x2.5» at most", "INT8 KV («×2»), GQA («x4»)"])
def test_multipliers_are_words(text: str) -> None:
    assert {number.kind for number in assert_bare(text).bare} == {BareKind.WORD}


@pytest.mark.parametrize(
    "text",
    ["x86 and x64", "PCIe 5 x16".replace("5 ", ""), "x1, x2 and x3", "the vector (x0, x2)", "x2y", "x_2", "max2"],
)
def test_what_only_looks_like_a_multiplier(text: str) -> None:
    assert_bare(text)


def test_a_sign_of_multiplication_between_numbers_is_no_multiplier() -> None:
    reading = assert_bare("«8192» × «40» (K) × «128», «32»×«4» and «32» ×«4»")
    assert {number.kind for number in reading.bare} == {BareKind.NUMBER}


def test_the_text_of_a_bare_number_is_what_a_reader_sees() -> None:
    (number,) = read_prose("sits 2&times;10<sup>9</sup> high").bare
    assert number.text == "2×10^9"


@pytest.mark.parametrize("names", [frozenset({"7"}), frozenset({"Δ 7 İ"}), frozenset({""})])
def test_odd_names_do_no_harm(names: frozenset[str]) -> None:
    read_prose("İ 7 and Δ 7 İ 7B", names)


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        ("sits about 295x below", "about 295x"),
        ("needs 16 GiB of memory", "16 GiB"),
        ("is **16**\u00a0GiB.", "16\u00a0GiB"),
        ("has 4.0 flop/byte, then", "4.0 flop/byte"),
        ("at most ~320 KiB/token here", "at most ~320 KiB/token"),
        ("costs $6.155 per GPU-hour", "$6.155 per GPU-hour"),
        ("a 4-8x reduction", "4-8x"),
        ("of 32 layers", "32 layers"),
        ("in 2024 the", "2024"),
        ("with 8 KV heads", "8"),
        ("1,5 GB", "1,5"),
    ],
)
def test_the_whole_quantity(text: str, whole: str) -> None:
    reading = read_prose(text)
    (number,) = reading.bare
    found = quantity_at(reading.plain, number.plain_start, number.plain_end)
    first, last = (found.start, found.stop) if found is not None else (number.plain_start, number.plain_end)
    start, end = reading.rendered.span(first, last)
    assert reading.plain[first:last] == whole
    assert text[start:end].replace("**", "") == whole
