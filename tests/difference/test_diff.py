"""``flopkb diff`` and ``flopkb impact`` on scratch repositories."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

from flopkb.checking.text_report import TextStyle
from flopkb.commands import UsageFault
from flopkb.commands.check import CheckOptions, check_command
from flopkb.commands.diff import diff_command
from flopkb.commands.impact import impact_command
from flopkb.review.report import cell, code

CHIP = """\
id: chip
kind: accelerator
name: Chip
status: verified
updated: 2026-01-05
vendor: Maker
memory_bandwidth: {value: 2000 GB/s, basis: recorded, source: sheet, as_printed: "2000 GB/s"}
peak_flops:
  bf16: {dtype: bf16, sparsity: dense, value: 100 TFLOP/s, basis: recorded, source: sheet, as_printed: "100 TFLOPS"}
notes: |
  It moves [2000 GB/s](fact:chip.memory_bandwidth) and computes [100 TFLOP/s](fact:chip.peak_flops.bf16).
"""
SPEED = """\
id: speed
kind: formula
name: Speed
status: verified
updated: 2026-01-05
symbols:
  P: {meaning: peak, unit: flop/s, from: "accelerator.peak_flops[dtype]"}
  W: {meaning: bandwidth, unit: byte/s, from: accelerator.memory_bandwidth}
formulas:
  ridge: {expr: P / W, unit: flop/byte}
figures:
  chip_ridge: {formula: ridge, with: {accelerator: chip, dtype: bf16}}
derivation: |
  The chip turns at [50 flop/byte](fig:chip_ridge), or again [50](fig:chip_ridge).
"""
DTYPE = """\
id: bf16
kind: dtype
name: BF16
status: verified
updated: 2026-01-05
sources: [sheet]
bits: 16
bytes: {value: 2 byte, basis: derived, formula: bits}
notes: |
  It has [2 bytes](fact:bf16.bytes).
