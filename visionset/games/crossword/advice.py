"""Crossword SET: a grid that uses all dice if there is one, else the largest (rules D14, D15).

Any grid that is connected by SETs grows SET by SET: one die beside two that lie, or two dice beside one. The search
walks these steps, so it misses no grid. What it need not walk is cut off by a bound that forgets the geometry: dice
that no chain of SETs joins cannot be in one grid.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, combinations_with_replacement
from math import comb
from pathlib import Path
from random import Random

from visionset.games.base import Hint
from visionset.games.crossword.rules import CrosswordState
from visionset.games.grid import Cell, Laid, face_indices, sets_in, windows_through
from visionset.games.sets import DIE_FACE_INDEX, DIE_THIRD, WILD_INDEX
from visionset.messages import Message, Words
from visionset.pieces import SET_DIE_FACES, SetDie

Faces = tuple[int, ...]
_Step = tuple[tuple[Cell, int], ...]
"""Dice laid at once."""


@dataclass(frozen=True, slots=True)
class CrosswordSearch:
    """Limits of the search."""

    max_steps: int = 120_000
    """Grids looked at before the search gives up, about 20,000 in a second; one of many dice counts as several, see `_cost`."""
    max_wilds: int = 3
    """WILDs whose faces are all tried; further ones are tried only as faces that complete two other dice."""
    max_hands: int = 20_000
    """Choices of faces for the WILDs that are weighed before the search, a second or two; of more so many are drawn by lot."""


@dataclass(frozen=True, slots=True)
class CrosswordAnswer:
    """The best grid found."""

    grid: tuple[Laid, ...]
    """The dice by cell, WILDs stated; from row and column 0 on."""
    dice: tuple[int, ...]
    """For each die of `grid` its position in what was asked for."""
    is_proven: bool
    """True when no grid uses more dice."""


def best_grid(faces: Sequence[SetDie], search: CrosswordSearch | None = None) -> CrosswordAnswer:
    """Find a connected grid of SETs that uses as many of the dice rolled as possible.

    The default limits answer within some seconds, for ten dice and for all of the box.
    """
    limits = search or CrosswordSearch()
    codes = [DIE_FACE_INDEX[face] for face in faces]
    walk = _Walk(limits.max_steps)
    plain = [code for code in codes if code != WILD_INDEX]
    choices, are_all = _choices(plain, len(codes) - len(plain), limits)
    hands = [tuple(sorted((*plain, *stated))) for stated in choices]
    bounds = sorted(((_largest_chain(hand), hand) for hand in hands), key=lambda bound: -bound[0])
    for size, hand in bounds:
        if size <= len(walk.best) or walk.is_cut:
            break
        walk.widen(hand, size)
    is_proven = len(walk.best) == len(codes) or (are_all and not walk.is_cut)
    return _answer(walk.best, faces, is_proven)


def _choices(plain: Sequence[int], wilds: int, limits: CrosswordSearch) -> tuple[Iterable[Faces], bool]:
    """Give choices of faces for the WILDs, and whether they are all that there are."""
    useful = sorted({DIE_THIRD[a][b] for a, b in combinations(plain, 2)} | set(plain)) or [0]  # WILDs alone all stand for one face
    every = list(range(WILD_INDEX)) if wilds <= limits.max_wilds else useful
    if comb(len(every) + wilds - 1, wilds) <= limits.max_hands:
        return combinations_with_replacement(every, wilds), wilds <= limits.max_wilds
    lot = Random(0)
    return dict.fromkeys(tuple(sorted(lot.choices(every, k=wilds))) for _ in range(limits.max_hands)), False


def _largest_chain(hand: Faces) -> int:
    """Count the dice in the largest group that SETs join, wherever they might lie."""
    count = Counter(hand)
    group = {face: frozenset({face}) for face in count}
    for a, b in combinations(sorted(count), 2):
        c = DIE_THIRD[a][b]
        if c > b and c in count and not group[a] is group[b] is group[c]:
            whole = group[a] | group[b] | group[c]
            group |= dict.fromkeys(whole, whole)
    sizes = (sum(count[face] for face in whole) for whole in set(group.values()) if len(whole) > 1 or count[min(whole)] > 2)
    return max(sizes, default=0)


def _cost(grid: Mapping[Cell, int]) -> int:
    """Steps that a look at a grid counts as: time grows with the dice that lie and with those that may be laid."""
    return max(1, len(grid) ** 2 // 100)


class _Walk:
    """Depth-first walk over grids, each shape once; counts its steps over all hands."""

    def __init__(self, max_steps: int) -> None:
        self.best: dict[Cell, int] = {}
        self.is_cut = False
        self._steps_left = max_steps

    def widen(self, hand: Faces, size: int) -> None:
        """Look for a larger grid of these faces than the best so far; stop at one of `size` dice."""
        self._size = size
        self._left = [hand.count(face) for face in range(WILD_INDEX)]
        self._seen: set[frozenset[tuple[int, int, int]]] = set()
        for a, b in combinations(sorted(set(hand)), 2):
            c = DIE_THIRD[a][b]
            if c > b and self._left[c]:
                for order in ((a, b, c), (a, c, b), (b, a, c)):
                    self._try({}, tuple(((0, column), face) for column, face in enumerate(order)))
        for face in sorted(set(hand)):
            if self._left[face] >= 3:
                self._try({}, tuple(((0, column), face) for column in range(3)))

    def _try(self, grid: dict[Cell, int], step: _Step) -> None:
        for cell, face in step:
            grid[cell] = face
            self._left[face] -= 1
        self._grow(grid)
        for cell, face in step:
            del grid[cell]
            self._left[face] += 1

    def _grow(self, grid: dict[Cell, int]) -> None:
        if len(grid) > len(self.best):
            self.best = dict(grid)
        if len(self.best) >= self._size:
            return
        if self._steps_left <= 0:
            self.is_cut = True
            return
        self._steps_left -= _cost(grid)
        top, start = min(row for row, _ in grid), min(column for _, column in grid)
        shape = frozenset((row - top, column - start, face) for (row, column), face in grid.items())
        if shape in self._seen:
            return
        self._seen.add(shape)
        for step in _steps(grid, self._left):
            self._try(grid, step)
            if len(self.best) >= self._size or self.is_cut:
                break


def _steps(grid: dict[Cell, int], left: list[int]) -> list[_Step]:
    """List the ways to lay one or two more dice, those first that use faces with few partners left."""
    faces = [face for face, count in enumerate(left) if count]
    steps: dict[_Step, None] = {}
    for cell in grid:
        for window in windows_through(cell):
            empty = [other for other in window if other not in grid]
            if len(empty) == 1:
                a, b = (grid[other] for other in window if other in grid)
                if left[DIE_THIRD[a][b]]:
                    steps[((empty[0], DIE_THIRD[a][b]),)] = None
            elif len(empty) == 2:
                for face in faces:
                    other = DIE_THIRD[grid[cell]][face]
                    if left[other] > (other == face):
                        steps[((empty[0], face), (empty[1], other))] = None
    partners = {face: sum(left[DIE_THIRD[face][other]] > 0 for other in faces) for face in faces}
    return sorted(steps, key=lambda step: min(partners[face] for _, face in step))


def _answer(grid: dict[Cell, int], faces: Sequence[SetDie], is_proven: bool) -> CrosswordAnswer:
    """Give each cell a die of the hand; a WILD where no die with the face is left."""
    spare = {face: [position for position, other in enumerate(faces) if other == face] for face in set(faces)}
    top, start = min((row for row, _ in grid), default=0), min((column for _, column in grid), default=0)
    laid, dice = [], []
    for (row, column), code in sorted(grid.items()):
        face = SET_DIE_FACES[code]
        is_wild = not spare.get(face)
        shown = SetDie() if is_wild else face
        dice.append(spare[shown].pop())
        laid.append(Laid(row - top, column - start, shown, face if is_wild else None))
    return CrosswordAnswer(tuple(laid), tuple(dice), is_proven)


STRONGEST = 4
"""Level of a hint that gives all SETs of the grid away; the first tells how many dice it holds, the next ones one and two of them."""


def graded_hint(state: CrosswordState, player: int, level: int) -> Hint:
    """Give the hint of a level about the largest grid of a player's dice."""
    name, hand = state.players[player], state.hands[player]
    grid = best_grid(hand).grid
    if level == 1 or not grid:
        return Hint(Message("crossword.advice.laid", name=name, count=len(grid), hand=len(hand)))
    faces = face_indices(grid)
    sets = tuple(tuple(SET_DIE_FACES[faces[cell]] for cell in window) for window in sets_in(faces))
    told = sets if level >= STRONGEST else sets[: level - 1]
    return Hint(Message("crossword.advice.sets", name=name, sets=tuple(Message("crossword.advice.set", dice=dice) for dice in told)))


def advice_words(state: CrosswordState, player: int = 0, cache: Path | None = None) -> Message:
    """Say how to lay the most dice of a hand, in the words in which the terminal takes it: the first die is 1 there."""
    hand = state.hands[player]
    answer = best_grid(hand)
    laid = zip(answer.dice, answer.grid, strict=True)
    cells = tuple(Message("crossword.advice.cell", die=die + 1, row=one.row, col=one.col, stated=_stated(one.stated)) for die, one in laid)
    return Message("crossword.advice.grid", count=len(cells), hand=len(hand), cells=cells)


def _stated(face: SetDie | None) -> Words:
    return Message("crossword.advice.stated", face=face) if face else ""
