"""A record does not have the shape of its kind.

An unknown key (the message names the nearest known one), a missing or wrong value, a value out of its bounds. The
schemas in ``schema/`` say what each kind holds; editors that know them show the same faults while typing.
"""

from __future__ import annotations

from collections.abc import Iterator

from flopkb.base.evaluate import Evaluation
from flopkb.checking.findings import Finding

ID = "schema"
WHOLE_BASE = True


def check(_: None, base: Evaluation) -> Iterator[Finding]:
    """What the schema found."""
    for found in base.diagnostics:
        if found.rule == ID:
            yield Finding(found.location, found.message, found.severity, length=found.length)
