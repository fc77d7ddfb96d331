"""The documentation page of a rule: its docstring, with a failing and a passing example from its fixtures."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from flopkb.checking.findings import Rule
from flopkb.checking.rules import RULES

_AROUND = 3
_SHORT = 24
_FENCES = {".yaml": "yaml", ".md": "markdown", ".json": "json", ".csv": "text"}
_IGNORED = "<!-- flopkb: ignore an example -->"


def fixtures_folder() -> Path | None:
    """The fixtures of the rules: those of a checkout, else those in the installed package."""
    here = Path(__file__).resolve().parents[1]
    for folder in (here.parent / "tests" / "fixtures", here / "data" / "fixtures"):
        if folder.is_dir():
            return folder
    return None


def rule_page(rule: Rule, fixtures: Path | None) -> str:
    """The page as Markdown."""
    lines = [f"## {rule.id}", "", rule.documentation.replace("``", "`")]
    if fixtures is not None:
        lines += examples(fixtures / rule.id)
    return "\n".join(lines) + "\n"


def all_pages(fixtures: Path | None) -> str:
    """Every rule, in order, with a table of contents."""
    head = [
        "# Rules",
        "",
        "What `flopkb check` looks for. Each rule has an id, by which it is selected (`--select`), left out (`--ignore`)",
        "and suppressed in a record (`suppress: [{rule: ..., at: ..., reason: ...}]`). This page is made from the rules.",
        "",
        *(f"- [{rule.id}](#{rule.id}): {rule.title.replace('``', '`')}" for rule in RULES),
        "",
    ]
    return "\n".join(head) + "\n" + "\n".join(rule_page(rule, fixtures) for rule in RULES)


def examples(folder: Path) -> Iterator[str]:
    """One failing and one passing case, the first by name that holds files to show."""
    folder = folder / "base" if (folder / "base").is_dir() else folder
    failing = first_case(folder / "invalid")
    if failing is not None:
        expected = failing / "expected.txt"
        found = expected.read_text(encoding="utf-8").splitlines() if expected.is_file() else []
        yield from ("", f"Found ({title(failing)}):", "")
        yield from shown_files(failing, [line_number(line) for line in found])
        yield from ("```text", *map(silenced, found), "```")
    passing = first_case(folder / "valid")
    if passing is not None:
        yield from ("", f"Fine ({title(passing)}):", "")
        yield from shown_files(passing, [])


def silenced(line: str) -> str:
    """A finding about an equation, which is wrong on purpose: a check of this document passes over it."""
    return f"{line} {_IGNORED}" if "error: equation-" in line else line


def first_case(folder: Path) -> Path | None:
    """The first case of a folder."""
    cases = sorted(case for case in folder.iterdir() if case.is_dir()) if folder.is_dir() else []
    return next((case for case in cases if files_of(case)), None)


def files_of(case: Path) -> list[Path]:
    """The files of a case that can be shown: records, or a document with its data."""
    return [file for suffix in _FENCES for file in sorted(case.rglob(f"*{suffix}"))]


def title(case: Path) -> str:
    """The case's name in words."""
    return case.name.replace("-", " ").replace("_", " ")


def line_number(line: str) -> int:
    """The line in a diagnostic."""
    return int(line.split(":")[1])


def shown_files(case: Path, faults: list[int]) -> Iterator[str]:
    """The files of a case; of a long one, what stands around the faults."""
    for file in files_of(case)[:2]:
        lines = file.read_text(encoding="utf-8", errors="replace").splitlines()
        if case.parents[1].name.startswith("equation-"):
            lines = [f"{line} {_IGNORED}" if number in faults else line for number, line in enumerate(lines, 1)]
        kept = lines if len(lines) <= _SHORT or not faults else excerpt(lines, faults)
        fence, name = _FENCES[file.suffix], file.relative_to(case).as_posix()
        if fence == "yaml":
            yield from ("```yaml", f"# {name}", *kept[:_SHORT], "```")
        else:
            yield from (f"{name}:", "", f"```{fence}", *kept[:_SHORT], "```", "")


def excerpt(lines: list[str], faults: list[int]) -> list[str]:
    """The lines near the first fault."""
    at = min(faults)
    return lines[max(0, at - 1 - _AROUND) : at + _AROUND]
