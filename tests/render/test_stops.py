"""What stops a render, each fault at its line and column of the template."""

from __future__ import annotations

import pytest

from .bases import document, fault, faults

STOPS = {
    "an unknown figure": ("a\n  {{ fig('decode_attention.gap_mhaa') }}", "2:28 unknown-figure"),
    "an unknown record": ("{{ fig('decode_attn.gap_mha') }}", "1:9 template"),
    "an unknown recorded value": ("{{ fact('nvidia_h100_sxm.bandwith') }}", "1:26 unknown-fact"),
    "a missing input": ("x {{ fig('kv_cache.size', model='llama_2_7b', kv_dtype='bf16') }}", "1:11 missing-input"),
    "an input outside its domain": ("{{ fig('roofline.attainable?I=1e9&accelerator=nvidia_h100_sxm&dtype=bf16') }}", "1:9 outside-domain"),
    "an unknown source": ("a\nb {{ cite('vlm_2023') }}", "2:12 missing-citation"),
    "an unknown source in brackets": ("see this\n[@vlm_2023]", "2:3 missing-citation"),
    "a record that is no source": ("{{ cite('kv_cache') }}", "1:10 missing-citation"),
    "a citation that is never printed": ("{% set c = cite('vllm_2023') %}\ntext", "1:12 unused-citation"),
    "a declared source that is never cited": ("---\nsources: [vllm_2023, gqa_2023]\n---\n{{ cite('vllm_2023') }}", "2:22 unused-citation"),
    "a cited source that is not declared": ("---\nsources: [vllm_2023]\n---\n[@vllm_2023] [@gqa_2023]", "2:10 missing-citation"),
    "references to nothing": ("text\n\n{{ references() }}", "3:4 unused-citation"),
    "a dangling cross-reference": ("a {{ ref('tab:cache') }}", "1:6 dangling-reference"),
    "a dangling note": ("a[^x] b", "1:2 dangling-reference"),
    "a cross-reference to no note": ("a {{ ref('note:x') }}", "1:6 dangling-reference"),
    "a note that nothing refers to": ("a\n\n[^x]: text", "3:1 unused-note"),
    "a label given twice": ("$$ x $$ {eq:a}\n\n$$ y $$ {eq:a}", "3:1 label"),
    "a label of another kind": ("{{ equation('roofline.ridge', 'tab:a') }}", "1:4 template"),
    "a typed number": ("first\nabout 295x below", "2:7 bare-number"),
    "a typed number in a heading": ("## The 295 wall", "1:8 bare-number"),
    "a typed number in a table": ("| a |\n|---|\n| 16 GiB |", "3:3 bare-number"),
    "a typed number in a note": ("a[^x]\n\n[^x]: by 8x", "3:10 bare-number"),
    "a typed number in a caption": ("{{ plot('roofline', 'fig:a', 'The 295 wall') }}", "1:35 bare-number"),
    "a typed number in mathematics": ("so $x + 295$ here", "1:9 bare-number"),
    "a typed number in an equation": ("$$ x = 295 $$", "1:8 bare-number"),
    "a typed number in code": ("it is `295 flop/byte` here", "1:8 bare-number"),
    "a typed number in a title": ("---\ntitle: 295 reasons\n---\ntext", "2:8 bare-number"),
    "a typed number in an expression": ("{{ 295 }}", "1:4 bare-number"),
    "a typed number in a text of an expression": ("{{ '295x' }}", "1:5 bare-number"),
    "a number in a label of a plot": ("{{ plot('roofline', 'fig:a', at=[['batch of 64', 'decode_attention.ai_mha']]) }}", "1:4 bare-number"),
    "a number given to no figure": ("{{ given(4096) }}", "1:4 bare-number"),
    "a literal without a known reason": ("{{ lit('2', 'because') }}", "1:14 template"),
    "a literal without a number": ("{{ lit('few', 'coefficient') }}", "1:9 template"),
    "a typed cross-reference": ("as Table 1 shows", "1:4 typed-reference"),
    "a stale link": ("it is [296x](fig:decode_attention.gap_mha) below", "1:8 figure-mismatch"),
    "a derivation that does not hold": ("{{ derivation('decode_gemm.flops', 'flops = 2*m*n') }}", "1:45 derivation"),
    "an inequality that is not proved": ("{{ derivation('decode_gemm.intensity', 'I >= b', b_w=2, b_a=2) }}", "1:46 derivation"),
    "a formula written as another": ("{{ equation('kv_cache.uniform_per_token', written='n_layers*n_kv') }}", "1:4 derivation"),
    "an unknown symbol": ("{{ symbol('kv_cache.layers') }}", "1:21 template"),
    "an unknown claim": ("{{ claim('decode_gemm.never') }}", "1:23 template"),
    "a unit that cannot measure it": ("{{ fig('kv_cache.one_4k', 'ms') }}", "1:4 template"),
    "a typed factor": ("It is x300 more.", "1:7 bare-number"),
    "a typed factor in code": ("It is `x300` more.", "1:8 bare-number"),
    "a unit behind a printed value": ("It is {{ fig('decode_attention.gap_mha') }} GB/s.", "1:10 partial-quantity"),
    "a unit behind a linked value": ("It is [295x](fig:decode_attention.gap_mha) GB/s.", "1:8 partial-quantity"),
    "another unit behind a bare value": ("{{ fact('nvidia_h100_sxm.memory_bandwidth', bare=True) }} GB", "1:4 partial-quantity"),
    "another unit in the head of the column": (
        "| part | bandwidth (GB/s) |\n|---|---|\n| a | {{ fact('nvidia_h100_sxm.memory_bandwidth', 'TB/s', bare=True) }} |",
        "3:10 unit-mismatch",
    ),
    "no unit behind a bare value": ("It has {{ fact('nvidia_h100_sxm.memory_bandwidth', bare=True) }}.", "1:11 unit-mismatch"),
    "a sign before a printed value": ("It is -{{ fig('decode_attention.gap_mha') }}.", "1:11 partial-quantity"),
    "a factor before a printed value": ("about ten times {{ fig('decode_attention.gap_mha') }}", "1:20 partial-quantity"),
    "a scale behind a printed value": ("{{ fig('decode_attention.gap_mha') }} million", "1:4 partial-quantity"),
    "a false bound on a printed value": ("less than {{ fig('decode_attention.gap_mha') }}", "1:14 partial-quantity"),
    "printed values side by side": ("{{ fig('decode_attention.gap_mha') }}{{ fig('decode_attention.gap_mha') }}", "1:41 partial-quantity"),
    "a false sum of printed values": (
        "{{ fig('decode_attention.gap_mha') }} + {{ fig('decode_attention.gap_mha') }} = {{ fig('decode_attention.gap_mha') }}",
        "1:4 equation-mismatch",
    ),
    "a false comparison of printed values": (
        "So {{ fig('decode_attention.gap_mha') }} exceeds {{ fig('decode_attention.gap_mha') }}.", "1:7 equation-mismatch"
    ),
    "a unit behind a literal that has none": ("It took {{ lit('2024', 'year') }} ms.", "1:12 partial-quantity"),
    "a sign before a literal that has none": ("It is -{{ lit('2', 'ordinal') }}.", "1:11 partial-quantity"),
    "a literal beside a value": ("{{ lit('2', 'example') }} × {{ fig('decode_attention.gap_mha') }}", "1:32 partial-quantity"),
    "a literal that is a printed value": (
        "{{ lit('295x', 'example') }} is {{ fig('decode_attention.gap_mha', unit='x') }}", "1:4 literal-reason"
    ),
    "what nothing says held once": ("It is {{ lit('9', 'superseded') }}.", "1:10 literal-reason"),
    "a sign before an input of the document": (
        "It is -{{ given(4096, 'token') }}: {{ fig('kv_cache.one_4k', 'GB') }}", "1:11 partial-quantity"
    ),
    "raw HTML": ("a <b>x</b>", "1:1 markdown"),
    "an HTML comment": ("<!-- a -->", "1:1 markdown"),
    "a picture of another file": ("![x](y.png)", "1:1 markdown"),
    "mathematics that cannot be read": ("$$ x_a_b $$", "1:1 markdown"),
    "an unknown function": ("{{ figg('x') }}", "1:4 template"),
    "an unknown variable": ("{{ x }}", "1:4 template"),
    "a wrong argument": ("{{ ref('eq:a', colour='red') }}", "1:4 template"),
    "broken syntax": ("a\n{{ fig('x' }}", "2:1 template-syntax"),
    "an unfinished block": ("a {% if x %}", "1:11 template-syntax"),
    "an unknown key in the header": ("---\ntitel: x\n---\n", "2:1 template"),
}  # fmt: skip


