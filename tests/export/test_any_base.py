"""Whatever a base holds, faulty or hostile, every format of it is sound."""

from __future__ import annotations

import json
import shutil
import sqlite3
import tempfile
from pathlib import Path

import jsonschema
import pytest
from conftest import NEUTRAL, TESTS, TinyBase
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from export.bases import quoted, resolved
from export.site import faults, parsed
from export.test_markdown import dead, tags
from flopkb.checking.api import load
from flopkb.publishing.export.bibtex import bibtex_export
from flopkb.publishing.export.data_tables import csv_export, export_schema, json_export
from flopkb.publishing.export.html import html_export
from flopkb.publishing.export.latex import latex_export
from flopkb.publishing.export.markdown import markdown_export
from flopkb.publishing.export.resolved import ResolvedBase
from flopkb.publishing.export.sqlite import sqlite_export

pytestmark = pytest.mark.slow

RULES = sorted(rule.name for rule in (TESTS / "fixtures").iterdir() if (rule / "invalid").is_dir())
TAGS = """
    html head meta title link script body header a form label input button ul li p nav div span b main section h1 h2 h3
    h4 h5 h6 em strong s code pre blockquote ol hr br sup table thead tbody tr th td caption dl dt dd time details summary
    small del q footer math mrow mi mo mn mtext mspace msup msub msubsup mfrac msqrt mroot mover munder munderover mtable
    mtr mtd mpadded article
"""
SHOWN = frozenset(TAGS.split())


def assert_sound(base: ResolvedBase) -> None:
    """Every format can be written and read again."""
    jsonschema.Draft202012Validator(export_schema()).validate(json.loads(json_export(base)))
    assert faults(html_export(base)) == []
    assert dead({name: data.decode("utf-8") for name, data in markdown_export(base).items()}) == []
    connection = sqlite3.connect(":memory:")
    connection.deserialize(sqlite_export(base))
    assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
    connection.close()
    assert csv_export(base) and latex_export(base) and bibtex_export(base)


@pytest.mark.parametrize("rule", RULES)
def test_a_base_that_breaks_a_rule(rule: str, base: TinyBase) -> None:
    cases = sorted(case for case in (TESTS / "fixtures" / rule / "invalid").iterdir() if (case / "records").is_dir())
    for case in cases[:1]:
        base.overlay(case)
    assert_sound(resolved(load(base.records), base.records))


markdown = st.text("ab1<>/!-?`\\*_[](){}$# \n:&=\"'|~^@", max_size=120)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(markdown, st.text(st.characters(exclude_categories=["Cs", "Cc", "Z"]), min_size=1, max_size=40))
def test_any_prose_and_any_name(prose: str, name: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(NEUTRAL / "records", Path(folder) / "records")
        tiny = TinyBase(Path(folder))
        tiny.write(
            "models/any.yaml",
            f"id: any\nkind: model\nname: {quoted(name)}\nstatus: draft\nupdated: 2026-01-05\ndeveloper: {quoted(name)}\n"
            f"config_source: config\nnum_hidden_layers: 30\nnotes: {quoted(prose)}\n",
        )
        base = resolved(load(tiny.records), tiny.records)
        pages = html_export(base)
        assert faults(pages) == []
        page = parsed(pages["models/any.html"])
        assert {tag for tag, _ in page.elements} <= SHOWN
        assert [script["src"] for script in page.all("script")] == ["../assets/site.js", "../assets/inspect.js"]
        assert " ".join(name.split()) in page.text
        files = {path: data.decode("utf-8") for path, data in markdown_export(base).items()}
        assert tags(files["models/any.md"]) == []
