"""Tell from which side of the picture a camera looked at dice: their reader knows them from below, as people take pictures.

Above a top face that is cut upright lies the table, above a side face the top one. Cut from a wrong side, a top face looks less like one,
and a side face more. So each place where a die may lie is cut from all sides of the picture that its slant leaves possible, and speaks
for one of them. The finder too shows top faces better from below, so that the whole picture is turned.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from visionset.geometry import Floats, as_quad
from visionset.kinds import DICE
from visionset.table import Sighting
from visionset.vision.dice import NOTHING, read_dice
from visionset.vision.engine import logit
from visionset.vision.finder import Proposals
from visionset.vision.judging import CARD_TO_DIE, LIKELY, SURE, outlines, surely_named
from visionset.vision.patches import Pyramid
from visionset.vision.quads import areas, inside, quarter_turned, shapes

_SLANT = 0.06
"""Logarithm of width by height, of the middle one of the dice, that shows a slant: squares on a table that is seen at a slant look wider
than high, unless the picture was turned by a quarter or narrowed. Upright rendered tables seldom reach -0.04."""

_MOST_ASKED = 16
"""So many places where dice most likely lie tell it: each is read four times, and a tablecloth may look like hundreds."""

_GROWTH, _UNLIKE = 0.5, 0.05
"""How much larger dice look, as a logarithm, over the longer side of a picture towards the camera, as a standard deviation of all views;
and of how large dice are where they lie alike, at least."""

_AWAY = 3.0
"""By so many standard deviations dice must look smaller towards a side for the camera surely not to be there."""

_TOWARDS = np.array([[0, 1], [-1, 0], [0, -1], [1, 0]])
"""Where the camera is in a picture that should be turned by so many quarters against the clock."""


def side_of_dice(picture: Pyramid, dice: Proposals, sightings: list[Sighting], likely: float) -> int:
    """By how many quarters, against the clock, the picture should be turned for dice to be seen from below, as their reader knows them.

    Given what is proposed as dice, best first, and from which score on they are likely. Where all dice that are likely are surely read, it
    does not matter, unless `far_sides` tell that the camera is elsewhere than below; nor where no die is read and as many cards surely
    are as dice are likely beside them. A card no larger than a die may be one.
    """
    read = [one for one in sightings if one.kind in DICE]
    begun_px, seen_px = dice.pick(dice.score >= likely).quads()[:_MOST_ASKED], outlines(sightings)
    explains = np.array([one.kind in DICE for one in sightings], np.bool_) | (areas(seen_px) > CARD_TO_DIE * areas(begun_px)[:, None])
    missed_px = begun_px[~(inside(begun_px.mean(axis=1), seen_px) & explains).any(axis=1)]
    likely_px = _likely_px(read)
    if not len(likely_px) and len(missed_px) <= len(surely_named([one for one in sightings if one.kind not in DICE])):
        return 0
    far = far_sides(likely_px, max(picture[0].shape))
    if not len(missed_px) and all(one.confidence >= SURE for one in read) and (far[2] or not far.any()):
        return 0
    # where dice were read, their reader has moved the corners to what looks like a top face from below
    return side_of_camera(picture, dice.quads()[:_MOST_ASKED] if len(dice) else likely_px, far)


def _likely_px(sightings: list[Sighting]) -> Floats:
    """Outlines of the dice that were read well enough to tell from where they are seen, shape (n, 4, 2)."""
    return outlines([one for one in sightings if one.kind in DICE and one.confidence >= LIKELY])


def are_surer(beside: list[Sighting], upright: list[Sighting], side_px: int) -> bool:
    """Whether dice seen from another side are surer than upright: seen from a wrong side, most are less sure, whatever is found besides.

    Upright ones that surely are not seen from below, in a picture with this longer side, do not win by that: `side_of_camera` has left
    that side out, and some dice tell nothing by how sure they are.
    """
    there, here = (_mean_log_odds([one.confidence for one in seen if one.kind in DICE]) for seen in (beside, upright))
    return there > here or bool(np.isfinite(there) and far_sides(_likely_px(upright), side_px)[0])


def _mean_log_odds(confidences: list[float]) -> float:
    """Of none, what is less than any."""
    least = np.finfo(np.float64).eps
    return float(logit(np.clip(confidences, least, 1 - least)).mean()) if confidences else -np.inf


def far_sides(dice_px: Floats, side_px: int) -> NDArray[np.bool_]:
    """By how many quarters a picture with this longer side surely should not be turned, 0 to 3, shape (4,): dice look larger nearer by.

    The logarithm of their size is fitted by a plane, which is level where few dice, shape (n, 4, 2), or unlike ones tell nothing.
    """
    if not len(dice_px):
        return np.zeros(4, np.bool_)
    place, size = dice_px.mean(axis=1) / side_px, np.log(np.maximum(areas(dice_px), 1.0)) / 2
    place, size, spread = place - place.mean(axis=0), size - size.mean(), _UNLIKE
    for _ in range(3):
        certain = place.T @ place / spread**2 + np.eye(2) / _GROWTH**2
        growth = np.linalg.solve(certain, place.T @ size) / spread**2
        spread = max(_UNLIKE, float(np.sqrt(np.mean((size - place @ growth) ** 2))))
    doubt = np.sqrt(np.einsum("ki,ij,kj->k", _TOWARDS, np.linalg.inv(certain), _TOWARDS))
    return np.asarray(_TOWARDS @ growth < -_AWAY * doubt)


def side_of_camera(picture: Pyramid, quads: Floats, far: NDArray[np.bool_]) -> int:
    """By how many quarters, against the clock, the picture should be turned for the reader of dice; 0 where it stands well.

    Given where dice may lie, one quad at least, shape (n, 4, 2), and which sides are `far_sides`; from a wrong side some are side faces.
    """
    wider = float(np.median(shapes(quads)[:, 0]))
    is_beside = wider < -_SLANT and not far[[0, 2]].any()  # else a picture as high as that is a narrowed one
    sides = [side for side in ((0, 2) if wider > _SLANT else (1, 3) if is_beside else range(4)) if not far[side]]
    nothing = np.stack([read_dice(picture, quads, side=side).kind[:, NOTHING] for side in sides])
    voices = np.bincount(nothing.argmin(axis=0)[2 * nothing.min(axis=0) < 1], minlength=len(sides))
    return sides[int(voices.argmax())]


def turned_back(sightings: list[Sighting], quarters: int, image_bgr: NDArray[np.uint8]) -> list[Sighting]:
    """Sightings of the picture turned by so many quarters, where they lie in the picture itself."""
    ends_px = quarter_turned(np.array([[0.0, 0.0], image_bgr.shape[1::-1]]) - [[0.0], [1.0]], quarters)
    return [replace(one, outline_px=as_quad(quarter_turned(one.outline_px + ends_px.min(axis=0), 4 - quarters))) for one in sightings]
