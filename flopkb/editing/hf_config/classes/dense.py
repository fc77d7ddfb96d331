"""Classes with full or windowed attention and one feed-forward a layer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from flopkb.editing.hf_config.attention import heads
from flopkb.editing.hf_config.classes.defaults import HEAD, MHA, SEVEN_BILLION, V4, V5, beside
from flopkb.editing.hf_config.feed_forwards import dense
from flopkb.editing.hf_config.loading import LAYER, UNBIASED, LoadingClass, VectorTraits
from flopkb.editing.hf_config.patterns import (
    CROSS,
    FULL,
    every,
    every_nth_full,
    first_full_of,
    first_windowed,
    listed,
    where_listed,
    windowed,
    windowed_from,
)
from flopkb.editing.hf_config.special import (
    cross_feed_forwards,
    cross_or_heads,
    gemma3n,
    gemma3n_mixers,
    gemma4,
    gemma4_feed_forwards,
    gemma4_mixers,
    mllama,
)

_LLAMA = LoadingClass("LlamaForCausalLM", V4, every(FULL), heads, dense, defaults=MHA)
_LLAMA = replace(_LLAMA, traits=VectorTraits(qkv_bias="attention_bias", out_bias="attention_bias", mlp_bias="mlp_bias"))
_LLAMA = replace(_LLAMA, inner_defaults={**SEVEN_BILLION, "intermediate_size": 11008, "max_position_embeddings": 2048})
_MISTRAL = LoadingClass("MistralForCausalLM", V4, windowed, heads, dense, defaults={"num_key_value_heads": 8, **HEAD})
_MISTRAL = replace(_MISTRAL, inner_defaults={**SEVEN_BILLION, "intermediate_size": 14336})
_QWEN2 = LoadingClass(
    "Qwen2ForCausalLM", V4, listed(windowed_from), heads, dense, defaults={"use_sliding_window": False, **HEAD}
)
_QWEN2 = replace(_QWEN2, traits=VectorTraits(qkv_bias=True))
_QWEN3 = replace(
    _QWEN2,
    name="Qwen3ForCausalLM",
    defaults={"use_sliding_window": False, "head_dim": 128},
    traits=VectorTraits(qkv_bias="attention_bias", out_bias="attention_bias", qk_norm="head"),
)
_BIASED = VectorTraits(qkv_bias="attention_bias", out_bias="attention_bias")
_SANDWICH = VectorTraits(mixer_norms=2, feed_forward_norms=2, qkv_bias="attention_bias", out_bias="attention_bias")
_GEMMA = LoadingClass("GemmaForCausalLM", V4, every(FULL), heads, dense, traits=_BIASED, tied=True)
_GEMMA = replace(_GEMMA, defaults={"head_dim": 256, "max_position_embeddings": 8192})
_GEMMA3_DEFAULTS = {
    "vocab_size": 262208,
    "num_attention_heads": 8,
    "num_key_value_heads": 4,
    "head_dim": 256,
    "max_position_embeddings": 131072,
    "sliding_window": 4096,
}
_GLM = LoadingClass("GlmForCausalLM", V4, every(FULL), heads, dense, defaults={"attention_bias": True, **HEAD})
_GLM = replace(_GLM, traits=VectorTraits(qkv_bias="attention_bias"))
_OLMO2 = VectorTraits(qkv_bias="attention_bias", out_bias="attention_bias", qk_norm="width")
_EXAONE4 = LoadingClass(
    "Exaone4ForCausalLM",
    V4,
    listed(every_nth_full(4)),
    heads,
    dense,
    defaults=HEAD,
    traits=VectorTraits(qk_norm="head"),
)

DENSE: Mapping[str, LoadingClass] = {
    "llama": _LLAMA,
    "yi": replace(_LLAMA, name="YiForCausalLM", library=beside("01-ai/Yi-34B")),
    "Yi": replace(_LLAMA, name="YiForCausalLM", library=beside("01-ai/Yi-34B")),
    "aquila": replace(_LLAMA, name="AquilaForCausalLM", library=beside("BAAI/AquilaChat2-34B")),
    "mistral": _MISTRAL,
    "ministral": replace(_MISTRAL, name="MinistralForCausalLM", kinds=listed(windowed)),
    "ministral3": replace(_MISTRAL, name="Ministral3ForCausalLM", library=V5),
    "qwen2": _QWEN2,
    "qwen2_vl_text": replace(_QWEN2, name="Qwen2VLTextModel"),
    "qwen2_5_vl_text": replace(_QWEN2, name="Qwen2_5_VLTextModel"),
    "qwen2_5_omni_text": replace(_QWEN2, name="Qwen2_5OmniThinkerTextModel"),
    "qwen3": _QWEN3,
    "qwen3_vl_text": replace(_QWEN3, name="Qwen3VLTextModel", kinds=every(FULL)),
    "gemma": _GEMMA,
    "gemma2": replace(
        _GEMMA,
        name="Gemma2ForCausalLM",
        kinds=listed(first_windowed),
        defaults={"head_dim": 256, "sliding_window": 4096, "max_position_embeddings": 8192},
        unused="sliding_window_size",
        traits=_SANDWICH,
    ),
    "gemma3_text": replace(
        _GEMMA,
        name="Gemma3ForCausalLM",
        kinds=listed(every_nth_full(6)),
        names={"sliding_window_pattern": "sliding_window_pattern _sliding_window_pattern"},
        defaults=_GEMMA3_DEFAULTS,
        traits=replace(_SANDWICH, qk_norm="head"),
    ),
    "gemma3n_text": replace(
        _GEMMA,
        name="Gemma3nForCausalLM",
        kinds=listed(every_nth_full(5, key="")),
        defaults={
            "vocab_size": 262400,
            "vocab_size_per_layer_input": 262144,
            "hidden_size_per_layer_input": 256,
            "hidden_size": 2048,
            "intermediate_size": 16384,
            "num_hidden_layers": 35,
            "num_attention_heads": 8,
            "num_key_value_heads": 2,
            "head_dim": 256,
            "max_position_embeddings": 32768,
            "sliding_window": 512,
            "altup_num_inputs": 4,
            "num_kv_shared_layers": 15,
            "laurel_rank": 64,
        },
        traits=replace(_SANDWICH, qk_norm="head"),
        mixers=gemma3n_mixers,
        finish=gemma3n,
        unused="activation_sparsity_pattern altup_active_idx altup_coef_clip altup_correct_scale altup_lr_multiplier",
    ),
    "gemma4_text": replace(
        _GEMMA,
        name="Gemma4ForCausalLM",
        library=V5,
        kinds=listed(every_nth_full(6, key="")),
        names={"num_experts_per_tok": "top_k_experts num_experts_per_tok"},
        defaults={
            "vocab_size": 262144,
            "vocab_size_per_layer_input": 262144,
            "hidden_size_per_layer_input": 256,
            "num_key_value_heads": 4,
            "head_dim": 256,
            "global_head_dim": 512,
            "max_position_embeddings": 131072,
            "sliding_window": 512,
        },
        traits=replace(_SANDWICH, qk_norm="head"),
        mixers=gemma4_mixers,
        feed_forwards=gemma4_feed_forwards,
        finish=gemma4,
        unused="vocab_size_per_layer_input num_global_key_value_heads top_k_experts",
    ),
    "vaultgemma": replace(
        _GEMMA,
        name="VaultGemmaForCausalLM",
        kinds=listed(first_windowed),
        defaults={"head_dim": 256, "sliding_window": 4096},
    ),
    "phi": LoadingClass(
        "PhiForCausalLM",
        V4,
        every(FULL),
        heads,
        dense,
        defaults=MHA,
        traits=VectorTraits(
            norm=LAYER,
            feed_forward_norms=0,
            qkv_bias=True,
            out_bias=True,
            mlp_bias=True,
            qk_norm="head",
            qk_norm_if="qk_layernorm",
            qk_norm_width=2,
            head_bias=True,
        ),
        plain=True,
    ),
    "phi3": LoadingClass("Phi3ForCausalLM", V4, windowed, heads, dense, defaults=MHA),
    "phi4mm": LoadingClass(
        "Phi4MMForCausalLM",
        beside("microsoft/Phi-4-multimodal-instruct"),
        windowed,
        heads,
        dense,
        defaults=MHA,
        unused="vision_lora speech_lora embd_layer img_processor audio_processor full_attn_mod interpolate_factor",
    ),
    "phi3_v": LoadingClass(
        "Phi3VForCausalLM", beside("microsoft/Phi-3.5-vision-instruct"), windowed, heads, dense, defaults=MHA
    ),
    "cohere": LoadingClass(
        "CohereForCausalLM",
        V4,
        every(FULL),
        heads,
        dense,
        defaults=MHA,
        traits=replace(_BIASED, norm=UNBIASED, feed_forward_norms=0, qk_norm="width", qk_norm_if="use_qk_norm"),
        tied=True,
    ),
    "cohere2": LoadingClass(
        "Cohere2ForCausalLM",
        V4,
        listed(every_nth_full(4)),
        heads,
        dense,
        names={"sliding_window_pattern": "sliding_window_pattern _sliding_window_pattern"},
        defaults={"sliding_window": 4096, **MHA},
        traits=replace(_BIASED, norm=UNBIASED, feed_forward_norms=0),
        tied=True,
    ),
    "starcoder2": LoadingClass(
        "Starcoder2ForCausalLM",
        V4,
        windowed,
        heads,
        dense,
        defaults={"use_bias": True, "num_key_value_heads": 2, **HEAD},
        traits=VectorTraits(norm=LAYER, qkv_bias="use_bias", out_bias="use_bias", mlp_bias="use_bias"),
        plain=True,
        tied=True,
    ),
    "olmo": LoadingClass(
        "OlmoForCausalLM", V4, every(FULL), heads, dense, defaults=MHA, traits=replace(_BIASED, norm=0)
    ),
    "olmo2": LoadingClass("Olmo2ForCausalLM", V4, every(FULL), heads, dense, defaults=MHA, traits=_OLMO2),
    "olmo3": LoadingClass(
        "Olmo3ForCausalLM",
        V4,
        listed(every_nth_full(4, key="")),
        heads,
        dense,
        defaults={"sliding_window": 4096, **MHA},
        traits=_OLMO2,
    ),
    "glm": _GLM,
    "glm4": replace(
        _GLM,
        name="Glm4ForCausalLM",
        traits=VectorTraits(mixer_norms=2, feed_forward_norms=2, qkv_bias="attention_bias"),
    ),
    "glm4v_text": replace(
        _GLM,
        name="Glm4vTextModel",
        traits=VectorTraits(mixer_norms=2, feed_forward_norms=2, qkv_bias=True),
    ),
    "internlm": replace(
        _LLAMA,
        name="InternLMForCausalLM",
        library=beside("internlm/internlm-7b"),
        defaults={"bias": True, **MHA},
        traits=VectorTraits(qkv_bias="bias", out_bias="bias"),
    ),
    "internlm2": replace(
        _LLAMA,
        name="InternLM2ForCausalLM",
        library=beside("internlm/internlm2-7b"),
        traits=VectorTraits(qkv_bias="bias", out_bias="bias"),
        defaults={"bias": True, **MHA},
    ),
    "internlm3": replace(
        _LLAMA,
        name="InternLM3ForCausalLM",
        library=V5,
        traits=VectorTraits(qkv_bias="qkv_bias", out_bias="bias", mlp_bias="bias"),
        names={"qkv_bias": "qkv_bias attention_bias", "bias": "bias mlp_bias"},
    ),
    "baichuan": replace(
        _LLAMA,
        name="BaichuanForCausalLM",
        library=beside("baichuan-inc/Baichuan2-7B-Base"),
        traits=VectorTraits(),
        names={"max_position_embeddings": "max_position_embeddings model_max_length"},
    ),
    "ernie4_5": replace(
        _LLAMA,
        name="Ernie4_5ForCausalLM",
        defaults={"num_key_value_heads": 2, "head_dim": 128, "use_bias": False},
        traits=VectorTraits(qkv_bias="use_bias", out_bias="use_bias", mlp_bias="use_bias"),
        tied=True,
    ),
    "hunyuan_v1_dense": replace(
        _LLAMA,
        name="HunYuanDenseV1ForCausalLM",
        names={"head_dim": "head_dim attention_head_dim"},
        defaults={"use_qk_norm": True, **MHA},
        traits=replace(_BIASED, qk_norm="head", qk_norm_if="use_qk_norm"),
    ),
    "smollm3": replace(
        _LLAMA,
        name="SmolLM3ForCausalLM",
        kinds=listed(windowed),
        unused="no_rope_layers no_rope_layer_interval",
        defaults={"num_key_value_heads": 4, "use_sliding_window": False, **HEAD},
        tied=True,
    ),
    "exaone": replace(
        _LLAMA,
        name="ExaoneForCausalLM",
        library=beside("LGAI-EXAONE/EXAONE-3.5-7.8B-Instruct"),
        traits=VectorTraits(),
    ),
    "exaone4": _EXAONE4,
    "seed_oss": replace(
        _LLAMA,
        name="SeedOssForCausalLM",
        defaults={"attention_bias": True, "head_dim": 128, "num_key_value_heads": 8},
        traits=VectorTraits(qkv_bias="attention_bias", out_bias="attention_out_bias", mlp_bias="mlp_bias"),
    ),
    "arcee": replace(_LLAMA, name="ArceeForCausalLM", plain=True),
    "apertus": replace(
        _LLAMA,
        name="ApertusForCausalLM",
        plain=True,
        traits=replace(_BIASED, qk_norm="head"),
        feed_forwards=lambda decoder, layer: tuple(part.with_vectors((2, 1)) for part in dense(decoder, layer)),
    ),
    "granite": replace(_LLAMA, name="GraniteForCausalLM"),
    "helium": replace(
        _LLAMA,
        name="HeliumForCausalLM",
        defaults={"head_dim": 128, "num_key_value_heads": 20},
        traits=VectorTraits(qkv_bias="attention_bias", mlp_bias="mlp_bias"),
    ),
    "cwm": replace(
        _LLAMA,
        name="CwmForCausalLM",
        library=V5,
        kinds=listed(first_full_of(4)),
        defaults={"num_key_value_heads": 8, "head_dim": 128, "sliding_window": 8192},
        traits=VectorTraits(mlp_bias="mlp_bias"),
    ),
    "bitnet": replace(
        _LLAMA,
        name="BitNetForCausalLM",
        traits=replace(_BIASED, mixer_norms=2),
        defaults={"num_key_value_heads": 5, **HEAD},
        feed_forwards=lambda decoder, layer: tuple(
            part.with_vectors((1, decoder.config.count("intermediate_size").value)) for part in dense(decoder, layer)
        ),
    ),
    "nemotron": replace(
        _LLAMA,
        name="NemotronForCausalLM",
        plain=True,
        traits=VectorTraits(norm=LAYER, qkv_bias="attention_bias", out_bias="attention_bias", mlp_bias="mlp_bias"),
    ),
    "stablelm": replace(
        _LLAMA,
        name="StableLmForCausalLM",
        defaults=MHA,
        traits=VectorTraits(norm=LAYER, qkv_bias="use_qkv_bias", qk_norm="width", qk_norm_if="qk_layernorm"),
    ),
    "stablelm_epoch": replace(
        _LLAMA,
        name="StableLMEpochForCausalLM",
        library=beside("stabilityai/stablelm-2-1_6b"),
        traits=VectorTraits(norm=LAYER, qkv_bias="use_qkv_bias"),
    ),
    "minicpm": replace(_LLAMA, name="MiniCPMForCausalLM", library=beside("openbmb/MiniCPM-2B-sft-bf16"), tied=True),
    "mimo": replace(
        _QWEN2,
        name="MiMoForCausalLM",
        library=beside("XiaomiMiMo/MiMo-7B-Base"),
        traits=VectorTraits(qkv_bias="attention_bias"),
        kinds=every(FULL),
    ),
    "mllama_text_model": replace(
        _LLAMA,
        name="MllamaForCausalLM",
        kinds=where_listed("cross_attention_layers", CROSS, FULL),
        traits=VectorTraits(),
        defaults={"num_key_value_heads": 8, **HEAD},
        mixers=cross_or_heads,
        feed_forwards=cross_feed_forwards,
        finish=mllama,
    ),
}
