"""A printed board: squares for dice, some with a number."""

from __future__ import annotations

import numpy as np

from visionset.render.faces import RESOLUTION_PX_MM, Face, cover, linear
from visionset.render.pixels import color, write

_PX_MM = RESOLUTION_PX_MM
_LETTER_SHARE = 0.42
"""Height of a number in sides of its square."""

_CAP_PX = 21.0
"""Height of OpenCV's plain capitals at scale 1."""


def printed_board(rng: np.random.Generator, rows: int, columns: int, pitch_mm: float) -> Face:
    """Squares of `pitch_mm` with a rim around, pale or dark; about a third of the squares carries a number.

    The outermost squares are half a pitch and the rim from the edge; the board's centre is the middle of the squares.
    """
    rim = float(rng.uniform(0.3, 1.0) * pitch_mm)
    size_mm = (columns * pitch_mm + 2 * rim, rows * pitch_mm + 2 * rim)
    picture = np.empty((round(size_mm[1] * _PX_MM), round(size_mm[0] * _PX_MM), 3), np.float32)
    dark = rng.random() < 0.25
    paper = color(rng, 0.05, 0.12, 0.4) if dark else linear(np.array([rng.uniform(215, 245), rng.uniform(222, 246), rng.uniform(200, 240)]))
    line = paper * np.float32(2.2 if dark else 0.55)
    picture[:] = paper
    tint = np.clip(paper * np.float32(1.8 if dark else 0.72) * np.exp(rng.normal(0, 0.12, 3)).astype(np.float32), 0, 0.95)
    ink = tuple(map(float, linear(np.array([230, 230, 225])) if dark else color(rng, 0.02, 0.06, 0.9)))
    numbered = rng.random((rows, columns)) < rng.uniform(0.15, 0.4)
    font = int(rng.integers(0, 5))
    for row in range(rows):
        for column in range(columns):
            left, top = ((rim + at * pitch_mm) * _PX_MM for at in (column, row))
            box = np.s_[round(top) : round(top + pitch_mm * _PX_MM), round(left) : round(left + pitch_mm * _PX_MM)]
            if numbered[row, column]:
                picture[box] = tint
                scale = _LETTER_SHARE * pitch_mm * _PX_MM / _CAP_PX
                corner = (round(left + 0.33 * pitch_mm * _PX_MM), round(top + 0.7 * pitch_mm * _PX_MM))
                write(picture, str(int(rng.integers(1, 10))), corner, font, scale, ink, max(2, round(2.2 * scale)))
    thick = max(1, round(0.45 * _PX_MM))
    for count, other, axis in ((rows, columns, 0), (columns, rows, 1)):
        for at in range(count + 1):
            across = round((rim + at * pitch_mm) * _PX_MM)
            along = slice(round(rim * _PX_MM), round((rim + other * pitch_mm) * _PX_MM))
            band = slice(across - thick // 2, across - thick // 2 + thick)
            picture[(band, along) if axis == 0 else (along, band)] = line
    return Face(picture, cover(size_mm, float(rng.uniform(0, 4))), size_mm)
