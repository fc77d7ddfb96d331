"""Links are put where a reader gets links, and nothing that stands there is broken."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from flopkb.arithmetic.prose import read_prose
from flopkb.commands.main import main

from .project import Project, declared

CLOSED = (
    "[see lat 12.4 ms](http://example.org)",
    '<a title="lat 12.4 ms">here</a>',
    "![lat 12.4 ms](x.png)",
    '<img alt="lat 12.4 ms" src="x.png">',
    '<a href="x">lat 12.4 ms</a>',
    "[ref lat 12.4 ms][q]",
    '[there](http://example.org "lat 12.4 ms")',
    "[![lat 12.4 ms](x.png)](http://example.org)",
)
OPEN = ("lat 12.4 ms", "*lat* 12.4 ms", "</a>lat 12.4 ms", "<b>lat 12.4 ms</b>", "(lat 12.4 ms)")
DEFINITION = '\n\n<div>\nlat 12.4 ms\n</div>\n\n[q]: http://example.org "lat 12.4 ms"\n'


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    monkeypatch.chdir(tmp_path)
    return Project(tmp_path).write(r_json='{"a": {"count": 12, "lat_ms": 12.4, "up": 3.2}}')


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, list(arguments))


@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.sampled_from([*CLOSED, *OPEN]), min_size=1, max_size=5))
def test_a_link_is_put_only_where_it_is_one(project: Project, parts: list[str]) -> None:
    text = ", then ".join(parts) + DEFINITION
    project.write(D_md=text)
    wanted = sum(part in OPEN for part in parts)
    assert f"{wanted} number{'' if wanted == 1 else 's'} placed" in run("track", "D.md", "r.json", "--write").output
    written = (project.folder / "D.md").read_text()
    assert [link.text for link in read_prose(written).links] == ["12.4 ms"] * wanted
    assert all(written.count(part) >= parts.count(part) for part in CLOSED)
    assert read_prose(written.partition("-->\n")[2] or written).plain == read_prose(text).plain


def test_link_leaves_the_text_of_a_link_alone(project: Project) -> None:
    text = declared("r: r.json", text="It took [lat 12.4 ms](http://example.org) and lat 12.4 ms.")
    project.write(D_md=text)
    assert run("link", "D.md", "--write").output.endswith("1 link written, 1 bare number left\n")
    written = text.replace(" and lat 12.4 ms", " and lat [12.4 ms](fact:r.a.lat_ms)")
    assert (project.folder / "D.md").read_text() == written


@pytest.mark.parametrize("written", ["[13]", "[13][]", "[**13**][**13**]"])
def test_a_link_that_leads_by_its_text_keeps_it(project: Project, written: str) -> None:
    label = "**13**" if "*" in written else "13"
    project.write(
        D_md=declared("r: r.json", text=f"In {written} runs, [13](fact:r.a.count).\n\n[{label}]: fact:r.a.count")
    )
    mended = written == "[**13**][**13**]"
    done = run("fix", "D.md")
    assert done.exit_code == (0 if mended else 1)
    text = (project.folder / "D.md").read_text()
    assert "[12](fact:r.a.count)" in text
    assert ("[**12**][**13**]" if mended else written) in text
