"""Which layer is of which kind, in each of the ways in which configs say so. Layers count from 0 here."""

from __future__ import annotations

from contextlib import suppress

from flopkb.base.document import Node
from flopkb.editing.hf_config.loading import Decoder, Kinds, Sparse
from flopkb.editing.hf_config.reader import ConfigRefused

FULL, SLIDING, CHUNKED = "full_attention", "sliding_attention", "chunked_attention"
LINEAR, CROSS, INDEXED = "linear_attention", "cross_attention", "indexed_attention"

KIND_NAMES = {"full_attention": FULL, "sliding_attention": SLIDING, "chunked_attention": CHUNKED}
"""The names of kinds of layers that every class takes; the others stand with the class."""


def listed(otherwise: Kinds, keys: str = "layer_types layers_block_type") -> Kinds:
    """As a list of names has it, else as the class does."""

    def kinds(decoder: Decoder) -> tuple[str, ...]:
        for key in keys.split():
            names = decoder.config.words(key)
            if names is not None:
                place = decoder.config.place(key)
                decoder.config.as_many(key, place, len(names), decoder.layers)
                with suppress(ConfigRefused):
                    otherwise(decoder)  # the keys that it would read are known, and overruled
                return tuple(_kind(decoder, key, name) for name in names)
        return otherwise(decoder)

    return kinds


def _kind(decoder: Decoder, key: str, name: str) -> str:
    kind = decoder.loader.kind_names.get(name, KIND_NAMES.get(name))
    if kind is None:
        known = ", ".join(sorted({*decoder.loader.kind_names, *KIND_NAMES}))
        place = _entry(decoder, key, name)
        decoder.config.refuse(place, f'"{name}" is no type of layer that {decoder.loader.name} has here: {known}')
    return kind


def _entry(decoder: Decoder, key: str, name: str) -> Node:
    items = decoder.config.items(key) or ()
    return next((item for item in items if getattr(item, "text", "") == name), decoder.config.place(key))


def every(kind: str) -> Kinds:
    """All layers of one kind."""
    return lambda decoder: (kind,) * decoder.layers


def windowed(decoder: Decoder) -> tuple[str, ...]:
    """All layers through the window, where the file has one that is switched on."""
    return (SLIDING if window_is_on(decoder) else FULL,) * decoder.layers


def window_is_on(decoder: Decoder) -> bool:
    """Whether there is a window, and no switch turns it off."""
    config = decoder.config
    if config.has("use_sliding_window") and not config.flag("use_sliding_window"):
        config.number("sliding_window")
        return False
    if not config.has("use_sliding_window") and "use_sliding_window" in config.defaults:
        config.number("sliding_window")
        return config.defaults["use_sliding_window"] is True and config.optional("sliding_window") is not None
    return config.optional("sliding_window") is not None


def windowed_from(decoder: Decoder) -> tuple[str, ...]:
    """Layers from ``max_window_layers`` on through the window, where it is switched on."""
    first = decoder.config.number("max_window_layers")
    if not window_is_on(decoder):
        return (FULL,) * decoder.layers
    return tuple(SLIDING if layer >= first else FULL for layer in range(decoder.layers))


def every_nth_full(otherwise: int, key: str = "sliding_window_pattern", rest: str = SLIDING) -> Kinds:
    """Every nth layer full, the others windowed (or linear); n is a key, ``otherwise`` the class's."""

    def kinds(decoder: Decoder) -> tuple[str, ...]:
        pattern = _lettered(decoder, key)
        if pattern is not None:
            return pattern
        every = decoder.config.number(key) or otherwise
        if rest == SLIDING and not window_is_on(decoder):
            return (FULL,) * decoder.layers
        return tuple(FULL if (layer + 1) % every == 0 else rest for layer in range(decoder.layers))

    return kinds


