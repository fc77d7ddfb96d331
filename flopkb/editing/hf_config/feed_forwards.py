"""Feed-forwards: gated and plain ones, and experts with those that every token uses."""

from __future__ import annotations

from flopkb.editing.hf_config.loading import Decoder, ExpertTraits
from flopkb.editing.hf_config.shape import ConfigQuantity, LayerPart, joined


def dense(decoder: Decoder, layer: int) -> tuple[LayerPart, ...]:
    """A gated or plain feed-forward, or experts where the class has them in this layer."""
    traits = decoder.loader.experts
    if traits is not None and decoder.loader.sparse is not None and decoder.loader.sparse(decoder)[layer]:
        return (experts(decoder, traits),)
    return (one_dense(decoder, decoder.config.per_layer("intermediate_size", decoder.layers)[layer]),)


def one_dense(decoder: Decoder, width: ConfigQuantity | None) -> LayerPart:
    """A feed-forward of an inner width."""
    config, traits = decoder.config, decoder.loader.traits
    inner = width or config.count("intermediate_size")
    plain = config.switch(decoder.loader.plain)
    vectors = [(traits.feed_forward_norms * traits.norm, decoder.hidden)]
    if config.switch(traits.mlp_bias):
        vectors += [(1 if plain else 2, inner.value), (1, decoder.hidden)]
    return LayerPart("plain" if plain else "gated", (("intermediate_size", inner),), joined(vectors))


def experts(decoder: Decoder, traits: ExpertTraits) -> LayerPart:
    """Routed experts, and those that every token uses."""
    config, norms = decoder.config, decoder.loader.traits
    number, used = config.count("num_experts"), config.count("num_experts_per_tok")
    if used.value > number.value:
        config.refuse(
            config.place("num_experts_per_tok"), f"{used.value} experts a token, of {number.value}: it is one too many"
        )
    width = config.count(traits.width)
    part = LayerPart(
        "mixture_of_experts",
        (
            ("num_experts", number),
            ("num_experts_per_tok", used),
            ("moe_intermediate_size", width),
            ("experts", traits.experts),
        ),
        joined([(norms.feed_forward_norms * norms.norm, decoder.hidden)]),
        _of_one(decoder, traits, width.value),
    )
    if config.switch(traits.router_bias):
        part = part.with_vectors((1, number.value))
    return _with_shared(decoder, traits, part)


def _of_one(decoder: Decoder, traits: ExpertTraits, width: int) -> tuple[tuple[int, int], ...]:
    if not decoder.config.switch(traits.expert_bias):
        return ()
    return joined([(2 if traits.experts == "gated" else 1, width), (1, decoder.hidden)])


def _with_shared(decoder: Decoder, traits: ExpertTraits, part: LayerPart) -> LayerPart:
    """With the shared experts that the config or the class has."""
    config = decoder.config
    if isinstance(traits.shared, str):
        number = config.optional(traits.shared)
        if number is None and traits.shared_default and not config.has(traits.shared):
            number = ConfigQuantity(traits.shared_default, default=decoder.loader.said)
    else:
        number = ConfigQuantity(traits.shared, default=decoder.loader.said) if traits.shared else None
    if number is None:
        return part
    if traits.shared_width and not config.optional(traits.shared_width):
        return part
    if traits.shared_width:
        width = config.count(traits.shared_width)
    else:
        width = ConfigQuantity(config.count(traits.width).value, formula="moe_intermediate_size")
    if config.switch(traits.shared_gate):
        part = part.with_vectors((1, decoder.hidden))
    if config.switch(traits.shared_bias):
        each = 2 if traits.experts == "gated" else 1
        part = part.with_vectors((each * number.value, width.value), (1, decoder.hidden))
    return part.with_fields(("num_shared_experts", number), ("shared_expert_intermediate_size", width))
