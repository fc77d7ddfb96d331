"""What `flopkb check` takes beside its peers, on the same files and in one run.

    python benchmarks/check_speed.py [N] [RUNS]

On a made base of N records (benchmarks/generate_base.py), in turn, RUNS times each: a bare libyaml compose of every file;
check-jsonschema on every file with the schema of its kind (`pip install check-jsonschema`; where it is missing the table
says so); `flopkb check` with one and two processes and nothing kept; again with all kept; and after one record changed. The
table has medians of elapsed and of processor seconds, the ratio to check-jsonschema and the largest process in MB.

Exit code 1 where the cold check with two processes takes over half of what check-jsonschema takes for the schemas alone.
"""

from __future__ import annotations

import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from generate_base import generate

ROOT = Path(__file__).resolve().parents[1]
COMPOSE = """
import pathlib, sys
from ruamel.yaml import YAML
for file in sorted(pathlib.Path("records").rglob("*.yaml")):
    YAML(typ="safe").compose(file.read_bytes())
"""


@dataclass(frozen=True)
class Took:
    """What a run took: elapsed and processor seconds, and the size of its largest process in MB."""

    wall: float
    cpu: float
    megabytes: float


def took(commands: Sequence[Sequence[str]], folder: Path, cache: Path) -> Took:
    """Run some commands one after another; each must end with 0."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "XDG_CACHE_HOME": str(cache)}
    wall = cpu = size = 0.0
    for command in commands:
        began = time.perf_counter()
        process = subprocess.Popen(command, cwd=folder, env=environment, stdout=subprocess.PIPE, text=True)
        assert process.stdout is not None
        output = process.stdout.read()
        _, status, used = os.wait4(process.pid, 0)
        wall += time.perf_counter() - began
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            raise SystemExit(f"{' '.join(command[:4])} ended with {process.returncode}:\n{output[-2000:]}")
        cpu, size = cpu + used.ru_utime + used.ru_stime, max(size, used.ru_maxrss / 1024)
    return Took(wall, cpu, size)


def peer(folder: Path) -> list[list[str]]:
    """check-jsonschema, once for each kind; nothing where it is not installed."""
    beside = Path(sys.executable).with_name("check-jsonschema")
    program = os.environ.get("CHECK_JSONSCHEMA") or (str(beside) if beside.exists() else shutil.which(beside.name))
    kinds: dict[str, list[str]] = {}
    for file in sorted((folder / "records").rglob("*.yaml")):
        kind = next(
            line.split()[1] for line in file.read_text(encoding="utf-8").splitlines() if line.startswith("kind:")
        )
        kinds.setdefault(kind, []).append(str(file.relative_to(folder)))
    schema = ROOT / "schema"
    if not program:
        return []
    return [[program, "--schemafile", str(schema / f"{k}.schema.json"), *files] for k, files in kinds.items()]


def changed(folder: Path) -> None:
    """Change one record as an editor does: a line more, at the end, in one that others may quote."""
    file = sorted((folder / "records" / "models").glob("model_m*.yaml"))[1]
    file.write_text(file.read_text(encoding="utf-8") + f"# {time.monotonic_ns()}\n", encoding="utf-8")


def steps(folder: Path, cache: Path) -> dict[str, Callable[[], Took]]:
    """What is measured, by name, in the order in which it runs."""
    flopkb = [sys.executable, "-m", "flopkb", "check", "--jobs"]

    def cold(jobs: str) -> Took:
        shutil.rmtree(cache, ignore_errors=True)
        return took([[*flopkb, jobs]], folder, cache)

    def after_a_change() -> Took:
        changed(folder)
        return took([[*flopkb, "2"]], folder, cache)

    found: dict[str, Callable[[], Took]] = {
        "bare compose": lambda: took([[sys.executable, "-c", COMPOSE]], folder, cache),
        "check-jsonschema": lambda: took(peer(folder), folder, cache),
        "flopkb, cold, one process": lambda: cold("1"),
        "flopkb, cold, two processes": lambda: cold("2"),
        "flopkb, warm": lambda: took([[*flopkb, "2"]], folder, cache),
        "flopkb, one record changed": after_a_change,
    }
    if not peer(folder):
        print("check-jsonschema is not installed: the ratio to it is missing", file=sys.stderr)
        del found["check-jsonschema"]
    return found


def main(count: int, runs: int) -> int:
    """Measure, print the table, and say whether the check is fast enough."""
    with tempfile.TemporaryDirectory() as place:
        folder, cache = Path(place) / "base", Path(place) / "cache"
        generate(count, folder)
        measured: dict[str, list[Took]] = {}
        for _ in range(runs):
            for name, step in steps(folder, cache).items():
                measured.setdefault(name, []).append(step())
    wall = {name: statistics.median(each.wall for each in took_) for name, took_ in measured.items()}
    whole = wall.get("check-jsonschema")
    print(f"| {count} records, {os.cpu_count()} cores | elapsed, s | processor, s | to check-jsonschema | MB |")
    print("|---|---:|---:|---:|---:|")
    for name, all_ in measured.items():
        cpu, size = (statistics.median(getattr(each, what) for each in all_) for what in ("cpu", "megabytes"))
        ratio = f"{wall[name] / whole:.2f}" if whole else "–"
        print(f"| {name} | {wall[name]:.2f} | {cpu:.2f} | {ratio} | {size:.0f} |")
    cold = wall["flopkb, cold, two processes"]
    for name in ("flopkb, warm", "flopkb, one record changed"):
        print(f"{name}: {wall[name] / cold:.1%} of cold")
    return 1 if whole and cold > whole / 2 else 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 4000, int(sys.argv[2]) if len(sys.argv) > 2 else 3))
