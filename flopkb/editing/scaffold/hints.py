"""The hints of a scaffold: what is said of each field, and how to be rid of all of them when a record is finished."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from flopkb.base.model import Kind
from flopkb.base.schema.files import SchemaPart, kind_schema
from flopkb.base.schema.selfcheck import parts
from flopkb.base.schema.wording import hint
from flopkb.editing.scaffold.fields import CHOSEN, Blank, Content

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
    words = {text.split(", such as ")[0] for _, part in parts(kind_schema(kind)) for text in _texts(part)}
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
