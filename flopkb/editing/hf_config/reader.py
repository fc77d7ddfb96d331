"""A config.json as an importer asks it: whole numbers, switches and lists by the record's own names.

What the file leaves out is the default of the class that loads it, or follows from other fields, or is refused; which keys
were read is kept, so that what is left over can be judged.
"""

from __future__ import annotations

import re
from collections.abc import Mapping as MappingType
from dataclasses import dataclass, field
from fractions import Fraction
from typing import NoReturn

from flopkb.arithmetic.diagnostics import Location, shortened
from flopkb.arithmetic.formula import FUNCTIONS, FormulaError, ZeroDenominator, evaluate, parse
from flopkb.base.document import Mapping, Node, Scalar, Sequence
from flopkb.editing.hf_config.shape import ConfigQuantity

LARGEST = 10**12
"""No dimension of a model is larger."""

SYNONYMS: MappingType[str, tuple[str, ...]] = {
    "num_hidden_layers": ("num_hidden_layers", "n_layer", "n_layers", "num_layers"),
    "hidden_size": ("hidden_size", "n_embd", "d_model"),
    "num_attention_heads": ("num_attention_heads", "n_head", "n_heads"),
    "num_key_value_heads": ("num_key_value_heads", "num_kv_heads", "n_head_kv"),
    "intermediate_size": ("intermediate_size", "ffn_hidden_size", "n_inner", "ffn_dim"),
    "max_position_embeddings": ("max_position_embeddings", "n_positions", "max_seq_len", "seq_length", "n_ctx"),
    "num_experts": ("num_experts", "num_local_experts", "n_routed_experts", "moe_num_experts"),
    "num_experts_per_tok": ("num_experts_per_tok", "experts_per_token", "num_experts_per_token", "moe_topk", "moe_k"),
    "num_shared_experts": ("n_shared_experts", "num_shared_experts", "num_shared_expert", "moe_num_shared_experts"),
}
"""How older and other configs call what a record calls by the first name; a class may have names of its own."""

RECORDED = frozenset(
    {"hidden_size", "vocab_size", "num_attention_heads", "moe_intermediate_size", "max_position_embeddings"}
)
"""The names in formulas that are fields of a record too."""

_NAME = re.compile(r"[a-z_][a-z_0-9]*")
_ONE_VALUE = frozenset(
    {"num_hidden_layers", "hidden_size", "num_attention_heads", "num_experts", "num_experts_per_tok"}
)

Default = int | str | bool | None
"""A class's default: a number, a switch, a formula over fields (text), or None: the class takes none."""


class ConfigRefused(Exception):
    """The config says something that the import cannot take; the text says what, and ``location`` where."""

    def __init__(self, location: Location, message: str) -> None:
        super().__init__(message)
        self.location = location


