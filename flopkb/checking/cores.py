"""The check of a base by several processes, each with a part of the records; what is found is the same as by one.

The base is read and its formulas are linked once; then the process is forked. Each process takes one record after the
other, the long ones first, as long as any is left: it reads its prose, computes its figures and decides its claims. These
records are its part. What is used of a record may be used in another part, so that the parts tell each other what they use
before the rules run.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import TypeVar

from flopkb.arithmetic.diagnostics import Diagnostic
from flopkb.base.claims import claims_of
from flopkb.base.evaluate import Evaluation, find_strays, share
from flopkb.base.evaluate.usage import Share, Usage, joined
from flopkb.base.faults import Fault
from flopkb.base.model import Record
from flopkb.checking.causes import Cause, Rest, Resting, causes, resting, rests_in, worth_a_cause
from flopkb.checking.check import CheckResult, Crash, Part, concluded, found_in
from flopkb.checking.findings import Rule
from flopkb.checking.kept import KeptRecord
from flopkb.checking.keys import views

T = TypeVar("T")

FEWEST = 40
"""A base with fewer records is checked before another process is under way."""


@dataclass(frozen=True, slots=True)
class Used:
    """What each record of a part uses, and the faults to which they lead in others."""

    shares: dict[str, Share]
    strays: dict[str, list[Fault]]


@dataclass(frozen=True, slots=True)
class Found:
    """What the rules found in a part, how much was recomputed in each record, and how claims ended, by record and name."""

    diagnostics: list[Diagnostic]
    crashes: list[Crash]
    recomputed: dict[str, int]
    claims: dict[tuple[str, str], str]


@dataclass(frozen=True, slots=True)
class Checked:
    """The result of a check, what was counted on the way, and what quotes rest on (where causes were asked for)."""

    result: CheckResult
    recomputed: int
    claims: dict[tuple[str, str], str]
    quotes: list[Resting]
    others: Sequence[Iterable[Rest]]
    parts: dict[str, KeptRecord]
    """What can be kept of it for the next check."""

    def causes(self, base: Evaluation, found: Sequence[Diagnostic]) -> tuple[Cause, ...]:
        """The causes of some of the findings."""
        return tuple(causes(self.quotes, base, found, self.others)) if self.quotes else ()


def processes() -> int:
    """How many processes a check takes: one for each core that it may use, where processes can be forked safely."""
    return len(os.sched_getaffinity(0)) if sys.platform == "linux" else 1


@dataclass(frozen=True, slots=True)
class Work:
    """A base to be checked by some rules and at most so many processes.

    ``keys`` are digests of what the result on each record depends on, ``kept`` what is known of records from an earlier
    check; ``with_causes``: causes are wanted.
    """

    base: Evaluation
    rules: Sequence[Rule]
    most: int = 1
    with_causes: bool = False
    keys: Mapping[str, str] = field(default_factory=dict)
    kept: Mapping[str, KeptRecord] = field(default_factory=dict)

    def checked(self) -> Checked:
        """Every rule on every record. Where a process is lost (killed, or out of memory) this one does the whole."""
        try:
            return self._checked(self.most)
        except WorkerLost:
            return self._checked(1)

    def known(self) -> dict[str, KeptRecord]:
        """The records of which the result is known."""
        return {id: part for id, part in self.kept.items() if id in self.keys and part.key == self.keys[id]}

    def _checked(self, most: int) -> Checked:
        base, known = self.base, self.known()
        fresh = [id for id in base.kb.records if id not in known]
        count = most if len(fresh) >= FEWEST else 1
        queue = Queue.of(sorted(fresh, key=lambda id: (-_load(base.kb.records[id]), id)), count)
        gc.freeze()  # what has been read stays: no process need look through it again
        workers = [_Worker.started(_PartCheck(base, queue, self.rules)) for _ in range(count - 1)]
        own = _PartCheck(base, queue, self.rules, Part((), rest=True))
        try:
            each_used = [own.used(), *(worker.receive(Used) for worker in workers)]
            used = together(each_used, known)
            usage = joined([used], base.kb)
            strays = joined_strays(each_used)
            seen = views(usage, base.kb)
            again = [id for id, part in known.items() if part.view != seen[id] or id in strays]
            more = split(base, again, count)
            for worker, part in zip(workers, more[1:], strict=True):
                worker.send((usage, strays, part.records))
            found = [own.found(usage, strays, more[0].records), *(worker.receive(Found) for worker in workers)]
            diagnostics = [each for part in found for each in part.diagnostics]
            result = concluded(base, self.rules, diagnostics, [each for part in found for each in part.crashes])
            wanted = (self.with_causes and worth_a_cause(result.diagnostics), bool(self.keys))
            for worker in workers:
                worker.send(wanted)
            rests = own.rests(*wanted)
            for worker in workers:
                rests.add(worker.receive(Rests))
        finally:
            gc.unfreeze()
            queue.close()
            for worker in workers:
                worker.stop()
        endings = {(id, name): word for id, part in known.items() for name, word in part.claims.items()}
        endings.update({name: ending for part in found for name, ending in part.claims.items()})
        recomputed = {id: part.recomputed for id, part in known.items()}
        recomputed.update({id: count for part in found for id, count in part.recomputed.items()})
        others = [part.rests for id, part in known.items() if id not in again]
        shares = {id: each for part in each_used for id, each in part.shares.items()}
        parts_ = dict(known)
        for id in self.keys.keys() - known.keys():
            if id not in rests.leading:
                ended = {name: endings[id, name] for name in base.kb.records[id].claims if (id, name) in endings}
                key = self.keys[id]
                parts_[id] = KeptRecord(
                    key, "", shares[id].used, recomputed[id], ended, rests.of[id], tuple(sorted(shares[id].words))
                )
        clean = self.clean(diagnostics, strays) if not result.crashes else ()
        keeping = {id: replace(parts_[id], view=seen[id]) for id in clean if id in parts_}
        return Checked(result, sum(recomputed.values()), endings, rests.quotes, others, keeping)

    def clean(self, found: Iterable[Diagnostic], strays: Collection[str]) -> list[str]:
        """The records in which nothing was found, suppressed or not."""
        paths = {each.location.path for each in found}
        records = self.base.kb.records.items()
        return [id for id, r in records if r.path not in paths and id not in strays and not r.suppressions]


def together(parts: Iterable[Used], known: Mapping[str, KeptRecord]) -> Share:
    """What all records use."""
    usage, words = Usage(), set[str]()
    for part in parts:
        for share_ in part.shares.values():
            usage.add(share_.used)
            words |= share_.words
    for kept in known.values():
        usage.add(kept.used)
        words.update(kept.words)
    return Share(usage, frozenset(words))


def joined_strays(parts: Iterable[Used]) -> dict[str, list[Fault]]:
    """The faults to which records lead in others, by those."""
    strays: defaultdict[str, list[Fault]] = defaultdict(list)
    for part in parts:
        for holder, faults in part.strays.items():
            strays[holder] += faults
    return dict(strays)


def split(base: Evaluation, ids: Iterable[str], count: int) -> list[Part]:
    """Some records in parts that take about the same time; the first part has the documents too."""
    loads, parts = [0] * count, [list[str]() for _ in range(count)]
    for record in sorted((base.kb.records[id] for id in ids), key=lambda each: (-_load(each), each.id)):
        lightest = loads.index(min(loads))
        loads[lightest] += _load(record)
        parts[lightest].append(record.id)
    order = {id: place for place, id in enumerate(base.kb.records)}
    return [Part(tuple(sorted(ids, key=order.__getitem__)), rest=not place) for place, ids in enumerate(parts)]


def _load(record: Record) -> int:
    """About how long a record takes, in characters of prose."""
    return len(record.document.source) + 4000 * len(record.claims) + 200 * len(record.figures)


@dataclass(frozen=True, slots=True)
class Queue:
    """Records that several processes take from, each some at a time; none is taken twice."""

    batches: tuple[tuple[str, ...], ...]
    reader: int
    """Where the numbers of the batches stand that nobody has taken; negative where there is one process alone."""

    @classmethod
    def of(cls, ids: Sequence[str], processes_: int) -> Queue:
        """A queue of records, for processes that are forked afterwards."""
        if processes_ == 1:
            return cls((tuple(ids),), -1)
        size = len(ids) // _MOST_BATCHES + 1
        batches = tuple(tuple(ids[at : at + size]) for at in range(0, len(ids), size))
        reader, writer = os.pipe()
        os.write(writer, b"".join(number.to_bytes(_WIDTH) for number in range(len(batches))))
        os.close(writer)
        return cls(batches, reader)

    def taken(self) -> Iterator[str]:
        """Record after record, until none is left."""
        if self.reader < 0:
            yield from self.batches[0]
            return
        while number := os.read(self.reader, _WIDTH):  # a pipe gives each reader whole numbers: they are written whole
            yield from self.batches[int.from_bytes(number)]

    def close(self) -> None:
        """Let go of the pipe."""
        if self.reader >= 0:
            os.close(self.reader)


_WIDTH = 4
_MOST_BATCHES = 4096
"""So many numbers have room in a pipe that nobody reads yet."""


@dataclass(slots=True)
class _PartCheck:
    """The check of one part, in the steps between which parts wait for each other."""

    base: Evaluation
    queue: Queue
    rules: Sequence[Rule]
    part: Part = Part((), rest=False)

    @property
    def holders(self) -> tuple[str, ...]:
        """The records of the part, and with the rest all that are none."""
        others = (each for each in self.base.quotes if each not in self.base.kb.records) if self.part.rest else ()
        return (*self.part.records, *others)

    def used(self) -> Used:
        """What the records use that are taken here, with the rest what documents use; the claims are decided too."""
        shares = {each: share(self.base, each) for each in self.holders}
        claims = claims_of(self.base) if any(rule.claims for rule in self.rules) else None
        for id in self.queue.taken():
            shares[id] = share(self.base, id)
            for _ in claims.of_record(self.base.kb.records[id]) if claims is not None else ():
                pass
        order = {id: place for place, id in enumerate(self.base.kb.records)}
        own = sorted((id for id in shares if id in order), key=order.__getitem__)
        self.part = replace(self.part, records=tuple(own))
        return Used(shares, find_strays(self.base, self.holders))

    def found(self, usage: Usage, strays: dict[str, list[Fault]], more: tuple[str, ...]) -> Found:
        self.base.strays.update(strays)
        self.base = replace(self.base, usage=usage)
        self.part = replace(self.part, records=(*self.part.records, *more))
        diagnostics, crashes = found_in(self.base, self.rules, self.part)
        recomputed = {each: self.base.recomputed_in(each) for each in self.holders}
        return Found(diagnostics, crashes, recomputed, claims_of(self.base).endings())

    def rests(self, quotes: bool, counts: bool) -> Rests:
        found = Rests(resting(self.base, self.holders) if quotes else [])
        if counts:
            found.of.update((each, rests_in(self.base, each)) for each in self.holders)
            found.leading.update(each for each in self.holders if self.base.led_to[each])
        return found


@dataclass(slots=True)
class Rests:
    """What quotes rest on: each of them, and how many of each record; and the records that lead to faults."""

    quotes: list[Resting]
    of: dict[str, tuple[Rest, ...]] = field(default_factory=dict)
    leading: set[str] = field(default_factory=set)

    def add(self, other: Rests) -> None:
        """Take in those of another part."""
        self.quotes += other.quotes
        self.of.update(other.of)
        self.leading |= other.leading


class WorkerLost(Exception):
    """A process ended without an answer: killed, or out of memory."""


@dataclass(slots=True)
class _Worker:
    """A forked process that checks a part."""

    pid: int
    connection: Connection

    @classmethod
    def started(cls, work: _PartCheck) -> _Worker:
        ours, theirs = get_context("fork").Pipe()
        sys.stdout.flush()
        sys.stderr.flush()
        pid = os.fork()
        if pid:
            theirs.close()
            return cls(pid, ours)
        code = 1
        try:
            ours.close()
            theirs.send(work.used())
            theirs.send(work.found(*theirs.recv()))
            theirs.send(work.rests(*theirs.recv()))
            code = 0
        except (EOFError, BrokenPipeError, KeyboardInterrupt):
            pass  # whoever asked is gone
        finally:
            os._exit(code)

    def send(self, message: object) -> None:
        try:
            self.connection.send(message)
        except OSError as error:
            raise WorkerLost from error

    def receive(self, kind: type[T]) -> T:
        try:
            message = self.connection.recv()
        except (EOFError, OSError) as error:
            raise WorkerLost from error
        assert isinstance(message, kind)
        return message

    def stop(self) -> None:
        """Let go of the process; what it still does is of no use."""
        self.connection.close()
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
