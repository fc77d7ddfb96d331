"""The layers of a shape as a record has them: parts under names, equal layers counted, patterns that repeat.

A part that is the same in every layer stands flat, its fields beside those of the model.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from flopkb.editing.hf_config.shape import ConfigQuantity, LayerPart, LayerShape, ModelShape

_SHORT = {
    "full_attention": "full",
    "sliding_attention": "local",
    "chunked_attention": "chunked",
    "cross_attention": "cross",
    "compressed_attention": "compressed",
    "latent_attention": "latent",
    "gated_delta": "delta",
    "linear_attention": "linear",
    "gated": "dense",
    "plain": "dense",
    "mixture_of_experts": "routed",
}
"""What a part is called by its type, where the type itself is no name for it."""

_STATES = frozenset({"gated_delta", "mamba", "mamba2", "linear_attention", "conv", "indexer"})


@dataclass(frozen=True, slots=True)
class LayerRun:
    """Equal layers: how many, and the names of their parts (None where the flat keys say it)."""

    count: int
    mixers: tuple[str, ...] | None
    feed_forwards: tuple[str, ...] | None


@dataclass(frozen=True, slots=True)
class LayerPattern:
    """Layers that repeat."""

    repeat: int
    runs: tuple[LayerRun, ...]


@dataclass(frozen=True, slots=True)
class ModelLayout:
    """The parts that are flat, those under names, and the layers; no layers where both parts are flat."""

    mixer: LayerPart | None
    feed_forward: LayerPart | None
    mixers: tuple[tuple[str, LayerPart], ...]
    feed_forwards: tuple[tuple[str, LayerPart], ...]
    layers: tuple[LayerRun | LayerPattern, ...]


def layout_of(shape: ModelShape) -> ModelLayout:
    """How the layers of a shape are written."""
    mixer = _flat([layer.mixers for layer in shape.layers])
    mixer = None if mixer is not None and mixer.type in _STATES else mixer
    feed_forward = _flat([layer.feed_forwards for layer in shape.layers])
    mixers = _named(part for layer in shape.layers for part in layer.mixers) if mixer is None else {}
    blocks = _named(part for layer in shape.layers for part in layer.feed_forwards) if feed_forward is None else {}
    layers = [_names(layer, mixers, blocks, mixer, feed_forward) for layer in shape.layers]
    return ModelLayout(
        mixer,
        feed_forward,
        tuple((name, part) for part, name in mixers.items()),
        tuple((name, part) for part, name in blocks.items()),
        () if mixer is not None and feed_forward is not None else tuple(_patterns(layers)),
    )


def _flat(parts: Sequence[tuple[LayerPart, ...]]) -> LayerPart | None:
    """The one part that every layer has."""
    return parts[0][0] if len(parts[0]) == 1 and len(set(parts)) == 1 and not parts[0][0].reuses else None


def _named(parts: Iterator[LayerPart]) -> dict[LayerPart, str]:
    """Names for the different parts, in the order in which they come; those that are reused before those that reuse."""
    found: dict[LayerPart, str] = {}
    for part in parts:
        for one in (part.reuses, part):
            if one is not None and one not in found:
                found[one] = _free(_name(one), found)
    return found


def _name(part: LayerPart) -> str:
    """What a part is called by its type, its compression, and whether it reuses a cache."""
    ratio = next((value for name, value in part.fields if name == "compress_ratio"), None)
    apart = f"_{ratio.value}" if part.type == "compressed_attention" and isinstance(ratio, ConfigQuantity) else ""
    return _SHORT.get(part.type, part.type) + apart + ("_reusing" if part.reuses else "")


def _free(name: str, found: dict[LayerPart, str]) -> str:
    taken = set(found.values())
    number = 2
    free = name
    while free in taken:
        free, number = f"{name}_{number}", number + 1
    return free


def _names(
    layer: LayerShape,
    mixers: dict[LayerPart, str],
    blocks: dict[LayerPart, str],
    mixer: LayerPart | None,
    block: LayerPart | None,
) -> LayerRun:
    return LayerRun(
        1,
        None if mixer is not None else tuple(mixers[part] for part in layer.mixers),
        None if block is not None else tuple(blocks[part] for part in layer.feed_forwards),
    )


def _patterns(layers: Sequence[LayerRun]) -> Iterator[LayerRun | LayerPattern]:
    """Runs of equal layers, and the shortest pattern that repeats wherever it saves lines."""
    runs = list(_runs(layers))
    at = 0
    while at < len(runs):
        period, repeat = _best_period(runs, at)
        if repeat > 1:
            yield LayerPattern(repeat, tuple(runs[at : at + period]))
        else:
            yield runs[at]
        at += period * repeat


def _runs(layers: Sequence[LayerRun]) -> Iterator[LayerRun]:
    held: LayerRun | None = None
    for layer in layers:
        if held is not None and (held.mixers, held.feed_forwards) == (layer.mixers, layer.feed_forwards):
            held = LayerRun(held.count + 1, layer.mixers, layer.feed_forwards)
            continue
        if held is not None:
            yield held
        held = layer
    if held is not None:
        yield held


def _best_period(runs: Sequence[LayerRun], at: int) -> tuple[int, int]:
    """How long the pattern is that begins here, and how often it comes: the one that covers most, the shortest of those."""
    best = (1, 1)
    for period in range(2, (len(runs) - at) // 2 + 1):
        repeat = 1
        while runs[at + repeat * period : at + (repeat + 1) * period] == runs[at : at + period]:
            repeat += 1
        if repeat > 1 and period * repeat > best[0] * best[1]:
            best = (period, repeat)
    return best
