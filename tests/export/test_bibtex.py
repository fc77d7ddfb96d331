"""BibTeX: what BibTeX itself reads back, accents and special characters as LaTeX prints them."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from conftest import TinyBase

from export.bases import hostile, resolved
from flopkb.base.model import Kind
from flopkb.checking.api import load
from flopkb.publishing.export.bibtex import bibtex_export, entry_type, person, title, verbatim
from flopkb.publishing.export.resolved import ResolvedBase
from flopkb.publishing.export.tex import escaped

pytestmark = pytest.mark.slow

BIBTEX = shutil.which("bibtex")


def needs_bibtex() -> None:
    """Skip where there is no BibTeX; on CI there must be one."""
    if BIBTEX is None:
        assert os.environ.get("CI") != "true", "BibTeX is missing: .ci/run installs texlive-binaries"
        pytest.skip("BibTeX is not installed (Debian: apt-get install texlive-binaries)")


def read_back(text: str, folder: Path, style: str = "plain") -> tuple[str, str]:
    """What BibTeX makes of the entries, and what it says."""
    needs_bibtex()
    (folder / "base.bib").write_text(text, encoding="utf-8")
    (folder / "t.aux").write_text(
        f"\\relax\n\\citation{{*}}\n\\bibstyle{{{style}}}\n\\bibdata{{base}}\n", encoding="utf-8"
    )
    done = subprocess.run([str(BIBTEX), "t"], cwd=folder, capture_output=True, text=True, timeout=60)
    return (folder / "t.bbl").read_text(encoding="utf-8"), done.stdout


@pytest.mark.parametrize(
    ("text", "tex"),
    [
        ("Łukasz Müller-Żółw", r"{\L}ukasz M{\"{u}}ller-{\.{Z}}{\'{o}}{\l}w"),
        (
            "50% & #1_a {x} $5 ~ ^",
            r"50\% \& \#1\_a \textbraceleft{}x\textbraceright{} \$5 \textasciitilde{} \textasciicircum{}",
        ),
        ("pages 3–5 — “so”", "pages 3--5 --- ``so''"),
        ("naïve façade", r"na{\"{\i}}ve fa{\c{c}}ade"),
        ("a\\b", r"a\textbackslash{}b"),
        ("2× in µs", r"2{\ensuremath{\times}} in {\textmu}s"),
        ("两", "两"),
        ("a\x00b\nc", "a\ufffdb c"),
    ],
)
def test_every_character_prints_as_itself(text: str, tex: str) -> None:
    assert escaped(text) == tex


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("KIVI: A Tuning-Free 2bit Cache for KV", "{KIVI}: A Tuning-Free 2bit Cache for {KV}"),
        ("Apple reveals M3 Ultra", "Apple reveals {M3} {Ultra}"),
        ("Attention Is All You Need", "Attention Is All You Need"),
    ],
)
def test_capitals_that_mean_something_are_kept(text: str, kept: str) -> None:
    assert title(text) == kept


def test_names_are_persons_or_stay_whole() -> None:
    assert person("Liu, Zirui") == "Liu, Zirui"
    assert person("Research and Co") == "{Research and Co}"
    assert person("Smith and Sons, Bob") == "Smith {and} Sons, Bob"


@pytest.mark.parametrize(
    ("kind", "published", "volume", "type_"),
    [
        ("paper", "Communications of the ACM", "52", "article"),
        ("paper", "Proceedings of X", "", "inproceedings"),
        ("paper", "arXiv preprint", "", "misc"),
        ("book", "", "", "book"),
        ("datasheet", "", "", "misc"),
    ],
)
def test_the_type_of_an_entry(kind: str, published: str, volume: str, type_: str) -> None:
    assert entry_type(kind, published, volume, "Publisher") == type_


def test_addresses_stay_addresses() -> None:
    assert verbatim("https://a.org/x%20y?a_b=1&c#d") == "https://a.org/x%20y?a_b=1&c#d"
    assert verbatim('https://a.org/{"é') == "https://a.org/%7B%22%C3%A9"


def test_bibtex_reads_every_source_without_a_warning(whole: ResolvedBase, tmp_path: Path) -> None:
    bbl, said = read_back(bibtex_export(whole), tmp_path)
    assert "Warning" not in said and "error" not in said.lower(), said
    assert set(re.findall(r"\\bibitem\{(\w+)\}", bbl)) == {record.id for record in whole.of_kind(Kind.SOURCE)}
    kivi = bbl[bbl.index("{kivi_2024}") :]
    assert "{KIVI}: A tuning-free asymmetric 2bit quantization for {KV} cache." in " ".join(kivi.split())
    assert r"{\L}ukasz Kaiser" in " ".join(bbl.split())
    assert r"Federico Lebr{\'{o}}n" in " ".join(bbl.split())


def test_a_hostile_source_is_harmless_and_whole(base: TinyBase, tmp_path: Path) -> None:
    text = bibtex_export(hostile(base))
    bbl, said = read_back(text, tmp_path)
    assert "error" not in said.lower(), said
    entry = " ".join(bbl[bbl.index("{evil}") :].split())
    assert r"\input" not in entry and r"\textbackslash{}input\textbraceleft{}/etc/passwd\textbraceright{}" in entry
    assert entry.count(r"\textless{}script\textgreater{}") >= 3


def test_sources_without_persons_or_year_of_access(base: TinyBase) -> None:
    text = bibtex_export(resolved(load(base.records), base.records))
    assert "author        = {{Maker}}" in text
    assert "urldate" not in text


@pytest.mark.parametrize("text", ["a } b", "{", "}{", "\\} {x", 'a "straight" quote'])
def test_braces_balance_and_quotes_need_no_encoding(text: str) -> None:
    """BibTeX counts braces, escaped ones too; \\textquotedbl is unknown to OT1."""
    for shown in (escaped(text), title(text), person(text)):
        assert shown.count("{") == shown.count("}"), shown
        assert "textquotedbl" not in shown
        depth = 0
        for character in shown:
            depth += {"{": 1, "}": -1}.get(character, 0)
            assert depth >= 0, shown
