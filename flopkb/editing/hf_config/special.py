"""Parts of classes that no trait describes: what one family of models alone has."""

from __future__ import annotations

from dataclasses import replace

from flopkb.editing.hf_config.attention import heads, heads_of
from flopkb.editing.hf_config.feed_forwards import dense, one_dense
from flopkb.editing.hf_config.loading import Decoder
from flopkb.editing.hf_config.patterns import CROSS, FULL, SLIDING
from flopkb.editing.hf_config.shape import ConfigQuantity, LayerPart, LayerShape, ModelShape, Vectors, joined

# --- Llama 3.2 Vision: layers that attend to an image in place of the text ---


def cross_or_heads(decoder: Decoder, kind: str, layer: int) -> tuple[LayerPart, ...]:
    """A cross-attention layer has norms of queries and keys, and a gate; text alone skips it."""
    (part,) = heads(decoder, kind, layer)
    if kind != CROSS:
        return (part,)
    width = decoder.config.count("head_dim").value
    return (part.with_vectors((2, width), (1, 1)).with_fields(("needs_encoder", True)),)


def cross_feed_forwards(decoder: Decoder, layer: int) -> tuple[LayerPart, ...]:
    """The feed-forward of a cross-attention layer has a gate, and is skipped with it."""
    (part,) = dense(decoder, layer)
    if decoder.loader.kinds(decoder)[layer] != CROSS:
        return (part,)
    return (part.with_vectors((1, 1)).with_fields(("needs_encoder", True)),)


def mllama(decoder: Decoder, shape: ModelShape) -> ModelShape:
    """Eight tokens more go in than come out."""
    vocabulary = decoder.config.count("vocab_size").value
    more = ("input_vocab_size", ConfigQuantity(vocabulary + 8, formula="vocab_size + 8"))
    return replace(shape, fields=(*shape.fields, more))


# --- Gemma 3n and 4: layers that reuse the cache of an earlier one, inputs for each layer ---


def owner(decoder: Decoder, layer: int) -> int | None:
    """The layer whose cache a layer reuses: the last one of its kind before the shared ones."""
    shared = decoder.config.number("num_kv_shared_layers")
    first = decoder.layers - shared
    if not shared or layer < first:
        return None
    kinds = decoder.loader.kinds(decoder)
    same = [index for index in range(first) if kinds[index] == kinds[layer]]
    if not same:
        decoder.config.refuse(
            decoder.config.place("num_kv_shared_layers"),
            f"layer {layer} reuses a cache, and no layer of its kind before it owns one",
        )
    return same[-1]


def gemma3n_mixers(decoder: Decoder, kind: str, layer: int) -> tuple[LayerPart, ...]:
    """Attention that owns its cache, or reuses another's."""
    (part,) = heads(decoder, kind, layer)
    if owner(decoder, layer) is None:
        return (part,)
    return (_reusing(decoder, part),)


def _reusing(decoder: Decoder, part: LayerPart) -> LayerPart:
    """The part as it is where it reuses a cache: it has no norm and no biases of keys and values either."""
    fields = {name: value.value for name, value in part.fields if isinstance(value, ConfigQuantity)}
    width, groups = fields["head_dim"], fields["num_key_value_heads"]
    biases = 1 if ("shared_kv_projection", True) in part.fields else 2
    fewer = 1 + (biases * groups if decoder.config.switch(decoder.loader.traits.qkv_bias) else 0)
    return replace(part, vectors=joined(_fewer(part.vectors, width, fewer)), reuses=part)


def _fewer(vectors: Vectors, width: int, by: int) -> Vectors:
    """The vectors with some of one width taken out."""
    return tuple((times - by if size == width else times, size) for times, size in vectors)


def gemma3n(decoder: Decoder, shape: ModelShape) -> ModelShape:
    """With the inputs for each layer, the alternating updates and the learned augmented residuals."""
    config, hidden = decoder.config, decoder.hidden
    each, streams, rank = (
        config.number(name) for name in ("hidden_size_per_layer_input", "altup_num_inputs", "laurel_rank")
    )
    more = joined(
        [(4, hidden), (streams, streams), (streams * streams, streams), (streams, hidden)],
        [(2 * rank, hidden), (2 * each, hidden)],
    )
    layers = tuple(
        replace(layer, feed_forwards=tuple(part.with_vectors(*more) for part in layer.feed_forwards))
        for layer in shape.layers
    )
    return _with_layer_inputs(decoder, replace(shape, layers=layers), each, 2 * (streams - 1))


