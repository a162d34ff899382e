"""The view: what moves before the camera, and the camera's own motion.

Motion is told on a small grey picture whose light is taken out.
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
    """Follow corners from one small grey picture to the next: a homography, shape (3, 3); None when most points agree on none.

    The search begins where the points are expected.
    """
    first, second = cv2.equalizeHist(before), cv2.equalizeHist(now)
    corners = cv2.goodFeaturesToTrack(first, options.points, options.quality, options.apart_px)
    if corners is None or len(corners) < options.least_points:
        return None
    start = apply(expected, corners.reshape(-1, 2).astype(np.float64)).astype(np.float32).reshape(corners.shape)
    window, flags = (options.window_px, options.window_px), cv2.OPTFLOW_USE_INITIAL_FLOW
    moved, found, _ = cv2.calcOpticalFlowPyrLK(first, second, corners, start, winSize=window, maxLevel=options.levels, flags=flags)
    good = found.ravel() > 0
    if good.sum() < options.least_points:
        return None
    from_, to = (np.asarray(one[good].reshape(-1, 2), np.float64) for one in (corners, moved))
    return _agreed(from_, to, max(options.least_points, len(corners) / 2), options)


_Seen = tuple[NDArray[np.uint8], NDArray[np.uint8] | None]
"""A grey picture, and where it is not 0 what of it counts."""


def find_view(before: _Seen, now: _Seen, options: ViewOptions) -> Floats | None:
    """Find one picture again in another of the same size, after a bump: a homography, shape (3, 3); None when it cannot be found."""
    orb = cv2.ORB.create(options.features)
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
    """The mapping on which most points agree, when it is one that a moved camera makes."""
    similarity, right = cv2.estimateAffinePartial2D(from_, to, method=cv2.RANSAC, ransacReprojThreshold=3 * options.off_px)
    if similarity is None or right.sum() < least:
        return None
    chosen = right.ravel() > 0
    view, right = cv2.findHomography(from_[chosen], to[chosen], cv2.RANSAC, options.off_px)
    if view is None or right.sum() < least:
        return None
    return np.asarray(view, np.float64)


Mask = NDArray[np.bool_]
"""Small picture: where something is so."""

_Flat = NDArray[np.float32]
"""Small picture of local contrast: log brightness less that of the neighbourhood. The strength of a lamp cancels out."""


@dataclass(frozen=True, slots=True, eq=False)
class Motion:
    """What one frame shows."""

    moving: bool
    """Something moves on the table, or the camera too fast to be followed."""
    where: Mask
    """Small picture: where something moves. Shape (height, width)."""
    changed: float = 0.0
    """Share of the small picture that differs from the anchor."""
    image_from_before: Floats | None = None
    """The whole view moved: maps points of the anchor into this frame, which is the anchor from now on. Shape (3, 3)."""
    image_from_last: Floats | None = None
    """The same from the last frame instead of the anchor."""
    lost: bool = False
    """The view moves and is no longer that of the anchor: `image_from_before` maps points of the last frame."""


def small_size(size_px: tuple[int, ...], long_side_px: int) -> tuple[int, int]:
    """Width and height of the small picture."""
    scale = long_side_px / max(size_px)
    return max(2, round(size_px[0] * scale)), max(2, round(size_px[1] * scale))


def small_grey(image_bgr: NDArray[np.uint8], long_side_px: int) -> NDArray[np.uint8]:
    """Small grey picture."""
    grey = cv2.cvtColor(image_bgr, cv2.COLOR_BGR2GRAY)
    return np.asarray(cv2.resize(grey, small_size(grey.shape[::-1], long_side_px), interpolation=cv2.INTER_AREA), np.uint8)


def flatten(grey: NDArray[np.uint8]) -> _Flat:
    """Local contrast of a small grey picture."""
    logs = np.asarray(cv2.log(grey.astype(np.float32) + FLOOR), np.float32)
    return np.asarray(logs - evened(logs), np.float32)


def evened(picture: NDArray[np.float32]) -> NDArray[np.float32]:
    """A small picture with each pixel the mean of its neighbourhood."""
    across = 2 * round(NEIGHBOURHOOD * max(picture.shape) / 2) + 1
    return np.asarray(cv2.blur(picture, (across, across), borderType=cv2.BORDER_REFLECT), np.float32)


NEIGHBOURHOOD = 0.16
"""Width over which brightness is evened out, as a share of the long side: wider than a hand, narrower than a lamp's light."""

