"""Links that stand for records: within the repository they are followed, out of it never."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner
from conftest import TinyBase

from flopkb.commands.main import main


@pytest.mark.parametrize("place", ["secret.txt", "../secret.txt"])
def test_a_link_is_followed_within_the_repository_alone(
    place: str, base: TinyBase, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = base.folder / "own"
    own.mkdir()
    (base.folder / "records").rename(own / "records")
    (base.folder / "secret.txt").write_text("secret: words\n")
    (own / "secret.txt").write_text("near: words\n")
    (own / "records" / "formulas" / "link.yaml").symlink_to(f"../../{place}")
    monkeypatch.chdir(own)
    told = CliRunner().invoke(main, ["check", "--no-cache"]).output
    outside = "records/formulas/link.yaml:1:1: error: file: a link that leads out of the repository" in told
    assert outside == place.startswith("..")
    assert "secret: words" not in told


def test_a_repository_may_be_above_the_folder(base: TinyBase, monkeypatch: pytest.MonkeyPatch) -> None:
    own = base.folder / "own"
    own.mkdir()
    (base.folder / ".git").mkdir()
    (base.folder / "records").rename(own / "records")
    shared = base.folder / "shared.yaml"
    (own / "records" / "dtypes" / "bf16.yaml").rename(shared)
    (own / "records" / "dtypes" / "bf16.yaml").symlink_to(Path("../../../shared.yaml"))
    monkeypatch.chdir(own)
    assert CliRunner().invoke(main, ["check", "--no-cache"]).exit_code == 0
