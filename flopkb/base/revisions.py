"""A base as a revision of its repository holds it, with the documents that quote it.

Files of a revision are read from git's object store: the work tree is neither read nor touched.
"""

from __future__ import annotations

import io
import os
import re
import subprocess
from dataclasses import dataclass
from functools import partial
from pathlib import Path, PurePosixPath
from typing import BinaryIO

from flopkb.arithmetic.prose import MARKDOWN
from flopkb.base.data.files import DataFolder
from flopkb.base.evaluate import Evaluation
from flopkb.base.loading import LoadedBase, gathered, load_base, load_bytes
from flopkb.base.pipeline import NO_BASE, PageText, evaluated

_LINK = re.compile(r"(?:\]\(<?|\]:\s*<?|data-flopkb=[\"'])(?:fig|fact|in|claim):")


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
        """The files below ``folder`` (relative to the root, with ``/``) that end in one of ``suffixes``, by path.

        A link within the repository is the file that it leads to, as in the work tree.
        """
        listing = run(self.root, "ls-tree", "-r", "-z", "--full-tree", commit, "--", *([folder] if folder else []))
        blobs: dict[str, str] = {}
        links: list[str] = []
        for entry in listing.split(b"\0"):
            head, _, name = entry.partition(b"\t")
            path = name.decode("utf-8", "surrogateescape")
            fields = head.split()
            if path.lower().endswith(suffixes) and len(fields) == 3 and fields[1] == b"blob":
                if fields[0] == b"120000":
                    links.append(path)
                else:
                    blobs[path] = fields[2].decode()
        found = dict(zip(blobs, self._contents(list(blobs.values())), strict=True))
        return found | self._followed(commit, [path for path in links if "\n" not in path])

    def _followed(self, commit: str, links: list[str]) -> dict[str, bytes]:
        """What links of a commit lead to, without those that lead nowhere, out of the repository or in a circle."""
        if not links:
            return {}
        asked = b"".join(f"{commit}:{path}\n".encode("utf-8", "surrogateescape") for path in links)
        out = run(self.root, "cat-file", "--batch", "--follow-symlinks", given=asked)
        found, at = dict[str, bytes](), 0
        for path in links:
            end = out.index(b"\n", at)
            head = out[at:end].rsplit(b" ", 2)
            at = end + 1
            if head[-1] == b"missing":
                continue
            size = int(head[-1])
            if len(head) == 3 and head[1] == b"blob":
                found[path] = out[at : at + size]
            at += size + 1
        return found

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


@dataclass(slots=True)
class CommittedFiles:
    """The files of a commit, for :class:`~flopkb.base.data.files.DataFolder`."""

    repository: Repository
    commit: str
    _paths: frozenset[str] | None = None

    def open(self, path: Path) -> tuple[BinaryIO, int]:
        """A file as the commit has it; raises FileNotFoundError."""
        if self._paths is None:
            listing = run(self.repository.root, "ls-tree", "-r", "-z", "--full-tree", "--name-only", self.commit)
            self._paths = frozenset(name.decode("utf-8", "surrogateescape") for name in listing.split(b"\0"))
        inner = os.path.relpath(path, self.repository.root.resolve()).replace(os.sep, "/")
        if inner not in self._paths:
            raise FileNotFoundError(inner)
        data = run(self.repository.root, "cat-file", "blob", f"{self.commit}:{inner}")
        return io.BytesIO(data), len(data)


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


@dataclass(frozen=True, slots=True)
class Revisions:
    """The repository around a folder of records, or (without records) around ``cwd``, to which reported paths are relative."""

    repository: Repository
    records: Path | None
    cwd: Path

    @classmethod
    def of(cls, records: Path | None, cwd: Path) -> Revisions:
        """Raises :class:`GitFault` where the folder is in no repository, or git is missing."""
        root = records.resolve() if records is not None else None
        return cls(Repository.around(root or cwd.resolve()), root, cwd)

    @property
    def folder(self) -> str:
        """The folder of records in the repository (empty for the repository's own)."""
        assert self.records is not None
        folder = os.path.relpath(self.records, self.repository.root.resolve()).replace(os.sep, "/")
        return "" if folder == "." else folder

    def at(self, revision: str, *, may_be_empty: bool = False) -> Evaluation:
        """The base at a revision; one without records is an error, or (where it may be) an empty base."""
        commit = self.repository.commit(revision)
        files = self.record_files(commit)
        if not files and self.records is not None and not may_be_empty:
            raise GitFault(f"{revision} has no records in {self.folder or 'the repository'}")
        texts = self.texts(self.repository.files(commit, "", MARKDOWN))
        return evaluated(
            loaded(files), texts, (), DataFolder(self.cwd, (), CommittedFiles(self.repository, commit).open)
        )

    def record_files(self, commit: str) -> dict[str, bytes]:
        """The files of records in a commit, by reported path."""
        if self.records is None:
            return {}
        found = self.repository.files(commit, self.folder, (".yaml",))
        return {self.shown(path): data for path, data in found.items() if self.wanted(path)}

    def now(self) -> Evaluation:
        """The base in the work tree, with the documents that git knows."""
        listed = run(self.repository.root, "ls-files", "-z", "--", *(f":(icase)*{suffix}" for suffix in MARKDOWN))
        names = [name.decode("utf-8", "surrogateescape") for name in listed.split(b"\0") if name]
        pages = {name: data for name in names if (data := read(self.repository.root / name)) is not None}
        records = load_base(self.records, self.cwd) if self.records is not None else NO_BASE
        return evaluated(records, self.texts(pages), (), DataFolder(self.cwd))

    def wanted(self, path: str) -> bool:
        """Whether a file is a record: hidden ones are skipped, as in the work tree."""
        inner = path.removeprefix(self.folder).lstrip("/")
        return not any(part.startswith(".") for part in PurePosixPath(inner).parts)

    def shown(self, path: str) -> str:
        """A path of the repository as findings name it."""
        return os.path.relpath(self.repository.root.resolve() / path, self.cwd.resolve()).replace(os.sep, "/")

    def texts(self, files: dict[str, bytes]) -> list[PageText]:
        """The documents that link to a base; others are not this one's."""
        found = []
        for path, data in sorted(files.items()):
            source = data.decode("utf-8", "replace")
            if _LINK.search(source):
                found.append(PageText(self.repository.root / path, self.shown(path), source))
        return found


def read(file: Path) -> bytes | None:
    """The bytes of a file of the work tree; None for one that is gone, or is no file."""
    try:
        return file.read_bytes() if file.is_file() else None
    except OSError:
        return None


def loaded(files: dict[str, bytes]) -> LoadedBase:
    """The base in the bytes of its files, by reported path."""
    return gathered(
        (PurePosixPath(path).name, load_bytes(data, path), partial(data.decode, "utf-8", "replace"))
        for path, data in sorted(files.items())
    )