FLOOR = 16.0
"""Brightness levels added before the logarithm, so that the noise of dark pixels is no contrast."""

CONTRAST = 0.1
"""Change of log brightness (about 10 %) that is more than noise, compression and flicker."""

_LONG_AGO_S = float(np.finfo(np.float64).min)
"""Nothing ever moved there."""


def differing(now: _Flat, before: _Flat, tolerance: float = CONTRAST) -> Mask:
    """Pixels that look like none of their neighbours did before: a shake of one small pixel is no change."""
    return np.asarray((now > cv2.dilate(before, AROUND) + tolerance) | (now < cv2.erode(before, AROUND) - tolerance))


def fill(outlines_px: Iterable[Quad], scale: Floats, shape: tuple[int, ...], grow_px: int = 0) -> Mask:
    """The insides of outlines in a small picture, grown by some of its pixels."""
    mask = np.zeros(shape, np.uint8)
    for outline in outlines_px:
        cv2.fillConvexPoly(mask, np.round(outline * scale).astype(np.int32), 1)
    return (cv2.dilate(mask, square(2 * grow_px + 1)) if grow_px else mask).view(np.bool_)


class MotionDetector:
    """Remembers the last moments of a stream; `last_moved_s` has when something last moved in each pixel of the small picture.

    All but its options is known from the first frame on.
    """

    grey: NDArray[np.uint8]
    flat: _Flat
    scale: Floats
    """Small pixels per pixel of the frame, in x and y."""

    def __init__(self, options: MotionOptions | None = None, view: ViewOptions | None = None) -> None:
        self.options, self._view = options or MotionOptions(), view or ViewOptions()
        self._size_px = (0, 0)
        self._drift: Floats = np.eye(3)  # from earlier anchors to this one, as far as nobody was told

    def look(self, image_bgr: NDArray[np.uint8], time_s: float) -> Motion:
        """Compare a frame with those before it."""
        self.grey = small_grey(image_bgr, self.options.long_side_px)
        self.flat = flatten(self.grey)
        size_px = (image_bgr.shape[1], image_bgr.shape[0])
        if size_px != self._size_px or time_s < self._lately[-1][0]:
            self._size_px, self.scale = size_px, np.array(self.flat.shape[::-1]) / size_px
            return self._start(time_s)
        while len(self._lately) > 1 and self._lately[1][0] <= time_s - self.options.still_s + 1e-6:
            self._lately.popleft()
        where = differing(self.flat, self._lately[0][1])
        if len(self._lately) > 1:
            where |= differing(self.flat, self._lately[-1][1])
        moving = where.mean() > self.options.least
        from_anchor = differing(self.flat, self._anchor[1])
        motion = Motion(bool(moving), where, float(from_anchor.mean()))
        if moving or self._drift_px() > self.options.drift_px:
            motion = self._take_out_view(motion)
        self._lately.append((time_s, self.flat))
        self._last_grey = self.grey
        if motion.moving:
            self.last_moved_s[motion.where] = time_s
        return motion

    def hold(self) -> None:
        """Take this frame as the one that later frames are compared with."""
        self._anchor = (self.grey, self.flat)
        self._last_from_anchor: Floats = np.eye(3)
        self._edges: list[tuple[NDArray[np.intp], float]] = []  # for each direction steep pixels, and how steep half of them are
        for slopes in map(np.ravel, np.gradient(self.flat)):
            steep = np.flatnonzero(np.abs(slopes) > CONTRAST)
            if len(steep) >= self.options.edges * slopes.size:
                self._edges.append((steep, float(np.median(np.abs(slopes[steep])))))

    def take_drift(self) -> Floats | None:
        """How the view has moved and nobody was told, each time too little to be followed: maps points of before into this frame.

        To be asked before another frame is held. None where it is less than a camera moves, or where more than the view moved.
        """
        now_from_anchor = follow_view(self._anchor[0], self.grey, self._view, self._last_from_anchor)
        if now_from_anchor is None or self.rest(self._anchor[1], now_from_anchor).mean() > self.options.view_rest:
            return None
        self._drift = now_from_anchor @ self._drift
        if self._way_px(self._drift) < self.options.least_way_px:
            return None
        drift, self._drift = self._drift, np.eye(3)
        return self._to_image(drift)

    def _start(self, time_s: float) -> Motion:
        self._lately = deque([(time_s, self.flat)])
        self._last_grey = self.grey
        self.last_moved_s: Floats = np.full(self.flat.shape, _LONG_AGO_S)
        self._drift = np.eye(3)
        self.hold()
        return Motion(False, np.zeros(self.flat.shape, bool))

    def _drift_px(self) -> float:
        """By how much the picture seems to have slid since the anchor: half of its edges differ by what that makes of their slopes.

        Each direction by itself: what slides along an edge leaves it as it is, and cards that lie straight have edges of two directions.
        """
        apart = np.abs(self.flat - self._anchor[1]).ravel()
        return max((float(np.median(apart[steep])) / slope for steep, slope in self._edges), default=0.0)

    def _take_out_view(self, motion: Motion) -> Motion:
        """See whether the frame is the anchor seen from elsewhere."""
        now_from_anchor = follow_view(self._anchor[0], self.grey, self._view, self._last_from_anchor)
        if now_from_anchor is not None:
            if self._way_px(now_from_anchor) < self.options.least_way_px:
                return motion
            rest = self.rest(self._anchor[1], now_from_anchor)
            if rest.mean() <= self.options.view_rest:
                since_last = now_from_anchor @ np.linalg.inv(self._last_from_anchor)
                self._move_memory(now_from_anchor)
                now_from_before, self._drift = now_from_anchor @ self._drift, np.eye(3)
                self.hold()
                return Motion(False, rest, float(rest.mean()), self._to_image(now_from_before), self._to_image(since_last))
        now_from_last = follow_view(self._last_grey, self.grey, self._view, np.eye(3))
        if now_from_last is None or self._way_px(now_from_last) < self.options.least_way_px:
            return motion
        self._last_from_anchor = now_from_last @ self._last_from_anchor
        rest = self.rest(self._lately[-1][1], now_from_last)
        if rest.mean() > self.options.view_rest:
            return motion
        self._move_memory(now_from_last)
        image_from_last = self._to_image(now_from_last)
        return Motion(False, rest, motion.changed, image_from_last, image_from_last, lost=True)

    def _move_memory(self, now_from_before: Floats) -> None:
        """Let what is remembered by place follow the view."""
        self._lately.clear()
        size = (self.flat.shape[1], self.flat.shape[0])
        moved_s = cv2.warpPerspective(self.last_moved_s, now_from_before, size, flags=cv2.INTER_NEAREST, borderValue=_LONG_AGO_S)
        self.last_moved_s = np.asarray(moved_s, np.float64)

    def _to_image(self, small: Floats) -> Floats:
        """A mapping of small pixels as one of pixels of the frame."""
        to_small = np.diag([*self.scale, 1.0])
        return np.asarray(np.linalg.inv(to_small) @ small @ to_small)

    def rest(self, then: _Flat, now_from_then: Floats) -> Mask:
        """Pixels of this frame that an earlier one, moved with the view, does not explain."""
        expected = soft(warp(then, now_from_then))
        inside = cv2.erode(warp(np.ones_like(then), now_from_then), AROUND) > KNOWN
        return differing(soft(self.flat), expected) & inside

    def _way_px(self, now_from_anchor: Floats) -> float:
        """How far each corner of the small picture moves, at least: an arm that enters pulls at one side only."""
        corners = rectangle(0.0, 0.0, *self.flat.shape[::-1])
        return float(np.linalg.norm(apply(now_from_anchor, corners) - corners, axis=1).min())


KNOWN = 0.99
"""A warped pixel is known from this share of known ones."""

SOFT_PX = 0.8
"""Warping blurs by about as much; both pictures are made equally soft before they are compared."""


def soft(flat: _Flat) -> _Flat:
    """As blurred as a picture that was warped."""
    return np.asarray(cv2.GaussianBlur(flat, (0, 0), SOFT_PX), np.float32)


def warp(picture: NDArray[Any], now_from_then: Floats) -> NDArray[Any]:
    """A small picture as it looks after the view moved; what enters the picture is 0."""
    size = (picture.shape[1], picture.shape[0])
    return np.asarray(cv2.warpPerspective(picture, now_from_then, size, flags=cv2.INTER_CUBIC))
