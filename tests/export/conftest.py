"""Exports of the shipped base, made once for the tests that only look at them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest
from conftest import REPOSITORY, own_base

from export.bases import resolved
from flopkb.checking.api import Base
from flopkb.publishing.export.html import html_export
from flopkb.publishing.export.resolved import ResolvedBase


@pytest.fixture(scope="session")
def api() -> Base:
    """The shipped base through the public API."""
    return own_base()


@pytest.fixture(scope="session")
def whole(api: Base) -> ResolvedBase:
    """The shipped base, resolved."""
    return resolved(api, REPOSITORY / "records")


@pytest.fixture(scope="session")
def pages(whole: ResolvedBase) -> Mapping[str, bytes]:
    """The files of the site of the shipped base."""
    return html_export(whole)


@pytest.fixture(scope="session")
def site(pages: Mapping[str, bytes], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same in a folder."""
    folder = tmp_path_factory.mktemp("site")
    for name, data in pages.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    return folder
