"""A new record: every field in its order with a hint, what is known filled in, what is not left blank.

text = scaffold(Kind.ACCELERATOR, "nvidia_h300_sxm", ["nvidia_h300_datasheet"], "2026-11-29", "../../schema")
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from flopkb.base.model import Kind
from flopkb.base.schema.files import SchemaPart, kind_schema
from flopkb.editing.formatting.shape import part_of
from flopkb.editing.scaffold.fields import CHOSEN, LEFT_OUT, Blank, Cited, Content, Optional
from flopkb.editing.scaffold.hints import ADVICE, hinted, without_examples, without_hints

__all__ = ["scaffold", "without_hints"]


def scaffold(kind: Kind, id: str, sources: Sequence[str], today: str, schemas: str) -> str:
    """The text of a record of ``kind``; ``schemas`` is the way from its folder to that of the schemas."""
    chosen: dict[str, Content] = {
        "id": id,
        "kind": kind.value,
        "name": Blank(),
        "status": "draft",
        "updated": today,
        **CHOSEN[kind],
        **({"sources": Cited(many=True)} if _more_sources(kind, sources) else {}),
        "history": f"\n  - {{date: {today}, change: first written}}",
    }
    writer = _Writer(tuple(sources))
    schema = kind_schema(kind)
    lines = [f"# yaml-language-server: $schema={schemas}/{kind.value}.schema.json", ADVICE]
    for name in schema["properties"]:
        if name not in LEFT_OUT:
            lines += writer.field(name, chosen.get(name, Optional()), part_of(schema, name), 0)
    return "\n".join(lines) + "\n"


def _more_sources(kind: Kind, sources: Sequence[str]) -> bool:
    """Whether sources were named that no field but ``sources`` has room for."""
    return len(sources) > 1 if kind in (Kind.ACCELERATOR, Kind.MODEL) else kind is Kind.SOURCE and bool(sources)


@dataclass(frozen=True, slots=True)
class _Writer:
    """Writes fields; ``sources`` are those that were named."""

    sources: tuple[str, ...]

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
                yield from self.field(key, value, _with_examples_of(part, key), indent + 2)

    def written(self, content: Content) -> str:
        """What stands behind the colon."""
        if isinstance(content, str):
            return content if content.startswith("\n") else f" {content}"
        if isinstance(content, Cited) and self.sources:
            return f" [{', '.join(self.sources)}]" if content.many else f" {self.sources[0]}"
        return ""


def _with_examples_of(part: SchemaPart, key: str) -> SchemaPart:
    """What the schema says of a key, with the example that the mapping around it has for it."""
    below = part_of(part, key)
    around = [example[key] for example in part.get("examples", ()) if isinstance(example, Mapping) and key in example]
    return {**below, "examples": around} if around else below