def _lettered(decoder: Decoder, key: str) -> tuple[str, ...] | None:
    """A pattern such as ``LLLG``, whose last layer is full in any case."""
    node = decoder.config.find(key)
    if node is None or not isinstance(getattr(node[1], "value", None), str):
        return None
    letters = decoder.config.word(key) or ""
    if not letters or set(letters) - {"L", "G"}:
        decoder.config.refuse(node[1], f"`{key}` must be a number, or letters L and G")
    if not window_is_on(decoder):
        return (FULL,) * decoder.layers
    kinds = [SLIDING if letters[layer % len(letters)] == "L" else FULL for layer in range(decoder.layers)]
    return (*kinds[:-1], FULL)


def first_windowed(decoder: Decoder) -> tuple[str, ...]:
    """Windowed and full in turn, beginning with a window."""
    if not window_is_on(decoder):
        return (FULL,) * decoder.layers
    return tuple(FULL if layer % 2 else SLIDING for layer in range(decoder.layers))


def first_full_of(every: int) -> Kinds:
    """The first of every ``every`` layers full, the others windowed."""

    def kinds(decoder: Decoder) -> tuple[str, ...]:
        if not window_is_on(decoder):
            return (FULL,) * decoder.layers
        return tuple(SLIDING if layer % every else FULL for layer in range(decoder.layers))

    return kinds


def chunked_where_rotary(decoder: Decoder) -> tuple[str, ...]:
    """Chunked where a layer has rotary positions, full where it has none: by ``no_rope_layers`` (1: it has), else every nth."""
    config = decoder.config
    rotary = config.numbers("no_rope_layers")
    if rotary:
        config.as_many("no_rope_layers", config.place("no_rope_layers"), len(rotary), decoder.layers)
    else:
        every = config.number("no_rope_layer_interval") or 4
        rotary = tuple(int((layer + 1) % every != 0) for layer in range(decoder.layers))
    chunk = config.optional("attention_chunk_size")
    return tuple(CHUNKED if on and chunk else FULL for on in rotary)


def marked(key: str, ones: str, zeros: str) -> Kinds:
    """By a list of ones and zeros."""

    def kinds(decoder: Decoder) -> tuple[str, ...]:
        marks = decoder.config.numbers(key)
        place = decoder.config.place(key)
        if marks is None:
            decoder.config.refuse(place, f"the file has no `{key}`, which says of each layer what it is")
        decoder.config.as_many(key, place, len(marks), decoder.layers)
        if set(marks) - {0, 1}:
            decoder.config.refuse(place, f"`{key}` must hold ones and zeros")
        return tuple(ones if mark else zeros for mark in marks)

    return kinds


def all_softmax(decoder: Decoder) -> tuple[str, ...]:
    """Full in every layer; a list of types may say so, and nothing else (MiniMax-M2)."""
    marks = decoder.config.numbers("attn_type_list")
    if marks is not None and set(marks) != {1}:
        decoder.config.refuse(decoder.config.place("attn_type_list"), "only layers of type 1 are known of this class")
    return (FULL,) * decoder.layers


def where_listed(key: str, there: str, elsewhere: str, first: int = 0, required: bool = True) -> Kinds:
    """By a list of the indices of layers, which counts from ``first``."""

    def kinds(decoder: Decoder) -> tuple[str, ...]:
        indices = decoder.config.numbers(key)
        place = decoder.config.place(key)
        if indices is None:
            if not required:
                return (elsewhere,) * decoder.layers
            decoder.config.refuse(place, f"the file has no `{key}`, the list of layers that are {there}")
        for index in indices:
            if not first <= index < decoder.layers + first:
                decoder.config.refuse(place, f"`{key}` names layer {index}, and there are {decoder.layers} layers")
        return tuple(there if layer + first in indices else elsewhere for layer in range(decoder.layers))

    return kinds


def periodic(period: str, offset: str, there: str, elsewhere: str) -> Kinds:
    """One layer of every period, at an offset."""

    def kinds(decoder: Decoder) -> tuple[str, ...]:
        every, at = decoder.config.count(period).value, decoder.config.number(offset)
        if not decoder.config.has(offset):
            at = int(decoder.config.defaults.get(offset) or 0)
        return tuple(there if layer % every == at else elsewhere for layer in range(decoder.layers))

    return kinds


