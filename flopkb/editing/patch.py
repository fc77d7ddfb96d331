"""Two forms of a file as a unified diff."""

from __future__ import annotations

import difflib
from collections.abc import Iterator


def patch_lines(path: str, old: str, new: str) -> Iterator[str]:
    """The lines of a diff that ``patch`` and ``git apply`` take; lines end at newlines alone."""
    pairs = (text.split("\n") for text in (old, new))
    before, after = ([f"{line}\n" for line in lines[:-1]] + ([lines[-1]] if lines[-1] else []) for lines in pairs)
    for line in difflib.unified_diff(before, after, f"a/{path}", f"b/{path}"):
        yield line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"
