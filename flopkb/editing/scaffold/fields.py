"""What a new record of each kind begins with: blanks for what every one of them needs, the rest as comments.

The order of the fields, and what is said of each, come from the schema; only the choice is made here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from flopkb.base.model import Kind


@dataclass(frozen=True, slots=True)
class Blank:
    """A field that waits for its value; ``example`` is a commented line below it that shows the form."""

    example: str = ""


@dataclass(frozen=True, slots=True)
class Optional:
    """A field that is commented out, for those whom it concerns."""


@dataclass(frozen=True, slots=True)
class Cited:
    """A field that holds ids of sources: those that were named, else a blank. ``many`` makes it a list."""

    many: bool = False


Content = Blank | Optional | Cited | str | Mapping[str, "Content"]
"""What stands under a key: a blank, nothing yet, sources, a text as it is written in YAML, or further keys."""

_BLANK = Blank()
_RECORDED: Mapping[str, Content] = {"value": _BLANK, "basis": "recorded", "source": Cited(), "as_printed": _BLANK}
_PEAK: Content = {"dtype": "bf16", "sparsity": "dense", **_RECORDED, "reading": Optional()}
_DERIVED_BYTES: Content = {"value": _BLANK, "basis": "derived", "formula": "bits"}

_FORMULAS: Mapping[str, Content] = {
    "sources": Cited(many=True),
    "symbols": Blank("n_kv: {meaning: KV heads, from: model.num_key_value_heads, domain: {integer: [1, 256]}}"),
    "formulas": Blank('g: {expr: n_q / n_kv, unit: "1"}'),
    "figures": Blank("g_llama_3_8b: {formula: g, with: {model: llama_3_8b}}"),
    "claims": Blank("- {id: falls_with_kv_heads, formula: g, decreasing_in: [n_kv]}"),
}

CHOSEN: Mapping[Kind, Mapping[str, Content]] = {
    Kind.WORKLOAD_CLASS: {
        "bound_by": _BLANK,
        **_FORMULAS,
        "arithmetic_intensity": _BLANK,
        "assumptions": _BLANK,
        "implications": _BLANK,
    },
    Kind.FORMULA: {**_FORMULAS, "derivation": _BLANK, "assumptions": _BLANK},
    Kind.ACCELERATOR: {
        "vendor": _BLANK,
        "announced": _BLANK,
        "memory_type": _BLANK,
        "memory_bandwidth": _RECORDED,
        "memory_capacity": _RECORDED,
        "peak_flops": {"bf16": _PEAK},
        "notes": _BLANK,
    },
    Kind.MODEL: {
        "developer": _BLANK,
        "config_source": Cited(),
        "num_hidden_layers": _BLANK,
        "num_attention_heads": _BLANK,
        "num_key_value_heads": _BLANK,
        "hidden_size": _BLANK,
        "head_dim": _BLANK,
        "vocab_size": _BLANK,
        "max_position_embeddings": _BLANK,
        "notes": _BLANK,
    },
    Kind.DTYPE: {
        "sources": Cited(many=True),
        "bits": _BLANK,
        "is_floating": _BLANK,
        "bytes": _DERIVED_BYTES,
        "notes": _BLANK,
    },
    Kind.SOURCE: {
        "source_kind": _BLANK,
        "title": _BLANK,
        "organisation": _BLANK,
        "year": _BLANK,
        "locator": {"url": _BLANK},
        "finding": _BLANK,
    },
}
"""The fields of each kind that a scaffold does not comment out, besides those that every record has."""

LEFT_OUT = frozenset({"disputed", "corrections", "suppress", "renamed_to", "superseded_by"})
"""What no new record needs yet."""
