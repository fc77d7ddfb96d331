"""``flopkb check``."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from flopkb.check import check, narrowed
from flopkb.commands import Outcome, UsageFault, records_folder
from flopkb.pipeline import BaseNotFound, evaluated_base
from flopkb.report.json import json_report
from flopkb.report.text import Counts, Style, text_report


def check_command(paths: Sequence[Path], records: Path | None, form: str, style: Style) -> Outcome:
    """Check the whole base; report what lies at or below ``paths``."""
    began = time.monotonic()
    cwd = Path.cwd()
    try:
        base = evaluated_base(records_folder(records), cwd)
    except BaseNotFound as error:
        raise UsageFault(str(error)) from error
    result = check(base)
    if paths:
        result = narrowed(result, shown_paths(paths, cwd))
    counts = Counts(len(base.kb.records), base.recomputed, seconds=time.monotonic() - began)
    if form == "json":
        return Outcome(json_report(result, counts), result.exit_code)
    sources = {record.path: record.document.source for record in (*base.kb.records.values(), *base.kb.twins)}

    def source(path: str) -> str | None:
        return sources[path] if path in sources else read_text(cwd / path)

    return Outcome(text_report(result, counts, source, style), result.exit_code)


def shown_paths(paths: Sequence[Path], cwd: Path) -> Iterator[str]:
    """The paths as findings name them."""
    for path in paths:
        if not path.exists():
            raise UsageFault(f"{path} does not exist")
        yield os.path.relpath(path, cwd)


def read_text(path: Path) -> str | None:
    """The text of a file that could not be read as a record, for the excerpt; None where it has none."""
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return None
