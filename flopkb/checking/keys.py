"""What the result of a check depends on, as digests: two that are equal have one result.

The check of a record reads the record; what it mentions, of that the formulas and values but not the prose, and what those
mention in turn; the vocabularies; and of all records their names and kinds. A mention is a word of the text that is some
record's id, wherever it stands and however it is written, so that more is taken for one than is.
"""

from __future__ import annotations

import html
import importlib.metadata
import json
import sys
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import cache
from hashlib import blake2b
from itertools import pairwise
from pathlib import Path
from re import compile as pattern
from urllib.parse import unquote

from flopkb.base.document import Document, scalars
from flopkb.base.evaluate.usage import Usage
from flopkb.base.link import KnowledgeBase
from flopkb.base.loading import ReadFile
from flopkb.base.model import Kind, Record
from flopkb.base.schema import prose_tree, schema_directory

_ID = pattern(r"[a-z][a-z0-9_]*")
_LIBRARIES = (
    "click",
    "hypothesis",
    "jsonschema",
    "markdown-it-py",
    "mdit-py-plugins",
    "ruamel.yaml",
    "z3-solver",
)
_MOST_STEPS = 5_000_000
USUAL = "usual False"
"""The way in which a check without options asks: claims with the usual effort, none left out."""


def digest(value: object) -> str:
    """The digest of plain data."""
    return blake2b(json.dumps(value, ensure_ascii=True).encode(), digest_size=20).hexdigest()


@cache
def tool_key() -> str:
    """Of flopkb itself: every file of its code and of the schemas, and the versions of what it is built on."""
    hashed = blake2b(digest_size=20)
    package = Path(__file__).resolve().parents[1]
    for file in (*sorted(package.rglob("*.py")), *sorted(schema_directory().glob("*.json"))):
        hashed.update(
            f"{file.relative_to(file.parents[2])}\0".encode() + blake2b(file.read_bytes(), digest_size=20).digest()
        )
    return digest([hashed.hexdigest(), sys.version, [[name, _version(name)] for name in _LIBRARIES]])


def _version(name: str) -> str:
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return ""


def base_key(files: Iterable[ReadFile], asked: str) -> str | None:
    """Of a whole base and what is ``asked`` of it; None where a file could not be read."""
    found: list[list[str]] = []
    for each in files:
        if isinstance(each.content, list):
            return None
        found.append([each.shown, blake2b(each.content, digest_size=20).hexdigest()])
    return digest([tool_key(), asked, found])


def record_keys(kb: KnowledgeBase, asked: str) -> dict[str, str]:
    """Of each record; none at all of a base with files that could not be read, or with an id twice."""
    if kb.twins or kb.unread or kb.scope.broken:
        return {}
    core = {id: _core(record) for id, record in kb.records.items()}
    cores = {id: digest([record.path, core[id]]) for id, record in kb.records.items()}
    mentions = {id: _ids(core[id], kb.records) for id in kb.records}
    everywhere = digest(
        [tool_key(), asked, _names(kb), [cores[r.id] for r in kb.records.values() if r.kind is Kind.VOCABULARY]]
    )
    everyones = frozenset[str]().union(*(mentions[r.id] for r in kb.records.values() if r.kind is Kind.VOCABULARY))
    keys, steps = {}, 0
    for id, record in kb.records.items():
        read = reached(_ids([[0, _unwritten(record.document)]], kb.records) | everyones, mentions)
        steps += len(read)
        if steps > _MOST_STEPS:
            return {}
        keys[id] = digest(
            [everywhere, record.path, record.document.source, [[other, cores[other]] for other in sorted(read)]]
        )
    return keys


def reached(start: Iterable[str], mentions: Mapping[str, frozenset[str]]) -> set[str]:
    """What is mentioned, and mentioned there, and so on."""
    found, queue = set(start), list(start)
    while queue:
        more = mentions[queue.pop()] - found
        found |= more
        queue += more
    return found


def _names(kb: KnowledgeBase) -> object:
    """Of all records what a check of any may look at."""
    heads = [[*map(str, (r.id, r.kind, r.path, r.status, r.name)), _texts(r), [*r.groups]] for r in kb.records.values()]
    return [heads, [[kind.value, sorted(paths)] for kind, paths in kb.scope.paths.items()]]


def _texts(record: Record) -> list[str]:
    return [alias.text for alias in record.aliases]


Lines = list[list[int | str]]
"""Parts of a file, each with the line on which it begins."""


def _core(record: Record) -> Lines:
    """A record's text but for its prose and its history."""
    root, source = record.document.root, record.document.source
    lines = source.split("\n")
    starts = [key.location.line for key, _ in root.entries]
    if any(a >= b for a, b in pairwise(starts)):
        return [[0, _unwritten(record.document)]]
    apart = {key for key, below in prose_tree(record.kind).items() if not below} | {"history"}
    parts = zip(root.entries, starts, [*starts[1:], len(lines) + 1], strict=True)
    kept = ((start, lines[start - 1 : end - 1]) for (key, _), start, end in parts if key.text not in apart)
    return [[start, _plain("\n".join(own), record.document)] for start, own in kept]


def _unwritten(document: Document) -> str:
    return _plain(document.source, document)


def _plain(text: str, document: Document) -> str:
    """A text and, where it may say some of it in another way (escapes, entities, other letters), that as well."""
    if "\\" in text:
        text += "\n" + "\n".join(scalar.text for scalar in scalars(document.root))
    if not text.isascii():
        text += "\n" + unicodedata.normalize("NFKC", text)
    if "\\" in text or "&" in text or "%" in text:
        text += "\n" + html.unescape(unquote(text)).replace("\\", "")
    return text


def _ids(texts: Lines, records: Mapping[str, Record]) -> frozenset[str]:
    """The records that are mentioned."""
    return frozenset(word for part in texts for word in _ID.findall(str(part[1]).lower()) if word in records)


def views(usage: Usage, kb: KnowledgeBase) -> dict[str, str]:
    """Of each record, what of it is used."""
    used: defaultdict[str, list[object]] = defaultdict(list)
    for what, entries in (("s", usage.symbols), ("f", usage.figures), ("p", usage.points), ("v", usage.facts)):
        for record, name in entries:
            used[record].append([what, record, name])
    for record, path, source in usage.disputed:
        used[record].append(["d", path, source])
    for record in usage.sources:
        used[record].append(["c", record])
    of_path = {record.path: id for id, record in kb.records.items()}
    for where in usage.bindings:
        used[of_path.get(where.path, "")].append(["b", where.line, where.column])
    return {id: digest(sorted(map(json.dumps, used[id]))) for id in kb.records}
