"""Mixers that keep a state in place of a cache: delta rules, state spaces, linear attention, convolutions.

The sizes of the matrices that every mixer of a type has follow from its fields; what a class has besides (low-rank gates,
projections of the step) is counted among its vectors.
"""

from __future__ import annotations

from flopkb.editing.hf_config.loading import Decoder
from flopkb.editing.hf_config.shape import ConfigQuantity, LayerPart, joined


def _norms(decoder: Decoder) -> tuple[int, int]:
    return decoder.loader.traits.mixer_norms * decoder.loader.traits.norm, decoder.hidden


def gated_delta(decoder: Decoder, kind: str, layer: int) -> tuple[LayerPart, ...]:
    """The gated delta rule (Qwen3-Next): two vectors a head, a norm over a head."""
    config = decoder.config
    number, width = config.count("linear_num_value_heads"), config.count("linear_value_head_dim")
    part = LayerPart(
        "gated_delta",
        (
            ("state_heads", number),
            ("state_key_heads", config.count("linear_num_key_heads")),
            ("state_key_dim", config.count("linear_key_head_dim")),
            ("state_value_dim", width),
            ("conv_kernel", config.count("linear_conv_kernel_dim")),
        ),
        joined([_norms(decoder), (2, number.value), (1, width.value)]),
    )
    return (part,)


def mamba2(decoder: Decoder, kind: str, layer: int) -> tuple[LayerPart, ...]:
    """Mamba-2: three vectors a head, a norm of the gated output, a bias of the convolution."""
    config = decoder.config
    number, width = config.count("mamba_num_heads"), config.count("mamba_head_dim")
    groups, state = config.count("mamba_n_groups"), config.count("mamba_state_size")
    inner, channels = number.value * width.value, number.value * width.value + 2 * groups.value * state.value
    vectors = [_norms(decoder), (3, number.value)]
    if config.flag("mamba_norm"):
        vectors.append((1, inner))
    if config.flag("mamba_conv_bias"):
        vectors.append((1, channels))
    if config.flag("mamba_proj_bias"):
        vectors.append((1, inner + channels + number.value))
    if config.flag("mamba_out_bias"):
        vectors.append((1, decoder.hidden))
    fields = (
        ("state_heads", number),
        ("n_groups", groups),
        ("state_key_dim", state),
        ("state_value_dim", width),
        ("conv_kernel", config.count("mamba_conv_kernel")),
    )
    return (LayerPart("mamba2", fields, joined(vectors)),)


def mamba(decoder: Decoder, kind: str, layer: int) -> tuple[LayerPart, ...]:
    """Mamba: every channel of the inner width has a state of its own; the step comes through a low rank."""
    config = decoder.config
    inner, state = config.count("mamba_intermediate_size"), config.count("mamba_state_size")
    rank = config.count("mamba_dt_rank")
    vectors = [_norms(decoder), (rank.value + 2 * state.value, inner.value), (rank.value, inner.value)]
    vectors += [(1, inner.value), (state.value + 1, inner.value)]
    if config.flag("mamba_conv_bias"):
        vectors.append((1, inner.value))
    if config.flag("mamba_proj_bias"):
        vectors += [(2, inner.value), (1, decoder.hidden)]
    if config.flag("mamba_inner_norms"):
        vectors += [(1, rank.value), (2, state.value)]
    fields = (
        ("state_heads", inner),
        ("state_key_dim", state),
        ("state_value_dim", ConfigQuantity(1, default=decoder.loader.said)),
        ("conv_kernel", config.count("mamba_conv_kernel")),
    )
    return (LayerPart("mamba", fields, joined(vectors)),)


def lightning(decoder: Decoder, kind: str, layer: int) -> tuple[LayerPart, ...]:
    """Lightning attention (MiniMax-Text-01): a state a head, a gate and a norm of the output."""
    config = decoder.config
    number = config.count("num_attention_heads")
    width = config.optional("head_dim") or config.derived("hidden_size / num_attention_heads", "head_dim")
    fields = (
        ("state_heads", number),
        ("state_key_heads", number),
        ("state_key_dim", width),
        ("state_value_dim", width),
    )
    return (LayerPart("linear_attention", fields, joined([_norms(decoder), (1, number.value * width.value)])),)


def short_convolution(decoder: Decoder, kind: str, layer: int) -> tuple[LayerPart, ...]:
    """A gated short convolution over the residual stream (LFM2)."""
    config = decoder.config
    width = ConfigQuantity(decoder.hidden, formula="hidden_size")
    vectors = [_norms(decoder)]
    if config.flag("conv_bias"):
        vectors.append((5, decoder.hidden))
    return (
        LayerPart("conv", (("state_value_dim", width), ("conv_kernel", config.count("conv_L_cache"))), joined(vectors)),
    )
