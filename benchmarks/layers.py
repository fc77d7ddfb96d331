"""How long ``eval kv_cache.size`` takes for a model of five groups of layers, as a ratio to one of a single group.

    python benchmarks/layers.py [RUNS]

Both models stand in one copy of the base, each run is one start of the command, and the
ratio is of the medians, measured in turns. Aim: at most 2.
"""

from __future__ import annotations

import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

RECORDS = Path(__file__).resolve().parent.parent / "records"
HEAD = """id: {id}
kind: model
name: Measured {id}
status: verified
updated: 2026-01-05
developer: Makers
config_source: llama_3_8b_config
max_position_embeddings: 131072
num_hidden_layers: 30
mixers:
"""
MIXERS = (
    "full: {type: full_attention, num_attention_heads: 8, num_key_value_heads: 2, head_dim: 64}",
    "local: {type: sliding_attention, sliding_window: 512, num_attention_heads: 8, num_key_value_heads: 4, head_dim: 64}",
    "chunked: {type: chunked_attention, attention_chunk_size: 4096, num_attention_heads: 8, num_key_value_heads: 2, head_dim: 32}",
    "latent: {type: latent_attention, num_attention_heads: 8, kv_lora_rank: 64, qk_rope_head_dim: 16, "
    "qk_nope_head_dim: 32, v_head_dim: 32}",
    "state: {type: mamba2, state_heads: 8, state_key_dim: 16, state_value_dim: 64, conv_kernel: 4, n_groups: 1}",
)


def record(id: str, mixers: tuple[str, ...]) -> str:
    """A model of 30 layers, in as many groups as there are mixers."""
    parts = "".join(f"  {mixer}\n" for mixer in mixers)
    count = 30 // len(mixers)
    names = (mixer.partition(":")[0] for mixer in mixers)
    groups = "".join(f"  - {{count: {count}, mixers: [{name}]}}\n" for name in names)
    return HEAD.format(id=id) + parts + "layers:\n" + groups


def seconds(folder: Path, model: str) -> float:
    """One run of the command."""
    inputs = [f"model={model}", "kv_dtype=bf16", "L=4096", "B=1"]
    command = [sys.executable, "-m", "flopkb", "eval", "kv_cache.size", *inputs, "--records", str(folder)]
    began = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - began


def main(runs: int) -> None:
    """Alternate the two models and print medians and ratio."""
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made) / "records"
        shutil.copytree(RECORDS, folder)
        for id, mixers in (("one_group", MIXERS[:1]), ("five_groups", MIXERS)):
            (folder / "models" / f"{id}.yaml").write_text(record(id, mixers), "utf-8")
        times: dict[str, list[float]] = {"one_group": [], "five_groups": []}
        for name in (*times, *(name for _ in range(runs) for name in times)):
            times[name].append(seconds(folder, name))
    medians = {name: statistics.median(found[1:]) for name, found in times.items()}  # the first fills the file cache
    for name, median in medians.items():
        print(f"{name:<12} {median * 1000:7.1f} ms (median of {runs})")
    print(f"ratio {medians['five_groups'] / medians['one_group']:.2f}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 7)
