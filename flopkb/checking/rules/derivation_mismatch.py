r"""A side of a derivation is not the formula that it is tied to.

Every side of `` [`AI = 4*L*d_h*n_q / (4*L*d_h*n_kv) = n_q/n_kv`](fig:ai?kv_dtype=bf16) `` must equal the formula with
the inputs that the link gives, for all values of the others; this is decided exactly. The name on the left is that of
the formula or one of its ``written:`` names. Python's notation and LaTeX are read (``2mnb``, ``\frac{2mnb}{2mn}``).
"""

from __future__ import annotations

from collections.abc import Iterator

from flopkb.base.equations import DERIVATION, equation_faults
from flopkb.base.evaluate import Evaluation
from flopkb.base.model import Subject
from flopkb.checking.findings import Finding
from flopkb.checking.rules.quotes import equation_finding

ID = "derivation-mismatch"
PAGES = True


def check(subject: Subject, base: Evaluation) -> Iterator[Finding]:
    """Every such fault in the equations of the record."""
    return (equation_finding(fault) for fault in equation_faults(subject, base) if fault.rule == DERIVATION)
