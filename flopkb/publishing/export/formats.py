"""The formats by name: whether each is a file or a folder, how an export of it is known again, and what makes it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from flopkb.publishing.export.bibtex import bibtex_export
from flopkb.publishing.export.csv import csv_export
from flopkb.publishing.export.html import html_export
from flopkb.publishing.export.json import json_export, jsonl_export
from flopkb.publishing.export.latex import latex_export
from flopkb.publishing.export.markdown import markdown_export
from flopkb.publishing.export.resolved import ResolvedBase
from flopkb.publishing.export.sqlite import sqlite_export


@dataclass(frozen=True, slots=True)
class FileFormat:
    """One file; ``mark`` stands near the beginning of each."""

    name: str
    mark: bytes
    make: Callable[[ResolvedBase], bytes]
    is_text: bool = True


@dataclass(frozen=True, slots=True)
class FolderFormat:
    """A folder of files."""

    name: str
    make: Callable[[ResolvedBase], Mapping[str, bytes]]


Format = FileFormat | FolderFormat


def _encoded(make: Callable[[ResolvedBase], str]) -> Callable[[ResolvedBase], bytes]:
    """The file of a format that is text."""
    return lambda base: make(base).encode("utf-8")


FORMATS: tuple[Format, ...] = (
    FileFormat("json", b'"flopkb"', _encoded(json_export)),
    FileFormat("jsonl", b'"flopkb"', _encoded(jsonl_export)),
    FolderFormat("csv", csv_export),
    FileFormat("sqlite", b"flkb", sqlite_export, is_text=False),
    FolderFormat("markdown", markdown_export),
    FolderFormat("html", html_export),
    FileFormat("latex", b"% Numbers of a flopkb base.", _encoded(latex_export)),
    FileFormat("bibtex", b"% Sources of a flopkb base.", _encoded(bibtex_export)),
)
"""Every format; a mark that a test compares with what is written."""
