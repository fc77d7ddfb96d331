"""What the importer did not read of a config: keys that change no layer are passed over, any other stops the import."""

from __future__ import annotations

import re

from flopkb.arithmetic.diagnostics import shortened
from flopkb.base.document import Mapping, Node, Scalar, Sequence
from flopkb.editing.hf_config.loading import LoadingClass
from flopkb.editing.hf_config.reader import ConfigReader

_SIZES = re.compile(
    r"layer|head|expert|moe|window|chunk|lora|rank|state|ssm|mamba|conv|kernel|index|compress|share|mlp|ffn|ff_dim|hidden"
    r"|intermediate|width|block|pattern|linear|recurr|sink|memor|latent|adapter|group|cache|kv_|embd|embed|period|interval"
    r"|sparse|global|local|hybrid|_dim|_size"
)
"""Words in the names of numbers, lists and objects that shape layers."""

_SWITCHES = re.compile(
    r"cla\b|_cla_|mla\b|window|sink|local|sparse|linear_att|hybrid|recurr|latent|compress|index|memor|adapter|cross_att"
    r"|share[d_]*_?(kv|key|attn|attention|layer|embed|weight|input)|per_layer|bias|tie_|chunk|reuse|double|factori[sz]ed"
)
"""Words in the names of switches and texts that do; a key with none of these is passed over."""

_HARMLESS = re.compile(
    r".*(dropout|pdrop|drop_prob|_eps|epsilon|initializer_range|init_std|init_device|_token_id|_token_index|loss_coef|aux_loss.*"
    r"|loss_weight|jitter.*|softcapping|softcap|_multiplier|_multipliers|_scale|_scaling|scaling_factor|scale_factor|_theta"
    r"|_factor|_act|activation.*|_fn|alpha.*|beta.*|_limit|_impl|_implementation|_dtype|chunk_size_feed_forward)"
    r"|rope_.*|.*rope|rotary.*|rope|mrope_.*|time_step_.*|topk_.*|top_k|top_p|n_group|num_expert_group|num_fewshot.*|output_.*"
    r"|use_cache|return_.*|is_decoder|is_composition|id2label|label2id|_name_or_path|.*_version|tokenizer.*|auto_map|task_specific_params|torch.*"
    r"|bad_words_ids|begin_suppress_tokens|suppress_tokens|forced_.*|max_length|min_length|num_beam.*|diversity_penalty"
    r"|early_stopping|no_repeat_ngram_size|encoder_no_repeat_ngram_size|exponential_decay_length_penalty|finetuning_task"
    r"|length_penalty|repetition_penalty|num_return_sequences|prefix|pruned_heads|remove_invalid_values|temperature|typical_p"
    r"|tf_legacy_loss|tie_encoder_decoder|problem_type|do_sample|decoder_start_token_id"
    r"|pretraining_tp|gradient_checkpointing|initial_context_length|original_max_position_embeddings"
    r"|norm_topk_prob|norm_type|moe_renormalize|moe_router.*|router_.*|scoring_func|topk_method|n_group|seq_aux|ep_size"
    r"|routed_.*|quantization_config|compression_config|scale_attn.*|reorder_and_upcast_attn|attention_softmax_in_fp32"
    r"|scale_attention_softmax_in_fp32|scale_attn_by_inverse_layer_idx|summary_.*|n_ctx|query_pre_attn_scalar|attn_scale"
    r"|attn_temperature_tuning|floor_scale|use_bidirectional_attention|layer_norm_eps.*|norm_eps|rms_norm.*|use_mamba_kernels"
    r"|use_mambapy|use_associative_scan|mamba_chunk_size|chunk_size|block_size|residual_in_fp32|rescale_prenorm_residual"
    r"|mamba_norm_before_gate|mamba_dt_(min|max|init_floor|limit)|num_logits_to_keep|num_nextn_predict_layers|mtp_.*"
    r"|num_mtp_modules|use_mtp|slow_but_exact|apply_residual_connection_post_layernorm|clip_qkv|logit_scale|attn_pdrop"
    r"|embedding_fraction|init_config|verbose|position_embedding_type|layerdrop|classifier_.*|use_rotary.*|use_dynamic_ntk"
    r"|use_logn_attn|use_flash_attn.*|use_cache_.*|softmax_in_fp32|fp16|bf16|fp32|onnx_safe|no_bias_terms|interleaved_freqs"
    r"|scale_emb|scale_depth|dim_model_base|_attn_implementation.*|_flash_attn.*|use_parallel_residual"
    r"|bos_token_id|eos_token_id|pad_token_id|image_.*|video_.*|vision_.*|audio_.*|boi_.*|eoi_.*|mm_.*|img_processor"
    r"|embd_layer|num_ctx|partial_rotary_factor|swa_rope_theta|attention_value_scale"
    r"|indexer_rope_interleave|index_share_for_mtp_iteration|use_matmul_kernel|attention_multiplier"
    r"|use_mem_eff_path|mup_enabled|use_mup.*|mup_.*"
    r"|reset_attention_mask|reset_position_ids|kv_cache_scheme|xielu_.*|moe_norm_min"
    r"|moe_layer_idx.*|zero_init.*|model_max_length|max_sequence_length|seq_length|training_.*|pre_seq_len|prefix_projection"
    r"|quantization_bit|post_layer_norm|rmsnorm|bias_dropout_fusion|fp32_residual_connection|apply_query_key_layer_scaling"
    r"|original_rope|rope|layernorm_.*|postnorm|use_.*_init|block_.*_init_scale|block_mlp_init_scale|block_norm_eps"
    r"|linear_(a_log|dt|allow)_.*|skip_bias_.*|use_routing_bias|bias_dropout.*|masked_softmax_fusion|offset_alibi|for_llm_compressor|cache_implementation|moe_capacity|moe_gate.*|pad_vocab_size_multiple|moe_shared_expert_overlap|use_expert_bias|block_out_init_scale|block_use_swiglu|use_pos_enc|theta|qk_head_dim|hidden_dim_multiplier"
)
"""Keys that change neither what a layer keeps nor what it weighs."""


