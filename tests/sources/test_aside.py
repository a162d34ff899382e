from __future__ import annotations

from threading import Event

import numpy as np
import pytest

from visionset.frame import Frame
from visionset.sources import Aside

LONG_S = 60.0


def frame(index: int) -> Frame:
    return Frame(np.zeros((4, 4, 3), np.uint8), index)


def test_one_piece_of_work_at_a_time() -> None:
    go = Event()

    def work(given: Frame) -> int:
        assert go.wait(LONG_S)
        return given.index

    with Aside(work) as aside:
        assert aside.begin(frame(3))
        assert not aside.begin(frame(4))
        assert aside.take() is None
        go.set()
        taken = aside.take(LONG_S)
        assert taken is not None
        assert (taken[0].index, taken[1]) == (3, 3)
        assert aside.take() is None
        assert aside.begin(frame(5))
        assert aside.take(LONG_S) is not None


def test_an_outcome_waits_to_be_taken() -> None:
    started = Event()

    def work(given: Frame) -> int:
        started.set()
        return given.index

    with Aside(work) as aside:
        aside.begin(frame(1))
        assert started.wait(LONG_S)
        assert not aside.begin(frame(2))
        taken = aside.take(LONG_S)
        assert taken is not None
        assert taken[1] == 1


def test_what_the_work_raises_is_raised_where_it_is_taken() -> None:
    def work(given: Frame) -> int:
        raise ValueError("torn")

    with Aside(work) as aside:
        aside.begin(frame(1))
        with pytest.raises(ValueError, match="torn"):
            aside.take(LONG_S)
        assert aside.begin(frame(2))
