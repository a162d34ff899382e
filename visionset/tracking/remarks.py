"""Remarks: what a person could mend about the view, in plain words, while it matters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from visionset.geometry import Quad
from visionset.kinds import BY_INK, KIND_SPECS
from visionset.messages import Message
from visionset.table import Sighting, Table
from visionset.tracking.options import RemarkOptions
from visionset.tracking.tracks import short_side_px
from visionset.vision.colour import has_colour
from visionset.words import whereabouts

TOO_DARK = Message("remark.too_dark")
HAND = Message("remark.hand")
NOTHING = Message("remark.nothing")
MOVED = Message("remark.moved")
LOST = Message("remark.lost")
NO_COLOUR = Message("remark.no_colour")
BLURRED = Message("remark.blurred")


class Remarks:
    """Remembers what is wrong and since when."""

    def __init__(self, options: RemarkOptions) -> None:
        self._options = options
        self._is_dark = False
        self._moving_since_s: float | None = None
        self._empty_since_s: float | None = None
        self._hidden_since_s: float | None = None
        self._lost_since_s: float | None = None
        self._moved_s = -np.inf
        self._blurred = self._gray = False
        self._hidden: tuple[Quad, ...] = ()
        self._faults: Mapping[int, Message] = {}

    def camera_moved(self, time_s: float) -> None:
        """The table was found again."""
        self._moved_s = time_s

    def settled(self, image_bgr: NDArray[np.uint8], sightings: Sequence[Sighting], hidden: tuple[Quad, ...], time_s: float) -> None:
        """Look for what is wrong with the pieces that could not be read."""
        hidden = tuple(outline for outline in hidden if not self._is_cut(outline, image_bgr))
        self._hidden = hidden
        self._hidden_since_s = (self._hidden_since_s if self._hidden_since_s is not None else time_s) if hidden else None
        unread = [one for one in sightings if one.is_unread and one.track is not None]
        self._faults = {one.track: fault for one in unread if one.track is not None and (fault := self._fault(image_bgr, one))}
        self._blurred = not sightings and self._is_soft(image_bgr)
        by_ink = [one.outline_px for one in unread if one.kind in BY_INK]
        self._gray = bool(by_ink) and not has_colour(image_bgr, np.stack(by_ink))

    def lines(
        self,
        grey: NDArray[np.float32],
        table: Table,
        moving: bool,
        lost: bool,
        blind: bool,
        time_s: float,
    ) -> tuple[Message, ...]:
        """What is to be told after this frame."""
        options, sightings, size_px = self._options, table.sightings, table.size_px
        self._is_dark = float(grey.mean()) < (options.light if self._is_dark else options.dark)
        self._moving_since_s = _since(self._moving_since_s, moving, time_s)
        self._empty_since_s = _since(self._empty_since_s, not sightings and not moving, time_s)
        self._lost_since_s = _since(self._lost_since_s, lost, time_s)
        unread = [one for one in sightings if one.is_unread]
        told: list[Message] = []
        if _lasts(self._lost_since_s, options.lost_s, time_s):
            told.append(LOST)
        elif time_s - self._moved_s < options.moved_s:
            told.append(MOVED)
        if self._is_dark and (unread or blind or not sightings):
            told.append(TOO_DARK)
        elif not sightings and self._blurred:
            told.append(BLURRED)
        elif _lasts(self._empty_since_s, options.nothing_s, time_s):
            told.append(NOTHING)
        elif self._gray and unread:
            told.append(NO_COLOUR)
        else:
            told += [self._faults[one.track] for one in unread if one.track is not None and one.track in self._faults]
        if _lasts(self._moving_since_s, options.hand_s, time_s):
            told.append(HAND)
        elif _lasts(self._hidden_since_s, options.hand_s, time_s):
            told += [Message("remark.covered", where=whereabouts(outline.mean(axis=0), size_px)) for outline in self._hidden]
        return tuple(dict.fromkeys(told))

    def _fault(self, image_bgr: NDArray[np.uint8], sighting: Sighting) -> Message | None:
        """Why a piece could not be read; None when nothing is to be seen."""
        height, width = image_bgr.shape[:2]
        outline, at = sighting.outline_px, whereabouts(sighting.center_px, (width, height))
        near, far = outline.min(axis=0), outline.max(axis=0)
        if self._is_cut(outline, image_bgr):
            return Message("remark.cut_off", piece=noun(sighting), where=at)
        left, top = np.maximum(near, 0).astype(int)
        right, bottom = far.astype(int) + 1
        patch = image_bgr[top:bottom, left:right]
        inside = np.zeros(patch.shape[:2], np.uint8)
        cv2.fillConvexPoly(inside, np.round(outline - (left, top)).astype(np.int32), 1)
        blown = patch.min(axis=2)[inside > 0] >= self._options.glare
        if blown.size and blown.mean() > self._options.glare_share:
            return Message("remark.glare", piece=noun(sighting), where=at)
        if edge_width_px(patch) > max(self._options.soft * short_side_px(outline), _SHARP_PX):
            return BLURRED
        return None

    def _is_cut(self, outline_px: Quad, image_bgr: NDArray[np.uint8]) -> bool:
        """The edge of the picture cuts it off."""
        height, width = image_bgr.shape[:2]
        edge = self._options.edge_px
        return bool((outline_px < edge).any() or (outline_px > np.array([width, height]) - 1 - edge).any())

    def _is_soft(self, image_bgr: NDArray[np.uint8]) -> bool:
        return edge_width_px(image_bgr) > self._options.soft_px


def noun(sighting: Sighting) -> Message:
    """What a person calls it."""
    return Message(f"noun.{KIND_SPECS[sighting.kind].noun}")


def edge_width_px(image_bgr: NDArray[np.uint8]) -> float:
    """Pixels over which the sharpest of the strong edges go from dark to light; 0 without any strong edge."""
    if min(image_bgr.shape[:2]) < _LEAST_PX:
        return 0.0
    grey = cv2.GaussianBlur(cv2.cvtColor(image_bgr, cv2.COLOR_BGR2GRAY), (3, 3), 0).astype(np.float32)
    slope = np.hypot(cv2.Sobel(grey, cv2.CV_32F, 1, 0, scale=1 / 8), cv2.Sobel(grey, cv2.CV_32F, 0, 1, scale=1 / 8))
    nearby = np.ones((_REACH_PX, _REACH_PX), np.uint8)
    contrast = cv2.dilate(grey, nearby) - cv2.erode(grey, nearby)
    strong = contrast > _CONTRAST
    if strong.mean() < _LEAST_STRONG:
        return 0.0
    return float(np.percentile(contrast[strong] / np.maximum(slope[strong], 1e-3), 2))


_SHARP_PX = 4.0
"""Width of an edge in the sharpest of pictures: print as small as a corner index says nothing about the lens."""

_LEAST_PX = 8
"""Smaller patches have no edges to speak of."""

_REACH_PX = 31
"""An edge is no wider: the picture of a lens that is far out of focus."""

_CONTRAST = 50.0
"""Levels between dark and light that make an edge strong."""

_LEAST_STRONG = 0.01
"""Share of a picture near strong edges without which nothing can be said."""


def _since(since_s: float | None, is_so: bool, time_s: float) -> float | None:
    return (time_s if since_s is None else since_s) if is_so else None


def _lasts(since_s: float | None, least_s: float, time_s: float) -> bool:
    return since_s is not None and time_s - since_s >= least_s
