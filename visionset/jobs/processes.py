"""Processes of this machine, each of which may die.

Why not an executor: that of `concurrent.futures` is broken as a whole when one of its processes dies, does not say over which task, and
leaves its processes behind when its own is killed; `multiprocessing.Pool` waits for ever. Here each process has a pipe of its own, so that
the end of one tells what it was working on, and costs the others nothing.
"""

from __future__ import annotations

import multiprocessing
import os
import pickle
import signal
import threading
import traceback
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection, wait
from typing import Any, Generic

from visionset.errors import WorkerError
from visionset.jobs.order import AnswerT, Job, Lost, Order, TaskT

_AHEAD = 2
"""Tasks that a worker has: one it works on, and one that waits, so that it never does."""

_WINDOW = 16
"""Answers for each worker that wait for an earlier one: a picture that takes sixteen times as long as others holds nobody up."""

_MOST_FALSE_STARTS = 10
"""Workers that may die one after the other before any of them is ready."""

_ONE_THREAD = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
"""What libraries for linear algebra ask how many threads they may have; they ask when they are loaded."""

_SPAWN = multiprocessing.get_context("spawn")
"""New processes, on every system: a copy of this one would hold locks of threads that it does not have."""


class Processes:
    """So many worker processes; a process is started when there is something for it to do."""

    def __init__(self, count: int) -> None:
        self.count = count

    def map(self, work: Callable[[TaskT], AnswerT], tasks: Iterable[TaskT]) -> Iterator[AnswerT | Lost[TaskT]]:
        """Answers in the order of the tasks, as they come; see `Engine.map`."""
        order: Order[TaskT, AnswerT] = Order(tasks, _WINDOW * self.count)
        workers: list[_Worker[TaskT]] = []
        false_starts = 0
        try:
            while True:
                self._hand_out(order, work, workers)
                if order.is_done:  # to ask for a task that is not there tells so: after the last answer was given back, perhaps
                    break
                had_turn = False
                for answer in order.in_turn():
                    had_turn = True
                    yield answer
                if had_turn:  # there is room for more tasks
                    continue
                lines = wait([worker.line for worker in workers]) if workers else []
                for worker in [one for one in workers if one.line in lines]:
                    try:
                        message = worker.line.recv()
                    except (EOFError, OSError):
                        workers.remove(worker)
                        worker.end()
                        false_starts += not worker.is_ready
                        if false_starts >= _MOST_FALSE_STARTS:
                            raise WorkerError(
                                f"expected worker processes to start, got {false_starts} that ended before; ask for fewer --jobs"
                            ) from None
                        _take_back(worker, order)
                        continue
                    if message is None:
                        worker.is_ready, false_starts = True, 0
                        continue
                    is_answer, value = message
                    (order.answered if is_answer else order.raised)(worker.jobs.popleft(), value)
        finally:
            for worker in workers:
                worker.end()

    def _hand_out(self, order: Order[TaskT, AnswerT], work: Callable[[TaskT], AnswerT], workers: list[_Worker[TaskT]]) -> None:
        """Give every worker what it has room for: first something to each, starting those that are missing."""
        for room in range(1, _AHEAD + 1):
            for at in range(self.count):
                if at < len(workers) and len(workers[at].jobs) >= room:
                    continue
                job = order.next_job()
                if job is None:
                    return
                if at >= len(workers):
                    workers.append(_Worker(work))
                workers[min(at, len(workers) - 1)].give(job)


def _take_back(worker: _Worker[TaskT], order: Order[TaskT, Any]) -> None:
    """What a dead worker had goes to others; the one it worked on is under suspicion."""
    jobs = list(worker.jobs)
    if jobs and worker.is_ready:
        order.died(jobs.pop(0))
    for job in jobs:
        order.returned(job)


class _Worker(Generic[TaskT]):
    """A process, the pipe to it and what it has to do."""

    def __init__(self, work: Callable[[TaskT], Any]) -> None:
        self.line, theirs = _SPAWN.Pipe()
        self.jobs: deque[Job[TaskT]] = deque()
        self.is_ready = False
        self._process = _SPAWN.Process(target=_serve, args=(theirs, work), name="visionset worker", daemon=True)
        with calm():
            self._process.start()
        theirs.close()

    def give(self, job: Job[TaskT]) -> None:
        self.jobs.append(job)
        with suppress(OSError):  # it died: its end of the pipe says so in a moment
            self.line.send(job.task)

    def end(self) -> None:
        """End it, whatever it does."""
        self.line.close()
        self._process.kill()
        self._process.join()
        self._process.close()


def _serve(line: Connection, work: Callable[[Any], Any]) -> None:
    """Be a worker: until nobody asks any more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # who asks hears Ctrl-C, and ends its workers
    threading.Thread(target=_end_with_parent, name="visionset parent", daemon=True).start()
    with suppress(EOFError, OSError):
        line.send(None)
        while True:
            task = line.recv()
            line.send_bytes(outcome(work, task))


def outcome(work: Callable[[Any], Any], task: Any) -> bytes:
    """Pickled: whether there is an answer, and it, or else what the work raised."""
    try:
        return pickle.dumps((True, work(task)))
    except BaseException as error:  # SystemExit of a library too
        error.add_note(traceback.format_exc())
        try:
            data = pickle.dumps((False, error))
            pickle.loads(data)
        except Exception:  # an error that cannot be sent
            data = pickle.dumps((False, RuntimeError(f"{type(error).__name__}: {error}")))
        return data


def _end_with_parent() -> None:
    """Leave at once when the process that asks is gone, however it went."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)


@contextmanager
def calm() -> Iterator[None]:
    """Within this processes and threads are started that do not hear Ctrl-C, not even while they start; libraries take one thread each."""
    before = {name: os.environ.get(name) for name in (*_ONE_THREAD, "PYTHONWARNINGS")}
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT}) if hasattr(signal, "pthread_sigmask") else None
    try:
        os.environ.update(dict.fromkeys(_ONE_THREAD, "1"))
        if mask is not None:
            # after Ctrl-C it would complain of locks that Dask left; starting it lets signals through again, so it comes first
            os.environ["PYTHONWARNINGS"] = "ignore:resource_tracker:UserWarning"
            resource_tracker.ensure_running()
            signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value
        if mask is not None:
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)
