"""A file that cannot be read, or that does not belong among the records.

Records are ``.yaml`` files in the folders of ``records/``. A folder or link named like one, a file that may not be
read, and one that is too large are reported, not passed over.
"""

from __future__ import annotations

from collections.abc import Iterator

from flopkb.base.evaluate import Evaluation
from flopkb.checking.findings import Finding

ID = "file"
WHOLE_BASE = True


def check(_: None, base: Evaluation) -> Iterator[Finding]:
    """What finding and reading the files found."""
    for found in base.diagnostics:
        if found.rule == ID:
            yield Finding(found.location, found.message, found.severity, length=found.length)
