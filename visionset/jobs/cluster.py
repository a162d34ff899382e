"""Workers of a Dask cluster: those at an address, or some that are started here.

Dask keeps the workers, tries again what a dead one had, and gives up a task that was on more dead ones than its scheduler allows
(``distributed.scheduler.allowed-failures``; 3 where nobody says otherwise). Here is the order, how much is under way, how many tasks of
ours are one of Dask's, a bundle, whether there are workers at all, and who is to blame: Dask gives up all that a dead worker had, what
waited there too. So each task of those that it gave up is tried once more while nothing else is under way, and what dies then too is lost;
its neighbours are answered.
"""

from __future__ import annotations

import logging
import pickle
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from typing import Any, Generic

from visionset import __version__
from visionset.errors import WorkerError
from visionset.jobs.order import MOST_TRIES, AnswerT, Job, Lost, Order, TaskT
from visionset.jobs.processes import calm, outcome

LOCAL = "local"
"""The address of a cluster that is started here and ends with the work."""

AHEAD = 3
"""Bundles for each thread of the workers: one it works on, and what hides the way there and back."""

WINDOW = 16
"""Answers for each thread that wait for an earlier one, besides those of what is under way."""

MOST_TOGETHER = 64
"""Tasks in a bundle: Dask's part of each is a hundredth of a bundle then, and more would only fill memory."""

_BUNDLES_A_SECOND = 10.0
"""What is asked for: each takes who asks and the scheduler some milliseconds, a twentieth of a processor in all."""

_MOST_S = 8.0
"""Seconds of a bundle, however many threads there are: what is done twice when a worker dies, and waited for in the end."""

_NEWEST = 0.2
"""Weight of the newest bundle in how long a task takes: those of ten bundles ago, when a worker loaded its networks, hardly count."""

_COUNTED_EVERY = 500
"""Answers after which the threads are counted again: workers come and go."""

_PATIENCE_S = 20.0
"""How long a scheduler may take to answer, and the first worker to come."""

_LOST_AFTER = "1000d"
"""After how long without a worker Dask gives up a place for one here, for good: never. Dask says 15 s, and where workers were killed faster
than they started it gave up one place after the other, until work stood still."""

_LOOK_EVERY_S = 5.0
"""How often it is looked whether there are workers, while answers are waited for."""

_TELL_AFTER_S = 60.0
"""How long there may be no worker before somebody is told."""

_LOG = logging.getLogger(__name__)