_SEEN = frozenset({"intermediate_size", "tie_word_embeddings", "num_hidden_layers", "max_position_embeddings"})
"""What many configs hold although no layer of theirs uses it."""


_PARTS = re.compile(
    r"(vision|visual|audio|video|image|speech|talker|code2wav|token2wav|projector|perceiver|qformer|quantization|compression|rope)"
    r"\w*_config"
)
"""Configs of other parts, which stand apart."""

_OF_EXPERTS = frozenset(
    {
        "num_experts_per_tok",
        "moe_intermediate_size",
        "n_shared_experts",
        "num_shared_experts",
        "shared_expert_intermediate_size",
        "moe_shared_expert_intermediate_size",
        "decoder_sparse_step",
        "mlp_only_layers",
        "n_routed_experts",
    }
)
"""Keys of experts, which are of no use in a model whose class could have some and that has none."""


def judge(config: ConfigReader, kind: str, loader: LoadingClass) -> None:
    """Stop where a key that the importer does not know is switched on and sounds as if it shaped layers."""
    known = {key for keys in loader.names.values() for key in keys.split()}.union(loader.names, loader.defaults)
    passed = _SEEN.union(known, loader.unused.split(), _OF_EXPERTS if loader.experts else ())
    if not config.flag("use_sliding_window") and config.has("use_sliding_window"):
        passed |= {"sliding_window", "max_window_layers"}
    for key, value in config.node:
        name = key.text
        if (
            name in config.read
            or name in passed
            or _is_off(value)
            or _HARMLESS.fullmatch(name)
            or not _sounds(name, value)
        ):
            continue
        if _is_part(name, value):
            continue
        config.refuse(
            key,
            f"the key `{shortened(name, 60)}` is not one that flopkb knows of a {kind}: it may change what its layers keep "
            "or weigh, so write the record by hand, or take the key out where it does not",
        )


def _sounds(name: str, value: Node) -> bool:
    """Whether a key sounds as if it shaped layers."""
    switch = isinstance(value, Scalar) and isinstance(value.value, (bool, str))
    return bool((_SWITCHES if switch else _SIZES).search(name.lower()))


def _is_off(value: Node) -> bool:
    """Null, false, zero, empty."""
    if isinstance(value, Scalar):
        return value.value in (None, False, "") or (value.value == 0 and not isinstance(value.value, bool))
    return not (value.items if isinstance(value, Sequence) else value.entries)


def _is_part(name: str, value: Node) -> bool:
    """Whether a key holds the config of another part: a vision tower, a projector."""
    return isinstance(value, Mapping) and _PARTS.fullmatch(name) is not None
