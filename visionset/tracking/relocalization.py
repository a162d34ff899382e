"""The table found again after the camera moved too far to be followed."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from visionset.frame import Frame
from visionset.geometry import Floats
from visionset.tracking.association import PairOptions, common_view, offsets
from visionset.tracking.camera_motion import ViewOptions, find_view
from visionset.tracking.motion import small_size
from visionset.tracking.observations import Place, moved
from visionset.tracking.tracks import Track


def far_picture(frame: Frame, long_side_px: int) -> NDArray[np.uint8]:
    """Grey picture in which a view can be found again."""
    grey = cv2.cvtColor(frame.image_bgr, cv2.COLOR_BGR2GRAY)
    return np.asarray(cv2.resize(grey, small_size(frame.size_px, long_side_px), interpolation=cv2.INTER_AREA), np.uint8)


def in_place(tracks: Sequence[Track], places: Sequence[Place], here: float) -> int:
    """How many pieces lie where they lay."""
    return int((offsets(tracks, places) < here).any(axis=1).sum())


def find_again(
    tracks: Sequence[Track],
    places: Sequence[Place],
    far: tuple[NDArray[np.uint8], NDArray[np.uint8]],
    size_px: tuple[int, int],
    view: ViewOptions,
    pairs: PairOptions,
) -> Floats | None:
    """The motion of the camera that puts most pieces back in their places.

    Parameters
    ----------
    tracks, places : sequence
        Pieces of before, things seen now.
    far : tuple of ndarray
        `far_picture` of before and of now.
    size_px : tuple of int
        Size of the frame.
    view, pairs : ViewOptions, PairOptions
        Numbers.

    Returns
    -------
    ndarray of float64, shape (3, 3), or None
        Maps points of before to points of now; None when nothing is explained better than by a camera at rest.
    """
    then, now = far
    to_far = np.diag([now.shape[1] / size_px[0], now.shape[0] / size_px[1], 1.0])
    by_picture = find_view(then, now, view)
    candidates = [common_view(tracks, places, pairs)]
    if by_picture is not None:
        candidates.append(np.linalg.inv(to_far) @ by_picture @ to_far)
    best, most = None, in_place(tracks, places, pairs.here)
    for candidate in candidates:
        if candidate is None:
            continue
        there = in_place([track.at(moved(track.outline_px, candidate)) for track in tracks], places, pairs.here)
        if there > most:
            best, most = candidate, there
    return best
