"""Every mechanism, in a small config of its own: what each layer keeps at 1, 4,096 and 131,072 tokens, by hand."""

from __future__ import annotations

import json
from typing import Any

import pytest
from conftest import REPOSITORY

from flopkb.base.document import Document
from flopkb.base.loading.json_text import load_json
from flopkb.editing.hf_config.classes import CLASSES, WRAPPING
from flopkb.editing.hf_config.model import model_shape
from flopkb.editing.hf_config.reader import ConfigRefused
from flopkb.editing.hf_config.writing import RecordHead, record_text
from importing.configs import MLA, Config, config
from importing.reckoning import Reckoned

TOKENS = (1, 4096, 131072)
HEAD = RecordHead("small", "Small", "", "", "2026-11-30", "../../schema")


def written(given: Config | str) -> str:
    """The record of a config."""
    document = load_json(given if isinstance(given, str) else json.dumps(given), "config.json")
    assert isinstance(document, Document), document
    return record_text(model_shape(document.root), HEAD)


def record(given: Config | str) -> Reckoned:
    """The record of a config, to be reckoned with."""
    return Reckoned(written(given))


def refusal(given: Config | str) -> str:
    """Why a config is refused, with its place."""
    with pytest.raises(ConfigRefused) as caught:
        written(given)
    return f"{caught.value.location}: {caught.value}"


def full(heads: int = 2, width: int = 16) -> list[int]:
    """What a full layer keeps at each number of tokens; ``width`` is that of a key and a value together."""
    return [2 * tokens * heads * width for tokens in TOKENS]


def local(window: int, heads: int = 2, width: int = 16) -> list[int]:
    """What a windowed layer keeps."""
    return [2 * min(tokens, window) * heads * width for tokens in TOKENS]


def latent() -> list[int]:
    """What a latent layer keeps: a rank of 32 and a rotary part of 8."""
    return [2 * tokens * 40 for tokens in TOKENS]


NOTHING = [0, 0, 0]
F, W, N = full(), local(1024), NOTHING

