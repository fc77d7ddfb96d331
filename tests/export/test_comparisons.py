"""Ridges and bytes of caches across records: what the formula records give, and nothing where they give nothing."""

from __future__ import annotations

import re
import sqlite3

from conftest import TinyBase

from export.bases import resolved
from flopkb.checking.api import load
from flopkb.publishing.export.html import html_export
from flopkb.publishing.export.sqlite import sqlite_export

ROOFLINE = 'formulas:\n  ridge: {expr: "accelerator.peak_flops[dtype]/accelerator.memory_bandwidth", unit: flop/byte}\n'
CACHE = """\
symbols:
  n: {meaning: layers, from: model.num_hidden_layers}
  h: {meaning: heads, from: model.num_key_value_heads}
  d: {meaning: width, from: model.head_dim}
  b: {meaning: bytes, unit: byte, from: kv_dtype.bytes}
formulas:
  per_token: {expr: 2*n*h*d*b, unit: byte/token}
"""


def table(base: TinyBase, page: str, caption: str) -> list[list[str]]:
    """The rows of a table of the site, each cell as its text."""
    site = html_export(resolved(load(base.records), base.records))[page].decode("utf-8")
    found = re.search(rf'<caption class="hidden">{caption}</caption>(.*?)</table>', site, re.DOTALL)
    rows = re.findall(r"<tr>(.*?)</tr>", found[1], re.DOTALL) if found else []
    cells = [re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row, re.DOTALL) for row in rows]
    return [[re.sub(r"<[^>]*>", "", cell) for cell in row] for row in cells]


def ridges(base: TinyBase) -> list[list[str]]:
    return table(base, "accelerators.html", "Ridge by part and precision")


def caches(base: TinyBase) -> list[list[str]]:
    return table(base, "models.html", "KV bytes per token")


def test_a_base_without_the_formulas_shows_no_table(base: TinyBase) -> None:
    assert ridges(base) == caches(base) == []


def test_the_tables_hold_the_values_of_the_formulas(base: TinyBase) -> None:
    base.formula("roofline", ROOFLINE)
    base.formula("kv_cache", CACHE)
    assert ridges(base) == [["Part", "bf16"], ["A part", "200"]]
    assert caches(base) == [["Model", "bf16"], ["A model", "96 kB"]]  # 2*30*8*100*2 byte


def test_a_formula_that_changes_changes_the_table(base: TinyBase) -> None:
    base.formula("roofline", ROOFLINE.replace("/accelerator", "/2/accelerator"))
    base.formula("kv_cache", CACHE.replace("2*n*h*d*b", "n*h*d*b/2"))
    assert ridges(base)[1:] == [["A part", "100"]]
    assert caches(base)[1:] == [["A model", "24 kB"]]


def test_a_model_for_which_the_formula_has_no_value_is_left_out(base: TinyBase) -> None:
    base.formula("kv_cache", CACHE)
    other = (base.records / "models" / "llm.yaml").read_text(encoding="utf-8").replace("head_dim: 100\n", "")
    base.write("models/other.yaml", other.replace("id: llm", "id: other").replace("A model", "Another"))
    assert caches(base)[1:] == [["A model", "96 kB"]]


def test_a_latent_cache_goes_before_the_heads_that_it_would_expand_to(base: TinyBase) -> None:
    base.formula("kv_cache", CACHE)
    base.formula("mla_decode", CACHE.replace("2*n*h*d*b", "n*d*b"))
    assert caches(base)[1:] == [["A model latent", "6 kB"]]  # 30*100*2 byte


def test_a_cell_without_a_value_has_the_reason(base: TinyBase) -> None:
    base.formula("roofline", ROOFLINE)
    part = (base.records / "accelerators" / "gpu.yaml").read_text(encoding="utf-8")
    wide = "\n".join(
        f"  {name}: {{dtype: {name}, sparsity: dense, value: 800 TFLOP/s, basis: unverified}}"
        for name in ("bf16", "fp8")
    )
    rows = re.sub(r"peak_flops:\n.*\n", f"peak_flops:\n{wide}\n", part)
    base.write("accelerators/wide.yaml", rows.replace("id: gpu", "id: wide").replace("A part", "Wide"))
    fp8 = (base.records / "dtypes" / "bf16.yaml").read_text(encoding="utf-8").replace("bf16", "fp8")
    base.write("dtypes/fp8.yaml", fp8.replace("BF16", "FP8").replace("bits: 16", "bits: 8"))
    assert ridges(base) == [["Part", "bf16", "fp8"], ["A part", "200", "not recorded"], ["Wide", "400", "400"]]
    site = html_export(resolved(load(base.records), base.records))["accelerators.html"].decode("utf-8")
    assert 'href="formulas/roofline.html#ask&amp;formula=ridge&amp;accelerator=gpu&amp;dtype=bf16"' in site


def asked(base: TinyBase, query: str) -> list[tuple[object, ...]]:
    connection = sqlite3.connect(":memory:")
    connection.deserialize(sqlite_export(resolved(load(base.records), base.records)))
    assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
    found = connection.execute(query).fetchall()
    connection.close()
    return found


def test_the_views_of_the_database_have_the_same_values(base: TinyBase) -> None:
    ridge, cache = (
        "SELECT part, precision, peak_tflop_per_s, ridge_flop_per_byte FROM ridge_by_part_and_precision",
        ("SELECT model, kv_dtype, cache, bytes_per_token FROM kv_bytes_by_model"),
    )
    assert asked(base, ridge) == asked(base, cache) == []
    base.formula("roofline", ROOFLINE)
    base.formula("kv_cache", CACHE)
    assert asked(base, ridge) == [("gpu", "bf16", 400.0, 200.0)]
    assert asked(base, cache) == [("llm", "bf16", "heads", 96000.0)]
    base.change("formulas/kv_cache.yaml", {"2*n*h*d*b": "n*h*d*b/2"})
    assert asked(base, cache) == [("llm", "bf16", "heads", 24000.0)]
