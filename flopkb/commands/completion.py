"""What a shell proposes while a command is typed: ids, formulas, inputs, kinds, facts, rules.

A shell waits for each key: records are read, nothing is computed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from flopkb.base.model import ROLES, Kind, Record


def proposals(what: str, given: Mapping[str, object], incomplete: str) -> list[tuple[str, str]]:
    """The proposals that begin as what is typed, each with a few words; none where the base cannot be read."""
    try:
        found = list(_found(what, given, incomplete))
    except Exception:  # a shell shows no message: it proposes nothing instead
        return []
    return sorted({item for item in found if item[0].lower().startswith(incomplete.lower())})


def _found(what: str, given: Mapping[str, object], incomplete: str) -> Iterator[tuple[str, str]]:
    if what == "rules":
        from flopkb.checking.rules import RULES

        yield from ((rule.id, rule.title) for rule in RULES)
    elif what == "kinds":
        yield from ((kind.value, "") for kind in Kind)
    else:
        yield from _of_records(what, _records(given.get("records")), given, incomplete)


def _records(folder: object) -> tuple[Record, ...]:
    from flopkb.base.loading import load_base
    from flopkb.base.pipeline import find_records
    from flopkb.base.schema import read_records

    root = folder if isinstance(folder, Path) else find_records(Path.cwd())
    return tuple(read_records(load_base(root, Path.cwd()).documents)[0])


def _of_records(
    what: str, records: tuple[Record, ...], given: Mapping[str, object], incomplete: str
) -> Iterator[tuple[str, str]]:
    if what == "ids":
        yield from ((record.id, record.name) for record in records)
    elif what == "facts":
        yield from ((f"{record.id}.{path}", "") for record in records for path in record.facts)
    elif what == "statement":
        yield from _in_statement(records, given, incomplete)
    elif what == "formulas":
        yield from ((f"{r.id}.{name}", r.name) for r in records for name in (*r.formulas, *r.figures))
    else:
        yield from _inputs(records, given, incomplete)


def _in_statement(
    records: tuple[Record, ...], given: Mapping[str, object], incomplete: str
) -> Iterator[tuple[str, str]]:
    """Formulas in a statement; behind ``for`` what may be sought, then inputs."""
    typed = given.get("words")
    words = [part for word in (typed if isinstance(typed, tuple) else ()) for part in str(word).split()]
    if "for" not in words:
        yield from (
            *_of_records("formulas", records, given, incomplete),
            *([("for", "what is sought")] if words else []),
        )
        return
    found = list(_inputs(records, {"formula": words[0]}, incomplete))
    sought = words[-1] == "for"
    yield from ((text.rstrip("="), help) for text, help in found if help != "a record") if sought else iter(found)


def _inputs(records: tuple[Record, ...], given: Mapping[str, object], incomplete: str) -> Iterator[tuple[str, str]]:
    """Names of inputs, points of the formula's record, and behind ``role=`` the records that fill it."""
    name, equals, _ = incomplete.partition("=")
    if equals:
        yield from ((f"{name}={r.id}", r.name) for r in records if ROLES.get(name) is r.kind)
        return
    asked = str(given.get("formula") or given.get("figure") or given.get("kind") or "").partition(".")[0]
    yield from ((f"{role}=", "a record") for role in ROLES)
    yield from [("x=", "the input to plot over")] if given.get("kind") else []
    for record in records:
        if record.id == asked:
            yield from ((point, "a point") for point in record.points)
        if record.id == asked or record.kind is Kind.VOCABULARY:
            yield from ((f"{s.name}=", " ".join(s.meaning.text.split())) for s in record.symbols.values())
