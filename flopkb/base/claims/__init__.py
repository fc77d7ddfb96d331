"""Claims: what records state of their formulas, decided over declared domains as proved, tested or refuted.

In order: the rational normal form and signs; exact evaluation at every boundary, at every listed value and at seeded
points; a solver, where one is installed; Hypothesis to make a counterexample small and, in a thorough run, to look for
one. Everything is exact and the same from run to run.
"""

from __future__ import annotations

from flopkb.base.claims.checker import Checker
from flopkb.base.claims.decide import Effort
from flopkb.base.claims.judged import Claims, claims_of, use_effort

__all__ = ["Checker", "Claims", "Effort", "claims_of", "use_effort"]
