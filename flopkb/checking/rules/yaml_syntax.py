"""A file is not YAML as flopkb reads it.

Besides broken syntax that is: duplicate keys, anchors, aliases, tags, ``.nan`` and ``.inf``, numbers out of range,
tabs, text that is not UTF-8, files over 1 MiB, and nesting deeper than 64. Each of them hides or changes values in
some reader.
"""

from __future__ import annotations

from collections.abc import Iterator

from flopkb.base.evaluate import Evaluation
from flopkb.checking.findings import Finding

ID = "yaml"
WHOLE_BASE = True


def check(_: None, base: Evaluation) -> Iterator[Finding]:
    """What loading found."""
    for found in base.diagnostics:
        if found.rule == ID:
            yield Finding(found.location, found.message, found.severity, length=found.length)
