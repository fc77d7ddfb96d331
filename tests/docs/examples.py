"""The examples of the documentation, run as a reader would: in a copy of the repository, one document after the other.

What stands in a fenced block is an example by the word behind its fence:

- `console`: lines that begin with `$ ` are commands, the others are what they print. A line `...` stands for any lines.
- `yaml KIND`: a record of that kind, or some fields of one; it must fit the schema. `yaml` alone must be YAML.
- `python`: run in order, `>>>` sessions with what they print.
- `json`: must be JSON.

A comment before a block says more: `<!-- example: run COMMAND -->` runs something first, `<!-- example: write PATH -->` puts
the block into a file, `<!-- example: append PATH -->` at the end of one, `<!-- example: not run, REASON -->` leaves it out,
`<!-- example: in FOLDER -->` does this and what follows in a new folder beside the copy.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from conftest import REPOSITORY
from markdown_it import MarkdownIt

PAGES = sorted(
    file.relative_to(REPOSITORY).as_posix()
    for file in [*REPOSITORY.glob("*.md"), *(REPOSITORY / "docs").glob("*.md")]
    if file.name != "rules.md"
)
"""Every document that has examples; those of docs/rules.md are fixtures, which are run as such."""

_COMMENT = re.compile(r"<!--\s*example:\s*(run|write|append|not run|in)\b[ ,]*(.*?)\s*-->", re.DOTALL)
_SUM = re.compile(r"^[0-9]+ (?:record|document)s?, .* in [0-9]+\.[0-9]+ s$", re.MULTILINE)
_GROWING = re.compile(r"[0-9]+(?= records?,| documents?,| figures? recomputed,| claims? proved,)|[0-9]+\.[0-9]+(?= s$)")

COPIED = ("flopkb", "flopkb.yaml", "schema", "records", "docs", "tests/fixtures", "tests/conftest.py", "tests/rules")


@dataclass(frozen=True)
class Example:
    """A fenced block: ``words`` behind its fence, and what the comments before it ask for."""

    page: str
    line: int
    words: tuple[str, ...]
    text: str
    orders: tuple[tuple[str, str], ...] = ()

    @property
    def language(self) -> str:
        """The first word behind the fence."""
        return self.words[0] if self.words else ""

    def __str__(self) -> str:
        return f"{self.page}:{self.line}"


def examples(page: str) -> Iterator[Example]:
    """The fenced blocks of a document."""
    source = (REPOSITORY / page).read_text(encoding="utf-8")
    orders: list[tuple[str, str]] = []
    for token in MarkdownIt("commonmark").parse(source):
        if token.type == "html_block":
            orders += [(match[1], match[2]) for match in _COMMENT.finditer(token.content)]
        elif token.type == "fence":
            assert token.map is not None
            yield Example(page, token.map[0] + 1, tuple(token.info.split()), token.content, tuple(orders))
            orders = []


@dataclass(frozen=True)
class Command:
    """A command of a session with what it is said to print."""

    text: str
    printed: str


def commands(session: str) -> Iterator[Command]:
    """The commands of a console session; a line that ends with a backslash goes on in the next."""
    text, printed, going_on = "", "", False
    for line in session.splitlines():
        if going_on:
            text += "\n" + line
        elif line.startswith("$ "):
            if text:
                yield Command(text, printed)
            text, printed = line[2:], ""
        else:
            printed += line + "\n"
            continue
        going_on = line.endswith("\\")
    if text:
        yield Command(text, printed)


def settled(printed: str) -> str:
    """What is printed, without what differs from run to run, or with every record that is added to the base."""
    sums = _SUM.sub(lambda match: _GROWING.sub("N", match[0]), printed)
    lines = [line.rstrip() for line in sums.splitlines()]
    while lines and not lines[-1]:
        lines.pop()
    return "\n".join(lines)


def matches(said: str, printed: str) -> bool:
    """Whether what a document says is what was printed; `...` on a line of its own stands for any lines."""
    parts = re.split(r"^ *\.\.\.$\n?", settled(said) + "\n", flags=re.MULTILINE)
    pattern = r"(?:.*\n)*?".join(re.escape(part) for part in parts)
    return re.fullmatch(pattern + r"\n*", settled(printed) + "\n") is not None


@dataclass
class Shell:
    """A copy of the repository in which commands run, with `flopkb` on the path; `main` is what it began with."""

    folder: Path
    home: Path
    ready: bool = field(default=False)
    place: str = ""
    """The folder beside the copy in which commands run."""

    @property
    def here(self) -> Path:
        """The folder in which commands run."""
        return self.folder.parent / self.place if self.place else self.folder

    def prepare(self) -> None:
        """Make the copy, once it is needed."""
        if self.ready:
            return
        self.ready = True
        for name in (*COPIED, *(file.name for file in REPOSITORY.glob("*.md"))):
            source, target = REPOSITORY / name, self.folder / name
            target.parent.mkdir(parents=True, exist_ok=True)
            if source.is_dir():
                shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__", ".*"))
            elif source.is_file():
                shutil.copy2(source, target)
        tool = self.home / "bin" / "flopkb"
        tool.parent.mkdir(parents=True)
        tool.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m flopkb "$@"\n')
        tool.chmod(0o755)
        git = "git -c user.name=T -c user.email=t@example.org -c init.defaultBranch=main"
        self.run(f"git init -q -b main && git add -A && {git} commit -qm first")

    def run(self, command: str) -> tuple[int, str]:
        """The exit code of a command, and what it prints on both ways out."""
        self.prepare()
        environment = {
            **{name: value for name, value in os.environ.items() if not name.startswith(("GIT_", "FLOPKB"))},
            "PATH": f"{self.home / 'bin'}:{Path(sys.executable).parent}:{os.environ['PATH']}",
            "PYTHONPATH": f"{self.folder}:{self.folder / 'tests'}",
            "PYTHONDONTWRITEBYTECODE": "1",
            "HOME": str(self.home),
            "NO_COLOR": "1",
            "COLUMNS": "100",
        }
        ran = subprocess.run(
            ["bash", "-c", command], cwd=self.here, env=environment, text=True, encoding="utf-8",
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=300,
        )  # fmt: skip
        return ran.returncode, ran.stdout

    def obey(self, example: Example) -> bool:
        """Do what the comments before an example ask for; whether the example itself is still to be run."""
        for order, words in example.orders:
            if order == "not run":
                return False
            self.prepare()
            if order == "in":
                self.place = words
                self.here.mkdir()
            elif order == "run":
                code, printed = self.run(words)
                assert code == 0, f"{example}: {words}: {printed}"
            else:
                file = self.here / words
                before = file.read_text(encoding="utf-8") if order == "append" else ""
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(before + example.text, encoding="utf-8")
        return True