@pytest.mark.parametrize(("text", "wanted"), STOPS.values(), ids=STOPS.keys())
def test_each_fault_is_placed(text: str, wanted: str) -> None:
    assert fault(text) == wanted


def test_all_numbers_that_are_typed_are_reported_at_once() -> None:
    found = faults("one 11x\n\ntwo 12x\n\n{% for i in range(3) %}\n- 13x\n{% endfor %}\n")
    assert [f.location.line for f in found] == [1, 3, 6]
    assert all(len(f.message) < 300 and "typed" in f.message for f in found)


def test_what_is_no_number_passes() -> None:
    made = document(
        "An H100 in BF16, of 2026-11-29, arXiv:2309.06180, Llama-2-7B, $x_{1} + y^{2}$, $\\sqrt{d_k}$, `a1`, "
        "{{ lit('2', 'ordinal') }}, {{ name('nvidia_rtx_4090') }}, [2](lit:ordinal).\n\n```python\nx = 3\n```\n"
    )
    assert made.blocks


def test_did_you_mean() -> None:
    assert "did you mean decode_attention.gap_mha" in faults("{{ fig('decode_attention.gap_mh') }}")[0].message
    assert "did you mean vllm_2023" in faults("{{ cite('vlm_2023') }}")[0].message
    assert (
        "did you mean tab:kv"
        in faults(
            "{{ ref('tab:kw') }}\n\n{{ table('kv_cache.size', rows={'L': [2048]}, label='tab:kv', model='llama_2_7b', kv_dtype='fp16', B=1) }}"
        )[0].message
    )


