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
from visionset.vision.judging import ENOUGH, LIKELY, ROUNDS, terms
from visionset.vision.quads import areas, distances, half_axes, long_sides, parallelograms, shapes, shared

FEW = 3
"""Fewer likely dice show no common view; with `ENOUGH` it may change across the picture."""

_SPREAD = 0.25
"""Standard deviation of a top face's shape about the common one (logarithm of a ratio of axes); it is 1 for anything else."""

_TOUCH, _DIFFER = 0.3, 0.3
"""Two faces whose common corners are nearer than `_TOUCH` of a side may be two faces of one die, if their shapes differ by more than
`_DIFFER`."""

UPPER = 2.0
"""How much more likely, as log odds, the upper one in the picture is the top one."""

_SURELY = 3.0
"""A face with greater log odds is no side of its neighbour: near a camera dice that touch are seen differently."""

_LIGHT, _OTHER_LIGHT = 0.06, 0.5
"""Standard deviations of a top face's brightness about that of those nearby, and of anything else's (logarithm)."""

MOST_LIGHT = 2.5
"""Brightness says no more than this against a face: something may cast its shadow there."""

_REACH = 1.6
"""Side faces of a die are looked for so near to it, in roots of the area of its top face."""

_STEPS = 8
"""Where light falls off across the table the fit begins with the spread of anything else and narrows it in this number of steps to how
little top faces side by side differ."""


def as_seen_at(centers: Floats, known: Floats) -> tuple[Floats, Floats]:
    """Quads of dice as they would be seen at other places, shape (n, 2), given a top face of the same table at least.

    At each place one like the nearest, as that stands and turned by an eighth on the table: shape (n, 4, 2) each.
    """
    u, v = half_axes(known[distances(centers, known.mean(axis=1)).argmin(axis=1)])
    return parallelograms(centers, u, v), parallelograms(centers, np.sqrt(0.5) * (u + v), np.sqrt(0.5) * (v - u))


def top_evidence(quads: Floats, sure: Floats) -> Floats:
    """How much more likely each quad's shape is for a top face on this table than for anything else: log likelihood ratios.

    Given how probable it is that each is a rightly read die.
    """
    known = sure >= LIKELY
    if np.count_nonzero(known) < FEW:
        return np.zeros(len(quads))
    shape = shapes(quads)
    off = np.linalg.norm(shape - _common(shape, quads, np.where(known, sure, 0.0), [_SPREAD] * ROUNDS), axis=1)
    own = -0.5 * (off / _SPREAD) ** 2 - 2 * np.log(_SPREAD)
    other = -0.5 * off**2
    return np.asarray(own - other)


def light_evidence(quads: Floats, white: Floats, sure: Floats) -> Floats:
    """How much less likely each quad's brightness is for a top face than for anything else, where all dice are of one white.

    Top faces all face one way, so that lamps light them alike; side faces face others. What is as bright as the top faces nearby may be
    either: log likelihood ratios of 0 or less.
    """
    known = sure >= LIKELY
    if np.count_nonzero(known) < ENOUGH:
        return np.zeros(len(quads))
    light = np.log(white)[:, None]
    weight = np.where(known, sure, 0.0)
    # light that falls off across the table is found from afar, a few faces of another brightness from nearby: what fits more is right
    fits = [
        np.abs(light - _common(light, quads, weight, spreads))[:, 0]
        for spreads in ([_LIGHT] * ROUNDS, np.geomspace(_OTHER_LIGHT, _LIGHT, _STEPS).tolist())
    ]
    off = max(fits, key=lambda off: float(weight @ np.exp(-0.5 * (off / _LIGHT) ** 2)))
    return np.asarray(np.clip(_light_ratio(off), -MOST_LIGHT, 0))


def contrast_evidence(quads: Floats, white: Floats, sure: Floats) -> Floats:
    """How much less likely each quad is a top face for its brightness beside that of a top face above it in the picture which it touches.

    Top faces of dice that lie side by side are lit alike; a side face is seen in another light than its own top face. Where several lie
    above, the one that is most alike counts: log likelihood ratios of 0 or less.
    """
    light, center, side = np.log(white), quads.mean(axis=1), np.sqrt(areas(quads))
    is_above = center[None, :, 1] < center[:, None, 1]
    near = distances(center, center) < _REACH * side[:, None]
    evidence = np.full(len(quads), -np.inf)
    for face, above in np.argwhere(is_above & near & (sure >= LIKELY)[None]):
        if _touch(quads[face], quads[above], _TOUCH * float(side[face])):
            evidence[face] = max(evidence[face], _light_ratio(abs(light[face] - light[above])))
    return np.where(np.isneginf(evidence), 0.0, np.clip(evidence, -MOST_LIGHT, 0))


def _light_ratio(off: Floats) -> Floats:
    """Log likelihood ratio of a top face and anything else, given how far the logarithm of its brightness is off, shape (n,)."""
    own = -0.5 * (off / _LIGHT) ** 2 - np.log(_LIGHT)
    other = -0.5 * (off / _OTHER_LIGHT) ** 2 - np.log(_OTHER_LIGHT)
    return np.asarray(own - other)


def side_evidence(quads: Floats, odds: Floats, sure: Floats, overlap: float) -> Floats:
    """How much less likely each quad is a top face for lying where a likelier die, by log odds, shows a side face: 0 or less.

    The common view of what is surely read tells how high side faces are seen. A quad and one have a share of at least `overlap` in common.
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
                beside[one] = -UPPER
    return beside


def _common(values: Floats, quads: Floats, weight: Floats, spreads: Sequence[float]) -> Floats:
    """What top faces would have in common at each quad's place, shape (n, k): a robust fit that begins where most agree.

    Each step believes what is off by no more than about the next of `spreads`.
    """
    alike = np.exp(-0.5 * (distances(values, values) / spreads[0]) ** 2)
    common = np.broadcast_to(values[int((alike @ weight * (weight > 0)).argmax())], values.shape)
    known = weight > 0
    columns = terms(quads, known)
    for spread in spreads:
        off = np.linalg.norm(values - common, axis=1) / spread
        robust = np.sqrt(weight / (1 + off**4))[:, None]
        common = columns @ np.linalg.lstsq(columns * robust, values * robust, rcond=None)[0]
    return np.asarray(common)


def tops(quads: Floats, odds: Floats) -> NDArray[np.bool_]:
    """Of two clockwise quads that are two faces of one die keep the likelier top one by log odds, and the other if it is surely one too."""
    kept = np.ones(len(quads), dtype=bool)
    shape, center = shapes(quads), quads.mean(axis=1)
    side = long_sides(quads)
    differ = distances(shape, shape) > _DIFFER
    near = distances(center, center) < 1.2 * np.maximum(side[:, None], side[None])
    for one, other in np.argwhere(np.triu(differ & near, 1)):
        if not _touch(quads[one], quads[other], _TOUCH * float(min(side[one], side[other]))):
            continue
        lead = odds[one] - odds[other] + UPPER * np.sign(center[other, 1] - center[one, 1])
        out = other if lead >= 0 else one
        kept[out] &= odds[out] > _SURELY
    return kept


def _touch(one: Floats, other: Floats, reach_px: float) -> bool:
    """Whether two clockwise quads have a side in common."""
    apart, after = distances(one, other), [1, 2, 3, 0]
    return bool((apart[:, after] + apart[after] < 2 * reach_px).any())
