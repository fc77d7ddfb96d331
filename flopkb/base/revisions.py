"""A base as a revision of its repository holds it, with the documents that quote it."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from flopkb.base.document import Document
from flopkb.base.evaluate import Evaluation
from flopkb.base.git import GitFault, Repository, run
from flopkb.base.loading import LoadedBase, load_base, load_bytes
from flopkb.base.pages import SUFFIXES, Text
from flopkb.base.pipeline import evaluated

_LINK = re.compile(r"\]\(<?(?:fig|fact|in|claim):")


@dataclass(frozen=True, slots=True)
class Revisions:
    """The repository around a folder of records; paths are reported relative to ``cwd``."""

    repository: Repository
    records: Path
    cwd: Path

    @classmethod
    def of(cls, records: Path, cwd: Path) -> Revisions:
        """Raises :class:`GitFault` where the folder is in no repository, or git is missing."""
        root = records.resolve()
        return cls(Repository.around(root), root, cwd)

    @property
    def folder(self) -> str:
        """The folder of records in the repository (empty for the repository's own)."""
        folder = os.path.relpath(self.records, self.repository.root.resolve()).replace(os.sep, "/")
        return "" if folder == "." else folder

    def at(self, revision: str, *, may_be_empty: bool = False) -> Evaluation:
        """The base at a revision; one without records is an error, or (where it may be) an empty base."""
        commit = self.repository.commit(revision)
        files = {
            path: data
            for path, data in self.repository.files(commit, self.folder, (".yaml",)).items()
            if self.wanted(path)
        }
        if not files and not may_be_empty:
            raise GitFault(f"{revision} has no records in {self.folder or 'the repository'}")
        pages = self.repository.files(commit, "", SUFFIXES)
        return evaluated(loaded({self.shown(path): data for path, data in files.items()}), self.texts(pages))

    def now(self) -> Evaluation:
        """The base in the work tree, with the documents that git knows."""
        listed = run(self.repository.root, "ls-files", "-z", "--", *(f"*{suffix}" for suffix in SUFFIXES))
        names = [name.decode("utf-8", "surrogateescape") for name in listed.split(b"\0") if name]
        pages = {name: data for name in names if (data := read(self.repository.root / name)) is not None}
        return evaluated(load_base(self.records, self.cwd), self.texts(pages))

    def wanted(self, path: str) -> bool:
        """Whether a file is a record: hidden ones are skipped, as in the work tree."""
        inner = path.removeprefix(self.folder).lstrip("/")
        return not any(part.startswith(".") for part in PurePosixPath(inner).parts)

    def shown(self, path: str) -> str:
        """A path of the repository as findings name it."""
        return os.path.relpath(self.repository.root.resolve() / path, self.cwd.resolve()).replace(os.sep, "/")

    def texts(self, files: dict[str, bytes]) -> list[Text]:
        """The documents that link to a base; others are not this one's."""
        found = []
        for path, data in sorted(files.items()):
            source = data.decode("utf-8", "replace")
            if _LINK.search(source):
                found.append(Text(self.repository.root / path, self.shown(path), source))
        return found


def read(file: Path) -> bytes | None:
    """The bytes of a file of the work tree; None for one that is gone, or is no file."""
    try:
        return file.read_bytes() if file.is_file() else None
    except OSError:
        return None


def loaded(files: dict[str, bytes]) -> LoadedBase:
    """The base in the bytes of its files, by reported path."""
    documents, diagnostics, broken, unread = [], [], set(), []
    for path, data in sorted(files.items()):
        result = load_bytes(data, path)
        if isinstance(result, Document):
            documents.append(result)
        else:
            diagnostics.extend(result)
            broken.add(PurePosixPath(path).stem)
            unread.append(data.decode("utf-8", "replace"))
    return LoadedBase(tuple(documents), tuple(diagnostics), frozenset(broken), tuple(unread))
