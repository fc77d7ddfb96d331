"""How long ``flopkb --help`` and a question take, as ratios to importing click alone, measured in turns in one run.

    python benchmarks/startup.py [RUNS]

All are whole interpreter starts; the ratios are of the medians, by the clock and by the time of the processor (which says
more on a busy machine). Aims: at most 2 for help, under 0.35 s on an idle machine for a question.
"""

from __future__ import annotations

import resource
import statistics
import subprocess
import sys
import time

QUESTION = ["eval", "kv_cache.size", "model=Llama-3-8B", "kv_dtype=fp8", "B=1", "L=128k"]
COMMANDS = {
    "python -c pass": [sys.executable, "-c", "pass"],
    "import click": [sys.executable, "-c", "import click"],
    "flopkb --help": [sys.executable, "-m", "flopkb", "--help"],
    "flopkb eval": [sys.executable, "-m", "flopkb", *QUESTION],
    "flopkb eval, a step": [
        *(sys.executable, "-m", "flopkb", "eval", "decode_step.rate", "h100", "model=Llama-3-8B", "B=1", "L=2k")
    ],
}


def seconds(command: list[str]) -> tuple[float, float]:
    """One run of a command, by the clock and by the processor."""
    began, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return time.perf_counter() - began, used


def main(runs: int) -> None:
    """Alternate the commands and print medians and ratios."""
    times: dict[str, list[tuple[float, float]]] = {name: [] for name in COMMANDS}
    for command in COMMANDS.values():
        seconds(command)  # the first run fills the file cache
    for _ in range(runs):
        for name, command in COMMANDS.items():
            times[name].append(seconds(command))
    medians = {
        name: [statistics.median(column) for column in zip(*found, strict=True)] for name, found in times.items()
    }
    clock, used = medians["import click"]
    for name, (wall, cpu) in medians.items():
        print(
            f"{name:<20} {wall * 1000:7.1f} ms {wall / clock:6.2f} x   processor {cpu * 1000:7.1f} ms {cpu / used:6.2f} x"
        )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 15)
