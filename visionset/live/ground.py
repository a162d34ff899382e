"""Ground: how the table looks around the pieces, to tell a bare place from one under a hand."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from visionset.geometry import Floats, Quad, homography
from visionset.live.gate import Gate, GateOptions, Mask, differing, warp


@dataclass(frozen=True, slots=True)
class GroundOptions:
    """When something lies or hovers over the table.

    Attributes
    ----------
    ring : float
        Width of the strip around a piece that is looked at, in its short sides.
    margin_px : int
        Small pixels next to any piece that say nothing: its shadow, its edge.
    least_px : int
        A strip with fewer small pixels says nothing.
    share, little : float
        Share of the strip that must look unlike before for something to be there; the lower one counts where the place itself does
        not look like bare table.
    of_table : tuple of float
        Percentiles of the table's brightness and hue between which bare table lies.
    bare : float
        Share of a place that must look like bare table.
    same : float
        What is seen of a piece is unchanged while less than this share of it looks unlike before.
    inside : float
        A piece is in the picture while this share of it is.
    hue : float
        Change of log colour ratio that no shadow makes.
    dark : float
        Brightness levels below which colour says nothing.
    """

    ring: float = 0.35
    margin_px: int = 2
    least_px: int = 12
    share: float = 0.25
    little: float = 0.06
    of_table: tuple[float, float] = (5.0, 95.0)
    bare: float = 0.8
    same: float = 0.4
    inside: float = 0.6
    hue: float = 0.15
    dark: float = 30.0


@dataclass(frozen=True, slots=True, eq=False)
class Ground:
    """The small picture of a moment.

    Attributes
    ----------
    logs : ndarray of float32, shape (height, width, 3)
        Log brightness; log of red over green; log of blue over green.
    now_from_then : ndarray of float64, shape (3, 3)
        Where its small pixels are now, after the view moved.
    """

    logs: NDArray[np.float32]
    now_from_then: Floats

    @staticmethod
    def of(image_bgr: NDArray[np.uint8], gate: Gate, options: GroundOptions) -> Ground:
        """Remember the frame that the gate looked at last."""
        height, width = image_bgr.shape[:2]
        half = cv2.resize(image_bgr, (max(2, width // 2), max(2, height // 2)), interpolation=cv2.INTER_LINEAR)
        small = cv2.resize(half, (gate.grey.shape[1], gate.grey.shape[0]), interpolation=cv2.INTER_LINEAR).astype(np.float32)
        blue, green, red = np.moveaxis(np.log(cv2.GaussianBlur(small, (3, 3), 0) + options.dark), 2, 0)
        return Ground(np.stack([np.log(gate.grey + gate.options.floor), red - green, blue - green], axis=2), np.eye(3))

    def moved(self, now_from_before: Floats) -> Ground:
        """Follow the view (mapping of small pixels)."""
        return Ground(self.logs, now_from_before @ self.now_from_then)

    def without_light(self, table: NDArray[np.bool_], options: GateOptions) -> NDArray[np.float32]:
        """Contrast and hue against the bare table nearby, so that neither a lamp nor a new card beside it changes them."""
        logs = self.logs if np.allclose(self.now_from_then, np.eye(3)) else warp(self.logs, self.now_from_then)
        if not table.any():
            return logs
        across = 2 * round(options.neighbourhood * options.long_side_px / 2) + 1
        weight = table.astype(np.float32)
        near = cv2.blur(weight, (across, across)) + _NOWHERE
        middle = np.median(logs[table], axis=0).astype(np.float32)
        brightness = logs[..., 0] - middle[0]
        local = (cv2.blur(brightness * weight, (across, across)) / near).astype(np.float32)
        return np.dstack([brightness - local, logs[..., 1:] - middle[1:]])


_NOWHERE = 1e-3
"""Far from any bare table, the whole table's brightness stands in for that nearby."""


def foreign(now: Ground, then: Ground, pieces: Mask, gate: GateOptions, options: GroundOptions) -> Mask:
    """Small pixels that look unlike before in structure or colour; `pieces` is 1 where no bare table is."""
    table = pieces == 0
    fresh, old = now.without_light(table, gate), then.without_light(table, gate)
    other = differing(np.ascontiguousarray(fresh[..., 0]), np.ascontiguousarray(old[..., 0]), gate) > 0
    tinted = (np.abs(fresh[..., 1:] - old[..., 1:]) > options.hue).any(axis=2)
    return np.asarray(other | tinted, np.uint8)


def fill(outlines_px: Iterable[Quad], scale: Floats, shape: tuple[int, ...], grow_px: int = 0) -> Mask:
    """Small picture with 1 inside outlines, grown by some pixels."""
    mask = np.zeros(shape[:2], np.uint8)
    for outline in outlines_px:
        cv2.fillConvexPoly(mask, np.round(outline * scale).astype(np.int32), 1)
    return np.asarray(cv2.dilate(mask, np.ones((2 * grow_px + 1, 2 * grow_px + 1), np.uint8))) if grow_px else mask


def around(outline_px: Quad, pieces: Mask, scale: Floats, options: GroundOptions) -> Mask:
    """The strip of table around a piece, without what belongs to any piece (`pieces`)."""
    sides = np.linalg.norm((outline_px - np.roll(outline_px, 1, axis=0)) * scale, axis=1)
    width = options.margin_px + max(2, round(options.ring * float(sides.min())))
    return np.asarray(fill([outline_px], scale, pieces.shape, width) * (1 - pieces))


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


def alike_within(one: NDArray[np.float32], other: NDArray[np.float32]) -> float:
    """Correlation of what is on two pieces, -1 to 1: do they bear the same marks?"""
    width, height = _CARD_WH
    x, y = round(_MIDDLE * width), round(_MIDDLE * height)
    first, second = (patch[y : height - y, x : width - x] for patch in (one, other))
    first, second = first - first.mean(), second - second.mean()
    size = float(np.linalg.norm(first) * np.linalg.norm(second))
    return float((first * second).sum()) / size if size > 0 else 0.0


def is_bare(now: Ground, outline: Mask, pieces: Mask, gate: GateOptions, options: GroundOptions) -> bool:
    """Inside an outline there is what the rest of the table is made of; `outline` and `pieces` are 1 where such lie."""
    table, inside = pieces == 0, outline > 0
    if table.sum() < options.least_px or inside.sum() < options.least_px:
        return False
    looks = now.without_light(table, gate)
    low, high = np.percentile(looks[table], options.of_table, axis=0)
    fits = ((looks[inside] > low - options.hue) & (looks[inside] < high + options.hue)).all(axis=1)
    return float(fits.mean()) > options.bare
