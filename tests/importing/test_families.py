"""Models of every family, imported from their shapes: what the base says that they keep, against a reckoning by hand.

The shapes are those of published configurations, the least of each that says which layer keeps what. A windowed layer is
asked below, at and beyond its window, so that nothing but the right bound gives all of them.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from conftest import REPOSITORY

import flopkb
from flopkb.base.document import Document
from flopkb.base.loading.json_text import load_json
from flopkb.editing.hf_config.model import model_shape
from flopkb.editing.hf_config.writing import RecordHead, record_text

TOKENS = (1, 127, 128, 129, 500, 2047, 2048, 4096, 8191, 8192, 8193, 131072)
COMMON = {"vocab_size": 1000, "max_position_embeddings": 262144, "intermediate_size": 512}
EXPERTS = {"num_experts": 16, "num_experts_per_tok": 2, "moe_intermediate_size": 64}


@dataclass(frozen=True)
class Family:
    """A shape, and what its layers keep in two-byte elements: a token of full layers, of windows, of chunks, a state."""

    config: Mapping[str, Any]
    full: int
    window: tuple[int, int] = (0, 1)
    state: int = 0
    index: int = 0
    """Bytes that indexers keep of a token, two-byte keys."""

    def size(self, tokens: int) -> int:
        """Keys, values and latents of a sequence."""
        of_token, bound = self.window
        return self.full * tokens + of_token * min(tokens, bound)


def heads(layers: int, hidden: int, query: int, groups: int, width: int | None, **more: Any) -> dict[str, Any]:
    """The shape of a model with heads."""
    named = {"num_hidden_layers": layers, "hidden_size": hidden, "num_attention_heads": query}
    found = {**COMMON, **named, "num_key_value_heads": groups, **({"head_dim": width} if width else {}), **more}
    return found


MLA = {"kv_lora_rank": 512, "qk_rope_head_dim": 64, "qk_nope_head_dim": 128, "v_head_dim": 128, "q_lora_rank": 1536}
ROUTED = {"n_routed_experts": 16, "num_experts_per_tok": 2, "moe_intermediate_size": 64, "n_shared_experts": 1}
LOCAL_GLOBAL = ["sliding_attention"] * 4 + ["full_attention"]


def latent(kind: str, layers: int, heads_: int, **more: Any) -> dict[str, Any]:
    """The shape of a model with latents."""
    return {**heads(layers, 2048, heads_, heads_, None), "model_type": kind, **MLA, **ROUTED, **more}


def granite(kinds: list[str], groups: int, query: int, state_heads: int, **more: Any) -> dict[str, Any]:
    """The shape of a Granite 4: Mamba-2 and a few layers of attention."""
    found = heads(len(kinds), 128 * query, query, groups, None, layer_types=kinds, num_local_experts=8)
    return {
        **found, "model_type": "granitemoehybrid", "num_experts_per_tok": 2, "shared_intermediate_size": 64,
        "mamba_n_heads": state_heads, "mamba_d_head": 64, "mamba_d_state": 128, "mamba_n_groups": 1, "mamba_d_conv": 4,
        **more,
    }  # fmt: skip


FAMILIES: dict[str, Family] = {
    # 16 KV heads of 128: 8192 byte a layer and token; 10 of 62 full
    "gemma_3_27b": Family(
        heads(62, 5376, 32, 16, 128, model_type="gemma3_text", sliding_window=1024, sliding_window_pattern=6),
        81_920, (425_984, 1024),
    ),
    # its siblings: 5 of 34 full, 4 heads of 256; 4 of 26, one head of 256
    "gemma_3_4b": Family(
        {"model_type": "gemma3", "text_config": heads(34, 2560, 8, 4, 256, model_type="gemma3_text", sliding_window=1024)},
        5 * 4096, (29 * 4096, 1024),
    ),
    "gemma_3_1b": Family(
        heads(26, 1152, 4, 1, 256, model_type="gemma3_text", sliding_window=512), 4 * 1024, (22 * 1024, 512)
    ),
    "gemma_2_27b": Family(
        heads(46, 4608, 32, 16, 128, model_type="gemma2", sliding_window=4096), 23 * 8192, (23 * 8192, 4096)
    ),
    # the last 15 of 35 layers reuse what an earlier one keeps: 4 full and 16 windowed own a cache of 2 heads of 256
    "gemma_3n_e4b": Family(
        heads(35, 2048, 8, 2, 256, model_type="gemma3n_text", sliding_window=512, num_kv_shared_layers=15, layer_types=LOCAL_GLOBAL * 7),
        8192, (32_768, 512),
    ),
    "gemma_3n_e2b": Family(
        heads(30, 2048, 8, 2, 256, model_type="gemma3n_text", sliding_window=512, num_kv_shared_layers=10, layer_types=LOCAL_GLOBAL * 6),
        4 * 2048, (16 * 2048, 512),
    ),
    # 8 heads of 64: 2048 byte
    "gpt_oss_120b": Family(
        heads(36, 2880, 64, 8, 64, model_type="gpt_oss", sliding_window=128, num_local_experts=8, num_experts_per_tok=4),
        36_864, (36_864, 128),
    ),
    "gpt_oss_20b": Family(
        heads(24, 2880, 64, 8, 64, model_type="gpt_oss", sliding_window=128, num_local_experts=8, num_experts_per_tok=4),
        12 * 2048, (12 * 2048, 128),
    ),
    # 12 of 48: 2 heads of 256; 36 states of 32 heads of 128 by 128 in fp32, and 3 places of 2*2048 + 4096 channels
    "qwen3_next_80b": Family(
        heads(48, 2048, 16, 2, 256, model_type="qwen3_next", full_attention_interval=4, linear_num_key_heads=16,
              linear_num_value_heads=32, linear_key_head_dim=128, linear_value_head_dim=128, linear_conv_kernel_dim=4,
              num_experts=16, num_experts_per_tok=2, moe_intermediate_size=64, shared_expert_intermediate_size=64),
        24_576, state=77_266_944,
    ),
    "qwen3_5_9b": Family(
        {"model_type": "qwen3_5", "text_config": heads(32, 4096, 16, 4, 256, model_type="qwen3_5_text",
              full_attention_interval=4, linear_num_key_heads=16, linear_num_value_heads=32, linear_key_head_dim=128,
              linear_value_head_dim=128, linear_conv_kernel_dim=4)},
        8 * 4096, state=24 * (32 * 128 * 128 * 4 + 3 * 8192 * 2),
    ),
    "kimi_k2": Family(latent("kimi_k2", 61, 64, first_k_dense_replace=1), 70_272),
    "deepseek_v2": Family(latent("deepseek_v2", 60, 128, first_k_dense_replace=1), 60 * 1152),
    # 7 of 27 layers, counted from 1; the rotary part has no positions and is kept; 20 states of 32 heads of 128 by 128
    "kimi_linear_48b": Family(
        latent("kimi_linear", 27, 32, q_lora_rank=None, num_experts=16, num_experts_per_token=2, num_shared_experts=1, first_k_dense_replace=1,
               linear_attn_config={
                   "full_attn_layers": [4, 8, 12, 16, 20, 24, 27],
                   "kda_layers": [n for n in range(1, 27) if n % 4],
                   "num_heads": 32, "head_dim": 128, "short_conv_kernel_size": 4}),
        8064, state=43_417_600,
    ),
    # an indexer in every layer: keys of 128
    "deepseek_v3_2": Family(
        latent("deepseek_v32", 61, 128, index_n_heads=64, index_head_dim=128, index_topk=2048, first_k_dense_replace=3),
        70_272, index=61 * 256,
    ),
    # indexers that three of four layers share
    "glm_5_2": Family(
        latent("glm_moe_dsa", 12, 64, qk_nope_head_dim=192, v_head_dim=256, q_lora_rank=2048, index_n_heads=32, index_head_dim=128, index_topk=2048,
               first_k_dense_replace=3, indexer_types=["full"] * 3 + ["shared", "shared", "shared", "full"] * 2 + ["shared"]),
        12 * 1152, index=5 * 256,
    ),
    "minimax_m2": Family(
        heads(62, 3072, 48, 8, 128, model_type="minimax_m2", num_local_experts=8, num_experts_per_tok=2), 253_952
    ),
    # 10 of 80 full, 70 of lightning attention: 64 heads of 128 by 128 in fp32
    "minimax_text_01": Family(
        heads(80, 6144, 64, 8, 128, model_type="minimax_text_01", attn_type_list=([0] * 7 + [1]) * 10, num_local_experts=8, num_experts_per_tok=2),
        10 * 4096, state=70 * 64 * 128 * 128 * 4,
    ),
    "llama_4": Family(
        {"model_type": "llama4", "text_config": heads(48, 5120, 40, 8, 128, model_type="llama4_text", attention_chunk_size=8192,
              intermediate_size_mlp=512, num_local_experts=8, num_experts_per_tok=1, no_rope_layers=[])},
        49_152, (147_456, 8192),
    ),
    # 4 of 40 full; 36 states of 128 heads of 64 by 128 in fp32, and 3 places of 8192 + 2*128 channels
    "granite_4_h_small": Family(
        granite((["mamba"] * 9 + ["attention"]) * 4, 8, 32, 128), 16_384, state=152_819_712
    ),
    "granite_4_h_micro": Family(
        granite((["mamba"] * 9 + ["attention"]) * 4, 8, 16, 64, num_local_experts=0, num_experts_per_tok=0), 16_384,
        state=36 * (64 * 64 * 128 * 4 + 3 * (4096 + 256) * 2),
    ),
    # attention and Mamba-2 side by side in all 44: 2 heads of 128; 24 heads of 128 by 256
    "falcon_h1_7b": Family(
        heads(44, 3072, 12, 2, 128, model_type="falcon_h1", mamba_n_heads=24, mamba_d_head=128, mamba_d_ssm=3072,
              mamba_d_state=256, mamba_n_groups=1, mamba_d_conv=4),
        45_056, state=139_358_208,
    ),
    "falcon_h1_34b": Family(
        heads(72, 5120, 20, 4, 128, model_type="falcon_h1", mamba_n_heads=32, mamba_d_head=128, mamba_d_ssm=4096,
              mamba_d_state=256, mamba_n_groups=2, mamba_d_conv=4),
        72 * 2048, state=72 * (32 * 128 * 256 * 4 + 3 * (4096 + 2 * 2 * 256) * 2),
    ),
    # 10 of 16 layers are short convolutions over 2048 channels, which keep 2 places
    "lfm2_1b": Family(
        heads(16, 2048, 32, 8, None, model_type="lfm2", full_attn_idxs=[2, 5, 8, 10, 12, 14], conv_L_cache=3,
              block_auto_adjust_ff_dim=False),
        6 * 2048, state=10 * 2048 * 2 * 2,
    ),
    # heads by layer, in a published table of 16
    "openelm_270m": Family(
        {"model_type": "openelm", "model_dim": 1280, "head_dim": 64, "num_transformer_layers": 16, "vocab_size": 1000,
         "num_query_heads": [12] * 3 + [16] * 9 + [20] * 4, "num_kv_heads": [3] * 3 + [4] * 9 + [5] * 4,
         "ffn_multipliers": [0.5 + 0.25 * n for n in range(16)], "ffn_dim_divisor": 256, "max_context_length": 2048,
         "share_input_output_layers": True},
        (3 * 3 + 9 * 4 + 4 * 5) * 2 * 64 * 2,
    ),
    # MPT says its shape in words of its own
    "mpt_30b": Family(
        {"model_type": "mpt", "d_model": 7168, "n_heads": 64, "n_layers": 48, "expansion_ratio": 4, "vocab_size": 1000,
         "max_seq_len": 8192, "attn_config": {"alibi": True}},
        48 * 2 * 7168 * 2,
    ),
    # kinds of wrong numbers: a width of its own; a flag that a newer one overrules; a window that a flag switches off
    "qwen3_4b": Family(heads(36, 2560, 32, 8, 128, model_type="qwen3"), 147_456),
    "falcon_7b": Family(
        {**COMMON, "model_type": "falcon", "num_hidden_layers": 32, "hidden_size": 4544, "num_attention_heads": 71,
         "multi_query": True, "new_decoder_architecture": False},
        32 * 2 * 64 * 2,
    ),
    "falcon_180b": Family(
        {**COMMON, "model_type": "falcon", "num_hidden_layers": 80, "hidden_size": 14848, "num_attention_heads": 232,
         "num_kv_heads": 8, "multi_query": True, "new_decoder_architecture": True},
        80 * 2 * 8 * 64 * 2,
    ),
    "qwen2_7b": Family(
        heads(28, 3584, 28, 4, None, model_type="qwen2", sliding_window=131072, use_sliding_window=False, max_window_layers=28),
        57_344,
    ),
    "command_r7b": Family(
        heads(32, 4096, 32, 8, None, model_type="cohere2", sliding_window=4096, sliding_window_pattern=4),
        8 * 4096, (24 * 4096, 4096),
    ),
    "llama_3_2_11b_vision": Family(
        {"model_type": "mllama", "text_config": heads(40, 4096, 32, 8, None, model_type="mllama_text_model",
              cross_attention_layers=[3, 8, 13, 18, 23, 28, 33, 38])},
        32 * 4096,
    ),
    "bamba_9b": Family(
        heads(32, 4096, 32, 8, None, model_type="bamba", attn_layer_indices=[9, 18, 27], mamba_n_heads=128, mamba_d_head=64,
              mamba_d_state=128, mamba_n_groups=1, mamba_d_conv=4, mamba_expand=2),
        3 * 4096, state=29 * (128 * 64 * 128 * 4 + 3 * (8192 + 256) * 2),
    ),
    # Mamba-1: each of 8192 channels has a state of 16, and 3 places of the convolution
    "jamba_mini": Family(
        heads(32, 4096, 32, 8, None, model_type="jamba", num_experts=16, num_experts_per_tok=2, attn_layer_period=8,
              attn_layer_offset=4, expert_layer_period=2, expert_layer_offset=1, mamba_expand=2, mamba_d_state=16, mamba_d_conv=4),
        4 * 4096, state=28 * (8192 * 16 * 4 + 3 * 8192 * 2),
    ),
    "nemotron_h_8b": Family(
        heads(8, 4096, 32, 8, 128, model_type="nemotron_h", hybrid_override_pattern="M-M-M*-M", mamba_num_heads=128,
              mamba_head_dim=64, ssm_state_size=128, n_groups=8, conv_kernel=4),
        4096, state=4 * (128 * 64 * 128 * 4 + 3 * (8192 + 2 * 8 * 128) * 2),
    ),
}  # fmt: skip


def written(config: Mapping[str, Any], name: str = "it") -> str:
    """The record of a config."""
    document = load_json(json.dumps(config), "config.json")
    assert isinstance(document, Document), document
    return record_text(
        model_shape(document.root), RecordHead(name, f"Name of {name}", "", "", "2026-11-30", "../../schema")
    )


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> flopkb.Base:
    """The base of this repository with the imported models."""
    folder: Path = tmp_path_factory.mktemp("families") / "records"
    shutil.copytree(REPOSITORY / "records", folder)
    for name, family in FAMILIES.items():
        text = written(family.config, f"shape_{name}")
        (folder / "models" / f"shape_{name}.yaml").write_text(text, "utf-8")
    return flopkb.load(folder)


@pytest.mark.parametrize("name", FAMILIES)
def test_what_a_model_of_a_family_keeps(name: str, base: flopkb.Base) -> None:
    family, of = FAMILIES[name], {"model": f"shape_{name}"}
    cache = {**of, "kv_dtype": "bf16", "B": "1"}
    found = [base.evaluate("kv_cache.size", **cache, L=str(tokens)).value for tokens in TOKENS]
    assert found == [family.size(tokens) for tokens in TOKENS]
    assert base.evaluated("kv_cache.state", **of, state_dtype="fp32", conv_dtype="bf16")[0].value == family.state
    keys, _ = base.evaluated("kv_cache.index", **of, L="1000", B="3", index_dtype="bf16")
    assert keys.value == 3 * 1000 * family.index


def test_a_latent_and_an_indexer_with_and_without_scales(base: flopkb.Base) -> None:
    """A token of a layer: 576 elements of two bytes, or packed into 656 bytes; 128 codes and 4 bytes of scale."""

    def grown(**dtypes: str) -> object:
        return base.evaluate("kv_cache.growth", model="deepseek_v3_2", **dtypes).value

    assert grown(kv_dtype="bf16", index_dtype="fp8_g128") == 61 * (1152 + 132) == 78_324
    assert grown(kv_dtype="fp8_ds_mla", index_dtype="fp8_g128") == 61 * (656 + 132) == 48_068
    assert base.evaluate("kv_cache.size", model="deepseek_v3_2", kv_dtype="bf16", L="1", B="1").assumes == (
        "the indexer's keys are apart, as kv_cache.index (mixer_type is indexer (mixer indexer))",
    )


NAMED = {
    "falcon_h1_7b": ["hybrid"] * 44,
    "granite_4_h_small": (["linear_attention"] * 9 + ["full_attention"]) * 4,
    "qwen3_next_80b": (["linear_attention"] * 3 + ["full_attention"]) * 12,
    "kimi_linear_48b": (["linear_attention"] * 3 + ["full_attention"]) * 6
    + ["linear_attention"] * 2
    + ["full_attention"],
    "minimax_text_01": (["linear_attention"] * 7 + ["full_attention"]) * 10,
    "lfm2_1b": ["full_attention" if n in (2, 5, 8, 10, 12, 14) else "conv" for n in range(16)],
    "jamba_mini": (["mamba"] * 4 + ["full_attention"] + ["mamba"] * 3) * 4,
    "bamba_9b": ["full_attention" if n in (9, 18, 27) else "mamba" for n in range(32)],
    "deepseek_v3_2": ["indexed_attention"] * 61,
    "command_r7b": (["sliding_attention"] * 3 + ["full_attention"]) * 8,
    "gpt_oss_20b": ["sliding_attention", "full_attention"] * 12,
}
"""Types of layers as later files name them, in the place of the patterns above."""
PATTERNS = "full_attention_interval attn_type_list full_attn_idxs attn_layer_indices sliding_window_pattern"


@pytest.mark.parametrize("name", NAMED)
def test_names_of_layers_say_the_same_as_older_patterns(name: str) -> None:
    older = FAMILIES[name].config
    later = {key: value for key, value in older.items() if key not in PATTERNS.split()} | {"layer_types": NAMED[name]}
    assert written(later) == written(older)
