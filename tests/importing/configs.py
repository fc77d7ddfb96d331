"""Small configs, one for each mechanism, written for these tests; none is a real model's file."""

from __future__ import annotations

from typing import Any

Config = dict[str, Any]

DENSE: Config = {
    "hidden_size": 64,
    "intermediate_size": 96,
    "num_hidden_layers": 6,
    "num_attention_heads": 8,
    "num_key_value_heads": 2,
    "vocab_size": 100,
    "max_position_embeddings": 262144,
}
"""A llama-like shape: heads of 8, two KV heads."""

MLA: Config = {
    **{key: value for key, value in DENSE.items() if key != "num_key_value_heads"},
    "num_key_value_heads": 8,
    "kv_lora_rank": 32,
    "q_lora_rank": 24,
    "qk_nope_head_dim": 16,
    "qk_rope_head_dim": 8,
    "v_head_dim": 16,
    "moe_intermediate_size": 40,
    "n_routed_experts": 16,
    "n_shared_experts": 1,
    "num_experts_per_tok": 4,
    "first_k_dense_replace": 2,
}


def config(model_type: str, base: Config | None = None, **more: Any) -> Config:
    """A config of a type: the dense shape, or another, with keys of its own; one that is None is left out."""
    joined = {"model_type": model_type, **(DENSE if base is None else base), **more}
    return {key: value for key, value in joined.items() if value is not None}
