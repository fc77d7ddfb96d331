"""Two values of one part contradict each other.

Compared are, with what their digits leave open: a peak with sparsity against the dense one of its format, which it
exceeds, up to four times; the dense peak of a narrow floating-point format against that of a wider one, which is not
faster; the width of the memory bus times the rate of a pin against the bandwidth; and a dense peak against cores times
clock, which is a power of two for each core and cycle.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations

from flopkb.arithmetic.numbers import decimal_text
from flopkb.base.evaluate import Evaluation
from flopkb.base.evaluate.differences import SLACK, exact, floating_bits, interval, meet
from flopkb.base.model import Fact, Kind, Record
from flopkb.checking.findings import Finding, RecordRule, at
from flopkb.checking.rules.reading_mismatch import in_unit_of

_MOST_SPARSE = 4


def check(record: Record, base: Evaluation) -> Iterator[Finding]:
    """Every two values of a part that say something of each other."""
    if record.kind is not Kind.ACCELERATOR:
        return
    rows = [fact for path, fact in record.facts.items() if path.startswith("peak_flops.") and fact.value is not None]
    yield from _sparse_rows(rows, record)
    yield from _narrow_rows([row for row in rows if row.sparsity == "dense"], record, base)
    yield from _bus(record)
    for row in rows:
        if row.sparsity == "dense":
            yield from _clock(row, record)


def _sparse_rows(rows: list[Fact], record: Record) -> Iterator[Finding]:
    dense = {_format(row): row for row in rows if row.sparsity == "dense"}
    for row in rows:
        other = dense.get(_format(row)) if row.sparsity == "sparse" else None
        peaks = (exact(other, record), exact(row, record)) if other is not None else (0, 0)
        if other is not None and all(peaks) and not peaks[0] < peaks[1] <= _MOST_SPARSE * peaks[0] * (1 + SLACK):
            yield _at(
                other,
                f"the dense rate {_text(other)} and {_text(row)} with sparsity cannot both be: sparsity makes a rate "
                f"greater, up to {_MOST_SPARSE} times; read the source again (most print the rate with sparsity)",
            )


def _narrow_rows(rows: list[Fact], record: Record, base: Evaluation) -> Iterator[Finding]:
    """A floating-point format that is slower than a wider one."""
    for one, two in combinations(rows, 2):
        narrow, wide = sorted((one, two), key=lambda row: floating_bits(row, base.kb.records) or 0)
        bits = floating_bits(narrow, base.kb.records), floating_bits(wide, base.kb.records)
        if None in bits or bits[0] == bits[1] or narrow.accumulate != wide.accumulate:
            continue
        if 0 < exact(narrow, record) * (1 + SLACK) < exact(wide, record):
            yield _at(
                narrow,
                f"{narrow.path} is {_text(narrow)}, slower than the wider {wide.path} with {_text(wide)}; "
                "one of the two is not the dense rate of its format",
            )


def _bus(record: Record) -> Iterator[Finding]:
    names = ("memory_bus_width", "memory_pin_rate", "memory_bandwidth")
    facts = [record.facts.get(name) for name in names]
    if any(fact is None or fact.value is None for fact in facts):
        return
    width, pin, bandwidth = (interval(fact, record) for fact in facts if fact is not None)
    stated = record.facts["memory_bandwidth"]
    if width is None or pin is None or bandwidth is None or meet((width[0] * pin[0], width[1] * pin[1]), bandwidth):
        return
    product = exact(record.facts["memory_bus_width"], record) * exact(record.facts["memory_pin_rate"], record)
    yield _at(
        stated,
        f"memory_bandwidth is {_text(stated)}, but {_text(record.facts['memory_bus_width'])} at "
        f"{_text(record.facts['memory_pin_rate'])} a pin is {in_unit_of(stated, product)}; correct the one that is wrong",
    )


def _clock(row: Fact, record: Record) -> Iterator[Finding]:
    cores, clock = record.facts.get("core_count"), record.facts.get("boost_clock")
    stated = interval(clock, record) if clock is not None else None
    if cores is None or clock is None or stated is None or not exact(cores, record) or not exact(row, record):
        return
    peak = exact(row, record) / exact(cores, record)
    each = peak / stated[1], peak / stated[0]
    power = Fraction(1)
    while power * (1 + SLACK) < each[0]:
        power *= 2
    if not meet(each, (power, power)):
        got = decimal_text(peak / exact(clock, record))
        yield _at(
            row,
            f"{row.path} is {_text(row)}: with {_text(cores)} cores at {_text(clock)} that is {got} operations a core "
            "and cycle, no power of two; correct the rate, the cores or the clock",
        )


def _format(row: Fact) -> tuple[str, str | None]:
    return row.dtype.target.text if row.dtype is not None else row.path, row.accumulate


def _text(fact: Fact) -> str:
    return fact.value.text if fact.value is not None else fact.path


def _at(fact: Fact, message: str) -> Finding:
    assert fact.value is not None
    return at(fact.value, message)


RULE = RecordRule(id="contradicting-rows", doc=__doc__, run=check)
