"""Parts of the older classes and of those whose layers differ in size: keys and rules that each has alone."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import ceil, floor

from flopkb.base.document import Mapping, Node, Scalar, Sequence
from flopkb.editing.hf_config.attention import heads, heads_of
from flopkb.editing.hf_config.feed_forwards import dense, one_dense
from flopkb.editing.hf_config.loading import Decoder
from flopkb.editing.hf_config.patterns import FULL, SLIDING
from flopkb.editing.hf_config.reader import ConfigReader
from flopkb.editing.hf_config.shape import ConfigQuantity, LayerPart, ModelShape, joined


def falcon_mixers(decoder: Decoder, kind: str, layer: int) -> tuple[LayerPart, ...]:
    """One KV head where ``multi_query`` says so, unless the newer architecture has a number of its own."""
    config = decoder.config
    query, width = config.count("num_attention_heads"), config.count("head_dim")
    if config.flag("new_decoder_architecture"):
        groups = config.optional("num_key_value_heads") or query
    elif config.flag("multi_query"):
        config.number("num_key_value_heads")
        groups = ConfigQuantity(1, "multi_query" if config.has("multi_query") else "", default=decoder.loader.said)
    else:
        config.number("num_key_value_heads")
        groups = replace(query, key="", formula="num_attention_heads")
    return (heads_of(decoder, kind, query, groups, width),)


def falcon_feed_forwards(decoder: Decoder, layer: int) -> tuple[LayerPart, ...]:
    """A norm of its own where the feed-forward does not stand beside attention, or where there are two."""
    config = decoder.config
    two = config.number("num_ln_in_parallel_attn") or (2 if config.flag("new_decoder_architecture") else 1)
    (part,) = dense(decoder, layer)
    if config.flag("parallel_attn") and two == 1:
        vectors = [(times - 2 if size == decoder.hidden else times, size) for times, size in part.vectors]
        return (replace(part, vectors=joined(vectors)),)
    return (part,)


def mpt_mixers(decoder: Decoder, kind: str, layer: int) -> tuple[LayerPart, ...]:
    """Heads by the type of ``attn_config``."""
    config = decoder.config
    query, width = config.count("num_attention_heads"), config.count("head_dim")
    inner = config.below("attn_config")
    named = inner.word("attn_type") if inner else None
    if inner is not None and named == "grouped_query_attention":
        groups = inner.count("kv_n_heads")
    elif named == "multiquery_attention":
        groups = ConfigQuantity(1, "attn_config.attn_type")
    elif named in (None, "multihead_attention"):
        groups = replace(query, key="", formula="num_attention_heads")
    else:
        config.refuse(config.place("attn_config"), f'"{named}" is no attention that {decoder.loader.name} has')
    if inner is not None and (inner.flag("qk_ln") or inner.has("sliding_window_size")):
        config.refuse(inner.place("qk_ln"), "`qk_ln` and `sliding_window_size` are not known of this class")
    return (heads_of(decoder, kind, query, groups, width),)


def mpt(decoder: Decoder, shape: ModelShape) -> ModelShape:
    """Learned positions, where there are no linear biases of attention (ALiBi) or rotations in their place."""
    inner = decoder.config.below("attn_config")
    learned = not decoder.config.has("learned_pos_emb") or decoder.config.flag("learned_pos_emb")
    if inner is not None and not inner.flag("alibi") and not inner.flag("rope") and learned and inner.has("alibi"):
        return replace(
            shape, vectors=(*shape.vectors, (decoder.config.number("max_position_embeddings"), decoder.hidden))
        )
    return shape


def neo_kinds(decoder: Decoder) -> tuple[str, ...]:
    """By ``attention_layers``, or by ``attention_types``: lists of names, each with how often it comes."""
    config = decoder.config
    names = config.words("attention_layers")
    place = config.place("attention_layers")
    if names is None:
        names, place = _repeated(config), config.place("attention_types")
    config.as_many("attention_types", place, len(names), decoder.layers)
    known = {"global": FULL, "local": SLIDING}
    for name in names:
        if name not in known:
            config.refuse(place, f'"{name}" is no type of layer that {decoder.loader.name} has: global, local')
    return tuple(known[name] for name in names)


def _repeated(config: ConfigReader) -> tuple[str, ...]:
    found: list[str] = []
    for item in config.items("attention_types") or ():
        pair = item.items if isinstance(item, Sequence) else ()
        if len(pair) != 2 or not isinstance(pair[0], Sequence) or not _is_count(pair[1]):
            config.refuse(item, "`attention_types` must hold pairs of a list of names and a number")
        names = [name.text for name in pair[0].items if isinstance(name, Scalar)]
        found += names * min(int(getattr(pair[1], "value", 0)), 1000)
    return tuple(found)


def _is_count(node: Node) -> bool:
    return isinstance(node, Scalar) and isinstance(node.value, int) and not isinstance(node.value, bool)


def opt(decoder: Decoder, shape: ModelShape) -> ModelShape:
    """The last norm, positions and projections of the embeddings, as the switches of OPT have them."""
    config = decoder.config
    outside = config.number("word_embed_proj_dim") or decoder.hidden
    if outside != decoder.hidden:
        config.refuse(
            config.place("word_embed_proj_dim"),
            "embeddings of another width than the layers (`word_embed_proj_dim`) are no mechanism that a record can describe",
        )
    if config.flag("_remove_final_layer_norm") or not config.flag("do_layer_norm_before"):
        vectors = [(times - 2 if size == decoder.hidden else times, size) for times, size in shape.vectors]
        return replace(shape, vectors=joined(vectors))
    if not config.flag("layer_norm_elementwise_affine"):
        config.refuse(
            config.place("layer_norm_elementwise_affine"), "norms without weights are not known of this class"
        )
    return shape


def qwen_feed_forwards(decoder: Decoder, layer: int) -> tuple[LayerPart, ...]:
    """Each of the two inner halves is half of ``intermediate_size`` wide."""
    given = decoder.config.count("intermediate_size")
    if given.value % 2:
        decoder.config.refuse(decoder.config.place("intermediate_size"), "`intermediate_size` is halved, and is odd")
    return (one_dense(decoder, ConfigQuantity(given.value // 2, default=f"{decoder.loader.said}: {given.value} / 2")),)


def chatglm_mixers(decoder: Decoder, kind: str, layer: int) -> tuple[LayerPart, ...]:
    """Groups of KV heads where ``multi_query_attention`` says so."""
    config = decoder.config
    if config.flag("multi_query_attention"):
        return heads(decoder, kind, layer)
    config.number("num_key_value_heads")
    query = config.count("num_attention_heads")
    return (
        heads_of(decoder, kind, query, replace(query, key="", formula="num_attention_heads"), config.count("head_dim")),
    )


def chatglm(decoder: Decoder, shape: ModelShape) -> ModelShape:
    """The later generations, whose config says so by its keys; the first one is another model."""
    if not decoder.config.has("kv_channels"):
        decoder.config.refuse(
            decoder.config.node, "a chatglm of the first generation is not known: only those with `kv_channels`"
        )
    return shape


# --- OpenELM: heads and widths by layer ---


def elm_mixers(decoder: Decoder, kind: str, layer: int) -> tuple[LayerPart, ...]:
    """Heads from the lists of the config."""
    config = decoder.config
    query = config.per_layer("num_query_heads", decoder.layers)[layer]
    groups = config.per_layer("num_key_value_heads", decoder.layers)[layer]
    if query is None or groups is None:
        config.refuse(
            config.node, "the file has no `num_query_heads` or no `num_kv_heads`, a list with an entry a layer"
        )
    return (heads_of(decoder, kind, query, groups, config.count("head_dim")),)


def elm_feed_forwards(decoder: Decoder, layer: int) -> tuple[LayerPart, ...]:
    """Widths from the multipliers of the config, in steps of ``ffn_dim_divisor``."""
    config = decoder.config
    factors = config.items("ffn_multipliers")
    if factors is None or len(factors) != decoder.layers:
        place = config.place("ffn_multipliers")
        config.refuse(place, f"`ffn_multipliers` must be a list with an entry for each of {decoder.layers} layers")
    if config.has("ffn_with_glu") and not config.flag("ffn_with_glu"):
        config.refuse(config.place("ffn_with_glu"), "only gated feed-forwards (`ffn_with_glu`) are known of this class")
    step, factor = config.number("ffn_dim_divisor") or 256, _ratio(config, factors[layer])
    wanted = factor * decoder.hidden
    width = max(step, floor(wanted + Fraction(step, 2)) // step * step)
    if width < Fraction(9, 10) * wanted:
        width += step
    text = f"{step}*floor(({factor}*hidden_size + {step}/2)/{step})"
    return (one_dense(decoder, ConfigQuantity(width, formula=text)),)


def _ratio(config: ConfigReader, node: Node) -> Fraction:
    value = node.value if isinstance(node, Scalar) else None
    if isinstance(value, bool) or not isinstance(value, (int, Fraction)) or not 0 < value < 1000:
        config.refuse(node, "a multiplier of the width must be a number over 0")
    return Fraction(value)


# --- Nemotron-NAS: blocks with an attention and a feed-forward each, or without ---


def _block(decoder: Decoder, layer: int, part: str) -> ConfigReader:
    config = decoder.config
    blocks = config.items("block_configs")
    if blocks is None or len(blocks) != decoder.layers:
        place = config.place("block_configs")
        config.refuse(place, f"`block_configs` must be a list with an entry for each of {decoder.layers} layers")
    found = blocks[layer]
    inner = found.get(part) if isinstance(found, Mapping) else None
    if not isinstance(inner, Mapping):
        config.refuse(found, f"a block of `block_configs` without `{part}`")
    block = ConfigReader(inner, config.loader)
    if block.flag("replace_with_linear"):
        config.refuse(
            block.place("replace_with_linear"), "`replace_with_linear` is no mechanism that a record can describe"
        )
    return block


def block_mixers(decoder: Decoder, kind: str, layer: int) -> tuple[LayerPart, ...]:
    """Attention by the size of its groups, or none."""
    block, config = _block(decoder, layer, "attention"), decoder.config
    if block.flag("no_op"):
        return ()
    for name in ("window_length", "num_sink_tokens", "sparsify"):
        if block.has(name):
            config.refuse(block.place(name), f"`{name}` is not known of this class")
    query, share = config.count("num_attention_heads"), block.count("n_heads_in_group")
    if query.value % share.value:
        config.refuse(block.place("n_heads_in_group"), f"{query.value} heads do not make groups of {share.value}")
    groups = ConfigQuantity(query.value // share.value, formula=f"num_attention_heads / {share.value}")
    return (heads_of(decoder, kind, query, groups, config.count("head_dim")),)


def block_feed_forwards(decoder: Decoder, layer: int) -> tuple[LayerPart, ...]:
    """A gated feed-forward of two thirds of a multiple of the width, in steps of 256, or none."""
    block = _block(decoder, layer, "ffn")
    if block.flag("no_op"):
        return ()
    given = block.optional("intermediate_size")
    if given is not None:
        return (one_dense(decoder, given),)
    found = block.find("ffn_mult")
    if found is None:
        decoder.config.refuse(block.node, "a feed-forward without `ffn_mult`")
    factor = _ratio(decoder.config, found[1])
    width = 256 * ceil(Fraction(floor(2 * factor * decoder.hidden / 3), 256))
    text = f"256*ceil(floor(2*{factor}*hidden_size/3)/256)"
    return (one_dense(decoder, ConfigQuantity(width, formula=text)),)
