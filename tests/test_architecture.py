"""The shape of the code: imports go one way, each outside library has one door, every rule is registered and told."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from conftest import REPOSITORY

from flopkb.checking import rules
from flopkb.checking.rules import RULES

PACKAGE = REPOSITORY / "flopkb"
FILES = sorted(PACKAGE.rglob("*.py"))

LEAVES = frozenset(
    {
        *("diagnostics", "document", "model", "units", "quoted", "formula", "faults", "findings"),
        *("quantities", "verdicts", "amounts", "prose", "scan"),
    }
)
"""Modules that import nothing of flopkb but each other."""

STAGES = ("loading", "schema", "link", "evaluate", "claims", "rules", "check", "report", "commands", "cli")
"""The way of a base through the program; a stage imports stages to its left."""

DOORS = {"click": "cli", "jsonschema": "schema", "ruamel": "loading", "hypothesis": "claims"}
"""Libraries that exactly one module imports, with the part that it belongs to."""


def module(file: Path) -> str:
    """The dotted name of a file."""
    parts = file.relative_to(REPOSITORY).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def part(name: str) -> str:
    """The part of flopkb that a module belongs to."""
    return name.split(".")[1] if "." in name else "flopkb"


@cache
def tree(file: Path) -> ast.Module:
    """A file, parsed."""
    return ast.parse(file.read_text(encoding="utf-8"), str(file))


def imports(file: Path) -> Iterator[str]:
    """The modules that a file imports when it runs (not those for type checkers alone)."""
    for_types = {
        node
        for block in ast.walk(tree(file))
        if isinstance(block, ast.If) and ast.unparse(block.test) == "TYPE_CHECKING"
        for node in ast.walk(block)
    }
    for node in ast.walk(tree(file)):
        if node in for_types:
            continue
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{file}: relative import"
            yield from (f"flopkb.{a.name}" for a in node.names) if node.module == "flopkb" else (node.module or "",)


@cache
def graph() -> dict[str, set[str]]:
    """Which part of flopkb imports which."""
    found: dict[str, set[str]] = {}
    for file in FILES:
        own = part(module(file))
        inside = {part(name) for name in imports(file) if name.startswith("flopkb.")} - {own, "flopkb"}
        found.setdefault(own, set()).update(
            name for name in inside if (PACKAGE / name).exists() or (PACKAGE / f"{name}.py").exists()
        )
    return found


def test_no_part_imports_itself_through_others() -> None:
    done: set[str] = set()

    def walk(name: str, path: tuple[str, ...]) -> None:
        assert name not in path, " -> ".join((*path, name))
        if name not in done:
            for other in sorted(graph().get(name, ())):
                walk(other, (*path, name))
            done.add(name)

    for name in graph():
        walk(name, ())


@pytest.mark.parametrize("leaf", sorted(LEAVES))
def test_a_leaf_imports_leaves_alone(leaf: str) -> None:
    assert graph()[leaf] <= LEAVES


@pytest.mark.parametrize("stage", STAGES)
def test_a_stage_imports_stages_to_its_left(stage: str) -> None:
    later = set(STAGES[STAGES.index(stage) + 1 :])
    assert graph()[stage] & later == set()


@pytest.mark.parametrize("library", DOORS)
def test_a_library_has_one_door(library: str) -> None:
    doors = [module(file) for file in FILES if any(name.split(".")[0] == library for name in imports(file))]
    assert len(doors) == 1, doors
    assert part(doors[0]) == DOORS[library]


def test_nothing_prints_but_the_command_line() -> None:
    printing = [
        f"{module(file)}:{node.lineno}"
        for file in FILES
        for node in ast.walk(tree(file))
        if isinstance(node, ast.Call) and ast.unparse(node.func) in ("print", "sys.stdout.write", "sys.stderr.write")
    ]
    assert [place for place in printing if not place.startswith("flopkb.commands.main")] == []


def test_no_float_enters_a_value() -> None:
    """Exact rationals from the written digits to the verdict: no part on that way makes a float."""
    exact = ("units", "quoted", "formula", "loading", "evaluate", "link", "rules")
    floats = [
        f"{module(file)}:{node.lineno}"
        for file in FILES
        if part(module(file)) in exact
        for node in ast.walk(tree(file))
        if (isinstance(node, ast.Constant) and isinstance(node.value, float) and not is_cutoff(node, file))
        or (isinstance(node, ast.Call) and ast.unparse(node.func) in ("float", "math.sqrt", "round"))
    ]
    assert floats == []


def is_cutoff(node: ast.Constant, file: Path) -> bool:
    """Whether a float says how alike two words are, which is no value."""
    keywords = (word for call in ast.walk(tree(file)) if isinstance(call, ast.Call) for word in call.keywords)
    positional = (
        arg
        for call in ast.walk(tree(file))
        if isinstance(call, ast.Call) and "get_close_matches" in ast.unparse(call.func)
        for arg in call.args
    )
    return any(word.arg == "cutoff" and word.value is node for word in keywords) or any(
        arg is node for arg in positional
    )


RULE_FILES = [
    file
    for file in FILES
    if part(module(file)) == "rules"
    and any(isinstance(n, ast.Assign) and ast.unparse(n.targets[0]) == "ID" for n in tree(file).body)
]


def test_every_rule_module_is_registered() -> None:
    written = {
        ast.literal_eval(n.value)
        for f in RULE_FILES
        for n in tree(f).body
        if isinstance(n, ast.Assign) and ast.unparse(n.targets[0]) == "ID"
    }
    assert written == {rule.id for rule in RULES}
    assert len(RULES) == len(RULE_FILES) == len({rule.id for rule in RULES})


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_a_rule_is_documented(rule: rules.Rule) -> None:
    """A sentence that is its title, then at least one that says more."""
    title, _, more = rule.documentation.partition("\n\n")
    assert title.endswith(".") and len(" ".join(title.split())) <= 120
    assert len(more) > 40


def test_a_rule_fits_on_a_screen() -> None:
    assert {
        file.name: len(file.read_text(encoding="utf-8").splitlines())
        for file in RULE_FILES
        if len(file.read_text(encoding="utf-8").splitlines()) > 120
    } == {}


def test_importing_the_command_line_loads_no_heavy_library() -> None:
    import subprocess
    import sys

    heavy = ("jsonschema", "ruamel", "hypothesis", "z3", "markdown_it", "jinja2", "matplotlib")
    code = f"import sys, flopkb.commands.main; print(*{{m.split('.')[0] for m in sys.modules}} & {{*{heavy}}})"
    done = subprocess.run([sys.executable, "-c", code], cwd=REPOSITORY, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""
