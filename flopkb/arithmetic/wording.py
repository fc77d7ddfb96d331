"""The sentence about a number that is not what was computed, wherever it stands: in a record, a document or any text."""

from __future__ import annotations

from flopkb.arithmetic.numbers import Judgement, Verdict, with_unit

_WHAT = {
    Verdict.WRONG: "is wrong",
    Verdict.TRUNCATED: "is cut, not rounded",
    Verdict.LOOSE_BOUND: "is a loose bound",
    Verdict.UNIT_MISMATCH: "has the wrong unit",
    Verdict.UNIT_MISSING: "has no unit",
}


def misquoted(text: str, title: str, judgement: Judgement, instead: str | None = None, advice: str = "") -> str:
    """What is wrong with ``text``, which stands for ``title``: computed, difference, and ``instead`` (else ``advice``)."""
    what = f"{text} {_WHAT[judgement.verdict]}"
    if judgement.verdict in (Verdict.UNIT_MISMATCH, Verdict.UNIT_MISSING):
        return f"{what}: {judgement.note}"
    computed, difference = (
        with_unit(n, judgement.unit, tight=True) for n in (judgement.computed, judgement.difference)
    )
    note = f" ({judgement.note})" if judgement.note and judgement.verdict is not Verdict.TRUNCATED else ""
    return f"{what}: {title} is {computed}, {difference} off{note}" + (f"; write {instead}" if instead else advice)


def miscomputed(quoted: str, computed: str, *, cut: bool) -> str:
    """What is said of an equation that does not come out: ``it ...`` where its left side is not named before."""
    return f"{quoted} is cut, not rounded: it comes to {computed}" if cut else f"comes to {computed}, not {quoted}"
