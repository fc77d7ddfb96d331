"""``flopkb check``."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path
from typing import Any

import click

from flopkb.arithmetic.diagnostics import Diagnostic
from flopkb.arithmetic.prose import MARKDOWN
from flopkb.base.claims import Effort, counted_endings, use_effort
from flopkb.base.data.files import DataFolder
from flopkb.base.evaluate import Evaluation
from flopkb.base.faults import did_you_mean
from flopkb.base.loading import load_read, shown_path
from flopkb.base.pipeline import LARGEST, BaseNotFound, base_files, evaluated, evaluated_base, pages_at
from flopkb.base.row_tables import row_tables
from flopkb.checking.causes import Cause, worth_a_cause
from flopkb.checking.check import CheckResult, check, narrowed
from flopkb.checking.cores import Work, processes
from flopkb.checking.findings import Rule
from flopkb.checking.formats import REPORTS
from flopkb.checking.kept import Keeper, Kept, KeptResult
from flopkb.checking.keys import base_key, record_keys
from flopkb.checking.rules import RULES
from flopkb.checking.text_report import Counts, TextStyle, counted, text_report
from flopkb.commands import (
    DATA_FROM,
    RECORDS,
    Outcome,
    UsageFault,
    answered,
    completing,
    paths_here,
    records_beside,
    style,
)


@dataclass(frozen=True, slots=True)
class CheckOptions:
    """What the command line asks of ``check``."""

    paths: tuple[Path, ...] = ()
    records: Path | None = None
    form: str = "text"
    style: TextStyle = TextStyle()
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    fail_on: str = "error"
    claims: str = "usual"
    no_claims: bool = False
    since: str | None = None
    allowed: tuple[Path, ...] = ()
    flat: bool = False
    jobs: int | None = None
    no_cache: bool = False

    @property
    def keeps(self) -> bool:
        """Whether what is found is kept for the next time: all rules, on the state of the base alone."""
        return not (self.no_cache or self.select or self.ignore or self.since)


@click.command("check")
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path), metavar="[PATH]...")
@RECORDS
@click.option("--format", "form", type=click.Choice(["text", *REPORTS]), default="text")
@click.option(
    "--select",
    multiple=True,
    metavar="RULE",
    shell_complete=completing("rules"),
    help="Run only this rule (repeat for several).",
)
@click.option(
    "--ignore",
    multiple=True,
    metavar="RULE",
    shell_complete=completing("rules"),
    help="Leave this rule out (repeat for several).",
)
@click.option("--fail-on", type=click.Choice(["error", "warning"]), default="error", help="What makes the exit code 1.")
@click.option("--claims", type=click.Choice(["usual", "thorough"]), default="usual", help="How hard claims are tried.")
@click.option("--no-claims", is_flag=True, help="Leave claims undecided (the last line says so).")
@click.option(
    "--since",
    metavar="REV",
    help="Report only what is new against this revision, numbers of documents with the commit that made them wrong.",
)
@click.option("--flat", is_flag=True, help="List every finding by itself, not below the cause that several have.")
@click.option("--jobs", type=click.IntRange(1, 64), metavar="N", help="Processes to use (default: one for each core).")
@click.option("--no-cache", is_flag=True, help="Check everything, also what an earlier check has found to be right.")
@DATA_FROM
@answered
def command(**options: Any) -> Outcome:
    """Recompute every figure and run every rule.

    PATHs narrow what is reported: records, folders of records. Markdown documents, and folders of them, are checked
    against the base and the data files that they name; where no records/ is found upward, against these alone (and
    without PATHs all documents below the current folder are).

    Exit code: 0 clean or warnings only, 1 findings, 2 usage or an unreadable base, 3 a fault of flopkb itself.
    """
    return check_command(CheckOptions(style=style(), **options))


def check_command(options: CheckOptions) -> Outcome:
    """Check the whole base; report what lies at or below the paths."""
    began = time.monotonic()
    cwd = Path.cwd()
    rules = chosen_rules(options.select, options.ignore)
    options = replace(options, paths=options.paths or paths_here(options.records))
    try:
        root = records_beside(options.records, options.paths)
        files = list(documents(options.paths, root))
        if root is not None and not files and options.keeps:
            run = kept_run(root, cwd, options)
            if options.paths:
                shown = [shown_path(path, cwd) for path in options.paths]
                run = replace(run, result=narrowed(run.result, shown))
            if run.base is not None or not (options.paths and worth_a_cause(run.result.diagnostics)):
                return told(run, options, cwd, time.monotonic() - began)
        base = evaluated_base(root, cwd, files, DataFolder(cwd, options.allowed), at_once=False)
    except BaseNotFound as error:
        raise UsageFault(str(error)) from error
    run = fresh_run(base, root, rules, options)
    if options.since is not None:
        run = replace(run, result=brought(run.result, options, root, rules))
    if options.paths:
        paths = (*declaring(base), *(shown_path(path, cwd) for path in options.paths))
        run = replace(run, result=narrowed(run.result, paths))
    if options.since is not None:
        run = replace(run, result=with_commits(run.result, base, options.since, root, rules))
    return told(run, options, cwd, time.monotonic() - began)


@dataclass(frozen=True, slots=True)
class CheckRun:
    """What came out of a check: the findings and their causes, and what was counted; ``base`` where it was evaluated."""

    result: CheckResult
    records: int
    recomputed: int
    claims: Mapping[str, int] | None
    causes: Callable[[Sequence[Diagnostic]], Sequence[Cause]]
    base: Evaluation | None = None


def fresh_run(base: Evaluation, root: Path | None, rules: Sequence[Rule], options: CheckOptions) -> CheckRun:
    """A base checked by some rules, with documents: of its records what is known from the last time stands."""
    work, asked = work_on(base, root, rules, options), f"{options.claims} {options.no_claims}"
    keeper = Keeper.of(root, Path.cwd(), asked) if root is not None and options.keeps else Keeper(None)
    kept, keys = keeper.load(), record_keys(base.kb, asked) if keeper.file is not None else {}
    done = (replace(work, keys=keys, kept=kept.parts, with_causes=True) if keys else work).checked()
    if keys and not done.result.crashes:
        keeper.save(Kept(kept.result, done.parts))
    claims = counted_endings(done.claims.values()) if not options.no_claims else None
    recomputed = done.recomputed + cells_in(base)
    return CheckRun(done.result, len(base.kb.records), recomputed, claims, partial(done.causes, base), base)


def work_on(base: Evaluation, root: Path | None, rules: Sequence[Rule], options: CheckOptions) -> Work:
    """What is to be checked, claims with the effort that is asked for."""
    if not (root is None or base.kb.records or base.diagnostics):
        raise UsageFault(f"{root} holds no records; name the folder of the base with --records DIR")
    use_effort(base, Effort(thorough=options.claims == "thorough"), skip=options.no_claims)
    return Work(base, rules, options.jobs or processes(), with_causes=not options.flat and options.form == "text")


def kept_run(root: Path, cwd: Path, options: CheckOptions) -> CheckRun:
    """The whole base checked by all rules, as far as that is not known from the last time; what is found is kept."""
    asked = f"{options.claims} {options.no_claims}"
    files = base_files(root, cwd)
    key, keeper = base_key(files, asked), Keeper.of(root, cwd, asked)
    kept = keeper.load() if key is not None else Kept()
    if kept.result is not None and kept.result.key == key:
        return known_run(kept.result, options)
    base = evaluated(load_read(files), at_once=False)
    keys = record_keys(base.kb, asked) if key is not None else {}
    work = replace(work_on(base, root, RULES, options), keys=keys, kept=kept.parts, with_causes=True)
    done = work.checked()
    claims = counted_endings(done.claims.values())
    if key is not None and not done.result.crashes:
        found = done.result.diagnostics
        place = {each: number for number, each in enumerate(found)}
        told = [(c.title, c.location, tuple(place[f] for f in c.findings)) for c in done.causes(base, found)]
        result = KeptResult(key, len(base.kb.records), found, done.recomputed, claims, tuple(told))
        keeper.save(Kept(result, done.parts))
    shown = None if options.no_claims else claims
    return CheckRun(done.result, len(base.kb.records), done.recomputed, shown, partial(done.causes, base), base)


def known_run(kept: KeptResult, options: CheckOptions) -> CheckRun:
    """The result of the last time, on the same files."""
    found = kept.diagnostics
    causes = tuple(Cause(title, where, tuple(found[n] for n in own)) for title, where, own in kept.causes)
    claims = None if options.no_claims else kept.claims
    return CheckRun(CheckResult(found), kept.records, kept.recomputed, claims, lambda _: causes)


def told(run: CheckRun, options: CheckOptions, cwd: Path, seconds: float) -> Outcome:
    """A run in the format asked for."""
    counts = Counts(
        run.records,
        run.recomputed,
        documents_in(run.base) if run.base is not None else 0,
        seconds,
        claim_notes(run.claims),
        run.claims or {},
    )
    found = run.causes(run.result.diagnostics) if not options.flat and options.form == "text" else ()
    text = report(options, run.result, counts, source_of(run.base, cwd), found)
    return Outcome(text, exit_code(run.result, options.fail_on))


def brought(result: CheckResult, options: CheckOptions, root: Path | None, rules: Sequence[Rule]) -> CheckResult:
    """Only what is found now and was not found at the revision that ``--since`` names."""
    from flopkb.base.revisions import GitFault, Revisions
    from flopkb.review.difference import findings

    assert options.since is not None
    try:
        before = Revisions.of(root, Path.cwd()).at(options.since, may_be_empty=True)
    except GitFault as fault:
        raise UsageFault(str(fault)) from fault
    use_effort(before, Effort(thorough=options.claims == "thorough"), skip=options.no_claims)
    fresh, _, _ = findings(check(before, rules), result)
    return CheckResult(fresh, result.crashes)


def with_commits(
    result: CheckResult, base: Evaluation, revision: str, root: Path | None, rules: Sequence[Rule]
) -> CheckResult:
    """The findings, each number of a document with the commit that made it wrong."""
    from flopkb.base.revisions import Revisions
    from flopkb.review.since import Culprits

    pages = {page.id for page in base.pages}
    if not any(found.quoted and found.location.path in pages for found in result.diagnostics):
        return result
    culprits = Culprits.after(revision, Revisions.of(root, Path.cwd()), rules)
    named = (culprits.named(d) if d.quoted and d.location.path in pages else d for d in result.diagnostics)
    return CheckResult(tuple(named), result.crashes)


def claim_notes(counts: Mapping[str, int] | None) -> tuple[str, ...]:
    """What the last line says of claims: how many were proved and tested, or that they were skipped."""
    if counts is None:
        return ("claims skipped",)
    if not any(counts.values()):
        return ()
    parts = [f"{counted(counts['proved'], 'claim')} proved"]
    parts += [f"{counts[name]} {name}" for name in ("tested", "refuted", "invalid") if counts[name]]
    return tuple(parts)


def exit_code(result: CheckResult, fail_on: str) -> int:
    """The result's code; with ``--fail-on warning`` warnings count as findings."""
    return 1 if fail_on == "warning" and result.exit_code == 0 and result.diagnostics else result.exit_code


