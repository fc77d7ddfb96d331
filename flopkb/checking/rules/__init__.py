"""The rules, in the order of their documentation: what is wrong with a file, a reference, a formula, a number, prose.

A rule is a module of this package: its docstring is its documentation page, ``ID`` its name, ``check`` finds its
faults. Adding one takes its file, its fixtures and a line in ``_MODULES``.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from importlib import import_module
from types import ModuleType
from typing import Any

from flopkb.checking.findings import Finding


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule: its id, its documentation, and what it runs on: each record, with ``pages`` documents too, or once."""

    id: str
    documentation: str
    run: Callable[..., Iterable[Finding]]
    pages: bool = False
    whole_base: bool = False
    after: bool = False
    """Whether it judges what the other rules found (suppressions)."""
    claims: bool = False
    """Whether it needs claims decided, and is silent where they are skipped."""

    @classmethod
    def of(cls, module: ModuleType) -> Rule:
        """The rule that a module of this package defines."""
        parts: Any = module
        documentation = inspect.cleandoc(module.__doc__ or "")
        flags = (getattr(module, name, False) for name in ("PAGES", "WHOLE_BASE", "AFTER", "CLAIMS"))
        return cls(parts.ID, documentation, parts.check, *flags)

    @property
    def title(self) -> str:
        """The first sentence of the documentation."""
        return self.documentation.split("\n\n", 1)[0].replace("\n", " ")


_MODULES = (
    "file",
    "yaml_syntax",
    "schema",
    "id_and_file",
    "unique_id",
    "unknown_reference",
    "wrong_kind",
    "deprecated_reference",
    "quantity_among_products",
    "formula_syntax",
    "name_clash",
    "unknown_name",
    "cycle",
    "formula_dimension",
    "bad_input",
    "unknown_input",
    "missing_input",
    "outside_domain",
    "zero_denominator",
    "unavailable_value",
    "bad_link",
    "bad_table",
    "unknown_figure",
    "unknown_fact",
    "unknown_claim",
    "unreadable_number",
    "unit_mismatch",
    "figure_mismatch",
    "figure_truncated",
    "loose_bound",
    "bare_number",
    "bare_multiplier",
    "link_without_number",
    "literal_reason",
    "equation_mismatch",
    "equation_input",
    "derivation_mismatch",
    "unreadable_equation",
    "untied_equation",
    "reading_mismatch",
    "row_name",
    "derived_value",
    "undecided_conflict",
    "basis_without_evidence",
    "effect_not_in_prose",
    "magnitude_not_quoted",
    "magnitude_without_parameter",
    "cost_elasticity",
    "cost_without_effect",
    "cost_one_sided",
    "claim_invalid",
    "claim_refuted",
    "failed_correction",
    "placeholder",
    "folded_prose",
    "unused_definition",
    "unused_value",
    "unused_source",
    "unused_literal",
    "unused_suppression",
)

RULES: tuple[Rule, ...] = tuple(Rule.of(import_module(f"{__name__}.{name}")) for name in _MODULES)
"""Every rule, in the order of ``flopkb rules``."""
