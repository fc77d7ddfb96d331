"""Classes of the first years: learned positions, biases everywhere, keys of their own; and models whose layers differ in size."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from flopkb.editing.hf_config.attention import heads
from flopkb.editing.hf_config.classes.defaults import HEAD, MHA, V4, beside
from flopkb.editing.hf_config.feed_forwards import dense
from flopkb.editing.hf_config.loading import LAYER, UNBIASED, LoadingClass, VectorTraits
from flopkb.editing.hf_config.patterns import FULL, every
from flopkb.editing.hf_config.per_layer import (
    block_feed_forwards,
    block_mixers,
    chatglm,
    chatglm_mixers,
    elm_feed_forwards,
    elm_mixers,
    falcon_feed_forwards,
    falcon_mixers,
    mpt,
    mpt_mixers,
    neo_kinds,
    opt,
    qwen_feed_forwards,
)

_ALL = VectorTraits(norm=LAYER, qkv_bias=True, out_bias=True, mlp_bias=True)
_GPT2 = LoadingClass(
    "GPT2LMHeadModel",
    V4,
    every(FULL),
    heads,
    dense,
    defaults={**MHA, "intermediate_size": "4*hidden_size"},
    traits=_ALL,
    plain=True,
    tied=True,
    positions="max_position_embeddings",
)
_GPTJ = replace(
    _GPT2,
    name="GPTJForCausalLM",
    traits=VectorTraits(norm=LAYER, feed_forward_norms=0, mlp_bias=True, head_bias=True),
    tied=False,
    positions="",
)
_FALCON = LoadingClass(
    "FalconForCausalLM",
    V4,
    every(FULL),
    falcon_mixers,
    falcon_feed_forwards,
    defaults={
        **HEAD, "intermediate_size": "4*hidden_size", "multi_query": True, "parallel_attn": True,
        "max_position_embeddings": 2048,
    },
    traits=VectorTraits(norm=LAYER, qkv_bias="bias", out_bias="bias", mlp_bias="bias"),
    plain=True,
    tied=True,
)  # fmt: skip
_MPT = LoadingClass(
    "MptForCausalLM",
    V4,
    every(FULL),
    mpt_mixers,
    dense,
    defaults={
        **HEAD, "expansion_ratio": 4, "intermediate_size": "expansion_ratio*hidden_size", "no_bias": True,
        "max_position_embeddings": 2048,
    },
    traits=VectorTraits(norm=UNBIASED, qkv_bias="!no_bias", out_bias="!no_bias", mlp_bias="!no_bias"),
    plain=True,
    tied=True,
    finish=mpt,
)  # fmt: skip

OLDER: Mapping[str, LoadingClass] = {
    "gpt2": _GPT2,
    "gpt_bigcode": replace(
        _GPT2,
        name="GPTBigCodeForCausalLM",
        mixers=falcon_mixers,
        defaults={**_GPT2.defaults, "multi_query": True},
    ),
    "gpt_neo": replace(
        _GPT2,
        name="GPTNeoForCausalLM",
        kinds=neo_kinds,
        names={"num_attention_heads": "num_heads num_attention_heads", "sliding_window": "window_size"},
        defaults={**_GPT2.defaults, "sliding_window": 256},
        traits=replace(_ALL, qkv_bias=False),
    ),
    "gptj": _GPTJ,
    "codegen": replace(_GPTJ, name="CodeGenForCausalLM"),
    "gpt_neox": replace(
        _GPT2,
        name="GPTNeoXForCausalLM",
        defaults={**MHA, "attention_bias": True},
        traits=replace(_ALL, qkv_bias="attention_bias", out_bias="attention_bias"),
        tied=False,
        positions="",
    ),
    "opt": replace(
        _GPT2,
        name="OPTForCausalLM",
        defaults={**MHA, "enable_bias": True, "layer_norm_elementwise_affine": True, "do_layer_norm_before": True},
        traits=replace(_ALL, qkv_bias="enable_bias", out_bias="enable_bias", mlp_bias="enable_bias"),
        positions="max_position_embeddings + 2",
        finish=opt,
    ),
    "bloom": replace(
        _GPT2,
        name="BloomForCausalLM",
        names={"hidden_size": "hidden_size n_embed", "num_attention_heads": "n_head num_attention_heads"},
        positions="",
        finish=lambda decoder, shape: replace(shape, vectors=((2, decoder.hidden), *shape.vectors)),
    ),
    "mpt": _MPT,
    "falcon": _FALCON,
    "RefinedWeb": replace(
        _FALCON,
        name="RWForCausalLM",
        library=beside("tiiuae/falcon-40b"),
        defaults={**_FALCON.defaults, "new_decoder_architecture": True},
    ),
    "RefinedWebModel": replace(_FALCON, name="RWForCausalLM", library=beside("tiiuae/falcon-7b")),
    "persimmon": replace(
        _GPT2,
        name="PersimmonForCausalLM",
        defaults={**MHA, "qk_layernorm": True},
        traits=replace(_ALL, qk_norm="head", qk_norm_if="qk_layernorm", qk_norm_width=2),
        tied=False,
        positions="",
    ),
    "qwen": LoadingClass(
        "QWenLMHeadModel",
        beside("Qwen/Qwen-7B"),
        every(FULL),
        heads,
        qwen_feed_forwards,
        defaults={"num_key_value_heads": "num_attention_heads", "head_dim": "hidden_size / num_attention_heads"},
        names={
            "head_dim": "kv_channels",
            "max_position_embeddings": "seq_length max_position_embeddings",
        },
        traits=VectorTraits(qkv_bias=True),
        unused="no_bias",
    ),
    "chatglm": LoadingClass(
        "ChatGLMForConditionalGeneration",
        beside("THUDM/chatglm3-6b"),
        every(FULL),
        chatglm_mixers,
        dense,
        names={
            "vocab_size": "padded_vocab_size vocab_size",
            "intermediate_size": "ffn_hidden_size",
            "head_dim": "kv_channels",
            "num_key_value_heads": "multi_query_group_num",
        },
        defaults=MHA,
        traits=VectorTraits(qkv_bias="add_qkv_bias", out_bias="add_bias_linear", mlp_bias="add_bias_linear"),
        finish=chatglm,
    ),
    "openelm": LoadingClass(
        "OpenELMForCausalLM",
        beside("apple/OpenELM-1_1B"),
        every(FULL),
        elm_mixers,
        elm_feed_forwards,
        names={
            "hidden_size": "model_dim",
            "num_hidden_layers": "num_transformer_layers",
            "max_position_embeddings": "max_context_length",
            "tie_word_embeddings": "share_input_output_layers",
        },
        traits=VectorTraits(qk_norm="head", qk_norm_if="normalize_qk_projections"),
        unused="num_gqa_groups qkv_multipliers rope_max_length",
    ),
    "nemotron-nas": LoadingClass(
        "DeciLMForCausalLM",
        beside("nvidia/Llama-3_3-Nemotron-Super-49B-v1"),
        every(FULL),
        block_mixers,
        block_feed_forwards,
        defaults=HEAD,
    ),
}
