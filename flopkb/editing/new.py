"""A new record: every field in its order with a hint, what is known filled in, what is not left blank.

text = scaffold(Kind.ACCELERATOR, "nvidia_h300_sxm", ["nvidia_h300_datasheet"], "2026-11-29", "../../schema")

The order of the fields, and what is said of each, come from the schema; only the choice of those that are not commented out
is made here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from flopkb.base.model import Kind
from flopkb.base.schema.files import SchemaPart, kind_schema, subschemas
from flopkb.base.schema.wording import hint
from flopkb.editing.fmt.nodes import part_of


@dataclass(frozen=True, slots=True)
class Blank:
    """A field that waits for its value; ``example`` is a commented line below it that shows the form."""

    example: str = ""


@dataclass(frozen=True, slots=True)
class Optional:
    """A field that is commented out, for those whom it concerns."""


@dataclass(frozen=True, slots=True)
class SourceIds:
    """A field that holds ids of sources: those that were named, else a blank. ``many`` makes it a list."""

    many: bool = False


Content = Blank | Optional | SourceIds | str | Mapping[str, "Content"]
"""What stands under a key: a blank, nothing yet, sources, a text as it is written in YAML, or further keys."""

_BLANK = Blank()
_RECORDED: Mapping[str, Content] = {"value": _BLANK, "basis": "recorded", "source": SourceIds(), "as_printed": _BLANK}
_PEAK: Content = {"dtype": "bf16", "sparsity": "dense", **_RECORDED, "reading": Optional()}

_FORMULAS: Mapping[str, Content] = {
    "sources": SourceIds(many=True),
    "symbols": Blank("blocks: {meaning: blocks of the cache, domain: {integer: [1, 65536]}}"),
    **dict.fromkeys(("domains", "requires", "assumes"), Optional()),
    "formulas": Blank('g: {expr: n_q / n_kv, unit: "1"}'),
    "figures": Blank("g_llama_3_8b: {formula: g, with: {model: llama_3_8b}}"),
    "claims": Blank("- {id: falls_with_kv_heads, formula: g, decreasing_in: [n_kv]}"),
}


def _blanks(names: str) -> Mapping[str, Content]:
    return dict.fromkeys(names.split(), _BLANK)


CHOSEN: Mapping[Kind, Mapping[str, Content]] = {
    Kind.VOCABULARY: {
        "symbols": Blank("n_kv: {meaning: KV heads, from: model.num_key_value_heads, domain: {integer: [1, 256]}}"),
        "groups": Optional(),
        **_blanks("notes"),
    },
    Kind.WORKLOAD_CLASS: {
        **_blanks("bound_by"),
        **_FORMULAS,
        **_blanks("arithmetic_intensity assumptions implications"),
    },
    Kind.FORMULA: {**_FORMULAS, **_blanks("derivation assumptions")},
    Kind.ACCELERATOR: {
        **_blanks("vendor announced memory_type"),
        "memory_bandwidth": _RECORDED,
        "memory_capacity": _RECORDED,
        "peak_flops": {"bf16": _PEAK},
        **_blanks("notes"),
    },
    Kind.INTERCONNECT: {**_blanks("vendor"), "bandwidth": {**_RECORDED, "reading": Optional()}, **_blanks("notes")},
    Kind.MODEL: {
        **_blanks("developer"),
        "config_source": SourceIds(),
        **_blanks("num_hidden_layers hidden_size vocab_size max_position_embeddings"),
        "mixers": {
            "full": {
                "type": "full_attention",
                **_blanks("num_attention_heads num_key_value_heads head_dim"),
                "mixer_vectors": Optional(),
            }
        },
        "feed_forwards": {
            "dense": {"type": "gated", **_blanks("intermediate_size"), "feed_forward_vectors": Optional()}
        },
        "layers": "\n  - {count: 1, mixers: [full], feed_forwards: [dense]}",
        **_blanks("notes"),
    },
    Kind.DTYPE: {
        "sources": SourceIds(many=True),
        **_blanks("bits is_floating"),
        "bytes": {"value": _BLANK, "basis": "derived", "formula": "bits"},
        **_blanks("notes"),
    },
    Kind.SOURCE: {
        **_blanks("source_kind title organisation year"),
        "locator": _blanks("url"),
        **_blanks("finding"),
    },
}
"""The fields of each kind that a scaffold does not comment out, besides those that every record has."""

LEFT_OUT = frozenset({"disputed", "corrections", "suppress", "renamed_to", "superseded_by"})
"""What no new record needs yet."""


def scaffold(kind: Kind, id: str, sources: Sequence[str], today: str, schemas: str) -> str:
    """The text of a record of ``kind``; ``schemas`` is the way from its folder to that of the schemas."""
    chosen: dict[str, Content] = {
        "id": id,
        "kind": kind.value,
        "name": Blank(),
        "status": "draft",
        "updated": today,
        **CHOSEN[kind],
        **({"sources": SourceIds(many=True)} if _more_sources(kind, sources) else {}),
        "history": f"\n  - {{date: {today}, change: first written}}",
    }
    schema = kind_schema(kind)
    writer = _FieldWriter(tuple(sources), schema)
    lines = [f"# yaml-language-server: $schema={schemas}/{kind.value}.schema.json", ADVICE]
    for name in schema["properties"]:
        if name not in LEFT_OUT:
            lines += writer.field(name, chosen.get(name, Optional()), part_of(schema, name), 0)
    return "\n".join(lines) + "\n"


def _more_sources(kind: Kind, sources: Sequence[str]) -> bool:
    """Whether sources were named that no field but ``sources`` has room for."""
    return (
        len(sources) > 1
        if kind in (Kind.ACCELERATOR, Kind.INTERCONNECT, Kind.MODEL)
        else kind in (Kind.SOURCE, Kind.VOCABULARY) and bool(sources)
    )


@dataclass(frozen=True, slots=True)
class _FieldWriter:
    """Writes fields; ``sources`` are those that were named, ``schema`` says of a field what no part of it says."""

    sources: tuple[str, ...]
    schema: SchemaPart

    def field(self, name: str, content: Content, part: SchemaPart, indent: int) -> Iterator[str]:
        """The lines of one field and of what stands below it."""
        blank = " " * indent
        head, _, below = self.written(content).partition("\n")
        open_ = isinstance(content, (Blank, Optional))
        mark = "# " if isinstance(content, Optional) else ""
        yield hinted(f"{blank}{mark}{name}:{head}", part if open_ else without_examples(part))
        if below:
            yield below
        if isinstance(content, Blank) and content.example:
            yield f"{blank}  # {content.example}"
        if isinstance(content, Mapping):
            for key, value in content.items():
                said = _with_examples_of(part, key)
                if "description" not in said:
                    said = {**part_of(self.schema, key), **said}
                yield from self.field(key, value, said, indent + 2)

    def written(self, content: Content) -> str:
        """What stands behind the colon."""
        if isinstance(content, str):
            return content if content.startswith("\n") else f" {content}"
        if isinstance(content, SourceIds) and self.sources:
            return f" [{', '.join(self.sources)}]" if content.many else f" {self.sources[0]}"
        return ""


def _with_examples_of(part: SchemaPart, key: str) -> SchemaPart:
    """What the schema says of a key, with the example that the mapping around it has for it."""
    below = part_of(part, key)
    around = [example[key] for example in part.get("examples", ()) if isinstance(example, Mapping) and key in example]
    return {**below, "examples": around} if around else below


WIDTH = 120
ADVICE = (
    "# Fill in what is blank, uncomment what applies. Then `flopkb fmt --drop-hints FILE` takes out these comments."
)
"""What stands at the top of a scaffold."""

_HINT = re.compile(r"(?:^|(?<=  ))# (.*)$")
_UNUSED = re.compile(r" *# \w+:  # (.*)")


def hinted(line: str, part: SchemaPart) -> str:
    """The line with what goes there as a comment, as much of it as fits."""
    room = WIDTH - len(line) - len("  # ")
    text = next((text for text in _texts(part) if len(text) <= room), _texts(part)[-1])
    return f"{line}  # {text if len(text) <= room else text[: room - 1].rsplit(' ', 1)[0] + '…'}"


def _texts(part: SchemaPart) -> list[str]:
    """What may be said of a field, the fullest first."""
    return [hint(part).replace("`", ""), hint(without_examples(part)).replace("`", "")]


def without_examples(part: SchemaPart) -> SchemaPart:
    """A part of a schema without its examples."""
    return {key: value for key, value in part.items() if key != "examples"}


def without_hints(source: str, kind: Kind) -> str:
    """The text of a record without what a scaffold said of its fields; every other comment stays."""
    words = {text.split(", such as ")[0] for _, part in subschemas(kind_schema(kind)) for text in _texts(part)}
    dropped = {ADVICE, *(f"# {example}" for example in _examples(CHOSEN[kind]))}
    kept = []
    for line in source.split("\n"):
        text, end = line.removesuffix("\r"), "\r" if line.endswith("\r") else ""
        unused = _UNUSED.fullmatch(text)
        if text.strip() in dropped or (unused and _is_hint(unused[1], words)):
            continue
        found = _HINT.search(text)
        kept.append(text[: found.start()].rstrip(" ") + end if found and _is_hint(found[1], words) else line)
    return "\n".join(kept)


def _is_hint(text: str, words: set[str]) -> bool:
    said = text.split(", such as ")[0]
    return said in words or (said.endswith("…") and any(full.startswith(said[:-1]) for full in words))


def _examples(content: Mapping[str, Content]) -> Iterator[str]:
    for below in content.values():
        if isinstance(below, Blank) and below.example:
            yield below.example
        elif isinstance(below, Mapping):
            yield from _examples(below)