"""
SHEET = """\
id: sheet
kind: source
name: Sheet of the chip
status: verified
updated: 2026-01-05
source_kind: datasheet
title: The chip
organisation: Maker
year: 2026
locator: {url: "https://example.com/chip"}
"""
FILES = {
    "accelerators/chip.yaml": CHIP,
    "formulas/speed.yaml": SPEED,
    "dtypes/bf16.yaml": DTYPE,
    "sources/sheet.yaml": SHEET,
}


class Scratch:
    """A repository with a base in a subfolder."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.records = root / "base" / "records"
        self.git("init", "-q", "-b", "main")
        for path, text in FILES.items():
            self.write(path, text)
        self.commit("one")

    def git(self, *arguments: str) -> None:
        environment = {
            **os.environ,
            **{f"GIT_{who}_{what}": "x@example.com" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")},
        }
        subprocess.run(["git", *arguments], cwd=self.root, check=True, env=environment, capture_output=True)

    def write(self, path: str, text: str) -> None:
        file = self.records / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")

    def commit(self, message: str) -> None:
        self.git("add", "-A")
        self.git("commit", "-q", "-m", message)
        self.git("tag", message)


@pytest.fixture
def scratch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Scratch:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    return Scratch(tmp_path)


def differ(scratch: Scratch, *revisions: str, form: str = "json") -> str:
    return diff_command(revisions, scratch.records, form, TextStyle()).text


def test_a_base_against_itself_is_empty(scratch: Scratch) -> None:
    assert differ(scratch, "one", "one", form="text") == "nothing changed\n"
    assert differ(scratch, "one", form="text") == "nothing changed\n"
    assert all(value in ([], 0) for value in json.loads(differ(scratch, "one")).values())


def test_a_corrected_bandwidth_moves_its_figures_and_every_quote_of_them(scratch: Scratch) -> None:
    scratch.write("accelerators/chip.yaml", CHIP.replace("2000 GB/s", "2500 GB/s"))
    found = json.loads(differ(scratch, "one"))
    assert [(v["name"], v["before"], v["after"]) for v in found["values"]] == [
        ("chip.memory_bandwidth", "2000 GB/s", "2500 GB/s")
    ]
    (figure,) = found["figures"]
    assert (figure["name"], figure["before"], figure["after"]) == ("speed.chip_ridge", "50 flop/byte", "40 flop/byte")
    places = [(q["path"], q["line"], q["column"], q["after"], q["ok"]) for q in figure["quotes"]]
    assert places == [
        ("base/records/formulas/speed.yaml", 14, 22, "50 flop/byte", False),
        ("base/records/formulas/speed.yaml", 14, 63, "50", False),
    ]
    assert [(f["rule"], f["line"]) for f in found["new_findings"]] == [("figure-mismatch", 14), ("figure-mismatch", 14)]
    assert (found["fixed_findings"], found["findings_before"], found["records"]) == ([], 0, [])


def test_a_document_that_quotes_a_moved_figure_is_listed(scratch: Scratch) -> None:
    (scratch.root / "post.md").write_text("It turns at [50](fig:speed.chip_ridge).\n", encoding="utf-8")
    (scratch.root / "other.md").write_text("Nothing of this base, [50](https://example.com).\n", encoding="utf-8")
    scratch.commit("post")
    scratch.write("accelerators/chip.yaml", CHIP.replace("2000 GB/s", "2500 GB/s"))
    (figure,) = json.loads(differ(scratch, "post"))["figures"]
    assert ("post.md", 1, 14) in [(q["path"], q["line"], q["column"]) for q in figure["quotes"]]


def test_check_since_reports_only_what_the_change_brings(scratch: Scratch) -> None:
    scratch.write("accelerators/chip.yaml", CHIP.replace("2000 GB/s", "2500 GB/s"))
    scratch.commit("stale")
    scratch.write("formulas/speed.yaml", SPEED.replace("again [50]", "again [51]"))
    options = CheckOptions(records=scratch.records, since="stale", form="json")
    found = json.loads(check_command(options).text)["findings"]
    assert [(f["rule"], f["line"], f["column"], f["quoted"]) for f in found] == [("figure-mismatch", 14, 63, "51")]
    everything = json.loads(check_command(CheckOptions(records=scratch.records, form="json")).text)["findings"]
    assert len(everything) == 2
    with pytest.raises(UsageFault, match="no revision nope"):
        check_command(CheckOptions(records=scratch.records, since="nope"))


CLAIM = SPEED.replace(
    "figures:", "claims:\n  - {id: low, at_most: [ridge, 45], over: {accelerator: [chip], dtype: [bf16]}}\nfigures:"
)


def test_a_claim_that_no_longer_holds_is_a_changed_claim(scratch: Scratch) -> None:
    scratch.write("formulas/speed.yaml", CLAIM.replace("45", "60"))
    scratch.commit("claim")
    scratch.write("formulas/speed.yaml", CLAIM)
    found = json.loads(differ(scratch, "claim"))
    assert [(c["name"], c["before"], c["after"]) for c in found["claims"]] == [("speed.low", "proved", "refuted")]
    assert [f["rule"] for f in found["new_findings"]] == ["claim-refuted"]


def test_a_mended_quote_is_a_fixed_finding(scratch: Scratch) -> None:
    scratch.write("accelerators/chip.yaml", CHIP.replace("2000 GB/s", "2500 GB/s"))
    scratch.commit("two")
    scratch.write("formulas/speed.yaml", SPEED.replace("[50", "[40"))
    found = json.loads(differ(scratch, "two"))
    assert len(found["fixed_findings"]) == 2 and found["new_findings"] == [] and found["figures"] == []


def test_a_rename_that_nothing_follows_is_an_error(scratch: Scratch) -> None:
    (scratch.records / "accelerators/chip.yaml").unlink()
    scratch.write(
        "accelerators/chip_x.yaml", CHIP.replace("id: chip", "id: chip_x").replace("name: Chip", "name: chip")
    )
    outcome = diff_command(("one",), scratch.records, "json", TextStyle())
    assert outcome.code == 1
    (removal,) = json.loads(outcome.text)["removals"]
    assert (removal["id"], removal["used_by"]) == ("chip", ["speed"])


def test_a_rename_whose_users_follow_is_one_change_and_still_loses_the_id(scratch: Scratch) -> None:
    (scratch.records / "accelerators/chip.yaml").unlink()
    renamed = CHIP.replace("id: chip", "id: chip_x").replace("fact:chip.", "fact:chip_x.")
    scratch.write("accelerators/chip_x.yaml", renamed)
    scratch.write("formulas/speed.yaml", SPEED.replace("accelerator: chip,", "accelerator: chip_x,"))
    outcome = diff_command(("one",), scratch.records, "json", TextStyle())
    found = json.loads(outcome.text)
    assert [(r["before"], r["after"]) for r in found["records"]] == [("chip", "chip_x")]
    assert (found["figures"], found["values"], found["new_findings"]) == ([], [], [])
    assert (outcome.code, [r["id"] for r in found["removals"]]) == (1, ["chip"])


def test_a_deprecated_record_keeps_an_id(scratch: Scratch) -> None:
    scratch.write(
        "accelerators/chip_x.yaml", CHIP.replace("id: chip", "id: chip_x").replace("name: Chip", "name: Chip X")
    )
    scratch.write("accelerators/chip.yaml", CHIP.replace("status: verified", "status: deprecated\nrenamed_to: chip_x"))
    scratch.write("formulas/speed.yaml", SPEED.replace("accelerator: chip,", "accelerator: chip_x,"))
    outcome = diff_command(("one",), scratch.records, "json", TextStyle())
    assert (outcome.code, json.loads(outcome.text)["removals"]) == (0, [])


@pytest.mark.parametrize(
    ("revision", "said"),
    [
        ("nope", "there is no revision nope"),
        ("--all", "is no revision"),
        ("HEAD:base", "there is no revision"),
        ("main..", "main.. is a range; name single revisions: main and HEAD"),
        ("a...b", "a...b is a range; name single revisions: a and b"),
    ],
)
def test_a_revision_that_is_none_is_a_usage_fault(scratch: Scratch, revision: str, said: str) -> None:
    with pytest.raises(UsageFault, match=said):
        differ(scratch, revision)


def test_a_folder_without_git_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "records").mkdir()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    with pytest.raises(UsageFault, match="not a git repository"):
        diff_command(("HEAD",), tmp_path / "records", "text", TextStyle())


