"""YAML scalars written in every style, for property tests: Hypothesis strategies of the lines of a file."""

from __future__ import annotations

from hypothesis import strategies as st

WORD = st.builds(str.__add__, st.sampled_from("abxé"), st.text("abcxyz019é😀µ-=.;%()*/", max_size=8))
SENTENCE = st.lists(WORD, min_size=1, max_size=5).map(" ".join)
GAP = st.integers(0, 3)


@st.composite
def literal(draw: st.DrawFn, mark: str = "|") -> list[str]:
    """A ``|`` (or ``>``) block below its key: header first, then lines with indentation, blank lines among them."""
    indent = draw(st.integers(1, 4))
    body = draw(st.lists(st.one_of(SENTENCE, st.just(""), SENTENCE.map(lambda s: "  " + s)), min_size=1, max_size=7))
    explicit = draw(st.booleans()) or not body[0] or body[0].startswith(" ")
    header = mark + (str(indent) if explicit else "") + draw(st.sampled_from(["", "-", "+"]))
    trailing = draw(st.sampled_from(["", " ", "  "]))
    return [header, *(" " * indent + line + trailing if line else "" for line in body)]


@st.composite
def flowing(draw: st.DrawFn, quote: str) -> list[str]:
    """A plain or quoted scalar over one line or more; ``quote`` is ``''`` for a plain one."""
    parts = {
        "": SENTENCE,
        "'": st.lists(st.one_of(WORD, st.sampled_from(["''", "it''s", "#", ": "])), min_size=1, max_size=5).map(
            " ".join
        ),
        '"': st.lists(st.one_of(WORD, st.sampled_from(ESCAPES)), min_size=1, max_size=5).map(" ".join),
    }[quote]
    lines = draw(st.lists(parts, min_size=1, max_size=4))
    written = [lines[0]]
    for line in lines[1:]:
        written[-1] += " " * draw(st.integers(0, 2))
        written += [" " * draw(GAP) for _ in range(draw(st.integers(0, 2)))]
        written.append(" " * draw(st.integers(1, 4)) + line)
    if quote == '"' and len(written) > 1 and draw(st.booleans()):
        written[0] += "\\"
    return (
        [quote + written[0], *written[1:-1], written[-1] + quote] if len(written) > 1 else [quote + written[0] + quote]
    )


ESCAPES = [r"\n", r"\"", r"\\", r"\x41", r"\u00e9", r"\U0001F600", r"a\tb", r"\ ", r"x\_y"]

SCALAR = st.one_of(literal("|"), literal(">"), flowing(""), flowing("'"), flowing('"'))


@st.composite
def document(draw: st.DrawFn) -> str:
    """A mapping of scalars in all styles, with comments, blank lines and either line end."""
    lines: list[str] = []
    for number in range(draw(st.integers(1, 4))):
        if draw(st.booleans()):
            lines.append("# a comment: with [brackets]")
        first, *rest = draw(SCALAR)
        lines += [f"k{number}: {first}", *rest]
    end = draw(st.sampled_from(["\n", "\r\n"]))
    bom = draw(st.sampled_from(["", "\ufeff"]))
    return bom + end.join(lines) + end
