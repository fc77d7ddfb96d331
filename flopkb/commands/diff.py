"""``flopkb diff``."""

from __future__ import annotations

import os
from pathlib import Path, PurePosixPath

from flopkb.check import check
from flopkb.commands import Outcome, UsageFault, records_folder
from flopkb.difference import State, compare
from flopkb.document import Document
from flopkb.evaluate import Evaluation
from flopkb.git import GitFault, Repository
from flopkb.loading import LoadedBase, load_base, load_bytes
from flopkb.pipeline import evaluated
from flopkb.report.difference import json_difference, markdown_difference, text_difference
from flopkb.report.text import Style


def diff_command(revisions: tuple[str, ...], records: Path | None, form: str, style: Style) -> Outcome:
    """What the second revision (or the work tree) changes in the first."""
    root = records_folder(records).resolve()
    try:
        repository = Repository.around(root)
        commits = [repository.commit(revision) for revision in revisions]
        old = state(loaded_at(repository, commits[0], root))
        new = state(loaded_at(repository, commits[1], root) if len(commits) > 1 else load_base(root, Path.cwd()))
    except GitFault as fault:
        raise UsageFault(str(fault)) from fault
    found = compare(old, new)
    text = {"text": lambda: text_difference(found, style), "markdown": lambda: markdown_difference(found)}.get(
        form, lambda: json_difference(found)
    )()
    return Outcome(text, 1 if found.removals else 0, unreadable(old.base, revisions[0]))


def unreadable(base: Evaluation, revision: str) -> str:
    """A word on files of the older revision that cannot be read now."""
    faults = [d for d in base.diagnostics if d.rule in ("yaml", "file", "schema")]
    if not faults:
        return ""
    return f"flopkb: {len(faults)} faults in the files of {revision} as this version reads them; what they hide is not compared"


def state(loaded: LoadedBase) -> State:
    """One side, evaluated and checked."""
    base = evaluated(loaded)
    return State(base, check(base), {})


def loaded_at(repository: Repository, commit: str, root: Path) -> LoadedBase:
    """The records of a revision, reported at the paths they have now."""
    top = repository.root.resolve()
    folder = PurePosixPath(os.path.relpath(root, top).replace(os.sep, "/"))
    prefix = "" if str(folder) == "." else f"{folder}/"
    files = {
        path: data
        for path, data in repository.files(commit, prefix.rstrip("/"), ".yaml").items()
        if not any(part.startswith(".") for part in PurePosixPath(path.removeprefix(prefix)).parts)
    }
    if not files:
        raise GitFault(f"{commit[:12]} has no records in {folder}")
    return loaded_from({os.path.relpath(top / path, Path.cwd()).replace(os.sep, "/"): data for path, data in files.items()})


def loaded_from(files: dict[str, bytes]) -> LoadedBase:
    """The base in the bytes of its files, by reported path."""
    documents, diagnostics, broken = [], [], set()
    for path, data in sorted(files.items()):
        result = load_bytes(data, path)
        if isinstance(result, Document):
            documents.append(result)
        else:
            diagnostics.extend(result)
            broken.add(PurePosixPath(path).stem)
    return LoadedBase(tuple(documents), tuple(diagnostics), frozenset(broken))
