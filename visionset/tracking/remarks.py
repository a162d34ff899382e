"""Remarks: what a person could mend about the view - light, focus, glare, hands, and pieces that are covered, cut off or too small."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from visionset.geometry import Quad, short_side_px, square
from visionset.kinds import BY_INK, KIND_SPECS
from visionset.messages import Message
from visionset.table import Sighting, Table
from visionset.tracking.options import RemarkOptions
from visionset.vision.colour import has_colour
from visionset.vision.unread import is_cut_off, is_too_small, mirrors_lamp
from visionset.words import whereabouts


class Remarks:
    """Remembers what is wrong with the view and since when, and tells it in words for people."""

    def __init__(self, options: RemarkOptions) -> None:
        self._options = options
        self._is_dark = False
        self._moving_since_s = self._empty_since_s = self._hidden_since_s = np.inf
        self._moved_s = -np.inf
        self._blurred = self._gray = False
        self._hidden: Sequence[Quad] = ()
        self._faults: Mapping[int | None, Message] = {}

    def camera_moved(self, time_s: float) -> None:
        """The table was found again."""
        self._moved_s = time_s

    def settled(self, image_bgr: NDArray[np.uint8], sightings: Sequence[Sighting], hidden: Sequence[Quad], time_s: float) -> None:
        """Look for what is wrong with the pieces that could not be read."""
        self._hidden = [outline for outline in hidden if not is_cut_off(outline, image_bgr.shape[1::-1])]
        self._hidden_since_s = min(self._hidden_since_s, time_s) if self._hidden else np.inf
        unread = [one for one in sightings if one.is_unread]
        self._faults = {one.track: fault for one in unread if (fault := self._fault(image_bgr, one))}
        self._blurred = not sightings and edge_width_px(image_bgr) > self._options.soft_px
        by_ink = [one.outline_px for one in unread if one.kind in BY_INK]
        self._gray = bool(by_ink) and not has_colour(image_bgr, np.stack(by_ink))

    def lines(self, grey: NDArray[np.uint8], table: Table, moving: bool, lost: bool, blind: bool, time_s: float) -> tuple[Message, ...]:
        """What is to be told after this frame."""
        options, sightings, size_px = self._options, table.sightings, table.size_px
        self._is_dark = float(grey.mean()) < (options.light if self._is_dark else options.dark)
        self._moving_since_s = min(self._moving_since_s, time_s) if moving else np.inf
        self._empty_since_s = np.inf if sightings or moving else min(self._empty_since_s, time_s)
        unread = [one for one in sightings if one.is_unread]
        told: list[Message] = []
        if lost:
            told.append(Message("remark.lost"))
        elif time_s - self._moved_s < options.lasts_s:
            told.append(Message("remark.moved"))
        if self._is_dark and (unread or blind or not sightings):
            told.append(Message("remark.too_dark"))
        elif not sightings and self._blurred:
            told.append(Message("remark.blurred"))
        elif time_s - self._empty_since_s >= options.lasts_s:
            told.append(Message("remark.nothing"))
        elif self._gray and unread:
            told.append(Message("remark.no_colour"))
        else:
            told += [self._faults[one.track] for one in unread if one.track in self._faults]
        if time_s - self._moving_since_s >= options.lasts_s:
            told.append(Message("remark.hand"))
        elif time_s - self._hidden_since_s >= options.lasts_s:
            told += [Message("remark.covered", where=whereabouts(outline.mean(axis=0), size_px)) for outline in self._hidden]
        return tuple(dict.fromkeys(told))

    def _fault(self, image_bgr: NDArray[np.uint8], sighting: Sighting) -> Message | None:
        """Why a piece could not be read; None when nothing is to be seen."""
        size_px = image_bgr.shape[1], image_bgr.shape[0]
        outline, at = sighting.outline_px, whereabouts(sighting.center_px, size_px)
        noun = Message(f"noun.{KIND_SPECS[sighting.kind].noun}")
        if is_cut_off(outline, size_px):
            return Message("remark.cut_off", piece=noun, where=at)
        if mirrors_lamp(image_bgr, outline):
            return Message("remark.glare", piece=noun, where=at)
        (left, top), (right, bottom) = np.maximum(outline.min(axis=0), 0).astype(int), outline.max(axis=0).astype(int) + 1
        is_soft = edge_width_px(image_bgr[top:bottom, left:right]) > max(self._options.soft * short_side_px(outline), _SHARP_PX)
        if is_soft:
            return Message("remark.blurred")
        return Message("remark.too_small", piece=noun, where=at) if is_too_small(sighting) else None


def edge_width_px(image_bgr: NDArray[np.uint8]) -> float:
    """Width in pixels over which the sharpest of the strong edges go from dark to light; 0 where there are hardly any strong edges."""
    if not image_bgr.size:
        return 0.0
    grey = cv2.GaussianBlur(cv2.cvtColor(image_bgr, cv2.COLOR_BGR2GRAY), (3, 3), 0).astype(np.float32)
    slope = np.hypot(cv2.Sobel(grey, cv2.CV_32F, 1, 0, scale=1 / 8), cv2.Sobel(grey, cv2.CV_32F, 0, 1, scale=1 / 8))
    contrast = cv2.dilate(grey, square(_REACH_PX)) - cv2.erode(grey, square(_REACH_PX))
    strong = contrast > _CONTRAST
    if strong.mean() < _LEAST_STRONG:
        return 0.0
    return float(np.percentile(contrast[strong] / np.maximum(slope[strong], 1e-3), 2))


_SHARP_PX = 4.0
"""Width of edges up to which a piece is never called blurred, however small: even the sharpest pictures have edges as wide."""

_REACH_PX = 31
"""Widest edge that is measured: that of a lens far out of focus."""

_CONTRAST = 50.0
"""Levels between dark and light, of 255, from which an edge is strong."""

_LEAST_STRONG = 0.01
"""Share of a picture's pixels that must lie near strong edges for their width to say anything."""
