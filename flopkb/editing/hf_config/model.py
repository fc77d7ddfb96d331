"""From a config.json to the shape of a model: the class that loads it, its layers one by one, what is left over judged."""

from __future__ import annotations

import re

from flopkb.arithmetic.diagnostics import shortened
from flopkb.base.document import Mapping, Node, Scalar
from flopkb.base.faults import did_you_mean
from flopkb.editing.hf_config.attention import window_is_whole
from flopkb.editing.hf_config.classes import CLASSES, REFUSED, WRAPPING, Wrapping
from flopkb.editing.hf_config.leftovers import judge
from flopkb.editing.hf_config.loading import Decoder, LoadingClass
from flopkb.editing.hf_config.patterns import SLIDING
from flopkb.editing.hf_config.reader import ConfigReader
from flopkb.editing.hf_config.shape import FieldValue, LayerShape, ModelShape, fields_of, joined

MOST_LAYERS = 1000
"""No model has more layers."""


def model_shape(root: Mapping) -> ModelShape:
    """The shape of the text model that a config describes; raises :class:`ConfigRefused` where it cannot be told."""
    outer = ConfigReader(root, "the loader")
    kind, node, remarks = _text_model(outer)
    loader = CLASSES[kind]
    inner = loader.inner_defaults if node is not root else {}
    config = ConfigReader(node, loader.said, loader.names, {**inner, **loader.defaults})
    decoder = Decoder(config, loader, _layers(config, loader))
    shape = _assembled(decoder, outer if node is not root else None)
    judge(config, kind, loader)
    return ModelShape(
        shape.fields,
        shape.layers,
        shape.vectors,
        (*remarks, *shape.remarks, *_further(config), *_quantised(outer, config)),
    )


def _text_model(outer: ConfigReader) -> tuple[str, Mapping, tuple[str, ...]]:
    """The type of the text model, its config, and what is said of the rest."""
    kind = outer.word("model_type")
    if kind is None:
        outer.refuse(outer.node, "the file has no `model_type`, which says how to read it")
    wrapping = WRAPPING.get(kind)
    if wrapping is None:
        return _known(outer, kind), outer.node, ()
    inner = _inside(outer, wrapping)
    if inner is None:
        if not wrapping.flat:
            outer.refuse(
                outer.place("model_type"),
                f"a config of {kind} keeps its text model under `{wrapping.keys}`, and there is none",
            )
        return _known(outer, wrapping.flat), outer.node, (_APART,)
    named = inner.word("model_type")
    if not named and not wrapping.inner:
        inner.refuse(inner.node, f"`{wrapping.keys}` has no `model_type`, which says how to read it")
    named = named or wrapping.inner
    if named in WRAPPING and WRAPPING[named].flat:
        named = WRAPPING[named].flat
    return _known(inner, named), inner.node, (_APART,)


_APART = "The parts for images, sound or video stand apart: this is the text model alone."


def _inside(outer: ConfigReader, wrapping: Wrapping) -> ConfigReader | None:
    reader: ConfigReader | None = outer
    for key in wrapping.keys.split("."):
        reader = reader.below(key) if reader is not None else None
    return reader


def _known(config: ConfigReader, kind: str) -> str:
    if kind in REFUSED:
        message = f"a {kind} has {REFUSED[kind]}, which no record can describe: write what can be said by hand"
        config.refuse(config.place("model_type"), message)
    if kind not in CLASSES:
        known = (*CLASSES, *WRAPPING)
        config.refuse(
            config.place("model_type"),
            f'the model_type "{shortened(kind, 60)}" is not one that flopkb knows{did_you_mean(kind, known)}; '
            "write the record by hand",
        )
    return kind


def _layers(config: ConfigReader, loader: LoadingClass) -> int:
    """How many layers there are; a list of their types says so where the number is left out."""
    for key in ("layers_block_type", "layer_types"):
        if not config.has("num_hidden_layers") and config.has(key):
            return len(config.items(key) or ())
    number = config.count("num_hidden_layers").value
    if number > MOST_LAYERS:
        config.refuse(config.place("num_hidden_layers"), f"{number} layers are more than any model has")
    return number


def _assembled(decoder: Decoder, outer: ConfigReader | None) -> ModelShape:
    config, loader = decoder.config, decoder.loader
    kinds = loader.kinds(decoder)
    layers = tuple(
        LayerShape(loader.mixers(decoder, kind, index), loader.feed_forwards(decoder, index))
        for index, kind in enumerate(kinds)
    )
    fields: list[tuple[str, FieldValue | None]] = [
        ("hidden_size", config.count("hidden_size")),
        ("vocab_size", config.count("vocab_size")),
        ("max_position_embeddings", config.optional("max_position_embeddings")),
    ]
    tied = _tied(decoder, outer)
    vectors = [(loader.traits.norm if loader.traits.final_norm else 0, decoder.hidden)]
    if loader.positions:
        vectors.append((config.derived(loader.positions, "positions").value, decoder.hidden))
    if config.switch(loader.traits.head_bias):
        vectors.append((1, config.count("vocab_size").value))
    shape = ModelShape(
        (*fields_of(fields), ("tie_word_embeddings", tied)), layers, joined(vectors), _windows(decoder, kinds)
    )
    return loader.finish(decoder, shape) if loader.finish else shape


def _tied(decoder: Decoder, outer: ConfigReader | None) -> bool:
    """Whether both embeddings are one: as the file says, outside or inside, else as the class does."""
    inside, outside = decoder.config.find("tie_word_embeddings"), outer.find("tie_word_embeddings") if outer else None
    if inside is None and outside is None:
        other = decoder.config.find("tie_embedding")
        return decoder.config.flag("tie_embedding") if other else decoder.loader.tied
    given = [_flag(found[1], decoder.config) for found in (outside, inside) if found is not None]
    if len(set(given)) > 1 and inside is not None:
        decoder.config.refuse(inside[1], "`tie_word_embeddings` is true in one place of the file and false in another")
    return given[0]


def _flag(node: Node, config: ConfigReader) -> bool:
    if not isinstance(node, Scalar) or not isinstance(node.value, bool):
        config.refuse(node, "`tie_word_embeddings` must be true or false")
    return node.value


def _windows(decoder: Decoder, kinds: tuple[str, ...]) -> tuple[str, ...]:
    """What is said of a window that drops nothing."""
    if SLIDING in kinds and window_is_whole(decoder):
        return ("The window is not below the trained context: within it, no layer drops anything.",)
    return ()


def _quantised(*configs: ConfigReader) -> tuple[str, ...]:
    """What is said of weights that are quantised."""
    for config in configs:
        found = config.below("quantization_config") if config.has("quantization_config") else None
        if found is not None:
            method = found.find("quant_method")
            text = method[1].text if method is not None and isinstance(method[1], Scalar) else ""
            named = text if re.fullmatch(r"[A-Za-z][A-Za-z0-9_-]{0,40}", text) else "by a method that it does not name"
            return (
                f"The file says that the weights are quantised ({named}); what a weight takes is not in this record.",
            )
    return ()


def _further(config: ConfigReader) -> tuple[str, ...]:
    """What is said of layers that predict further tokens."""
    keys = ("num_nextn_predict_layers", "mtp_num_hidden_layers", "num_mtp_modules")
    if not any(config.number(key) for key in keys):
        return ()
    return ("The layers that predict further tokens (multi-token prediction) stand apart: they are not counted.",)
