"""What the action, the documented workflow and the hooks may do."""

from __future__ import annotations

import re

import pytest
from conftest import REPOSITORY

from flopkb.base.document import Document, Mapping, plain
from flopkb.base.loading import load_text

ACTION = (REPOSITORY / "action.yml").read_text(encoding="utf-8")
PAGE = (REPOSITORY / "docs" / "github_action.md").read_text(encoding="utf-8")
HOOKS = (REPOSITORY / ".pre-commit-hooks.yaml").read_text(encoding="utf-8")
WORKFLOWS = re.findall(r"```yaml\n(name: .*?)```", PAGE, re.DOTALL)
USES = re.compile(r"uses: (\S+)@(\S+)(.*)")


def jobs(workflow: str) -> dict[str, str]:
    """The text of each job."""
    _, _, body = workflow.partition("\njobs:\n")
    parts = re.split(r"^  (\w+):\n", body, flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


@pytest.mark.parametrize("text", [ACTION, PAGE], ids=["action.yml", "github_action.md"])
def test_every_action_is_pinned_to_a_commit(text: str) -> None:
    used = USES.findall(text)
    assert used
    for name, revision, note in used:
        if name == "OWNER/flopkb":
            assert revision == "REVISION" and "commit" in note
        else:
            assert re.fullmatch(r"[0-9a-f]{40}", revision) and re.search(r"# v\d+\.\d+\.\d+$", note.rstrip()), name


def test_code_of_a_pull_request_has_no_right_to_write() -> None:
    """Only a job that takes nothing from the pull request's folder may write; the default is no right at all."""
    (workflow,) = WORKFLOWS
    assert "\non: pull_request\n" in workflow and "pull_request_target" not in workflow
    assert "\npermissions: {}\n" in workflow
    for name, text in jobs(workflow).items():
        rights = re.findall(r"^      ([\w-]+): (read|write)\b", text, re.MULTILINE)
        assert rights, name
        writes = [right for right, how in rights if how == "write"]
        if "actions/checkout" in text or "OWNER/flopkb" in text:
            assert not writes and "persist-credentials: false" in text, name
        assert "secrets." not in text


def test_no_text_of_a_pull_request_is_put_into_a_script() -> None:
    (workflow,) = WORKFLOWS
    for text in (ACTION, workflow):
        scripts = re.findall(r"run: (?:\|\n((?: {8,}.*\n)+)|(.*))", text)
        assert scripts and not [script for script in scripts if "${{" in "".join(script)]


def test_modules_of_a_pull_request_are_not_searched() -> None:
    """``python -m`` looks for modules in the current folder first, which is the one of the pull request."""
    assert re.findall(r"python (?:-I )?-m \w+", ACTION) == ["python -I -m pip"]


def test_hooks_run_flopkb_alone() -> None:
    document = load_text("hooks:\n" + HOOKS, "hooks.yaml")
    assert isinstance(document, Document) and isinstance(document.root, Mapping)
    for entry in re.findall(r"^  entry: (.*)$", HOOKS, re.MULTILINE):
        assert re.fullmatch(r"flopkb [\w .-]+", entry), entry
    assert plain(document.root)
