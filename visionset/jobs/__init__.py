"""One piece of work on many things: in this process, in several of this machine, or on a Dask cluster; same answers, same order.

Nothing here knows what the work is: a function that can be pickled, and tasks that can.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Protocol

from visionset.jobs.here import Here
from visionset.jobs.order import AnswerT, Lost, TaskT

__all__ = ["Engine", "Here", "Lost", "engine"]


class Engine(Protocol):
    """What works."""

    def map(self, work: Callable[[TaskT], AnswerT], tasks: Iterable[TaskT]) -> Iterator[AnswerT | Lost[TaskT]]:
        """Answers in the order of the tasks, as they come.

        Tasks are taken when they are needed, and a bounded number ahead of the answer whose turn it is. A worker that dies costs
        nothing: its task is tried again; one over which workers die again and again gives `Lost`. What `work` raises is raised here.
        Who closes the iterator ends the workers.

        Parameters
        ----------
        work : callable
            A function of a module, or a value that can be pickled and called.
        tasks : iterable
            What can be pickled.

        Raises
        ------
        WorkerError
            There are no workers, or they do not start.
        """
        ...


def engine(jobs: int | None = None, cluster: str = "") -> Engine:
    """The engine for so many processes of this machine, or for the Dask cluster at an address (``local``: one that is started here)."""
    if cluster:
        from visionset.jobs.cluster import Cluster

        return Cluster(cluster, jobs)
    if jobs is None or jobs == 1:
        return Here()
    from visionset.jobs.processes import Processes

    return Processes(jobs)
