"""The page that says what the site is, and what its words mean."""

from __future__ import annotations

from flopkb.publishing.export.html.layout import PageParts, part
from flopkb.publishing.pages.elements import Html, el, joined

ABOUT = (
    "This site is made from a knowledge base of what LLM inference costs: records in files, each value with where it comes "
    "from. Every number that its prose quotes is tied to a formula and its inputs, and was recomputed when the site was made.",
    "A page with formulas answers questions: it computes with exact fractions, by the same formulas, and says why where there "
    "is no value. The address keeps the question.",
    "How numbers are told apart: a violet number is computed from a figure, a blue one is a recorded value, a green sentence "
    "is a claim that was proved or tested. Each leads to what is behind it.",
)

GLOSSARY = {
    "How a value is known": (
        ("recorded", "a source prints it; the page of the record shows how it is printed and how that is read"),
        ("derived", "a formula gives it from other values, and it is recomputed"),
        ("measured", "somebody measured it, with the method, the device and the date named"),
        ("unverified", "nothing is behind it"),
        ("contested", "sources state values in conflict; the one that stands says why"),
        ("hypothetical", "computed for a case to which the formula does not apply, and said to be so"),
    ),
    "How a claim is known": (
        ("proved, by normal form", "both sides are the same quotient of polynomials once everything is multiplied out"),
        ("proved, by signs", "the difference of both sides keeps its sign over the whole domain, which its parts show"),
        ("proved, by a solver", "a solver for inequalities found that nothing in the domain speaks against it"),
        ("tested", "no counterexample among so many points, the ends of all domains among them; not a proof"),
    ),
    "Words of the field": (
        ("arithmetic intensity", "operations for each byte that is moved, in flop per byte"),
        ("ridge", "peak rate over memory bandwidth: below that intensity a kernel waits for memory"),
        ("KV cache", "keys and values of past tokens, kept so that they are not computed again"),
        ("prefill", "the work on the prompt, all of its tokens at once"),
        ("decode", "the work on what is written, one token of each sequence in a step"),
        ("dense, sparse", "a rate that counts operations that are done, or also those that structured zeros let skip"),
        ("GB, GiB", "10^9 and 2^30 byte; memory is sold in GiB under the name of GB"),
    ),
}  # fmt: skip


def about_page() -> PageParts:
    """What the site is, and its glossary."""
    lead = el("header", el("h1", "About this site"), *(el("p", text) for text in ABOUT), class_="title prose")
    parts = [
        part(title.split()[0].lower() + str(place), title, terms(of))
        for place, (title, of) in enumerate(GLOSSARY.items())
    ]
    return PageParts("about.html", "About and glossary", lead, parts, "about")


def terms(pairs: tuple[tuple[str, str], ...]) -> Html:
    """Words with what they mean."""
    return el(
        "dl", joined(*(el("div", el("dt", word), el("dd", meaning)) for word, meaning in pairs)), class_="glossary"
    )
