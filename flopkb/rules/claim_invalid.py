"""A claim cannot be decided as it stands.

A symbol that it lets vary has no domain, or an empty one; its conditions contradict each other; something is divided
by that is zero inside the domain, even where it cancels; a name in it is unknown; or what it asks is too large to work
out. "At any dtype" is no domain: name the dtypes under ``over:``.
"""

from __future__ import annotations

from collections.abc import Iterator

from flopkb.claims import claims_of
from flopkb.evaluate import Evaluation
from flopkb.findings import Finding
from flopkb.model import Record
from flopkb.verdicts import Invalid

ID = "claim-invalid"


def check(record: Record, base: Evaluation) -> Iterator[Finding]:
    """Every claim of the record that is none."""
    for name, verdict in claims_of(base).of_record(record):
        if isinstance(verdict, Invalid) and not verdict.blocked:
            yield Finding(verdict.location, f"{name}: {verdict}", length=verdict.length)
