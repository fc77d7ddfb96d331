"""A rendered text that knows where in the source each of its characters came from."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass, field

_VERBATIM = -1
_WORDS = re.compile(r"[^ \t\r\n\f\v\0]+(?: [^ \t\r\n\f\v\0]+)*")
_SPACE = re.compile(r"[ \t\r\n\f\v]")


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
