"""The view: what moves before the camera, and the camera's own motion.

Both are told from a small grey picture: motion from its local contrast, from which the light is taken out, the camera's from its corners.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from visionset.geometry import AROUND, Floats, Quad, apply, rectangle, square
from visionset.tracking.options import MotionOptions, ViewOptions


def follow_view(before: NDArray[np.uint8], now: NDArray[np.uint8], options: ViewOptions, expected: Floats) -> Floats | None:
    """The homography, shape (3, 3), that takes one small grey picture to the next, by optical flow of corners; None if most agree on none.

    `expected` is a homography that tells where the search for each corner begins.
    """
    first, second = cv2.equalizeHist(before), cv2.equalizeHist(now)
    corners = cv2.goodFeaturesToTrack(first, options.points, options.quality, options.apart_px)
    if corners is None or len(corners) < options.least_points:
        return None
    start = apply(expected, corners.reshape(-1, 2).astype(np.float64)).astype(np.float32).reshape(corners.shape)
    window, flags = (options.window_px, options.window_px), cv2.OPTFLOW_USE_INITIAL_FLOW
    moved, found, _ = cv2.calcOpticalFlowPyrLK(first, second, corners, start, winSize=window, flags=flags)
    good = found.ravel() > 0
    if good.sum() < options.least_points:
        return None
    from_, to = (np.asarray(one[good].reshape(-1, 2), np.float64) for one in (corners, moved))
    return _agreed(from_, to, max(options.least_points, len(corners) / 2), options)


_Masked = tuple[NDArray[np.uint8], NDArray[np.uint8] | None]
"""A grey picture and a mask of it, 0 where features are not looked for; None: they are looked for everywhere."""


def find_view(before: _Masked, now: _Masked, options: ViewOptions) -> Floats | None:
    """The homography, shape (3, 3), from one picture to another of the same size, such as after a bump, by ORB features; None if there is
    none."""
    orb = cv2.ORB.create()
    (points, marks), (other_points, other_marks) = orb.detectAndCompute(*before), orb.detectAndCompute(*now)
    if marks is None or other_marks is None or min(len(marks), len(other_marks)) < options.least_points:
        return None
    pairs = cv2.BFMatcher(cv2.NORM_HAMMING).knnMatch(marks, other_marks, k=2)
    distinct = [pair[0] for pair in pairs if len(pair) == 2 and pair[0].distance < options.distinct * pair[1].distance]
    if len(distinct) < options.least_points:
        return None
    from_ = np.array([points[one.queryIdx].pt for one in distinct], np.float64)
    to = np.array([other_points[one.trainIdx].pt for one in distinct], np.float64)
    return _agreed(from_, to, max(options.least_points, options.found_share * len(distinct)), options)


def _agreed(from_: Floats, to: Floats, least: float, options: ViewOptions) -> Floats | None:
    """The homography on which at least `least` points agree, of those that roughly agree on a similarity (RANSAC); None where none is."""
    similarity, right = cv2.estimateAffinePartial2D(from_, to, method=cv2.RANSAC, ransacReprojThreshold=3 * options.off_px)
    if similarity is None or right.sum() < least:
        return None
    chosen = right.ravel() > 0
    view, right = cv2.findHomography(from_[chosen], to[chosen], cv2.RANSAC, options.off_px)
    if view is None or right.sum() < least:
        return None
    return np.asarray(view, np.float64)


Mask = NDArray[np.bool_]
"""Small picture, True where something is so. Shape (height, width)."""

_Contrast = NDArray[np.float32]
"""Small picture of local contrast: log brightness less the mean of its neighbourhood, so that the strength of a lamp cancels out."""


@dataclass(frozen=True, slots=True, eq=False)
class Motion:
    """What moved in one frame since the anchor: the frame of the last settled table, or the last frame to which the camera was followed."""

    moving: bool
    """Something moves on the table, or the camera too fast to be followed."""
    where: Mask
    """Where something moves, or the view that moved does not explain the picture."""
    changed: float = 0.0
    """Share of the small picture that differs from the anchor."""
    image_from_before: Floats | None = None
    """The camera moved: homography from pixels of the anchor to pixels of this frame, which is the anchor from now on. Shape (3, 3)."""
    image_from_last: Floats | None = None
    """The same from pixels of the last frame."""
    lost: bool = False
    """The camera moves, but this frame is not the anchor seen from elsewhere: `image_from_before` is from pixels of the last frame."""


def small_size(size_px: tuple[int, ...], long_side_px: int) -> tuple[int, int]:
    """Width and height of the small picture."""
    scale = long_side_px / max(size_px)
    return max(2, round(size_px[0] * scale)), max(2, round(size_px[1] * scale))


def small_grey(image_bgr: NDArray[np.uint8], long_side_px: int) -> NDArray[np.uint8]:
    """Small grey picture."""
    grey = cv2.cvtColor(image_bgr, cv2.COLOR_BGR2GRAY)
    return np.asarray(cv2.resize(grey, small_size(grey.shape[::-1], long_side_px), interpolation=cv2.INTER_AREA), np.uint8)


def local_contrast(grey: NDArray[np.uint8]) -> _Contrast:
    """Local contrast of a small grey picture, see `_Contrast`."""
    logs = np.asarray(cv2.log(grey.astype(np.float32) + FLOOR), np.float32)
    return np.asarray(logs - local_mean(logs), np.float32)


def local_mean(picture: NDArray[np.float32]) -> NDArray[np.float32]:
    """Each pixel of a small picture replaced by the mean of its neighbourhood (a box blur)."""
    across = 2 * round(NEIGHBOURHOOD * max(picture.shape) / 2) + 1
    return np.asarray(cv2.blur(picture, (across, across), borderType=cv2.BORDER_REFLECT), np.float32)


NEIGHBOURHOOD = 0.16
"""Width of a pixel's neighbourhood, as a share of the long side: wider than a hand, narrower than a lamp's light."""

FLOOR = 16.0
"""Brightness levels added before the logarithm, so that the noise of dark pixels is no contrast."""

CONTRAST = 0.1
"""Least change of log brightness (about 10 %) that is more than noise, compression and flicker."""

_LONG_AGO_S = float(np.finfo(np.float64).min)
"""Time of the last motion where nothing ever moved."""


def differing(now: _Contrast, before: _Contrast, tolerance: float = CONTRAST) -> Mask:
    """Pixels that differ by more than `tolerance` from all their neighbours of before: a shake of one small pixel is no change."""
    return np.asarray((now > cv2.dilate(before, AROUND) + tolerance) | (now < cv2.erode(before, AROUND) - tolerance))


def fill(outlines_px: Iterable[Quad], scale: Floats, shape: tuple[int, ...], grow_px: int = 0) -> Mask:
    """Mask of the insides of outlines, grown by `grow_px` of its pixels; `scale` is its pixels per pixel of the frame, in x and y."""
    mask = np.zeros(shape, np.uint8)
    for outline in outlines_px:
        cv2.fillConvexPoly(mask, np.round(outline * scale).astype(np.int32), 1)
    return (cv2.dilate(mask, square(2 * grow_px + 1)) if grow_px else mask).view(np.bool_)


class MotionDetector:
    """Tells what moves in each frame of a stream, and how the camera moves, by comparing it with the last moments and with the anchor.

    `last_moved_s` has when something last moved in each pixel of the small picture. All but the options is set with the first frame.
    """

    grey: NDArray[np.uint8]
    contrast: _Contrast
    scale: Floats
    """Small pixels per pixel of the frame, in x and y."""

    def __init__(self, options: MotionOptions | None = None, view: ViewOptions | None = None) -> None:
        self.options, self._view = options or MotionOptions(), view or ViewOptions()
        self._size_px = (0, 0)
        self._drift: Floats = np.eye(3)  # from earlier anchors to this one, as far as no caller was told yet

    def look(self, image_bgr: NDArray[np.uint8], time_s: float) -> Motion:
        """Compare a frame with those before it."""
        self.grey = small_grey(image_bgr, self.options.long_side_px)
        self.contrast = local_contrast(self.grey)
        size_px = (image_bgr.shape[1], image_bgr.shape[0])
        if size_px != self._size_px or time_s < self._lately[-1][0]:
            self._size_px, self.scale = size_px, np.array(self.contrast.shape[::-1]) / size_px
            return self._start(time_s)
        while len(self._lately) > 1 and self._lately[1][0] <= time_s - self.options.still_s + 1e-6:
            self._lately.popleft()
        where = differing(self.contrast, self._lately[0][1])
        if len(self._lately) > 1:
            where |= differing(self.contrast, self._lately[-1][1])
        moving = where.mean() > self.options.least
        from_anchor = differing(self.contrast, self._anchor[1])
        motion = Motion(bool(moving), where, float(from_anchor.mean()))
        if moving or self._drift_px() > self.options.drift_px:
            motion = self._take_out_view(motion)
        self._lately.append((time_s, self.contrast))
        self._last_grey = self.grey
        if motion.moving:
            self.last_moved_s[motion.where] = time_s
        return motion

    def hold(self) -> None:
        """Take this frame as the anchor, with which later frames are compared."""
        self._anchor = (self.grey, self.contrast)
        self._last_from_anchor: Floats = np.eye(3)
        self._edges: list[tuple[NDArray[np.intp], float]] = []  # by direction, if it has edges: positions of steep pixels, median slope
        for slopes in map(np.ravel, np.gradient(self.contrast)):
            steep = np.flatnonzero(np.abs(slopes) > CONTRAST)
            if len(steep) >= self.options.changed * slopes.size:
                self._edges.append((steep, float(np.median(np.abs(slopes[steep])))))

    def take_drift(self) -> Floats | None:
        """The camera's motion that `look` did not tell, each time too little, added up: homography from pixels of before to those of now.

        To be asked before another frame is held. None where it is still too little, or where more than the camera moved.
        """
        now_from_anchor = follow_view(self._anchor[0], self.grey, self._view, self._last_from_anchor)
        if now_from_anchor is None or self.residual(self._anchor[1], now_from_anchor).mean() > self.options.view_rest:
            return None
        self._drift = now_from_anchor @ self._drift
        if self._way_px(self._drift) < self.options.least_way_px:
            return None
        drift, self._drift = self._drift, np.eye(3)
        return self._to_image(drift)

    def _start(self, time_s: float) -> Motion:
        self._lately = deque([(time_s, self.contrast)])
        self._last_grey = self.grey
        self.last_moved_s: Floats = np.full(self.contrast.shape, _LONG_AGO_S)
        self._drift = np.eye(3)
        self.hold()
        return Motion(False, np.zeros(self.contrast.shape, bool))

    def _drift_px(self) -> float:
        """By how many small pixels the picture seems to have slid since the anchor: median change at its edges over their median slope.

        The greater of both directions: what slides along an edge leaves it as it is, and cards that lie straight have edges of two
        directions.
        """
        apart = np.abs(self.contrast - self._anchor[1]).ravel()
        return max((float(np.median(apart[steep])) / slope for steep, slope in self._edges), default=0.0)

    def _take_out_view(self, motion: Motion) -> Motion:
        """The motion without that of the camera, where this frame is the anchor seen from elsewhere, or else the last frame is."""
        now_from_anchor = follow_view(self._anchor[0], self.grey, self._view, self._last_from_anchor)
        if now_from_anchor is not None:
            if self._way_px(now_from_anchor) < self.options.least_way_px:
                return motion
            residual = self.residual(self._anchor[1], now_from_anchor)
            if residual.mean() <= self.options.view_rest:
                since_last = now_from_anchor @ np.linalg.inv(self._last_from_anchor)
                self._move_memory(now_from_anchor)
                now_from_before, self._drift = now_from_anchor @ self._drift, np.eye(3)
                self.hold()
                return Motion(False, residual, float(residual.mean()), self._to_image(now_from_before), self._to_image(since_last))
        now_from_last = follow_view(self._last_grey, self.grey, self._view, np.eye(3))
        if now_from_last is None or self._way_px(now_from_last) < self.options.least_way_px:
            return motion
        self._last_from_anchor = now_from_last @ self._last_from_anchor
        residual = self.residual(self._lately[-1][1], now_from_last)
        if residual.mean() > self.options.view_rest:
            return motion
        self._move_memory(now_from_last)
        image_from_last = self._to_image(now_from_last)
        return Motion(False, residual, motion.changed, image_from_last, image_from_last, lost=True)

    def _move_memory(self, now_from_before: Floats) -> None:
        """Move `last_moved_s` with the view, and forget the last moments: they were seen from elsewhere."""
        self._lately.clear()
        size = (self.contrast.shape[1], self.contrast.shape[0])
        moved_s = cv2.warpPerspective(self.last_moved_s, now_from_before, size, flags=cv2.INTER_NEAREST, borderValue=_LONG_AGO_S)
        self.last_moved_s = np.asarray(moved_s, np.float64)

    def _to_image(self, small: Floats) -> Floats:
        """A homography between small pictures as one between frames."""
        to_small = np.diag([*self.scale, 1.0])
        return np.asarray(np.linalg.inv(to_small) @ small @ to_small)

    def residual(self, then: _Contrast, now_from_then: Floats) -> Mask:
        """Pixels of this frame that differ from an earlier one, `then`, warped into this view."""
        expected = soft(warp(then, now_from_then))
        inside = cv2.erode(warp(np.ones_like(then), now_from_then), AROUND) > KNOWN
        return differing(soft(self.contrast), expected) & inside

    def _way_px(self, now_from_anchor: Floats) -> float:
        """The way of that corner of the picture that moves least, in small pixels: an arm that enters pulls at one side only."""
        corners = rectangle(0.0, 0.0, *self.contrast.shape[::-1])
        return float(np.linalg.norm(apply(now_from_anchor, corners) - corners, axis=1).min())


KNOWN = 0.99
"""Share of a warped pixel that must come from within the picture for it to be known."""

SOFT_PX = 0.8
"""Sigma of a Gaussian that blurs about as warping does: a picture that was warped and one that was not are both blurred, then compared."""


def soft(contrast: _Contrast) -> _Contrast:
    """Blurred, so that warped pictures and others are equally soft."""
    return np.asarray(cv2.GaussianBlur(contrast, (0, 0), SOFT_PX), np.float32)


def warp(picture: NDArray[Any], now_from_then: Floats) -> NDArray[Any]:
    """A small picture as it looks after the view moved; what enters the picture is 0."""
    size = (picture.shape[1], picture.shape[0])
    return np.asarray(cv2.warpPerspective(picture, now_from_then, size, flags=cv2.INTER_CUBIC))
