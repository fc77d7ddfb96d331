"""What claims cost: time per claim by layer, and their share of the default check of the base.

    python benchmarks/claims.py [RUNS]

Times are those of the processor, the medians of RUNS runs in one process. ``other`` is reading a claim, its cases and
spaces; the layers are those of ``flopkb.arithmetic.prover``. The last lines compare with everything else that the check does; aim:
claims take no more than the rest.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections import defaultdict
from pathlib import Path

from flopkb.base.claims import Claims, Effort, use_effort
from flopkb.base.evaluate import Evaluation
from flopkb.base.pipeline import evaluated_base
from flopkb.checking.check import check

ROOT = Path(__file__).resolve().parents[1]
LAYERS = ("signs", "points", "solver", "hypothesis", "shrink")


def main(runs: int) -> None:
    """Print the table and the comparison."""
    per_claim: defaultdict[str, list[float]] = defaultdict(list)
    layers: defaultdict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    rest, total, corrections = [], [], []
    for _ in range(runs):
        began = time.process_time()
        base = evaluated_base(ROOT / "records", ROOT)
        use_effort(base, Effort(), skip=True)
        check(base)
        rest.append(time.process_time() - began)
        claims = use_effort(base, Effort(clock=time.process_time))
        began = time.process_time()
        time_claims(base, claims, per_claim, layers)
        between = time.process_time()
        for record in base.kb.records.values():
            for place in range(len(record.corrections)):
                claims.correction(record, place)
        corrections.append(time.process_time() - between)
        total.append(time.process_time() - began)
    print_claims(claims, per_claim, layers)
    spent, others = statistics.median(total), statistics.median(rest)
    print(f"claims and corrections {spent * 1000:7.1f} ms (corrections {statistics.median(corrections) * 1000:.1f} ms)")
    print(f"the rest of the check  {others * 1000:7.1f} ms")
    print(f"ratio {spent / others:.2f} (aim: at most 1), share {spent / (spent + others):.0%}")


def time_claims(
    base: Evaluation,
    claims: Claims,
    per_claim: defaultdict[str, list[float]],
    layers: defaultdict[str, dict[str, list[float]]],
) -> None:
    """Decide every claim once and note what it took."""
    seconds = claims.checker.effort.seconds
    for record in base.kb.records.values():
        for name in record.claims:
            seconds.clear()
            began = time.process_time()
            claims.claim(record.id, name)
            key = f"{record.id}.{name}"
            per_claim[key].append(time.process_time() - began)
            for layer in LAYERS:
                layers[key][layer].append(seconds.get(layer, 0.0))


def print_claims(
    claims: Claims,
    per_claim: defaultdict[str, list[float]],
    layers: defaultdict[str, dict[str, list[float]]],
) -> None:
    """A line for each claim, the dearest first, in milliseconds."""
    print(f"{'claim':<52}{'total':>8}{'other':>8}" + "".join(f"{layer:>11}" for layer in LAYERS) + "  verdict")
    for key in sorted(per_claim, key=lambda key: -statistics.median(per_claim[key])):
        took = statistics.median(per_claim[key])
        parts = [statistics.median(layers[key][layer]) for layer in LAYERS]
        own = "".join(f"{part * 1000:11.2f}" for part in parts)
        record, _, name = key.partition(".")
        verdict = claims.claim(record, name)
        print(f"{key:<52}{took * 1000:8.2f}{max(0.0, took - sum(parts)) * 1000:8.2f}{own}  {verdict}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 5)
