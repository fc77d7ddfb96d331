"""Configs that wrap that of a text model: where it stands, and of which type it is where it does not say."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from flopkb.editing.hf_config.reader import Default


@dataclass(frozen=True, slots=True)
class Wrapping:
    """The keys that lead to the text model's config, and its ``model_type`` where the file leaves that out.

    ``flat`` is the type of the text model where older files keep its keys beside the others.
    """

    keys: str
    inner: str = ""
    flat: str = ""
    defaults: Mapping[str, Default] = field(default_factory=dict)


_TEXT = Wrapping("text_config")

WRAPPING: Mapping[str, Wrapping] = {
    "gemma3": Wrapping("text_config", "gemma3_text"),
    "gemma3n": Wrapping("text_config", "gemma3n_text"),
    "gemma4": Wrapping("text_config", "gemma4_text"),
    "gemma4_unified": Wrapping("text_config", "gemma4_text"),
    "llama4": Wrapping("text_config", "llama4_text"),
    "mllama": Wrapping("text_config", "mllama_text_model"),
    "mistral3": Wrapping("text_config", "mistral"),
    "pixtral": Wrapping("text_config", "mistral"),
    "llava": _TEXT,
    "llava_next": _TEXT,
    "llava_next_video": _TEXT,
    "llava_onevision": _TEXT,
    "vipllava": _TEXT,
    "video_llava": _TEXT,
    "paligemma": Wrapping("text_config", "gemma"),
    "idefics2": Wrapping("text_config", "mistral"),
    "idefics3": Wrapping("text_config", "llama"),
    "smolvlm": Wrapping("text_config", "llama"),
    "aya_vision": Wrapping("text_config", "cohere2"),
    "cohere2_vision": Wrapping("text_config", "cohere2"),
    "internvl": Wrapping("text_config", "qwen2"),
    "internvl_chat": Wrapping("llm_config"),
    "qwen2_vl": Wrapping("text_config", "qwen2_vl_text", flat="qwen2_vl_text"),
    "qwen2_5_vl": Wrapping("text_config", "qwen2_5_vl_text", flat="qwen2_5_vl_text"),
    "qwen2_5_omni": Wrapping("thinker_config.text_config", "qwen2_5_omni_text"),
    "qwen2_5_omni_thinker": Wrapping("text_config", "qwen2_5_omni_text"),
    "qwen2_audio": Wrapping("text_config", "qwen2"),
    "qwen3_vl": Wrapping("text_config", "qwen3_vl_text"),
    "qwen3_vl_moe": Wrapping("text_config", "qwen3_vl_moe_text"),
    "qwen3_omni_moe": Wrapping("thinker_config.text_config", "qwen3_omni_moe_text"),
    "qwen3_5": Wrapping("text_config", "qwen3_5_text"),
    "qwen3_5_moe": Wrapping("text_config", "qwen3_5_moe_text"),
    "glm4v": Wrapping("text_config", "glm4v_text"),
    "glm46v": Wrapping("text_config", "glm4v_text"),
    "glm4v_moe": Wrapping("text_config", "glm4v_moe_text"),
    "kimi_k25": Wrapping("text_config", "kimi_k2"),
    "kimi_vl": Wrapping("text_config", "deepseek_v3"),
    "deepseek_vl_v2": Wrapping("language_config", "deepseek_v2"),
    "minimax_vl_01": Wrapping("text_config", "minimax_text_01"),
    "lfm2_vl": Wrapping("text_config", "lfm2"),
    "voxtral": Wrapping("text_config", "llama"),
    "ovis2": Wrapping("text_config", "qwen2"),
    "granite_speech": Wrapping("text_config", "granite"),
}
