"""In this process, one task after the other."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from visionset.jobs.order import AnswerT, Lost, TaskT


class Here:
    """No worker: what one person needs who has a few pictures."""

    def map(self, work: Callable[[TaskT], AnswerT], tasks: Iterable[TaskT]) -> Iterator[AnswerT | Lost[TaskT]]:
        """Answers in the order of the tasks; see `Engine.map`."""
        return map(work, tasks)