# --- where the experts are ---


def always(decoder: Decoder) -> tuple[bool, ...]:
    """Experts in every layer."""
    return (True,) * decoder.layers


def typed(otherwise: Sparse) -> Sparse:
    """By ``mlp_layer_types``, a list of dense and sparse; else as the class does."""

    def sparse(decoder: Decoder) -> tuple[bool, ...]:
        names = decoder.config.words("mlp_layer_types")
        if names is None:
            return otherwise(decoder)
        with suppress(ConfigRefused):
            otherwise(decoder)
        place = decoder.config.place("mlp_layer_types")
        decoder.config.as_many("mlp_layer_types", place, len(names), decoder.layers)
        for name in names:
            if name not in ("dense", "sparse", "moe", "hash_moe"):
                decoder.config.refuse(place, f'"{name}" is no type of feed-forward that is known: dense, sparse')
        return tuple(name != "dense" for name in names)

    return sparse


def after_dense(key: str = "first_k_dense_replace") -> Sparse:
    """Experts after the first dense layers: in every layer, in every ``moe_layer_freq``-th, or as its list says."""

    def sparse(decoder: Decoder) -> tuple[bool, ...]:
        config = decoder.config
        first = config.number(key)
        found = config.find("moe_layer_freq")
        if found is not None and hasattr(found[1], "items"):
            marks = config.numbers("moe_layer_freq") or ()
            config.as_many("moe_layer_freq", found[1], len(marks), decoder.layers)
            return tuple(mark == 1 for mark in marks)
        every = config.number("moe_layer_freq") or 1
        if not config.optional("num_experts"):
            return (False,) * decoder.layers
        return tuple(layer >= first and layer % every == 0 for layer in range(decoder.layers))

    return sparse


def stepped(decoder: Decoder) -> tuple[bool, ...]:
    """Experts in every ``decoder_sparse_step``-th layer but those of ``mlp_only_layers``."""
    step = decoder.config.number("decoder_sparse_step") or 1
    dense = decoder.config.numbers("mlp_only_layers") or ()
    if not decoder.config.optional("num_experts"):
        return (False,) * decoder.layers
    return tuple(layer not in dense and (layer + 1) % step == 0 for layer in range(decoder.layers))


def interleaved(decoder: Decoder) -> tuple[bool, ...]:
    """Experts in the layers of ``moe_layers``, else in every ``interleave_moe_layer_step``-th."""
    layers = decoder.config.numbers("moe_layers")
    step = decoder.config.number("interleave_moe_layer_step") or 1
    if layers is not None:
        return tuple(layer in layers for layer in range(decoder.layers))
    return tuple((layer + 1) % step == 0 for layer in range(decoder.layers))


def experts_periodic(decoder: Decoder) -> tuple[bool, ...]:
    """Experts in one layer of every ``expert_layer_period``, where there is more than one."""
    kinds = periodic("expert_layer_period", "expert_layer_offset", "x", "")(decoder)
    if decoder.config.number("num_experts") <= 1:
        return (False,) * decoder.layers
    return tuple(bool(kind) for kind in kinds)


def between(decoder: Decoder) -> tuple[bool, ...]:
    """Experts from ``moe_layer_start_index`` to ``moe_layer_end_index``, in every ``moe_layer_interval``-th layer."""
    config = decoder.config
    first = config.number("moe_layer_start_index") if config.has("moe_layer_start_index") else 1
    found = config.find("moe_layer_end_index")
    last = decoder.layers - 1
    if found is not None and getattr(found[1], "value", None) != -1:
        last = config.number("moe_layer_end_index")
    every = config.number("moe_layer_interval") or 1
    return tuple((layer + 1) % every == 0 and first <= layer <= last for layer in range(decoder.layers))


def if_several(decoder: Decoder) -> tuple[bool, ...]:
    """Experts in every layer, where there is more than one."""
    return (decoder.config.number("num_experts") > 1,) * decoder.layers
