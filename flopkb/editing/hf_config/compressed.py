"""DeepSeek-V4: one shared key and value a token, entries of several tokens in one, an indexer beside some of them."""

from __future__ import annotations

from dataclasses import replace

from flopkb.editing.hf_config.feed_forwards import dense
from flopkb.editing.hf_config.loading import Decoder
from flopkb.editing.hf_config.shape import ConfigQuantity, LayerPart, ModelShape, joined

_NAMED = {"sliding_attention": 0, "compressed_sparse_attention": 4, "heavily_compressed_attention": 128}
_INDEXED = 4
"""The ratio at which entries overlap and an indexer picks among them; at 128 neither is so."""


def ratios(decoder: Decoder) -> tuple[int, ...]:
    """How many tokens become one entry in each layer; 0 where there is the window alone."""
    config = decoder.config
    names = config.words("layer_types")
    if names is not None:
        place = config.place("layer_types")
        config.as_many("layer_types", place, len(names), decoder.layers)
        rates, found = config.below("compress_rates"), []
        for name in names:
            if name not in _NAMED:
                config.refuse(
                    place, f'"{name}" is no type of layer that {decoder.loader.name} has: {", ".join(_NAMED)}'
                )
            given = rates.number(name) if rates is not None else 0
            found.append(given or _NAMED[name])
        return tuple(found)
    given_ratios = config.numbers("compress_ratios")
    place = config.place("compress_ratios")
    if given_ratios is None:
        config.refuse(
            place, "the file has neither `layer_types` nor `compress_ratios`, which say what each layer keeps"
        )
    further = config.number("num_nextn_predict_layers")
    if len(given_ratios) not in (decoder.layers, decoder.layers + further):
        config.as_many("compress_ratios", place, len(given_ratios), decoder.layers)
    return given_ratios[: decoder.layers]


def compressed(decoder: Decoder, kind: str, layer: int) -> tuple[LayerPart, ...]:
    """The window, and beside it compressed entries; with an indexer where entries overlap."""
    ratio = ratios(decoder)[layer]
    if ratio not in _NAMED.values():
        place = decoder.config.place("compress_ratios")
        decoder.config.refuse(place, f"a compression of {ratio} is not one that {decoder.loader.name} has: 0, 4 or 128")
    if ratio == 0:
        return (_attention(decoder, "sliding_attention"),)
    overlap = 2 if ratio == _INDEXED else 1
    width = decoder.config.count("head_dim").value
    part = _attention(decoder, "compressed_attention").with_vectors((ratio * overlap + 1, width))
    said = decoder.loader.said
    steps = (
        ("compress_ratio", ConfigQuantity(ratio, "compress_ratios")),
        ("compress_overlap", ConfigQuantity(overlap, default=said)),
    )
    if ratio != _INDEXED:
        return (part.with_fields(*steps),)
    topk = decoder.config.count("index_topk")
    return part.with_fields(*steps, ("index_topk", topk)), _indexer(decoder, ratio, overlap, steps)


def _attention(decoder: Decoder, kind: str) -> LayerPart:
    config, hidden = decoder.config, decoder.hidden
    query, width, rank = config.count("num_attention_heads"), config.count("head_dim"), config.count("q_lora_rank")
    config.number("qk_rope_head_dim")
    copies = config.number("hc_mult") or 4
    mixes = (2 + copies) * copies
    return LayerPart(
        kind,
        (
            ("num_attention_heads", query),
            ("num_key_value_heads", config.count("num_key_value_heads")),
            ("head_dim", width),
            ("shared_kv", True),
            ("q_lora_rank", rank),
            ("o_lora_rank", config.count("o_lora_rank")),
            ("o_groups", config.count("o_groups")),
            ("sliding_window", config.count("sliding_window")),
        ),
        joined([(1, hidden), (1, rank.value), (1, width.value), (1, query.value)], _mixing(mixes, copies * hidden, 3)),
    )


def _mixing(mixes: int, width: int, scales: int) -> tuple[tuple[int, int], ...]:
    """The weights of the hyper-connections around a part: a projection, a base, scales."""
    return (mixes, width), (1, mixes), (1, scales)


def _indexer(decoder: Decoder, ratio: int, overlap: int, steps: tuple[tuple[str, ConfigQuantity], ...]) -> LayerPart:
    config = decoder.config
    width = config.count("index_head_dim")
    return LayerPart(
        "indexer",
        (
            ("index_n_heads", config.count("index_n_heads")),
            ("index_head_dim", width),
            *steps,
            ("q_lora_rank", config.count("q_lora_rank")),
        ),
        joined([(ratio * overlap + 1, width.value)]),
    )


def hashed_or_routed(decoder: Decoder, layer: int) -> tuple[LayerPart, ...]:
    """Experts, in the first layers picked by a table of tokens: as many and as large."""
    copies = decoder.config.number("hc_mult") or 4
    mixes = (2 + copies) * copies
    more = _mixing(mixes, copies * decoder.hidden, 3)
    return tuple(part.with_vectors(*more) for part in dense(decoder, layer))


def streams(decoder: Decoder, shape: ModelShape) -> ModelShape:
    """With the weights that join the copies of the residual stream at the end."""
    copies = decoder.config.number("hc_mult") or 4
    return replace(shape, vectors=joined(shape.vectors, _mixing(copies, copies * decoder.hidden, 1)))
