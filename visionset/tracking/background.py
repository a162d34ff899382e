"""Background: how the table looks around the pieces, to tell a bare place from one under a hand."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from visionset.geometry import Floats, Quad, homography
from visionset.tracking.motion import AROUND, KNOWN, SOFT_PX, Mask, small_size, warp
from visionset.tracking.options import BackgroundOptions


@dataclass(frozen=True, slots=True, eq=False)
class Background:
    """The small picture of a moment."""

    logs: NDArray[np.float32]
    """Log brightness; log of red over green; log of blue over green. Shape (height, width, 3)."""
    scale: Floats
    """Small pixels per pixel of the frame, in x and y. Shape (2,)."""
    now_from_then: Floats
    """Where its small pixels are now, after the view moved. Shape (3, 3)."""

    @staticmethod
    def of(image_bgr: NDArray[np.uint8], options: BackgroundOptions) -> Background:
        """Remember a frame."""
        size_px = (image_bgr.shape[1], image_bgr.shape[0])
        size = small_size(size_px, options.long_side_px)
        small = cv2.resize(image_bgr, size, interpolation=cv2.INTER_AREA)
        grey = cv2.cvtColor(small, cv2.COLOR_BGR2GRAY).astype(np.float32)
        blue, green, red = np.moveaxis(cv2.log(cv2.GaussianBlur(small, (3, 3), 0).astype(np.float32) + options.dark), 2, 0)
        logs = np.dstack([cv2.log(grey + options.floor), red - green, blue - green])
        return Background(np.asarray(logs, np.float32), np.array(size) / size_px, np.eye(3))

    def moved(self, image_from_before: Floats) -> Background:
        """Follow the view (mapping of pixels of the frame)."""
        to_small = np.diag([*self.scale, 1.0])
        return replace(self, now_from_then=to_small @ image_from_before @ np.linalg.inv(to_small) @ self.now_from_then)

    @property
    def has_moved(self) -> bool:
        """The view is no longer that of the moment."""
        return not np.allclose(self.now_from_then, np.eye(3))

    def now(self) -> tuple[NDArray[np.float32], Mask]:
        """As it looks from where the camera is now, and 1 where that is known."""
        if not self.has_moved:
            return self.logs, np.ones(self.logs.shape[:2], np.uint8)
        known = warp(np.ones(self.logs.shape[:2], np.float32), self.now_from_then) > KNOWN
        return np.asarray(warp(self.logs, self.now_from_then), np.float32), known.view(np.uint8)

    def with_older(self, where: Mask, older: Background) -> Background:
        """The same with what was remembered before, where the mask is 1."""
        logs, known = older.now()
        return replace(self, logs=np.where(((where & known) > 0)[..., None], logs, self.logs))


def changed_pixels(now: Background, then: Background, options: BackgroundOptions) -> Mask:
    """Small pixels that look unlike before, whatever the light: like none of their neighbours did, so that a shake is no change."""
    fresh, (old, known) = now.logs, then.now()
    if then.has_moved:
        fresh, old = (np.asarray(cv2.GaussianBlur(one, (0, 0), SOFT_PX), np.float32) for one in (fresh, old))
    seen = known > 0
    if not seen.any():
        return np.zeros(known.shape, np.uint8)
    before = old + lights(fresh - old, seen, options)
    other = np.zeros(known.shape, bool)
    for channel, tolerance in enumerate((options.contrast, options.hue, options.hue)):
        look, was = fresh[..., channel], np.ascontiguousarray(before[..., channel])
        other |= (look > cv2.dilate(was, AROUND) + tolerance) | (look < cv2.erode(was, AROUND) - tolerance)
    return np.asarray(cv2.medianBlur((other & seen).view(np.uint8), 3))


def lights(change: NDArray[np.float32], seen: NDArray[np.bool_], options: BackgroundOptions) -> NDArray[np.float32]:
    """What the lamps make of each place: how much brighter, and of which colour; shape as `change`, that of two small pictures."""
    some = change[::_EACH, ::_EACH][seen[::_EACH, ::_EACH]]
    hues = np.median(some[:, 1:] if len(some) else change[seen][:, 1:], axis=0)
    return np.asarray(np.dstack([brighter(change[..., 0], seen, options), np.broadcast_to(hues, change[..., 1:].shape)]), np.float32)


_EACH = 4
"""Light that falls on a whole table is told by every fourth pixel of every fourth row."""


def brighter(change: NDArray[np.float32], seen: NDArray[np.bool_], options: BackgroundOptions) -> NDArray[np.float32]:
    """How much brighter the lamps make each place, from what did not change otherwise: a slope over the picture and what is nearby."""
    y, x = (np.linspace(-1, 1, side, dtype=np.float32) for side in change.shape)
    some, known = change[::_EACH, ::_EACH], seen[::_EACH, ::_EACH]
    terms = np.dstack([np.ones_like(some), *(np.broadcast_to(one, some.shape) for one in (x[None, ::_EACH], y[::_EACH, None]))])
    level, across_px, down_px = np.median(change[seen]) if not known.any() else np.median(some[known]), 0.0, 0.0
    for most in options.of_light:
        right = known & (np.abs(some - terms @ np.array([level, across_px, down_px], np.float32)) < most)
        if _EACH**2 * right.sum() >= options.least_px:
            level, across_px, down_px = np.linalg.lstsq(terms[right], some[right], rcond=None)[0]
    slope = np.float32(level) + np.float32(across_px) * x[None, :] + np.float32(down_px) * y[:, None]
    rest = np.asarray(change - slope, np.float32)
    weight = (seen & (np.abs(rest) < options.of_light[-1])).astype(np.float32)
    across = 2 * round(options.neighbourhood * options.long_side_px / 2) + 1
    near = cv2.blur(weight, (across, across))
    return np.asarray(slope + cv2.blur(rest * weight, (across, across)) / np.maximum(near, _FEW), np.float32)


_FEW = 0.2
"""Where fewer pixels nearby tell of the light, the slope over the picture counts more."""


def ink_ratios(looks: NDArray[np.float32]) -> Floats:
    """The two log colour ratios of what is printed on a piece, less those of its paper; shape of `looks` (n, 3)."""
    paper = np.percentile(looks[:, 0], _PAPER)
    weight = np.maximum(paper - looks[:, 0], 0) ** 2
    white = np.median(looks[looks[:, 0] >= paper][:, 1:], axis=0)
    return np.asarray((looks[:, 1:] * weight[:, None]).sum(axis=0) / max(float(weight.sum()), 1e-6) - white, np.float64)


_PAPER = 70
"""Percentile of brightness above which a piece shows its paper."""


def fill(outlines_px: Iterable[Quad], scale: Floats, shape: tuple[int, ...], grow_px: int = 0) -> Mask:
    """Small picture with 1 inside outlines, grown by some pixels."""
    mask = np.zeros(shape[:2], np.uint8)
    for outline in outlines_px:
        cv2.fillConvexPoly(mask, np.round(outline * scale).astype(np.int32), 1)
    return np.asarray(cv2.dilate(mask, np.ones((2 * grow_px + 1, 2 * grow_px + 1), np.uint8))) if grow_px else mask


_CARD_WH = (36, 48)
"""Size of the straightened picture by which a place is recognised, its surroundings included."""

_EDGE = 0.12
"""How much of the surroundings is in it, as a share of each side."""


def portrait(grey: NDArray[np.uint8], outline_px: Quad) -> NDArray[np.float32]:
    """A piece straightened, with its edge and a little of the table, light and contrast taken out."""
    width, height = _CARD_WH
    inner = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]) * (1 - 2 * _EDGE) + _EDGE
    patch_from_image = homography(inner * (width, height), outline_px)
    patch = cv2.GaussianBlur(cv2.warpPerspective(grey, patch_from_image, (width, height), flags=cv2.INTER_AREA), (3, 3), 0).astype(
        np.float32
    )
    flat = patch - cv2.blur(patch, (width // 2 + 1, width // 2 + 1))
    return np.asarray(flat / max(1.0, float(np.linalg.norm(flat))), np.float32)


def alike(one: NDArray[np.float32], other: NDArray[np.float32]) -> float:
    """Correlation of two portraits, -1 to 1: does something of this outline still lie there?"""
    return float((one * other).sum())


_MIDDLE = 0.22
"""Share of a portrait to be cut away on each side to be well inside the piece."""


_NO_MARKS = 0.05
"""Contrast of a middle, as a share of the whole portrait's, below which nothing is on it."""


