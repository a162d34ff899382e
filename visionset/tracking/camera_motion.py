"""The whole view moves: from points that are followed, or found again after a bump."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from visionset.geometry import Floats, apply


@dataclass(frozen=True, slots=True)
class ViewOptions:
    """How the camera's own motion is found.

    Attributes
    ----------
    points : int
        Corners that are followed from picture to picture.
    quality : float
        A corner counts from this share of the strongest.
    apart_px : float
        Least distance of two of them, so that one card does not take them all.
    window_px : int
        What is compared around each, in small pixels.
    levels : int
        Times that the picture is halved: a corner may move by about half a window on the smallest.
    off_px : float
        A followed point is right when it is off by less than this.
    least_points : int
        Fewer agreeing points are chance.
    least_share : float
        Share of all points that must agree: otherwise a large thing moves and not the camera.
    stretch : float
        A camera does not come nearer or go away by more than this factor at once.
    found_share : float
        The same for features of two pictures that were not taken one after the other: many are wrong.
    features : int
        Features that are looked for when the view is to be found again.
    distinct : float
        A feature counts when its best match is better than the next by this factor.
    """

    points: int = 120
    quality: float = 0.02
    apart_px: float = 4.0
    window_px: int = 13
    levels: int = 2
    off_px: float = 1.0
    least_points: int = 10
    least_share: float = 0.5
    stretch: float = 1.6
    found_share: float = 0.25
    features: int = 600
    distinct: float = 0.8


def follow_view(
    before: NDArray[np.float32], now: NDArray[np.float32], options: ViewOptions, expected: Floats | None = None
) -> Floats | None:
    """Follow corners from one small grey picture (0 to 255) to the next.

    Parameters
    ----------
    before, now : ndarray of float32, shape (height, width)
        The two pictures.
    options : ViewOptions
        Numbers.
    expected : ndarray of float64, shape (3, 3), optional
        About where the points are: the search begins there.

    Returns
    -------
    ndarray of float64, shape (3, 3), or None
        Homography that maps points of the first into the second; None when most points agree on none.
    """
    first, second = (cv2.equalizeHist(picture.astype(np.uint8)) for picture in (before, now))
    corners = cv2.goodFeaturesToTrack(first, options.points, options.quality, options.apart_px)
    if corners is None or len(corners) < options.least_points:
        return None
    window = (options.window_px, options.window_px)
    start = corners
    if expected is not None:
        start = apply(expected, corners.reshape(-1, 2).astype(np.float64)).astype(np.float32).reshape(corners.shape)
    flags = cv2.OPTFLOW_USE_INITIAL_FLOW
    moved, found, _ = cv2.calcOpticalFlowPyrLK(first, second, corners, start.copy(), winSize=window, maxLevel=options.levels, flags=flags)
    good = found.ravel() > 0
    if good.sum() < options.least_points:
        return None
    from_, to = (np.asarray(one[good].reshape(-1, 2), np.float64) for one in (corners, moved))
    return _agreed(from_, to, max(options.least_points, options.least_share * len(corners)), options)


def find_view(before: NDArray[np.uint8], now: NDArray[np.uint8], options: ViewOptions) -> Floats | None:
    """Find one grey picture again in another, after a bump; both of the same size.

    Returns
    -------
    ndarray of float64, shape (3, 3), or None
        Homography that maps points of the first into the second; None when it cannot be found.
    """
    orb = cv2.ORB.create(options.features)
    (points, marks), (other_points, other_marks) = orb.detectAndCompute(before, None), orb.detectAndCompute(now, None)
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
    size = float(np.sqrt(abs(np.linalg.det(similarity[:, :2]))))
    if not 1 / options.stretch < size < options.stretch:
        return None
    return np.asarray(view, np.float64)
