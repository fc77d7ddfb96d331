"""A baseline: the equations that are known and not to be reported again. It survives lines that move."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from flopkb.arithmetic.text import ScannedEquation, ScanVerdict
from flopkb.base.writing import write_whole
from flopkb.checking.scanning import ScannedFile

KnownEquation = tuple[str, str]
"""The path of an equation and its text without white space."""


class BaselineFault(Exception):
    """A baseline that cannot be read; the text says what to do."""


def identity(equation: ScannedEquation) -> KnownEquation:
    """What stays the same of an equation when other lines change."""
    return equation.path, "".join(equation.text.split())


def write_baseline(file: Path, equations: Iterable[ScannedEquation]) -> int:
    """Write the equations that are not right; says how many."""
    told = [equation for equation in equations if equation.verdict is not ScanVerdict.OK]
    rows = [
        {"path": e.path, "text": " ".join(e.text.split()), "verdict": e.verdict.value}
        for e in sorted(told, key=lambda e: (e.path, e.line, e.column))
    ]
    text = json.dumps({"version": 1, "known": rows}, indent=1, ensure_ascii=False) + "\n"
    write_whole(file, text.encode("utf-8", "surrogatepass"))
    return len(rows)


def read_baseline(file: Path) -> Counter[KnownEquation]:
    """The known equations, each as often as it was found; raises :class:`BaselineFault`."""
    try:
        document = json.loads(file.read_text(encoding="utf-8"))
        return Counter((str(row["path"]), "".join(str(row["text"]).split())) for row in document["known"])
    except OSError as error:
        raise BaselineFault(f"{file} cannot be read ({(error.strerror or 'unknown reason').lower()})") from error
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise BaselineFault(f"{file} is no baseline of flopkb scan: remove it, and it is written anew") from error


def without_known(files: Iterable[ScannedFile], known: Counter[KnownEquation]) -> tuple[tuple[ScannedFile, ...], int]:
    """The files without the equations that a baseline holds (as often as it holds each), and how many those are."""
    left, count = Counter(known), 0
    out: list[ScannedFile] = []
    for file in files:
        kept: list[ScannedEquation] = []
        for equation in file.result.equations:
            key = identity(equation)
            if equation.verdict is not ScanVerdict.OK and left[key] > 0:
                left[key] -= 1
                count += 1
            else:
                kept.append(equation)
        out.append(replace(file, result=replace(file.result, equations=tuple(kept))))
    return tuple(out), count
