"""A base with two hundred faults: by one process and two, with nothing kept, all kept and damage, it prints the same."""

from __future__ import annotations

import random
import re
import shutil
from pathlib import Path

import pytest
from conftest import NEUTRAL, TinyBase

from flopkb.checking import cores, kept
from kept.test_kept import told as told_with_time

KINDS = (
    "It is [{n}](fig:six).",
    "It is [6](fig:seven{n}).",
    "There are 1{n} of them.",
    "It is [at most {n}](fig:six) and [9 GB](fig:six).",
    "Then [`2*{n} = 6`](fig:six) and `2*3 = {n}`.",
)


def faulty(folder: Path) -> None:
    """Ten records with twenty faulty sentences each, some that cannot be read, and a cycle."""
    shutil.copytree(NEUTRAL / "records", folder / "records")
    base = TinyBase(folder)
    for record in range(10):
        lines = "".join(f"  {KINDS[n % 5].format(n=7 + record * 20 + n)}\n" for n in range(20))
        body = f'formulas:\n  six: {{expr: 2*3, unit: "1"}}\n  a: {{expr: b, unit: "1"}}\n  b: {{expr: a, unit: "1"}}\nderivation: |\n{lines}'
        base.formula(f"faulty_{record}", body, "draft" if record % 3 == 2 else "verified")
    base.write("formulas/broken.yaml", "id: broken\nid: broken\n")


def told(records: Path, *, no_cache: bool, jobs: int = 1, form: str) -> str:
    """What a check prints, without its time."""
    return re.sub(r" in [0-9.]+ s$", "", told_with_time(records, no_cache=no_cache, jobs=jobs, form=form).rstrip())


@pytest.mark.parametrize("form", ["text", "json", "sarif", "github"])
def test_one_output(form: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(cores, "FEWEST", 2)
    faulty(tmp_path)
    records, choose = tmp_path / "records", random.Random(form)
    cold = told(records, no_cache=True, form=form)
    assert told(records, no_cache=True, form="json").count('"rule":') >= 200
    outputs = [told(records, no_cache=True, jobs=2, form=form), told(records, no_cache=False, jobs=2, form=form)]
    outputs.append(told(records, no_cache=False, form=form))
    folder = kept.cache_folder()
    assert folder is not None
    for file in sorted(folder.iterdir()):
        whole = file.read_bytes()
        at = choose.randrange(len(whole))
        for damaged in (whole[:at], whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :], whole[::-1]):
            file.write_bytes(damaged)
            outputs.append(told(records, no_cache=False, jobs=choose.choice((1, 2)), form=form))
    assert len(outputs) >= 6
    assert outputs == [cold] * len(outputs)
