from __future__ import annotations

from pathlib import Path

import numpy as np

from tests.builders import Clock, clip
from visionset.messages import in_words
from visionset.sources import Clip, Paced


def test_frames_come_when_they_are_due_and_late_ones_are_dropped(tmp_path: Path) -> None:
    """Ten frames a second; whoever looks is busy for a third of a second after the third."""
    path = clip(tmp_path / "a.mp4", [np.full((48, 64, 3), 20 * number, np.uint8) for number in range(8)])
    clock = Clock()

    def sleep(seconds: float) -> None:
        clock.now_s += seconds

    source = Paced(Clip(path), clock, sleep)
    seen = []
    while not source.ended:
        frame = source.poll(0.04)
        if frame is not None:
            seen.append((frame.index, round(clock.now_s - 100, 6)))
            clock.now_s += 0.33 if frame.index == 2 else 0.01
            assert not source.trouble or frame.index == 7
    assert seen == [(0, 0.0), (1, 0.1), (2, 0.2), (5, 0.53), (6, 0.6), (7, 0.7)]
    assert source.poll(0.1) is None
    assert in_words(source.trouble).startswith("a.mp4 is over")
    source.close()