def _with_layer_inputs(decoder: Decoder, shape: ModelShape, each: int, squares: int) -> ModelShape:
    """With the embeddings of every token for every layer, and their projection."""
    total = decoder.layers * each
    words = decoder.config.number("vocab_size_per_layer_input")
    more = [(words, total), (decoder.hidden, total), (1, each), (squares * decoder.hidden, decoder.hidden)]
    return replace(shape, vectors=joined(shape.vectors, more if each else ()))


def gemma4_mixers(decoder: Decoder, kind: str, layer: int) -> tuple[LayerPart, ...]:
    """Full layers have wider heads, fewer of them for keys, and may take keys for values; values are normed bare."""
    config = decoder.config
    query, groups = config.count("num_attention_heads"), config.count("num_key_value_heads")
    width = config.count("head_dim")
    if kind == FULL:
        width = config.optional("global_head_dim") or width
        one = config.flag("attention_k_eq_v")
        groups = (config.optional("num_global_key_value_heads") if one else None) or groups
        part = heads_of(decoder, kind, query, groups, width).with_fields(("shared_kv_projection", one))
        if one and config.switch(decoder.loader.traits.qkv_bias):
            part = replace(part, vectors=joined(_fewer(part.vectors, width.value, groups.value)))
    else:
        part = heads_of(decoder, kind, query, groups, width)
    if owner(decoder, layer) is None:
        return (part,)
    return (_reusing(decoder, part),)


def gemma4_feed_forwards(decoder: Decoder, layer: int) -> tuple[LayerPart, ...]:
    """A dense feed-forward, twice as wide where a layer reuses a cache, and beside it experts where they are on."""
    config = decoder.config
    width = config.count("intermediate_size")
    if config.flag("use_double_wide_mlp") and owner(decoder, layer) is not None:
        width = ConfigQuantity(2 * width.value, formula="2*intermediate_size")
    part = one_dense(decoder, width)
    if not config.flag("enable_moe_block"):
        return (part,)
    number = config.count("num_experts")
    experts = LayerPart(
        "mixture_of_experts",
        (
            ("num_experts", number),
            ("num_experts_per_tok", config.count("num_experts_per_tok")),
            ("moe_intermediate_size", config.count("moe_intermediate_size")),
            ("experts", "gated"),
        ),
        joined([(4, decoder.hidden), (1, number.value)]),
    )
    return part, experts


def gemma4(decoder: Decoder, shape: ModelShape) -> ModelShape:
    """With the inputs for each layer, where the model has them, and a scalar a layer."""
    each = decoder.config.number("hidden_size_per_layer_input")
    if not each:
        return shape
    more = joined([(2 * each, decoder.hidden), (1, decoder.hidden)])
    layers = tuple(_with_more(layer, more) for layer in shape.layers)
    return _with_layer_inputs(decoder, replace(shape, layers=layers), each, 0)


def _with_more(layer: LayerShape, more: tuple[tuple[int, int], ...]) -> LayerShape:
    first, *others = layer.feed_forwards
    return replace(layer, feed_forwards=(first.with_vectors(*more), *others))


# --- Llama 4: a dense feed-forward of its own width between the layers of experts; norms of queries and keys are bare ---


def llama4_feed_forwards(decoder: Decoder, layer: int) -> tuple[LayerPart, ...]:
    """Experts with one shared, or a dense feed-forward of the width ``intermediate_size_mlp``."""
    sparse = decoder.loader.sparse
    if sparse is not None and sparse(decoder)[layer]:
        return dense(decoder, layer)
    return (one_dense(decoder, decoder.config.count("intermediate_size_mlp")),)


# --- MiMo-V2-Flash: windowed layers have heads of their own ---


def mimo_mixers(decoder: Decoder, kind: str, layer: int) -> tuple[LayerPart, ...]:
    """Heads, their widths and their sinks by the kind of the layer."""
    config, prefix = decoder.config, "swa_" if kind == SLIDING else ""

    def of(name: str) -> ConfigQuantity:
        return config.count(prefix + name)

    query, groups = of("num_attention_heads"), of("num_key_value_heads")
    part = heads_of(decoder, kind, query, groups, of("head_dim"), of("v_head_dim"))
    key = "add_swa_attention_sink_bias" if kind == SLIDING else "add_full_attention_sink_bias"
    on = config.flag(key) if config.has(key) else kind == SLIDING
    return (part.with_vectors((1, query.value)) if on else part,)