@dataclass(slots=True)
class ConfigReader:
    """An object of a config.json, read through the names and defaults of the class that loads it (``loader``)."""

    node: Mapping
    loader: str
    names: MappingType[str, str] = field(default_factory=dict)
    defaults: MappingType[str, Default] = field(default_factory=dict)
    read: set[str] = field(default_factory=set)

    def keys_of(self, name: str) -> tuple[str, ...]:
        """The keys under which a field may stand, the usual one first."""
        own = self.names.get(name)
        return tuple(own.split()) if own else SYNONYMS.get(name, (name,))

    def find(self, name: str) -> tuple[str, Node] | None:
        """A field's key and value; None where the file leaves it out, says null, or leaves it to the class (``auto``)."""
        found: tuple[str, Node] | None = None
        for key in self.keys_of(name):
            value = self._at(key)
            if value is None or (isinstance(value, Scalar) and value.value in (None, "auto")):
                continue
            if found is None:
                found = key, value
            elif name in _ONE_VALUE and isinstance(value, Scalar) and isinstance(found[1], Scalar):
                self._agree(found[0], found[1], key, value)
        return found

    def _at(self, key: str) -> Node | None:
        """What stands under a key, or under one inside of another: ``attn_config.kv_n_heads``."""
        first, _, rest = key.partition(".")
        self.read.add(first)
        found = self.node.get(first)
        if rest:
            return found.get(rest) if isinstance(found, Mapping) else None
        return found

    def _agree(self, first: str, one: Scalar, second: str, other: Scalar) -> None:
        if one.value != other.value:
            self.refuse(other, f"`{second}` says {_said(other)} and `{first}` {_said(one)}: they mean the same")

    def has(self, name: str) -> bool:
        """Whether the file gives the field."""
        return self.find(name) is not None

    def count(self, name: str) -> ConfigQuantity:
        """A whole number from 1 on."""
        found = self.optional(name)
        if found is None:
            keys = self.keys_of(name)
            others = f" (or {', '.join(keys[1:])})" if keys[1:] else ""
            self.refuse(self.node, f"the file has no `{keys[0]}`{others}, and {self.loader} has no default for it")
        return found

    def optional(self, name: str) -> ConfigQuantity | None:
        """A whole number from 1 on; None where neither the file nor the class has one, or it is 0."""
        found = self.find(name)
        if found is None:
            return self._default(name)
        value = self._whole(found[0], self._alike(*found))
        return ConfigQuantity(value, found[0]) if value else None

    def _alike(self, key: str, node: Node) -> Node:
        """The one entry of a list with an entry a layer that all say the same; anything else as it is."""
        if not isinstance(node, Sequence) or not node.items:
            return node
        first = node.items[0]
        for item in node:
            if not isinstance(item, Scalar) or not isinstance(first, Scalar) or item.value != first.value:
                self.refuse(item, f"`{key}` differs from layer to layer, which is not known of {self.loader}")
        return first

    def number(self, name: str) -> int:
        """A whole number from 0 on, for the import's own use; 0 where there is none."""
        found = self.optional(name)
        return found.value if found else 0

    def _default(self, name: str) -> ConfigQuantity | None:
        default = self.defaults.get(name)
        if isinstance(default, str):
            return self.derived(default, name)
        return ConfigQuantity(default, default=self.loader) if default else None

    def derived(self, formula: str, name: str) -> ConfigQuantity:
        """What a formula over fields gives, which must be whole."""
        try:
            value = evaluate(parse(formula), lambda part: Fraction(self.count(str(part)).value))
        except (FormulaError, ZeroDenominator) as error:
            self.refuse(self.node, f"`{name}` cannot be derived as {formula}: {error}")
        if value.denominator != 1 or value < 1:
            self.refuse(self.node, f"`{name}` is left out, and {formula} is {value}, not a whole number: write the key")
        return ConfigQuantity(int(value), formula=_NAME.sub(self._in_record, formula))

    def _in_record(self, name: re.Match[str]) -> str:
        """A name of a formula as a record knows it; else the number that it stands for."""
        known = name[0] in RECORDED or name[0] in FUNCTIONS
        return name[0] if known else str(self.count(name[0]).value)

    def _whole(self, key: str, node: Node) -> int:
        value = node.value if isinstance(node, Scalar) else None
        if isinstance(value, Fraction) and value.denominator == 1:
            value = int(value)
        if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= LARGEST:
            self.refuse(node, f"`{key}` must be a whole number from 0 to 10^12, not {_said(node)}")
        return value

    def flag(self, name: str) -> bool:
        """A switch; the class's default, else off, where the file leaves it out."""
        found = self.find(name)
        if found is None:
            return self.defaults.get(name) is True
        key, node = found
        if not isinstance(node, Scalar) or not isinstance(node.value, bool):
            self.refuse(node, f"`{key}` must be true or false, not {_said(node)}")
        return node.value

    def switch(self, of: bool | str) -> bool:
        """A switch that the class fixes, or that the file has under a key (``!key``: turned around)."""
        if isinstance(of, bool):
            return of
        return not self.flag(of[1:]) if of.startswith("!") else self.flag(of)

    def word(self, name: str) -> str | None:
        """A text; None where the file leaves it out."""
        found = self.find(name)
        if found is None:
            return None
        key, node = found
        if not isinstance(node, Scalar) or not isinstance(node.value, str):
            self.refuse(node, f"`{key}` must be a text, not {_said(node)}")
        return node.value

    def items(self, name: str) -> tuple[Node, ...] | None:
        """The entries of a list; None where the file leaves it out."""
        found = self.find(name)
        if found is None:
            return None
        key, node = found
        if not isinstance(node, Sequence):
            self.refuse(node, f"`{key}` must be a list, not {_said(node)}")
        return node.items

    def words(self, name: str) -> tuple[str, ...] | None:
        """A list of texts."""
        items = self.items(name)
        return None if items is None else tuple(self._text(name, item) for item in items)

    def _text(self, name: str, node: Node) -> str:
        if not isinstance(node, Scalar) or not isinstance(node.value, str):
            self.refuse(node, f"`{name}` must hold texts, not {_said(node)}")
        return node.value

    def numbers(self, name: str) -> tuple[int, ...] | None:
        """A list of whole numbers from 0 on; true and false count as 1 and 0."""
        items = self.items(name)
        return None if items is None else tuple(self._entry(name, item) for item in items)

    def _entry(self, name: str, node: Node) -> int:
        if isinstance(node, Scalar) and isinstance(node.value, bool):
            return int(node.value)
        return self._whole(name, node)

    def per_layer(self, name: str, layers: int) -> tuple[ConfigQuantity | None, ...]:
        """A number for each layer: one for all of them, or a list of as many."""
        found = self.find(name)
        if found is None or not isinstance(found[1], Sequence):
            return (self.optional(name),) * layers
        key, node = found
        values = tuple(self._whole(key, item) for item in found[1])
        self.as_many(key, node, len(values), layers)
        return tuple(ConfigQuantity(value, key) if value else None for value in values)

    def as_many(self, key: str, node: Node, found: int, layers: int) -> None:
        """A list with an entry a layer has that many."""
        if found != layers:
            self.refuse(node, f"`{key}` has {found} entries for {layers} layers")

    def below(self, name: str) -> ConfigReader | None:
        """The object under a key, read with the same names and defaults."""
        found = self.find(name)
        if found is None:
            return None
        key, node = found
        if not isinstance(node, Mapping):
            self.refuse(node, f"`{key}` must be an object, not {_said(node)}")
        return ConfigReader(node, self.loader, self.names, self.defaults)

    def place(self, name: str) -> Node:
        """Where a field stands, else the object."""
        found = self.find(name)
        return found[1] if found else self.node

    def refuse(self, node: Node, message: str) -> NoReturn:
        """Stop the import at a place."""
        raise ConfigRefused(node.location, message)


def _said(node: Node) -> str:
    if isinstance(node, Scalar):
        return f'"{shortened(node.text, 40)}"' if isinstance(node.value, str) else node.text
    return "a list" if isinstance(node, Sequence) else "an object"
