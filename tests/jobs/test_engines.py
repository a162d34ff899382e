"""Each engine gives the same answers in the same order, whatever becomes of its workers."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.jobs.work import died_over, doubled, held_up, odd_error, refused, whose
from visionset.errors import WorkerError
from visionset.jobs import Engine, Here, Lost, engine
from visionset.jobs.order import MOST_TRIES
from visionset.jobs.processes import Processes

ENGINES = (engine(), engine(1), engine(2))


@pytest.mark.parametrize("one", ENGINES, ids=["here", "one", "two"])
def test_answers_come_in_the_order_of_the_tasks_and_tasks_are_not_all_taken_first(one: Engine) -> None:
    taken = []

    def tasks() -> Iterator[int]:
        for number in range(200):
            taken.append(number)
            yield number

    answers = one.map(doubled, tasks())
    assert [next(answers) for _ in range(3)] == [0, 2, 4]
    assert len(taken) < 50
    assert list(answers) == [2 * number for number in range(3, 200)]
    assert list(one.map(doubled, [])) == []


def test_what_the_work_raises_comes_in_its_turn_and_nothing_is_left_behind() -> None:
    got = []
    with pytest.raises(ValueError, match="no 3"):
        got.extend(Processes(2).map(refused, range(9)))
    with pytest.raises(RuntimeError, match="Unsendable: 0 and 0"):
        list(Processes(2).map(odd_error, range(2)))
    assert not multiprocessing.active_children()


def test_a_worker_that_is_killed_costs_nothing_and_a_task_that_kills_costs_itself(tmp_path: Path) -> None:
    tasks = [(number, str(tmp_path), {1: 1, 3: 99}.get(number, 0)) for number in range(6)]
    answers = list(Processes(2).map(died_over, tasks))
    assert [answer for answer in answers if not isinstance(answer, Lost)] == [0, 1, 2, 4, 5]
    assert answers[3] == Lost(tasks[3], MOST_TRIES)
    assert not multiprocessing.active_children()


def test_a_worker_that_somebody_kills_from_outside_is_replaced() -> None:
    answers = Processes(2).map(whose, range(60))
    first = next(answers)
    assert not isinstance(first, Lost)
    os.kill(first[1], signal.SIGTERM)
    rest = [answer for answer in answers if not isinstance(answer, Lost)]
    assert [number for number, _ in rest] == list(range(1, 60))
    assert os.getpid() not in {process for _, process in rest}


def test_workers_that_never_start_are_told_of(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("visionset.jobs.processes._serve", os.abort)
    monkeypatch.setattr("visionset.jobs.processes._MOST_FALSE_STARTS", 2)
    with pytest.raises(WorkerError, match=r"expected worker processes to start, got 2 that ended before; ask for fewer --jobs"):
        list(Processes(1).map(doubled, range(2)))


def test_the_engine_that_is_asked_for() -> None:
    assert isinstance(engine(), Here)
    assert isinstance(engine(1), Here)
    assert isinstance(engine(3), Processes)


def test_work_ends_where_the_last_answer_is_given_back_before_anybody_asks_for_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("visionset.jobs.processes._WINDOW", 1)
    assert list(Processes(1).map(doubled, range(3))) == [0, 2, 4]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names")
def test_an_answer_for_which_a_whole_window_waits_stops_nobody(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    tasks = [(number, str(tmp_path / "pipe")) for number in range(100)]
    assert list(Processes(2).map(held_up, tasks)) == list(range(100))
