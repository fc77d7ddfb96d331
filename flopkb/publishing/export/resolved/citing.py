"""How sources are named in running text: author and year, or, where no persons are named, the name of the record."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from string import ascii_lowercase

from flopkb.base.document import Scalar, Sequence
from flopkb.base.model import Kind, Record
from flopkb.publishing.export.resolved.facts import text_at


def citation_labels(records: Iterable[Record]) -> dict[str, str]:
    """A label for each source, no two the same: works of the same authors and year get letters in the order of ids."""
    plain = {record.id: label(record) for record in records if record.kind is Kind.SOURCE}
    shared = Counter(plain.values())
    letters: dict[str, Iterator[str]] = {}
    return {
        id: f"{text}{next(letters.setdefault(text, suffixes()))}" if shared[text] > 1 else text
        for id, text in sorted(plain.items())
    }


def suffixes() -> Iterator[str]:
    """``a``, ``b``, ... and on for ever."""
    yield from ascii_lowercase
    yield from (f"-{number}" for number in range(len(ascii_lowercase) + 1, 10**9))


def label(source: Record) -> str:
    """``Liu et al. 2024``, or the name of the record."""
    node = source.document.root.get("authors")
    names = [item.text for item in node.items if isinstance(item, Scalar)] if isinstance(node, Sequence) else []
    if not names:
        return source.name
    families = [name.partition(",")[0].strip() for name in names]
    who = (
        families[0]
        if len(families) == 1
        else f"{families[0]} and {families[1]}"
        if len(families) == 2
        else f"{families[0]} et al."
    )
    return f"{who} {text_at(source.document.root, 'year')}".strip()
