"""What is to be done, what is under way, and what has its turn: the same for every engine, and the place where order is kept."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Generic, TypeVar

TaskT = TypeVar("TaskT")
AnswerT = TypeVar("AnswerT")

MOST_TRIES = 3
"""Workers that may die over one task. Somebody who kills workers at random hits one task three times hardly ever; a task that kills is
given up soon enough. Dask allows as many."""


@dataclass(frozen=True, slots=True)
class Lost(Generic[TaskT]):
    """Stands in the place of an answer: workers died over this task, again and again."""

    task: TaskT
    deaths: int


@dataclass(slots=True)
class Job(Generic[TaskT]):
    """A task with its place in the order, and how many workers died over it."""

    number: int
    task: TaskT
    deaths: int = 0


@dataclass(frozen=True, slots=True)
class _Raised:
    """Stands in the place of an answer: the work raised this."""

    error: BaseException


class Order(Generic[TaskT, AnswerT]):
    """Hands out tasks, takes answers as they come and gives them back in the order of the tasks.

    Parameters
    ----------
    tasks : iterable
        Taken one by one, when they are needed.
    window : int
        Most tasks that are handed out, or answered, before the answer whose turn it is has come: 1 or more.
    """

    def __init__(self, tasks: Iterable[TaskT], window: int) -> None:
        self._tasks, self.window = iter(tasks), window
        self._again: deque[Job[TaskT]] = deque()
        self._answers: dict[int, AnswerT | Lost[TaskT] | _Raised] = {}
        self._taken = self._given = 0
        self._is_exhausted = False

    @property
    def is_done(self) -> bool:
        """Every task was answered, and every answer given back."""
        return self._is_exhausted and self._given == self._taken

    def next_job(self) -> Job[TaskT] | None:
        """What is to be worked on next, first of all what is tried again; None: nothing now."""
        if self._again:
            return self._again.popleft()
        if self._is_exhausted or self._taken - self._given >= self.window:
            return None
        try:
            task = next(self._tasks)
        except StopIteration:
            self._is_exhausted = True
            return None
        self._taken += 1
        return Job(self._taken - 1, task)

    def answered(self, job: Job[TaskT], answer: AnswerT | Lost[TaskT]) -> None:
        """An answer came."""
        self._answers[job.number] = answer

    def raised(self, job: Job[TaskT], error: BaseException) -> None:
        """The work raised this: so does `in_turn` when it comes to it."""
        self._answers[job.number] = _Raised(error)

    def returned(self, job: Job[TaskT]) -> None:
        """Nobody began to work on it, and nobody will: it is handed out again."""
        self._again.append(job)

    def died(self, job: Job[TaskT]) -> None:
        """A worker died while it worked on this: it is handed out again, or given up."""
        job.deaths += 1
        if job.deaths < MOST_TRIES:
            self._again.append(job)
        else:
            self.answered(job, Lost(job.task, job.deaths))

    def in_turn(self) -> Iterator[AnswerT | Lost[TaskT]]:
        """The answers whose turn has come."""
        while self._given in self._answers:
            answer = self._answers.pop(self._given)
            if isinstance(answer, _Raised):
                raise answer.error
            self._given += 1
            yield answer
