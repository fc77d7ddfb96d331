"""The models of a base as ``made.Model``, read from their files by themselves: no layer is looked up by what is tested."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from ruamel.yaml import YAML

from .made import Field, Model, Part

TOP = ("hidden_size", "vocab_size", "input_vocab_size", "tie_word_embeddings", "model_vectors")
Tree = dict[str, object]


def recorded(file: Path) -> Model:
    """The model in a file; flat keys are one part, called ``flat``."""
    tree: Tree = YAML(typ="safe").load(file.read_text("utf-8"))
    flat = fields(tree)
    mixers, blocks = (
        {"flat": {**flat, "type": flat[key]}}
        if key in tree
        else {n: fields(p) for n, p in below(tree, section).items()}
        for key, section in (("attention", "mixers"), ("feed_forward", "feed_forwards"))
    )
    items = tree.get("layers", [{"count": flat["num_hidden_layers"]}])
    layers = list(unrolled(items))
    assert len(layers) == flat["num_hidden_layers"], file
    return Model(str(tree["id"]), {key: flat[key] for key in TOP if key in flat}, mixers, blocks, layers)


def below(tree: Tree, key: str) -> dict[str, Tree]:
    """The entries of a mapping of mappings."""
    found = tree.get(key, {})
    assert isinstance(found, dict)
    return found


def fields(tree: Tree) -> Part:
    """The fields of a part: numbers, flags, types and sums as written; a value with its basis is the value."""
    values = {
        key: value["value"] if isinstance(value, dict) and "value" in value else value for key, value in tree.items()
    }
    return {key: field_of(value) for key, value in values.items() if isinstance(value, int | str)}


def field_of(value: int | str) -> Field:
    """A field; ``5120 + 2*128`` is added up."""
    if isinstance(value, str) and re.fullmatch(r"[0-9 +*()]+", value):
        return int(eval(value, {"__builtins__": {}}))  # digits, plus and times alone
    return value


def unrolled(items: object) -> Iterator[tuple[list[str], list[str]]]:
    """The parts of each layer, one after the other."""
    assert isinstance(items, list)
    for item in items:
        if "repeat" in item:
            for _ in range(item["repeat"]):
                yield from unrolled(item["layers"])
        else:
            for _ in range(item["count"]):
                yield item.get("mixers", ["flat"]), item.get("feed_forwards", ["flat"])
