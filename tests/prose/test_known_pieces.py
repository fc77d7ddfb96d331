"""A text made of known pieces is read as exactly those pieces, each at its place."""

from __future__ import annotations

from dataclasses import dataclass, field

from hypothesis import given, settings
from hypothesis import strategies as st

from flopkb.arithmetic.prose import ProseReading, read_prose

from .marked import Span, bare_spans, marked

# Each piece shows with guillemets what must be found in it, by the name of the list that it is to be found in.
PIECES: list[tuple[str, str]] = [
    ("links", "[«295x»](fig:gap)"),
    ("links", "[**«4.0 flop/byte»**](fig:ai?h100&kv_dtype=bf16)"),
    ("links", "[`«2*3 = 6»`](fig:six)"),
    ("links", "[«64»](fact:llama.heads@card 'a title')"),
    ("links", "[«about\n1,979»](in:long.s)"),
    ("citations", "[@«kivi_2024»]"),
    ("citations", "[@«a»; @«b_2»]"),
    ("bare", "«37x»"),
    ("bare", "«1,979» TFLOP/s"),
    ("bare", "«2 × 10⁹»"),
    ("bare", "**«16»** GiB"),
    ("bare", "«half» the bytes"),
    ("bare", "«4–8x»"),
    ("bare", "[a «7»](https://a.b/8)"),
    ("equations", "`«x = 2*3»`"),
    ("equations", "$«x = 2»$"),
    ("placeholders", "«TODO»"),
    ("comments", "«<!-- 5 TODO `a=1` -->»"),
    ("", "H100"),
    ("", "Llama-3-8B"),
    ("", "on 2026-10-05"),
    ("", "see Equation 2"),
    ("", "`code 5`"),
    ("", "half precision"),
    ("", "a note[^1]"),
    ("", "https://a.b/7"),
    ("", "*emphasis*"),
    ("", "\\*stars\\*"),
    ("", "&times;"),
    ("", "![a](b5.png)"),
    ("", "<b>bold</b>"),
    ("", "n_q"),
]
FRAMES = [
    "{}\n\n",
    "# {} #\n\n",
    "> {}\n\n",
    "- {}\n\n",
    "12. {}\n\n",
    "| {} | x |\n|---|---|\n\n",
    "[^1]: {}\n\n",
    "{}\n---\n\n",
]
JOINTS = [" ", ", ", ". ", " – ", ": ", " (a) "]


@dataclass
class Known:
    """A text and what must be found in it."""

    text: str = ""
    spans: dict[str, list[Span]] = field(default_factory=dict)

    def add(self, kind: str, piece: str) -> None:
        source, found = marked(piece)
        self.spans.setdefault(kind, []).extend((len(self.text) + a, len(self.text) + b) for a, b in found)
        self.text += source


@st.composite
def known(draw: st.DrawFn) -> Known:
    made = Known()
    for _ in range(draw(st.integers(1, 4))):
        frame = draw(st.sampled_from(FRAMES))
        head, tail = frame.split("{}")
        made.text += head + "word "
        for _ in range(draw(st.integers(0, 5))):
            kind, piece = draw(st.sampled_from(PIECES))
            # A line break in a heading or a table row would end it, and in a quote needs its mark.
            made.add(kind, piece.replace("\n", " ") if frame != "{}\n\n" else piece)
            made.text += draw(st.sampled_from(JOINTS))
        made.text += "end" + tail
    return made


def found_in(reading: ProseReading) -> dict[str, list[Span]]:
    return {
        "links": [(link.text_start, link.text_end) for link in reading.links],
        "citations": [(citation.start, citation.end) for citation in reading.citations],
        "bare": bare_spans(reading),
        "equations": [(equation.start, equation.end) for equation in reading.equations],
        "placeholders": [(left.start, left.end) for left in reading.placeholders],
        "comments": [(comment.start, comment.end) for comment in reading.comments],
    }


@settings(derandomize=True, deadline=None, max_examples=300, database=None)
@given(known())
def test_exactly_the_known_pieces(made: Known) -> None:
    found = found_in(read_prose(made.text))
    assert found == {kind: made.spans.get(kind, []) for kind in found}


@settings(derandomize=True, deadline=None, max_examples=300, database=None)
@given(st.text(alphabet="a1 x×½[](){}<>!*_`~$#>-+=|\\&;:@^%.,\n\r\t\0é\u00a0²٣fig:", max_size=60))
def test_any_text_is_read_and_every_offset_lies_in_it(text: str) -> None:
    reading = read_prose(text, frozenset({"a 1x", "x"}))
    for spans in found_in(reading).values():
        assert all(0 <= start <= end <= len(text) for start, end in spans)
    for number in reading.bare:
        assert reading.plain[number.plain_start : number.plain_end] == number.text
    assert all(0 <= reading.source_at(offset) <= len(text) for offset in range(len(reading.plain)))
    assert read_prose(text, frozenset({"a 1x", "x"})) == reading
