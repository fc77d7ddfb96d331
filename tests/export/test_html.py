"""The site: its links, what a figure unfolds to, both sides of conflicts, and texts that stay texts."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from itertools import pairwise

import pytest
from conftest import TinyBase

from export.bases import NAME, hostile, resolved
from export.site import Parsed, faults, parsed
from flopkb.checking.api import load
from flopkb.publishing.export.html import ASKING, html_export
from flopkb.publishing.export.html.layout import SCRIPTS
from flopkb.publishing.export.resolved import KINDS, ResolvedBase
from flopkb.publishing.pages.elements import Html, el, joined
from flopkb.publishing.pages.mathematics import math

pytestmark = pytest.mark.slow

ATTENTION = "workload_classes/decode_attention.html"
H100 = "accelerators/nvidia_h100_sxm.html"


# -- elements ---------------------------------------------------------------------------------------------------------
def test_texts_are_escaped_and_elements_are_not_escaped_again() -> None:
    made = el("p", "<b> & 'c' \"d\"", el("i", "<"), title='"><script>', class_="x", hidden=True, lang=None)
    assert made == (
        '<p title="&quot;&gt;&lt;script&gt;" class="x" hidden>'
        "&lt;b&gt; &amp; &#x27;c&#x27; &quot;d&quot;<i>&lt;</i></p>"
    )


def test_what_is_joined_is_escaped_piece_by_piece() -> None:
    assert joined("a<", Html("<br>"), None, ["&", [el("hr")]]) == "a&lt;<br>&amp;<hr>"


def test_characters_that_html_cannot_hold_are_replaced() -> None:
    assert el("p", "a\x00b\x1f") == "<p>a\ufffdb\ufffd</p>"


@pytest.mark.parametrize("tex", [r"\text{<script>x</script>}", r"\href{javascript:x}{y}", '"><img src=x onerror=y>'])
def test_mathematics_that_holds_markup_is_no_mathematics(tex: str) -> None:
    made = math(tex)
    assert made is None or not re.search(r"<(?:script|img|a)\b|href=", made)


# -- the site of the shipped base -------------------------------------------------------------------------------------
def test_no_link_is_dead_and_no_anchor_stands_twice(pages: Mapping[str, bytes]) -> None:
    assert faults(pages) == []


def test_there_is_a_page_for_every_record_and_an_index_for_every_kind(
    pages: Mapping[str, bytes], whole: ResolvedBase
) -> None:
    assert {f"{record.kind.folder}/{record.id}.html" for record in whole.records.values()} <= pages.keys()
    assert {f"{kind.folder}.html" for kind in KINDS} <= pages.keys()
    assert {"index.html", "search.html", "figures.html", "claims.html", "open.html"} <= pages.keys()


def test_a_page_has_one_stylesheet_and_asks_for_nothing_else(pages: Mapping[str, bytes]) -> None:
    for name, data in pages.items():
        if name.endswith(".html"):
            page = parsed(data)
            assert [a["href"] for a in page.all("link") if a["rel"] == "stylesheet"] == [
                "../" * name.count("/") + "assets/site.css"
            ]
            assert not [a for tag, a in page.elements if "style" in a or any(key.startswith("on") for key in a)]
            assert [a for a in page.all("meta") if a.get("http-equiv") == "Content-Security-Policy"]
    assert b"@import" not in pages["assets/site.css"] and b"url(" not in pages["assets/site.css"]
    assert b"http" not in pages["assets/site.js"]


def inside(pages: Mapping[str, bytes], name: str, anchor: str) -> Parsed:
    """The element with an anchor, and all that is in it."""
    text = pages[name].decode("utf-8")
    start = text.rindex("<", 0, text.index(f'id="{anchor}"'))
    tag = re.match(r"<(\w+)", text[start:])[1]
    depth = 0
    for match in re.finditer(rf"<(/?){tag}\b", text[start:]):
        depth += -1 if match[1] else 1
        if not depth:
            return parsed(text[start : start + match.end() + 1].encode())
    raise AssertionError(anchor)


def test_a_figure_unfolds_to_formula_inputs_source_and_exact_value(pages: Mapping[str, bytes]) -> None:
    page = inside(pages, ATTENTION, "fig-gap_mha")
    assert page.elements[0][0] == "details"
    assert next(page.all("math"))["alttext"] == r"\mathrm{gap} = \frac{\mathrm{ridge}}{\mathrm{AI}}"
    for told in (
        "295x",
        "= 295.373",
        "roofline.ridge / ai",
        "19790/67",
        "989.5 TFLOP/s",
        "recorded",
        "contested",
        "prints “1,979 teraFLOPS”, read as sparse",
        "NVIDIA H100 datasheet",
        "Quoted “295x” in arithmetic intensity",
    ):
        assert told in page.text, told
    leads = {address for _, address in page.addresses}
    assert "../accelerators/nvidia_h100_sxm.html#fact-memory_bandwidth" in leads
    assert "../sources/nvidia_h100_datasheet.html" in leads


def test_a_set_shows_each_of_its_cases(pages: Mapping[str, bytes]) -> None:
    page = inside(pages, ATTENTION, "fig-kv_reduction")
    assert "For model = llama_3_8b" in page.text and "For model = llama_2_70b" in page.text
    assert "Exactly 4." in page.text and "Exactly 8." in page.text


def test_a_number_in_prose_is_as_its_author_wrote_it_and_leads_to_its_figure(pages: Mapping[str, bytes]) -> None:
    text = pages[ATTENTION].decode("utf-8")
    link = re.search(r'<a href="#fig-ai_llama_3_8b" class="q q-fig" id="quote-\d+" title="([^"]*)">4\.0</a>', text)
    assert link and link[1] == "decode_attention.ai_llama_3_8b = 4 flop/byte"
    assert ">61,739</a>" in text and "61739 token" in text


def test_prose_of_the_whole_base_keeps_every_quoted_text(pages: Mapping[str, bytes], whole: ResolvedBase) -> None:
    for record in whole.records.values():
        page = parsed(pages[f"{record.kind.folder}/{record.id}.html"])
        for quote in record.quotes:
            if quote.field.count(".") == 0 and quote.kind != "derivation":  # which is set as mathematics
                assert " ".join(quote.text.split()) in page.text, (record.id, quote.text)


def test_hardware_rows_show_their_basis(pages: Mapping[str, bytes]) -> None:
    text = pages[ATTENTION].decode("utf-8")
    row = text[text.index('class="row-unverified"') :]
    assert "basis-unverified" in row[: row.index("</tr>")]
    assert "memory_capacity ? unverified" in parsed(row[: row.index("</tr>")].encode()).text


def test_a_contested_value_shows_both_sides_and_why_one_stands(pages: Mapping[str, bytes]) -> None:
    page = parsed(pages["models/llama_2_70b.html"])
    assert "fact-num_key_value_heads" in page.ids and "fact-num_key_value_heads-llama_2_70b_card" in page.ids
    assert "8 stands: the loader reads the configuration" in page.text
    contested = parsed(pages["open.html"]).text
    assert "stated otherwise" in contested and "3430 GB/s" in contested


def test_corrections_claims_and_history_are_there(pages: Mapping[str, bytes]) -> None:
    page = parsed(pages[ATTENTION])
    assert "correction-1" in page.ids and "claim-below_the_roof" in page.ids
    assert "Refuted by n_q = 32, n_kv = 8" in page.text
    assert "✓ proved" in page.text or "≈ tested" in page.text
    assert "2026-10-05" in page.text


def test_tables_are_told_to_readers_of_the_screen_and_can_be_sorted(pages: Mapping[str, bytes]) -> None:
    page = parsed(pages[H100])
    tables = list(page.all("table"))
    assert tables and all("sortable" in str(t["class"]) or "inputs" in str(t["class"]) for t in tables)
    assert all(a.get("scope") in ("col", "row") for a in page.all("th"))
    groups = [a for a in page.all("div") if a.get("role") == "group"]
    assert groups and all(a["tabindex"] == "0" and a["aria-label"] for a in groups)


def test_a_page_can_be_walked_by_keyboard_and_by_landmarks(pages: Mapping[str, bytes]) -> None:
    for name in ("index.html", ATTENTION, "search.html"):
        page = parsed(pages[name])
        assert next(page.all("a")) == {"href": "#main", "class": "skip"}
        assert [a["id"] for a in page.all("main")] == ["main"]
        assert all(a.get("aria-label") for a in page.all("nav"))
        assert len(list(page.all("h1"))) == 1
        assert next(page.all("html"))["lang"] == "en"
        labelled = {a["for"] for a in page.all("label") if a.get("for")}
        assert {a["id"] for a in page.all("input") if a.get("id")} <= labelled


def test_headings_go_down_one_step_at_a_time(pages: Mapping[str, bytes]) -> None:
    for name, data in pages.items():
        levels = (
            [int(tag[1]) for tag, _ in parsed(data).elements if re.fullmatch("h[1-6]", tag)]
            if name.endswith(".html")
            else []
        )
        levels = [level for level in levels if level != 4]  # the cases of a folded figure, and what is below an h3
        main = levels[levels.index(1) :] if levels else []
        assert all(after - before <= 1 for before, after in pairwise(main)), (name, levels)


def test_the_search_knows_records_figures_values_and_claims(pages: Mapping[str, bytes]) -> None:
    script = pages["assets/search-data.js"].decode("ascii")
    entries = json.loads(script.removeprefix("window.flopkbEntries = ").rstrip(";\n"))
    by_title = {entry[0]: entry for entry in entries}
    assert by_title["decode_attention.gap_mha"][1:4] == ["figure", f"{ATTENTION}#fig-gap_mha", "295x"]
    assert by_title["nvidia_h100_sxm.memory_bandwidth"][3] == "3350 GB/s"
    assert by_title["NVIDIA H100 SXM5 80 GB"][1] == "accelerator"
    assert {"record", "figure"} & {entry[1] for entry in entries}


# -- hostile and faulty bases -----------------------------------------------------------------------------------------
@pytest.fixture(scope="module")
def evil(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """The site of a hostile base."""
    import shutil

    from conftest import NEUTRAL

    folder = tmp_path_factory.mktemp("evil")
    shutil.copytree(NEUTRAL / "records", folder / "records")
    return html_export(hostile(TinyBase(folder)))


def test_a_hostile_record_makes_a_sound_site(evil: dict[str, bytes]) -> None:
    assert faults(evil) == []


def test_nothing_of_a_hostile_record_runs(evil: dict[str, bytes]) -> None:
    for name, data in evil.items():
        if name.endswith(".html"):
            page = parsed(data)
            up = "../" * name.count("/")
            own = [{"src": f"{up}assets/{script}"} for script in (*SCRIPTS, *ASKING)]
            assert list(page.all("script")) == (own if "asking" in page.ids else own[: len(SCRIPTS)])
            assert not list(page.all("img"))
            assert not [a for _, a in page.elements if any(key.startswith("on") for key in a)]
            assert not [address for _, address in page.addresses if "javascript:" in address]


def test_a_hostile_record_is_shown_whole(evil: dict[str, bytes]) -> None:
    page = parsed(evil["sources/evil.html"])
    assert NAME in page.text
    for told in (
        "First line with <script>alert('x')</script> and code <b> and \"quotes\" | pipes.",
        "=cmd()|'/c calc'!A0 and \\input{/etc/passwd}",
        "<img src=x onerror=alert(1)>",
        "[click](javascript:alert(2))",
    ):
        assert told in page.text, told
    assert ("a", "https://example.org/?a=1&b=2") in page.addresses
    assert b"&lt;script&gt;" in evil["accelerators/evil_gpu.html"]


def test_figures_without_a_value_say_why(base: TinyBase) -> None:
    base.formula(
        "faulty",
        'symbols:\n  x: {meaning: m}\nformulas:\n  f: {expr: 1/(x - x), unit: "1"}\n'
        "figures:\n  bare: {formula: f}\n  none: {formula: g}\n",
    )
    pages = html_export(resolved(load(base.records), base.records))
    assert faults(pages) == []
    assert "Not computed:" in parsed(pages["formulas/faulty.html"]).text


def test_notes_and_reasons_are_prose_too(base: TinyBase) -> None:
    reason = "the *first* sheet has [3](lit:example) digits [@sheet]"
    other = '{value: 1400 GB/s, source: config, note: "`old` [2 TB/s](fact:gpu.memory_bandwidth)"}'
    disputed = f'preferred: "{reason}", disputed: [{other}]'
    base.change("accelerators/gpu.yaml", {"as_printed: 2 TB/s}": f"as_printed: 2 TB/s, {disputed}}}"})
    pages = html_export(resolved(load(base.records), base.records))
    assert faults(pages) == []
    for name in ("accelerators/gpu.html", "open.html"):
        text = pages[name].decode("utf-8")
        assert 'the <em>first</em> sheet has <span class="lit">3</span> digits (<a' in text
        assert "<code>old</code> <a" in text and "](" not in text


def test_an_empty_base_makes_a_site(empty: TinyBase) -> None:
    pages = html_export(resolved(load(empty.records), empty.records))
    assert faults(pages) == []
    assert "None yet." in parsed(pages["models.html"]).text
