"""Dice of one table lie on its plane: their top faces are seen from one side, their side faces are not.

The half axes u, v of a square on the table are images of two perpendicular vectors of one length, so u u^T + v v^T is the
same for every top face however it is turned: the shape of the view, times the square of the size. A side face stands
on the table, and its product differs. Across the picture the shape changes slowly. Top faces
are also lit alike, which is worth knowing of dice of one white.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from visionset.geometry import Floats
from visionset.vision.judging import DOUBT, ENOUGH_FOR_TREND, LIKELY, ROUNDS, design_matrix
from visionset.vision.quads import areas, distances, half_axes, long_sides, parallelograms, shapes, shared

FEW_DICE = 3
"""Fewer likely dice show no common view of the table; from `ENOUGH_FOR_TREND` on the view may change across the picture."""

_SPREAD = 0.25
"""Standard deviation of a top face's `shapes` about the common one (logarithm of a ratio of axes); of anything else it is 1. Two quads may
be two faces of one die where they touch and their `shapes` differ by more."""

_TOUCH = 0.3
"""Two quads touch where they share a side, its ends on average nearer than this share of a side."""

_SURELY = 3.0
"""Log odds above which a face is a top face whatever it touches: near a camera two dice that touch are seen differently."""

_LIGHT, _OTHER_LIGHT = 0.06, 0.5
"""Standard deviations of the logarithm of brightness, about that of the top faces nearby: of a top face, and of anything else."""

_REACH = 1.6
"""The middles of a top face and of a side face below it are nearer than this, in roots of the area of one of them."""


def as_seen_at(centers: Floats, known: Floats) -> tuple[Floats, Floats]:
    """Quads of dice as they would look at other places, shape (n, 2), given at least one known top face of the table, shape (m, 4, 2).

    Each is like the nearest known one; first turned as that, then turned by 45 degrees on the table: shape (n, 4, 2) each.
    """
    u, v = half_axes(known[distances(centers, known.mean(axis=1)).argmin(axis=1)])
    return parallelograms(centers, u, v), parallelograms(centers, np.sqrt(0.5) * (u + v), np.sqrt(0.5) * (v - u))


def top_evidence(quads: Floats, sure: Floats) -> Floats:
    """Log likelihood ratios of each quad's `shapes`, top face of this table to anything else, shape (n,); 0 where too few dice are likely.

    `sure` is the probability that each quad is a rightly read die.
    """
    known = sure >= LIKELY
    if np.count_nonzero(known) < FEW_DICE:
        return np.zeros(len(quads))
    shape = shapes(quads)
    off = np.linalg.norm(shape - _common(shape, quads, np.where(known, sure, 0.0), [_SPREAD] * ROUNDS), axis=1)
    own = -0.5 * (off / _SPREAD) ** 2 - 2 * np.log(_SPREAD)
    other = -0.5 * off**2
    return np.asarray(own - other)


def light_evidence(quads: Floats, white: Floats, sure: Floats) -> Floats:
    """Log likelihood ratios, 0 or less, of each quad's brightness, top face to anything else, where all dice are of one white; shape (n,).

    Top faces all face one way, so that lamps light them alike; side faces face others. A side face may happen to be as bright as the top
    faces nearby, so that brightness speaks against a face but never for it.
    """
    known = sure >= LIKELY
    if np.count_nonzero(known) < ENOUGH_FOR_TREND:
        return np.zeros(len(quads))
    light = np.log(white)[:, None]
    weight = np.where(known, sure, 0.0)
    # a fit that starts wide follows light that falls off across the table, a narrow one ignores a few faces of another brightness:
    # the one that more faces agree with is taken
    fits = [
        np.abs(light - _common(light, quads, weight, spreads))[:, 0]
        for spreads in ([_LIGHT] * ROUNDS, np.geomspace(_OTHER_LIGHT, _LIGHT, ROUNDS).tolist())
    ]
    off = max(fits, key=lambda off: float(weight @ np.exp(-0.5 * (off / _LIGHT) ** 2)))
    return np.clip(_light_ratio(off), -DOUBT, 0)


def contrast_evidence(quads: Floats, white: Floats, sure: Floats) -> Floats:
    """Log likelihood ratios, 0 or less, of each quad's brightness beside a likely top face that it touches from below; shape (n,).

    Top faces of dice that lie side by side are lit alike; a side face is seen in another light than its own top face. Of several above, the
    one that is most alike counts.
    """
    light, center, side = np.log(white), quads.mean(axis=1), np.sqrt(areas(quads))
    is_above = center[None, :, 1] < center[:, None, 1]
    near = distances(center, center) < _REACH * side[:, None]
    evidence = np.full(len(quads), -np.inf)
    for face, above in np.argwhere(is_above & near & (sure >= LIKELY)[None]):
        if _touch(quads[face], quads[above], _TOUCH * float(side[face])):
            evidence[face] = max(evidence[face], _light_ratio(abs(light[face] - light[above])))
    return np.where(np.isneginf(evidence), 0.0, np.clip(evidence, -DOUBT, 0))


def _light_ratio(off: Floats) -> Floats:
    """Log likelihood ratio, top face to anything else, given the differences of log brightness from top faces, shape (n,)."""
    own = -0.5 * (off / _LIGHT) ** 2 - np.log(_LIGHT)
    other = -0.5 * (off / _OTHER_LIGHT) ** 2 - np.log(_OTHER_LIGHT)
    return np.asarray(own - other)


def side_evidence(quads: Floats, odds: Floats, sure: Floats, overlap: float) -> Floats:
    """`-DOUBT` for each quad that lies where a die with greater log odds shows a side face, 0 for others; shape (n,).

    The median shape of likely top faces tells from which slant the camera looks, and so how high side faces look and on which side of the
    top face they are. A quad lies on such a side face where their intersection over union is more than `overlap`.
    """
    beside = np.zeros(len(quads))
    known = sure >= LIKELY
    if not known.any():
        return beside
    across, turned = np.median(shapes(quads[known]), axis=0)
    low, turn = float(np.exp(-np.hypot(across, turned))), 0.5 * np.arctan2(turned, across)
    down = np.array([-np.sin(turn), np.cos(turn)])
    area, center, after = areas(quads), quads.mean(axis=1), [1, 2, 3, 0]
    foot = quads + np.sqrt(area * (1 / low - low))[:, None, None] * down
    faces = np.stack([quads, quads[:, after], foot[:, after], foot], axis=2)
    is_seen = ((quads + quads[:, after]) / 2 - center[:, None]) @ down > 0
    near = distances(center, center) < _REACH * np.sqrt(area)
    for one, other in np.argwhere((odds[:, None] < odds[None]) & near):
        for face in faces[other][is_seen[other]]:
            whole = area[one] + areas(face[None])[0]
            common = shared(quads[one], face) * min(area[one], whole - area[one])
            if common > overlap * (whole - common):
                beside[one] = -DOUBT
    return beside


def _common(values: Floats, quads: Floats, weight: Floats, spreads: Sequence[float]) -> Floats:
    """The value that top faces have at each quad's place, shape (n, k): a robust linear fit over the picture to `values`, shape (n, k).

    It starts at the value with which most weight agrees. Each step, a weighted least squares, counts values that are off by more than about
    the next of `spreads` less.
    """
    alike = np.exp(-0.5 * (distances(values, values) / spreads[0]) ** 2)
    common = np.broadcast_to(values[int((alike @ weight * (weight > 0)).argmax())], values.shape)
    known = weight > 0
    columns = design_matrix(quads, known)
    for spread in spreads:
        off = np.linalg.norm(values - common, axis=1) / spread
        robust = np.sqrt(weight / (1 + off**4))[:, None]
        common = columns @ np.linalg.lstsq(columns * robust, values * robust, rcond=None)[0]
    return common


def tops(quads: Floats, odds: Floats) -> NDArray[np.bool_]:
    """Which clockwise quads are kept, shape (n,): of two faces of one die the likelier top face, and the other only if surely one too."""
    kept = np.ones(len(quads), dtype=bool)
    shape, center = shapes(quads), quads.mean(axis=1)
    side = long_sides(quads)
    differ = distances(shape, shape) > _SPREAD
    near = distances(center, center) < 1.2 * np.maximum(side[:, None], side[None])
    for one, other in np.argwhere(np.triu(differ & near, 1)):
        if not _touch(quads[one], quads[other], _TOUCH * float(min(side[one], side[other]))):
            continue
        lead = odds[one] - odds[other] + DOUBT * np.sign(center[other, 1] - center[one, 1])
        out = other if lead >= 0 else one
        kept[out] &= odds[out] > _SURELY
    return kept


def _touch(one: Floats, other: Floats, reach_px: float) -> bool:
    """Whether two clockwise quads have a side in common."""
    apart, after = distances(one, other), [1, 2, 3, 0]
    return bool((apart[:, after] + apart[after] < 2 * reach_px).any())
