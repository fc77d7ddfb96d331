"""By hand, from the folder of the tests: ``python -m fuzz --minutes 10 [--door prose ...] [--crashes FOLDER] [--seed N]``.

For the readers of text inputs that reach a new line are kept and spoilt further. A crash, or an input that takes over ten
seconds, is written as a file, and with it how it ended; made small, it belongs into ``found.py``.
"""

from __future__ import annotations

import argparse
import faulthandler
import hashlib
import random
import signal
import sys
import time
import traceback
from collections import Counter
from pathlib import Path
from types import FrameType

from fuzz.doors import DOORS, GUIDED
from fuzz.making import seeds, spoilt

LIMIT = 10
"""No input may take longer (seconds)."""
WATCHED = ("flopkb/arithmetic/",)
KEPT = 2000


class TooSlow(Exception):
    """An input took longer than :data:`LIMIT`."""


def main() -> int:
    """Fuzz until the time is over; how many crashed."""
    options = argparse.ArgumentParser(prog="python -m fuzz", description=__doc__)
    options.add_argument("--minutes", type=float, default=1)
    options.add_argument("--door", action="append", choices=sorted(DOORS))
    options.add_argument("--crashes", type=Path, default=Path("crashes"))
    options.add_argument("--seed", type=int, default=None)
    given = options.parse_args()
    seed = given.seed if given.seed is not None else random.SystemRandom().randrange(2**32)
    doors = given.door or list(DOORS)
    tried, crashes = Counter[str](), Counter[str]()
    for door in doors:
        Run(door, random.Random(f"{seed} {door}"), given.crashes).until(given.minutes * 60 / len(doors), tried, crashes)
        print(f"{door}: {tried[door]} inputs, {crashes[door]} crashes (seed {seed})", flush=True)
    print(f"all: {tried.total()} inputs, {crashes.total()} crashes")
    return int(crashes.total() > 0)


class Run:
    """One way in, with the inputs that have reached something new."""

    def __init__(self, door: str, choose: random.Random, folder: Path) -> None:
        self.door, self.choose, self.folder = door, choose, folder
        self.corpus = list(seeds(door))
        self.reached: set[tuple[str, int]] = set()

    def until(self, seconds: float, tried: Counter[str], crashes: Counter[str]) -> None:
        """Try inputs for so long."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            data = self.input()
            tried[self.door] += 1
            try:
                self.tried(data)
            except Exception as error:
                crashes[self.door] += 1
                self.report(data, error)

    def input(self) -> bytes:
        """Random bytes now and then, else something that is known, spoilt."""
        if self.choose.random() < 0.05:
            return self.choose.randbytes(self.choose.randint(0, 300))
        return spoilt(self.choose.choice(self.corpus), self.choose, tuple(self.corpus[-50:]))

    def tried(self, data: bytes) -> None:
        """Run one input within its time; keep it where it reaches a line that none has reached."""
        before = len(self.reached)
        signal.signal(signal.SIGALRM, too_slow)
        signal.alarm(LIMIT)
        faulthandler.dump_traceback_later(6 * LIMIT, exit=True)  # one regular expression hears no signal
        if self.door in GUIDED:
            sys.settrace(self.watch)
        try:
            DOORS[self.door](data)
        finally:
            sys.settrace(None)
            signal.alarm(0)
            faulthandler.cancel_dump_traceback_later()
        if len(self.reached) > before and len(self.corpus) < KEPT:
            self.corpus.append(data)

    def watch(self, frame: FrameType, event: str, _: object) -> object:
        """Note the lines of the watched files."""
        if not any(part in frame.f_code.co_filename for part in WATCHED):
            return None
        self.reached.add((frame.f_code.co_filename, frame.f_lineno))
        return self.watch

    def report(self, data: bytes, error: Exception) -> None:
        """A crash as two files: the input, and how it ended."""
        self.folder.mkdir(parents=True, exist_ok=True)
        where = traceback.extract_tb(error.__traceback__)[-1]
        name = hashlib.sha256(
            f"{self.door} {type(error).__name__} {where.filename} {where.lineno}".encode()
        ).hexdigest()[:12]
        place = self.folder / f"{self.door.replace(' ', '-')}-{name}"
        if not place.exists():
            place.write_bytes(data)
            text = "".join(traceback.format_exception(error))
            place.with_suffix(".txt").write_text(text[-8000:], encoding="utf-8", errors="replace")
            print(f"{self.door}: {type(error).__name__} at {where.filename}:{where.lineno}, {place}", flush=True)


def too_slow(*_: object) -> None:
    """End an input."""
    raise TooSlow(f"over {LIMIT} s")


if __name__ == "__main__":
    sys.exit(main())
