"""An archive on many machines, simulated event by event: how long it takes, what it costs, and what stands in the way first.

What is simulated is what `visionset read --cluster` does: one process asks, a bounded number of tasks is under way for each
thread, each a bundle of photographs, answers are kept in the order of the photographs, and only a window of them may wait for an
earlier one. A thread fetches a photograph, decodes it and reads it, one after the other. What each of these takes was measured or
is asked for; see `Parts`.
"""

from __future__ import annotations

import heapq
import random
import statistics
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, replace

from visionset.jobs.cluster import AHEAD, WINDOW, bundle_size


@dataclass(frozen=True)
class Parts:
    """What a photograph costs where; `plan_archive --measure` measures the first four."""

    read_s: Sequence[float]  # decoding and reading one, by one thread: some that were measured
    ask_s: float  # of the process that asks and of the scheduler, a bundle: handing it out, taking it back
    answer_s: float  # of both, an answer: what it takes besides
    keep_s: float  # of the process that asks: a line, and its share of a file of Parquet
    photo_mb: float = 3.0
    wait_s: float = 0.03  # until the store begins to answer
    store_mb_s: float = 5000.0  # of the store, for all machines together
    link_mb_s: float = 125.0  # of each machine: 1 Gbit/s
    deaths_a_day: float = 1.0  # of each machine, which takes all its threads with it
    notice_s: float = 0.0  # until a death is noticed: at once where the connection breaks
    back_s: float = 120.0  # until the machine is there again


@dataclass(frozen=True)
class Outcome:
    """What came of it."""

    photos: int  # answered
    seconds: float
    tried_again: int
    busy: dict[str, float]  # share of the time that each resource worked, 0 to 1

    @property
    def bottleneck(self) -> str:
        return max(self.busy, key=lambda name: self.busy[name])


def bundle_of(parts: Parts, threads: int) -> int:
    """Photographs that are one task of Dask, with so many threads in all; fetching counts as it does where nothing waits for another."""
    fetch_s = parts.wait_s + parts.photo_mb / parts.link_mb_s + parts.photo_mb / parts.store_mb_s
    return bundle_size(threads, statistics.mean(parts.read_s) + fetch_s)


def asking_s(parts: Parts, size: int) -> float:
    """Of the process that asks and of the scheduler, for a photograph in a bundle of such a size."""
    return parts.ask_s / size + parts.answer_s + parts.keep_s


def doubled(parts: Parts, threads: int, name: str) -> tuple[Parts, int]:
    """The same with twice as much of a resource; twice the threads of each machine for the processors."""
    if name == "processors":
        return parts, 2 * threads
    if name == "asking":
        return replace(parts, ask_s=parts.ask_s / 2, answer_s=parts.answer_s / 2, keep_s=parts.keep_s / 2), threads
    field = {"store": "store_mb_s", "links": "link_mb_s"}[name]
    return replace(parts, **{field: 2 * getattr(parts, field)}), threads


Bundle = range
"""Photographs, by number."""


