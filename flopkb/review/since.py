"""Since which commit a number in a document is wrong: the first of a history in which it is found."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from flopkb.arithmetic.diagnostics import Diagnostic, shortened
from flopkb.base.revisions import Revisions, run
from flopkb.checking.check import check
from flopkb.checking.findings import Rule

LONGEST = 1000
"""A history of more commits is not searched."""

LONGEST_MESSAGE = 299

Sought = tuple[str, str, str | None]
"""A finding in any commit: its rule, its file and the number as it is quoted (lines move, values do too)."""


def sought(found: Diagnostic) -> Sought:
    """What makes a finding the same one in another commit."""
    return found.rule, found.location.path, found.quoted


@dataclass(slots=True)
class Culprits:
    """Searches the commits after ``revision``, the oldest first; each is checked at most once."""

    history: Revisions
    rules: Sequence[Rule]
    commits: list[str]
    _checked: dict[str, Counter[Sought]] = field(default_factory=dict)

    @classmethod
    def after(cls, revision: str, history: Revisions, rules: Sequence[Rule]) -> Culprits:
        """The commits that lead from a revision to the current one; none where they are too many."""
        span = f"{history.repository.commit(revision)}..HEAD"
        listed = run(history.repository.root, "rev-list", "--reverse", "--first-parent", span).decode().split()
        cheap = [rule for rule in rules if not rule.claims]
        return cls(history, cheap, listed if len(listed) <= LONGEST else [])

    def named(self, found: Diagnostic) -> Diagnostic:
        """The finding with the commit that made it, where one did (else it is in the work tree alone)."""
        commit = self.first(sought(found))
        if commit is None:
            return found
        subject = run(self.history.repository.root, "log", "-1", "--format=%h %s", commit).decode().strip()
        told = f" (since {shortened(subject, 80)})"
        return replace(found, message=shortened(found.message, LONGEST_MESSAGE - len(told)) + told)

    def first(self, key: Sought) -> str | None:
        """The first commit with a finding, by halving: once it is there, it is taken to stay."""
        low, high = 0, len(self.commits)
        if not high or not self.at(self.commits[-1])[key]:
            return None
        while low < high:
            middle = (low + high) // 2
            low, high = (low, middle) if self.at(self.commits[middle])[key] else (middle + 1, high)
        return self.commits[low]

    def at(self, commit: str) -> Counter[Sought]:
        """What is found in a commit."""
        if commit not in self._checked:
            base = self.history.at(commit, may_be_empty=True)
            self._checked[commit] = Counter(map(sought, check(base, self.rules).diagnostics))
        return self._checked[commit]
