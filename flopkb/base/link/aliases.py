"""Records as people call them: by id, name or alias, whatever the case, blanks, dots and hyphens.

Only what a person asks is read so. In records a record is named by its id.
"""

from __future__ import annotations

from collections.abc import Iterator

from flopkb.base.document import folded
from flopkb.base.link.names import ANY_KIND, Scope
from flopkb.base.model import Kind, Record


def names_of(record: Record) -> Iterator[str]:
    """Every name that a record has."""
    yield from (record.id, record.name)
    yield from (alias.text for alias in record.aliases)


def called(name: str, scope: Scope, kinds: frozenset[Kind] = ANY_KIND) -> tuple[str, ...]:
    """The ids of the records of some kinds that ``name`` calls: one where it is clear, several where it is not.

    An id goes before names: ``fp8`` is that record, whatever others are called.
    """
    if name in scope.records:
        return (name,)
    wanted = folded(name)
    if not wanted:
        return ()
    found = [record for record in scope.records.values() if record.kind in kinds]
    by_id = tuple(record.id for record in found if folded(record.id) == wanted)
    return by_id or tuple(record.id for record in found if any(folded(text) == wanted for text in names_of(record)))


def called_one(name: str, scope: Scope, kinds: frozenset[Kind] = ANY_KIND) -> str:
    """The id of the one record that ``name`` calls; the name itself where there is none, or several."""
    found = called(name, scope, kinds)
    return found[0] if len(found) == 1 else name


def called_in(dotted: str, scope: Scope) -> str:
    """``record.name`` with the id of its record; a name may hold dots of its own (``Llama-3.1-8B.head_dim``)."""
    places = [place for place, character in enumerate(dotted) if character == "."]
    for place in places:
        if dotted[:place] in scope.records:
            return dotted
    for place in reversed(places):
        id = called_one(dotted[:place], scope)
        if id in scope.records:
            return id + dotted[place:]
    return dotted
