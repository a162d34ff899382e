"""Exhibits: each piece as the camera saw it last, to be shown while people doubt or dispute its reading."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from visionset.frame import Frame
from visionset.overlay.drawing import DARK, WHITE, Box, Drawing, Tag
from visionset.referee.terms import Exhibit
from visionset.table import Settled, Sighting

_LONG_PX = 180
"""Long side of a kept picture: three times that of a card which is read well, so that nothing is lost; 81 of them are 6 MB."""

_MOST = 200
"""Pictures that are kept, the latest."""

_HEIGHT = 0.24
"""Height of a shown piece in shares of the picture's: its attributes are seen from two metres."""

_GAP = 0.1
"""Space between two of them in shares of their height."""


class Exhibits:
    """Keeps a picture of each piece, by its track."""

    def __init__(self) -> None:
        self._pictures: dict[int, NDArray[np.uint8]] = {}

    def look(self, frame: Frame, settled: Settled) -> None:
        """Cut out what has changed on a settled table."""
        if settled.held or not settled.changes:
            return
        changed = {after.track for one in settled.changes if (after := getattr(one, "after", None)) is not None}
        for one in settled.table.sightings:
            if one.track is not None and (one.track in changed or one.track not in self._pictures):
                self._pictures.pop(one.track, None)  # the latest last
                self._pictures[one.track] = cut_out(frame.image_bgr, one)
        for track in list(self._pictures)[:-_MOST]:
            del self._pictures[track]

    def over(self, exhibits: Sequence[Exhibit], picture_bgr: NDArray[np.uint8]) -> Drawing:
        """Lay the pieces in a row over the top left of a picture, which is changed; their numbers are to be drawn over it."""
        height, width = picture_bgr.shape[:2]
        high = round(_HEIGHT * height)
        left = top = round(_GAP * high)
        tags = []
        for number, one in enumerate(exhibits, 1):
            kept = None if one.track is None else self._pictures.get(one.track)
            if kept is None:
                continue
            wide = round(high * kept.shape[1] / kept.shape[0])
            if left + wide > width or top + high > height:
                break
            picture_bgr[top : top + high, left : left + wide] = cv2.resize(kept, (wide, high), interpolation=cv2.INTER_LINEAR)
            size = 0.16 * high
            if len(exhibits) > 1:  # numbered as the answers are
                tags.append(Tag(Box(left, top, 1.6 * size, 1.6 * size), (str(number),), size, WHITE, DARK, 1.0, bold=True))
            left += wide + round(_GAP * high)
        return Drawing((width, height), tuple(tags))


def cut_out(image_bgr: NDArray[np.uint8], one: Sighting) -> NDArray[np.uint8]:
    """Straighten a piece as it lies in the picture, its longer sides upright, uint8 of shape (height, width, 3)."""
    quad = one.outline_px.astype(np.float32)
    sides = np.linalg.norm(quad - np.roll(quad, -1, axis=0), axis=1)
    across, down = sides[0] + sides[2], sides[1] + sides[3]
    if across > down:  # corners are clockwise: begin with the one that makes a short side the upper one
        quad, (across, down) = np.roll(quad, -1, axis=0), (down, across)
    high, wide = _LONG_PX, max(8, round(_LONG_PX * float(across) / max(1.0, float(down))))
    corners = np.array([[0, 0], [wide, 0], [wide, high], [0, high]], np.float32)
    flat = cv2.warpPerspective(image_bgr, cv2.getPerspectiveTransform(quad, corners), (wide, high), flags=cv2.INTER_LINEAR)
    return np.asarray(flat, np.uint8)
