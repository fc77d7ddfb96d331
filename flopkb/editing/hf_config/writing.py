"""A shape as the text of a record: what the config says as it is, what it leaves out with where it comes from."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from flopkb.editing.hf_config.layout import LayerPattern, LayerRun, ModelLayout, layout_of
from flopkb.editing.hf_config.shape import ConfigQuantity, Fields, FieldValue, LayerPart, ModelShape, arithmetic

_PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9_ ./+-]*")
_DIGITS = re.compile(r"(?<![\w.-])[0-9][0-9.]*")


@dataclass(frozen=True, slots=True)
class RecordHead:
    """What a record has besides its shape: its id, its name, who made the model, its source, the day."""

    id: str
    name: str
    developer: str
    source: str
    today: str
    schemas: str


@dataclass(frozen=True, slots=True)
class DerivedCount:
    """A number of parameters that a formula of the base gives: the field, the formula, the value."""

    name: str
    formula: str
    value: int


def record_text(shape: ModelShape, head: RecordHead, counts: Sequence[DerivedCount] = ()) -> str:
    """The text of a new record, with what formulas of the base count of it."""
    lines = [f"# yaml-language-server: $schema={head.schemas}/model.schema.json", *_first(head), *shape_lines(shape)]
    lines += [f"{one.name}: {{value: {one.value}, basis: derived, formula: {one.formula}}}" for one in counts]
    notes = list(_notes(shape, head.id, counts))
    if notes:
        lines += ["notes: |", *(f"  {line}" if line else "" for line in notes)]
    lines += ["history:", f"  - {{date: {head.today}, change: imported from its config.json}}"]
    return "\n".join(lines) + "\n"


def _first(head: RecordHead) -> Iterator[str]:
    yield f"id: {head.id}"
    yield "kind: model"
    yield f"name: {_word(head.name)}"
    yield f"status: {'verified' if head.source else 'draft'}"
    yield f"updated: {head.today}"
    if head.developer:
        yield f"developer: {_word(head.developer)}"
    if head.source:
        yield f"config_source: {head.source}"


def _word(text: str) -> str:
    return text if _PLAIN.fullmatch(text) else json.dumps(text, ensure_ascii=False)


def shape_lines(shape: ModelShape) -> list[str]:
    """The lines of everything that an import knows of a model."""
    layout = layout_of(shape)
    lines = [f"num_hidden_layers: {len(shape.layers)}"]
    lines += _flat_lines("attention", layout.mixer, "mixer_vectors")
    lines += _flat_lines("feed_forward", layout.feed_forward, "feed_forward_vectors")
    lines += _part_lines("mixers", layout.mixers, "mixer_vectors", {part: name for name, part in layout.mixers})
    lines += _part_lines("feed_forwards", layout.feed_forwards, "feed_forward_vectors", {})
    lines += _layer_lines(layout)
    lines += [_field_line(name, value) for name, value in shape.fields]
    if shape.vectors:
        lines.append(f"model_vectors: {arithmetic(shape.vectors)}")
    keys = config_keys(shape)
    if keys:
        lines += ["config_keys:", *(f"  {name}: {key}" for name, key in keys)]
    return lines


def _flat_lines(key: str, part: LayerPart | None, vectors: str) -> Iterator[str]:
    if part is not None:
        yield f"{key}: {part.type}"
        yield from _fields_of(part, vectors, {})


def _part_lines(
    key: str, parts: Sequence[tuple[str, LayerPart]], vectors: str, names: dict[LayerPart, str]
) -> Iterator[str]:
    if parts:
        yield f"{key}:"
    for name, part in parts:
        yield f"  {name}:"
        yield f"    type: {part.type}"
        yield from (f"    {line}" for line in _fields_of(part, vectors, names))


def _fields_of(part: LayerPart, vectors: str, names: dict[LayerPart, str]) -> Iterator[str]:
    yield from (_field_line(name, value) for name, value in part.fields)
    if part.reuses is not None:
        yield f"reuses: {names[part.reuses]}"
    if part.vectors:
        yield f"{vectors}: {arithmetic(part.vectors)}"
    if part.expert_vectors:
        yield f"expert_vectors: {arithmetic(part.expert_vectors)}"


def _field_line(name: str, value: FieldValue) -> str:
    if isinstance(value, bool):
        return f"{name}: {'true' if value else 'false'}"
    if isinstance(value, str):
        return f"{name}: {value}"
    if value.formula:
        return f"{name}: {{value: {value.value}, basis: derived, formula: {value.formula}}}"
    return f"{name}: {value.value}" + (f"  # by {value.default}" if value.default and not value.key else "")


def _layer_lines(layout: ModelLayout) -> Iterator[str]:
    if layout.layers:
        yield "layers:"
    for entry in layout.layers:
        if isinstance(entry, LayerPattern):
            yield f"  - repeat: {entry.repeat}"
            yield "    layers:"
            yield from (f"      - {_run(run)}" for run in entry.runs)
        else:
            yield f"  - {_run(entry)}"


def _run(run: LayerRun) -> str:
    parts = [f"count: {run.count}"]
    parts += [f"mixers: [{', '.join(run.mixers)}]"] if run.mixers is not None else []
    parts += [f"feed_forwards: [{', '.join(run.feed_forwards)}]"] if run.feed_forwards is not None else []
    return f"{{{', '.join(parts)}}}"


def config_keys(shape: ModelShape) -> list[tuple[str, str]]:
    """How the config calls a field, where it calls it otherwise, and everywhere the same."""
    found: dict[str, set[str]] = {}
    for name, value in _quantities(shape):
        if value.key:
            found.setdefault(name, set()).add(value.key)
    return [(name, next(iter(keys))) for name, keys in found.items() if len(keys) == 1 and name not in keys]


def _quantities(shape: ModelShape) -> Iterator[tuple[str, ConfigQuantity]]:
    parts = [part for layer in shape.layers for part in (*layer.mixers, *layer.feed_forwards)]
    groups: list[Fields] = [shape.fields, *(part.fields for part in dict.fromkeys(parts))]
    for fields in groups:
        for name, value in fields:
            if isinstance(value, ConfigQuantity):
                yield name, value


def _notes(shape: ModelShape, id: str, counts: Sequence[DerivedCount]) -> Iterator[str]:
    """What formulas count and the remarks of the import, as prose that a record may hold."""
    quoted = [f"[{one.value:,}](fact:{id}.{one.name})" for one in counts]
    if quoted:
        yield f"{quoted[0]} parameters" + (f", of which a token uses {quoted[1]}." if len(quoted) > 1 else ".")
    for number, remark in enumerate(shape.remarks):
        if number or quoted:
            yield ""
        yield _DIGITS.sub(lambda match: f"[{match[0]}](lit:name)", remark)