RIGHT = (
    "It is about {{ fig('decode_attention.gap_mha') }} times, more than {{ fig('decode_attention.gap_mha') }}.",
    "It moves {{ fact('nvidia_h100_sxm.memory_bandwidth', 'TB/s', bare=True) }} TB/s.",
    "{{ fig('decode_attention.gap_mha') }} = {{ fig('decode_attention.gap_mha') }}",
    "| part | bandwidth (TB/s) |\n|---|---|\n| a | {{ fact('nvidia_h100_sxm.memory_bandwidth', 'TB/s', bare=True) }} |",
    "It holds {{ fact('llama_2_7b.num_key_value_heads', bare=True) }} heads.",
    "In $x = {{ fig('decode_attention.gap_mha') }}$ and `{{ fig('decode_attention.gap_mha') }}`.",
    "It holds {{ lit('2', 'example') }} GB; it was {{ lit('9', 'superseded') }} until then.",
    "See x2 and [295x](fig:decode_attention.gap_mha).",
)


@pytest.mark.parametrize("text", RIGHT)
def test_what_is_right_around_a_printed_value_passes(text: str) -> None:
    assert document(text).blocks


def test_two_texts_of_one_name_are_judged_apart() -> None:
    """Nothing is remembered of the text that had the path before."""
    assert document("It is [295x](fig:decode_attention.gap_mha).").blocks
    assert fault("It is -[295x](fig:decode_attention.gap_mha).") == "1:9 partial-quantity"
