"""The base of this repository for tests of documents, loaded once, and copies of it in which something is changed."""

from __future__ import annotations

import shutil
from functools import cache
from pathlib import Path

from conftest import own_base

import flopkb
from flopkb.arithmetic.diagnostics import Diagnostic
from flopkb.publishing.pages.blocks import Finished
from flopkb.publishing.render.rendering import render

REPOSITORY = Path(__file__).parents[2]
DOCS = REPOSITORY / "docs"
TEMPLATES = ("decode_is_memory_bound", "long_context_accelerators", "what_fits_where")


def changed_base(folder: Path, file: str, old: str, new: str) -> flopkb.Base:
    """The records of this repository with one text of one file replaced."""
    shutil.copytree(REPOSITORY / "records", folder / "records")
    path = folder / "records" / file
    text = path.read_text(encoding="utf-8")
    assert text.count(old) == 1, (file, old)
    path.write_text(text.replace(old, new), encoding="utf-8")
    return flopkb.load(folder / "records")


def template(name: str) -> str:
    """A template of docs/."""
    return (DOCS / f"{name}.md.j2").read_text(encoding="utf-8")


def document(text: str, base: flopkb.Base | None = None) -> Finished:
    """The document that a template gives; it must be right."""
    made = render(text, "t.md.j2", base or own_base())
    assert made.document is not None, [f"{d.location}: {d.message}" for d in made.diagnostics]
    return made.document


def faults(text: str, base: flopkb.Base | None = None) -> tuple[Diagnostic, ...]:
    """What is wrong with a template; something must be."""
    made = render(text, "t.md.j2", base or own_base())
    assert made.document is None
    return made.diagnostics


def fault(text: str) -> str:
    """The first fault as ``line:column rule``."""
    first = faults(text)[0]
    return f"{first.location.line}:{first.location.column} {first.rule}"


@cache
def shipped(name: str) -> Finished:
    """A document of docs/."""
    return document(template(name))
