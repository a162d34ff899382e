"""Where dice lie: thrown, pushed together, in rows and in crossword grids; table millimetres, no two in one place."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from visionset.render.layouts import Place

_DIAGONAL = 1.42


def _turned(places: Sequence[tuple[float, float, float]], turn: float) -> list[Place]:
    cos, sin = np.cos(turn), np.sin(turn)
    return [Place(float(cos * x - sin * y), float(sin * x + cos * y), float(a + turn)) for x, y, a in places]


def thrown(rng: np.random.Generator, reach_mm: float, side_mm: float, count: int) -> list[Place]:
    """Any place, any turn, none in another; some nearly touch."""
    places: list[Place] = []
    for _ in range(8 * count):
        x, y = rng.uniform(-reach_mm, reach_mm, 2)
        if places and rng.random() < 0.4:  # dice come to rest beside others
            friend = places[int(rng.integers(len(places)))]
            way = rng.uniform(0, 2 * np.pi)
            apart = side_mm * rng.uniform(1.05, 1.8)
            x, y = friend.x_mm + apart * np.cos(way), friend.y_mm + apart * np.sin(way)
        turn = rng.uniform(0, 2 * np.pi)
        if all(_free(x, y, turn, other, side_mm) for other in places):
            places.append(Place(float(x), float(y), float(turn)))
        if len(places) == count:
            break
    return places


def _free(x: float, y: float, turn: float, other: Place, side_mm: float) -> bool:
    """Two squares do not meet, by the separating axes of both."""
    apart = float(np.hypot(x - other.x_mm, y - other.y_mm))
    if apart >= _DIAGONAL * side_mm or apart < side_mm:
        return apart >= side_mm
    reach = side_mm / 2 * (1 + abs(np.cos(turn - other.turn_rad)) + abs(np.sin(turn - other.turn_rad)))
    for angle in (turn, turn + np.pi / 2, other.turn_rad, other.turn_rad + np.pi / 2):
        if abs((x - other.x_mm) * np.cos(angle) + (y - other.y_mm) * np.sin(angle)) >= reach:
            return True
    return False


def crossword(rng: np.random.Generator, reach_mm: float, side_mm: float, count: int) -> list[Place]:
    """A connected grid with holes, pushed together by hand."""
    pitch = side_mm * rng.uniform(1.0, 1.07)
    cells = [(0, 0)]
    limit = max(1, int(reach_mm / pitch))
    for _ in range(20 * count):
        if len(cells) == count:
            break
        row, column = cells[int(rng.integers(len(cells)))]
        step = ((0, 1), (1, 0), (0, -1), (-1, 0))[int(rng.integers(4))]
        length = int(rng.integers(1, 4))
        for at in range(1, length + 1):
            cell = (row + at * step[0], column + at * step[1])
            if cell not in cells and max(map(abs, cell)) <= limit and len(cells) < count:
                cells.append(cell)
    loose = rng.uniform(0, 0.012) * side_mm
    spots = [
        (column * pitch + rng.normal(0, loose), row * pitch + rng.normal(0, loose), rng.normal(0, 0.012) + np.pi / 2 * rng.integers(4))
        for row, column in cells
    ]
    return _turned(spots, rng.uniform(0, 2 * np.pi))


def row(rng: np.random.Generator, reach_mm: float, side_mm: float, count: int) -> list[Place]:
    """Beside each other, as rolled dice are put down."""
    pitch = side_mm * rng.uniform(1.0, 2.5)
    spots = [
        ((at - (count - 1) / 2) * pitch, rng.normal(0, 0.03 * side_mm), rng.normal(0, 0.06) + np.pi / 2 * rng.integers(4))
        for at in range(count)
        if abs(at - (count - 1) / 2) * pitch < 1.5 * reach_mm
    ]
    return _turned(spots, rng.uniform(0, 2 * np.pi))


LAYOUTS: tuple[tuple[float, Callable[[np.random.Generator, float, float, int], list[Place]]], ...] = (
    (0.6, thrown),
    (0.28, crossword),
    (0.12, row),
)
"""Share and maker of each layout."""


def die_layout(rng: np.random.Generator, reach_mm: float, side_mm: float, count: int) -> list[Place]:
    """One of `LAYOUTS`, somewhere within about `reach_mm` of the middle."""
    pick = rng.choice(len(LAYOUTS), p=[share for share, _ in LAYOUTS])
    places = LAYOUTS[pick][1](rng, reach_mm, side_mm, count)
    x, y = rng.normal(0, 0.25 * reach_mm, 2) if LAYOUTS[pick][1] is not thrown else (0.0, 0.0)
    return [Place(place.x_mm + float(x), place.y_mm + float(y), place.turn_rad) for place in places]
