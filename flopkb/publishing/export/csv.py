"""CSV: tidy tables that open in a spreadsheet, one row for each thing, no cell that a spreadsheet would run.

Every exact value is three columns: a decimal, and the numerator and denominator that it stands for. The files begin
with a byte order mark, by which spreadsheets know that they are UTF-8, and their lines end as RFC 4180 says.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Sequence

from flopkb.publishing.export.data_tables import flat
from flopkb.publishing.export.resolved import ResolvedBase

_RUNS = re.compile("'*[=+\\-@\t\r\n\uff1d\uff0b\uff0d\uff20]")
"""What a spreadsheet may take for a formula, behind any apostrophes (which are doubled, so that undoing is exact)."""
_NUMBER = re.compile(r"[+-]?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")


def csv_export(base: ResolvedBase) -> dict[str, bytes]:
    """The files of the folder, by name."""
    return {
        f"{table.csv}.csv": written(table.heads(), (cells for row in rows for cells in table.cells(row)))
        for table, rows in flat(base)
        if table.csv
    }


def written(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> bytes:
    """A table as the bytes of a file."""
    out = io.StringIO(newline="")
    writer = csv.writer(out, quoting=csv.QUOTE_MINIMAL, lineterminator="\r\n")
    writer.writerow(columns)
    writer.writerows([safe(cell) for cell in row] for row in rows)
    return ("\ufeff" + out.getvalue()).encode("utf-8", "replace")


def safe(cell: str) -> str:
    """A text with an apostrophe before what a spreadsheet would run; numbers, negative ones too, as they are."""
    return f"'{cell}" if _RUNS.match(cell) and not _NUMBER.fullmatch(cell) else cell


def plain(cell: str) -> str:
    """The text behind :func:`safe`, for programs that read the files."""
    return cell[1:] if cell.startswith("'") and _RUNS.match(cell) else cell
