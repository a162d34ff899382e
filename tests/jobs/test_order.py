"""The law of order, by brute force: whatever workers do and when, each task has one answer, in its turn."""

from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st

from visionset.jobs.order import MOST_TRIES, Job, Lost, Order


@given(
    count=st.integers(0, 30),
    window=st.integers(1, 9),
    workers=st.integers(1, 5),
    happenings=st.lists(st.tuples(st.integers(0, 99), st.sampled_from(["answer", "answer", "answer", "die", "return"])), max_size=200),
)
@example(count=3, window=2, workers=1, happenings=[(0, "die")] * MOST_TRIES)  # by chance hardly ever one task alone is hit so often
def test_each_task_is_answered_once_and_in_its_turn(count: int, window: int, workers: int, happenings: list[tuple[int, str]]) -> None:
    taken: list[int] = []

    def tasks() -> object:
        for number in range(count):
            taken.append(number)
            yield number

    order: Order[int, int] = Order(tasks(), window)  # type: ignore[arg-type]
    busy: list[Job[int]] = []
    given_back: list[int] = []
    deaths: dict[int, int] = {}
    script = iter(happenings)
    while not order.is_done:
        while len(busy) < workers and (job := order.next_job()) is not None:
            assert job not in busy
            busy.append(job)
        assert len(taken) - len(given_back) <= window
        for answer in order.in_turn():
            if isinstance(answer, Lost):
                assert answer.deaths == deaths[answer.task] == MOST_TRIES
                given_back.append(answer.task)
            else:
                assert deaths.get(answer // 2, 0) < MOST_TRIES
                given_back.append(answer // 2)
        if busy:
            at, what = next(script, (0, "answer"))
            job = busy.pop(at % len(busy))
            if what == "answer":
                order.answered(job, 2 * job.task)
            elif what == "die":
                deaths[job.task] = deaths.get(job.task, 0) + 1
                order.died(job)
            else:
                order.returned(job)
    assert given_back == taken == list(range(count))
