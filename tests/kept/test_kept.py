"""What is kept of a check never changes what the next one finds: it is the same as with nothing kept, by any processes."""

from __future__ import annotations

import json
import random
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import NEUTRAL, TESTS, TinyBase
from hypothesis import given, settings
from hypothesis import strategies as st

from flopkb.checking import cores, kept
from flopkb.commands.check import CheckOptions, check_command, kept_run

CASES = sorted(case for case in (TESTS / "fixtures").glob("*/*/*") if case.is_dir() and case.parents[1] != NEUTRAL)
SWAPS = (
    "fast",
    "slow",
    "small",
    "bf16",
    "speed",
    "attention",
    "1",
    "2",
    "8",
    "100",
    "n_kv",
    "B",
    "figures",
    "claims",
    "#",
    ":",
)


@pytest.fixture(autouse=True)
def apart(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Results are kept in a folder of the test's own, and small bases are split too."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
    monkeypatch.setattr(cores, "FEWEST", 2)


def told(records: Path, *, no_cache: bool, jobs: int = 1, form: str = "json") -> str:
    """What a check prints, without its time."""
    outcome = check_command(CheckOptions(records=records, form=form, no_cache=no_cache, jobs=jobs))
    return outcome.text.rpartition(" in ")[0] if form == "text" else outcome.text


def reset(folder: Path, cases: list[Path]) -> None:
    """The neutral base with some cases laid over it, in place of what is there."""
    shutil.rmtree(folder / "records", ignore_errors=True)
    shutil.copytree(NEUTRAL / "records", folder / "records")
    for case in cases:
        TinyBase(folder).overlay(case)


def states(folder: Path, draw: random.Random, steps: int) -> Iterator[str]:
    """A base that changes at random: other cases, and edits of bytes, lines and files; each change with what it was."""
    reset(folder, draw.sample(CASES, 2))
    for _ in range(steps):
        files = sorted((folder / "records").rglob("*.yaml"))
        file = draw.choice(files)
        lines = file.read_text(encoding="utf-8").split("\n")
        place = draw.randrange(len(lines))
        match draw.randrange(9):
            case 0:
                reset(folder, draw.sample(CASES, 3))
                yield "other cases"
                continue
            case 1:
                lines.insert(place, lines[draw.randrange(len(lines))])
            case 2:
                del lines[place]
            case 3:
                lines.insert(0, "# a line more")
            case 4:
                old, new = draw.choice(SWAPS), draw.choice(SWAPS)
                lines[place] = lines[place].replace(old, new)
            case 5:
                other = draw.choice(files)
                lines = other.read_text(encoding="utf-8").split("\n")
                file.unlink()
                if other == file:
                    yield f"{file.name} is gone"
                    continue
            case 6:
                lines[place] = lines[place].replace(draw.choice("123456789"), draw.choice("123456789"))
            case 7:
                lines = [line.replace("status: verified", "status: draft") for line in lines]
            case _:
                lines = [*lines[:place], lines[place] + " again", *lines[place + 1 :]]
        file.write_text("\n".join(lines), encoding="utf-8")
        yield f"{file.name}:{place}"


def test_every_case_after_another(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Through the cases of all rules, one state of the base after the other."""
    monkeypatch.chdir(tmp_path)
    for case in CASES[:: max(1, len(CASES) // 40)]:
        reset(tmp_path, [case])
        assert told(tmp_path / "records", no_cache=False) == told(tmp_path / "records", no_cache=True), case


@settings(deadline=None, max_examples=4)
@given(seed=st.integers(0, 2**32))
def test_edits_at_random(seed: int, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Each state in a sequence of edits gives what a check of that state alone gives."""
    folder, draw = tmp_path_factory.mktemp("edited"), random.Random(seed)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        for change in states(folder, draw, 12):
            fresh = told(folder / "records", no_cache=True)
            assert told(folder / "records", no_cache=False, jobs=draw.choice((1, 2))) == fresh, change


@pytest.mark.parametrize("form", ["text", "json"])
def test_processes_and_damage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, form: str) -> None:
    """One process, two, nothing kept, all kept, damaged, and cut off: one output."""
    monkeypatch.chdir(tmp_path)
    reset(tmp_path, [case for case in CASES if case.parent.name == "invalid"][::17])
    records = tmp_path / "records"
    one = told(records, no_cache=True, form=form)
    outputs = [told(records, no_cache=True, jobs=2, form=form), told(records, no_cache=False, jobs=2, form=form)]
    outputs.append(told(records, no_cache=False, form=form))
    folder = kept.cache_folder()
    assert folder is not None
    (file,) = folder.iterdir()
    whole = file.read_bytes()
    for damaged in (b"", whole[:100], whole[:-1], whole.replace(b"error", b"eRRor"), b"0" * 40 + b"\n{}", b"\xff" * 99):
        file.write_bytes(damaged)
        outputs.append(told(records, no_cache=False, form=form))
    assert one.count("error") >= 3
    assert outputs == [one] * len(outputs)


def test_what_is_kept_is_used(base: TinyBase, monkeypatch: pytest.MonkeyPatch) -> None:
    """Unchanged, nothing is read anew; after one edit, what does not depend on it is not checked again."""
    monkeypatch.chdir(base.folder)
    options = CheckOptions(records=base.records, form="json")
    assert kept_run(base.records, base.folder, options).base is not None
    assert kept_run(base.records, base.folder, options).base is None
    ran: list[str] = []
    monkeypatch.setattr(cores, "share", lambda held, id, share=cores.share: ran.append(id) or share(held, id))
    (source,) = [file for file in base.records.rglob("*.yaml") if "kind: dtype" in file.read_text(encoding="utf-8")][:1]
    source.write_text(source.read_text(encoding="utf-8") + "# a comment at the end\n", encoding="utf-8")
    kept_run(base.records, base.folder, options)
    assert source.stem in ran
    assert len(ran) < len(list(base.records.rglob("*.yaml")))


def test_documents_are_checked_on_what_is_known_of_the_base(base: TinyBase, monkeypatch: pytest.MonkeyPatch) -> None:
    """A document alone has no record checked again, but for those of which it uses more; what is found stays the same."""
    monkeypatch.chdir(base.folder)
    size = "fig:cache.size?model=llm&kv_dtype=bf16&L=10"
    page = base.folder / "post.md"
    page.write_text(
        f"# P\n\nIt moves [2 TB/s](fact:gpu.memory_bandwidth), takes [170 bytes]({size}).\n", encoding="utf-8"
    )
    ran: list[str] = []
    monkeypatch.setattr(cores, "share", lambda held, id, share=cores.share: ran.append(id) or share(held, id))

    def found(*, no_cache: bool) -> str:
        ran.clear()
        options = CheckOptions(paths=(page,), records=base.records, form="text", no_cache=no_cache, jobs=1)
        return check_command(options).text.rpartition(" in ")[0]

    fresh = found(no_cache=True)
    assert "post.md:3" in fresh and "160 byte" in fresh and {"cache", "gpu"} <= set(ran)
    assert found(no_cache=False) == fresh  # nothing is known yet
    assert found(no_cache=False) == fresh and "post.md" in ran and not {"cache", "gpu", "llm"} & set(ran)
    base.change("models/llm.yaml", {"num_key_value_heads: 8": "num_key_value_heads: 4", "[8](fact": "[4](fact"})
    fresh = found(no_cache=True)
    assert "80 byte" in fresh
    assert found(no_cache=False) == fresh and "llm" in ran and "sheet" not in ran


def test_two_at_once_leave_one_whole_result(base: TinyBase, monkeypatch: pytest.MonkeyPatch) -> None:
    """A result that another check has just written is read whole, or not at all."""
    monkeypatch.chdir(base.folder)
    keeper = kept.Keeper.of(base.records, base.folder, "usual False")
    told(base.records, no_cache=False)
    assert keeper.file is not None
    first = keeper.load()
    assert first.result is not None
    assert [each.name for each in keeper.file.parent.iterdir()] == [keeper.file.name]
    assert json.loads(keeper.file.read_bytes().partition(b"\n")[2])["result"]["key"] == first.result.key


def test_where_nothing_can_be_kept(base: TinyBase, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a folder to write to, checks find the same."""
    monkeypatch.chdir(base.folder)
    monkeypatch.setenv("XDG_CACHE_HOME", "/dev/null/nowhere")
    assert told(base.records, no_cache=False) == told(base.records, no_cache=True)


def test_only_the_newest_results_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The folder does not grow without bound."""
    monkeypatch.setattr(kept, "MOST_FILES", 3)
    for number in range(6):
        kept.Keeper(tmp_path / f"{number}.json").save(kept.Kept())
    assert len(list(tmp_path.iterdir())) == 3
