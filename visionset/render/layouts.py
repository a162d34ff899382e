"""Where cards lie: grids, tight grids, scatters, overlaps and fans, in table millimetres."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from visionset.geometry import Floats


@dataclass(frozen=True, slots=True)
class Place:
    """Centre in millimetres and turn in radians of one card; later places lie on top of earlier ones."""

    x_mm: float
    y_mm: float
    turn_rad: float

    def table_from_card(self) -> Floats:
        """Rigid mapping as a 3 x 3 homography."""
        cos, sin = np.cos(self.turn_rad), np.sin(self.turn_rad)
        return np.array([[cos, -sin, self.x_mm], [sin, cos, self.y_mm], [0.0, 0.0, 1.0]])


def grid(rng: np.random.Generator, reach_mm: float, card_mm: tuple[float, float], tight: bool = False) -> list[Place]:
    """Rows and columns, laid by hand or pushed together."""
    gap = rng.uniform(0, 1.5) if tight else rng.uniform(2, 35)
    jitter = rng.uniform(0, 0.6) if tight else rng.uniform(0, 6)
    wobble = rng.uniform(0, 0.006) if tight else rng.uniform(0, 0.12)
    width, height = card_mm if rng.random() < 0.5 else card_mm[::-1]
    turn = 0.0 if width < height else np.pi / 2
    columns, rows = int(2 * reach_mm / (width + gap)) + 1, int(2 * reach_mm / (height + gap)) + 1
    columns, rows = int(rng.integers(1, max(2, columns + 1))), int(rng.integers(1, max(2, rows + 1)))
    shift = rng.normal(0, 8, 2)
    places = []
    for row in range(rows):
        for column in range(columns):
            if rng.random() < 0.06:
                continue
            at = np.array([(column - (columns - 1) / 2) * (width + gap), (row - (rows - 1) / 2) * (height + gap)])
            at = at + shift + rng.normal(0, jitter, 2)
            swap = np.pi / 2 if not tight and rng.random() < 0.03 else 0.0
            places.append(Place(float(at[0]), float(at[1]), float(turn + swap + rng.normal(0, wobble) + np.pi * rng.integers(2))))
    return places


def scatter(rng: np.random.Generator, reach_mm: float, card_mm: tuple[float, float], overlap: float = 0.0) -> list[Place]:
    """Any place, any turn; centres at least a card apart, less `overlap`."""
    apart = (1 - overlap) * rng.uniform(0.75, 1.1) * float(np.hypot(*card_mm)) * 0.85
    places: list[Place] = []
    for _ in range(int(rng.integers(3, 60))):
        x, y = rng.uniform(-reach_mm, reach_mm, 2)
        if all((x - p.x_mm) ** 2 + (y - p.y_mm) ** 2 > apart**2 for p in places):
            places.append(Place(float(x), float(y), float(rng.uniform(0, 2 * np.pi))))
    return places


def overlapping(rng: np.random.Generator, reach_mm: float, card_mm: tuple[float, float]) -> list[Place]:
    """Pairs and chains in which a card covers up to a third of the next."""
    places: list[Place] = []
    for start in scatter(rng, reach_mm, (card_mm[0] * 1.6, card_mm[1] * 1.6)):
        places.append(start)
        for _ in range(int(rng.integers(0, 3))):
            before = places[-1]
            along = rng.uniform(0, 2 * np.pi)
            step = rng.uniform(0.62, 1.0) * card_mm[int(rng.random() < 0.5)]
            turn = before.turn_rad + rng.normal(0, 0.4)
            places.append(Place(before.x_mm + step * np.cos(along), before.y_mm + step * np.sin(along), float(turn)))
    return places


def one(rng: np.random.Generator, reach_mm: float, card_mm: tuple[float, float]) -> list[Place]:
    """A single card near the middle."""
    return [Place(float(rng.normal(0, reach_mm / 4)), float(rng.normal(0, reach_mm / 4)), float(rng.uniform(0, 2 * np.pi)))]


LAYOUTS: tuple[tuple[float, Callable[[np.random.Generator, float, tuple[float, float]], list[Place]]], ...] = (
    (0.42, grid),
    (0.13, lambda rng, reach_mm, card_mm: grid(rng, reach_mm, card_mm, tight=True)),
    (0.25, scatter),
    (0.15, overlapping),
    (0.05, one),
)
"""Share and maker of each layout; shares sum to 1."""


def layout(rng: np.random.Generator, reach_mm: float, card_mm: tuple[float, float]) -> list[Place]:
    """One of `LAYOUTS` within about `reach_mm` of the middle, turned as a whole."""
    pick = rng.choice(len(LAYOUTS), p=[share for share, _ in LAYOUTS])
    places = LAYOUTS[pick][1](rng, reach_mm, card_mm)
    turn = rng.normal(0, 0.15) if rng.random() < 0.5 else rng.uniform(0, 2 * np.pi)
    cos, sin = np.cos(turn), np.sin(turn)
    return [Place(float(cos * p.x_mm - sin * p.y_mm), float(sin * p.x_mm + cos * p.y_mm), float(p.turn_rad + turn)) for p in places]
