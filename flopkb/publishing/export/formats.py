"""The formats by name: whether each is a file or a folder, how an export of it is known again, and what makes it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from flopkb.publishing.export.resolved import ResolvedBase


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


def _json(base: ResolvedBase) -> bytes:
    from flopkb.publishing.export.json import json_export

    return json_export(base).encode("utf-8")


def _jsonl(base: ResolvedBase) -> bytes:
    from flopkb.publishing.export.json import jsonl_export

    return jsonl_export(base).encode("utf-8")


def _sqlite(base: ResolvedBase) -> bytes:
    from flopkb.publishing.export.sqlite import sqlite_export

    return sqlite_export(base)


def _latex(base: ResolvedBase) -> bytes:
    from flopkb.publishing.export.latex import latex_export

    return latex_export(base).encode("utf-8")


def _bibtex(base: ResolvedBase) -> bytes:
    from flopkb.publishing.export.bibtex import bibtex_export

    return bibtex_export(base).encode("utf-8")


def _csv(base: ResolvedBase) -> Mapping[str, bytes]:
    from flopkb.publishing.export.csv import csv_export

    return csv_export(base)


def _markdown(base: ResolvedBase) -> Mapping[str, bytes]:
    from flopkb.publishing.export.markdown import markdown_export

    return markdown_export(base)


def _html(base: ResolvedBase) -> Mapping[str, bytes]:
    from flopkb.publishing.export.html import html_export

    return html_export(base)


FORMATS: tuple[Format, ...] = (
    FileFormat("json", b'"flopkb"', _json),
    FileFormat("jsonl", b'"flopkb"', _jsonl),
    FolderFormat("csv", _csv),
    FileFormat("sqlite", b"flkb", _sqlite, is_text=False),
    FolderFormat("markdown", _markdown),
    FolderFormat("html", _html),
    FileFormat("latex", b"% Numbers of a flopkb base.", _latex),
    FileFormat("bibtex", b"% Sources of a flopkb base.", _bibtex),
)
"""Every format; a mark that a test compares with what is written."""
