"""A data file as rows: CSV, TSV and lines of JSON, one row after the other, so that a large file is never held whole."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial

from flopkb.base.data.trees import Tree, Unreadable, number_or_text, read_json

LONGEST_LINE = 1 << 22
"""A line of JSON, or a field of a table, may have this many characters."""


def csv_rows(lines: Iterable[str], delimiter: str) -> Iterator[Tree]:
    """The rows of a table by its header; every cell is a number or text."""
    csv.field_size_limit(LONGEST_LINE)
    reader = csv.reader(lines, delimiter=delimiter, strict=True)
    try:
        header = [name.strip() for name in next(reader, [])]
        if not header:
            raise Unreadable("it has no header; the first line names the columns")
        other = _other_separator(header, delimiter)
        if other:
            raise Unreadable(f"its header is separated by {other}")
        twice = next((name for name in header if header.count(name) > 1), None)
        if twice is not None:
            raise Unreadable(f"two columns are named {twice[:60]}")
        for row in reader:
            if row:
                yield _row(header, row, reader.line_num)
    except csv.Error as error:
        raise Unreadable(f"line {reader.line_num} is no row of a table: {error}") from None


def _other_separator(header: list[str], delimiter: str) -> str:
    """What the names of a header of one cell seem to be separated by, and what to do; empty where it is one name."""
    if len(header) != 1:
        return ""
    if delimiter != "\t" and "\t" in header[0]:
        return "tabs: state format: tsv"
    if delimiter != "," and "," in header[0]:
        return "commas: state format: csv"
    if ";" in header[0]:
        return "semicolons, and only commas and tabs are read: save it with commas (and decimal points)"
    return ""


def _row(header: list[str], row: list[str], line: int) -> Tree:
    if len(row) != len(header):
        raise Unreadable(f"line {line} has {len(row)} cells where the header has {len(header)}")
    return {name: number_or_text(cell.strip()) for name, cell in zip(header, row, strict=True)}


def json_rows(lines: Iterable[str]) -> Iterator[Tree]:
    """One value a line; blank lines are passed over."""
    for number, line in enumerate(lines, 1):
        if len(line) > LONGEST_LINE:
            raise Unreadable(f"line {number} has more than {LONGEST_LINE} characters")
        if not line.isspace():
            try:
                yield read_json(line)
            except Unreadable as error:
                raise Unreadable(f"in line {number} {error}") from None
            except json.JSONDecodeError as error:
                raise Unreadable(f"line {number} is no JSON: {error.msg}") from None


ROWS: Mapping[str, Callable[[Iterable[str]], Iterator[Tree]]] = {
    "csv": partial(csv_rows, delimiter=","),
    "tsv": partial(csv_rows, delimiter="\t"),
    "jsonl": json_rows,
}
"""The formats that are read row by row."""
