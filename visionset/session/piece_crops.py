"""Pictures of single pieces, cut out of the frames in which they settled."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from visionset.geometry import Frame
from visionset.pieces import Piece
from visionset.table import Settled, Sighting

_LONG_PX = 180
"""Long side of a kept picture: three times that of a card which is read well, so that nothing is lost; 81 of them are 6 MB."""


_MOST = 200
"""Pictures that are kept, the latest."""


class PieceCrops:
    """Keeps a picture of each piece, by its track."""

    def __init__(self) -> None:
        self._pictures: dict[int, NDArray[np.uint8]] = {}
        self._pieces: dict[int, Piece | None] = {}

    def look(self, frame: Frame, settled: Settled) -> None:
        """Cut out what has changed on a settled table."""
        if settled.held or not settled.changes:
            return
        changed = {after.track for one in settled.changes if (after := getattr(one, "after", None)) is not None}
        for one in settled.table.sightings:
            if one.track is None:
                continue
            if one.track in changed or one.track not in self._pictures:
                self._pictures.pop(one.track, None)  # the latest last
                self._pictures[one.track] = cut_out(frame.image_bgr, one)
            self._pieces[one.track] = one.piece
        for track in list(self._pictures)[:-_MOST]:
            del self._pictures[track], self._pieces[track]

    def of(self, track: int | None) -> NDArray[np.uint8] | None:
        """The picture of a piece by its track; None where there is none."""
        return None if track is None else self._pictures.get(track)

    def of_piece(self, piece: Piece) -> NDArray[np.uint8] | None:
        """The latest picture of something that was read as this piece; None where there is none."""
        return next((self._pictures[track] for track in reversed(self._pictures) if self._pieces[track] == piece), None)


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
