"""What is nested deeper than is read as structure is text: no number in it is lost."""

from __future__ import annotations

import pytest

from flopkb.arithmetic.prose import read_prose


@pytest.mark.parametrize("mark", ["> ", "- ", "1. ", "> - ", "* > 1. "])
@pytest.mark.parametrize("depth", [1, 15, 20, 37, 38, 39, 40, 41, 200])
def test_a_link_at_any_depth_is_read(mark: str, depth: int) -> None:
    reading = read_prose(mark * depth + "[7](fig:six) and 8 GB\n")
    assert [link.text for link in reading.links] == ["7"]
    assert [bare.text for bare in reading.bare if bare.text == "8"] == ["8"]


def test_deep_lines_that_follow_each_other() -> None:
    text = "".join("> " * depth + f"[{depth}](fig:six)\n" for depth in (60, 30, 70))
    assert [link.text for link in read_prose(text).links] == ["60", "30", "70"]
