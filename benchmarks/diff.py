"""What ``flopkb diff`` costs against the two checks that it needs, on the base repeated under other ids.

    python benchmarks/diff.py [TIMES] [RUNS]

The records are copied TIMES times (20), each copy under ids of its own, into a scratch repository with two commits that
differ in one bandwidth. Commands are whole processes, measured in turns; the ratio is of the medians. Aim: at most 1.3.
"""

from __future__ import annotations

import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def copies(target: Path, times: int) -> None:
    """The records of the base, ``times`` times, the ids of each copy made its own by a suffix."""
    files = sorted((ROOT / "records").rglob("*.yaml"))
    names = re.compile(
        r"(?<![\w/-])(" + "|".join(sorted((f.stem for f in files), key=len, reverse=True)) + r")(?![\w-])"
    )
    for number in range(times):
        for file in files:
            text = file.read_text(encoding="utf-8")
            if number:
                text = names.sub(rf"\1_c{number}", text)
                text = re.sub(r"^(name: .*)$", rf"\1 c{number}", text, count=1, flags=re.MULTILINE)
            stem = f"{file.stem}_c{number}" if number else file.stem
            place = target / file.relative_to(ROOT / "records").with_name(f"{stem}.yaml")
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(text, encoding="utf-8")


def git(folder: Path, *arguments: str) -> None:
    """A git command in the scratch repository."""
    identity = ["-c", "user.name=x", "-c", "user.email=x@example.com"]
    subprocess.run(["git", *identity, *arguments], cwd=folder, check=True, capture_output=True)


def seconds(folder: Path, *arguments: str) -> float:
    """One run of flopkb."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    began = time.perf_counter()
    subprocess.run([sys.executable, "-m", "flopkb", *arguments], cwd=folder, env=environment, capture_output=True)
    return time.perf_counter() - began


def main(times: int, runs: int) -> None:
    """Measure and print."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        copies(folder / "records", times)
        git(folder, "init", "-q")
        git(folder, "add", "-A")
        git(folder, "commit", "-q", "-m", "one")
        part = folder / "records" / "accelerators" / "nvidia_h100_sxm.yaml"
        part.write_text(part.read_text(encoding="utf-8").replace("3350 GB/s", "3400 GB/s"), encoding="utf-8")
        checks, diffs = [], []
        for _ in range(runs):
            checks.append(seconds(folder, "check"))
            diffs.append(seconds(folder, "diff", "HEAD"))
        check, diff = statistics.median(checks), statistics.median(diffs)
        print(f"records        {sum(1 for _ in (folder / 'records').rglob('*.yaml'))}")
        print(f"flopkb check   {check:6.2f} s (median of {runs})")
        print(f"flopkb diff    {diff:6.2f} s (median of {runs})")
        print(f"ratio of diff to two checks  {diff / (2 * check):.2f}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 20, int(sys.argv[2]) if len(sys.argv) > 2 else 3)