CASES: dict[str, tuple[Config, list[list[int]]]] = {
    "grouped queries": (config("llama"), [F] * 6),
    "as many KV heads as query heads": (config("llama", num_key_value_heads=None), [full(8)] * 6),
    "null means the default": (json.loads('{"model_type": "llama", "hidden_size": 64, "intermediate_size": 96, "num_hidden_layers": 2, "num_attention_heads": 8, "num_key_value_heads": null, "vocab_size": 10, "head_dim": null}'), [full(8)] * 2),
    "a head dimension of its own": (config("llama", head_dim=128), [full(2, 256)] * 6),
    "a class with a head dimension by default": (config("qwen3"), [full(2, 256)] * 6),
    "a window in all layers": (config("mistral", sliding_window=1024), [W] * 6),
    "a window that is null": (config("mistral"), [F] * 6),
    "a window that a flag switches off": (config("qwen2", sliding_window=1024, use_sliding_window=False, max_window_layers=2), [F] * 6),
    "a window without the flag": (config("qwen2", sliding_window=1024), [F] * 6),
    "a window from a layer on": (config("qwen2", sliding_window=1024, use_sliding_window=True, max_window_layers=4), [F] * 4 + [W] * 2),
    "a window beyond the last layer": (config("qwen2", sliding_window=1024, use_sliding_window=True, max_window_layers=6), [F] * 6),
    "windowed and full in turn": (config("gemma2", sliding_window=1024, head_dim=8), [W, F] * 3),
    "every sixth layer full": (config("gemma3_text", sliding_window=1024, head_dim=8), [W] * 5 + [F]),
    "another pattern": (config("gemma3_text", sliding_window=1024, head_dim=8, sliding_window_pattern=3), [W, W, F] * 2),
    "a pattern of letters": (config("exaone4", sliding_window=1024, sliding_window_pattern="LLG"), [W, W, F] * 2),
    "types of layers by name": (config("gemma3_text", sliding_window=1024, head_dim=8, layer_types=["full_attention"] * 4 + ["sliding_attention"] * 2), [F] * 4 + [W] * 2),
    "chunks where there are rotary positions": (
        config("llama4_text", intermediate_size_mlp=96, num_local_experts=4, num_experts_per_tok=1, attention_chunk_size=8192, no_rope_layers=[1, 1, 0] * 2),
        [local(8192), local(8192), F] * 2,
    ),
    "chunks by the default pattern": (
        config("llama4_text", num_local_experts=4, num_experts_per_tok=1, attention_chunk_size=8192, no_rope_layers=[]),
        [local(8192)] * 3 + [F] + [local(8192)] * 2,
    ),
    "chunks switched off": (config("llama4_text", num_local_experts=4, num_experts_per_tok=1), [F] * 6),
    "one KV head": (config("falcon", multi_query=True, num_key_value_heads=None), [full(1)] * 6),
    "a newer architecture overrules the flag": (config("falcon", multi_query=True, new_decoder_architecture=True, num_kv_heads=4, num_key_value_heads=None), [full(4)] * 6),
    "neither": (config("falcon", multi_query=False, num_key_value_heads=None), [full(8)] * 6),
    "local layers of the first years": (config("gpt_neo", None, num_key_value_heads=None, num_layers=6, num_hidden_layers=None, num_heads=8, num_attention_heads=None, window_size=256, attention_types=[[["global", "local"], 3]]), [full(8), local(256, 8)] * 3),
    "keys of their own": ({"model_type": "mpt", "d_model": 64, "n_heads": 8, "n_layers": 2, "expansion_ratio": 4, "vocab_size": 10, "max_seq_len": 2048, "attn_config": {"alibi": True}}, [full(8)] * 2),
    "groups inside an object": ({"model_type": "dbrx", "d_model": 64, "n_heads": 8, "n_layers": 2, "vocab_size": 10, "max_seq_len": 2048, "attn_config": {"kv_n_heads": 2}, "ffn_config": {"ffn_hidden_size": 40, "moe_num_experts": 4, "moe_top_k": 2}}, [F] * 2),
    "a latent": (config("deepseek_v3", MLA), [latent()] * 6),
    "a latent beside an indexer": (config("deepseek_v32", MLA, index_n_heads=4, index_head_dim=16, index_topk=64), [latent()] * 6),
    "values of another width": (
        config("mimo_v2_flash", head_dim=12, v_head_dim=8, swa_num_key_value_heads=4, swa_num_attention_heads=8, swa_head_dim=12, swa_v_head_dim=8, sliding_window=128, hybrid_layer_pattern=[0, 1] * 3,
               n_routed_experts=8, num_experts_per_tok=2, moe_intermediate_size=32, moe_layer_freq=[0] + [1] * 5),
        [full(2, 20), local(128, 4, 20)] * 3,
    ),
    "delta rule in three of four": (
        config("qwen3_5_text", num_hidden_layers=4, head_dim=8, linear_num_key_heads=2, linear_num_value_heads=4, full_attention_interval=4),
        [N, N, N, F],
    ),
    "lists counted from 1": (
        config("kimi_linear", MLA, q_lora_rank=None, linear_attn_config={"full_attn_layers": [3, 6], "kda_layers": [1, 2, 4, 5], "num_heads": 4, "head_dim": 16, "short_conv_kernel_size": 4}),
        [N, N, latent()] * 2,
    ),
    "letters for mixers, feed-forwards and experts": (
        config("nemotron_h", num_hidden_layers=5, hybrid_override_pattern="M-*EM", head_dim=8, mamba_num_heads=4, mamba_head_dim=32, ssm_state_size=16, n_groups=2, conv_kernel=4,
               n_routed_experts=8, num_experts_per_tok=2, moe_intermediate_size=32, moe_shared_expert_intermediate_size=48),
        [N, N, F, N, N],
    ),
    "a period and an offset": (config("jamba", num_experts=4, num_experts_per_tok=2, attn_layer_period=3, attn_layer_offset=1, expert_layer_period=2, expert_layer_offset=1), [N, F, N] * 2),
    "Mamba and attention by name": (config("granitemoehybrid", layer_types=["mamba", "attention"] * 3, num_local_experts=0, shared_intermediate_size=48, mamba_n_heads=4, mamba_d_head=32, mamba_d_state=16), [N, F] * 3),
    "side by side": (config("falcon_h1", mamba_n_heads=4, mamba_d_head=32, mamba_d_ssm=128, mamba_d_state=16), [F] * 6),
    "states alone": ({"model_type": "mamba2", "hidden_size": 64, "num_hidden_layers": 3, "num_heads": 4, "head_dim": 32, "n_groups": 1, "state_size": 16, "vocab_size": 10}, [N] * 3),
    "convolutions but for some": (config("lfm2", full_attn_idxs=[2, 5], block_auto_adjust_ff_dim=False), [N, N, F] * 2),
    "linear by ones and zeros": (config("minimax_text_01", num_local_experts=4, num_experts_per_tok=2, attn_type_list=[0, 0, 1] * 2), [N, N, F] * 2),
    "layers that reuse a cache": (
        config("gemma3n_text", head_dim=8, sliding_window=512, num_kv_shared_layers=2, layer_types=["sliding_attention", "full_attention"] * 3),
        [local(512), F] * 2 + [N] * 2,
    ),
    "layers that attend to an image": (config("mllama_text_model", cross_attention_layers=[1, 4]), [F, N, F, F, N, F]),
    "one key for two, and compressed entries": (
        config("deepseek_v4", num_key_value_heads=1, head_dim=32, q_lora_rank=24, o_lora_rank=16, o_groups=2, qk_rope_head_dim=8, sliding_window=128, compress_ratios=[0, 4, 128, 4, 128, 4, 0],
               num_nextn_predict_layers=1, index_n_heads=4, index_head_dim=16, index_topk=64, n_routed_experts=8, n_shared_experts=1, num_experts_per_tok=2, moe_intermediate_size=32),
        [[2 * (min(t, 128) + (t // ratio if ratio else 0)) * 32 for t in TOKENS] for ratio in (0, 4, 128, 4, 128, 4)],
    ),
    "heads that differ by layer": (
        {"model_type": "openelm", "model_dim": 64, "num_transformer_layers": 2, "head_dim": 8, "num_query_heads": [4, 8], "num_kv_heads": [1, 2], "ffn_multipliers": [0.5, 4.0], "ffn_dim_divisor": 32, "vocab_size": 10, "max_context_length": 2048, "share_input_output_layers": True},
        [full(1), full(2)],
    ),
    "blocks without attention": (
        {**config("nemotron-nas", num_hidden_layers=2, num_key_value_heads=None, intermediate_size=None),
         "block_configs": [{"attention": {"n_heads_in_group": 4, "no_op": False}, "ffn": {"ffn_mult": 2.625, "no_op": False}}, {"attention": {"no_op": True}, "ffn": {"ffn_mult": 1, "no_op": False}}]},
        [full(2), N],
    ),
    "a text model inside": ({"model_type": "mistral3", "text_config": config("mistral", head_dim=8), "vision_config": {"hidden_size": 32}}, [F] * 6),
    "a text model inside of another key": ({"model_type": "internvl_chat", "llm_config": config("qwen2")}, [F] * 6),
    "a text model two objects down": ({"model_type": "qwen2_5_omni", "thinker_config": {"text_config": config("qwen2_5_omni_text")}}, [F] * 6),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_what_each_layer_keeps(name: str) -> None:
    given, expected = CASES[name]
    made = record(given)
    found = [made.kept(tokens) for tokens in TOKENS]
    assert [list(layer) for layer in zip(*found, strict=True)] == expected


def test_weights_that_are_no_matrices() -> None:
    plain = 6 * 2 * 64 + 64
    biased = plain + 6 * (8 + 2 * 2) * 8
    normed = plain + 6 * 2 * 8
    assert record(config("llama")).vectors() == plain
    assert record(config("qwen2")).vectors() == biased
    assert record(config("qwen3", head_dim=8)).vectors() == normed
    assert record(config("llama", attention_bias=True)).vectors() == biased + 6 * 64
    assert record(config("gemma2", head_dim=8)).vectors() == 6 * 4 * 64 + 64
    assert record(config("olmo")).vectors() == 0
    assert record(config("gpt2", num_key_value_heads=None)).vectors() == (
        262144 * 64 + 2 * 64 + 6 * (2 * 2 * 64 + 3 * 64 + 64 + 96 + 64)
    )


def test_vectors_of_experts_stand_with_one_expert() -> None:
    given = config("gpt_oss", head_dim=8, sliding_window=128, num_local_experts=4, num_experts_per_tok=2)
    a_layer = 2 * 64 + (8 + 4) * 8 + 64 + 8 + 4 + 4 * (2 * 96 + 64)
    assert record(given).vectors() == 6 * a_layer + 64


def test_experts_stand_where_the_config_says() -> None:
    def routed(given: Config) -> list[bool]:
        return [blocks[0]["type"] == "mixture_of_experts" for _, blocks in record(given).layers]

    moe: dict[str, Any] = {"num_experts": 8, "num_experts_per_tok": 2, "moe_intermediate_size": 32}
    assert routed(config("qwen3_moe", head_dim=8, **moe, decoder_sparse_step=2, mlp_only_layers=[3])) == [
        False,
        True,
        False,
        False,
        False,
        True,
    ]
    assert routed(config("deepseek_v3", MLA)) == [False] * 2 + [True] * 4
    assert routed(config("deepseek_v3", MLA, moe_layer_freq=3)) == [False, False, False, True, False, False]
    assert routed(config("qwen3_moe", head_dim=8, **{**moe, "num_experts": 0})) == [False] * 6


def test_a_key_of_another_name_is_recorded() -> None:
    text = written(config("deepseek_v3", MLA))
    assert "num_experts: n_routed_experts" in text
    assert "num_shared_experts: n_shared_experts" in text


def test_what_the_config_leaves_out_says_where_it_is_from() -> None:
    text = written(config("llama"))
    assert "head_dim: {value: 8, basis: derived, formula: hidden_size / num_attention_heads}" in text
    text = written({**config("mistral"), "num_key_value_heads": None})
    assert "num_key_value_heads: 8  # by MistralForCausalLM of transformers 4.57.1" in text


def test_layers_that_repeat_are_written_once() -> None:
    text = written(config("gemma3_text", sliding_window=1024, head_dim=8, num_hidden_layers=62))
    assert text.partition("layers:\n  - ")[2].partition("hidden_size")[0] == (
        "repeat: 10\n    layers:\n      - {count: 5, mixers: [local]}\n      - {count: 1, mixers: [full]}\n  - {count: 2, mixers: [local]}\n"
    )


REFUSED = {
    "no type": ({"hidden_size": 64}, "config.json:1:1: the file has no `model_type`, which says how to read it"),
    "a type that nobody knows": (config("qwen9"), 'config.json:1:16: the model_type "qwen9" is not one that flopkb knows'),
    "a recurrence that no record describes": (config("recurrent_gemma"), "a recurrent_gemma has a gated linear recurrence (RG-LRU), which no record can describe"),
    "a type of layer": (config("gemma3_text", layer_types=["full_attention"] * 5 + ["zigzag_attention"]), '"zigzag_attention" is no type of layer that Gemma3ForCausalLM has here'),
    "too few types": (config("gemma3_text", layer_types=["full_attention"] * 5), "`layer_types` has 5 entries for 6 layers"),
    "a mechanism by its key": (config("llama", num_memory_slots=4), "the key `num_memory_slots` is not one that flopkb knows of a llama"),
    "a window that the class does not look at": (config("llama", sliding_window=4096), "the key `sliding_window` is not one that flopkb knows of a llama"),
    "types of layers that the class does not look at": (config("mixtral", num_local_experts=4, num_experts_per_tok=2, layer_types=["full_attention"] * 6), "the key `layer_types` is not one that flopkb knows of a mixtral"),
    "experts in a class without them": (config("llama", num_experts=8), "the key `num_experts` is not one that flopkb knows of a llama"),
    "a switch by its key": (config("llama", use_cla=True), "the key `use_cla` is not one that flopkb knows of a llama"),
    "experts that do nothing": (config("longcat_flash"), "a longcat_flash has experts that do nothing, so that how many a token uses differs, which no record can describe"),
    "no number of layers": (config("llama", num_hidden_layers=None), "the file has no `num_hidden_layers` (or n_layer, n_layers, num_layers)"),
    "half a head": (config("llama", hidden_size=63), "`head_dim` is left out, and hidden_size / num_attention_heads is 63/8, not a whole number"),
    "heads that do not share": (config("llama", num_key_value_heads=3), "8 query heads do not share 3 KV heads evenly"),
    "a number in quotes": (config("llama", num_hidden_layers="6"), '`num_hidden_layers` must be a whole number from 0 to 10^12, not "6"'),
    "two numbers for one": (config("falcon", n_layer=7), "`n_layer` says 7 and `num_hidden_layers` 6: they mean the same"),
    "lists that count from 0": (config("kimi_linear", MLA, linear_attn_config={"full_attn_layers": [2, 5], "kda_layers": [0, 1, 3, 4], "num_heads": 4, "head_dim": 16, "short_conv_kernel_size": 4}), "do not name each of the layers 1 to 6 once"),
    "embeddings tied and not": ({"model_type": "llava", "tie_word_embeddings": True, "text_config": config("llama", tie_word_embeddings=False)}, "`tie_word_embeddings` is true in one place of the file and false in another"),
    "more experts a token than there are": (config("mixtral", num_local_experts=2, num_experts_per_tok=4), "4 experts a token, of 2"),
    "blocks replaced by a matrix": ({**config("nemotron-nas", num_hidden_layers=1), "block_configs": [{"attention": {"replace_with_linear": True}, "ffn": {"no_op": True}}]}, "`replace_with_linear` is no mechanism that a record can describe"),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_refused_is_named(name: str) -> None:
    given, expected = REFUSED[name]
    assert expected in refusal(given)
    assert len(refusal(given)) < 340


def test_keys_that_change_nothing_are_passed_over() -> None:
    given = config(
        "llama",
        rope_theta=1e6,
        attention_dropout=0.1,
        bos_token_id=1,
        use_cla=False,
        num_memory_slots=0,
        zebra="striped",
    )
    assert written(given) == written(config("llama"))


def test_a_bare_infinity_and_comments_are_read() -> None:
    text = json.dumps(config("llama")).replace("{", '{ // ours\n "time_step_limit": [0.0, Infinity], ', 1)
    assert written(text) == written(config("llama"))


def test_the_documentation_names_every_type() -> None:
    page = (REPOSITORY / "docs" / "importing_models.md").read_text(encoding="utf-8")
    assert [name for name in (*CLASSES, *WRAPPING) if f"`{name}`" not in page] == []


def test_every_class_says_where_it_was_read() -> None:
    for name, entry in CLASSES.items():
        assert entry.name, name
        assert entry.library.startswith(("transformers ", "the code of ")), name