class Cluster:
    """The workers of a cluster: at the address of its scheduler, or so many here (without a number, one for each processor)."""

    def __init__(self, address: str, count: int | None = None) -> None:
        self.address, self.count = address, count

    def map(self, work: Callable[[TaskT], AnswerT], tasks: Iterable[TaskT]) -> Iterator[AnswerT | Lost[TaskT]]:
        """Answers in the order of the tasks, as they come; see `Engine.map`."""
        with ExitStack() as stack:
            client, watch = self._client(stack)
            threads, task_s, seen = self._threads(client), 0.0, 0
            order: Order[TaskT, AnswerT] = Order(tasks, WINDOW * threads)
            under_way = _UnderWay(client, work, order, watch)
            while not order.is_done:
                size = bundle_size(threads, task_s)
                order.window = threads * (WINDOW + AHEAD * size)
                under_way.fill(AHEAD * threads, size)
                had_turn = False
                for answer in order.in_turn():
                    had_turn = True
                    yield answer
                if had_turn or not under_way.jobs:  # there is room for more tasks, or none is left
                    continue
                count, spent_s = under_way.take()
                if spent_s:
                    task_s += (_NEWEST if task_s else 1.0) * (spent_s / count - task_s)
                seen += count
                if seen >= _COUNTED_EVERY:
                    threads, seen = self._threads(client), 0

    def _client(self, stack: ExitStack) -> tuple[Any, Watch]:
        """Reach the cluster, and who looks after it; raises `WorkerError`."""
        try:
            import dask.config
            from distributed import Client, LocalCluster
        except ImportError:
            raise WorkerError("--cluster: expected Dask, got none; run pip install 'visionset[cluster]', or use --jobs") from None
        logging.getLogger("distributed").setLevel(logging.CRITICAL)  # of workers that die it tells screens full
        cluster = None
        try:
            if self.address == LOCAL:
                stack.enter_context(dask.config.set({"distributed.deploy.lost-worker-timeout": _LOST_AFTER}))
                told = {"dashboard_address": None, "silence_logs": logging.CRITICAL, "memory_limit": 0}
                tries = dask.config.set({"distributed.scheduler.allowed-failures": MOST_TRIES - 1})
                with calm(), tries:  # who asks hears Ctrl-C, and its workers leave with it
                    cluster = stack.enter_context(LocalCluster(n_workers=self.count, threads_per_worker=1, **told))
                client = stack.enter_context(Client(cluster))
            else:
                client = stack.enter_context(Client(self.address, timeout=_PATIENCE_S))
            client.wait_for_workers(1, timeout=_PATIENCE_S)
            versions = set(client.run(_version_there).values())
        except (OSError, TimeoutError, ValueError, RuntimeError) as error:  # the last where a worker died as it started
            what = f"{error!s:.200}" or type(error).__name__
            raise WorkerError(
                f"--cluster {self.address}: expected a Dask scheduler with workers, got {what}; check address and workers"
            ) from None
        except ImportError as error:
            raise WorkerError(f"--cluster {self.address}: expected visionset on each worker, got {error}; install it there") from None
        if versions != {__version__}:
            others = ", ".join(sorted(versions - {__version__}))
            raise WorkerError(f"--cluster {self.address}: expected visionset {__version__} on each worker, got {others}; install it there")
        return client, Watch(client, self.address, cluster)

    def _threads(self, client: Any) -> int:
        with suppress(OSError, TimeoutError):
            return max(1, int(sum(client.nthreads().values())))
        return 1


def bundle_size(threads: int, task_s: float) -> int:
    """How many tasks are a bundle, where each takes so many seconds (0: not known yet) of one of so many threads: 1 to `MOST_TOGETHER`.

    >>> bundle_size(2, 0.03), bundle_size(800, 0.25), bundle_size(800, 60.0), bundle_size(800, 0.0)
    (6, 32, 1, 1)
    """
    bundle_s = min(threads / _BUNDLES_A_SECOND, _MOST_S)
    return max(1, min(int(bundle_s / task_s), MOST_TOGETHER)) if task_s else 1


