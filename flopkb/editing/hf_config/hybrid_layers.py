"""Layers of the classes that mix attention with states: which are which, and what stands in them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace

from flopkb.editing.hf_config.attention import heads, latent
from flopkb.editing.hf_config.feed_forwards import dense, experts, one_dense
from flopkb.editing.hf_config.loading import Decoder, MixerBuilder
from flopkb.editing.hf_config.patterns import FULL, LINEAR
from flopkb.editing.hf_config.recurrent import gated_delta, lightning, mamba, mamba2, short_convolution
from flopkb.editing.hf_config.shape import ConfigQuantity, LayerPart, joined

DENSE_ONLY, EXPERTS_ONLY = "dense_only", "experts_only"
"""Kinds of layers without a mixer (Nemotron-H)."""

_STATES = {"gated_delta": gated_delta, "mamba": mamba, "mamba2": mamba2, "lightning": lightning}
DELTA, MAMBA, MAMBA2, NO_MIXER = gated_delta, mamba, mamba2, "none"


def by_kind(builders: Mapping[str, MixerBuilder | str]) -> MixerBuilder:
    """The mixers of a layer by its kind."""

    def mixers(decoder: Decoder, kind: str, layer: int) -> tuple[LayerPart, ...]:
        builder = builders[kind]
        if isinstance(builder, str):
            return () if builder == NO_MIXER else _STATES[builder](decoder, kind, layer)
        return builder(decoder, kind, layer)

    return mixers


def nothing(decoder: Decoder, layer: int) -> tuple[LayerPart, ...]:
    """No feed-forward."""
    return ()


def side_by_side(decoder: Decoder, kind: str, layer: int) -> tuple[LayerPart, ...]:
    """Attention and Mamba-2 on the same input (Falcon-H1), the norm before both counted once."""
    attention, (state,) = heads(decoder, kind, layer), mamba2(decoder, kind, layer)
    given = decoder.config.number("mamba_d_ssm")
    number, width = (decoder.config.count(name).value for name in ("mamba_num_heads", "mamba_head_dim"))
    if given and given != number * width:
        place = decoder.config.place("mamba_d_ssm")
        decoder.config.refuse(place, f"{number} heads of {width} are not {given} channels")
    vectors = [(times - 1 if size == decoder.hidden else times, size) for times, size in state.vectors]
    return (*attention, replace(state, vectors=joined(vectors)))


def granite_feed_forwards(decoder: Decoder, layer: int) -> tuple[LayerPart, ...]:
    """Experts and a shared one, or the shared one alone where there are no experts (Granite 4)."""
    traits = decoder.loader.experts
    assert traits is not None, "the class has experts"
    if decoder.config.number("num_experts"):
        return (experts(decoder, traits),)
    return (one_dense(decoder, decoder.config.count("shared_intermediate_size")),)


# --- Kimi-Linear ---


def kimi_kinds(decoder: Decoder) -> tuple[str, ...]:
    """By the lists of ``linear_attn_config``, which count layers from 1."""
    inner = decoder.config.below("linear_attn_config")
    full, linear = (inner.numbers(key) if inner else None for key in ("full_attn_layers", "kda_layers"))
    if inner is None or full is None or linear is None:
        decoder.config.refuse(
            decoder.config.place("linear_attn_config"),
            "neither `layer_types` nor `linear_attn_config` with `full_attn_layers` and `kda_layers` says which layer is which",
        )
    if sorted((*full, *linear)) != list(range(1, decoder.layers + 1)):
        decoder.config.refuse(
            inner.place("full_attn_layers"),
            f"`full_attn_layers` and `kda_layers` do not name each of the layers 1 to {decoder.layers} once",
        )
    return tuple(FULL if layer + 1 in full else LINEAR for layer in range(decoder.layers))


def delta_or_latent(decoder: Decoder, kind: str, layer: int) -> tuple[LayerPart, ...]:
    """Latent attention without positions (its rotary part is kept all the same), or delta attention."""
    return latent(decoder, kind, layer) if kind == FULL else (_delta_attention(decoder),)


def _delta_attention(decoder: Decoder) -> LayerPart:
    """Its two gates come through a rank of one head, in place of a full matrix."""
    inner = decoder.config.below("linear_attn_config")
    source = inner or decoder.config
    prefix = "" if inner else "linear_"
    number, width = source.count(f"{prefix}num_heads"), source.count(f"{prefix}head_dim")
    kernel = source.count("short_conv_kernel_size" if inner else "linear_conv_kernel_dim")
    fields = (
        ("state_heads", number),
        ("state_key_heads", number),
        ("state_key_dim", width),
        ("state_value_dim", width),
        ("conv_kernel", kernel),
        ("gate_rank", ConfigQuantity(width.value, formula="state_value_dim")),
    )
    total = number.value * width.value
    return LayerPart(
        "gated_delta", fields, joined([(1, decoder.hidden), (1, total), (1, number.value), (1, width.value)])
    )


# --- Nemotron-H ---

_LETTERS = {"M": LINEAR, "*": FULL, "-": DENSE_ONLY, "E": EXPERTS_ONLY}
_NAMES = {
    "mamba": LINEAR, "linear_attention": LINEAR, "attention": FULL, "full_attention": FULL,
    "mlp": DENSE_ONLY, "moe": EXPERTS_ONLY,
}  # fmt: skip


def nemotron_kinds(decoder: Decoder) -> tuple[str, ...]:
    """By the letters of ``hybrid_override_pattern``, or by names."""
    config = decoder.config
    pattern = config.word("hybrid_override_pattern")
    key = "hybrid_override_pattern" if pattern else "layers_block_type"
    given, known = (tuple(pattern), _LETTERS) if pattern else (config.words(key) or (), _NAMES)
    place = config.place(key)
    config.as_many(key, place, len(given), decoder.layers)
    for name in given:
        if name not in known:
            config.refuse(place, f'"{name}" is no type of layer that {decoder.loader.name} has: {", ".join(known)}')
    return tuple(known[name] for name in given)


def nemotron_feed_forwards(decoder: Decoder, layer: int) -> tuple[LayerPart, ...]:
    """A layer is a mixer, a feed-forward or experts, never two of them."""
    kind, traits = nemotron_kinds(decoder)[layer], decoder.loader.experts
    if kind == DENSE_ONLY:
        return dense(decoder, layer)
    if kind == EXPERTS_ONLY and traits is not None:
        return (experts(decoder, traits),)
    return ()


# --- LFM2 ---


def convolution_or_heads(decoder: Decoder, kind: str, layer: int) -> tuple[LayerPart, ...]:
    """A short convolution or attention."""
    return short_convolution(decoder, kind, layer) if kind == "conv" else heads(decoder, kind, layer)


def lfm2_feed_forwards(decoder: Decoder, layer: int) -> tuple[LayerPart, ...]:
    """A gated feed-forward; its width is two thirds of the given one, in steps, where the config says so."""
    config = decoder.config
    given = config.optional("block_ff_dim") or config.count("intermediate_size")
    config.number("intermediate_size")
    if config.has("block_auto_adjust_ff_dim") and not config.flag("block_auto_adjust_ff_dim"):
        return (one_dense(decoder, given),)
    factor = config.find("block_ffn_dim_multiplier")
    if factor is not None and getattr(factor[1], "value", 1) != 1:
        config.refuse(factor[1], "a `block_ffn_dim_multiplier` other than 1 is not one that the import can follow")
    step = config.number("block_multiple_of") or 256
    width = step * math.ceil(2 * given.value // 3 / step)
    return (
        one_dense(
            decoder,
            ConfigQuantity(width, default=f"{decoder.loader.said}: two thirds of {given.value}, in steps of {step}"),
        ),
    )
