"""Small marks that tell at a glance: on which basis a value stands, how a claim ended, how far a record is trusted.

Each is a sign and a word, so that neither colour nor eyesight is needed.
"""

from __future__ import annotations

from flopkb.base.model import Basis, Status
from flopkb.base.verdicts import Verdict
from flopkb.publishing.export.columns import verdict_name
from flopkb.publishing.export.html.element import Html, el

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


def mark(class_: str, sign: str, word: str, title: str) -> Html:
    """A mark."""
    return el(
        "span",
        el("span", sign, aria_hidden="true") if sign else None,
        " " if sign else None,
        word,
        class_=f"mark {class_}",
        title=title,
    )


def basis(of: Basis) -> Html:
    """On which basis something stands."""
    sign, title = _BASIS[of]
    return mark(f"basis-{of.value}", sign, of.value, title)


def verdict(of: Verdict | None) -> Html | None:
    """How a claim ended."""
    if of is None:
        return None
    name = verdict_name(of)
    sign, title = _VERDICTS[name]
    return mark(f"claim-{name}", sign, name, title)


def status(of: Status) -> Html:
    """How far a record is trusted."""
    return mark(f"status-{of.value}", "", of.value, _STATUS[of])


def contested() -> Html:
    """That other sources state another value."""
    return mark("contested", "⇄", "contested", "Other sources state another value; both sides stand with the value.")


def disputed() -> Html:
    """The same where there is room for the sign alone."""
    hidden = el("span", "contested", class_="hidden")
    return el(
        "span",
        el("span", "⇄", aria_hidden="true"),
        hidden,
        class_="mark contested bare",
        title="Other sources state another value.",
    )
