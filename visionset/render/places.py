"""Places for cards of the samples: rows laid by hand, chains that overlap, cards strewn over what the camera sees."""

from __future__ import annotations

import numpy as np

from visionset.geometry import Floats, apply
from visionset.render.layouts import Place
from visionset.render.viewpoint import Viewpoint

TRIES = 4000
"""Attempts to find room; far more than a picture has room for cards."""

MARGIN_MM = 12.0
"""Least distance of a strewn card from the picture's edge."""


def grid(
    rng: np.random.Generator, rows: int, columns: int, pitch_mm: tuple[float, float], turn_deg: float, shift_mm: float, wobble_deg: float
) -> list[Place]:
    """Rows and columns about the table's origin, each card off by about `shift_mm` and `wobble_deg`, some upside down."""
    places = []
    for row in range(rows):
        for column in range(columns):
            x, y = (column - (columns - 1) / 2) * pitch_mm[0], (row - (rows - 1) / 2) * pitch_mm[1]
            dx, dy = np.clip(rng.normal(0, shift_mm, 2), -2 * shift_mm, 2 * shift_mm)
            turn = np.radians(turn_deg + rng.normal(0, wobble_deg)) + np.pi * rng.integers(2)
            places.append(Place(float(x + dx), float(y + dy), float(turn)))
    return places


def _corners(place: Place, card_mm: tuple[float, float], margin_mm: float) -> Floats:
    half = (np.array(card_mm) / 2 + margin_mm) * [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]]
    return apply(place.table_from_card(), half)


def _inside(view: Viewpoint, points_mm: Floats) -> bool:
    seen = apply(view.image_from_table, points_mm)
    width, height = view.size_px
    return bool(np.all(seen >= 0) and np.all(seen <= [width - 1, height - 1]))


def _apart(place: Place, others: list[Place], card_mm: tuple[float, float], gap_mm: float) -> bool:
    """Whether two turned rectangles keep a gap: some side of one of them parts them."""
    mine = _corners(place, card_mm, gap_mm / 2)
    for other in others:
        theirs = _corners(other, card_mm, gap_mm / 2)
        axes = [p for q in (mine, theirs) for p in (q[1] - q[0], q[2] - q[1])]
        if not any((mine @ a).max() < (theirs @ a).min() or (theirs @ a).max() < (mine @ a).min() for a in axes):
            return False
    return True


def strewn(rng: np.random.Generator, view: Viewpoint, card_mm: tuple[float, float], count: int) -> list[Place]:
    """Any place that the camera sees and any turn, no two touching; spread evenly over the picture."""
    table_from_image = np.asarray(np.linalg.inv(view.image_from_table), np.float64)
    places: list[Place] = []
    for _ in range(TRIES):
        spot = apply(table_from_image, rng.uniform(0, 1, (1, 2)) * view.size_px)[0]
        place = Place(float(spot[0]), float(spot[1]), float(rng.uniform(0, 2 * np.pi)))
        if _inside(view, _corners(place, card_mm, MARGIN_MM)) and _apart(place, places, card_mm, 8.0):
            places.append(place)
        if len(places) == count:
            break
    return places


def chains(rng: np.random.Generator, view: Viewpoint, card_mm: tuple[float, float], count: int, length: int) -> list[Place]:
    """Rows of cards in which each covers up to a third of the one before; rows do not touch one another."""
    places: list[Place] = []
    for _ in range(TRIES):
        first, *_ = strewn(rng, view, card_mm, 1)
        chain = [first]
        for _ in range(int(rng.integers(1, length))):
            before, axis = chain[-1], int(rng.integers(2))
            step = rng.uniform(0.7, 0.92) * card_mm[axis] * (1 if rng.random() < 0.5 else -1)
            aside = rng.uniform(-0.15, 0.15) * card_mm[1 - axis]
            shift = np.array([[step, aside] if axis == 0 else [aside, step]])
            x, y = apply(before.table_from_card(), shift)[0]
            chain.append(Place(float(x), float(y), before.turn_rad + float(rng.normal(0, 0.07))))
        fits = all(_inside(view, _corners(p, card_mm, MARGIN_MM)) and _apart(p, places, card_mm, 6.0) for p in chain)
        folded = len(chain) == 3 and not _apart(chain[2], chain[:1], card_mm, 2.0)
        if fits and not folded:
            places += chain
            count -= 1
        if count == 0:
            break
    return places