class _Run:
    """One simulation."""

    def __init__(self, parts: Parts, photos: int, machines: int, threads: int, seed: int) -> None:
        self.parts, self.photos, self.threads, self.count = parts, photos, threads, machines * threads
        self.size = bundle_of(parts, self.count)
        self.chance = random.Random(seed)
        self.events: list[tuple[float, int, str, int, Bundle, int, int]] = []  # when, order, what, thread or machine, ..., see tell
        self.orders = self.tried = self.fetched = self.taken = self.given = self.under_way = 0
        self.ready: deque[tuple[float, Bundle]] = deque()  # from when on, photos
        self.idle: deque[tuple[float, int, int]] = deque()  # since when, thread, life of its machine
        self.lives = [0] * machines
        self.works_on: dict[int, Bundle] = {}  # thread to photos
        self.asker_s = 0.0  # until when it is busy
        self.store_s, self.links_s, self.work_s = 0.0, [0.0] * machines, 0.0
        self.waiting: dict[int, int] = {}  # answered before an earlier one: the first of a bundle, and how many
        for machine in range(machines):
            self.come(0.0, machine)

    def tell(self, when_s: float, what: str, who: int, bundle: Bundle = range(0), done: int = 0, life: int = 0) -> None:
        """Something will happen to a thread or machine, of whose bundle so many are done."""
        self.orders += 1
        heapq.heappush(self.events, (when_s, self.orders, what, who, bundle, done, life))

    def come(self, now_s: float, machine: int) -> None:
        """A machine is there."""
        self.idle += [(now_s, thread, self.lives[machine]) for thread in range(machine * self.threads, (machine + 1) * self.threads)]
        if self.parts.deaths_a_day:
            self.tell(now_s + self.chance.expovariate(self.parts.deaths_a_day / 86400), "death", machine)

    def die(self, now_s: float, machine: int) -> None:
        """It is gone, and what its threads worked on is tried again."""
        self.lives[machine] += 1
        for thread in range(machine * self.threads, (machine + 1) * self.threads):
            if (bundle := self.works_on.pop(thread, None)) is not None:
                self.tried += len(bundle)
                self.tell(now_s + self.parts.notice_s, "again", thread, bundle)
        self.tell(now_s + self.parts.back_s, "back", machine)

    def hand_out(self, now_s: float) -> None:
        """Give the threads what there is room for."""
        window = self.count * (WINDOW + AHEAD * self.size)
        while self.taken < self.photos and self.under_way < AHEAD * self.count and self.taken - self.given < window:
            bundle = range(self.taken, min(self.taken + self.size, self.photos))
            self.asker_s = max(now_s, self.asker_s) + self.parts.ask_s
            self.ready.append((self.asker_s, bundle))
            self.taken, self.under_way = bundle.stop, self.under_way + 1
        while self.ready and self.idle:
            free_s, thread, life = self.idle.popleft()
            if life == self.lives[thread // self.threads]:
                there_s, bundle = self.ready.popleft()
                self.works_on[thread] = bundle
                self.tell(max(there_s, free_s), "read", thread, bundle, 0, life)

    def begin(self, now_s: float, thread: int, bundle: Bundle, done: int) -> None:
        """A thread fetches the next photograph of its bundle and reads it."""
        parts, machine = self.parts, thread // self.threads
        first_s = now_s + parts.wait_s
        self.store_s = max(first_s, self.store_s) + parts.photo_mb / parts.store_mb_s
        self.links_s[machine] = max(first_s, self.links_s[machine]) + parts.photo_mb / parts.link_mb_s
        spent_s = self.chance.choice(parts.read_s)
        self.fetched, self.work_s = self.fetched + 1, self.work_s + spent_s
        there_s = max(self.store_s, self.links_s[machine])
        self.tell(there_s + spent_s, "read", thread, bundle, done + 1, self.lives[machine])

    def end(self, now_s: float, thread: int, bundle: Bundle) -> None:
        """The answers of a bundle came."""
        self.asker_s = max(now_s, self.asker_s) + len(bundle) * (self.parts.answer_s + self.parts.keep_s)
        self.waiting[bundle.start] = len(bundle)
        while self.given in self.waiting:
            self.given += self.waiting.pop(self.given)
        del self.works_on[thread]
        self.under_way -= 1
        self.idle.append((now_s, thread, self.lives[thread // self.threads]))

    def run(self) -> Outcome:
        parts, now_s = self.parts, 0.0
        while True:
            self.hand_out(now_s)
            if self.given >= self.photos:
                break
            now_s, _, what, who, bundle, done, life = heapq.heappop(self.events)
            if what == "death":
                self.die(now_s, who)
            elif what == "back":
                self.come(now_s, who)
            elif what == "again":
                self.ready.appendleft((now_s, bundle))
            elif life == self.lives[who // self.threads]:
                if done < len(bundle):
                    self.begin(now_s, who, bundle, done)
                else:
                    self.end(now_s, who, bundle)
        seconds, mb = self.asker_s, self.fetched * parts.photo_mb
        busy = {
            "processors": self.work_s / self.count / seconds,
            "store": mb / parts.store_mb_s / seconds,
            "links": mb / parts.link_mb_s / len(self.links_s) / seconds,
            "asking": self.photos * asking_s(parts, self.size) / seconds,
        }
        return Outcome(self.given, seconds, self.tried, busy)


def simulate(parts: Parts, photos: int, machines: int, threads: int, seed: int = 0) -> Outcome:
    """Read so many photographs on so many machines with so many threads each."""
    return _Run(parts, photos, machines, threads, seed).run()
