"""Who looks after a cluster, with a cluster that is a table of what it would say."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from visionset.jobs.cluster import Watch


class _There:
    """A client and its cluster."""

    def __init__(self, **nannies: str) -> None:
        self.threads: dict[str, int] = {}
        self.now_s = 0.0
        self.workers = {place: SimpleNamespace(status=SimpleNamespace(name=status)) for place, status in nannies.items()}
        self.worker_spec = dict.fromkeys("ab")
        self.asked: list[int] = []

    def nthreads(self) -> dict[str, int]:
        return self.threads

    def scale(self, count: int) -> None:
        self.asked.append(count)


def test_a_cluster_without_workers_is_told_of_once_each_time(caplog: pytest.LogCaptureFixture) -> None:
    there = _There()
    watch = Watch(there, "tcp://there:1", clock=lambda: there.now_s)
    for threads, seconds in [({}, 1000), ({"one": 1}, 10), ({}, 1000)]:
        there.threads = threads
        for _ in range(seconds):
            there.now_s += 1.0
            watch.look()
    line = "--cluster tcp://there:1: expected workers, got none since 60 s; start some there, or stop and ask again"
    assert [record.getMessage() for record in caplog.records] == [line, line]


def test_places_that_dask_gave_up_are_filled_again() -> None:
    for nannies, asked in [({"a": "running", "b": "running"}, []), ({"a": "running"}, [2]), ({"a": "closed", "b": "running"}, [2])]:
        there = _There(**nannies)
        watch = Watch(there, "local", there, clock=lambda there=there: there.now_s)
        watch.look()
        assert there.asked == []
        there.now_s = 6.0
        watch.look()
        assert there.asked == asked
