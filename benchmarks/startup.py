"""How long ``flopkb --help`` takes, as a ratio to importing click alone, measured in turns in one run.

    python benchmarks/startup.py [RUNS]

Both are whole interpreter starts; the ratio is of the medians. Aim: at most 2.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import time

COMMANDS = {
    "import click": [sys.executable, "-c", "import click"],
    "flopkb --help": [sys.executable, "-m", "flopkb", "--help"],
}


def seconds(command: list[str]) -> float:
    """One run of a command."""
    began = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - began


def main(runs: int) -> None:
    """Alternate the two commands and print medians and ratio."""
    times: dict[str, list[float]] = {name: [] for name in COMMANDS}
    for command in COMMANDS.values():
        seconds(command)  # the first run fills the file cache
    for _ in range(runs):
        for name, command in COMMANDS.items():
            times[name].append(seconds(command))
    medians = {name: statistics.median(found) for name, found in times.items()}
    for name, median in medians.items():
        print(f"{name:<14} {median * 1000:7.1f} ms (median of {runs})")
    print(f"ratio {medians['flopkb --help'] / medians['import click']:.2f}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 15)
