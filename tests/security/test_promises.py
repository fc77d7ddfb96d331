"""Every command on a small base, among it hostile records, documents, data and templates, under watch."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import REPOSITORY, TinyBase

from flopkb.publishing.export.output import FORMATS

TOUCH = "__import__('os').system('touch pwned')"
CONFIG = {"model_type": "llama", "num_hidden_layers": 2, "num_attention_heads": 4, "hidden_size": 64}
HOSTILE = {
    "records/formulas/tag.yaml": "!!python/object/apply:os.system ['touch pwned']\n",
    "records/formulas/call.yaml": "id: call\nkind: formula\nname: Call\nstatus: draft\nupdated: 2026-01-05\n"
    f'formulas:\n  a: {{expr: "{TOUCH}", unit: "1"}}\nnotes: |\n  `{TOUCH}` [7](https://example.org/x) ![8](http://example.org/x.png)\n',
    "records/sources/away.yaml": "id: away\nkind: source\nname: Away\nstatus: draft\nupdated: 2026-01-05\n$ref: https://example.org/x\n",
    "page.md": "<!-- flopkb:\ndata:\n  a: {file: https://example.org/x.json}\n  b: {file: ../outside.json}\n"
    "  c: {file: in.yaml}\n-->\n[1](fact:a.x) [2](fact:b.x) [3](fact:c.x)\n<script>alert(1)</script>\n",
    "in.yaml": "x: !!python/object/apply:os.system ['touch pwned']\n",
    "page.md.j2": "{{ ''.__class__ }}{{ cycler.__init__.__globals__.os.popen('touch pwned').read() }}\n",
    "good.md.j2": "It takes {{ fig('cache.size', model='llm', kv_dtype='bf16', L=10) }}.\n",
    "config.json": json.dumps(
        {**CONFIG, "auto_map": {"AutoModel": "evil.Model"}, "_name_or_path": "https://example.org/x"}
    ),
    "track.md": "It took 12.4 ms.\n",
    "data.json": '{"p50_ms": 12.4}',
    "usercustomize.py": "open('pwned', 'w')\n",
    "yaml.py": "open('pwned', 'w')\n",
}
PROGRAMS = ("subprocess.Popen ('git'", "subprocess.Popen ('fc-list'")
"""What is run besides: git, for revisions, and what matplotlib asks for the fonts of the machine."""
BIND = ("model=llm", "kv_dtype=bf16")
COMMANDS: list[list[str]] = [
    *(["check", *more] for more in ([], ["page.md"], ["--format", "sarif"], ["--format", "github", "."], ["--since", "HEAD"])),
    ["rules"], ["show", "gpu"], ["show", "call"], ["explain", "cache.size?model=llm&kv_dtype=bf16&L=10"],
    ["eval", "cache.size", *BIND, "L=10"], ["eval", TOUCH], ["solve", "cache.size = 1000 byte for L", *BIND],
    ["list", "model"], ["diff", "HEAD"], ["impact", "gpu.memory_bandwidth"], ["fix"], ["fix", "page.md"], ["link", "call"],
    ["track", "track.md", "data.json"], ["fmt", "--check"], ["new", "dtype", "fp9"], ["mutate", "--sample", "2"],
    ["import", "hf-config", "config.json", "--id", "made", "--source", "config", "--name", "Made"],
    ["scan", "."], ["scan", "page.md", "--format", "json"],
    *(["export", form.name, "--output", f"out-{form.name}"] for form in FORMATS),
    ["render", "page.md.j2"], ["render", "good.md.j2", "--output", "good.html"],
    ["plot", "cache.size", "x=L", "L=1..100", *BIND, "--output", "plot.svg"],
]  # fmt: skip


@pytest.fixture(scope="module")
def watched(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[tuple[list[str], int, list[str], str]]]:
    """The folder, and of every command its exit code, what it asked of the system, and the end of what it printed."""
    import shutil

    from conftest import NEUTRAL

    folder = tmp_path_factory.mktemp("watched").resolve() / "base"
    folder.mkdir()
    shutil.copytree(NEUTRAL / "records", folder / "records")
    base = TinyBase(folder)
    for name, text in HOSTILE.items():
        (folder / name).write_text(text, encoding="utf-8")
    (folder.parent / "outside.json").write_text('{"x": 2}')
    git = ["git", "-c", "user.name=x", "-c", "user.email=x@example.org", "-c", "init.defaultBranch=main"]
    for arguments in (["init", "-q"], ["add", "-A"], ["commit", "-q", "-m", "x"]):
        subprocess.run([*git, *arguments], cwd=folder, check=True)
    assert base.records.is_dir()
    home = folder.parent / "home"
    home.mkdir()
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith(("FLOPKB", "PYTHON"))},
        **{"PYTHONPATH": str(REPOSITORY), "PYTHONDONTWRITEBYTECODE": "1", "HOME": str(home)},
        **{"XDG_CACHE_HOME": str(home), "MPLCONFIGDIR": str(home), "TMPDIR": str(home), "XDG_CONFIG_HOME": str(home)},
    }
    guard = Path(__file__).with_name("guard.py")
    run = subprocess.run(
        [sys.executable, "-P", str(guard)],
        cwd=folder, env=environment, input=json.dumps(COMMANDS), capture_output=True, text=True, check=False, timeout=300,
    )  # fmt: skip
    assert run.returncode == 0, run.stderr
    return folder, [tuple(each) for each in json.loads(run.stdout)]


Watched = tuple[Path, list[tuple[list[str], int, list[str], str]]]


def test_every_command_answers(watched: Watched) -> None:
    assert {arguments[0] for arguments, *_ in watched[1]} == set(summaries())
    for arguments, code, _, text in watched[1]:
        assert code in (0, 1, 2), (arguments, code, text)


def summaries() -> list[str]:
    from flopkb.commands.main import SUMMARIES

    return list(SUMMARIES)


def test_no_command_opens_a_socket(watched: Watched) -> None:
    for arguments, _, asked, _ in watched[1]:
        assert not [each for each in asked if each.startswith(("socket.", "urllib.", "webbrowser."))], arguments


def test_nothing_in_records_documents_data_or_templates_is_run(watched: Watched) -> None:
    folder, told = watched
    assert not list(folder.parent.rglob("pwned"))
    seen = set()
    for arguments, _, asked, _ in told:
        programs = [each for each in asked if not each.startswith(("write ", "socket."))]
        assert all(each.startswith(PROGRAMS) for each in programs), (arguments, programs)
        seen.update(programs)
    assert seen, "git runs for diff: the watch sees programs"


def test_nothing_is_written_outside_what_was_named(watched: Watched) -> None:
    folder, told = watched
    for arguments, _, asked, _ in told:
        written = [each.removeprefix("write ") for each in asked if each.startswith("write ")]
        outside = [each for each in written if not each.startswith(f"{folder.parent}/") and each != "/dev/null"]
        assert not outside, (arguments, outside)
    assert [asked for arguments, _, asked, _ in told if arguments[:2] == ["export", "json"] and asked]


def test_no_data_is_read_from_outside(watched: Watched) -> None:
    (page,) = [text for arguments, _, _, text in watched[1] if arguments == ["check", "page.md"]]
    folder = watched[0]
    assert "2 is wrong" not in page
    assert (folder.parent / "outside.json").exists()
