"""The command line: what is printed where, with which exit code, and that nothing around it makes it fall over."""

from __future__ import annotations

import json
import os
import re
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from conftest import REPOSITORY, TinyBase

from flopkb.checking.findings import Finding
from flopkb.commands.main import main

SIX = 'formulas:\n  six: {expr: 2*3, unit: "1"}\n'
WRONG = f"{SIX}derivation: |\n  It is [7](fig:six).\n"

Run = Callable[..., Result]


@pytest.fixture
def run(base: TinyBase, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs a command in the folder of the neutral base."""
    monkeypatch.chdir(base.folder)

    def run(*arguments: str) -> Result:
        result = CliRunner().invoke(main, arguments)
        assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
        return result

    return run


def process(*arguments: str, cwd: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Runs a command as a process of its own."""
    env = {**os.environ, "PYTHONPATH": str(REPOSITORY), **environment}
    command = [sys.executable, "-m", "flopkb", *arguments]
    return subprocess.run(command, cwd=cwd, env=env, capture_output=True, text=True, encoding="utf-8", check=False)


# Exit codes.


def test_a_clean_base_exits_0_and_sums_up(run: Run) -> None:
    result = run("check")
    assert result.exit_code == 0
    assert re.fullmatch(r"6 records, 9 figures recomputed, 0 findings in [0-9]+\.[0-9] s\n", result.output)


def test_a_warning_exits_0_unless_warnings_fail(run: Run, base: TinyBase) -> None:
    base.formula("loose", 'formulas:\n  two: {expr: 1+1, unit: "1"}\nderivation: |\n  [At most 9](fig:two).\n')
    result = run("check")
    assert result.exit_code == 0
    assert result.output.splitlines()[-1].startswith("7 records, 10 figures recomputed, 0 findings and 1 warning in")
    assert run("check", "--fail-on", "warning").exit_code == 1


def test_a_finding_exits_1_with_its_line_and_a_caret_under_the_number(run: Run, base: TinyBase) -> None:
    base.formula("wrong", WRONG)
    result = run("check")
    assert result.exit_code == 1
    assert result.stdout.splitlines()[:4] == [
        "records/formulas/wrong.yaml:9:10: error: figure-mismatch: 7 is wrong: six is 6, 1 off; write 6",
        "      It is [7](fig:six).",
        "             ^",
        "",
    ]


def test_a_crash_of_a_rule_exits_3_and_the_rest_is_reported(
    run: Run, base: TinyBase, monkeypatch: pytest.MonkeyPatch
) -> None:
    from dataclasses import replace

    import flopkb.commands.check as command

    def crash(*_: object) -> list[Finding]:
        raise RuntimeError("no good")

    base.formula("wrong", WRONG)
    rules = tuple(replace(rule, run=crash) if rule.id == "cycle" else rule for rule in command.RULES)
    monkeypatch.setattr(command, "RULES", rules)
    result = run("check")
    assert result.exit_code == 3
    assert "figure-mismatch: 7 is wrong" in result.output
    assert "crash: rule cycle failed on wrong: RuntimeError: no good" in result.output


def test_a_crash_of_a_command_exits_3_in_one_line(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def crash(*_: object) -> None:
        raise RuntimeError("no good")

    monkeypatch.setattr("flopkb.commands.check.check_command", crash)
    result = run("check")
    assert result.exit_code == 3
    assert result.stdout == ""
    assert result.stderr.startswith("flopkb: a fault of flopkb itself: RuntimeError: no good; please report it")
    assert result.stderr.count("\n") == 1


USAGE: dict[str, tuple[str, ...]] = {
    "an unknown option": ("check", "--recrods", "."),
    "an unknown command": ("chek",),
    "a folder that is not there": ("check", "--records", "nowhere"),
    "a file where the folder belongs": ("check", "--records", "records/formulas/cache.yaml"),
    "a path that is not there": ("check", "nowhere.yaml"),
    "a rule that is not there": ("check", "--select", "cycles"),
    "a record that is not there": ("show", "nothing"),
    "a kind that is not there": ("list", "gadget"),
    "a condition that is none": ("list", "model", "--where", "status"),
    "a field that no record has": ("list", "model", "--where", "colour=red"),
    "an input without a value": ("eval", "cache.size", "L="),
    "an input given twice": ("eval", "cache.size", "L=1", "L=2"),
    "a missing input": ("eval", "cache.size", "model=llm", "kv_dtype=bf16"),
    "an input that the formula has not": ("eval", "cache.size", "model=llm", "kv_dtype=bf16", "L=1", "M=2"),
}


@pytest.mark.parametrize("name", USAGE)
def test_a_wrong_call_exits_2_and_says_so_on_standard_error(name: str, run: Run) -> None:
    result = run(*USAGE[name])
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr.strip()
    assert "Traceback" not in result.stderr


def test_without_records_anywhere_above_the_check_exits_2(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("flopkb.base.pipeline.find_records", nothing_found)
    result = CliRunner().invoke(main, ["check"])
    assert result.exit_code == 2
    assert result.stderr == "flopkb: no records found: no records/ above; name the folder with --records DIR\n"


def nothing_found(start: Path) -> Path:
    from flopkb.base.pipeline import BaseNotFound

    raise BaseNotFound("no records/ above")


def test_a_folder_without_a_single_record_exits_2(empty: TinyBase, monkeypatch: pytest.MonkeyPatch) -> None:
    """A check of nothing must not look like a base in which nothing is wrong."""
    monkeypatch.chdir(empty.folder)
    result = CliRunner().invoke(main, ["check"])
    assert result.exit_code == 2
    assert (
        result.stderr == f"flopkb: {empty.records} holds no records; name the folder of the base with --records DIR\n"
    )


def test_a_folder_that_may_not_be_read_exits_2(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: object) -> None:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr("flopkb.base.loading.os.scandir", refuse)
    result = run("check", "--records", "records")
    assert result.exit_code == 2
    assert result.stderr == (
        "flopkb: no records found: records cannot be read (permission denied); name the folder with --records DIR\n"
    )


# Where it runs.


def test_in_a_folder_below_the_base_is_found_and_paths_lead_to_it(
    run: Run, base: TinyBase, monkeypatch: pytest.MonkeyPatch
) -> None:
    base.formula("wrong", WRONG)
    monkeypatch.chdir(base.records / "models")
    assert run("check").stdout.startswith("../formulas/wrong.yaml:9:10: error: ")
    monkeypatch.chdir(base.records / "formulas")
    assert run("check").stdout.startswith("wrong.yaml:9:10: error: ")


def test_a_base_named_elsewhere_is_reported_relative_to_here(run: Run, base: TinyBase, tmp_path_factory) -> None:
    base.formula("wrong", WRONG)
    here = tmp_path_factory.mktemp("elsewhere")
    os.chdir(here)
    shown = os.path.relpath(base.records / "formulas" / "wrong.yaml", here)
    assert run("check", "--records", str(base.records)).stdout.startswith(f"{shown}:9:10: error: ")


@pytest.mark.parametrize(
    ("path", "count"),
    {"records/formulas/wrong.yaml": 1, "records/formulas": 1, "records": 1, "records/models": 0, ".": 1}.items(),
)
def test_a_path_narrows_the_report(path: str, count: int, run: Run, base: TinyBase) -> None:
    base.formula("wrong", WRONG)
    result = run("check", path)
    assert result.exit_code == (1 if count else 0)
    assert result.output.count(": error: ") == count


def test_a_path_may_be_written_in_any_way(run: Run, base: TinyBase) -> None:
    base.formula("wrong", WRONG)
    for path in ("./records/formulas/", "records/../records/formulas/wrong.yaml", str(base.records / "formulas")):
        assert run("check", path).output.count(": error: ") == 1, path


# What is written.


def test_json_is_alone_on_standard_output(run: Run, base: TinyBase) -> None:
    base.formula("wrong", WRONG)
    result = run("check", "--format", "json")
    assert result.stderr == ""
    document = json.loads(result.stdout)
    assert document["findings"] == [
        {
            "rule": "figure-mismatch",
            "severity": "error",
            "path": "records/formulas/wrong.yaml",
            "line": 9,
            "column": 10,
            "message": "7 is wrong: six is 6, 1 off; write 6",
            "quoted": "7",
            "computed": "6",
            **{key: value for key, value in document["findings"][0].items() if key == "replacement"},
        }
    ]
    assert document["summary"]["records"] == 7 and document["summary"]["errors"] == 1


@pytest.mark.slow
def test_nothing_but_a_terminal_gets_colour(base: TinyBase) -> None:
    base.formula("wrong", WRONG)
    assert "\x1b" not in process("check", cwd=base.folder).stdout
    assert "\x1b[31merror\x1b[0m" in on_a_terminal(base.folder)
    assert "\x1b" not in on_a_terminal(base.folder, NO_COLOR="1")
    assert "\x1b" not in on_a_terminal(base.folder, TERM="dumb")


def on_a_terminal(cwd: Path, **environment: str) -> str:
    """What ``flopkb check`` writes to a terminal."""
    pty = pytest.importorskip("pty")
    parent, child = pty.openpty()
    env = {k: v for k, v in os.environ.items() if k != "NO_COLOR"} | {"TERM": "xterm", "PYTHONPATH": str(REPOSITORY)}
    command = [sys.executable, "-m", "flopkb", "check"]
    done = subprocess.Popen(command, cwd=cwd, env={**env, **environment}, stdout=child, stderr=child)
    done.wait(timeout=60)
    os.close(child)
    written = b""
    try:
        while chunk := os.read(parent, 65536):
            written += chunk
    except OSError:
        pass  # the other end is closed
    os.close(parent)
    return written.decode("utf-8")


def test_the_excerpt_fits_the_terminal_and_keeps_the_number_in_sight(base: TinyBase) -> None:
    from flopkb.checking.text_report import Counts, TextStyle, text_report

    long = "word " * 60
    base.formula("wrong", f"{SIX}derivation: |\n  {long}[7](fig:six) {long}\n")
    result = base.check()
    source = (base.records / "formulas" / "wrong.yaml").read_text(encoding="utf-8")
    _, excerpt, caret, *_ = text_report(result, Counts(1, 1), lambda _: source, TextStyle(width=80)).splitlines()
    assert len(excerpt) <= 80 and len(caret) <= 80
    assert excerpt[caret.index("^")] == "7"


@pytest.mark.slow
def test_a_reader_that_goes_away_ends_it_quietly(base: TinyBase) -> None:
    for id in range(60):
        base.formula(f"wrong_{id}", f"{SIX}derivation: |\n" + "  It is [7](fig:six).\n" * 40)
    env = {**os.environ, "PYTHONPATH": str(REPOSITORY)}
    command = f"{sys.executable} -m flopkb check --flat | head -1"
    done = subprocess.run(command, shell=True, cwd=base.folder, env=env, capture_output=True, text=True, check=False)
    assert done.stdout.startswith("records/formulas/wrong_0.yaml:9:10: error: ")
    assert done.stderr == ""


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
@pytest.mark.parametrize("argument", ["check", "--help", "--version"])
def test_a_full_disk_is_told(argument: str, base: TinyBase) -> None:
    env = {**os.environ, "PYTHONPATH": str(REPOSITORY)}
    with open("/dev/full", "w") as full:
        command = [sys.executable, "-m", "flopkb", argument]
        done = subprocess.run(
            command, cwd=base.folder, env=env, stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )
    assert done.returncode == 2
    assert done.stderr == "flopkb: the output could not be written: No space left on device\n"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_pipes_and_devices_are_not_waited_for(base: TinyBase) -> None:
    os.mkfifo(base.records / "formulas" / "pipe.yaml")
    os.mkfifo(base.folder / "pipe.md")
    (base.records / "formulas" / "zero.yaml").symlink_to("/dev/zero")
    done = process("check", ".", cwd=base.folder)
    assert (done.returncode, done.stdout.count(": error: file: ")) == (1, 3)
    assert process("scan", ".", cwd=base.folder).returncode == 2  # there is no document beside the pipe
    (base.folder / "page.md").write_text("2 * 2 = 4\n", encoding="utf-8")
    assert process("scan", ".", cwd=base.folder).returncode == 0
    assert process("scan", "pipe.md", cwd=base.folder).returncode == 2


def test_a_closed_standard_input_is_told(base: TinyBase) -> None:
    env = {**os.environ, "PYTHONPATH": str(REPOSITORY)}
    command = f"{sys.executable} -m flopkb scan - <&-"
    done = subprocess.run(command, shell=True, cwd=base.folder, env=env, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (2, "flopkb: standard input is closed; name a file\n")


def test_without_a_standard_output_the_exit_code_still_tells(base: TinyBase) -> None:
    env = {**os.environ, "PYTHONPATH": str(REPOSITORY)}
    command = f"{sys.executable} -m flopkb check >&-"
    done = subprocess.run(command, shell=True, cwd=base.folder, env=env, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(
    "environment",
    [
        {"PYTHONIOENCODING": "ascii"},
        {"PYTHONIOENCODING": "latin-1"},
        {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
    ],
    ids=["ascii", "latin-1", "locale C"],
)
def test_what_the_encoding_lacks_is_escaped(environment: dict[str, str], base: TinyBase) -> None:
    base.formula("wrong", f"{SIX}derivation: |\n  → [7](fig:six).\n")
    done = process("check", cwd=base.folder, **environment)
    assert done.returncode == 1
    assert done.stderr == ""
    assert "figure-mismatch: 7 is wrong" in done.stdout


# Safety.

COMMANDS: dict[str, tuple[str, ...]] = {
    "check": ("check",),
    "check json": ("check", "--format", "json"),
    "show": ("show", "gpu"),
    "explain": ("explain", "cache.size?model=llm&kv_dtype=bf16&L=10"),
    "eval": ("eval", "cache.size", "model=llm", "kv_dtype=bf16", "L=10"),
    "list": ("list", "model"),
    "rules": ("rules",),
    "help": ("--help",),
}


@pytest.mark.parametrize("name", COMMANDS)
def test_no_command_opens_a_socket(name: str, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("a socket was opened")

    monkeypatch.setattr(socket, "socket", refuse)
    monkeypatch.setattr(socket, "create_connection", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    assert run(*COMMANDS[name]).exit_code == 0


@pytest.mark.parametrize("name", COMMANDS)
def test_no_reading_command_writes_a_file(name: str, run: Run, base: TinyBase) -> None:
    def state() -> dict[str, tuple[bytes, int]]:
        files = (file for file in base.folder.rglob("*") if file.is_file())
        return {str(file): (file.read_bytes(), file.stat().st_mtime_ns) for file in files}

    before = state()
    run(*COMMANDS[name])
    assert state() == before


def test_it_runs_where_there_is_no_git_and_no_home(base: TinyBase) -> None:
    done = process("check", cwd=base.folder, PATH="", HOME="/nonexistent")
    assert (done.returncode, done.stderr) == (0, "")


def test_control_characters_of_a_record_do_not_reach_the_terminal(run: Run, base: TinyBase) -> None:
    base.formula("evil", 'formulas:\n  "\\e[31mred": {expr: 2*3, unit: "1"}\n')
    assert "\x1b" not in run("check").output


def test_a_file_name_neither_breaks_a_line_nor_colours_the_terminal(run: Run, base: TinyBase) -> None:
    base.write("formulas/a\nb\x1b[31m.yaml", "- no record\n")
    assert run("check").output.startswith("records/formulas/a b\ufffd[31m.yaml:1:1: error: yaml: ")


# The commands that answer questions.


def test_eval_prints_value_and_unit_first_and_then_the_inputs(run: Run) -> None:
    result = run("eval", "cache.size", "model=llm", "kv_dtype=bf16", "L=10")
    assert result.exit_code == 0
    assert result.output == "160 byte\n  cache.size for model=llm, kv_dtype=bf16, L=10\n"
    lines = run("eval", "cache.size", "model=llm", "kv_dtype=bf16", "L=10", "-v").output.splitlines()
    assert lines[0] == "160 byte"
    assert any("L = 10 token" in line for line in lines[1:])
    assert any("llm.num_key_value_heads: 8, recorded, config" in line for line in lines[1:])


@pytest.mark.parametrize(
    ("arguments", "first"),
    [
        (("cache.ridge", "accelerator=gpu", "dtype=bf16"), "200 flop/byte"),
        (("cache.time", "model=llm", "kv_dtype=bf16", "L=10", "accelerator=gpu"), "0.08 ns"),
        (("cache.size", "L=1Ki", "n=3", "b=4 bytes"), "12 KiB (12,288 byte)"),
        (("cache.size", "L=10", "n=8", "b=2*1"), "160 byte"),
        (("cache.size", "L=10,20", "model=llm", "kv_dtype=bf16"), "L   value"),
        (("cache.time", "L=1", "n=1", "b=1", "bandwidth=3 GB/s"), "0.333 ns"),
    ],
)
def test_eval_prints_plain_decimals(arguments: tuple[str, ...], first: str, run: Run) -> None:
    assert run("eval", *arguments).output.splitlines()[0] == first


def test_eval_says_which_inputs_are_missing(run: Run) -> None:
    result = run("eval", "cache.time", "kv_dtype=bf16")
    assert (
        result.stderr
        == "flopkb: cache.time: missing inputs L (context), model, accelerator; add L=VALUE model=ID accelerator=ID "
        "(flopkb list model or flopkb list accelerator names them)\n"
    )


def test_a_list_that_could_be_one_number_is_refused(run: Run) -> None:
    result = run("eval", "cache.size", "L=1,500", "model=llm", "kv_dtype=bf16")
    assert result.exit_code == 1
    told = "`1,500` could be one number or a list; write 1500, or `1, 500` for a list"
    assert result.stderr == f"flopkb: cache.size: {told}\n"
    text = run("eval", "cache.size", "L=1, 500", "model=llm", "kv_dtype=bf16").output
    assert [line.split() for line in text.splitlines()[:3]] == [
        ["L", "value"],
        ["1", "0.016", "kB"],
        ["500", "8", "kB"],
    ]


def test_eval_takes_points_and_leaves_out_what_cancels(run: Run, base: TinyBase) -> None:
    base.formula(
        "ratio",
        "symbols:\n  a: {meaning: one, domain: {integer: [1, 9]}}\n  b: {meaning: other, domain: {integer: [1, 9]}}\n"
        'formulas:\n  twice: {expr: 2*a*b / b, unit: "1"}\npoints:\n  here: {a: 3}\n'
        "derivation: |\n  [6](fig:twice?here).\n",
    )
    lines = run("eval", "ratio.twice", "here", "--verbose").output.splitlines()
    assert lines[0] == "6"
    assert lines[-1] == "  does not depend on b"


REFUSED = {
    "a sparse row named as a format": (
        ("roofline.ridge", "accelerator=nvidia_h100_sxm", "dtype=bf16_sparse"),
        "dtype names bf16_sparse, which is no record of the base: it is a sparse row of peak_flops; name the number "
        "format, bf16",
    ),
    "a precision that the part lacks": (
        ("roofline.ridge", "accelerator=nvidia_a100_80gb_sxm", "dtype=fp8"),
        "nvidia_a100_80gb_sxm has no fp8 arithmetic (its record says not_supported), so it has no peak_flops for fp8",
    ),
    "a peak that nobody published": (
        ("roofline.ridge", "accelerator=apple_m3_ultra", "dtype=bf16"),
        "no bf16 peak of apple_m3_ultra is published (its record says not_published), so nothing can be computed "
        "from it",
    ),
    "a batch with two meanings": (
        ("kv_cache.size", "model=llama_2_7b", "kv_dtype=bf16", "L=32", "B=32k"),
        "`32k` could mean 1000 or 1024; write 32000, or 32768 (as 32Ki) for multiples of 1024",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_eval_on_the_real_base_refuses_with_the_reason(name: str) -> None:
    arguments, reason = REFUSED[name]
    done = CliRunner().invoke(main, ["eval", *arguments, "--records", str(REPOSITORY / "records")])
    assert done.exit_code in (1, 2)
    assert done.stdout == ""
    assert done.stderr == f"flopkb: {arguments[0]}: {reason}\n"


def test_eval_on_the_real_base_as_the_issue_asks() -> None:
    records = ["--records", str(REPOSITORY / "records")]
    done = CliRunner().invoke(main, ["eval", "decode_attention.ai", "model=llama_3_8b", "kv_dtype=int8", *records])
    assert done.output.splitlines()[0] == "8 flop/byte"
    done = CliRunner().invoke(main, ["eval", "kv_cache.size", "model=llama_2_7b", "kv_dtype=bf16", *records])
    assert done.exit_code == 2
    missing = "missing inputs L (context of each sequence), B (number of sequences decoded together)"
    assert done.stderr == f"flopkb: kv_cache.size: {missing}; add L=VALUE B=VALUE\n"


def test_explain_shows_all_that_is_behind_a_figure() -> None:
    done = CliRunner().invoke(main, ["explain", "decode_attention.gap_mha", "--records", str(REPOSITORY / "records")])
    text = done.output
    for part in (
        "295.373",  # the value
        "19790/67",  # the exact rational: 989500/3350
        "roofline.ridge / ai",  # the formula
        "3350 GB/s",  # an input as it is written
        "recorded",  # its basis
        "nvidia_h100_datasheet",  # its source
        "accelerators/nvidia_h100_sxm.yaml:",  # its place
        "read as sparse",  # how the peak is read
        "295x",  # a quote of it
        "workload_classes/decode_attention.yaml:",  # and its place
    ):
        assert part in text, part


def test_show_prints_prose_without_link_targets(run: Run, base: TinyBase) -> None:
    base.formula("six", f"{SIX}derivation: |\n  It is [6](fig:six).\n")
    text = run("show", "six").output
    assert "It is 6." in text
    assert "fig:" not in text


def test_list_narrows_by_conditions(run: Run, base: TinyBase) -> None:
    base.formula("young", SIX, status="draft")
    assert [line.split()[0] for line in run("list", "formula").output.splitlines()] == ["cache", "young"]
    assert [line.split()[0] for line in run("list", "formula", "--where", "status=draft").output.splitlines()] == [
        "young"
    ]
    assert run("list", "models").output.split()[0] == "llm"


def test_a_question_to_a_base_with_unreadable_files_is_answered_with_a_warning(run: Run, base: TinyBase) -> None:
    base.write("formulas/broken.yaml", "id: [\n")
    result = run("eval", "cache.ridge", "accelerator=gpu", "dtype=bf16")
    assert result.exit_code == 0
    assert result.stdout.startswith("200 flop/byte")
    assert "flopkb check shows" in result.stderr
