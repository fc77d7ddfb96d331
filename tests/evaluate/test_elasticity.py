"""Elasticities against pencil and paper: powers add up, sums weigh their parts, the winner of a max decides."""

from __future__ import annotations

from fractions import Fraction

import pytest
from conftest import TinyBase

from flopkb.arithmetic.diagnostics import Location
from flopkb.base.document import Scalar
from flopkb.base.elasticity import Tie, elasticity
from flopkb.base.faults import BadInput, MissingInput, Unavailable
from flopkb.base.link import FormulaRef

F = Fraction
PLACE = Location("t.yaml", 1, 1)
RECORD = """symbols:
  data: {meaning: bytes read, unit: byte, domain: {integer: [1, 1000000000000]}}
  work: {meaning: operations, unit: flop, domain: {integer: [1, 1000000000000000]}}
  B: {meaning: sequences, domain: {integer: [1, 1000]}}
  bandwidth: {meaning: memory bandwidth, unit: byte/s, from: accelerator.memory_bandwidth}
  peak: {meaning: peak rate, unit: flop/s, from: "accelerator.peak_flops[dtype]"}
  memory: {meaning: memory, unit: byte, from: accelerator.memory_capacity}
formulas:
  f: {expr: "EXPR", unit: UNIT}
"""


def of(base: TinyBase, expr: str, unit: str, quantity: str, **inputs: object) -> object:
    base.formula("t", RECORD.replace("EXPR", expr).replace("UNIT", unit))
    evaluation = base.evaluate()
    texts = {name: str(value) for name, value in {"accelerator": "gpu", "dtype": "bf16", **inputs}.items()}
    bound = {n: Scalar(PLACE, int(v) if v.isdigit() else v, v) for n, v in texts.items()}
    return elasticity(evaluation.evaluator, FormulaRef("t", "f"), quantity, bound, "t", PLACE)


# The part has 2e12 byte/s, 400e12 flop/s and 80e9 byte: its ridge is 200 flop/byte.
CASES = [
    ("inverse", "data/bandwidth", "s", "memory_bandwidth", {"data": 10}, -1),
    ("not at all", "data/bandwidth", "s", "peak_flops", {"data": 10}, 0),
    ("a power", "data*bandwidth**3/bandwidth", "byte^3/s^2", "memory_bandwidth", {"data": 10}, 2),
    ("memory-bound", "max(work/peak, data/bandwidth)", "s", "memory_bandwidth", {"data": 10, "work": 1999}, -1),
    ("beyond the ridge", "max(work/peak, data/bandwidth)", "s", "memory_bandwidth", {"data": 10, "work": 2001}, 0),
    ("peak, memory-bound", "max(work/peak, data/bandwidth)", "s", "peak_flops", {"data": 10, "work": 1999}, 0),
    ("peak, beyond", "max(work/peak, data/bandwidth)", "s", "peak_flops", {"data": 10, "work": 2001}, -1),
    # Half of the time each: -1/2.
    ("in turn", "work/peak + data/bandwidth", "s", "peak_flops", {"data": 10, "work": 2000}, F(-1, 2)),
    # 80/(80 - 20) of what is left over.
    ("what is left over", "(memory - data)/B", "byte", "memory_capacity", {"data": 20 * 10**9, "B": 1}, F(4, 3)),
    ("open, but it cancels", "(memory - data)/B", "byte", "memory_capacity", {"data": 20 * 10**9}, F(4, 3)),
    ("rounded down", "floor((memory - data)/B)", "byte", "memory_capacity", {"data": 20 * 10**9, "B": 7}, F(4, 3)),
    ("rounded down and open", "floor((memory - data)/B)", "byte", "memory_capacity", {"data": 20 * 10**9}, F(4, 3)),
    ("through another formula", "cache.ridge", "flop/byte", "peak_flops", {}, 1),
    ("given as an expression", "data/bandwidth", "s", "memory_capacity", {"data": "memory/2"}, 1),
]


@pytest.mark.parametrize(
    ("expr", "unit", "quantity", "inputs", "expected"), [case[1:] for case in CASES], ids=[case[0] for case in CASES]
)
def test_by_hand(base: TinyBase, expr: str, unit: str, quantity: str, inputs: dict[str, object], expected: int) -> None:
    assert of(base, expr, unit, quantity, **inputs) == expected


def test_where_both_sides_of_a_max_meet(base: TinyBase) -> None:
    found = of(base, "max(work/peak, data/bandwidth)", "s", "peak_flops", data=10, work=2000)
    assert isinstance(found, Tie)


def test_sides_that_meet_at_one_rate_have_an_elasticity(base: TinyBase) -> None:
    assert of(base, "max(data/bandwidth, data*B/bandwidth)", "s", "memory_bandwidth", data=10, B=1) == -1


def test_what_is_missing_is_named(base: TinyBase) -> None:
    found = of(base, "(memory - data)/B", "byte", "memory_capacity", B=1)
    assert isinstance(found, MissingInput) and found.names == ("data",)
    found = of(base, "max(work/peak, data/bandwidth)", "s", "memory_bandwidth", data=1)
    assert isinstance(found, MissingInput) and found.names == ("work",)


def test_a_cost_of_zero_has_none(base: TinyBase) -> None:
    assert isinstance(of(base, "memory - data", "byte", "memory_capacity", data=80 * 10**9), BadInput)


def test_a_value_that_the_part_lacks(base: TinyBase) -> None:
    base.write("dtypes/fp8.yaml", (base.records / "dtypes/bf16.yaml").read_text().replace("bf16", "fp8"))
    assert isinstance(of(base, "work/peak", "s", "peak_flops", dtype="fp8", work=1), Unavailable)
