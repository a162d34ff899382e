"""An archive on many machines, simulated event by event: how long it takes, what it costs, and what stands in the way first.

What is simulated is what `visionset read --cluster` does: one process asks, a bounded number of tasks is under way for each
thread, answers are kept in the order of the photographs, and only a window of them may wait for an earlier one. A thread
fetches a photograph, decodes it and reads it, one after the other. What each of these takes was measured or is asked for;
see `Parts`.
"""

from __future__ import annotations

import heapq
import random
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, replace

AHEAD, WINDOW = 3, 16  # as in visionset.jobs.cluster


@dataclass(frozen=True)
class Parts:
    """What a photograph costs where; `plan_archive --measure` measures the first three."""

    read_s: Sequence[float]  # decoding and reading one, by one thread: some that were measured
    ask_s: float  # of the process that asks and of the scheduler: handing out a task, taking its answer
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


def doubled(parts: Parts, threads: int, name: str) -> tuple[Parts, int]:
    """The same with twice as much of a resource; twice the threads of each machine for the processors."""
    if name == "processors":
        return parts, 2 * threads
    if name == "asking":
        return replace(parts, ask_s=parts.ask_s / 2, keep_s=parts.keep_s / 2), threads
    field = {"store": "store_mb_s", "links": "link_mb_s"}[name]
    return replace(parts, **{field: 2 * getattr(parts, field)}), threads


class _Run:
    """One simulation."""

    def __init__(self, parts: Parts, photos: int, machines: int, threads: int, seed: int) -> None:
        self.parts, self.photos, self.threads, self.count = parts, photos, threads, machines * threads
        self.chance = random.Random(seed)
        self.events: list[tuple[float, int, str, int, int, int]] = []  # when, order, what, thread or machine, photo, life of the machine
        self.orders = self.tried = self.fetched = self.taken = self.given = 0
        self.ready: deque[tuple[float, int]] = deque()  # from when on, photo
        self.idle: deque[tuple[float, int, int]] = deque()  # since when, thread, life of its machine
        self.lives = [0] * machines
        self.works_on: dict[int, int] = {}  # thread to photo
        self.asker_s = self.count * parts.ask_s  # until when it is busy: with the first task of each thread
        self.store_s, self.links_s, self.work_s = 0.0, [0.0] * machines, 0.0
        self.waiting: set[int] = set()  # answered before an earlier one
        for machine in range(machines):
            self.come(0.0, machine)

    def tell(self, when_s: float, what: str, who: int, photo: int = 0, life: int = 0) -> None:
        self.orders += 1
        heapq.heappush(self.events, (when_s, self.orders, what, who, photo, life))

    def come(self, now_s: float, machine: int) -> None:
        """A machine is there."""
        self.idle += [(now_s, thread, self.lives[machine]) for thread in range(machine * self.threads, (machine + 1) * self.threads)]
        if self.parts.deaths_a_day:
            self.tell(now_s + self.chance.expovariate(self.parts.deaths_a_day / 86400), "death", machine)

    def die(self, now_s: float, machine: int) -> None:
        """It is gone, and what its threads worked on is tried again."""
        self.lives[machine] += 1
        for thread in range(machine * self.threads, (machine + 1) * self.threads):
            if (photo := self.works_on.pop(thread, None)) is not None:
                self.tried += 1
                self.tell(now_s + self.parts.notice_s, "again", thread, photo)
        self.tell(now_s + self.parts.back_s, "back", machine)

    def hand_out(self) -> None:
        """Give the threads what there is room for."""
        under_way = self.taken - self.given - len(self.waiting)
        while self.taken < self.photos and under_way < AHEAD * self.count and self.taken - self.given < WINDOW * self.count:
            self.ready.append((self.asker_s, self.taken))
            self.taken, under_way = self.taken + 1, under_way + 1
        while self.ready and self.idle:
            free_s, thread, life = self.idle.popleft()
            if life == self.lives[thread // self.threads]:
                there_s, photo = self.ready.popleft()
                self.begin(max(there_s, free_s), thread, photo)

    def begin(self, now_s: float, thread: int, photo: int) -> None:
        """A thread fetches a photograph and reads it."""
        parts, machine = self.parts, thread // self.threads
        first_s = now_s + parts.wait_s
        self.store_s = max(first_s, self.store_s) + parts.photo_mb / parts.store_mb_s
        self.links_s[machine] = max(first_s, self.links_s[machine]) + parts.photo_mb / parts.link_mb_s
        spent_s = self.chance.choice(parts.read_s)
        self.fetched, self.work_s, self.works_on[thread] = self.fetched + 1, self.work_s + spent_s, photo
        self.tell(max(self.store_s, self.links_s[machine]) + spent_s, "answer", thread, photo, self.lives[machine])

    def run(self) -> Outcome:
        parts = self.parts
        self.hand_out()
        while self.given < self.photos:
            now_s, _, what, who, photo, life = heapq.heappop(self.events)
            if what == "death":
                self.die(now_s, who)
            elif what == "back":
                self.come(now_s, who)
            elif what == "again":
                self.ready.appendleft((now_s, photo))
            elif life == self.lives[who // self.threads]:
                self.asker_s = max(now_s, self.asker_s) + parts.ask_s + parts.keep_s
                self.waiting.add(photo)
                while self.given in self.waiting:
                    self.waiting.remove(self.given)
                    self.given += 1
                del self.works_on[who]
                self.idle.append((now_s, who, life))
            self.hand_out()
        seconds, mb = self.asker_s, self.fetched * parts.photo_mb
        busy = {
            "processors": self.work_s / self.count / seconds,
            "store": mb / parts.store_mb_s / seconds,
            "links": mb / parts.link_mb_s / len(self.links_s) / seconds,
            "asking": self.photos * (parts.ask_s + parts.keep_s) / seconds,
        }
        return Outcome(self.given, seconds, self.tried, busy)


def simulate(parts: Parts, photos: int, machines: int, threads: int, seed: int = 0) -> Outcome:
    """Read so many photographs on so many machines with so many threads each."""
    return _Run(parts, photos, machines, threads, seed).run()
