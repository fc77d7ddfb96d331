"""A record's layers, reckoned one after the other in the plainest way: what a cache keeps, what the weights are.

It reads the record as YAML and knows nothing of the formulas or the evaluation of the project.
"""

from __future__ import annotations

from typing import Any, cast

from flopkb.base.document import Document, plain
from flopkb.base.loading import load_text

Part = dict[str, Any]


class Reckoned:
    """A model record, its layers written out."""

    def __init__(self, source: str) -> None:
        document = load_text(source, "record.yaml")
        assert isinstance(document, Document), document
        self.fields = cast(dict[str, Any], plain(document.root))
        self.layers = self._layers()

    def number(self, name: str, part: Part | None = None) -> int:
        """A field of the model or of a part."""
        value = (self.fields if part is None else part)[name]
        return int(value["value"] if isinstance(value, dict) else value)

    def _layers(self) -> list[tuple[list[Part], list[Part]]]:
        listed = self.fields.get("layers", [{"count": self.number("num_hidden_layers")}])
        entries = []
        for entry in listed:
            entries += entry["layers"] * entry["repeat"] if "repeat" in entry else [entry]
        layers = []
        for entry in entries:
            mixers = self._parts(entry.get("mixers"), "mixers", "attention")
            blocks = self._parts(entry.get("feed_forwards"), "feed_forwards", "feed_forward")
            layers += [(mixers, blocks)] * entry["count"]
        assert len(layers) == self.number("num_hidden_layers")
        return layers

    def _parts(self, names: list[str] | None, key: str, flat: str) -> list[Part]:
        if names is None:
            return [{**self.fields, "type": self.fields[flat]}]
        return [self.fields[key][name] for name in names]

    def kept(self, tokens: int) -> list[int]:
        """Bytes of keys, values and latents that each layer keeps, two bytes an element."""
        return [
            sum(2 * self._entries(part, tokens) * self._width(part) for part in mixers) for mixers, _ in self.layers
        ]

    def _entries(self, part: Part, tokens: int) -> int:
        if "reuses" in part:
            return 0
        match part["type"]:
            case "full_attention" | "latent_attention":
                return tokens
            case "sliding_attention":
                return min(tokens, self.number("sliding_window", part))
            case "chunked_attention":
                return min(tokens, self.number("attention_chunk_size", part))
            case "compressed_attention":
                ratio, window = self.number("compress_ratio", part), self.number("sliding_window", part)
                return tokens // ratio + min(tokens, window)
            case _:
                return 0

    def _width(self, part: Part) -> int:
        if part["type"] == "latent_attention":
            return self.number("kv_lora_rank", part) + self.number("qk_rope_head_dim", part)
        if "num_key_value_heads" not in part:
            return 0
        key = self.number("head_dim", part)
        value = self.number("v_head_dim", part) if "v_head_dim" in part else key
        return self.number("num_key_value_heads", part) * (key if part.get("shared_kv") else key + value)

    def vectors(self) -> int:
        """All weights that are no matrices."""
        total = _sum(self.fields.get("model_vectors", 0))
        for mixers, blocks in self.layers:
            total += sum(_sum(part.get("mixer_vectors", 0)) for part in mixers)
            for part in blocks:
                total += _sum(part.get("feed_forward_vectors", 0))
                if "expert_vectors" in part:
                    total += self.number("num_experts", part) * _sum(part["expert_vectors"])
        return total


def _sum(written: int | str) -> int:
    """``2*64 + 8``."""
    total = 0
    for term in str(written).split(" + "):
        first, _, second = term.partition("*")
        total += int(first) * int(second or 1)
    return total
