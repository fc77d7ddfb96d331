"""A YAML parser's complaint as one plain sentence that says what to do, and the place where to do it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

Position = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Problem:
    """What a parser reported: its words, where it stopped, and where the construct began (from 0)."""

    text: str
    context: str
    at: Position
    since: Position | None


def problem_of(error: Exception) -> Problem | None:
    """The facts of a parser's error, or None where the exception is none of a parser."""
    mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
    if mark is None:
        return None
    context = getattr(error, "context_mark", None)
    return Problem(
        text=str(getattr(error, "problem", None) or ""),
        context=str(getattr(error, "context", None) or ""),
        at=(mark.line, mark.column),
        since=(context.line, context.column) if context is not None else None,
    )


_STARTS = {
    "[": "text that begins with `[` is read as a list: put the whole text in quotes",
    "{": "text that begins with `{` is read as a mapping: put the whole text in quotes",
    '"': "text after the closing quote: put the whole text in one pair of quotes",
    "'": "text after the closing quote: put the whole text in one pair of quotes",
}
_VALUE = re.compile(r"\s*(?:- +)*(?:[^\s:#'\"\[{][^:#]*:\s+)?(?:- +)*(\S)")

_AT_ONCE = (
    (r"cannot start any token", "text that begins with `{char}` must be in quotes"),
    (r"mapping values are not allowed", "`: ` in unquoted text: put the whole text in quotes, or indent it right"),
    (r"sequence entries are not allowed", "a list cannot begin on the line of its key: put each `- ` on its own line"),
    (r"mapping keys are not allowed", "`? ` is not used in records: write `key: value`"),
    (r"unexpected ':'", "`:` inside unquoted text between brackets: put the text in quotes"),
    (
        r"(?:unknown|Unicode|invalid).*escape|escape character",
        "an unknown escape after `\\`: double it (`\\\\`), or use single quotes",
    ),
    (r"hexdecimal|hexadecimal", "an escape such as `\\x41` or `\\u00e9` needs its hexadecimal digits"),
    (r"comment or (?:a )?(?:line break|newline)", "after `|` or `>` the text begins on the next line"),
    (r"indentation indicator", "the number after `|` or `>` lies between 1 and 9"),
    (r"document start", "text after the end of the record: remove it, or check the indentation"),
    (r"directive", "a YAML directive: remove this line"),
)


def explain(problem: Problem, lines: Sequence[str]) -> tuple[Position, str]:
    """The place to repair (from 0) and the sentence; a complaint nobody foresaw is quoted in the parser's words."""
    text, context = problem.text, problem.context
    if problem.at[0] >= len(lines) - 1 and not _char(problem.at, lines):
        problem = replace(problem, at=_last(lines))
    if re.search(r"end of (?:the )?stream|document (?:indicator|separator)", text) and "quoted" in context:
        return problem.since or problem.at, "this quote is never closed: add the closing one"
    if re.search(r"could not find expected ':'", text):
        return problem.since or problem.at, "expected `key: value`; text that goes on from the line above is indented"
    if "alias" in context or "anchor" in context:
        return problem.since or problem.at, _start(problem, lines)
    if "tag" in context:
        return problem.since or problem.at, "a tag (`!…`): remove it, or quote the text if it begins with `!`"
    for pattern, sentence in _AT_ONCE:
        if re.search(pattern, text):
            return problem.at, sentence.format(char=_char(problem.at, lines)) if "{char}" in sentence else sentence
    if "flow" in context:
        return problem.at, _flow(problem, lines)
    return problem.at, _block(problem, lines)


def _last(lines: Sequence[str]) -> Position:
    """The end of the last line that holds anything: where a file ends too early, that is where something is missing."""
    number = max((n for n, line in enumerate(lines) if line.strip()), default=0)
    return number, len(lines[number].rstrip())


def _start(problem: Problem, lines: Sequence[str]) -> str:
    return f"text that begins with `{_char(problem.since or problem.at, lines)}` must be in quotes"


def _char(at: Position, lines: Sequence[str]) -> str:
    line, column = at
    return lines[line][column : column + 1] if line < len(lines) else ""


def _flow(problem: Problem, lines: Sequence[str]) -> str:
    since, here = problem.since or problem.at, _char(problem.at, lines)
    opened = _char(since, lines)
    closing = {"[": "]", "{": "}"}.get(opened)
    if not here:
        return f"`{opened}` from line {since[0] + 1} is never closed: add its `{closing}`" if closing else _CUT_SHORT
    if "node content" in problem.text or closing is None:
        return f"a value is missing before this `{here}`: write it, or quote text that has brackets"
    return f"`{opened}` from line {since[0] + 1} needs a `,` or its `{closing}` here (quote text that has brackets)"


_CUT_SHORT = "the file ends in the middle of a list or mapping: close its brackets"


def _block(problem: Problem, lines: Sequence[str]) -> str:
    """A block that cannot go on: text behind a quote or a bracket, or a line with the wrong indentation."""
    line, column = problem.at
    written = lines[line] if line < len(lines) else ""
    before = written[:column].strip()
    match = _VALUE.match(written)
    if before and match and match[1] in _STARTS and match.start(1) < column:
        return _STARTS[match[1]]
    if written[column : column + 1] == ":":
        return "a key is missing before the `:`: write one"
    if before:
        return "this does not belong here: put the whole text in quotes, or begin a new line"
    wanted = "`- item`" if "'-'" in problem.text or "sequence" in problem.context else "`key: value`"
    return f"the indentation does not match the lines above, where {wanted} is expected"
