"""Small recordings of known content."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from tests.builders import deal, picture
from visionset.geometry import Frame
from visionset.recording import Heading, Recorder
from visionset.table import Table

SIZE_PX = (320, 240)
FPS = 10.0


def table_of(names: Sequence[str]) -> Table:
    return deal(names, SIZE_PX, 60, 20)


def frame_of(table: Table, index: int) -> Frame:
    image = picture(table)
    image[:4, :40] = 0
    image[:4, : index % 40] = 255  # each picture says which it is
    return Frame(np.ascontiguousarray(image), index, index / FPS)


def record(folder: Path, tables: Sequence[Sequence[str] | None], heading: Heading | None = None) -> Path:
    """One frame a table; None is a frame in which hands move."""
    shown = table_of(())
    with Recorder(folder, heading or Heading("camera 0", FPS)) as recorder:
        for index, names in enumerate(tables):
            settled = None if names is None else table_of(names)
            shown = settled or shown
            recorder.write(frame_of(shown, index), settled)
    return folder
