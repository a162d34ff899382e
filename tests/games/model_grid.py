"""Dice in a grid, straight from the rules D1 to D4, D14 and D16: every statement of every WILD is tried.

Written from the rules alone and sharing no line with the package, so that the two can be held against each other: all that
both know is how a face is spelled. A face is three digits, 0 to 2, one for each trait; a WILD is none. Four WILDs have half a
million statements, so these are looked at in arrays.
"""

from __future__ import annotations

import random
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import product

import numpy as np

Face = tuple[int, int, int]
Cell = tuple[int, int]
Window = tuple[Cell, Cell, Cell]

FACES: tuple[Face, ...] = tuple(product(range(3), repeat=3))
WILD = None
_WORDS = (("1", "2", "3"), ("red", "green", "purple"), ("oval", "squiggle", "diamond"))


class Illegal(Exception):
    """What the rules do not allow."""


def allow(is_right: bool) -> None:
    """Raise Illegal unless the rules allow it."""
    if not is_right:
        raise Illegal


def spelled(face: Face | None) -> str:
    """Write ``2-red-oval`` or ``wild`` (D1)."""
    return "wild" if face is WILD else "-".join(words[digit] for words, digit in zip(_WORDS, face, strict=True))


def face_of(name: str) -> Face | None:
    """Read ``2-red-oval`` or ``wild`` (D1)."""
    if name == "wild":
        return WILD
    first, second, third = (words.index(word) for words, word in zip(_WORDS, name.split("-"), strict=True))
    return first, second, third


def can_be_set(*faces: Face | None) -> bool:
    """D3: a WILD stands for any face."""
    return WILD in faces or is_set(*faces)


@cache
def is_set(first: Face, second: Face, third: Face) -> bool:
    """S2, D2: each trait all the same or all different."""
    return all(len({a, b, c}) != 2 for a, b, c in zip(first, second, third, strict=True))


@cache
def completing(first: Face, second: Face) -> Face:
    """D2: for any two dice exactly one third face."""
    (third,) = (face for face in FACES if is_set(first, second, face))
    return third


def windows(cells: Collection[Cell]) -> list[Window]:
    """D4: three side by side in a row or a column."""
    found = []
    for row, col in cells:
        for line in (((row, col), (row, col + 1), (row, col + 2)), ((row, col), (row + 1, col), (row + 2, col))):
            if all(cell in cells for cell in line):
                found.append(line)
    return found


def parts(sets: Collection[Window], touching: bool) -> list[frozenset[Cell]]:
    """D14: the dice that SETs hold together; with `touching`, dice in SETs that lie side by side hold together too."""
    left = {cell for window in sets for cell in window}
    found = []
    while left:
        part: set[Cell] = set()
        edge = {min(left)}
        while edge:
            part |= edge
            near = {other for window in sets if edge & set(window) for other in window}
            if touching:
                near |= {cell for row, col in edge for cell in ((row + 1, col), (row - 1, col), (row, col + 1), (row, col - 1))}
            edge = (near & left) - part
        left -= part
        found.append(frozenset(part))
    return found


@dataclass(frozen=True)
class Ways:
    """What all statements together make of a grid.

    Attributes
    ----------
    used : int
        The most dice that a statement uses; among statements that use the most of those that come first.
    parts : frozenset of frozenset of Cell
        The dice that are used, one entry for each way to use the most.
    """

    used: int
    parts: frozenset[frozenset[Cell]]


_IS_SET = np.array([[[is_set(a, b, c) for c in FACES] for b in FACES] for a in FACES])


def set_patterns(grid: Mapping[Cell, Face | None]) -> frozenset[frozenset[Window]]:
    """Which windows are SETs, once for each way in which all statements of all WILDs can make them."""
    return _patterns(frozenset(grid.items()))