class _UnderWay(Generic[TaskT, AnswerT]):
    """Bundles that the cluster has, and those of which nobody knows yet over which task their workers died."""

    def __init__(self, client: Any, work: Callable[[TaskT], AnswerT], order: Order[TaskT, AnswerT], watch: Watch) -> None:
        from distributed import as_completed

        self.jobs: dict[str, list[Job[TaskT]]] = {}
        self._client, self._bundle, self._order, self._watch = client, _Bundle(work), order, watch
        self._came = as_completed(with_results=False, raise_errors=False)
        self._suspects: list[Job[TaskT]] = []
        self._is_trial = False

    def fill(self, most: int, size: int) -> None:
        """Hand out bundles of such a size until so many are under way; a suspect alone, when all others are back."""
        while len(self.jobs) < most and not self._is_trial:
            if not self._suspects:
                jobs: list[Job[TaskT]] = []
                while len(jobs) < size and (job := self._order.next_job()) is not None:
                    jobs.append(job)
                if not jobs:
                    return
            elif self.jobs:
                return
            else:
                jobs, self._is_trial = [self._suspects.pop(0)], True
            key = f"visionset-{id(self):x}-{jobs[0].number}" + "-alone" * self._is_trial
            self.jobs[key] = jobs
            self._came.add(self._client.submit(self._bundle, [job.task for job in jobs], key=key, pure=False))

    def take(self) -> tuple[int, float]:
        """Wait for a bundle; gives how many tasks it had, and how many seconds they took (0: it was lost)."""
        from distributed import CancelledError
        from distributed.scheduler import KilledWorker

        while not self._came.has_ready():
            with self._came.thread_condition:
                self._came.thread_condition.wait(0.1)  # as Dask does: it may have told in between
            self._watch.look()
        future = next(self._came)
        jobs, spent_s = self.jobs.pop(future.key), 0.0
        was_trial, self._is_trial = self._is_trial, False
        try:
            outcomes, spent_s = self._result(future)
            for job, data in zip(jobs, outcomes, strict=True):
                is_answer, value = pickle.loads(data)
                (self._order.answered if is_answer else self._order.raised)(job, value)
        except KilledWorker as error:
            if was_trial:
                self._order.answered(jobs[0], Lost(jobs[0].task, error.allowed_failures + 1))
            else:
                self._suspects = sorted([*self._suspects, *jobs], key=lambda job: job.number)
        except CancelledError:
            told = f"--cluster {self._watch.address}: expected answers, got none; it was stopped; start it, and ask again"
            self._order.raised(jobs[0], WorkerError(told))
        except Exception as error:  # of Dask: the work's are among the outcomes
            self._order.raised(jobs[0], error)
        return len(jobs), spent_s

    def _result(self, future: Any) -> Any:
        """What it gave; waits again where the worker died before it gave the answer away."""
        wait_s = _LOOK_EVERY_S
        while True:
            try:
                return future.result(timeout=wait_s)
            except TimeoutError:
                if future.status == "error":  # it is the answer
                    raise
                self._watch.look()
                wait_s *= 2  # what is begun anew each time may take longer


class Watch:
    """Looks after a cluster while answers are waited for: starts workers again that Dask gave up, and tells where there are none for long.

    Parameters
    ----------
    client : distributed.Client
        Asks the cluster.
    address : str
        As it was asked for.
    cluster : distributed.LocalCluster, optional
        The one that was started here.
    clock : callable, optional
        Seconds that only grow.
    """

    def __init__(self, client: Any, address: str, cluster: Any = None, clock: Callable[[], float] = time.monotonic) -> None:
        self.address = address
        self._client, self._cluster, self._clock = client, cluster, clock
        self._next_s = clock() + _LOOK_EVERY_S
        self._none_since_s: float | None = None
        self._is_told = False

    def look(self) -> None:
        """Look, where the last time is long enough ago."""
        now_s = self._clock()
        if now_s < self._next_s:
            return
        self._next_s = now_s + _LOOK_EVERY_S
        if self._cluster is not None:
            self._start_again(self._cluster)
        with suppress(OSError, TimeoutError):
            if self._client.nthreads():
                self._none_since_s, self._is_told = None, False
                return
        if self._none_since_s is None:
            self._none_since_s = now_s
        none_s = now_s - self._none_since_s
        if none_s >= _TELL_AFTER_S and not self._is_told:
            self._is_told = True
            step = "see what ends them" if self._cluster is not None else "start some there"
            _LOG.warning(f"--cluster {self.address}: expected workers, got none since {none_s:.0f} s; {step}, or stop and ask again")

    def _start_again(self, cluster: Any) -> None:
        """Fill the places for workers that Dask gave up: those of nannies that ended, and those without one."""
        for place, nanny in list(cluster.workers.items()):
            if nanny.status.name in ("closed", "failed"):
                cluster.workers.pop(place, None)
        places = len(cluster.worker_spec)
        if len(cluster.workers) < places:
            cluster.scale(places)


@dataclass(frozen=True, slots=True)
class _Bundle(Generic[TaskT, AnswerT]):
    """Work on several tasks, one after the other."""

    work: Callable[[TaskT], AnswerT]

    def __call__(self, tasks: list[TaskT]) -> tuple[list[bytes], float]:
        """Do it; see `visionset.jobs.processes.outcome` for the answers, and how many seconds all took."""
        start_s = time.monotonic()
        return [outcome(self.work, task) for task in tasks], time.monotonic() - start_s


def _version_there() -> str:
    """The version on a worker."""
    return __version__
