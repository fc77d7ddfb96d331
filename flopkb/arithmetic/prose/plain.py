"""Prose as a reader sees it: where each of its characters came from, where sentences end, words and placeholders stand."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field

_VERBATIM = -1
_WORDS = re.compile(r"[^ \t\r\n\f\v\0]+(?: [^ \t\r\n\f\v\0]+)*")
_SPACE = re.compile(r"[ \t\r\n\f\v]")
_STOP = re.compile(r"[.!?]+[)\]}\"'’”»]*(?=[ \u00a0]|\n|$)|\n")
_LAST_WORD = re.compile(r"[\w.]+$")
_ALWAYS = frozenset(
    ["e.g", "i.e", "vs", "cf", "approx", "ca", "al", "resp", "incl", "excl", "w.r.t", "a.k.a", "viz", "mr", "dr", "st"]
)
_BEFORE_NUMBER = re.compile(r"(?:figs?|eqn?s?|tabs?|secs?|nos?|vol|pp?|ch|app|refs?|thm|def|prop)")
_UNBREAKABLE = str.maketrans("\u00a0\u2009\u202f\u2007", "    ")
_PLACEHOLDER = re.compile(
    r"(?<![\w-])(?:TODO|FIXME|XXX|TBD)(?![\w-])"
    r"|(?<!\w)(?:todo|Todo|fixme|tbd)(?=[:(])"
    r"|(?<![\w%)])%(?:\(\w{1,40}\))?[-+#0]?[0-9]{0,3}(?:\.[0-9]{1,2})?[sdifgr](?!\w)"
    r"|\{\{(?:[^{}\n]{0,80}\}\})?|\{%[^{}\n]{0,80}%\}|\{[0-9]{0,2}\}|\$\{\w{1,40}\}"
    r"|(?i:lorem ipsum)"
    r"|<[A-Z]+(?:_[A-Z]+)+>"
)
_TAG = re.compile(
    r"</?(?:placeholder|insert|your|todo|tbd|fixme|fill|xxx|value|number|n|name|here|enter|replace)\b[^<>]*>",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Mapped:
    """``text`` in runs: run ``i`` begins at ``starts[i]`` and renders the source from ``sources[i]`` on.

    ``stops[i]`` is -1 where the run stands in the source character for character; otherwise the run as a whole renders
    the source up to ``stops[i]`` (an entity, white space that collapsed).
    """

    text: str
    starts: tuple[int, ...] = field(default=(), repr=False)
    sources: tuple[int, ...] = field(default=(), repr=False)
    stops: tuple[int, ...] = field(default=(), repr=False)

    def at(self, offset: int) -> int:
        """The source offset of the character at ``offset``."""
        index = bisect_right(self.starts, offset) - 1
        if index < 0:
            return self.sources[0] if self.sources else 0
        if self.stops[index] == _VERBATIM:
            return self.sources[index] + offset - self.starts[index]
        return self.sources[index]

    def end(self, offset: int) -> int:
        """The source offset behind the character that ends at ``offset``."""
        if offset <= 0:
            return self.at(0)
        index = max(0, bisect_right(self.starts, offset - 1) - 1)
        if not self.starts or self.stops[index] == _VERBATIM:
            return self.at(offset - 1) + 1
        return self.stops[index]

    def span(self, start: int, stop: int) -> tuple[int, int]:
        """Where ``text[start:stop]`` stands in the source."""
        return (self.at(start), self.end(stop)) if stop > start else (self.at(start), self.at(start))


class Builder:
    """Puts a :class:`Mapped` together, piece by piece: white space collapses, also across pieces."""

    def __init__(self) -> None:
        self.length = 0
        self._parts: list[str] = []
        self._starts: list[int] = []
        self._sources: list[int] = []
        self._stops: list[int] = []
        self._space: tuple[int, int] | None = None
        self._fresh = True

    def open_block(self, source: int) -> None:
        """Begin a block: a line of its own, without white space at its ends."""
        if self.length and not self._fresh:
            self._put("\n", source, source)
        self._space, self._fresh = None, True

    def verbatim(self, text: str, start: int, stop: int) -> tuple[int, int]:
        """Render ``text[start:stop]`` as it stands; NUL characters are masked markup and vanish.

        Return where that is in the rendered text, without the white space around it.
        """
        at, first = start, None
        for words in _WORDS.finditer(text, start, stop):
            if words.start() > at:
                self._white(text, at, words.start())
            self._flush()
            first = self.length if first is None else first
            self._put(words[0], words.start(), _VERBATIM)
            at = words.end()
        if at < stop:
            self._white(text, at, stop)
        return (self.length if first is None else first), self.length

    def rendered(self, text: str, start: int, stop: int) -> None:
        """Render the source ``start:stop`` as ``text``."""
        if text and text in " \t\n":
            self._space = self._space or (start, stop)
        elif text:
            self._flush()
            self._put(text, start, stop)

    def forget_space(self) -> None:
        """Drop white space that was about to be rendered."""
        self._space = None

    def build(self) -> Mapped:
        """What has been rendered."""
        return Mapped("".join(self._parts), tuple(self._starts), tuple(self._sources), tuple(self._stops))

    def _white(self, text: str, start: int, stop: int) -> None:
        if self._space is None and _SPACE.search(text, start, stop):
            self._space = (start, stop)

    def _flush(self) -> None:
        if self._space is not None and not self._fresh:
            start, stop = self._space
            self._put(" ", start, stop)
        self._space = None

    def _put(self, text: str, source: int, stop: int) -> None:
        self._starts.append(self.length)
        self._sources.append(source)
        self._stops.append(stop)
        self._parts.append(text)
        self.length += len(text)
        self._fresh = text == "\n" and stop == source


# -- sentences and words ---------------------------------------------------------------------------------------------
def sentence_ends(plain: str) -> tuple[int, ...]:
    """The offset behind each sentence: behind its mark, or at the end of its block; the last is the end of the text."""
    ends = [stop.start() if stop[0] == "\n" else stop.end() for stop in _STOP.finditer(plain) if _ends(plain, stop)]
    return (*ends, len(plain))


def _ends(plain: str, stop: re.Match[str]) -> bool:
    """Whether the mark ends a sentence; the period of an abbreviation does not."""
    if stop[0][0] != "." or stop.end() == len(plain) or plain[stop.end()] == "\n":
        return True
    word = _LAST_WORD.search(plain, max(0, stop.start() - 12), stop.start())
    last = word[0].lower().lstrip(".") if word else ""
    following = plain[stop.end() + 1 : stop.end() + 2]
    if last == "etc":
        return not following.islower()
    return last not in _ALWAYS and not (_BEFORE_NUMBER.fullmatch(last) and (following.isdigit() or following == "("))


def sentence_at(plain: str, ends: tuple[int, ...], offset: int) -> tuple[int, int]:
    """The sentence that holds ``offset``, without the space before it."""
    index = bisect_right(ends, offset)
    start = ends[index - 1] if index else 0
    end = ends[index] if index < len(ends) else len(plain)
    while start < end and plain[start] in " \u00a0\n":
        start += 1
    return start, end


def last_sentence_end(ends: tuple[int, ...], offset: int) -> int:
    """The end of the sentence that reaches ``offset``, where ``offset`` itself may be that end."""
    index = bisect_left(ends, offset)
    return ends[index] if index < len(ends) else offset


def occurrences(plain: str, words: str) -> Iterator[int]:
    """Where ``words`` stand in ``plain``, not within longer words; spaces of any width are equal."""
    words = " ".join(words.translate(_UNBREAKABLE).split())
    if not words:
        return
    plain = plain.translate(_UNBREAKABLE)
    at = plain.find(words)
    while at >= 0:
        end = at + len(words)
        if not (_joined(plain, at) or _joined(plain, end)):
            yield at
        at = plain.find(words, at + 1)


def _joined(plain: str, offset: int) -> bool:
    """Whether the characters on both sides of ``offset`` belong to one word."""
    return 0 < offset < len(plain) and plain[offset - 1].isalnum() and plain[offset].isalnum()


# -- placeholders -----------------------------------------------------------------------------------------------------
def placeholders(plain: str) -> Iterator[tuple[int, int]]:
    """The placeholders in plain prose."""
    return (match.span() for match in _PLACEHOLDER.finditer(plain))


def is_placeholder_tag(tag: str) -> bool:
    """Whether what Markdown takes for an HTML tag is a placeholder: ``<your number here>``."""
    return _TAG.fullmatch(tag) is not None
