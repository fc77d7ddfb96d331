"""Mixers that keep a cache: attention by heads and by a latent, with their vectors, and the indexers beside them."""

from __future__ import annotations

from flopkb.editing.hf_config.loading import Decoder, VectorTraits
from flopkb.editing.hf_config.patterns import CHUNKED, INDEXED, SLIDING
from flopkb.editing.hf_config.shape import ConfigQuantity, FieldValue, LayerPart, Vectors, joined


def heads(decoder: Decoder, kind: str, layer: int) -> tuple[LayerPart, ...]:
    """Attention by heads, alike in all layers of a kind but for its window."""
    config = decoder.config
    query = config.count("num_attention_heads")
    groups = config.optional("num_key_value_heads") or config.derived("num_attention_heads", "num_key_value_heads")
    width = config.optional("head_dim") or config.derived("hidden_size / num_attention_heads", "head_dim")
    return (heads_of(decoder, kind, query, groups, width),)


def heads_of(
    decoder: Decoder,
    kind: str,
    query: ConfigQuantity,
    groups: ConfigQuantity,
    width: ConfigQuantity,
    value: ConfigQuantity | None = None,
) -> LayerPart:
    """Attention by given heads; ``value`` is the width of a value head where it differs."""
    if query.value % groups.value:
        decoder.config.refuse(
            decoder.config.place("num_key_value_heads"),
            f"{query.value} query heads do not share {groups.value} KV heads evenly",
        )
    differs = value if value is not None and value.value != width.value else None
    part = LayerPart(
        kind,
        (("num_attention_heads", query), ("num_key_value_heads", groups), ("head_dim", width)),
        vectors_of(decoder, query.value, groups.value, width.value, (value or width).value),
    )
    gate = decoder.config.switch(decoder.loader.traits.output_gate)
    return part.with_fields(("v_head_dim", differs), window_of(decoder, kind), ("output_gate", gate))


def window_is_whole(decoder: Decoder) -> bool:
    """Whether the window holds the whole trained context."""
    window, context = decoder.config.number("sliding_window"), decoder.config.number("max_position_embeddings")
    return window > 0 and 0 < context <= window


def window_of(decoder: Decoder, kind: str) -> tuple[str, FieldValue | None]:
    """The field of the window or the chunk, for the kinds that have one."""
    if kind == SLIDING:
        return "sliding_window", decoder.config.count("sliding_window")
    if kind == CHUNKED:
        return "attention_chunk_size", decoder.config.count("attention_chunk_size")
    return "", None


def vectors_of(decoder: Decoder, query: int, groups: int, width: int, value: int) -> Vectors:
    """Norms, biases and sinks of attention by heads."""
    config, traits = decoder.config, decoder.loader.traits
    found = [(traits.mixer_norms * traits.norm, decoder.hidden)]
    if config.switch(traits.qkv_bias):
        gated = query if config.switch(traits.output_gate) else 0
        found += [(gated + query + groups, width), (groups, value)]
    if config.switch(traits.out_bias):
        found.append((1, decoder.hidden))
    found += normed_heads(decoder, traits, query, groups, width)
    if config.switch(traits.sinks):
        found.append((1, query))
    return joined(found)


def normed_heads(decoder: Decoder, traits: VectorTraits, query: int, groups: int, width: int) -> Vectors:
    """The norms of queries and keys."""
    if not traits.qk_norm or not decoder.config.switch(traits.qk_norm_if):
        return ()
    each = traits.qk_norm_width
    if traits.qk_norm == "head":
        return ((2 * each, width),)
    return ((each, query * width), (each, groups * width))


def latent(decoder: Decoder, kind: str, layer: int) -> tuple[LayerPart, ...]:
    """Attention through a latent: what is cached is the latent and the rotary part; the heads count nothing there."""
    config, traits = decoder.config, decoder.loader.traits
    rank, query_rank = config.count("kv_lora_rank"), config.optional("q_lora_rank")
    config.number("num_key_value_heads"), config.number("head_dim"), config.number("qk_head_dim")
    part = LayerPart(
        "latent_attention",
        (
            ("num_attention_heads", config.count("num_attention_heads")),
            ("kv_lora_rank", rank),
            ("qk_rope_head_dim", config.count("qk_rope_head_dim")),
            ("qk_nope_head_dim", config.count("qk_nope_head_dim")),
            ("v_head_dim", config.count("v_head_dim")),
        ),
        joined([(traits.mixer_norms, decoder.hidden), (1, rank.value), (1, query_rank.value if query_rank else 0)]),
    )
    if config.switch(traits.qkv_bias):
        down = query_rank.value if query_rank else 0
        part = part.with_vectors((1, down), (1, rank.value + config.number("qk_rope_head_dim")), (1, decoder.hidden))
    topk = config.optional("index_topk") if kind == INDEXED else None
    return (part.with_fields(("q_lora_rank", query_rank), ("index_topk", topk)),)


def indexed(decoder: Decoder, kind: str, layer: int) -> tuple[LayerPart, ...]:
    """Latent attention over the entries that an indexer beside it picks."""
    config = decoder.config
    indexer = LayerPart(
        "indexer",
        (
            ("index_n_heads", config.count("index_n_heads")),
            ("index_head_dim", config.count("index_head_dim")),
            ("compress_ratio", ConfigQuantity(1, default=decoder.loader.said)),
            ("q_lora_rank", config.count("q_lora_rank")),
        ),
        joined([(2, config.count("index_head_dim").value)]),
    )
    return (*latent(decoder, INDEXED, layer), indexer)


def indexed_in_turn(decoder: Decoder, kind: str, layer: int) -> tuple[LayerPart, ...]:
    """The same where some layers take the entries that the indexer of an earlier layer picked, and have none."""
    main, indexer = indexed(decoder, kind, layer)
    return (main, indexer) if _has_indexer(decoder, layer) else (main,)


def _has_indexer(decoder: Decoder, layer: int) -> bool:
    config = decoder.config
    names = config.words("indexer_types")
    if names is not None:
        config.as_many("indexer_types", config.place("indexer_types"), len(names), decoder.layers)
        return names[layer] == "full"
    pattern = config.word("index_topk_pattern")
    if pattern is not None:
        config.as_many("index_topk_pattern", config.place("index_topk_pattern"), len(pattern), decoder.layers)
        return pattern[layer] == "F"
    every = config.number("index_topk_freq") or 1
    offset = config.number("index_skip_topk_offset") if config.has("index_skip_topk_offset") else 2
    return max(layer - offset + 1, 0) % every == 0