def alike_within(now: NDArray[np.float32], before: NDArray[np.float32]) -> float:
    """Correlation of what is on two pieces, -1 to 1: do they bear the same marks? 1 where the one of before bears none."""
    width, height = _CARD_WH
    x, y = round(_MIDDLE * width), round(_MIDDLE * height)
    first, second = (patch[y : height - y, x : width - x] for patch in (now, before))
    first, second = first - first.mean(), second - second.mean()
    if float(np.linalg.norm(second)) < _NO_MARKS:
        return 1.0
    size = float(np.linalg.norm(first) * np.linalg.norm(second))
    return float((first * second).sum()) / size if size > 0 else 0.0


_WINDOW = (12, 16)
"""Windows in which marks are looked for again, in pixels of a portrait: about as large as a symbol."""

_SAME_MARKS = 0.8
"""Correlation from which a window shows the same marks."""


def marks_left(now: NDArray[np.float32], before: NDArray[np.float32]) -> float:
    """Share of the marks on a piece that are still seen in their place, 0 to 1, whatever shadow lies on them."""
    width, height = _CARD_WH
    x, y = round(2 * _EDGE * width), round(2 * _EDGE * height)
    first, second = (patch[y : height - y, x : width - x].astype(np.float64) for patch in (now, before))
    means = [cv2.blur(one, _WINDOW) for one in (first, second)]
    both = cv2.blur(first * second, _WINDOW) - means[0] * means[1]
    here, there = (cv2.blur(one * one, _WINDOW) - mean * mean for one, mean in zip((first, second), means, strict=True))
    same = both > _SAME_MARKS * np.sqrt(np.maximum(here * there, 1e-18))
    total = float(there.sum()) * second.size
    return float(there[same].sum()) * second.size / total if total > _NO_MARKS**2 else 0.0
