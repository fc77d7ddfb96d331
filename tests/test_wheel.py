"""The wheel, installed alone in a new environment, does in an empty folder everything that needs no repository."""

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
    "render": ("render", "page.md.j2", "--output", "page.html"),
    "plot": ("plot", "roofline", "--output", "roofline.svg"),
    "json": ("export", "json", "--output", "base.json"),
    "csv": ("export", "csv", "--output", "tables"),
    "sqlite": ("export", "sqlite", "--output", "base.sqlite"),
    "markdown": ("export", "markdown", "--output", "pages"),
    "html": ("export", "html", "--output", "site"),
    "latex": ("export", "latex", "--output", "flopkb.tex"),
    "bibtex": ("export", "bibtex", "--output", "base.bib"),
}
PAGE = "The gap of an H100 is [295x](fig:decode_attention.gap_mha), and 2*3 = 6.\n"
TEMPLATE = "---\ntitle: A page\n---\n\nThe gap is {{ fig('decode_attention.gap_mha') }}.\n"


def run(command: list[str], folder: Path, seconds: int = 300) -> subprocess.CompletedProcess[str]:
    """A command, in a folder and an environment from which this checkout cannot be seen."""
    kept = ("PATH", "HOME", "TMPDIR", "LANG", "LC_ALL", "SSL_CERT_FILE", "http_proxy", "https_proxy", "no_proxy")
    environment = {name: value for name, value in os.environ.items() if name in kept or name.startswith("PIP_")}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=seconds)


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with the programs of a new environment that holds the wheel and what it asks for, nothing else."""
    folder = tmp_path_factory.mktemp("wheel")
    built = run(
        [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "-w", str(folder), str(REPOSITORY)], folder
    )
    unreachable(built, "built")
    run([sys.executable, "-m", "venv", "venv"], folder)
    (wheel,) = folder.glob("flopkb-*.whl")
    command = [str(folder / "venv" / "bin" / "python"), "-m", "pip", "install", "--quiet", "--no-compile", str(wheel)]
    made = run(command, folder)
    unreachable(made, "installed")
    return folder / "venv" / "bin"


def unreachable(done: subprocess.CompletedProcess[str], what: str) -> None:
    """Skip where no registry can be reached; on CI there must be one."""
    if done.returncode:
        assert os.environ.get("CI") != "true", done.stderr[-2000:]
        network = ("No matching distribution", "Could not find a version", "Failed to establish", "Temporary failure")
        assert any(sign in done.stderr for sign in network), done.stderr[-2000:]
        pytest.skip(f"the wheel could not be {what}: no registry of packages can be reached")


def test_the_wheel_alone_runs_every_command_that_needs_no_repository(installed: Path, tmp_path: Path) -> None:
    (tmp_path / "page.md").write_text(PAGE, encoding="utf-8")
    (tmp_path / "page.md.j2").write_text(TEMPLATE, encoding="utf-8")
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        started = {n: pool.submit(run, [str(installed / "flopkb"), *given], tmp_path) for n, given in COMMANDS.items()}
    results = {name: done.result() for name, done in started.items()}
    assert {name: done.stderr or done.stdout for name, done in results.items() if done.returncode} == {}
    assert " 0 findings" in results["check"].stdout
    assert results["eval"].stdout.startswith("295.373 flop/byte")
    assert "Found (" in results["a rule"].stdout  # the examples of the rules are in the wheel too
    assert "295" in (tmp_path / "page.html").read_text(encoding="utf-8")
    assert len(json.loads((tmp_path / "base.json").read_text(encoding="utf-8"))["records"]) > 50
    assert (tmp_path / "site" / "assets" / "site.css").is_file()
    connection = sqlite3.connect(tmp_path / "base.sqlite")
    assert connection.execute("SELECT count(*) FROM ridge_by_part_and_precision").fetchone()[0] > 10
    connection.close()
    assert str(installed) not in (tmp_path / "base.json").read_text(encoding="utf-8")