def report(
    options: CheckOptions,
    result: CheckResult,
    counts: Counts,
    source: Callable[[str], str | None],
    found: Sequence[Cause] = (),
) -> str:
    """The result in the format asked for."""
    if options.form == "text":
        return text_report(result, counts, source, options.style, found)
    return REPORTS[options.form](result, counts, source)


def chosen_rules(select: Sequence[str], ignore: Sequence[str]) -> tuple[Rule, ...]:
    """The rules that run: those selected (all, if none is), without those ignored."""
    known = [rule.id for rule in RULES]
    for name in (*select, *ignore):
        if name not in known:
            raise UsageFault(f"there is no rule {name}{did_you_mean(name, known)}; flopkb rules lists them")
    return tuple(rule for rule in RULES if (not select or rule.id in select) and rule.id not in ignore)


def source_of(base: Evaluation | None, cwd: Path) -> Callable[[str], str | None]:
    """Looks up the text of a file by its reported path."""
    records = (*base.kb.records.values(), *base.kb.twins) if base is not None else ()
    sources = {record.path: record.document.source for record in records}

    @cache
    def source(path: str) -> str | None:
        return sources[path] if path in sources else read_text(cwd / path)

    return source


def declaring(base: Evaluation) -> tuple[str, ...]:
    """The files that declare data for the documents that were checked."""
    return tuple(page.id for page in base.pages if page.declares)


