"""No false events on a quiet table: a sample picture under changing light, with moving shadows and a shaking camera."""

from __future__ import annotations

from collections.abc import Iterator

import cv2
import numpy as np
import pytest

from visionset.geometry import Frame
from visionset.sample_files import samples_folder
from visionset.sources.picture import read_picture
from visionset.tracking import TableTracker
from visionset.vision.pipeline import read

SIZE_PX = (960, 540)
FPS = 15.0
"""Frames a second of the proof: a webcam's by lamplight."""

SHAKE_PX, NOISE = 1.5, 3.0
LAMP_S, SHADOW_S = 47.0, 31.0
"""How often a lamp is switched, and how long a shadow takes to cross the table and come back."""


def quiet_table(seconds: float) -> Iterator[Frame]:
    still = cv2.resize(read_picture(samples_folder() / "table-12.jpg"), SIZE_PX, interpolation=cv2.INTER_AREA)
    rng = np.random.default_rng(11)
    noise = np.repeat(rng.normal(0, NOISE, (SIZE_PX[1] + 40, SIZE_PX[0] + 40, 1)).astype(np.float32), 3, axis=2)
    across = np.linspace(-1, 1, SIZE_PX[0], dtype=np.float32)[None, :, None]
    for index in range(round(seconds * FPS)):
        time_s = index / FPS
        x, y = rng.uniform(-SHAKE_PX, SHAKE_PX, 2)
        shaken = cv2.warpAffine(still, np.array([[1.0, 0.0, x], [0.0, 1.0, y]]), SIZE_PX, borderMode=cv2.BORDER_REPLICATE)
        gain = 0.85 + 0.15 * np.cos(2 * np.pi * time_s / 170) + 0.01 * (index % 2)
        lamp = 1 + (0.25 + 0.2 * across) * (int(time_s / LAMP_S) % 2)
        middle = 1.8 * np.cos(2 * np.pi * time_s / SHADOW_S)
        shadow = 1 - 0.35 / (1 + np.exp(-(across - middle) * 14))
        left, top = rng.integers(0, 40, 2)
        light = np.ascontiguousarray(np.broadcast_to(gain * lamp * shadow, shaken.shape), np.float32)
        lit = cv2.multiply(shaken, light, dtype=cv2.CV_32F)
        grain = noise[top : top + SIZE_PX[1], left : left + SIZE_PX[0]]
        yield Frame(np.asarray(cv2.add(lit, grain, dtype=cv2.CV_8U), np.uint8), index, time_s)


@pytest.mark.parametrize("seconds", [8.0, pytest.param(600.0, marks=pytest.mark.slow)])
def test_no_false_event(seconds: float) -> None:
    tracker = TableTracker(lambda frame: read(frame.image_bgr))
    shown: set[int] = set()
    names: set[tuple[object, ...]] = set()
    for frame in quiet_table(seconds):
        told = tracker.see(frame)
        if told.changes:
            assert not shown, f"{frame.time_s:.1f} s: {[type(change).__name__ for change in told.changes]}"
            shown = {one.track for one in told.table.sightings if one.track is not None}
        if shown:
            names.add(told.table.pieces)
    assert len(shown) == 12
    assert len(names) == 1