def test_no_git_at_all_says_so(scratch: Scratch, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(UsageFault, match="git is not installed"):
        differ(scratch, "one")


def test_a_revision_without_the_base_says_so(scratch: Scratch) -> None:
    scratch.git("checkout", "-q", "--orphan", "empty")
    scratch.git("rm", "-rfq", "--cached", ".")
    scratch.git("commit", "-q", "--allow-empty", "-m", "empty")
    with pytest.raises(UsageFault, match="has no records in base/records"):
        differ(scratch, "HEAD")


def test_an_older_revision_that_does_not_parse_is_named(scratch: Scratch) -> None:
    scratch.write("accelerators/chip.yaml", CHIP + "bad: [\n")
    scratch.commit("broken")
    scratch.write("accelerators/chip.yaml", CHIP)
    outcome = diff_command(("broken",), scratch.records, "json", TextStyle())
    assert "fault in the files of broken" in outcome.error
    assert json.loads(outcome.text)["removals"] == []


def test_a_shallow_clone_says_how_to_get_the_revision(scratch: Scratch, tmp_path: Path) -> None:
    scratch.write("formulas/speed.yaml", SPEED.replace("Speed\n", "Speeds\n"))
    scratch.commit("two")
    clone = tmp_path / "clone"
    scratch.git("clone", "-q", "--depth", "1", f"file://{tmp_path}", str(clone))
    with pytest.raises(UsageFault, match="shallow: fetch more"):
        diff_command(("HEAD~1",), clone / "base" / "records", "text", TextStyle())


def test_the_work_tree_is_not_touched(scratch: Scratch) -> None:
    scratch.write("accelerators/chip.yaml", CHIP.replace("2000 GB/s", "2500 GB/s"))
    before = subprocess.run(["git", "status", "--porcelain"], cwd=scratch.root, capture_output=True, check=True).stdout
    differ(scratch, "one")
    after = subprocess.run(["git", "status", "--porcelain"], cwd=scratch.root, capture_output=True, check=True).stdout
    assert before == after == b" M base/records/accelerators/chip.yaml\n"


def many_figures(number: int) -> str:
    """The speed record with further figures, each quoted once."""
    figures = "".join(f"  f{i}: {{formula: ridge, with: {{accelerator: chip, dtype: bf16}}}}\n" for i in range(number))
    quotes = "".join(f"  One more of [50](fig:f{i}).\n" for i in range(number))
    head, tail = SPEED.split("derivation: |\n")
    return f"{head}{figures}derivation: |\n{tail}{quotes}"


def test_the_markdown_of_thirty_moved_figures_is_short(scratch: Scratch) -> None:
    scratch.write("formulas/speed.yaml", many_figures(30))
    scratch.commit("many")
    scratch.write("accelerators/chip.yaml", CHIP.replace("2000 GB/s", "2500 GB/s"))
    comment = differ(scratch, "many", form="markdown")
    assert len(comment.splitlines()) < 60
    assert "31 figures moved, quoted at 32 places, 32 stale" in comment


def test_a_quote_that_is_still_wrong_is_not_fixed(scratch: Scratch) -> None:
    scratch.write("accelerators/chip.yaml", CHIP.replace("2000 GB/s", "2500 GB/s"))
    scratch.commit("stale")
    scratch.write("accelerators/chip.yaml", CHIP.replace("2000 GB/s", "2600 GB/s"))
    found = json.loads(differ(scratch, "stale", form="json"))
    assert found["fixed_findings"] == []
    assert {f["quoted"] for f in found["new_findings"]} == {"50 flop/byte", "50"}


def test_text_of_a_record_is_only_text_in_a_comment() -> None:
    assert cell("<b>|`x`~~ @someone #12\n# H") == "&lt;b&gt;\\|\\`x\\`\\~\\~ @<!-- -->someone #<!-- -->12 # H"
    assert code("a`b|c\nd.yaml:1:2") == "`a'b¦c d.yaml:1:2`"


def test_impact_lists_what_depends_on_a_value(scratch: Scratch) -> None:
    text = impact_command("chip.memory_bandwidth", (), None, scratch.records, TextStyle()).text
    assert text.splitlines() == [
        "chip.memory_bandwidth = 2000 GB/s  (base/records/accelerators/chip.yaml:7:1)",
        "├─ chip.memory_bandwidth (recorded)",
        "│  └─ base/records/accelerators/chip.yaml:11:13  2000 GB/s",
        "├─ speed.chip_ridge = 50 flop/byte",
        "│  └─ base/records/formulas/speed.yaml:14:22  50 flop/byte",
        "│  └─ base/records/formulas/speed.yaml:14:63  50",
        "1 figure and 3 quotes depend on it",
    ]


def test_impact_of_another_value_shows_what_would_break(scratch: Scratch) -> None:
    text = impact_command("chip.memory_bandwidth", (), "2.5 TB/s", scratch.records, TextStyle()).text
    assert "speed.chip_ridge: 50 flop/byte -> 40 flop/byte" in text
    assert "3 findings new" not in text and "reading-mismatch" not in text
    assert (scratch.records / "accelerators/chip.yaml").read_text(encoding="utf-8") == CHIP


def test_impact_reaches_documents(scratch: Scratch) -> None:
    """Those that are named, else those beside the base that link to it; not those of another base below."""
    page = scratch.root / "base" / "post.md"
    page.write_text(
        "# P\n\nIt reaches [50](fig:speed.chip_ridge) at [2 TB/s](fact:chip.memory_bandwidth).\n", encoding="utf-8"
    )
    (scratch.root / "base" / "plain.md").write_text("# No link\n", encoding="utf-8")
    (scratch.root / "base" / "other" / "records").mkdir(parents=True)
    (scratch.root / "base" / "other" / "post.md").write_text(page.read_text(encoding="utf-8"), encoding="utf-8")
    for paths, cwd in (((page,), scratch.root), ((), scratch.root / "base")):
        with pytest.MonkeyPatch.context() as patch:
            patch.chdir(cwd)
            text = impact_command("chip.memory_bandwidth", paths, None, scratch.records, TextStyle()).text
            assert text.count("post.md:3:") == 2 and text.endswith("1 figure and 5 quotes depend on it\n")
            text = impact_command("chip.memory_bandwidth", paths, "2.5 TB/s", scratch.records, TextStyle()).text
            assert "post.md:3:13: error: figure-mismatch: 50 is wrong" in text


def test_impact_is_the_difference_of_two_whole_checks(scratch: Scratch) -> None:
    """What is taken over from the base as it is, and what is left out since it does not read the value, changes nothing."""
    told = json.loads(
        impact_command("chip.memory_bandwidth", (), "2.5 TB/s", scratch.records, TextStyle(), "json").text
    )
    again = json.loads(
        impact_command("chip.memory_bandwidth", (), "2.5 TB/s", scratch.records, TextStyle(), "json").text
    )
    scratch.write("accelerators/chip.yaml", CHIP.replace("2000 GB/s, basis", "2.5 TB/s, basis"))
    whole = json.loads(differ(scratch, "one"))
    assert CHIP.count("2000 GB/s, basis") == 1 and told == again
    silent = ("reading-mismatch", "derived-value")
    whole["new_findings"] = [found for found in whole["new_findings"] if found["rule"] not in silent]
    assert {key: told[key] for key in whole} == whole


@pytest.mark.parametrize(
    ("name", "new", "said"),
    [
        ("chop.memory_bandwidth", None, "did you mean chip"),
        ("chip.memory_bandwith", None, "did you mean memory_bandwidth"),
        ("chip", None, "write record.value"),
        ("chip.memory_bandwidth", "3 TB", "declared in byte/s"),
        ("chip.memory_bandwidth", "fast", "no value"),
    ],
)
def test_impact_says_what_is_wrong_with_the_question(scratch: Scratch, name: str, new: str | None, said: str) -> None:
    with pytest.raises(UsageFault, match=said):
        impact_command(name, (), new, scratch.records, TextStyle())


def test_a_link_in_the_repository_is_the_record_that_it_leads_to(scratch: Scratch) -> None:
    """As in the work tree; one that leads nowhere, out of the repository or to itself is no record of a commit."""
    file = scratch.root / "base" / "records" / "accelerators" / "chip.yaml"
    (scratch.root / "shared.yaml").write_bytes(file.read_bytes())
    file.unlink()
    file.symlink_to("../../../shared.yaml")
    for name, target in (("gone", "nowhere.yaml"), ("out", "/etc/hostname"), ("loop", "loop.yaml")):
        file.with_name(f"{name}.yaml").symlink_to(target)
    scratch.commit("linked")
    kept = scratch_records(scratch, "linked")
    assert "base/records/accelerators/chip.yaml" in kept
    assert not [path for path in kept if path.endswith(("gone.yaml", "out.yaml", "loop.yaml"))]


def scratch_records(scratch: Scratch, revision: str) -> dict[str, bytes]:
    from flopkb.base.revisions import Revisions

    revisions = Revisions.of(scratch.records, scratch.root)
    return revisions.record_files(revisions.repository.commit(revision))
