"""A Dask cluster of this machine; slow, since its workers take seconds to start."""

from __future__ import annotations

import os
import signal
from contextlib import suppress
from pathlib import Path

import pytest

from tests.jobs.work import died_over, doubled, refused, whose_slow
from visionset.errors import WorkerError
from visionset.jobs import engine
from visionset.jobs.order import MOST_TRIES, Lost

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("default")]


@pytest.fixture(autouse=True, scope="module")
def _needs_dask() -> None:
    """Loaded here, not where the tests are collected, which is done three times and mostly for others."""
    pytest.importorskip("distributed")


def test_a_cluster_answers_in_order_whatever_becomes_of_its_workers(tmp_path: Path) -> None:
    assert list(engine(2, "local").map(doubled, range(200))) == [2 * number for number in range(200)]
    tasks = [(number, str(tmp_path), {4: 1}.get(number, 0)) for number in range(20)]
    assert list(engine(2, "local").map(died_over, tasks)) == list(range(20))
    with pytest.raises(ValueError, match="no 3"):
        list(engine(1, "local").map(refused, range(9)))


def test_a_task_that_kills_worker_after_worker_costs_itself(tmp_path: Path) -> None:
    tasks = [(number, str(tmp_path), 99 if number in (17, 60) else 0) for number in range(80)]
    answers = list(engine(2, "local").map(died_over, tasks))
    expected = [Lost(task, MOST_TRIES) if task[2] else task[0] for task in tasks]
    assert answers == expected


def test_every_task_is_answered_once_while_workers_are_killed() -> None:
    answers, got, last = engine(2, "local").map(whose_slow, range(300)), [], 0
    for answer in answers:
        assert not isinstance(answer, Lost)
        number, process = answer
        got.append(number)
        if number >= last + 60:
            last = number
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
    assert got == list(range(300))


@pytest.mark.parametrize("lost_after", ["1000d", "0.1s"])
def test_work_goes_on_though_all_workers_are_killed_again_and_again(monkeypatch: pytest.MonkeyPatch, lost_after: str) -> None:
    """Where Dask gives up places for workers that take longer to start than it waits, they are filled again."""
    import dask

    monkeypatch.setattr("visionset.jobs.cluster._LOST_AFTER", lost_after)
    monkeypatch.setattr("visionset.jobs.cluster._LOOK_EVERY_S", 0.5)
    got, last, processes = [], 0, set()
    with dask.config.set({"distributed.deploy.lost-worker-timeout": "0.1s"}):  # ours counts
        for answer in engine(2, "local").map(whose_slow, range(600)):
            assert not isinstance(answer, Lost)
            number, process = answer
            got.append(number)
            processes.add(process)
            if number >= last + 200:
                last = number
                for one in processes:
                    with suppress(ProcessLookupError):
                        os.kill(one, signal.SIGKILL)
                processes.clear()
    assert got == list(range(600))


def test_a_cluster_that_is_not_there_is_told_of(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("visionset.jobs.cluster._PATIENCE_S", 1.0)
    with pytest.raises(WorkerError, match=r"--cluster tcp://127.0.0.1:9: expected a Dask scheduler with workers"):
        list(engine(cluster="tcp://127.0.0.1:9").map(doubled, range(3)))