@lru_cache(maxsize=100)
def _patterns(dice: frozenset[tuple[Cell, Face | None]]) -> frozenset[frozenset[Window]]:
    grid = dict(dice)
    wilds = [cell for cell, face in grid.items() if face is WILD]
    statements = np.indices((27,) * len(wilds)).reshape(len(wilds), 27 ** len(wilds))
    codes = {cell: np.array([FACES.index(face)]) if face is not WILD else statements[wilds.index(cell)] for cell, face in grid.items()}
    lines = windows(grid)
    pattern = np.zeros(27 ** len(wilds), dtype=np.int64)
    for bit, (a, b, c) in enumerate(lines):
        pattern |= _IS_SET[codes[a], codes[b], codes[c]].astype(np.int64) << bit
    return frozenset(frozenset(line for bit, line in enumerate(lines) if one >> bit & 1) for one in np.unique(pattern).tolist())


def all_ways(grid: Mapping[Cell, Face | None], touching: bool = False, first: Collection[Cell] = ()) -> Ways:
    """Try every statement (D14, D16)."""
    every = {part for sets in set_patterns(grid) for part in parts(sets, touching)} or {frozenset()}
    most = max((len(part & set(first)), len(part)) for part in every)
    return Ways(most[1], frozenset(part for part in every if (len(part & set(first)), len(part)) == most))


def is_crossword(grid: Mapping[Cell, Face | None], touching: bool = False) -> bool:
    """D14: with some statement each die is in a SET and all hold together."""
    return all_ways(grid, touching).used == len(grid)


def random_grid(rng: random.Random, wilds: int) -> dict[Cell, Face | None]:
    """Grow a grid by SETs, turn some dice into WILDs, often neighbours, then spoil a die now and then or add one."""
    first, second = rng.choice(FACES), rng.choice(FACES)
    grid: dict[Cell, Face | None] = {(0, 0): first, (0, 1): second, (0, 2): completing(first, second)}
    for _ in range(rng.randint(0, 5)):
        grow(grid, rng)
    cells = sorted(grid)
    chosen = [rng.choice(cells)]
    while len(chosen) < wilds:
        row, col = rng.choice(chosen)
        near = [c for c in ((row + 1, col), (row - 1, col), (row, col + 1), (row, col - 1)) if c in grid and c not in chosen]
        others = [c for c in cells if c not in chosen] or [(9, 9)]
        chosen.append(rng.choice(near) if near and rng.random() < 0.7 else rng.choice(others))
    for _ in range(rng.choice((0, 0, 1, 1, 2))):
        grid[rng.choice(cells)] = rng.choice(FACES)
    if rng.random() < 0.3:
        row, col = rng.choice(cells)
        grid.setdefault((row + rng.randint(-2, 2), col + rng.randint(-2, 2)), rng.choice(FACES))
    return {**grid, **dict.fromkeys(chosen[:wilds], WILD)}


def grow(grid: dict[Cell, Face | None], rng: random.Random) -> None:
    """Lay one or two dice that make a SET with dice that lie."""
    row, col = rng.choice(sorted(grid))
    back, (down, right) = rng.randint(0, 2), rng.choice(((0, 1), (1, 0)))
    line = [(row + (step - back) * down, col + (step - back) * right) for step in range(3)]
    empty = [cell for cell in line if cell not in grid]
    if len(empty) == 2:
        grid[empty.pop()] = rng.choice(FACES)
    if empty:
        first, second = (grid[cell] for cell in line if cell in grid)
        assert first is not WILD
        assert second is not WILD
        grid[empty[0]] = completing(first, second)


def solid_block(rng: random.Random, rows: int, cols: int, wilds: int) -> dict[Cell, Face | None]:
    """Dice in every cell, so that each WILD is in many windows."""
    grid: dict[Cell, Face | None] = {(row, col): rng.choice(FACES) for row in range(rows) for col in range(cols)}
    return {**grid, **dict.fromkeys(rng.sample(sorted(grid), wilds), WILD)}
