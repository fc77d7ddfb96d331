"""Rules on quoted numbers: each reports the quotes that were judged in one way, with the sentence that says so."""

from __future__ import annotations

from collections.abc import Iterator

from flopkb.arithmetic.diagnostics import Severity, shortened
from flopkb.arithmetic.numbers import Quoted, Verdict, misquoted, rewrite, with_unit
from flopkb.base.data.facts import DataFacts
from flopkb.base.evaluate import Evaluation, QuoteResult
from flopkb.base.faults import listed
from flopkb.base.model import Subject
from flopkb.checking.findings import Finding, PageRule
from flopkb.checking.rules.partial_quantity import partial_quotes


def verdict_rule(
    id: str, verdict: Verdict, doc: str, advice: str = "", severity: Severity = Severity.ERROR
) -> PageRule:
    """The rule that reports quotes of one verdict; ``advice`` where neither other digits nor a note say what to write.

    Where only the brackets stand wrong (``under [296x]`` of 295.37) that is all that is said, by ``partial-quantity``.
    """

    def run(subject: Subject, base: Evaluation) -> Iterator[Finding]:
        whole = {part.result.location for part in partial_quotes(subject, base) if part.holds}
        for result in base.quotes.get(subject.id, ()):
            judgement = result.judgement
            if judgement is not None and judgement.verdict is verdict and result.location not in whole:
                instead = rewritten(result) if severity is Severity.ERROR else None
                text, said = result.quote.link.text, "" if "write" in judgement.note else advice
                if result.scale:
                    said = f"; it is the number of the file: if that counts in {result.scale}s, declare unit: {result.scale}"
                yield Finding(
                    result.location,
                    misquoted(text, titled(result, base), judgement, instead, said),
                    severity,
                    quoted=text,
                    computed=with_unit(judgement.computed, judgement.unit, tight=True),
                    length=result.quote.length,
                    replacement=instead,
                )

    return PageRule(id=id, doc=doc, run=run)


def titled(result: QuoteResult, base: Evaluation) -> str:
    """What a quote stands for; of a figure over data files also the values in them that it is computed from."""
    found: dict[str, list[str]] = {}
    for atom in sorted(result.value.facts()) if result.value is not None else ():
        facts = base.kb.scope.records[atom.record].facts
        if isinstance(facts, DataFacts) and atom.path not in found.setdefault(facts.file, []):
            found[facts.file].append(atom.path)
    of = "; ".join(f"{shortened(listed(paths, 2), 80)} in {file}" for file, paths in found.items())
    return f"{result.quote.title} (of {shortened(of, 120)})" if of else result.quote.title


def rewritten(result: QuoteResult) -> str | None:
    """What to write instead, where the form of the quote allows it."""
    if not isinstance(result.reading, Quoted) or result.unit is None or result.scale:
        return None
    instead = rewrite(result.reading, result.values, result.unit)
    return instead if instead and instead != result.quote.link.text else None


FIGURE_MISMATCH = verdict_rule(
    "figure-mismatch",
    Verdict.WRONG,
    """A quoted number is not the number that its figure computes.

The quote is judged at the precision it is written with: half of its last digit, and never more than a tenth of it;
with ``about`` and the like a little more. The message gives what is quoted, what was computed, how far they are apart,
and what to write.
""",
    "; rewrite the sentence to say what holds",
)

FIGURE_TRUNCATED = verdict_rule(
    "figure-truncated",
    Verdict.TRUNCATED,
    """A quoted number was cut where it should have been rounded.

11 for 11.65 has the right digits as far as it goes, but the rounded number is 12. Told apart from a wrong number, since
it is mended by rounding.
""",
)

LOOSE_BOUND = verdict_rule(
    "loose-bound",
    Verdict.LOOSE_BOUND,
    """A bound holds, but is more than a quarter away from the value.

"At most 10x" of a 3.8x is true and says little; quote the value, or a bound that is near it. A warning.
""",
    "; quote the value, or a bound near it",
    Severity.WARNING,
)
