"""Tell from which side of the picture a camera looked at dice: their reader knows them from below, as people take pictures.

Above a top face that is cut upright lies the table, above a side face its top face. Cut from a wrong side, a top face looks less like one,
and a side face more. So each place where a die may lie is cut from all sides of the picture that its slant leaves possible, and votes for
one of them. The finder too sees top faces better from below, so that the whole picture is turned.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from visionset.geometry import Floats, as_quad, outlines_of
from visionset.kinds import DICE
from visionset.table import Sighting
from visionset.vision.dice import NOTHING, read_dice
from visionset.vision.engine import logit
from visionset.vision.finder import Proposals
from visionset.vision.judging import LIKELY, OTHER_SIZE, SURE, surely_named
from visionset.vision.patches import Pyramid
from visionset.vision.quads import areas, inside, quarter_turned, shapes

_SLANT = 0.06
"""Median of log(width / height) of dice from which they show a slant: squares on a table that is seen at a slant look wider than high, or
higher than wide if the picture was turned by a quarter or narrowed. Upright rendered tables seldom reach -0.04."""

_MOST_ASKED = 16
"""Places that are asked at most, the likeliest dice: each is read up to four times, and a tablecloth may look like hundreds."""

_GROWTH, _UNLIKE = 0.5, 0.05
"""Standard deviations of log sizes. `_GROWTH`: over all views, of how much dice grow towards the camera over the longer side of the picture
(prior of the slope). `_UNLIKE`: between dice that lie in one place, at least."""

_AWAY = 3.0
"""Standard deviations by which dice must look smaller towards a side for the camera surely not to be there."""

_TOWARDS = np.array([[0, 1], [-1, 0], [0, -1], [1, 0]])
"""Direction (x, y) towards the camera in a picture that should be turned by 0, 1, 2 or 3 quarters anticlockwise."""


def quarters_for_dice(picture: Pyramid, dice: Proposals, sightings: list[Sighting], likely: float) -> int:
    """By how many quarters, anticlockwise, to turn the picture so that dice are seen from below, as their reader knows them; 0 to 3.

    `dice` are what the finder proposes, best first, and `likely` the score from which they are likely. 0 without a closer look where all
    likely dice are surely read, unless `wrong_quarters` tell that the camera is not below; and where no die is read, and no more likely
    ones were missed than cards are surely named. A likely die within a card that is no larger than a die counts as missed.
    """
    read = [one for one in sightings if one.kind in DICE]
    begun_px, seen_px = dice.pick(dice.score >= likely).quads()[:_MOST_ASKED], outlines_of(sightings)
    explains = np.array([one.kind in DICE for one in sightings], np.bool_) | (areas(seen_px) > OTHER_SIZE * areas(begun_px)[:, None])
    missed_px = begun_px[~(inside(begun_px.mean(axis=1), seen_px) & explains).any(axis=1)]
    likely_px = _likely_px(read)
    if not len(likely_px) and len(missed_px) <= len(surely_named([one for one in sightings if one.kind not in DICE])):
        return 0
    wrong = wrong_quarters(likely_px, max(picture[0].shape))
    if not len(missed_px) and all(one.confidence >= SURE for one in read) and (wrong[2] or not wrong.any()):
        return 0
    # where dice were read, their reader has moved the corners to what looks like a top face from below
    return voted_quarters(picture, dice.quads()[:_MOST_ASKED] if len(dice) else likely_px, wrong)


def _likely_px(sightings: list[Sighting]) -> Floats:
    """Outlines of the dice that were read with `LIKELY` or more, shape (n, 4, 2): well enough to tell from where they are seen."""
    return outlines_of([one for one in sightings if one.kind in DICE and one.confidence >= LIKELY])


def are_surer(beside: list[Sighting], upright: list[Sighting], longest_px: int) -> bool:
    """Whether to take the reading of the turned picture, `beside`: its dice are surer on average than those of the `upright` one.

    Seen from a wrong side most dice are less sure. Where `wrong_quarters` tell that the camera surely is not below the upright picture,
    whose longer side is `longest_px`, the turned one is taken however sure.
    """
    there, here = (_mean_log_odds([one.confidence for one in seen if one.kind in DICE]) for seen in (beside, upright))
    return there > here or bool(np.isfinite(there) and wrong_quarters(_likely_px(upright), longest_px)[0])


def _mean_log_odds(confidences: list[float]) -> float:
    """Mean log odds; minus infinity of none."""
    return float(logit(np.array(confidences)).mean()) if confidences else -np.inf


def wrong_quarters(dice_px: Floats, longest_px: int) -> NDArray[np.bool_]:
    """Which turns, by 0 to 3 quarters anticlockwise, are surely wrong since dice look smaller towards that side; shape (4,).

    A plane is fitted to the log sizes of dice, shape (n, 4, 2), over the picture, whose longer side is `longest_px`: Bayesian linear
    regression with the prior `_GROWTH` of its slope, so that few dice, or dice of unlike sizes, rule out nothing.
    """
    if not len(dice_px):
        return np.zeros(4, np.bool_)
    place, size = dice_px.mean(axis=1) / longest_px, np.log(np.maximum(areas(dice_px), 1.0)) / 2
    place, size, spread = place - place.mean(axis=0), size - size.mean(), _UNLIKE
    for _ in range(3):
        certain = place.T @ place / spread**2 + np.eye(2) / _GROWTH**2
        growth = np.linalg.solve(certain, place.T @ size) / spread**2
        spread = max(_UNLIKE, float(np.sqrt(np.mean((size - place @ growth) ** 2))))
    doubt = np.sqrt(np.einsum("ki,ij,kj->k", _TOWARDS, np.linalg.inv(certain), _TOWARDS))
    return np.asarray(_TOWARDS @ growth < -_AWAY * doubt)


def voted_quarters(picture: Pyramid, quads: Floats, wrong: NDArray[np.bool_]) -> int:
    """By how many quarters, anticlockwise, to turn the picture for the reader of dice, by a vote of quads, shape (n, 4, 2), n > 0.

    Each quad is cut from all sides that the slant and `wrong` (`wrong_quarters`) leave possible, and votes for the one from which it looks
    most like a die, if it does from any.
    """
    wider = float(np.median(shapes(quads)[:, 0]))
    is_beside = wider < -_SLANT and not wrong[[0, 2]].any()  # else a picture as high as that is a narrowed one
    possible = [turn for turn in ((0, 2) if wider > _SLANT else (1, 3) if is_beside else range(4)) if not wrong[turn]]
    nothing = np.stack([read_dice(picture, quads, quarters=turn).kind[:, NOTHING] for turn in possible])
    votes = np.bincount(nothing.argmin(axis=0)[2 * nothing.min(axis=0) < 1], minlength=len(possible))
    return possible[int(votes.argmax())]


def turned_back(sightings: list[Sighting], quarters: int, image_bgr: NDArray[np.uint8]) -> list[Sighting]:
    """Sightings in the picture turned by so many quarters, with their outlines in the picture itself, `image_bgr`."""
    ends_px = quarter_turned(np.array([[0.0, 0.0], image_bgr.shape[1::-1]]) - [[0.0], [1.0]], quarters)
    return [replace(one, outline_px=as_quad(quarter_turned(one.outline_px + ends_px.min(axis=0), 4 - quarters))) for one in sightings]
