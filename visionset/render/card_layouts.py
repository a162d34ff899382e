"""How playing cards lie: columns of a solitaire, fans, overlapping rows and piles; later cards lie on earlier ones."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from visionset.render.layouts import Place, layout


@dataclass(frozen=True, slots=True)
class Slot:
    """Where one card lies, and whether its face is up."""

    place: Place
    face_up: bool = True


def columns(rng: np.random.Generator, reach_mm: float, card_mm: tuple[float, float]) -> list[Slot]:
    """Columns in which each card leaves a strip of the one before, face-down ones first."""
    width, height = card_mm
    pitch = width * rng.uniform(1.03, 1.5)
    down, up = height * rng.uniform(0.03, 0.14), height * rng.uniform(0.12, 0.33)
    count = max(1, int(2 * reach_mm / pitch))
    slots = []
    for column in range(count):
        if rng.random() < 0.1:
            continue
        x, y = (column - (count - 1) / 2) * pitch, -rng.uniform(0.2, 0.9) * reach_mm
        turn = rng.normal(0, 0.02)
        hidden, shown = int(rng.integers(0, 5)) * (rng.random() < 0.6), int(rng.integers(1, 7))
        for at in range(hidden + shown):
            slots.append(Slot(Place(float(x + rng.normal(0, 1)), float(y), float(turn + rng.normal(0, 0.015))), at >= hidden))
            y += down if at < hidden else up
    return slots


def fan(rng: np.random.Generator, reach_mm: float, card_mm: tuple[float, float]) -> list[Slot]:
    """One or more hands spread about a pivot below the cards."""
    slots = []
    for _ in range(int(rng.integers(1, 4))):
        pivot = rng.uniform(-0.5, 0.5, 2) * reach_mm
        radius = card_mm[1] * rng.uniform(0.5, 1.8)
        step = rng.uniform(0.08, 0.5) * (1 if rng.random() < 0.8 else -1)
        start, count = rng.uniform(0, 2 * np.pi), int(rng.integers(2, 9))
        for at in range(count):
            turn = start + (at - (count - 1) / 2) * step + rng.normal(0, 0.02)
            x, y = pivot + radius * np.array([np.sin(turn), -np.cos(turn)])
            slots.append(Slot(Place(float(x), float(y), float(turn))))
    return slots


def overlapping_row(rng: np.random.Generator, reach_mm: float, card_mm: tuple[float, float]) -> list[Slot]:
    """Rows in which each card leaves a strip of the one before, or a gap."""
    width, height = card_mm
    slots = []
    rows = max(1, int(rng.integers(1, max(2, 1 + int(2 * reach_mm / (1.1 * height))))))
    for row in range(rows):
        step = width * rng.uniform(0.22, 1.2) * (1 if rng.random() < 0.8 else -1)
        count = int(rng.integers(2, 9))
        y = (row - (rows - 1) / 2) * height * 1.15
        for at in range(count):
            place = Place(float((at - (count - 1) / 2) * step), float(y + rng.normal(0, 2)), float(rng.normal(0, 0.04)))
            slots.append(Slot(place))
    return slots


def pile(rng: np.random.Generator, reach_mm: float, card_mm: tuple[float, float]) -> list[Slot]:
    """Cards dropped on each other."""
    slots = []
    for _ in range(int(rng.integers(1, 4))):
        x, y = rng.uniform(-0.6, 0.6, 2) * reach_mm
        for _ in range(int(rng.integers(2, 6))):
            away = rng.normal(0, 0.3, 2) * card_mm[1]
            slots.append(Slot(Place(float(x + away[0]), float(y + away[1]), float(rng.uniform(0, 2 * np.pi)))))
    return slots


def apart(rng: np.random.Generator, reach_mm: float, card_mm: tuple[float, float]) -> list[Slot]:
    """Grids, scatters and chains, as SET cards lie."""
    return [Slot(place, bool(rng.random() > 0.06)) for place in layout(rng, reach_mm, card_mm)]


LAYOUTS: tuple[tuple[float, Callable[[np.random.Generator, float, tuple[float, float]], list[Slot]]], ...] = (
    (0.5, apart),
    (0.2, columns),
    (0.12, fan),
    (0.12, overlapping_row),
    (0.06, pile),
)
"""Share and maker of each layout."""


def card_layout(rng: np.random.Generator, reach_mm: float, card_mm: tuple[float, float]) -> Sequence[Slot]:
    """One of `LAYOUTS` within about `reach_mm` of the middle; all face down at times."""
    pick = rng.choice(len(LAYOUTS), p=[share for share, _ in LAYOUTS])
    slots = LAYOUTS[pick][1](rng, reach_mm, card_mm)
    if rng.random() < 0.06:
        slots = [Slot(slot.place, bool(rng.random() < 0.3)) for slot in slots]
    return slots
