"""Why a piece has no name: what a person at the table can change about it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from visionset.geometry import Quad
from visionset.kinds import BY_INK, DICE
from visionset.table import Sighting, Unread
from visionset.vision.patches import DIE_PATCH, SET_CARD_PATCH, Halvings, cut
from visionset.vision.quads import areas, shared

_ENLARGED = 3
"""A piece whose patch is so many times as high as the piece in the picture is small: bringing the camera closer helps. Of playing cards
below 32 px one in twelve and more had no name on rendered tables that were made smaller."""

_EDGE_PX = 2.0
"""A corner that is nearer to the edge of the picture may lie beyond it."""

_SEEN = 0.75
"""Share of a SET card or a die that lies in the picture, below which it has no name: of those that were cut anywhere on rendered tables
every fifth is read wrongly, which is one card or die for three that would be right, and of what is cut less, one in thirty."""

_CUT_OFF = 0.5
"""Confidence of what is cut off so: no reader has learned how much it does not see."""

_BURNT = 250
"""Level of 255 from which a camera tells no difference."""

_BURNT_SHARE = 0.3
"""Share of a piece that is burnt out, from which symbols may be hidden: more than twice what one covers."""


def without_name_below(confidence: float, one: Sighting) -> Sighting:
    """The same, without a name where that is read with less confidence."""
    return replace(one, piece=None) if one.piece is not None and one.confidence < confidence else one


def without_name_where_cut_off(one: Sighting, size_px: tuple[int, int]) -> Sighting:
    """The same, without a name where much of a SET card or a die lies beyond the picture, of that width and height.

    A third symbol or another face may be there. A playing card shows what it is in either corner.
    """
    if one.kind not in BY_INK | DICE or _share_seen(one.outline_px, *size_px) >= _SEEN:
        return one
    confidence, guess = min(one.confidence, _CUT_OFF), one.guess
    if guess is not None:
        most = min(guess.confidence, _CUT_OFF)
        guess = replace(guess, confidence=most, runner_up_confidence=min(guess.runner_up_confidence, most))
    return replace(one, piece=None, confidence=confidence, guess=guess, reason=Unread.CUT_OFF)


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


def _share_seen(outline_px: Quad, width: int, height: int) -> float:
    """Share of an outline that lies in the picture."""
    if ((outline_px >= -0.5) & (outline_px <= np.array([width, height]) - 0.5)).all():
        return 1.0
    picture = np.array([[0.0, 0.0], [width, 0.0], [width, height], [0.0, height]]) - 0.5
    return shared(outline_px, picture) * min(1.0, width * height / max(float(areas(outline_px[None])[0]), 1.0))


def _is_cut_off(outline_px: Quad, width: int, height: int) -> bool:
    room_px = np.array([width, height]) - 1 - _EDGE_PX
    return bool(((outline_px < _EDGE_PX) | (outline_px > room_px)).any())
