"""Workers of a Dask cluster: those at an address, or some that are started here.

Dask keeps the workers, tries again what a dead one had, and gives up a task over which more died than its scheduler allows
(``distributed.scheduler.allowed-failures``, 3). Here is only the order, and how much is under way.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, suppress
from typing import Any

from visionset import __version__
from visionset.errors import WorkerError
from visionset.jobs.order import MOST_TRIES, AnswerT, Job, Lost, Order, TaskT
from visionset.jobs.processes import calm

LOCAL = "local"
"""The address of a cluster that is started here and ends with the work."""

_AHEAD = 3
"""Tasks for each thread of the workers: one it works on, and what hides the way there and back."""

_WINDOW = 16
"""Answers for each thread that wait for an earlier one."""

_COUNTED_EVERY = 500
"""Answers after which the threads are counted again: workers come and go."""

_PATIENCE_S = 20.0
"""How long a scheduler may take to answer, and the first worker to come."""


class Cluster:
    """The workers of a cluster: at the address of its scheduler, or so many here (without a number, one for each processor)."""

    def __init__(self, address: str, count: int | None = None) -> None:
        self.address, self.count = address, count

    def map(self, work: Callable[[TaskT], AnswerT], tasks: Iterable[TaskT]) -> Iterator[AnswerT | Lost[TaskT]]:
        """Answers in the order of the tasks, as they come; see `Engine.map`."""
        with ExitStack() as stack:
            client = self._client(stack)
            from distributed import as_completed
            from distributed.scheduler import KilledWorker

            threads = self._threads(client)
            order: Order[TaskT, AnswerT] = Order(tasks, _WINDOW * threads)
            under_way: dict[str, Job[TaskT]] = {}
            came = as_completed(with_results=False, raise_errors=False)
            finished = 0
            while not order.is_done:
                while len(under_way) < _AHEAD * threads and (job := order.next_job()) is not None:
                    future = client.submit(work, job.task, key=f"visionset-{id(order):x}-{job.number}", pure=False)
                    under_way[future.key] = job
                    came.add(future)
                had_turn = False
                for answer in order.in_turn():
                    had_turn = True
                    yield answer
                if had_turn or not under_way:  # there is room for more tasks, or none is left
                    continue
                future = next(came)
                job = under_way.pop(future.key)
                if future.status == "finished":
                    order.answered(job, future.result())
                elif isinstance(error := future.exception(), KilledWorker):
                    order.answered(job, Lost(job.task, MOST_TRIES))
                else:
                    order.raised(job, error or WorkerError(f"expected an answer of {self.address}, got none; the cluster was stopped"))
                finished += 1
                if finished % _COUNTED_EVERY == 0:
                    threads = self._threads(client)
                    order.window = _WINDOW * threads

    def _client(self, stack: ExitStack) -> Any:
        """Reach the cluster; raises `WorkerError`."""
        try:
            from distributed import Client, LocalCluster
        except ImportError:
            raise WorkerError("--cluster: expected Dask, got none; run pip install 'visionset[cluster]', or use --jobs") from None
        logging.getLogger("distributed").setLevel(logging.CRITICAL)  # of workers that die it tells screens full
        try:
            if self.address == LOCAL:
                told = {"dashboard_address": None, "silence_logs": logging.CRITICAL, "memory_limit": 0}
                with calm():  # who asks hears Ctrl-C, and its workers leave with it
                    cluster = stack.enter_context(LocalCluster(n_workers=self.count, threads_per_worker=1, **told))
                client = stack.enter_context(Client(cluster))
            else:
                client = stack.enter_context(Client(self.address, timeout=_PATIENCE_S))
            client.wait_for_workers(1, timeout=_PATIENCE_S)
            versions = set(client.run(_version_there).values())
        except (OSError, TimeoutError, ValueError) as error:
            what = f"{error!s:.200}" or type(error).__name__
            raise WorkerError(
                f"--cluster {self.address}: expected a Dask scheduler with workers, got {what}; check address and workers"
            ) from None
        except ImportError as error:
            raise WorkerError(f"--cluster {self.address}: expected visionset on each worker, got {error}; install it there") from None
        if versions != {__version__}:
            others = ", ".join(sorted(versions - {__version__}))
            raise WorkerError(f"--cluster {self.address}: expected visionset {__version__} on each worker, got {others}; install it there")
        return client

    def _threads(self, client: Any) -> int:
        with suppress(OSError, TimeoutError):
            return max(1, int(sum(client.nthreads().values())))
        return 1


def _version_there() -> str:
    """The version on a worker."""
    return __version__
