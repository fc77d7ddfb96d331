"""Numbers as writers ask for them; every text is right by the rounding rule, whatever the value."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flopkb.arithmetic.numbers import judge, read
from flopkb.arithmetic.units import parse_unit
from flopkb.publishing.pages.blocks import Paragraph
from flopkb.publishing.pages.inlines import QuotedNumber
from flopkb.publishing.render.template_text import Bad
from flopkb.publishing.render.values import NBSP, Form, written

from .bases import document, faults

pytestmark = pytest.mark.slow

CASES = {
    # 989.5e12 / 3350e9 = 1979/6.7 = 295.3731...
    "usual": ("fig('decode_attention.gap_mha')", "295"),
    "with a sign": ("fig('decode_attention.gap_mha', unit='x')", "295x"),
    "more digits": ("fig('decode_attention.gap_mha', digits=5)", "295.37"),
    "decimals": ("fig('decode_attention.gap_mha', decimals=1)", "295.4"),
    "about": ("fig('decode_attention.gap_mha', about=True, digits=2)", "about 300"),
    "tilde": ("fig('decode_attention.gap_mha', about='~')", "~295"),
    # 295.37/8 = 36.92: one digit would be 40, more than a tenth off only from 36.4 down, so 37 stands with two.
    "few digits": ("fig('decode_attention.gap_gqa8', digits=1)", "37"),
    "bytes in binary": ("fig('kv_cache.one_4k')", "2 GiB"),
    "bytes in another unit": ("fig('kv_cache.one_4k', 'GB')", "2.15 GB"),
    # 23034 MiB = 24,152,899,584 bytes, less 8,030,261,248 * 2 of weights, over 131,072 a token: 61,739.94.
    "counts in the plural": ("fig('capacity.context_l4')", "61,739 tokens"),
    "whole digits stay": ("fig('capacity.context_l4', digits=2, bare=True)", "61,739"),
    "coarse with about": ("fig('capacity.context_l4', digits=2, about=True)", "about 62,000 tokens"),
    "a set": ("fig('decode_attention.kv_reduction', unit='x')", "4–8x"),
    "a word": ("fig('kv_cache.halved', words=True)", "half"),
    "a formula": ("fig('decode_attention.ai', model='llama_3_8b', kv_dtype='int8')", "8 flop/byte"),
    "a formula at a point": ("fig('decode_gemm.short_crossing', at='h100')", "295"),
    "a bound": ("fig('decode_gemm.square_datasheet_first', bound='at most')", "at most 346"),
    "a fact": ("fact('nvidia_h100_sxm.memory_bandwidth', 'TB/s')", "3.35 TB/s"),
    "a fact with every digit": ("fact('llama_2_7b.num_parameters', bare=True)", "6,738,415,616"),
    "a disputed fact": ("fact('nvidia_h100_sxm.memory_bandwidth@genz_systems')", "3.4 TB/s"),
    "memory in binary": ("fact('nvidia_h100_sxm.memory_capacity')", "80 GiB"),
    "a time": ("fig('decode_gemm.time_alone', 'µs')", "10.0 µs"),
}  # fmt: skip


@pytest.mark.parametrize(("call", "wanted"), CASES.values(), ids=CASES.keys())
def test_how_a_number_is_written(call: str, wanted: str) -> None:
    (block, *_) = document("{{ " + call + " }}").blocks
    assert isinstance(block, Paragraph)
    (number,) = block.children
    assert isinstance(number, QuotedNumber)
    assert number.text.replace(NBSP, " ") == wanted


@pytest.mark.parametrize(
    "call",
    [
        "fig('decode_attention.gap_mha', digits=0)",
        "fig('decode_attention.gap_mha', digits=3, decimals=1)",
        "fig('decode_attention.gap_mha', about='perhaps')",
        "fig('decode_attention.gap_mha', bound='perhaps')",
        "fig('decode_attention.gap_mqa64_int8', words=True)",
        "fig('decode_attention.gap_mha', 'GiB')",
        "fig('decode_attention.gap_mha', 'furlong')",
    ],
)
def test_what_cannot_be_asked_for(call: str) -> None:
    assert faults("{{ " + call + " }}")


_UNITS = ["1", "flop/byte", "byte", "s", "token", "flop/s", "byte/token"]


@given(
    st.fractions(min_value=Fraction(1, 10**9), max_value=10**15),
    st.sampled_from(_UNITS),
    st.integers(1, 8) | st.none(),
    st.sampled_from(["", "about", "~"]),
)
@settings(max_examples=300, deadline=None, derandomize=True, database=None)
def test_every_text_stands_by_the_rounding_rule(value: Fraction, unit: str, digits: int | None, qualifier: str) -> None:
    declared = parse_unit(unit)
    text = written([value], declared, Form(digits=digits, qualifier=qualifier))
    assert judge(read(text.replace(NBSP, " ")), [value], declared).ok, text


@given(st.lists(st.fractions(min_value=Fraction(1, 100), max_value=10**6), min_size=2, max_size=4))
@settings(max_examples=100, deadline=None, derandomize=True, database=None)
def test_a_set_is_a_range_from_the_least_to_the_greatest(values: list[Fraction]) -> None:
    try:
        text = written(values, parse_unit("1"), Form())
    except Bad:
        return
    assert judge(read(text), values, parse_unit("1")).ok
