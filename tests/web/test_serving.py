"""The clock of the server, and who looks at it."""

from __future__ import annotations

from pathlib import Path
from threading import Event as Signal

import pytest

from tests.web.room import PATIENCE_S
from visionset.web.host import Host
from visionset.web.serving import AwakeClock, Waker


def test_no_time_passes_while_the_program_stands_still() -> None:
    """A laptop that sleeps: who had three seconds left for three cards has them still."""
    clock = AwakeClock(iter((100.0, 101.0, 103.5, 703.5, 704.5, 7000.0, 7001.0)).__next__)
    assert [clock() for _ in range(6)] == [101.0, 103.5, 103.5, 104.5, 104.5, 105.5]


def test_the_clock_is_looked_at_while_nothing_is_due(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("visionset.web.serving._LOOK_S", 0.001)
    looks, often = 0, Signal()

    def clock() -> float:
        nonlocal looks
        looks += 1
        if looks > 3:
            often.set()
        return 100.0

    host = Host(tmp_path, lambda: 100.0, lambda: 0.0)
    waker = Waker(host, clock)
    waker.start()
    try:
        assert host.due_s is None
        assert often.wait(PATIENCE_S)
    finally:
        waker.end()
        host.close()
