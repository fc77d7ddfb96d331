"""The wheel, installed in a new environment, does in an empty folder everything that needs no repository.

Alone it does what checking needs; what its extras bring, once they are there.
"""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from conftest import REPOSITORY

pytestmark = pytest.mark.slow

COMMANDS: dict[str, tuple[str, ...]] = {
    "check": ("check",),
    "check of a document": ("check", "page.md"),
    "scan": ("scan", "page.md"),
    "eval": ("eval", "roofline.ridge", "accelerator=nvidia_h100_sxm", "dtype=bf16"),
    "explain": ("explain", "decode_attention.gap_mha"),
    "show": ("show", "decode_attention"),
    "list": ("list", "accelerator"),
    "rules": ("rules",),
    "a rule": ("rules", "figure-mismatch"),
    "impact": ("impact", "nvidia_h100_sxm.memory_bandwidth"),
    "link": ("link", "decode_attention"),
    "mutate": ("mutate", "--sample", "2"),
    "fix of a document": ("fix", "--diff", "page.md"),
    "json": ("export", "json", "--output", "base.json"),
    "csv": ("export", "csv", "--output", "tables"),
    "sqlite": ("export", "sqlite", "--output", "base.sqlite"),
    "markdown": ("export", "markdown", "--output", "pages"),
    "latex": ("export", "latex", "--output", "flopkb.tex"),
    "bibtex": ("export", "bibtex", "--output", "base.bib"),
}
WITH_EXTRAS: dict[str, tuple[str, ...]] = {
    "documents": ("render", "page.md.j2", "--output", "page.html"),
    "plots": ("plot", "roofline", "--output", "roofline.svg"),
    "documents of a site": ("export", "html", "--output", "site"),
}
"""Commands that need more, by the extra that they need."""

PAGE = "<!-- flopkb:\ndata: {bench: bench.json}\n-->\n\nIt takes [12.4 ms](fact:bench.p50_ms), and 2*3 = 6.\n"
"""A document quotes the records of a repository, or data files: the installed base is not for it."""

Done = subprocess.CompletedProcess[str]
TEMPLATE = "---\ntitle: A page\n---\n\nThe gap is {{ fig('decode_attention.gap_mha') }}.\n"


def run(command: list[str], folder: Path, seconds: int = 300) -> Done:
    """A command, in a folder and an environment from which this checkout cannot be seen."""
    kept = ("PATH", "HOME", "TMPDIR", "LANG", "LC_ALL", "SSL_CERT_FILE", "http_proxy", "https_proxy", "no_proxy")
    environment = {name: value for name, value in os.environ.items() if name in kept or name.startswith("PIP_")}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=seconds)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel that this checkout builds."""
    folder = tmp_path_factory.mktemp("wheel")
    built = run(
        [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "-w", str(folder), str(REPOSITORY)], folder
    )
    unreachable(built, "built")
    (wheel,) = folder.glob("flopkb-*.whl")
    return wheel


@pytest.fixture(scope="module")
def installed(wheel: Path) -> Path:
    """The folder with the programs of a new environment that holds the wheel and what it asks for, nothing else."""
    run([sys.executable, "-m", "venv", "venv"], wheel.parent)
    programs = wheel.parent / "venv" / "bin"
    unreachable(install(programs, str(wheel)), "installed")
    return programs


def install(programs: Path, what: str) -> Done:
    """Install a package in the environment that has these programs."""
    return run([str(programs / "python"), "-m", "pip", "install", "--quiet", "--no-compile", what], programs)


def unreachable(done: Done, what: str) -> None:
    """Skip where no registry can be reached; on CI there must be one."""
    if done.returncode:
        assert os.environ.get("CI") != "true", done.stderr[-2000:]
        network = ("No matching distribution", "Could not find a version", "Failed to establish", "Temporary failure")
        assert any(sign in done.stderr for sign in network), done.stderr[-2000:]
        pytest.skip(f"the wheel could not be {what}: no registry of packages can be reached")


def results(programs: Path, commands: dict[str, tuple[str, ...]], folder: Path) -> dict[str, Done]:
    """What the commands do in a folder with a document and a template."""
    (folder / "page.md").write_text(PAGE, encoding="utf-8")
    (folder / "bench.json").write_text('{"p50_ms": 12.38}', encoding="utf-8")
    (folder / "page.md.j2").write_text(TEMPLATE, encoding="utf-8")
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        started = {n: pool.submit(run, [str(programs / "flopkb"), *given], folder) for n, given in commands.items()}
    return {name: done.result() for name, done in started.items()}


def failed(done: dict[str, Done]) -> dict[str, str]:
    """What those that failed say."""
    return {name: one.stderr or one.stdout for name, one in done.items() if one.returncode}


def test_the_wheel_alone_runs_every_command_that_needs_no_repository(installed: Path, tmp_path: Path) -> None:
    done = results(installed, COMMANDS, tmp_path)
    assert failed(done) == {}
    assert " 0 findings" in done["check"].stdout
    assert done["eval"].stdout.startswith("295 flop/byte")
    assert "Found (" in done["a rule"].stdout  # the examples of the rules are in the wheel too
    assert len(json.loads((tmp_path / "base.json").read_text(encoding="utf-8"))["records"]) > 50
    connection = sqlite3.connect(tmp_path / "base.sqlite")
    assert connection.execute("SELECT count(*) FROM ridge_by_part_and_precision").fetchone()[0] > 10
    connection.close()
    assert str(installed) not in (tmp_path / "base.json").read_text(encoding="utf-8")


def test_what_the_wheel_alone_lacks_is_named_and_comes_with_its_extra(
    installed: Path, wheel: Path, tmp_path: Path
) -> None:
    lacking = {
        name: (one.returncode, one.stdout, one.stderr)
        for name, one in results(installed, WITH_EXTRAS, tmp_path).items()
    }
    for name, (code, out, error) in lacking.items():
        extra = name.split()[0]
        assert (code, out) == (2, "") and error.endswith(f"pip install 'flopkb[{extra}]'\n"), (name, error)
    assert sorted(file.name for file in tmp_path.iterdir()) == ["bench.json", "page.md", "page.md.j2"]
    unreachable(install(installed, f"{wheel}[documents,plots]"), "installed")
    assert failed(results(installed, WITH_EXTRAS, tmp_path)) == {}
    assert "295" in (tmp_path / "page.html").read_text(encoding="utf-8")
    assert (tmp_path / "site" / "assets" / "site.css").is_file()
    assert (tmp_path / "roofline.svg").is_file()
