"""A change of one recorded value changes every number, cell and plot that depends on it, and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from flopkb.publishing.pages.blocks import Captioned, Finished, Picture, PlainTable
from flopkb.publishing.pages.html import html
from flopkb.publishing.pages.writing import plain
from flopkb.publishing.render.rendering import difference, meaning

from .bases import changed_base, document, shipped, template

pytestmark = pytest.mark.slow

H100 = "accelerators/nvidia_h100_sxm.yaml"
OLD, NEW = 3350, 4000
_VALUE = "memory_bandwidth:\n  value: 3350 GB/s"


def said(made: Finished) -> list[str]:
    """The words of a page."""
    return meaning(html(made), "html")


def moved(before: list[str], after: list[str]) -> set[tuple[str, str]]:
    """The words that differ, old and new; the pages have the same words otherwise."""
    assert len(before) == len(after)
    return {(old, new) for old, new in zip(before, after, strict=True) if old != new and "=" not in old}


def charts(made: Finished) -> list[Picture]:
    return [block.body for block in made.blocks if isinstance(block, Captioned) and isinstance(block.body, Picture)]


def test_the_sample_moves_with_the_bandwidth_of_the_h100(tmp_path: Path) -> None:
    base = changed_base(tmp_path, H100, _VALUE, _VALUE.replace("3350", "4000"))
    before, after = shipped("decode_is_memory_bound"), document(template("decode_is_memory_bound"), base)
    words = moved(said(before), said(after))
    # 989.5e12 / 3350e9 = 295.37 becomes 989.5e12 / 4000e9 = 247.375. A square matrix of 4,096 crosses at
    # ridge*m*n/(m*n - ridge*(m + n)/2*2/2) = 1/(1/ridge - 2/4096): 1/(1/247.375 - 1/2048) = 281.36, so at 282 for 346.
    ridge = OLD * 1000 * 989.5 / 3350 / 1000
    assert abs(ridge - 989.5) < 1e-9
    seen = {(old.strip(".,()"), new.strip(".,()")) for old, new in words}
    assert ("295", "247") in seen and ("346", "282") in seen and ("3.35", "4") in seen
    assert ("295.373", "247.375") in seen or any(
        old.startswith("295.37") and new.startswith("247.37") for old, new in seen
    )
    (old_chart,), (new_chart,) = charts(before), charts(after)
    assert old_chart.chart.rows != new_chart.chart.rows
    unmoved = {row.series for row in old_chart.chart.rows} & {row.series for row in new_chart.chart.rows}
    assert "attention, MHA" in unmoved
    for words_old, words_new in seen:
        assert any(c.isdigit() for c in words_old) and any(c.isdigit() for c in words_new), (words_old, words_new)


def test_in_the_comparison_only_the_rows_of_that_part_move(tmp_path: Path) -> None:
    base = changed_base(tmp_path, H100, _VALUE, _VALUE.replace("3350", "4000"))
    before, after = shipped("long_context_accelerators"), document(template("long_context_accelerators"), base)

    def rows(made: Finished) -> dict[str, list[str]]:
        (grid,) = [b.body for b in made.blocks if isinstance(b, Captioned) and isinstance(b.body, PlainTable)]
        return {plain(row[0]): [plain(cell) for cell in row[1:]] for row in grid.rows}

    old, new = rows(before), rows(after)
    changed = {name for name in old if old[name] != new[name]}
    assert changed == {"H100 SXM"}
    # Bandwidth, ridge and step time move; capacity and what fits do not.
    assert [a != b for a, b in zip(old["H100 SXM"], new["H100 SXM"], strict=True)] == [
        False,
        True,
        True,
        False,
        False,
        True,
    ]
    assert new["H100 SXM"][1] == "4,000" and new["H100 SXM"][2] == "247"
    # A step reads no table of embeddings: (8,030,261,248 - 128,256 * 4096) * 2 + 131,072 * 32,768 = 19,304,816,640
    # bytes / 4000 GB/s = 4.826 ms
    assert new["H100 SXM"][5] == "4.83"
    # Capacities are all that the plot of cache sizes takes from parts.
    assert charts(before)[0].chart.rows == charts(after)[0].chart.rows


def test_a_change_that_nothing_rests_on_changes_only_the_version(tmp_path: Path) -> None:
    base = changed_base(tmp_path, "accelerators/nvidia_l4.yaml", "announced: 2023", "announced: 2022")
    before, after = shipped("decode_is_memory_bound"), document(template("decode_is_memory_bound"), base)
    assert before.version != after.version
    assert not difference(html(before), html(after), "html")
