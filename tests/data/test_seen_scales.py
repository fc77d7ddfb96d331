"""What a reader sees at a number belongs to it: the scale in a head or a label, a word behind the link, a tag around it."""

from __future__ import annotations

from pathlib import Path

import pytest

from flopkb.base.data.numbers import unit_of_key

from .project import Project, declared


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(tmp_path).write(r_json='{"count": 12, "share": 0.975, "lat_ms": 12.4}')


def rules(project: Project, text: str) -> list[str]:
    project.write(D_md=declared("r: r.json", text=text))
    return [line.split(": ")[2] for line in project.lines()]


@pytest.mark.parametrize(
    "head",
    [
        "Runs (k)",
        "Runs (K)",
        "Runs (thousands)",
        "[M]",
        "Runs, millions",
        "(in millions)",
        "Runs x10^3",
        "Runs (B)",
        "Runs ×10³",
        "Runs in thousands",
        "Runs (mn)",
    ],
)
@pytest.mark.parametrize("table", ["| a | {} |\n|---|---|\n| b | {} |", "a | {}\n---|---\nb | {}"])
def test_a_scale_in_the_head_of_a_column(project: Project, head: str, table: str) -> None:
    assert rules(project, table.format(head, "[12](fact:r.count)")) == ["figure-mismatch"]


@pytest.mark.parametrize("head", ["Batch (B)", "Runs", "Top-k (k)", "Runs (all)", "Tokens (T)", "Runs (1)"])
def test_letters_that_are_no_scale(project: Project, head: str) -> None:
    assert rules(project, f"| a | {head} |\n|---|---|\n| b | [12](fact:r.count) |") == []


@pytest.mark.parametrize(
    ("label", "written", "wanted"),
    [
        ("count (k)", "[12](fact:r.count)", ["figure-mismatch"]),
        ("count (k)", "[0.012](fact:r.count)", []),
        ("share (%)", "[0.975](fact:r.share)", ["figure-mismatch"]),
        ("share (%)", "[97.5](fact:r.share)", []),
        ("latency (ms)", "[12.4](fact:r.lat_ms)", []),
        ("llama (8B)", "[12](fact:r.count)", []),
    ],
)
def test_a_scale_in_the_label_of_a_row(project: Project, label: str, written: str, wanted: list[str]) -> None:
    assert rules(project, f"| a | b |\n|---|---|\n| {label} | {written} |") == wanted


@pytest.mark.parametrize(
    "text",
    [
        "([12]({})) x 10^6",
        "[12]({}) (in millions)",
        "[12]({}) (million)",
        "[12]({}) pct",
        "[12]({}) per mille",
        "[12]({}) €",
        "[12]({}) mn",
        "[12]({}) mio",
        "[12]({}) K runs",
        "[12]({}) lakh",
        "[12]({}) crore",
        "[12]({}) dozens",
        "p[12]({})",
        "[12]({}) thousandths",
        "—[12]({})",
        "[12]({}) (%)",
    ],
)
def test_what_stands_at_a_link(project: Project, text: str) -> None:
    assert rules(project, text.format("fact:r.count")) == ["partial-quantity"]


@pytest.mark.parametrize(
    "text", ["word—[12]({})", "[12]({}) (in all)", "[12]({}) K heads", "([12]({}))", "[12]({}) runs"]
)
def test_what_says_nothing_of_the_number(project: Project, text: str) -> None:
    assert rules(project, text.format("fact:r.count")) == []


@pytest.mark.parametrize("text", ["[12 1]", "[12\n1]"])
def test_a_second_number_is_no_unit(project: Project, text: str) -> None:
    assert rules(project, f"{text}(fact:r.count)") == ["unreadable-number"]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("<span data-flopkb=fact:r.count>19</span>", ["figure-mismatch"]),
        ("<span data-flopkb=fact:r.count>12</span>", []),
        ("<b data-flopkb='fact:r.count'>19</b>", ["figure-mismatch"]),
        ("<b data-flopkb=fact:r.count><b>12</b></b>", []),
        ('<span data-flopkb="fact:r.count" />13', ["link-without-number"]),
        ("<span data-flopkb=fact:r.count/>13", ["link-without-number"]),
        ('<span data-flopkb="fact:r.count">13', ["link-without-number"]),
        (
            "<table><tr><td data-flopkb=fact:r.count>12</td><td data-flopkb=fact:r.count>13</td></tr></table>",
            ["figure-mismatch"],
        ),
    ],
)
def test_every_tag_that_names_a_value_is_held_to_it(project: Project, text: str, wanted: list[str]) -> None:
    assert rules(project, text) == wanted


@pytest.mark.parametrize(
    ("key", "unit"),
    [
        ("thr_mb_s", None),
        ("prefill_tok_s", None),
        ("tokens_per_s", None),
        ("p50_s", "s"),
        ("step_ms", "ms"),
        ("per_tok_ms", "ms"),
        ("heap_mib", "MiB"),
    ],
)
def test_a_rate_counts_no_seconds(key: str, unit: str | None) -> None:
    assert unit_of_key(key) == unit
