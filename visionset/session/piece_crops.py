"""Pictures of single pieces, cut out of the frames in which they settled."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from visionset.geometry import Frame, short_side_px
from visionset.pieces import Piece
from visionset.recording.recording import piece_picture
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
    """Straighten a piece as it lies in the picture, `_LONG_PX` high."""
    wide = max(8, round(_LONG_PX * short_side_px(one.outline_px) / max(1.0, one.long_side_px)))
    return piece_picture(image_bgr, one.outline_px, (wide, _LONG_PX))
