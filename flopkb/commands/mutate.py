"""``flopkb mutate``."""

from __future__ import annotations

import os
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import click

from flopkb.checking.mutate.mutants import MutantGroup
from flopkb.checking.mutate.run import MutantResult, Score, all_mutants, run, sampled, scores
from flopkb.checking.text_report import counted
from flopkb.commands import RECORDS, Outcome, UsageFault, answered, open_base


@click.command("mutate")
@click.option("--sample", type=click.IntRange(1), metavar="N", help="Run only N mutants, chosen by the seed.")
@click.option("--seed", type=int, default=0, show_default=True)
@click.option(
    "--min", "least", default="", metavar="GROUP=SHARE,...", help="Exit 1 below, as quotes=1,formulas=0.95,claims=0.9."
)
@RECORDS
@answered
def command(sample: int | None, seed: int, least: str, records: Path | None) -> Outcome:
    """Measure how many slips the checks catch: changed digits, operators, symbols and claims."""
    wanted = thresholds(least)
    base = open_base(records).evaluation
    outcomes = run(base, sampled(all_mutants(base), sample, seed), os.cpu_count() or 1)
    found = scores(outcomes)
    short = [score for score in found if score.value < wanted.get(score.group, Fraction(0))]
    return Outcome("\n".join(lines(outcomes, found, wanted)) + "\n", 1 if short else 0)


def thresholds(text: str) -> dict[MutantGroup, Fraction]:
    """``quotes=1,formulas=0.95`` by group."""
    found: dict[MutantGroup, Fraction] = {}
    for part in filter(None, text.split(",")):
        name, equals, value = part.partition("=")
        try:
            found[MutantGroup(name.strip())] = Fraction(value) if equals else Fraction(-1)
            if not 0 <= found[MutantGroup(name.strip())] <= 1:
                raise ValueError(value)
        except (ValueError, ZeroDivisionError) as error:
            groups = ", ".join(group.value for group in MutantGroup)
            raise UsageFault(
                f"{part!r} is no threshold; write GROUP=SHARE with a group of {groups}, as quotes=1"
            ) from error
    return found


def lines(outcomes: list[MutantResult], found: tuple[Score, ...], wanted: dict[MutantGroup, Fraction]) -> Iterator[str]:
    """The report."""
    survivors = [o for o in outcomes if o.survived]
    apart = [o for o in outcomes if o.apart is not None]
    if survivors:
        yield "survived: no rule noticed"
        yield from (f"  {o.mutant}" for o in survivors)
    if apart:
        yield "apart: they say the same"
        yield from (f"  {o.mutant} ({o.apart})" for o in apart)
    for score in found:
        least = wanted.get(score.group)
        verdict = (
            "" if least is None else f", at least {percent(least)} wanted" + (": short" if score.value < least else "")
        )
        yield (
            f"{score.group.value}: {score.caught} of {score.counted} caught ({percent(score.value)}), "
            f"{score.apart} apart{verdict}"
        )
    yield f"{counted(len(outcomes), 'mutant')} in all"


def percent(share: Fraction) -> str:
    """A share as a percentage, never rounded up to 100."""
    return f"{float(int(share * 1000) / 10):g}%"
