"""Equal bases give equal bytes: whatever order Python keeps sets in, and wherever a command is run."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import REPOSITORY, TinyBase

from export.bases import hostile
from flopkb.publishing.export.output import FORMATS

pytestmark = pytest.mark.slow


def exported(form: str, base: TinyBase, folder: Path, seed: int) -> dict[str, bytes]:
    """What a command exports that is run in ``folder``, by path."""
    folder.mkdir()
    environment = {**os.environ, "PYTHONPATH": str(REPOSITORY), "PYTHONHASHSEED": str(seed)}
    command = [sys.executable, "-m", "flopkb", "export", form, "--records", str(base.records), "--output", "made"]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    files = [file for file in folder.rglob("*") if file.is_file()]
    return {file.relative_to(folder).as_posix(): file.read_bytes() for file in files}


@pytest.mark.parametrize("form", [form.name for form in FORMATS])
def test_equal_bases_give_equal_bytes(form: str, base: TinyBase, tmp_path: Path) -> None:
    hostile(base)
    one, other = (exported(form, base, tmp_path / f"place{seed}", seed) for seed in (1, 2))
    assert one and one == other
    assert not [name for name, data in one.items() if str(tmp_path).encode() in data]
