"""Brings docs/measured.json up to date, from which README and docs take their numbers (``make docs`` runs it).

    python benchmarks/measured.py [--times]

Counts are taken anew each time; with ``--times`` the benchmark of documents with data is run as well. What takes hours or
a new environment (the mutants, the set-up) is written by hand where it was measured.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import flopkb
from flopkb.base.claims import claims_of
from flopkb.checking.rules import RULES

ROOT = Path(__file__).resolve().parents[1]
FILE = ROOT / "docs" / "measured.json"


def counts() -> dict[str, int]:
    """How much there is."""
    base = flopkb.load(ROOT / "records")
    claims = claims_of(base.evaluation)
    for record in base.records.values():
        dict(claims.of_record(record))
    return {
        "records": len(base.records),
        "figures": base.evaluation.recomputed,
        "claims": claims.counts()["proved"],
        "rules": len(RULES),
    }


def seconds() -> float:
    """What the benchmark of documents with data says."""
    command = [sys.executable, str(ROOT / "benchmarks" / "readme_numbers.py")]
    last = subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip().splitlines()[-1]
    return float(last.rpartition(": ")[2].split(" ")[0])


def main() -> None:
    """Write the file, if anything in it changed."""
    held = json.loads(FILE.read_text(encoding="utf-8"))
    held["base"] = counts()
    if "--times" in sys.argv[1:]:
        held["readme_numbers"]["check_s"] = seconds()
    FILE.write_text(json.dumps(held, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
