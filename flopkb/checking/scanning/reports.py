"""The report of a scan, in every format: grouped by file, the farthest off first, with advice."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping

from flopkb.arithmetic.diagnostics import Diagnostic, Location, Severity, shortened
from flopkb.arithmetic.numbers import miscomputed, with_unit
from flopkb.arithmetic.text import ScannedEquation, ScanVerdict, UnreadEquation
from flopkb.checking.scanning import ScannedFile, ScanRun, first_the_farthest
from flopkb.checking.text_report import TextStyle, counted, finding_lines, printable

_QUIET = frozenset({ScanVerdict.OK, ScanVerdict.ROUNDED, ScanVerdict.WITHIN})
"""What is shown only where it is asked for."""


def shown(run: ScanRun, file: ScannedFile) -> list[ScannedEquation]:
    """The equations of a file that are told to a person."""
    wanted = run.only - _QUIET if run.only == frozenset(ScanVerdict) else run.only
    return first_the_farthest([equation for equation in run.of(file) if equation.verdict in wanted])


def diagnostic(equation: ScannedEquation, failing: frozenset[ScanVerdict]) -> Diagnostic:
    """What is said of an equation."""
    where = Location(equation.path, equation.line, equation.column)
    severity = Severity.ERROR if equation.verdict in failing else Severity.WARNING
    length = max(1, equation.end - equation.start)
    return Diagnostic(where, severity, equation.verdict, sentence(equation), equation.quoted, equation.computed, length)


def sentence(equation: ScannedEquation) -> str:
    """The equation, what it comes to, how it was read, and what to do."""
    text = shortened(equation.text, 120)
    reading = "" if equation.reading in ("", "as written") else f" (read as: {equation.reading})"
    if equation.verdict is ScanVerdict.OK:
        return f"{text}: right{reading}"
    computed = with_unit(equation.computed, equation.unit, tight=True)
    cut = equation.verdict is ScanVerdict.TRUNCATED
    besides = equation.advice
    if equation.verdict in (ScanVerdict.WRONG, ScanVerdict.TRUNCATED):  # what to write has been said
        besides = besides.partition("; ")[2] if besides.startswith("write ") else besides
    return f"{text}: {miscomputed(equation.quoted, computed, cut=cut)}{reading}" + (f"; {besides}" if besides else "")


def findings(run: ScanRun, file: ScannedFile) -> list[Diagnostic]:
    """What is told of a file: equations, then suppressions that silence nothing."""
    return [*(diagnostic(equation, run.failing) for equation in shown(run, file)), *file.result.diagnostics]


def all_findings(run: ScanRun) -> list[Diagnostic]:
    """Those of all files, the farthest off first."""
    return [found for file in run.ranked() for found in findings(run, file)]


def unread_line(each: UnreadEquation) -> str:
    """One equation that got no verdict."""
    return printable(f"{each.path}:{each.line}:{each.column}: not judged: {shortened(each.text, 120)}: {each.reason}")


def summary(run: ScanRun) -> str:
    """``12 equations in 2 files: 9 ok, 1 truncated, 2 wrong in 0.1 s``, and how many more were seen."""
    found = Counter(equation.verdict for equation in run.equations)
    always = (ScanVerdict.OK, ScanVerdict.WRONG)
    counts = ", ".join(f"{found[verdict]} {verdict}" for verdict in ScanVerdict if found[verdict] or verdict in always)
    silenced = sum(len(file.result.suppressed) for file in run.files)
    tails = [f", {silenced} suppressed" if silenced else "", f", {run.known} known" if run.known else ""]
    said = f"{counted(sum(found.values()), 'equation')} in {counted(len(run.files), 'file')}: {counts}{''.join(tails)}"
    seen, read, judged = (sum(getter(file) for file in run.files) for getter in _COUNTS)
    more = f"; {seen} seen, {read} read, {judged} judged" if seen > judged else ""
    return f"{said} in {run.seconds:.1f} s{more}"


_COUNTS: tuple[Callable[[ScannedFile], int], ...] = (
    lambda file: file.result.seen,
    lambda file: file.result.read,
    lambda file: file.result.judged,
)


def coverage(run: ScanRun) -> Iterator[str]:
    """Of each file: equations seen, read, judged; then the reasons for the rest, the most frequent first."""
    for file in run.files:
        if file.result.seen:
            seen, read, judged = (getter(file) for getter in _COUNTS)
            yield f"{printable(file.result.path)}: {seen} seen, {read} read, {judged} judged"
    reasons = Counter(_kind_of(each.reason) for file in run.files for each in file.result.unread)
    for reason, count in reasons.most_common():
        yield f"{count} not judged: {reason}"


def _kind_of(reason: str) -> str:
    """The reason without the word at fault."""
    for where in ("before", "behind"):
        if f" {where} it is " in reason:
            return f"{reason.partition(f' {where} it is ')[2]} ({where} the sign)"
    return reason


def text_report(run: ScanRun, style: TextStyle) -> str:
    """For a person."""
    lines: list[str] = []
    for file in run.ranked():
        for found in findings(run, file):
            lines += finding_lines(found, lambda _, text=file.text: text, style)  # type: ignore[misc]
        if run.unread:
            lines += map(unread_line, file.result.unread)
    if run.unread:
        lines += coverage(run)
    return "\n".join([*lines, summary(run)]) + "\n"


def row(equation: ScannedEquation) -> dict[str, object]:
    """An equation for programs."""
    return {
        "path": equation.path,
        "line": equation.line,
        "column": equation.column,
        "text": equation.text,
        "computed": equation.computed,
        "quoted": equation.quoted,
        "unit": equation.unit,
        "verdict": equation.verdict,
        "reading": equation.reading,
        "advice": equation.advice,
    }


def unread_row(each: UnreadEquation) -> dict[str, object]:
    """One without a verdict, with the same keys; the reason stands where the reading does."""
    empty = ScannedEquation("", "", "", ScanVerdict.OK, each.reason, "", each.path, each.line, each.column, each.text)
    return {**row(empty), "verdict": "unread"}


def json_report(run: ScanRun) -> str:
    """A list of objects, in the order of the files."""
    rows = [row(equation) for equation in run.equations]
    if run.unread:
        rows += [unread_row(each) for file in run.files for each in file.result.unread]
    return json.dumps(rows, indent=2, ensure_ascii=False) + "\n"


def markdown_report(run: ScanRun) -> str:
    """A table a file, as a comment on a pull request has it."""
    parts: list[str] = []
    for file in run.ranked():
        told = shown(run, file)
        if told:
            parts += [f"### {_cell(file.result.path)}", "", "| line | verdict | equation | comes to | advice |"]
            parts += ["| ---: | --- | --- | --- | --- |", *map(_table_row, told), ""]
    return "\n".join([*parts, _cell(summary(run))]) + "\n"


def _table_row(equation: ScannedEquation) -> str:
    computed = with_unit(equation.computed, equation.unit, tight=True)
    text = _cell(shortened(equation.text, 120)).replace("`", "'")
    said = (equation.verdict, f"`{text}`", _cell(computed), _cell(equation.advice))
    return f"| {equation.line} | {' | '.join(said)} |"


def _cell(text: str) -> str:
    return printable(text).replace("|", "\\|").replace("<", "&lt;")


def github_report(run: ScanRun) -> str:
    """An annotation a finding."""
    from flopkb.checking.formats import annotation

    return "\n".join([*(annotation(found) for found in all_findings(run)), printable(summary(run))]) + "\n"


def sarif_report(run: ScanRun) -> str:
    """SARIF 2.1.0, for upload to code scanning."""
    from flopkb.checking.formats import SCHEMA, sarif_driver, sarif_results

    texts = {file.result.path: file.text for file in run.files}
    notices = [{"level": "warning", "message": {"text": note}} for note in run.notes]
    part = {
        "tool": {"driver": sarif_driver(())},
        "columnKind": "unicodeCodePoints",
        "invocations": [{"executionSuccessful": True, "toolExecutionNotifications": notices}],
        "results": list(sarif_results(all_findings(run), texts.get)),
    }
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [part]}, indent=2) + "\n"


def junit_report(run: ScanRun) -> str:
    """One suite, with a case for each file."""
    from flopkb.checking.formats import errors, junit_case, junit_suite

    told = [(file.result.path, findings(run, file)) for file in run.files]
    cases = [junit_case(path, found, None) for path, found in told]
    return junit_suite(cases, sum(1 for _, found in told if errors(found)), 0)


REPORTS: Mapping[str, Callable[[ScanRun, TextStyle], str]] = {
    "text": text_report,
    "json": lambda run, _: json_report(run),
    "github": lambda run, _: github_report(run),
    "sarif": lambda run, _: sarif_report(run),
    "junit": lambda run, _: junit_report(run),
    "markdown": lambda run, _: markdown_report(run),
}
"""The formats by name."""
