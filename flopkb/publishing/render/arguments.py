"""What calls of the document API are given, checked: labels, texts, captions, the words that readers see."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from flopkb.arithmetic.prose import read_prose
from flopkb.publishing.render.grids import Column
from flopkb.publishing.render.objects import PREFIXES
from flopkb.publishing.render.template_text import Bad

MOST_INPUTS = 20_000
"""So many entries of lists are looked at: a list may hold another list many times over."""


def qualifier(about: bool | str) -> str:
    """``about=True`` is the word itself."""
    if about is True:
        return "about"
    return about if isinstance(about, str) else ""


def short(value: object) -> str:
    """A value in a message."""
    return value[:40] if isinstance(value, str) else "this"


def checked_label(label: object, kind: str | None) -> None:
    """Raise where a label is not ``kind:name``."""
    if label is None and kind is not None:
        return
    text = label if isinstance(label, str) else ""
    prefix, colon, name = text.partition(":")
    wanted = kind or ", ".join(PREFIXES)
    if (
        prefix not in PREFIXES
        or not colon
        or not name.replace("-", "").replace("_", "").isalnum()
        or not name.isascii()
        or len(name) > 60
    ):
        raise Bad(f"write a label as kind:name, with the kind {wanted}")
    if kind is not None and prefix != kind:
        raise Bad(f"the label {text} begins with {prefix}:, here it is {kind}:")


def text_of(value: object, what: str) -> str:
    """A short text of the template; a text over several lines becomes one paragraph."""
    if not isinstance(value, str):
        raise Bad(f"{what} is a text in quotes")
    return value


def plot_words(options: Mapping[str, object]) -> Iterator[object]:
    """The texts of a plot that readers see."""
    yield options.get("title", "")
    at = options.get("at")
    if isinstance(at, Mapping):
        yield from at
    elif isinstance(at, (list, tuple)):
        yield from (pair[0] for pair in at if isinstance(pair, (list, tuple)) and pair)


def own_words(value: object, what: str) -> None:
    """Raise where a text that does not go through the document's own prose holds a typed number."""
    bare = read_prose(text_of(value, what)).bare
    if bare:
        raise Bad(
            f"{bare[0].text} is typed in {what}: name the input in braces, as in 'batch of {{b}}'", rule="bare-number"
        )


def caption_of(caption: object, caller: Any) -> str:
    """The caption: the text given, or that of the call block."""
    if caller is None:
        return text_of(caption, "caption")
    if caption:
        raise Bad("give the caption once: as an argument or as the text of the block")
    return caller()  # type: ignore[no-any-return]


def body(caller: Any) -> str:
    """The text of a call block."""
    if caller is None:
        raise Bad("write it around its text: {% call … %} text {% endcall %}")
    return caller()  # type: ignore[no-any-return]


def numbers_in(*inputs: object) -> Iterator[Fraction]:
    """The numbers among what a call gives to figures as inputs, in lists, mappings and columns too."""
    left, queue = MOST_INPUTS, list(inputs)
    while queue and left:
        left -= 1
        item = queue.pop()
        if isinstance(item, Mapping):
            queue += list(item.values())[:left]
        elif isinstance(item, (list, tuple)):
            queue += item[:left]
        elif isinstance(item, Column):
            queue += list(item.inputs.values())
        elif isinstance(item, (int, float)) and not isinstance(item, bool):
            yield Fraction(str(item))
