"""Every example of the documentation is run, and says what is so now."""

from __future__ import annotations

import doctest
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import REPOSITORY

from flopkb.base.document import Document
from flopkb.base.loading import load_text
from flopkb.base.model import Kind
from flopkb.base.schema import validate
from flopkb.commands.main import loaded, main
from flopkb.editing.fmt import formatted

from .examples import PAGES, Example, Shell, commands, examples, matches

pytestmark = pytest.mark.slow

KINDS = {kind.value for kind in Kind}
LEAST = {
    "workload_class": "bound_by: memory\n",
    "formula": "",
    "vocabulary": "symbols: {n: {meaning: a number}}\n",
    "accelerator": "vendor: V\n",
    "interconnect": "bandwidth: {value: 1 GB/s, basis: unverified}\n",
    "model": "developer: D\n",
    "dtype": "bits: 8\nbytes: 1\n",
    "source": "source_kind: paper\ntitle: T\nyear: 2025\n",
}
"""What each kind needs besides what all need."""


@pytest.mark.parametrize("page", PAGES)
def test_examples(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shell = Shell(tmp_path / "repository", tmp_path / "home")
    faults = [fault for example in examples(page) for fault in found(example, shell, monkeypatch)]
    assert faults == [], "\n\n".join(faults)


def found(example: Example, shell: Shell, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """What is wrong with an example."""
    if not shell.obey(example):
        return
    match example.language:
        case "console":
            yield from in_the_shell(example, shell)
        case "yaml":
            yield from in_yaml(example)
        case "python":
            yield from in_python(example, shell, monkeypatch)
        case "json":
            json.loads(example.text)


def in_the_shell(example: Example, shell: Shell) -> Iterator[str]:
    """Commands that print something else than the document says; where it says nothing, those that cannot be run."""
    session = list(commands(example.text))
    told = any(command.printed for command in session)
    for command in session:
        code, printed = shell.run(command.text)
        if not matches(command.printed, printed) if told else code not in (0, 1):
            yield f"{example}: {command.text}\nprints:\n{printed}"


def in_yaml(example: Example) -> Iterator[str]:
    """YAML that cannot be read, or that does not fit the schema of the kind that the fence names."""
    kind = example.words[1] if len(example.words) > 1 else ""
    if kind not in KINDS:
        assert kind == "", f"{example}: {kind} is no kind"
        document = load_text(example.text, str(example))
        if not isinstance(document, Document):
            yield from (f"{example}: {fault}" for fault in document)
        return
    document = load_text(whole(example.text, kind), str(example))
    faults = validate(document) if isinstance(document, Document) else document
    yield from (f"{example}: {fault}" for fault in faults)
    if (
        isinstance(document, Document)
        and document.source == example.text
        and formatted(document).source != example.text
    ):
        yield f"{example} is not in the usual form, which is:\n{formatted(document).source}"


def whole(text: str, kind: str) -> str:
    """A record of a kind with the fields of an example."""
    own = set(re.findall(r"^(\w+):", text, re.MULTILINE))
    least = f"id: x\nkind: {kind}\nname: X\nstatus: draft\nupdated: 2026-01-05\n{LEAST[kind]}"
    if kind == "source":
        least += "" if own & {"authors", "organisation"} else "organisation: O\n"
        least += "" if "locator" in own else "locator: {url: https://example.org}\n"
    if kind == "formula" and "formulas" not in own:
        least += 'formulas: {f: {expr: 1, unit: "1"}}\n'
    return "".join(line for line in least.splitlines(True) if line.split(":")[0] not in own) + text


def in_python(example: Example, shell: Shell, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Sessions that print something else, and programs that fail."""
    shell.prepare()
    monkeypatch.chdir(shell.folder)
    monkeypatch.syspath_prepend(shell.folder)
    names = NAMES.setdefault(example.page, {"__name__": "__main__"})
    if ">>>" not in example.text:
        exec(compile(example.text, str(example), "exec"), names)
        return
    test = doctest.DocTestParser().get_doctest(example.text, names, str(example), example.page, example.line)
    said: list[str] = []
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    doctest.DocTestRunner(optionflags=flags).run(test, out=said.append, clear_globs=False)
    NAMES[example.page] = test.globs
    if said:
        yield "".join(said)


NAMES: dict[str, dict[str, object]] = {}
"""The names that the programs of a page have defined so far."""


def test_there_are_examples_of_every_kind() -> None:
    languages = {example.language for page in PAGES for example in examples(page)}
    assert {"console", "yaml", "python"} <= languages


def mentioned(page: str) -> Iterator[list[str]]:
    """The calls of flopkb in the text and the blocks of a document, as words."""
    text = (REPOSITORY / page).read_text(encoding="utf-8")
    spans = re.findall(r"`([^`\n]+)`", text) + re.findall(r"^\$ (flopkb .*)$", text, re.MULTILINE)
    for span in spans:
        words = span.split("#")[0].split()
        if words[:1] == ["flopkb"] and len(words) > 1:
            yield words[1:]


@pytest.mark.parametrize("page", PAGES)
def test_commands_and_options_that_are_named_exist(page: str) -> None:
    for words in mentioned(page):
        if re.fullmatch(r"[a-z][a-z-]*", words[0]) and not words[0].startswith("-"):
            assert words[0] in main.commands, (page, words)
            command = loaded(words[0])
            options = {option for parameter in command.params for option in parameter.opts}
            for word in words[1:]:
                option = word.split("=")[0].rstrip(".,;")
                assert not option.startswith("--") or option in options | {"--help", "--"}, (page, words)


LINK = re.compile(r"\[[^\]\n]*\]\(([^)\s]+)\)")


@pytest.mark.parametrize("page", PAGES)
def test_links_between_documents_lead_somewhere(page: str) -> None:
    text = re.sub(
        r"^(`{3,}).*?^\1", "", (REPOSITORY / page).read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL
    )
    text = re.sub(r"`[^`\n]*`", "", text)
    for target in LINK.findall(text):
        if re.match(r"[a-z]+:", target):
            continue  # an address, or a figure
        way, _, part = target.partition("#")
        file = (REPOSITORY / page).parent / way if way else REPOSITORY / page
        assert file.exists(), (page, target)
        assert not part or part in anchors(file), (page, target)


def anchors(file: Path) -> set[str]:
    """What the headings of a document can be linked by, as GitHub names them."""
    headings = re.findall(r"^#+ +(.*)$", file.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}
