"""The shape of the code: imports go one way, each outside library has one door, every rule is registered and told."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from conftest import REPOSITORY

from flopkb.base import faults
from flopkb.checking import rules
from flopkb.checking.findings import Rule
from flopkb.checking.rules import RULES

PACKAGE = REPOSITORY / "flopkb"
FILES = sorted(PACKAGE.rglob("*.py"))

ROOMS = ("arithmetic", "base", "checking", "editing", "review", "publishing", "commands")
"""The rooms in the order of the way through them: a room imports itself and rooms before it."""

APART = frozenset({"editing", "review", "publishing"})
"""Rooms that do not know of each other."""

DOORS = {"jsonschema": "base", "ruamel": "base", "hypothesis": "arithmetic", "click": "commands"}
"""Libraries that one module imports (click: one room), with its room."""


def module(file: Path) -> str:
    """The dotted name of a file."""
    parts = file.relative_to(REPOSITORY).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def room(name: str) -> str:
    """The room that a module belongs to; ``flopkb`` itself is the front door."""
    return name.split(".")[1] if name.count(".") else "flopkb"


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


INSIDE = {module(file): frozenset(name for name in imports(file) if name.split(".")[0] == "flopkb") for file in FILES}
"""Every module with the modules and names of flopkb that it imports."""


def allowed(own: str) -> frozenset[str]:
    """The rooms that a room may import."""
    before = ROOMS[: ROOMS.index(own) + 1]
    return frozenset(before) - (APART - {own} if own in APART else frozenset())


def test_every_module_has_a_room() -> None:
    outside = {name for name in INSIDE if room(name) not in ROOMS}
    assert outside == {"flopkb", "flopkb.__main__"}


@pytest.mark.parametrize("own", ROOMS)
def test_a_room_imports_only_rooms_before_it(own: str) -> None:
    wrong = {
        f"{name} -> {other}"
        for name, others in INSIDE.items()
        if room(name) == own
        for other in others
        if other != "flopkb.__version__" and room(other) not in allowed(own)
    }
    assert wrong == set()


def test_no_module_is_imported_through_a_string() -> None:
    named = {
        f"{module(file)}:{node.lineno}"
        for file in FILES
        for node in ast.walk(tree(file))
        if isinstance(node, ast.Name | ast.Attribute | ast.alias)
        and (node.name if isinstance(node, ast.alias) else ast.unparse(node)).split(".")[-1]
        in ("import_module", "__import__", "spec_from_file_location")
    }
    assert named == set()


@pytest.mark.parametrize("library", DOORS)
def test_a_library_has_one_door(library: str) -> None:
    doors = [module(file) for file in FILES if any(name.split(".")[0] == library for name in imports(file))]
    assert {room(door) for door in doors} == {DOORS[library]}
    assert library == "click" or len(doors) == 1, doors


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
    exact = tuple(
        f"flopkb.{name}"
        for name in (
            *("arithmetic.units", "arithmetic.numbers", "arithmetic.formula"),
            *("base.loading", "base.evaluate", "base.link", "checking.rules"),
        )
    )
    floats = [
        f"{module(file)}:{node.lineno}"
        for file in FILES
        if module(file).startswith(exact)
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
    if module(file).startswith("flopkb.checking.rules.")
    and any(isinstance(n, ast.Assign) and ast.unparse(n.targets[0]) == "RULE" for n in tree(file).body)
]


def test_every_rule_module_is_registered() -> None:
    listed = {ast.unparse(item) for n in tree(PACKAGE / "checking/rules/__init__.py").body for item in items(n)}
    tables = (rules.of_faults, rules.of_verdicts)
    rows = [rule for table in tables for rule in vars(table).values() if isinstance(rule, Rule)]
    assert {name for name in listed if name.endswith(".RULE")} == {f"{file.stem}.RULE" for file in RULE_FILES}
    assert {rule.id for rule in rows} < {rule.id for rule in RULES}
    assert len(RULES) == len(RULE_FILES) + len(rows) == len({rule.id for rule in RULES})


def items(node: ast.stmt) -> list[ast.expr]:
    """What stands in a list of rules."""
    return node.value.elts if isinstance(node, ast.AnnAssign) and isinstance(node.value, ast.Tuple) else []


def test_a_fault_type_carries_the_rule_that_reports_it() -> None:
    types = [kind for kind in vars(faults).values() if isinstance(kind, type) and issubclass(kind, faults.Fault)]
    assert {kind.rule for kind in types if kind not in (faults.Fault, faults.Blocked)} <= {rule.id for rule in RULES}


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_a_rule_is_documented(rule: Rule) -> None:
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
