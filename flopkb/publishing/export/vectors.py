"""Test vectors: what each model of the base costs, for other calculators to test themselves against.

In: a resolved base. Out: ``vectors.json`` with numbers alone, ``vectors.schema.json`` that describes it, and below
``derivations`` a file for each model, with the formula, the inputs and the steps of every number. Nothing is computed
here: each number is what ``flopkb eval`` gives.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from fractions import Fraction

from flopkb.arithmetic.numbers import exact_text
from flopkb.base.faults import UnreadInput
from flopkb.base.model import Kind
from flopkb.checking.api import FlopkbError
from flopkb.publishing.export.columns import FIGURE
from flopkb.publishing.export.data_tables import head, head_schema
from flopkb.publishing.export.forms import Json, described, object_schema
from flopkb.publishing.export.resolved import Placing, ResolvedBase, ResolvedRecord, text_at
from flopkb.publishing.export.resolved.values import resolved_value

VECTORS_VERSION = "1.0"
"""Of ``vectors.json``: the first number grows where a reader may stumble."""

CONTEXTS = (1, 4096, 131072, 1048576)
WEIGHTS = ("fp32", "bf16", "fp8", "int4")
CACHES = {"kv": "kv_cache.size", "index": "kv_cache.index", "cross": "kv_cache.cross", "total": "kv_cache.total"}
INPUTS = {
    "B": "1", "L_x": "0", "kv_dtype": "bf16", "index_dtype": "bf16", "state_dtype": "fp32", "conv_dtype": "bf16",
}  # fmt: skip
"""What every number is asked at, as far as its formula reads it."""

Entry = dict[str, object]
Number = int | str | Json
"""A whole number, a fraction as text, or why there is none."""


@dataclass(frozen=True, slots=True)
class ModelVectors:
    """The numbers of one model as they are asked, each with its derivation."""

    base: ResolvedBase
    model: ResolvedRecord
    derivations: list[Json] = field(default_factory=list)

    def value(self, formula: str, **inputs: str) -> Number:
        """One number, its derivation noted; the reason in place of one that there is not."""
        asked = {"model": self.model.id, **INPUTS, **inputs}
        while True:
            try:
                known = self.base.base.input_names(formula)
                asked = {name: value for name, value in asked.items() if name in known}
                found = self.base.base.evaluate(formula, **asked)
                break
            except FlopkbError as error:
                if not isinstance(error.fault, UnreadInput):
                    return {"absent": str(error.fault)}
                del asked[error.fault.name]
        if found.computed is not None:
            key = f"{formula}?{'&'.join(f'{name}={value}' for name, value in sorted(asked.items()))}"
            held = resolved_value(found.computed, self.base.base.evaluation, Placing(), key=key, record=self.model.id)
            self.derivations.append(FIGURE.json(held))
        return whole_or_text(found.bases[0])

    def entry(self) -> Entry:
        """The model as ``vectors.json`` has it."""
        return {
            "model": self.model.id,
            "name": self.model.name,
            "aliases": list(self.model.aliases),
            "status": self.model.status.value,
            "config_source": text_at(self.model.record.document.root, "config_source"),
            "config": {
                fact.path: whole_or_text(fact.value.base) for fact in self.model.facts if fact.value is not None
            },
            "parameters": self.value("parameters.total"),
            "active_parameters": self.value("parameters.active"),
            "weight_bytes": {name: self.value("capacity.weight_bytes", weight_dtype=name) for name in WEIGHTS},
            "state_bytes": self.value("kv_cache.state"),
            "cache_bytes": [self.cache(context) for context in CONTEXTS],
        }

    def cache(self, context: int) -> Entry:
        """What one sequence keeps of so many tokens."""
        return {
            "tokens": context,
            **{name: self.value(formula, L=str(context)) for name, formula in CACHES.items()},
        }


def whole_or_text(value: Fraction) -> int | str:
    """A whole number as one, anything else as the text ``n/d``."""
    return value.numerator if value.denominator == 1 else exact_text(value)


def vectors_export(base: ResolvedBase) -> dict[str, bytes]:
    """The files of the folder, by their names."""
    every = [ModelVectors(base, model) for model in base.of_kind(Kind.MODEL)]
    entries = [one.entry() for one in every]
    document = {**head(base), "schema_version": VECTORS_VERSION, "inputs": INPUTS, "models": entries}
    files = {"vectors.json": text(document), "vectors.schema.json": text(vectors_schema())}
    return files | {f"derivations/{one.model.id}.json": text(one.derivations) for one in every}


def text(document: Json | list[Json]) -> bytes:
    """JSON as the bytes of a file."""
    return (json.dumps(document, indent=1, ensure_ascii=False) + "\n").encode("utf-8")


def vectors_schema() -> Json:
    """The JSON Schema of ``vectors.json``."""
    number: Json = {"$ref": "#/$defs/number"}
    words: Json = {"type": "string"}
    mapping: Json = {"type": "object", "additionalProperties": number}
    cache = object_schema({"tokens": {"type": "integer"}, **dict.fromkeys(CACHES, number)}, "One sequence, in bytes.")
    model = object_schema(
        {
            **dict.fromkeys(("model", "name"), words),
            "aliases": {"type": "array", "items": words},
            **dict.fromkeys(("status", "config_source"), words),
            "config": described(mapping, "Numbers of the configuration, by their names in the base."),
            **dict.fromkeys(("parameters", "active_parameters"), number),
            "weight_bytes": described(mapping, "By number format, scales counted."),
            "state_bytes": number,
            "cache_bytes": {"type": "array", "items": cache},
        },
        "A model.",
    )
    absent = object_schema({"absent": words}, "Why there is no number.")
    kinds = [{"type": "integer"}, {"type": "string", "pattern": "^-?[0-9]+/[0-9]+$"}, absent]
    whole: dict[str, Json] = {
        **head_schema(),
        "schema_version": {"const": VECTORS_VERSION},
        "inputs": described({"type": "object", "additionalProperties": words}, "At which every number is asked."),
        "models": {"type": "array", "items": model},
    }
    start = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "flopkb vectors"}
    named = {"number": described({"oneOf": kinds}, "A whole number, a fraction, or why there is none.")}
    return {**start, **object_schema(whole), "$defs": named}
