"""Results of checks, kept from one run to the next in a folder of the user's, outside of every repository.

A file for each base and each way of asking holds the last result, with the digest of all that it depends on. It is plain
JSON below its own digest: nothing in it runs, a damaged one is no result, and whoever writes last wins. What is kept can be
deleted at any time.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path
from typing import Any

from flopkb.arithmetic.diagnostics import Diagnostic, Location, Severity
from flopkb.base.evaluate.usage import Usage
from flopkb.base.writing import put

MOST_FILES = 50
"""So many results are kept; the oldest give way."""


@dataclass(frozen=True, slots=True)
class KeptRecord:
    """The result on a record in which nothing was found.

    ``key`` is the digest of what it depends on, ``view`` that of what of it was used; then what it uses, how many numbers
    were recomputed, how its claims ended, and how many of its quotes rest on which values and formulas.
    """

    key: str
    view: str
    used: Usage
    recomputed: int
    claims: Mapping[str, str]
    rests: tuple[tuple[str, str, str, int], ...]
    words: tuple[str, ...] = ()
    """What it may mean besides (of formulas that are read case by case)."""


@dataclass(frozen=True, slots=True)
class KeptResult:
    """The result on a whole base, under the digest of what it depends on."""

    key: str
    records: int
    diagnostics: tuple[Diagnostic, ...]
    recomputed: int
    claims: Mapping[str, int]
    causes: tuple[tuple[str, Location, tuple[int, ...]], ...]
    """Of each cause its title, its place, and which of the diagnostics follow from it."""


@dataclass(frozen=True, slots=True)
class Kept:
    """What is kept of one base."""

    result: KeptResult | None = None
    parts: Mapping[str, KeptRecord] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Keeper:
    """Where the results on a base are kept (nowhere, where there is no home for them)."""

    file: Path | None

    @classmethod
    def of(cls, root: Path, cwd: Path, asked: str) -> Keeper:
        """The keeper for a folder of records, as it is seen from a folder, and a way of asking."""
        folder = cache_folder()
        name = blake2b(repr((str(root.resolve()), str(cwd), asked)).encode(), digest_size=20).hexdigest()
        return cls(folder / f"{name}.json" if folder is not None else None)

    def load(self) -> Kept:
        """What was kept; nothing where that is missing or damaged."""
        try:
            data = self.file.read_bytes() if self.file is not None else b""
            sum_, _, body = data.partition(b"\n")
            return _kept(json.loads(body)) if sum_.decode() == _sum(body) else Kept()
        except (OSError, ValueError, TypeError, LookupError, RecursionError):
            return Kept()

    def save(self, kept: Kept) -> None:
        """Keep a result; where that cannot be done, the next check takes longer."""
        if self.file is None:
            return
        body = json.dumps(_plain(kept), separators=(",", ":")).encode()
        with contextlib.suppress(OSError):
            self.file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            put(self.file, _sum(body).encode() + b"\n" + body)
            _prune(self.file.parent)


def cache_folder() -> Path | None:
    """The folder of the user's where results are kept."""
    named = os.environ.get("XDG_CACHE_HOME", "")
    if os.path.isabs(named):
        return Path(named) / "flopkb"
    home = os.path.expanduser("~")
    return Path(home) / ".cache" / "flopkb" if os.path.isabs(home) and os.path.isdir(home) else None


def _prune(folder: Path) -> None:
    files = [(each.stat().st_mtime_ns, each.path) for each in os.scandir(folder) if each.is_file(follow_symlinks=False)]
    for _, path in sorted(files)[:-MOST_FILES]:
        os.unlink(path)


def _sum(body: bytes) -> str:
    return blake2b(body, digest_size=20).hexdigest()


_SETS = ("symbols", "figures", "points", "sources", "facts", "disputed")


def _plain(kept: Kept) -> dict[str, object]:
    result = kept.result
    return {
        "result": result
        and {
            "key": result.key,
            "records": result.records,
            "diagnostics": [_of_diagnostic(each) for each in result.diagnostics],
            "recomputed": result.recomputed,
            "claims": dict(result.claims),
            "causes": [[title, _of_location(where), list(found)] for title, where, found in result.causes],
        },
        "parts": {id: _of_record(part) for id, part in kept.parts.items()},
    }


def _of_record(part: KeptRecord) -> list[object]:
    used: list[object] = [sorted(getattr(part.used, name)) for name in _SETS]
    used.append([_of_location(each) for each in sorted(part.used.bindings)])
    return [part.key, part.view, used, part.recomputed, dict(part.claims), part.rests, part.words]


def _of_location(where: Location) -> list[object]:
    return [where.path, where.line, where.column]


def _of_diagnostic(d: Diagnostic) -> list[object]:
    where = _of_location(d.location)
    return [where, d.severity.value, d.rule, d.message, d.quoted, d.computed, d.length, d.replacement, d.missing]


def _kept(read: Any) -> Kept:
    result, parts = read["result"], read["parts"]
    return Kept(
        KeptResult(
            str(result["key"]),
            int(result["records"]),
            tuple(_diagnostic(*each) for each in result["diagnostics"]),
            int(result["recomputed"]),
            {str(name): int(count) for name, count in result["claims"].items()},
            tuple((str(title), Location(*where), tuple(map(int, found))) for title, where, found in result["causes"]),
        )
        if result
        else None,
        {str(id): _record(*part) for id, part in parts.items()},
    )


def _diagnostic(where: Any, severity: str, *rest: Any) -> Diagnostic:
    return Diagnostic(Location(*where), Severity(severity), *rest)


def _record(key: str, view: str, used: Any, recomputed: int, claims: Any, rests: Any, words: Any) -> KeptRecord:
    *sets, bindings = used
    symbols, figures, points, facts, disputed = ({tuple(each) for each in sets[place]} for place in (0, 1, 2, 4, 5))
    usage = Usage(symbols, figures, points, set(sets[3]), facts, disputed, {Location(*each) for each in bindings})
    return KeptRecord(key, view, usage, recomputed, claims, tuple((a, b, c, n) for a, b, c, n in rests), tuple(words))
