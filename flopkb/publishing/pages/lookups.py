"""What the pages of records look up, and the marks and links that they share."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from flopkb.arithmetic.numbers import readable
from flopkb.arithmetic.units import parse_unit
from flopkb.base.claims.verdicts import ClaimVerdict
from flopkb.base.model import Basis, Kind, Status
from flopkb.publishing.export.anchors import fact_place, figure_anchor
from flopkb.publishing.export.exact import Exact
from flopkb.publishing.export.resolved import ResolvedBase, ResolvedFact, ResolvedFigure, ResolvedQuote
from flopkb.publishing.pages.blocks import RowCell
from flopkb.publishing.pages.inlines import Badge, Code, Flow, OnlyIn, SiteLink, SitePlace, Words, Written

TITLES = {
    Kind.WORKLOAD_CLASS: "Workload classes",
    Kind.FORMULA: "Formulas",
    Kind.VOCABULARY: "Vocabularies",
    Kind.ACCELERATOR: "Accelerators",
    Kind.INTERCONNECT: "Interconnects",
    Kind.MODEL: "Models",
    Kind.DTYPE: "Number formats",
    Kind.SOURCE: "Sources",
}
_BASIS = {
    Basis.RECORDED: ("●", "A source prints it."),
    Basis.DERIVED: ("ƒ", "A formula gives it; it is recomputed."),
    Basis.MEASURED: ("◎", "It was measured."),
    Basis.UNVERIFIED: ("?", "Nothing is behind it."),
}
_VERDICTS = {
    "proved": ("✓", "It holds everywhere in its domain."),
    "tested": ("≈", "It holds at every point that was tried."),
    "refuted": ("✗", "It fails at the point shown."),
    "invalid": ("!", "It cannot be decided as it stands."),
}
_STATUS = {
    Status.DRAFT: "Its findings are warnings.",
    Status.VERIFIED: "Every figure in it is checked.",
    Status.CONTESTED: "Its sources disagree.",
    Status.DEPRECATED: "Other records may not use it.",
}
CONTESTED = Badge("contested", "⇄", "contested", "Other sources state another value; both sides stand with the value.")
DISPUTED = Badge("contested", "⇄", "contested", "Other sources state another value.", bare=True)
"""The same where there is room for the sign alone."""
PREFERRED = Badge("contested", "⇄", "another is preferred", "Both sides stand with the value.")


def basis_mark(of: Basis) -> Badge:
    """On which basis something stands."""
    return Badge(f"basis-{of.value}", _BASIS[of][0], of.value, _BASIS[of][1])


def verdict_mark(of: ClaimVerdict | None) -> Badge | None:
    """How a claim ended."""
    if of is None:
        return None
    return Badge(f"claim-{of.word}", _VERDICTS[of.word][0], of.word, _VERDICTS[of.word][1])


def status_mark(of: Status) -> Badge:
    """How far a record is trusted."""
    return Badge(f"status-{of.value}", "", of.value, _STATUS[of])


Quotes = dict[str, list[tuple[str, int, ResolvedQuote]]]
"""Every quote by its key, each with its record and its number there."""


@dataclass(frozen=True, slots=True)
class Lookups:
    """Figures, values and quotes of a base by key, and the figures by the values that they depend on."""

    base: ResolvedBase
    figures: dict[str, ResolvedFigure]
    facts: dict[str, ResolvedFact]
    quotes: Quotes
    moved: dict[str, list[str]]
    entries: Mapping[str, Flow] = field(default_factory=dict)
    """The reference of each source in the citation style, where it has been made."""

    @classmethod
    def of(cls, base: ResolvedBase, entries: Mapping[str, Flow] | None = None) -> Lookups:
        """The look-ups of a base."""
        quotes: Quotes = {}
        for record in base.records.values():
            for index, quote in enumerate(record.quotes):
                quotes.setdefault(quote.key, []).append((record.id, index, quote))
        moved: dict[str, list[str]] = {}
        for figure in base.figures:
            for key in figure.facts:
                moved.setdefault(key, []).append(figure.key)
        figures = {figure.key: figure for figure in base.figures}
        return cls(base, figures, {fact.key: fact for fact in base.facts}, quotes, moved, entries or {})

    def as_quoted(self, figure: ResolvedFigure) -> str:
        """The words with which the base quotes it, the figure's own record first; empty where it does not."""
        found = [quote for _, _, quote in self.quotes.get(figure.key, ()) if not quote.is_math]
        own = [quote for quote in found if quote.record == figure.record]
        return (own or found)[0].text if found else ""

    # -- links --------------------------------------------------------------------------------------------------------
    def record(self, id: str, *children: Flow) -> SiteLink:
        """A link to a record, by its name."""
        found = self.base.records.get(id)
        return SiteLink(SitePlace(id), children or (Words(found.name) if found is not None else Written(id)))

    def figure(self, key: str, here: str, *children: Flow) -> Flow:
        """A link to a figure of a record; in the record itself by its name alone."""
        record, _, name = key.partition(".")
        if not self.base.has(record, "figure", name):
            return children or Code(name if record == here else key)
        own = (OnlyIn("html", Code(name if record == here else key)), OnlyIn("markdown", Code(name)))
        return SiteLink(SitePlace(record, figure_anchor(name)), children or own)

    def formula(self, ref: str, here: str) -> Flow:
        """A link to a formula."""
        record, _, name = ref.partition(".")
        if not self.base.has(record, "formula", name):
            return Code(ref)
        return SiteLink(SitePlace(record, f"formula-{name}"), Code(name if record == here else ref))

    def source(self, id: str) -> SiteLink:
        """A link to a source, by author and year."""
        return SiteLink(SitePlace(id), Words(self.base.label(id)), "cite")


def fact_link(key: str) -> SiteLink:
    """A link to a recorded value."""
    return SiteLink(fact_place(key), Code(key))


def between(separator: str, children: Iterable[Flow]) -> list[Flow]:
    """Children with a separator between each two."""
    found: list[Flow] = []
    for child in children:
        found += [separator, child] if found else [child]
    return found


def assigned(pairs: Iterable[tuple[str, str]]) -> Flow:
    """Inputs with their values."""
    return between(", ", (Code(f"{name} = {value}") for name, value in pairs))


def amount(value: Exact) -> str:
    """A computed value for a reader: at least six digits, with the prefix that makes it short."""
    return readable(value.base, parse_unit(value.unit))


def value_cell(value: Exact | None, content: Flow) -> RowCell:
    """A cell with a number, sorted by what it is worth."""
    return RowCell(content, "" if value is None else sort_key(value), number=True)


def sort_key(value: Exact) -> str:
    """What a number is sorted by in a script: the nearest double, or a decimal where it is too large for one."""
    return value.decimal if value.nearest is None else repr(value.nearest)


def count_cell(count: int) -> RowCell:
    """How many; nothing for none."""
    return RowCell(Words(str(count)) if count else None, str(count), number=True)