def cells_in(base: Evaluation) -> int:
    """How many cells of tables were held to rows of data files."""
    return sum(table.cells for page in base.pages for table in row_tables(page.id, base))


def documents_in(base: Evaluation) -> int:
    """How many documents were checked."""
    return sum(1 for page in base.pages if not page.declares)


def documents(paths: Sequence[Path], root: Path | None) -> Iterator[Path]:
    """The Markdown documents at or below the paths; every other path must lie in the base (where there is one)."""
    base = root.resolve() if root is not None else None
    for path in paths:
        if not path.exists():
            raise UsageFault(f"{path} does not exist")
        place = path.resolve()
        inside = base is not None and place.is_relative_to(base)
        found = (
            [] if inside else [file for file in pages_at(path) if not (base and file.resolve().is_relative_to(base))]
        )
        if not (inside or found or (path.is_dir() and base is not None and base.is_relative_to(place))):
            what = f"{no_document(path, base is not None)} Markdown ({', '.join(MARKDOWN)})"
            raise UsageFault(f"{path} {what}; flopkb scan reads any text")
        yield from found


def no_document(path: Path, has_base: bool) -> str:
    """What a path is not."""
    if not has_base:
        return "holds no" if path.is_dir() else "is no"
    return "holds neither records of this base nor" if path.is_dir() else "is neither a record of this base nor"


def read_text(path: Path) -> str | None:
    """The text of a file that could not be read as a record, for the excerpt; None where it has none."""
    try:
        if not path.is_file() or path.stat().st_size > LARGEST:  # a pipe would be waited for, a device has no end
            return None
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return None
