"""Classes that mix attention with states, or keep states alone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from flopkb.editing.hf_config.attention import heads
from flopkb.editing.hf_config.classes.common import HEAD, MHA, V4, V5, beside
from flopkb.editing.hf_config.feed_forwards import dense
from flopkb.editing.hf_config.hybrid_layers import (
    DELTA,
    DENSE_ONLY,
    EXPERTS_ONLY,
    MAMBA,
    MAMBA2,
    NO_MIXER,
    by_kind,
    convolution_or_heads,
    delta_or_latent,
    granite_feed_forwards,
    kimi_kinds,
    lfm2_feed_forwards,
    nemotron_feed_forwards,
    nemotron_kinds,
    nothing,
    side_by_side,
)
from flopkb.editing.hf_config.loading import ExpertTraits, LoadingClass, VectorTraits
from flopkb.editing.hf_config.patterns import (
    FULL,
    LINEAR,
    after_dense,
    always,
    every,
    every_nth_full,
    experts_periodic,
    listed,
    marked,
    periodic,
    stepped,
    typed,
    where_listed,
)
from flopkb.editing.hf_config.reader import Default

_MAMBA2_NAMES = {
    "mamba_num_heads": "mamba_n_heads mamba_num_heads",
    "mamba_head_dim": "mamba_d_head mamba_head_dim",
    "mamba_n_groups": "mamba_n_groups n_groups",
    "mamba_state_size": "mamba_d_state ssm_state_size",
    "mamba_conv_kernel": "mamba_d_conv conv_kernel",
}
_MAMBA2: Mapping[str, Default] = {
    "mamba_norm": True,
    "mamba_conv_bias": True,
    "mamba_expand": 2,
    "mamba_conv_kernel": 4,
}
_HEADS2: Mapping[str, Default] = {"mamba_head_dim": "mamba_expand*hidden_size / mamba_num_heads"}
_DELTA = VectorTraits(qkv_bias="attention_bias", out_bias="attention_bias", qk_norm="head", output_gate=True)
_QWEN3_NEXT = LoadingClass(
    "Qwen3NextForCausalLM",
    V4,
    listed(every_nth_full(4, key="full_attention_interval", rest=LINEAR)),
    by_kind({LINEAR: DELTA, FULL: heads}),
    dense,
    defaults={
        "num_key_value_heads": 2,
        "head_dim": 256,
        "linear_conv_kernel_dim": 4,
        "linear_key_head_dim": 128,
        "linear_value_head_dim": 128,
        "linear_num_key_heads": 16,
        "linear_num_value_heads": 32,
    },
    traits=_DELTA,
    experts=ExpertTraits(shared=1, shared_width="shared_expert_intermediate_size", shared_gate=True),
    sparse=stepped,
    kind_names={"linear_attention": LINEAR},
    unused="full_attention_interval shared_expert_intermediate_size",
)
_QWEN3_5 = replace(
    _QWEN3_NEXT,
    name="Qwen3_5ForCausalLM",
    library=V5,
    experts=None,
    sparse=None,
    traits=replace(_DELTA, output_gate="attn_output_gate"),
    defaults={**_QWEN3_NEXT.defaults, "num_key_value_heads": 4, "attn_output_gate": True},
)
_BAMBA = LoadingClass(
    "BambaForCausalLM",
    V4,
    listed(where_listed("attn_layer_indices", FULL, LINEAR, required=False)),
    by_kind({LINEAR: MAMBA2, FULL: heads}),
    dense,
    names=_MAMBA2_NAMES,
    defaults={**MHA, **_MAMBA2, **_HEADS2, "num_key_value_heads": 8, "mamba_n_groups": 1},
    traits=VectorTraits(qkv_bias="attention_bias", out_bias="attention_bias", mlp_bias="mlp_bias"),
    kind_names={"mamba": LINEAR, "linear_attention": LINEAR, "attention": FULL},
)
_MAMBA1_NAMES = {
    "mamba_state_size": "state_size mamba_d_state",
    "mamba_conv_kernel": "conv_kernel mamba_d_conv",
    "mamba_expand": "expand mamba_expand",
    "mamba_dt_rank": "time_step_rank mamba_dt_rank",
    "mamba_conv_bias": "use_conv_bias mamba_conv_bias",
    "mamba_proj_bias": "use_bias mamba_proj_bias",
    "mamba_intermediate_size": "intermediate_size d_inner",
}
_MAMBA1: Mapping[str, Default] = {
    "mamba_state_size": 16,
    "mamba_conv_kernel": 4,
    "mamba_expand": 2,
    "mamba_conv_bias": True,
    "mamba_dt_rank": "ceil(hidden_size / 16)",
    "mamba_intermediate_size": "mamba_expand*hidden_size",
}
_MAMBA_LM = LoadingClass(
    "MambaForCausalLM",
    V4,
    every(LINEAR),
    by_kind({LINEAR: MAMBA}),
    nothing,
    names=_MAMBA1_NAMES,
    defaults=_MAMBA1,
    tied=True,
)
_MINIMAX = LoadingClass(
    "MiniMaxForCausalLM",
    V4,
    listed(marked("attn_type_list", FULL, LINEAR), keys="layer_types"),
    by_kind({LINEAR: "lightning", FULL: heads}),
    dense,
    defaults={"num_key_value_heads": 8, **HEAD},
    experts=ExpertTraits(width="intermediate_size"),
    sparse=always,
    kind_names={"linear_attention": LINEAR},
)

HYBRID: Mapping[str, LoadingClass] = {
    "qwen3_next": _QWEN3_NEXT,
    "qwen3_5_text": _QWEN3_5,
    "qwen3_5_moe_text": replace(
        _QWEN3_5,
        name="Qwen3_5MoeForCausalLM",
        experts=_QWEN3_NEXT.experts,
        sparse=always,
        defaults={**_QWEN3_5.defaults, "num_key_value_heads": 2},
    ),
    "olmo_hybrid": replace(
        _QWEN3_NEXT,
        name="OlmoHybridForCausalLM",
        library=V5,
        experts=None,
        sparse=None,
        traits=VectorTraits(qkv_bias="attention_bias", out_bias="attention_bias", qk_norm="width"),
        defaults={"linear_conv_kernel_dim": 4, **MHA},
    ),
    "kimi_linear": LoadingClass(
        "KimiLinearForCausalLM",
        V5,
        listed(kimi_kinds, keys="layer_types"),
        delta_or_latent,
        dense,
        names={
            "max_position_embeddings": "model_max_length max_position_embeddings",
            "num_experts_per_tok": "num_experts_per_token num_experts_per_tok",
            "num_shared_experts": "num_shared_experts n_shared_experts",
        },
        defaults={"first_k_dense_replace": 1},
        experts=ExpertTraits(shared="num_shared_experts"),
        sparse=typed(after_dense()),
        kind_names={"linear_attention": LINEAR},
    ),
    "minimax": _MINIMAX,
    "minimax_text_01": replace(_MINIMAX, name="MiniMaxText01ForCausalLM", library=beside("MiniMaxAI/MiniMax-Text-01")),
    "minimax_m1": replace(_MINIMAX, name="MiniMaxM1ForCausalLM", library=beside("MiniMaxAI/MiniMax-M1-80k")),
    "jamba": LoadingClass(
        "JambaForCausalLM",
        V4,
        listed(periodic("attn_layer_period", "attn_layer_offset", FULL, LINEAR), keys="layers_block_type"),
        by_kind({LINEAR: MAMBA, FULL: heads}),
        dense,
        names=_MAMBA1_NAMES
        | {"mamba_intermediate_size": "mamba_intermediate_size", "mamba_proj_bias": "mamba_proj_bias"},
        defaults={
            **_MAMBA1,
            "mamba_inner_norms": True,
            "num_key_value_heads": 8,
            "attn_layer_period": 8,
            "attn_layer_offset": 4,
            "expert_layer_period": 2,
            "expert_layer_offset": 1,
            **HEAD,
        },
        experts=ExpertTraits(width="intermediate_size"),
        sparse=experts_periodic,
        kind_names={"mamba": LINEAR, "linear_attention": LINEAR, "attention": FULL},
    ),
    "mamba": _MAMBA_LM,
    "falcon_mamba": replace(_MAMBA_LM, name="FalconMambaForCausalLM"),
    "mamba2": LoadingClass(
        "Mamba2ForCausalLM",
        V4,
        every(LINEAR),
        by_kind({LINEAR: MAMBA2}),
        nothing,
        names={
            "mamba_num_heads": "num_heads",
            "mamba_head_dim": "head_dim",
            "mamba_n_groups": "n_groups",
            "mamba_state_size": "state_size",
            "mamba_conv_kernel": "conv_kernel",
            "mamba_expand": "expand",
            "mamba_conv_bias": "use_conv_bias",
            "mamba_proj_bias": "use_bias",
        },
        defaults={**_MAMBA2, **_HEADS2, "mamba_n_groups": 8, "mamba_state_size": 128, "mamba_num_heads": 128},
    ),
    "bamba": _BAMBA,
    "falcon_h1": replace(
        _BAMBA,
        name="FalconH1ForCausalLM",
        kinds=every(FULL),
        mixers=side_by_side,
        names=_MAMBA2_NAMES | {"mamba_norm": "mamba_rms_norm", "mamba_out_bias": "projectors_bias"},
        defaults={**_BAMBA.defaults, "mamba_norm": False},
    ),
    "granitemoehybrid": replace(
        _BAMBA,
        name="GraniteMoeHybridForCausalLM",
        kinds=listed(every(LINEAR)),
        feed_forwards=granite_feed_forwards,
        defaults={**MHA, **_MAMBA2, **_HEADS2, "mamba_n_groups": 1},
        experts=ExpertTraits(width="intermediate_size", shared=1, shared_width="shared_intermediate_size"),
        sparse=always,
    ),
    "nemotron_h": replace(
        _BAMBA,
        name="NemotronHForCausalLM",
        library=beside("nvidia/Nemotron-H-56B-Base-8K"),
        kinds=nemotron_kinds,
        mixers=by_kind({LINEAR: MAMBA2, FULL: heads, DENSE_ONLY: NO_MIXER, EXPERTS_ONLY: NO_MIXER}),
        feed_forwards=nemotron_feed_forwards,
        plain=True,
        names=_MAMBA2_NAMES
        | {
            "head_dim": "head_dim attention_head_dim",
            "mamba_n_groups": "n_groups mamba_n_groups",
            "mamba_expand": "expand mamba_expand",
            "mamba_conv_bias": "use_conv_bias mamba_conv_bias",
        },
        defaults={**_BAMBA.defaults, "head_dim": "hidden_size / num_attention_heads"},
        experts=ExpertTraits(
            experts="plain",
            shared=1,
            shared_width="moe_shared_expert_intermediate_size",
        ),
        sparse=None,
    ),
    "lfm2": LoadingClass(
        "Lfm2ForCausalLM",
        V4,
        listed(where_listed("full_attn_idxs", FULL, "conv")),
        convolution_or_heads,
        lfm2_feed_forwards,
        names={"num_attention_heads": "num_attention_heads num_heads"},
        defaults={"conv_L_cache": 3, "num_key_value_heads": 8, **HEAD},
        traits=VectorTraits(qk_norm="head"),
        tied=True,
        kind_names={"conv": "conv"},
    ),
    "lfm2_moe": LoadingClass(
        "Lfm2MoeForCausalLM",
        V5,
        listed(where_listed("full_attn_idxs", FULL, "conv")),
        convolution_or_heads,
        dense,
        defaults={"conv_L_cache": 3, "num_key_value_heads": 8, "num_dense_layers": 2, **HEAD},
        traits=VectorTraits(qk_norm="head"),
        experts=ExpertTraits(),
        sparse=after_dense("num_dense_layers"),
        tied=True,
        kind_names={"conv": "conv"},
    ),
}
