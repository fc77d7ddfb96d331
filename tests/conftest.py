"""Tiny bases for tests: the neutral records, with the files of a case laid over them."""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest
from hypothesis import settings

from flopkb.arithmetic.diagnostics import Diagnostic
from flopkb.base.evaluate import Evaluation
from flopkb.base.pipeline import evaluated_base
from flopkb.checking.api import Base, load
from flopkb.checking.check import CheckResult, check

TESTS = Path(__file__).parent
NEUTRAL = TESTS / "fixtures" / "neutral"
"""A part, a model, a number format and a formula with their sources: clean as they stand, and all round numbers."""

settings.register_profile("quick", max_examples=20, deadline=None)
"""What `make test-quick` draws where a test does not say how many examples it wants."""

REPOSITORY = TESTS.parent
HEAD = "id: {id}\nkind: {kind}\nname: {name}\nstatus: {status}\nupdated: 2026-01-05\n"
HEAD_LINES = HEAD.count("\n")


@cache
def own_base() -> Base:
    """The base of this repository: reading it all takes seconds, so every test that only looks at it shares it."""
    with contextlib.chdir(REPOSITORY):
        return load("records")


def line_of(found: Diagnostic) -> str:
    """A finding as one line, the form that the contract fixes."""
    return f"{found.location}: {found.severity.value}: {found.rule}: {found.message}"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Files with slow tests go first, so that at the end no process waits for another's longest file."""
    slow = {item.path for item in items if item.get_closest_marker("slow")}
    items.sort(key=lambda item: item.path not in slow)


@dataclass(frozen=True)
class TinyBase:
    """A base in a folder of its own."""

    folder: Path

    @property
    def records(self) -> Path:
        """The folder of records."""
        return self.folder / "records"

    def write(self, path: str, text: str) -> Path:
        """Write a file below ``records/``."""
        file = self.records / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
        return file

    def formula(self, id: str, body: str, status: str = "verified") -> Path:
        """Write a formula record; ``body`` begins in line 6."""
        head = HEAD.format(id=id, kind="formula", name=f"Formula record {id.upper()}", status=status)
        return self.write(f"formulas/{id}.yaml", head + body)

    def workload(self, id: str, body: str) -> Path:
        """Write a workload class; ``body`` begins in line 7."""
        head = HEAD.format(id=id, kind="workload_class", name=f"Class {id.upper()}", status="verified")
        return self.write(f"workload_classes/{id}.yaml", head + "bound_by: memory\n" + body)

    def overlay(self, case: Path) -> None:
        """Lay the files of a case over the base: its records, and its documents with their data beside them."""
        shutil.copytree(case, self.folder, dirs_exist_ok=True, ignore=shutil.ignore_patterns("expected.txt"))

    def documents(self) -> list[Path]:
        """The documents beside the records."""
        return sorted(self.folder.glob("*.md"))

    def change(self, path: str, changes: Mapping[str, str]) -> None:
        """Replace texts in a file; each must occur exactly once."""
        file = self.records / path
        text = file.read_text(encoding="utf-8")
        for old, new in changes.items():
            assert text.count(old) == 1, (path, old)
            text = text.replace(old, new)
        file.write_text(text, encoding="utf-8")

    def evaluate(self, documents: Sequence[Path] = ()) -> Evaluation:
        """The base, loaded, linked and evaluated, with documents; findings name files from its folder on."""
        return evaluated_base(self.records, self.folder, documents)

    def check(self) -> CheckResult:
        """What every rule says."""
        return check(self.evaluate())

    def lines(self) -> list[str]:
        """Every finding as a line. No rule may crash."""
        result = self.check()
        assert not result.crashes, result.crashes
        return [line_of(found) for found in result.diagnostics]


@pytest.fixture
def base(tmp_path: Path) -> TinyBase:
    """A base with the neutral records."""
    shutil.copytree(NEUTRAL / "records", tmp_path / "records")
    return TinyBase(tmp_path)


@pytest.fixture
def empty(tmp_path: Path) -> TinyBase:
    """A base without records."""
    (tmp_path / "records").mkdir()
    return TinyBase(tmp_path)
