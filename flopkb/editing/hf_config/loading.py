"""What a table entry says of the class that loads a kind of config: its name, its defaults, its vectors, its layers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from flopkb.editing.hf_config.reader import ConfigReader, Default
from flopkb.editing.hf_config.shape import LayerPart, ModelShape

Switch = bool | str
"""Fixed by the class, or a key of the config (``!key``: turned around)."""

RMS, LAYER, UNBIASED, BARE = 1, 2, 1, 0
"""Weights of a norm for each channel: RMSNorm, LayerNorm, LayerNorm without bias, without any."""


@dataclass(frozen=True, slots=True)
class VectorTraits:
    """The vectors of a decoder's layers: norms, biases, sinks.

    ``qk_norm`` is a norm of queries and keys over a head (``head``), over each head apart (``heads``) or over the whole
    width (``width``), where ``qk_norm_if`` holds. ``head_bias`` is that of the output embedding.
    """

    norm: int = RMS
    mixer_norms: int = 1
    feed_forward_norms: int = 1
    final_norm: bool = True
    qkv_bias: Switch = False
    out_bias: Switch = False
    mlp_bias: Switch = False
    qk_norm: str = ""
    qk_norm_if: Switch = True
    qk_norm_width: int = 1
    sinks: Switch = False
    output_gate: Switch = False
    head_bias: Switch = False


@dataclass(frozen=True, slots=True)
class ExpertTraits:
    """How a class builds its experts.

    ``width`` is the field of one expert's width, ``shared_width`` that of a shared expert as a formula or a key,
    ``shared`` whether their number is a key (``num_shared_experts``) or fixed.
    """

    width: str = "moe_intermediate_size"
    experts: str = "gated"
    shared: int | str = 0
    shared_default: int = 0
    shared_width: str = ""
    shared_gate: Switch = False
    shared_bias: Switch = False
    router_bias: Switch = False
    expert_bias: Switch = False


Kinds = Callable[["Decoder"], tuple[str, ...]]
"""The kind of mixer of each layer."""

Sparse = Callable[["Decoder"], tuple[bool, ...]]
"""Of each layer, whether its feed-forward is a mixture of experts."""

MixerBuilder = Callable[["Decoder", str, int], tuple[LayerPart, ...]]
"""The mixers of a layer, by its kind and its index."""

FeedForwardBuilder = Callable[["Decoder", int], tuple[LayerPart, ...]]
"""The feed-forwards of a layer, by its index."""


@dataclass(frozen=True, slots=True)
class LoadingClass:
    """An entry of the closed table: the class that loads a ``model_type``, and all that only it knows.

    ``library`` is where the class was read; ``kind_names`` are further names of kinds of layers that it takes; ``builder``
    gives the whole shape of a class that is no plain stack of layers; ``unused`` are keys of it that change no layer;
    ``inner_defaults`` hold where its config is wrapped by another, which leaves out what is as by default.
    """

    name: str
    library: str
    kinds: Kinds
    mixers: MixerBuilder
    feed_forwards: FeedForwardBuilder
    names: Mapping[str, str] = field(default_factory=dict)
    defaults: Mapping[str, Default] = field(default_factory=dict)
    traits: VectorTraits = VectorTraits()
    experts: ExpertTraits | None = None
    sparse: Sparse | None = None
    plain: Switch = False
    kind_names: Mapping[str, str] = field(default_factory=dict)
    tied: bool = False
    positions: str = ""
    finish: Callable[[Decoder, ModelShape], ModelShape] | None = None
    unused: str = ""
    inner_defaults: Mapping[str, Default] = field(default_factory=dict)

    @property
    def said(self) -> str:
        """The class and where it was read."""
        return f"{self.name} of {self.library}"


@dataclass(frozen=True, slots=True)
class Decoder:
    """A config in the eyes of the class that loads it, and how many layers it has."""

    config: ConfigReader
    loader: LoadingClass
    layers: int

    @property
    def hidden(self) -> int:
        """The width of the residual stream."""
        return self.config.count("hidden_size").value
