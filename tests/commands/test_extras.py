"""A command whose library is not installed says in one sentence which extra brings it."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from conftest import REPOSITORY, TinyBase

from flopkb.commands import EXTRAS

pytestmark = pytest.mark.slow

TEMPLATE = """---
title: A page
---

A size of $b$ bytes.

{% call plot('roofline', 'fig:roofs', parts=['gpu'], precisions=['bf16']) %}Roofs.{% endcall %}
"""
ROOFLINE = """\
symbols:
  I: {meaning: arithmetic intensity, unit: flop/byte, domain: {rational: [0, 100000]}}
formulas:
  ridge: {expr: "accelerator.peak_flops[dtype]/accelerator.memory_bandwidth", unit: flop/byte}
  attainable: {expr: "min(accelerator.peak_flops[dtype], I*accelerator.memory_bandwidth)", unit: flop/s}
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
    """A command in a folder where some libraries cannot be imported."""
    code = f"import sys; sys.modules.update(dict.fromkeys({libraries}))\nfrom flopkb.commands.main import main\nmain({arguments})"
    environment = {"PYTHONPATH": str(REPOSITORY)}
    return subprocess.run(
        [sys.executable, "-c", code], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize(("command", "library"), [(name, one) for name, all_ in NEEDS.items() for one in all_])
def test_a_command_names_the_extra_that_it_lacks(command: str, library: str, base: TinyBase) -> None:
    base.formula("roofline", ROOFLINE)
    (base.folder / "page.md.j2").write_text(TEMPLATE, encoding="utf-8")
    done = without([library], ARGUMENTS[command], base.folder)
    sentence = (
        f"flopkb: this needs {library}, of the extra {EXTRAS[library]}: pip install 'flopkb[{EXTRAS[library]}]'\n"
    )
    assert (done.returncode, done.stdout, done.stderr) == (2, "", sentence)
    assert sorted(file.name for file in base.folder.iterdir()) == ["page.md.j2", "records"]


@pytest.mark.parametrize("command", NEEDS)
def test_with_all_that_it_needs_the_same_command_does_its_work(command: str, base: TinyBase) -> None:
    base.formula("roofline", ROOFLINE)
    (base.folder / "page.md.j2").write_text(TEMPLATE, encoding="utf-8")
    done = without([], ARGUMENTS[command], base.folder)
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    assert (base.folder / ARGUMENTS[command][-1]).exists()


@pytest.mark.parametrize("arguments", [["check"], ["show", "gpu"], ["export", "latex", "--output", "-"]])
def test_checking_reading_and_exporting_data_need_no_extra(arguments: list[str], base: TinyBase) -> None:
    done = without(["z3", *EXTRAS], arguments, base.folder)
    assert (done.returncode, done.stderr) == (0, ""), done.stderr


def test_every_library_stands_in_the_extra_that_is_named() -> None:
    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    for library, extra in EXTRAS.items():
        (entry,) = [e for e in project["optional-dependencies"][extra] if NAMES.get(library, library) in e.lower()]
        assert entry not in project["dependencies"]
