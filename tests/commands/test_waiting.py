"""A command that takes long says so on a terminal, and on nothing else."""

from __future__ import annotations

import io
import sys
import time

import pytest

from flopkb import commands


class Stream(io.StringIO):
    """Standard error that may be a terminal."""

    def __init__(self, terminal: bool) -> None:
        super().__init__()
        self.terminal = terminal

    def isatty(self) -> bool:
        return self.terminal


@pytest.mark.parametrize(("terminal", "tick", "said"), [(True, 0.01, True), (False, 0.01, False), (True, 60, False)])
def test_only_a_terminal_is_told_and_only_after_a_while(
    terminal: bool, tick: float, said: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    stream = Stream(terminal)
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setattr(commands, "TICK", tick)
    with commands.waiting():
        time.sleep(0.1)
    written = stream.getvalue()
    assert ("flopkb" in written and "... 0 s" in written) == said
    assert written == "" or written.rpartition("\r")[0].rpartition("\r")[2].isspace()  # the line is empty at the end
