"""A command whose library is not installed says in one sentence which extra brings it."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from conftest import REPOSITORY

from flopkb.commands import EXTRAS

pytestmark = pytest.mark.slow

TEMPLATE = """---
title: A page
---

A size of $b$ bytes.

{% call plot('roofline', 'fig:roofs', parts=['nvidia_h100_sxm'], precisions=['bf16']) %}Roofs.{% endcall %}
"""
NEEDS = {
    "render": ["jinja2", "latex2mathml", "matplotlib"],
    "plot": ["matplotlib"],
    "export": ["citeproc", "latex2mathml"],
}
ARGUMENTS = {
    "render": ["render", "page.md.j2", "--output", "page.html"],
    "plot": ["plot", "roofline", "--output", "roofline.svg"],
    "export": ["export", "html", "--output", "site"],
}
NAMES = {"citeproc": "citeproc-py"}
"""Packages that are not called as what is imported."""


def without(libraries: list[str], arguments: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    """A command of the base of this repository where some libraries cannot be imported."""
    code = f"import sys; sys.modules.update(dict.fromkeys({libraries}))\nfrom flopkb.commands.main import main\nmain({arguments})"
    command = [
        sys.executable,
        "-c",
        code,
    ]
    return subprocess.run(
        command, cwd=folder, env={"PYTHONPATH": str(REPOSITORY)}, capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize(("command", "library"), [(name, one) for name, all_ in NEEDS.items() for one in all_])
def test_a_command_names_the_extra_that_it_lacks(command: str, library: str, tmp_path: Path) -> None:
    (tmp_path / "page.md.j2").write_text(TEMPLATE, encoding="utf-8")
    done = without([library], [*ARGUMENTS[command], "--records", str(REPOSITORY / "records")], tmp_path)
    sentence = (
        f"flopkb: this needs {library}, of the extra {EXTRAS[library]}: pip install 'flopkb[{EXTRAS[library]}]'\n"
    )
    assert (done.returncode, done.stdout, done.stderr) == (2, "", sentence)
    assert [file.name for file in tmp_path.iterdir()] == ["page.md.j2"]


@pytest.mark.parametrize("arguments", [["check"], ["show", "decode_attention"], ["export", "latex", "--output", "-"]])
def test_checking_reading_and_exporting_data_need_no_extra(arguments: list[str], tmp_path: Path) -> None:
    done = without(["z3", *EXTRAS], [*arguments, "--records", str(REPOSITORY / "records")], tmp_path)
    assert (done.returncode, done.stderr) == (0, ""), done.stderr


def test_every_library_stands_in_the_extra_that_is_named() -> None:
    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    for library, extra in EXTRAS.items():
        (entry,) = [e for e in project["optional-dependencies"][extra] if NAMES.get(library, library) in e.lower()]
        assert entry not in project["dependencies"]
