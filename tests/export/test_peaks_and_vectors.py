"""What others take without taking flopkb: peaks by device name with a module of their own, and vectors of models."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import jsonschema
from conftest import TinyBase

from export.bases import resolved
from flopkb.checking.api import load
from flopkb.publishing.export.peaks import peaks_export
from flopkb.publishing.export.vectors import vectors_export

PART = """\
device_names: [Maker X1 80GB]
memory_bandwidth: {value: 3 TB/s, basis: recorded, source: paper, as_printed: 3 TB/s}
usable_memory: {value: 1000 MiB, basis: recorded, source: paper, as_printed: 1000MiB}
memory_capacity: {value: 1 GiB, basis: recorded, source: paper, as_printed: 1 GB, reading: binary}
peak_flops:
  bf16: {dtype: bf16, sparsity: dense, value: 400 TFLOP/s, basis: recorded, source: paper, as_printed: "800", reading: printed/2}
  bf16_sparse: {dtype: bf16, sparsity: sparse, value: 800 TFLOP/s, basis: recorded, source: paper, as_printed: "800"}
  fp8: {dtype: fp8, absent: not_supported}
"""
HEAD = "id: x1\nkind: accelerator\nname: X1\nstatus: verified\nupdated: 2026-01-05\n"
SIZES = """\
symbols:
  b: {meaning: bytes, unit: byte, from: kv_dtype.bytes}
  n: {meaning: layers, from: model.num_hidden_layers}
  B: {meaning: sequences, domain: {integer: [1, 9]}}
  L: {meaning: tokens, unit: token, domain: {integer: [1, 9999999]}}
formulas:
  size: {expr: 10*n*B*L*b, unit: byte}
  total: {expr: size, unit: byte}
"""


def exported(base: TinyBase, make: object) -> dict[str, bytes]:
    """The files of an export."""
    assert callable(make)
    found: dict[str, bytes] = make(resolved(load(base.records), base.records))
    return found


def test_peaks_are_dense_by_format_with_what_stands_behind_them(base: TinyBase) -> None:
    base.write("accelerators/x1.yaml", HEAD + PART)
    document = json.loads(exported(base, peaks_export)["peaks.json"])
    assert document["schema_version"] == "1.0" and document["devices"] == {"Maker X1 80GB": "x1"}
    part = document["parts"]["x1"]
    assert part["peak_flops"] == {
        "bf16": {
            "value": 400 * 10**12,
            "as_printed": "800",
            "reading": "printed/2",
            "basis": "recorded",
            "source": ["paper"],
            "contested": False,
        },
        "fp8": {"absent": "not supported by the part"},
    }
    assert [part[name]["value"] for name in ("memory_bandwidth", "usable_memory", "memory_capacity")] == [
        3 * 10**12,
        1000 * 2**20,
        2**30,
    ]


def test_the_module_says_the_same_and_imports_nothing(base: TinyBase, tmp_path: Path) -> None:
    base.write("accelerators/x1.yaml", HEAD + PART)
    module = exported(base, peaks_export)["flopkb_peaks.py"]
    (tmp_path / "flopkb_peaks.py").write_bytes(module)
    assert b"import" not in module
    asked = (
        "import flopkb_peaks as p; print(p.peak_flops('Maker X1 80GB', 'bf16'), p.memory_bandwidth('x1'), "
        "p.usable_memory('x1'))\n"
        "for dtype in ('fp8', 'int4'):\n try: p.peak_flops('x1', dtype)\n except KeyError as error: print(error.args[0])"
    )
    said = subprocess.run([sys.executable, "-c", asked], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert said.stdout.splitlines() == [
        "400000000000000 3000000000000 1048576000",
        "not supported by the part",
        "no dense peak in int4 is recorded; there is bf16, fp8",
    ]


def test_vectors_hold_what_the_formulas_give_and_how(base: TinyBase) -> None:
    base.formula("kv_cache", SIZES)
    half = (base.records / "dtypes" / "bf16.yaml").read_text(encoding="utf-8")
    for name, bits in (("fp32", 32), ("fp8", 8), ("int4", 4)):
        base.write(
            f"dtypes/{name}.yaml", half.replace("bf16", name).replace("BF16", name).replace("bits: 16", f"bits: {bits}")
        )
    files = exported(base, vectors_export)
    document = json.loads(files["vectors.json"])
    jsonschema.validate(document, json.loads(files["vectors.schema.json"]))
    (model,) = document["models"]
    assert [(one["tokens"], one["kv"], one["total"]) for one in model["cache_bytes"]] == [
        (tokens, 10 * 30 * tokens * 2, 10 * 30 * tokens * 2) for tokens in (1, 4096, 131072, 1048576)
    ]
    assert "absent" in model["parameters"] and model["config"]["num_hidden_layers"] == 30
    steps = json.loads(files[f"derivations/{model['model']}.json"])
    assert [step["formula"] for step in steps] == ["kv_cache.size", "kv_cache.total"] * 4
    assert steps[1]["cases"][0]["value"]["decimal"] == "600"
