"""The documents in docs/: rendered in every format, current, with everything that the first was made to show."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from flopkb.publishing.pages.blocks import (
    Captioned,
    DisplayMath,
    Heading,
    Picture,
    PlainTable,
    References,
    Stated,
    Verbatim,
)
from flopkb.publishing.pages.html import html
from flopkb.publishing.pages.latex import latex
from flopkb.publishing.pages.markdown import markdown
from flopkb.publishing.pages.writing import plain
from flopkb.publishing.render.rendering import difference, files_of, meaning

from .bases import TEMPLATES, document, own_base, shipped, template

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("name", TEMPLATES)
def test_a_rendered_page_says_what_its_template_says_now(name: str, tmp_path: Path) -> None:
    page = tmp_path / f"{name}.html"
    for file, data in files_of(shipped(name), page, "html").items():
        file.write_bytes(data)
    now = html(document(template(name)))
    assert not difference(page.read_text(encoding="utf-8"), now, "html")


@pytest.mark.parametrize("name", TEMPLATES)
@pytest.mark.parametrize("ending", ["html", "md", "tex"])
def test_each_template_becomes_each_format_the_same_twice(name: str, ending: str, tmp_path: Path) -> None:
    form = {"html": "html", "md": "markdown", "tex": "latex"}[ending]
    once = files_of(shipped(name), tmp_path / f"d.{ending}", form)
    again = files_of(document(template(name)), tmp_path / f"d.{ending}", form)
    assert once == again
    assert list(once)[-1] == tmp_path / f"d.{ending}"


def test_every_feature_that_the_sample_was_made_to_show() -> None:
    made = shipped("decode_is_memory_bound")
    blocks = made.blocks
    captioned = [block for block in blocks if isinstance(block, Captioned)]
    stated = [block for block in blocks if isinstance(block, Stated)]
    numbered = [block for block in blocks if isinstance(block, DisplayMath) and block.target]
    in_proof = [block for proof in stated for block in proof.blocks if isinstance(block, DisplayMath) and block.target]
    assert [block.target.number for block in (*numbered, *in_proof) if block.target] == [1, 2, 3, 4]
    assert {type(block.body) for block in captioned} == {PlainTable, Verbatim, Picture}
    assert [block.target is not None for block in stated] == [True, False]
    assert [note.number for note in made.notes] == [1, 2]
    (references,) = [block for block in blocks if isinstance(block, References)]
    assert [entry.number for entry in references.entries] == list(range(1, len(references.entries) + 1))
    assert "proved" in plain(stated[0].note)
    page = html(made)
    for target in ("eq-cache", "tab-cache", "lst-cache", "fig-roofline", "prop-intensity", "note-gqa", "sec-cache"):
        assert f'href="#{target}"' in page and f'id="{target}"' in page, target
    assert page.count("<math") > 20


def test_every_page_names_the_version_of_the_base() -> None:
    made = shipped("long_context_accelerators")
    assert re.fullmatch(
        r"flopkb \S+, base of \d+ records, last updated \d{4}-\d\d-\d\d, digest [0-9a-f]{12}", made.version
    )
    for text in (html(made), markdown(made, "d"), latex(made, "d")):
        assert text.count(made.version.rpartition(" ")[2]) >= 2


def test_no_page_reaches_for_anything_outside() -> None:
    for name in TEMPLATES:
        page = html(shipped(name))
        assert "<script" not in page
        assert not re.search(r"\b(?:src|srcset|xlink:href)=\"(?!#)", page)
        assert not re.search(r"url\((?!#)", page)
        assert re.findall(r"<link[^>]*>", page) == ['<link rel="icon" href="data:,">']


def test_meaning_leaves_out_looks_and_version_and_nothing_else() -> None:
    page = html(document("A gap of {{ fig('decode_attention.gap_mha', unit='x') }}."))
    assert not difference(page, page.replace("max-width: 46rem", "max-width: 40rem"), "html")
    digest = re.search(r"digest [0-9a-f]{12}", page)
    assert digest is not None
    assert not difference(page, page.replace(digest[0], "digest 0123456789ab"), "html")
    assert "296x" in difference(page, page.replace(">295x<", ">296x<"), "html")
    assert "295x" in meaning(page, "html")


def test_headings_of_the_same_words_lead_to_different_places() -> None:
    made = document("## One\n\ntext\n\n## One\n")
    assert [block.anchor for block in made.blocks if isinstance(block, Heading)] == ["one", "one-2"]


def test_a_template_without_a_header_takes_its_title_from_the_first_heading() -> None:
    assert plain(document("# A title\n\ntext").title) == "A title"


def test_the_citation_style_decides_how_references_look() -> None:
    styled = document("---\ncitation_style: numeric\n---\n{{ cite('roofline_2009') }}\n\n{{ references() }}\n")
    (references,) = [block for block in styled.blocks if isinstance(block, References)]
    text = plain(references.entries[0].children)
    assert text.startswith("S. Williams, A. Waterman and D. Patterson, “Roofline:")
    assert "vol. 52, no. 4, pp. 65–76" in text and "2009" in text and "doi:10.1145/1498765.1498785" in text


def test_references_come_by_themselves_where_a_template_forgets_them() -> None:
    made = document("{{ cite('gqa_2023') }}")
    assert isinstance(made.blocks[-1], References)


def test_citations_are_numbered_by_their_first_mark_even_in_notes() -> None:
    made = document("a[^n] {{ cite('vllm_2023') }} [@gqa_2023]\n\n[^n]: {{ cite('mqa_2019') }}\n\n{{ references() }}")
    (references,) = [block for block in made.blocks if isinstance(block, References)]
    assert [entry.id for entry in references.entries] == ["mqa_2019", "vllm_2023", "gqa_2023"]


def test_contested_values_say_so_where_a_reader_asks() -> None:
    page = html(document("{{ fact('nvidia_h100_sxm.memory_bandwidth') }}\n\n{{ values() }}"))
    # 3400 is 3350 with two digits and 3430 is 3350 * 1.024, the same in another notation: neither is a conflict.
    assert "others state 3072 GB/s" in page
    assert own_base().fact("nvidia_h100_sxm.memory_bandwidth").value == 3350 * 10**9
