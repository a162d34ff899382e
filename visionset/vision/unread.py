"""Why a piece has no name: what a person at the table can change about it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from visionset.geometry import Quad
from visionset.kinds import DICE
from visionset.table import Sighting, Unread
from visionset.vision.patches import DIE_PATCH, SET_CARD_PATCH, Halvings, cut

_ENLARGED = 3
"""A piece whose patch is so many times as high as the piece in the picture is small: bringing the camera closer helps. Of playing cards
below 32 px one in twelve and more had no name on rendered tables that were made smaller."""

_EDGE_PX = 2.0
"""A corner that is nearer to the edge of the picture may lie beyond it."""

_BURNT = 250
"""Level of 255 from which a camera tells no difference."""

_BURNT_SHARE = 0.3
"""Share of a piece that is burnt out, from which symbols may be hidden: more than twice what one covers."""


def why_unread(picture: NDArray[np.uint8] | Halvings, one: Sighting, *, fills_it: bool = False) -> Unread | None:
    """Tell what keeps a piece from having a name, looking for the surest cause first; None where it has one.

    Parameters
    ----------
    picture : ndarray of uint8, shape (height, width, 3), or Halvings
        In which it was seen. Not modified.
    one : Sighting
        What was seen.
    fills_it : bool
        The picture shows nothing else, so that its edge is that of the piece.
    """
    if not one.is_unread:
        return None
    pictures = Halvings.of(picture)
    height, width = pictures[0].shape[:2]
    if not fills_it and _is_cut_off(one.outline_px, width, height):
        return Unread.CUT_OFF
    if _ENLARGED * one.long_side_px < (DIE_PATCH if one.kind in DICE else SET_CARD_PATCH).height_px:
        return Unread.TOO_SMALL
    patch = cut(pictures, one.outline_px, SET_CARD_PATCH)
    return Unread.GLARE if (patch.min(axis=2) >= _BURNT).mean() > _BURNT_SHARE else Unread.DOUBTFUL


def _is_cut_off(outline_px: Quad, width: int, height: int) -> bool:
    room_px = np.array([width, height]) - 1 - _EDGE_PX
    return bool(((outline_px < _EDGE_PX) | (outline_px > room_px)).any())
