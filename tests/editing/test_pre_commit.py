"""The hooks, run by the real pre-commit in a scratch repository, with the tool installed from this checkout."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
from conftest import NEUTRAL, REPOSITORY

pytestmark = pytest.mark.slow

CONFIG = """\
repos:
  - repo: {tool}
    rev: {revision}
    hooks:
      - id: flopkb-check
        args: [records, docs]
      - id: flopkb-fmt
      - id: flopkb-scan
"""
QUOTING = """\
id: quoting
kind: formula
name: One that quotes
status: verified
updated: 2026-01-05
formulas: {sweep: {expr: accelerator.memory_capacity / accelerator.memory_bandwidth, unit: s}}
derivation: |
  Reading it all takes [40 ms](fig:sweep?accelerator=gpu).
"""
NOTE = "The part reads [2 TB/s](fact:gpu.memory_bandwidth).\n"


@dataclass(frozen=True)
class Repository:
    """A repository with a base, a document and the hooks."""

    folder: Path
    cache: Path

    def write(self, path: str, text: str) -> Path:
        """Write a file."""
        file = self.folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
        return file

    def change(self, path: str, old: str, new: str) -> Path:
        """Replace a text in a file."""
        file = self.folder / path
        text = file.read_text(encoding="utf-8")
        assert old in text
        return self.write(path, text.replace(old, new))

    def git(self, *arguments: str) -> str:
        """Run git."""
        return git(self.folder, *arguments)

    def hooks(self, *arguments: str) -> tuple[int, str]:
        """What pre-commit says of what is staged."""
        environment = {**os.environ, "PRE_COMMIT_HOME": str(self.cache), "NO_COLOR": "1"}
        command = [sys.executable, "-m", "pre_commit", "run", "--color=never", *arguments]
        ran = subprocess.run(command, cwd=self.folder, env=environment, capture_output=True, text=True, timeout=900)
        return ran.returncode, ran.stdout + ran.stderr


def git(folder: Path, *arguments: str) -> str:
    """Run git as somebody, whatever the settings of the machine."""
    settings = ["-c", "user.name=T", "-c", "user.email=t@example.org", "-c", "core.hooksPath=/dev/null"]
    ran = subprocess.run(["git", *settings, *arguments], cwd=folder, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    return ran.stdout.strip()


def committed(folder: Path) -> str:
    """The revision of a new repository with everything in a folder."""
    git(folder, "init", "--quiet")
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--message", "first")
    return git(folder, "rev-parse", "HEAD")


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Repository:
    """The repository, with the hooks installed: pip builds and installs the tool as it stands in the work tree."""
    if importlib.util.find_spec("pre_commit") is None:
        if os.environ.get("CI") == "true":
            pytest.fail("pre-commit is not installed")
        pytest.skip("pre-commit is not installed: pip install pre-commit")
    tool = tmp_path_factory.mktemp("tool")
    for name in git(REPOSITORY, "ls-files", "--cached", "--others", "--exclude-standard", "-z").split("\0"):
        if name and (REPOSITORY / name).is_file():
            (tool / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(REPOSITORY / name, tool / name)
    repository = Repository(tmp_path_factory.mktemp("base"), tmp_path_factory.mktemp("cache"))
    shutil.copytree(NEUTRAL / "records", repository.folder / "records")
    repository.write("records/formulas/quoting.yaml", QUOTING)
    repository.write("docs/note.md", NOTE)
    repository.write(".pre-commit-config.yaml", CONFIG.format(tool=tool, revision=committed(tool)))
    committed(repository.folder)
    code, said = repository.hooks("--all-files")
    if code and ("No matching distribution" in said or "Connection" in said) and os.environ.get("CI") != "true":
        pytest.skip(f"the tool could not be installed by pre-commit:\n{said[-500:]}")
    assert code == 0, said
    assert said.count("Passed") == 3, said
    return repository


@pytest.fixture
def repository(prepared: Repository) -> Repository:
    """The repository as it was committed."""
    prepared.git("reset", "--hard", "--quiet")
    prepared.git("clean", "-fdq")
    return prepared


def test_a_changed_value_that_breaks_a_file_that_is_not_in_the_commit(repository: Repository) -> None:
    repository.change("records/accelerators/gpu.yaml", "2000 GB/s", "1600 GB/s")
    repository.change("records/accelerators/gpu.yaml", "as_printed: 2 TB/s", "as_printed: 1.6 TB/s")
    repository.change("records/accelerators/gpu.yaml", "[2 TB/s]", "[1.6 TB/s]")
    repository.git("add", "records/accelerators")
    code, said = repository.hooks()
    assert code == 1
    assert "records/formulas/quoting.yaml:8:25: error: figure-mismatch: 40 ms is wrong" in said
    assert "docs/note.md:1:17: error: figure-mismatch: 2 TB/s is wrong" in said


def test_a_slip_in_a_document_alone(repository: Repository) -> None:
    repository.change("docs/note.md", "2 TB/s", "3 TB/s")
    repository.git("add", "docs")
    code, said = repository.hooks()
    assert code == 1
    assert "docs/note.md:1:17: error: figure-mismatch: 3 TB/s is wrong" in said


def test_what_is_not_staged_is_not_looked_at(repository: Repository) -> None:
    repository.change("records/models/llm.yaml", "name: A model", "name: The model")
    repository.git("add", "records/models")
    repository.change("records/formulas/quoting.yaml", "[40 ms]", "[50 ms]")
    code, said = repository.hooks()
    assert code == 0, said


def test_fmt_rewrites_the_files_of_the_commit_and_no_others(repository: Repository) -> None:
    first = repository.change("records/models/llm.yaml", "head_dim: 100", "head_dim:    100")
    repository.git("add", "records/models")
    other = repository.change("records/dtypes/bf16.yaml", "bits: 16", "bits:    16")
    repository.git("commit", "--quiet", "--message", "other", "records/dtypes")
    try:
        code, said = repository.hooks("flopkb-fmt")
        assert code == 1
        assert "files were modified by this hook" in said
        assert "records/models/llm.yaml: formatted" in said
        assert "head_dim: 100\n" in first.read_text()
        assert "bits:    16" in other.read_text()
        repository.git("add", "records/models")
        assert repository.hooks("flopkb-fmt")[0] == 0
    finally:
        repository.git("reset", "--hard", "--quiet", "HEAD~1")


def test_scan_reads_the_documents_of_the_commit_and_no_others(repository: Repository) -> None:
    repository.write("docs/old.md", "It takes 2 * 3 = 7 steps.\n")
    repository.git("add", "docs")
    repository.git("commit", "--quiet", "--message", "old")
    try:
        repository.write("docs/new.md", "It takes 4 * 5 = 21 steps.\n")
        repository.git("add", "docs")
        code, said = repository.hooks("flopkb-scan")
        assert code == 1
        assert "docs/new.md:1:" in said
        assert "docs/old.md" not in said
        repository.write("docs/new.md", "It takes 4 * 5 = 20 steps.\n")
        repository.git("add", "docs")
        assert repository.hooks("flopkb-scan")[0] == 0
    finally:
        repository.git("reset", "--hard", "--quiet", "HEAD~1")
