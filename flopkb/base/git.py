"""Files of a revision, read from git's object store: the work tree is neither read nor touched."""

from __future__ import annotations

import os
import subprocess
from dataclasses import dataclass
from pathlib import Path


class GitFault(Exception):
    """Git cannot answer: no git, no repository, no such revision; the text says what to do."""


@dataclass(frozen=True, slots=True)
class Repository:
    """A git repository; ``root`` is the folder of its work tree."""

    root: Path

    @classmethod
    def around(cls, folder: Path) -> Repository:
        """The repository that ``folder`` lies in."""
        out = run(folder, "rev-parse", "--show-toplevel")
        return cls(Path(out.decode().rstrip("\n")))

    def commit(self, revision: str) -> str:
        """The full id of a revision."""
        if revision.startswith("-"):
            raise GitFault(f"{revision} is no revision; name a commit, a tag or a branch")
        try:
            return (
                run(self.root, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}")
                .decode()
                .strip()
            )
        except GitFault:
            raise GitFault(self._unknown(revision)) from None

    def _unknown(self, revision: str) -> str:
        if ".." in revision:  # no name of a branch holds it
            one, _, other = revision.partition("..")
            apart = f"{one or 'HEAD'} and {other.lstrip('.') or 'HEAD'}"
            return f"{revision} is a range; name single revisions: {apart}, as two arguments where a command takes two"
        shallow = run(self.root, "rev-parse", "--is-shallow-repository").strip() == b"true"
        hint = "; this clone is shallow: fetch more of it (git fetch --unshallow)" if shallow else ""
        return f"there is no revision {revision} in this repository{hint}"

    def files(self, commit: str, folder: str, suffixes: tuple[str, ...]) -> dict[str, bytes]:
        """The files below ``folder`` (relative to the root, with ``/``) that end in one of ``suffixes``, by path."""
        listing = run(self.root, "ls-tree", "-r", "-z", "--full-tree", commit, "--", *([folder] if folder else []))
        blobs: dict[str, str] = {}
        for entry in listing.split(b"\0"):
            head, _, name = entry.partition(b"\t")
            path = name.decode("utf-8", "surrogateescape")
            fields = head.split()
            if path.endswith(suffixes) and len(fields) == 3 and fields[1] == b"blob" and fields[0] != b"120000":
                blobs[path] = fields[2].decode()
        return dict(zip(blobs, self._contents(list(blobs.values())), strict=True))

    def _contents(self, ids: list[str]) -> list[bytes]:
        """The blobs by id, in one call."""
        if not ids:
            return []
        out = run(self.root, "cat-file", "--batch", given="".join(f"{id}\n" for id in ids).encode())
        found, at = [], 0
        for id in ids:
            end = out.index(b"\n", at)
            head = out[at:end].split()
            if len(head) != 3:
                raise GitFault(f"the object {id} is missing from this clone; fetch it, or use a full clone")
            size = int(head[2])
            found.append(out[end + 1 : end + 1 + size])
            at = end + 2 + size
        return found


def run(folder: Path, *arguments: str, given: bytes | None = None) -> bytes:
    """The output of a git command in ``folder``; raises :class:`GitFault` with git's own first line."""
    try:
        environment = {**os.environ, "LC_ALL": "C", "GIT_OPTIONAL_LOCKS": "0"}
        done = subprocess.run(
            ["git", *arguments], cwd=folder, input=given, capture_output=True, check=False, env=environment
        )
    except FileNotFoundError as error:
        raise GitFault("git is not installed, and this command reads revisions through it") from error
    if done.returncode != 0:
        lines = done.stderr.decode("utf-8", "replace").strip().splitlines()
        said = lines[0].removeprefix("fatal: ") if lines else f"git {arguments[0]} failed"
        raise GitFault(f"git says: {said}")
    return done.stdout
