"""Rendered documents in headless Chromium: nothing is asked for, nothing complains, every link leads somewhere."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from flopkb.publishing.pages.html import html

from .bases import TEMPLATES, shipped
from .browser import Browser, chromium, missing

_WHY_NOT = missing()
pytestmark = [pytest.mark.slow, pytest.mark.skipif(bool(_WHY_NOT), reason=_WHY_NOT or "Chromium is there")]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as found:
        yield found


@pytest.fixture(params=TEMPLATES, scope="module")
def page(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    file: Path = tmp_path_factory.mktemp("page") / f"{request.param}.html"
    file.write_text(html(shipped(request.param)), encoding="utf-8")
    return file


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280])
def test_it_opens_quietly_and_fits(browser: Browser, page: Path, width: int, dark: bool) -> None:
    browser.log("browser")
    browser.requests()
    browser.open(page, width, dark=dark)
    assert browser.log("browser") == []
    assert [url for url in browser.requests() if not url.startswith(("chrome:", "data:"))] == [page.as_uri()]
    assert browser.script("return document.documentElement.scrollWidth") == width
    background = browser.script("return getComputedStyle(document.body).backgroundColor")
    level = int(background.partition("(")[2].partition(",")[0])
    assert level < 64 if dark else level > 192


def test_one_drawing_of_each_plot_is_seen(browser: Browser, page: Path) -> None:
    if page.stem == "what_fits_where":
        assert "<svg" not in page.read_text(encoding="utf-8"), "it is made of tables alone"
        return
    for width, seen in ((390, "narrow"), (1280, "wide")):
        browser.open(page, width)
        shown = browser.script(
            "return [...document.querySelectorAll('figure svg')].filter(s => s.getBoundingClientRect().height > 100)"
            ".map(s => s.getAttribute('class'))"
        )
        assert shown and set(shown) == {seen}


def test_every_link_within_the_page_leads_to_one_place(browser: Browser, page: Path) -> None:
    browser.open(page)
    dead = browser.script(
        "return [...document.querySelectorAll('a[href^=\"#\"]')].map(a => a.getAttribute('href').slice(1))"
        ".filter(id => document.querySelectorAll('[id=\"' + CSS.escape(id) + '\"]').length != 1)"
    )
    assert dead == []
    doubled = browser.script(
        "const seen = {}; document.querySelectorAll('[id]').forEach(e => seen[e.id] = (seen[e.id] || 0) + 1);"
        "return Object.keys(seen).filter(id => seen[id] > 1)"
    )
    assert doubled == []


def test_the_sample_shows_what_it_is_made_of(browser: Browser, tmp_path: Path) -> None:
    file = tmp_path / "sample.html"
    file.write_text(html(shipped("decode_is_memory_bound")), encoding="utf-8")
    browser.open(file)
    count = "return document.querySelectorAll(arguments[0]).length"
    wanted = {
        "figure.tab table": 1, "figure.fig svg": 2, "figure.lst pre": 1, "ol.notes > li": 2, "ol.references > li": 8,
        ".equation .no": 4, ".proposition": 1, ".proof": 1, "main math": None, "details": 1,
    }  # fmt: skip
    for selector, number in wanted.items():
        found = browser.script(count, selector)
        assert found == number if number is not None else found > 20, (selector, found)
    table = browser.script(
        "return [...document.querySelectorAll('figure.tab tbody tr')].map(r => [...r.cells].map(c => c.innerText))"
    )
    # 2 tensors * 32 layers * 32 heads * 128 * 2 bytes = 512 KiB a token; times 2,048, 4,096, 32,768 tokens and 1 or 8.
    assert [[cell.replace("\xa0", " ") for cell in row] for row in table] == [
        ["2,048", "1 GiB", "8 GiB"],
        ["4,096", "2 GiB", "16 GiB"],
        ["32,768", "16 GiB", "128 GiB"],
    ]
    height = browser.script(
        "return Math.min(...[...document.querySelectorAll('math')].map(m => m.getBoundingClientRect().height))"
    )
    assert height > 5, "mathematics is laid out"


def test_a_cross_reference_goes_to_its_place(browser: Browser, page: Path) -> None:
    browser.open(page, 390)
    browser.script("document.querySelector('main a[href^=\"#tab-\"]').click()")
    top = browser.script("return document.querySelector('figure.tab').getBoundingClientRect().top")
    assert -5 < top < 200
