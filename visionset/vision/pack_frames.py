"""Where playing cards and their indices may lie: as the next card is seen, in the corners of a card, a step from another index."""

from __future__ import annotations

import numpy as np

from visionset.geometry import Floats, rectangle
from visionset.vision.quads import CARD_ASPECT, bilinear_weights, distances, half_axes

_INDEX = rectangle(0.03, 0.025, 0.16, 0.22)
"""Where packs print a standard index, as shares of a card's width and height."""


def own_indices(cards: Floats) -> Floats:
    """Where packs print the two indices of cards, shape (n, 4, 2) to (2 n, 4, 2)."""
    return np.asarray(bilinear_weights(*np.concatenate([_INDEX, 1 - _INDEX]).T) @ cards).reshape(-1, 4, 2)


def indices_like(sure_px: Floats, places: Floats) -> Floats:
    """Frames for more indices, each like the nearest of the sure ones, shape (m, 4, 2): around `places`, shape (n, 2), and one step on.

    A step leads from a sure index to the nearest other one: tried are a step back, a step beyond the other, and halfway. Shape
    (n + 3 m, 4, 2); none where fewer than two are sure.
    """
    if len(sure_px) < 2:
        return sure_px[:0]
    center = sure_px.mean(axis=1)
    apart = distances(center, center)
    np.fill_diagonal(apart, np.inf)
    step = center[apart.argmin(axis=1)] - center
    places = np.concatenate([places, center - step, center + 2 * step, center + step / 2])
    nearest = distances(places, center).argmin(axis=1)
    return np.asarray(places[:, None] + (sure_px - center[:, None])[nearest])


def cards_like(sure_px: Floats, starts: Floats) -> Floats:
    """Frames for more cards around the middles of `starts`, shape (n, 4, 2), each as large as the nearest sure card, (m, 4, 2), m > 0.

    First n frames that lie along their starts on the table, then n that lie across: shape (2 n, 4, 2).
    """
    center = starts.mean(axis=1)
    nearest = sure_px[distances(center, sure_px.mean(axis=1)).argmin(axis=1)]
    down, across = half_axes(nearest)
    unit = np.stack([across, down * CARD_ASPECT], axis=2)  # a square on the table, as columns
    along = np.asarray(np.linalg.solve(unit, half_axes(starts)[0][..., None]), np.float64)
    along = along / np.linalg.norm(along, axis=1, keepdims=True)
    aside = np.concatenate([along[:, 1:], -along[:, :1]], axis=1)
    return np.concatenate([_frames(center, unit, aside, along), _frames(center, unit, along, -aside)])


def _frames(center: Floats, unit: Floats, short: Floats, long: Floats) -> Floats:
    """Cards whose sides lie in these directions on the table, columns of shape (n, 2, 1) in `unit`, shape (n, 2, 2)."""
    u, v = (unit @ short)[..., 0], (unit @ long)[..., 0] / CARD_ASPECT
    return np.stack([center - u - v, center + u - v, center + u + v, center - u + v], axis=1)
