"""Whatever the document and its data: a changed digit is found, a value moved beyond what is written is, nothing else is."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from .project import Project

UNITS = {"": "", "_ms": " ms", "_s": " s", "_pct": "%", "_mib": " MiB"}


@dataclass(frozen=True)
class Cell:
    """A value in a file with the number that quotes it; both as written."""

    key: str
    value: str
    quoted: str

    @property
    def link(self) -> str:
        """The number with its unit."""
        return self.quoted + next(unit for ending, unit in reversed(UNITS.items()) if self.key.endswith(ending))

    def holds(self) -> bool:
        """The rule, worked out here: half of the last digit, at most a tenth."""
        decimals = len(self.quoted.partition(".")[2])
        place, q, v = Fraction(1, 10**decimals), Fraction(self.quoted), Fraction(self.value)
        return abs(v - q) <= min(place / 2, abs(q) / 10)


def rounded(value: Fraction, decimals: int) -> str:
    """A value at so many decimals, a half rounded up."""
    scaled = value * 10**decimals
    whole = (scaled.numerator * 2 + scaled.denominator) // (2 * scaled.denominator)
    digits = str(whole).rjust(decimals + 1, "0")
    return digits if not decimals else f"{digits[:-decimals]}.{digits[-decimals:]}"


@st.composite
def cells(draw: st.DrawFn) -> list[Cell]:
    """Values of one to six digits, each quoted at up to as many decimals as it has."""
    found = []
    for number in range(draw(st.integers(1, 8))):
        digits, decimals = draw(st.integers(1, 999_999)), draw(st.integers(0, 4))
        value = Fraction(digits, 10**decimals)
        quoted = rounded(value, draw(st.integers(0, decimals)))
        cell = Cell(f"k{number}{draw(st.sampled_from(list(UNITS)))}", rounded(value, decimals), quoted)
        if cell.holds():
            found.append(cell)
    assume(found)
    return found


def as_json(cells: list[Cell]) -> tuple[str, str, Callable[[Cell], str]]:
    """The cells nested in JSON: the file, its content, the links."""
    inner = ", ".join(f"{json.dumps(cell.key)}: {cell.value}" for cell in cells)
    return "d.json", f'{{"a": {{"b": {{{inner}}}}}}}', lambda cell: f"fact:d.a.b.{cell.key}"


def as_csv(cells: list[Cell]) -> tuple[str, str, Callable[[Cell], str]]:
    """The cells as the one row of a table."""
    lines = [",".join(cell.key for cell in cells), ",".join(cell.value for cell in cells)]
    return "d.csv", "\n".join(lines) + "\n", lambda cell: f"fact:d.{cell.key}"


def as_yaml(cells: list[Cell]) -> tuple[str, str, Callable[[Cell], str]]:
    """The cells as keys of YAML."""
    return "d.yaml", "".join(f"{cell.key}: {cell.value}\n" for cell in cells), lambda cell: f"fact:d.{cell.key}"


Layout = Callable[[list[Cell]], tuple[str, str, Callable[[Cell], str]]]
LAYOUTS: list[Layout] = [as_json, as_csv, as_yaml]


def found(cells: list[Cell], layout: Layout) -> list[str]:
    """The keys whose quotes are reported, in the order of the document."""
    name, content, link = layout(cells)
    at = f"{{file: {name}, at: '[0]'}}" if name.endswith("csv") else name
    rows = [f"- [{cell.link}]({link(cell)})" for cell in cells]
    document = "\n".join(["<!-- flopkb:", "data:", f"  d: {at}", "-->", *rows, ""])
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / name).write_text(content, encoding="utf-8")
        (Path(folder) / "README.md").write_text(document, encoding="utf-8")
        lines = Project(Path(folder)).lines()
    first = document.split("\n").index(rows[0]) + 1
    return [cells[int(line.split(":")[1]) - first].key for line in lines]


@settings(max_examples=60, deadline=None)
@given(cells(), st.sampled_from(LAYOUTS))
def test_what_holds_is_not_reported(cells: list[Cell], layout: Layout) -> None:
    assert found(cells, layout) == []


@settings(max_examples=150, deadline=None)
@given(cells(), st.sampled_from(LAYOUTS), st.data())
def test_any_changed_digit_of_a_number_is_found_and_nothing_else(
    cells: list[Cell], layout: Layout, data: st.DataObject
) -> None:
    at = data.draw(st.integers(0, len(cells) - 1))
    places = [i for i, c in enumerate(cells[at].quoted) if c.isdigit()]
    place = data.draw(st.sampled_from(places))
    digit = data.draw(st.sampled_from([d for d in "0123456789" if d != cells[at].quoted[place]]))
    changed = replace(cells[at], quoted=cells[at].quoted[:place] + digit + cells[at].quoted[place + 1 :])
    assume(not changed.holds())  # the other way to round a tie
    assert found([*cells[:at], changed, *cells[at + 1 :]], layout) == [changed.key]


@settings(max_examples=150, deadline=None)
@given(cells(), st.sampled_from(LAYOUTS), st.data())
def test_a_value_is_found_once_it_moves_beyond_what_is_written(
    cells: list[Cell], layout: Layout, data: st.DataObject
) -> None:
    at = data.draw(st.integers(0, len(cells) - 1))
    moved = Fraction(cells[at].value) + Fraction(data.draw(st.integers(-2000, 2000)), 1000)
    assume(moved > 0)
    changed = replace(cells[at], value=rounded(moved, 5))
    assert found([*cells[:at], changed, *cells[at + 1 :]], layout) == ([] if changed.holds() else [changed.key])


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 9999), st.integers(1, 9999), st.integers(0, 2))
def test_a_figure_over_two_values_follows_both(old: int, new: int, decimals: int) -> None:
    ratio = Fraction(old, new)
    text = rounded(ratio, decimals)
    cell = Cell("ratio", "", text)
    assume(Fraction(text) > 0)
    holds = abs(ratio - Fraction(text)) <= min(Fraction(1, 2 * 10**decimals), Fraction(text) / 10)
    document = "\n".join(
        [
            *("<!-- flopkb:", "data: {d: d.json}", 'figures: {r: {expr: d.old_ms / d.new_ms, unit: "1"}}', "-->"),
            f"It is [{cell.quoted}x](fig:r) faster.",
        ]
    )
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "d.json").write_text(f'{{"old_ms": {old}, "new_ms": {new}}}', encoding="utf-8")
        (Path(folder) / "README.md").write_text(document, encoding="utf-8")
        lines = Project(Path(folder)).lines()
    assert (lines == []) == holds
