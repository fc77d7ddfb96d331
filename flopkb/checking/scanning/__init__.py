"""Scans of other people's documents: which files are read, what is known of them already, and reports in every format.

In: what the command line and a ``flopkb-scan.yaml`` ask for. Out: the results of all files, as one text. It knows no base:
what an equation means is decided in ``arithmetic.text``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from flopkb.arithmetic.text import STRICT, ScannedEquation, ScanResult, ScanVerdict


@dataclass(frozen=True, slots=True)
class ScannedFile:
    """One document with its text."""

    result: ScanResult
    text: str


@dataclass(frozen=True, slots=True)
class ScanRun:
    """Everything that was scanned; ``notes`` tell of files that could not be, ``known`` how many a baseline holds.

    With ``strict``, whatever is not right or rounded is an error.
    """

    files: tuple[ScannedFile, ...] = ()
    notes: tuple[str, ...] = ()
    only: frozenset[ScanVerdict] = frozenset(ScanVerdict)
    strict: bool = False
    unread: bool = False
    known: int = 0
    seconds: float = 0.0

    @property
    def failing(self) -> frozenset[ScanVerdict]:
        """The verdicts that fail the run."""
        return STRICT if self.strict else frozenset({ScanVerdict.WRONG})

    @property
    def equations(self) -> Iterator[ScannedEquation]:
        """The equations that are asked for, in the order of the files."""
        return (equation for file in self.files for equation in self.of(file))

    def of(self, file: ScannedFile) -> Iterator[ScannedEquation]:
        """Those of one file."""
        return (equation for equation in file.result.equations if equation.verdict in self.only)

    @property
    def fails(self) -> bool:
        """Whether something fails the run."""
        return any(equation.verdict in self.failing for equation in self.equations)

    def ranked(self) -> list[ScannedFile]:
        """The files, those that are farthest off first, the others as they come."""
        return sorted(self.files, key=lambda file: -max((farness(e) for e in self.of(file)), default=Fraction(0)))


def farness(equation: ScannedEquation) -> Fraction:
    """How far off a wrong equation is, for ranking; one whose sides cannot be compared is the farthest."""
    if equation.verdict is not ScanVerdict.WRONG:
        return Fraction(0)
    return equation.off or Fraction(10**9)


def first_the_farthest(equations: list[ScannedEquation]) -> list[ScannedEquation]:
    """The wrong ones by how far they are off, then the others by their places."""
    return sorted(equations, key=lambda equation: (-farness(equation), equation.start))
