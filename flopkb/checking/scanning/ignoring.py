"""Which files are left alone: patterns as ``.gitignore`` has them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class IgnorePattern:
    """One line: what it matches below ``base``; ``kept`` if it takes something out again (``!``)."""

    base: Path
    regex: re.Pattern[str]
    kept: bool
    folders_only: bool

    def matches(self, path: Path, *, folder: bool) -> bool:
        """Whether it speaks of an absolute path."""
        if self.folders_only and not folder:
            return False
        try:
            below = path.relative_to(self.base).as_posix()
        except ValueError:
            return False
        return self.regex.fullmatch(below) is not None


def patterns(lines: Iterable[str], base: Path) -> tuple[IgnorePattern, ...]:
    """The patterns in the lines of a ``.gitignore`` that stands in ``base``."""
    return tuple(pattern for line in lines if (pattern := _pattern(line, base)) is not None)


def _pattern(line: str, base: Path) -> IgnorePattern | None:
    text = re.sub(r"(?<!\\)[ \t\r\n]+$", "", line)
    if not text or text.startswith("#"):
        return None
    kept = text.startswith("!")
    text = text.removeprefix("!") if kept else text.removeprefix("\\") if text[:2] in ("\\!", "\\#") else text
    folders_only = text.endswith("/")
    text = text.rstrip("/")
    anchored = "/" in text
    try:
        regex = re.compile(("" if anchored else "(?:.*/)?") + _regex(text.removeprefix("/")))
    except re.error:
        return None
    return IgnorePattern(base, regex, kept, folders_only)


_PART = re.compile(r"\*\*/|/\*\*$|\*+|\?|\[!?\]?[^\]]*\]|\\.|.", re.DOTALL)


def _regex(text: str) -> str:
    return "".join(map(_translated, _PART.findall(text)))


def _translated(part: str) -> str:
    if part == "**/":
        return "(?:.*/)?"
    if part == "/**":
        return "/.*"
    if part.startswith("*"):
        return "[^/]*"
    if part == "?":
        return "[^/]"
    if part.startswith("[") and len(part) > 1:
        return "[" + part[1:-1].replace("\\", "\\\\").replace("!", "^", part[1] == "!") + "]"
    return re.escape(part[-1])


def is_ignored(path: Path, rules: Iterable[IgnorePattern], *, folder: bool) -> bool:
    """Whether the last pattern that speaks of a path leaves it out."""
    ignored = False
    for rule in rules:
        if rule.kept == ignored and rule.matches(path, folder=folder):
            ignored = not rule.kept
    return ignored


def above(folder: Path) -> tuple[IgnorePattern, ...]:
    """The patterns of the ``.gitignore`` files above a folder, up to the root of its repository."""
    chain = [folder, *folder.parents]
    root = next((place for place, each in enumerate(chain) if (each / ".git").exists()), None)
    return tuple(rule for each in reversed(chain[1 : root + 1]) for rule in beside(each)) if root is not None else ()


def beside(folder: Path) -> tuple[IgnorePattern, ...]:
    """The patterns of the ``.gitignore`` in a folder."""
    try:
        text = (folder / ".gitignore").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ()
    return patterns(text.split("\n"), folder)
