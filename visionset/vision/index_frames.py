"""Where indices of playing cards may lie: in the corners of a card, and a step from those of its neighbours."""

from __future__ import annotations

import numpy as np

from visionset.geometry import Floats

_INDEX = np.array([[0.03, 0.025], [0.16, 0.025], [0.16, 0.22], [0.03, 0.22]])
"""Where packs print a standard index, as shares of a card's width and height."""


def own_indices(cards: Floats) -> Floats:
    """Where packs print the two indices of cards, shape (n, 4, 2) to (2 n, 4, 2)."""
    x, y = np.concatenate([_INDEX, 1 - _INDEX]).T
    weights = np.stack([(1 - x) * (1 - y), x * (1 - y), x * y, (1 - x) * y], axis=1)
    return np.asarray(weights @ cards).reshape(-1, 4, 2)


def indices_like(sure_px: Floats, places: Floats) -> Floats:
    """Quads like the nearest of some indices, shape (m, 4, 2): at some places, shape (n, 2), and one step on.

    A step leads from an index to its nearest; before it, beyond that, and halfway there may be another. Shape (k, 4, 2).
    """
    if len(sure_px) < 2:
        return sure_px[:0]
    center = sure_px.mean(axis=1)
    apart = np.linalg.norm(center[:, None] - center[None], axis=2)
    np.fill_diagonal(apart, np.inf)
    step = center[apart.argmin(axis=1)] - center
    places = np.concatenate([places, center - step, center + 2 * step, center + step / 2])
    nearest = np.linalg.norm(places[:, None] - center[None], axis=2).argmin(axis=1)
    return np.asarray(places[:, None] + (sure_px - center[:, None])[nearest])
