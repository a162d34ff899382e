"""SET Cubed: the highest-scoring way to lay up to three dice (rules D6 to D8), exact.

A turn is one or more steps of one die beside two that lie, or of two dice beside one. Three dice that can be laid at
once can always be laid in such steps: the SET that joins one of them to the board holds at most one other new die.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from visionset.games.board import Board
from visionset.games.crossword import Placing
from visionset.games.cubed import CubedState
from visionset.games.grid import Cell, Laid, face_indices, windows_through
from visionset.games.sets import DIE_FACE_INDEX, DIE_THIRD, WILD_INDEX
from visionset.pieces import SET_DIE_FACES, SetDie

_Die = tuple[int, int]
"""What lies in a cell: index of the face that counts, and 1, or 0 for a WILD that brings no point this turn."""

_Step = tuple[tuple[Cell, _Die], ...]
"""Dice laid at once."""


@dataclass(frozen=True, slots=True)
class CubedMove:
    """A way to lay dice.

    Attributes
    ----------
    steps : tuple of tuples of Placing
        Dice to be laid at once, in this order; positions are those in the hand at the start. Empty: skip the turn.
    points : int
        What the turn brings, bonus squares included.
    """

    steps: tuple[tuple[Placing, ...], ...]
    points: int

    @property
    def placings(self) -> tuple[Placing, ...]:
        """All dice of the turn."""
        return tuple(placing for step in self.steps for placing in step)


def best_placement(state: CubedState) -> CubedMove:
    """Find the move with the most points for the player whose turn it is; the fewest dice among equals."""
    return best_move(state.grid, state.hands[state.current], state.options.board, state.options.per_turn - len(state.fresh))


def best_move(grid: tuple[Laid, ...], hand: tuple[SetDie, ...], board: Board, max_dice: int = 3) -> CubedMove:
    """Find the move with the most points: see `best_placement`.

    Parameters
    ----------
    grid : tuple of Laid
        The dice on the board, WILDs stated.
    hand : tuple of SetDie
        The player's dice.
    board : Board
        Size and bonus squares.
    max_dice : int
        How many dice may still be laid.
    """
    there: dict[Cell, _Die] = {cell: (face, 1) for cell, face in face_indices(grid).items()}
    left = [0] * (WILD_INDEX + 1)
    for face in hand:
        left[DIE_FACE_INDEX[face]] += 1
    walk = _Walk(board, there, left)
    walk.grow(max_dice, 0, ())
    return CubedMove(tuple(_with_hand(walk.best_steps, hand)), walk.best_points)


def _with_hand(steps: tuple[_Step, ...], hand: tuple[SetDie, ...]) -> Iterator[tuple[Placing, ...]]:
    spare = {face: [position for position, other in enumerate(hand) if other == face] for face in set(hand)}
    for step in steps:
        placings = []
        for (row, column), (code, counts) in step:
            face = SET_DIE_FACES[code]
            die = spare[face if counts else SetDie()].pop(0)
            placings.append(Placing(die, row, column, None if counts else face))
        yield tuple(placings)


class _Walk:
    """Depth-first walk over all ways to lay dice, each final layout once."""

    def __init__(self, board: Board, there: dict[Cell, _Die], left: list[int]) -> None:
        self.board = board
        self.there = there
        self.left = left
        self.seen: set[frozenset[tuple[Cell, _Die]]] = set()
        self.laid: list[tuple[Cell, _Die]] = []
        self.best_points = 0
        self.best_steps: tuple[_Step, ...] = ()

    def grow(self, dice_left: int, points: int, steps: tuple[_Step, ...]) -> None:
        """Try every further step."""
        for step in self._steps(dice_left):
            size = len(self.laid)
            self.laid += step
            key = frozenset(self.laid)
            if key not in self.seen:
                self.seen.add(key)
                gain = self._lay(step)
                if points + gain > self.best_points:
                    self.best_points, self.best_steps = points + gain, (*steps, step)
                if dice_left > len(step):
                    self.grow(dice_left - len(step), points + gain, (*steps, step))
                for cell, (face, counts) in step:
                    del self.there[cell]
                    self.left[face if counts else WILD_INDEX] += 1
            del self.laid[size:]

    def _lay(self, step: _Step) -> int:
        """Lay dice and return what they bring."""
        new = [cell for cell, _ in step]
        gain = 0
        for cell, die in step:
            self.there[cell] = die
            self.left[die[0] if die[1] else WILD_INDEX] -= 1
            gain += self.board.bonus_at(cell)
        for window in {window for cell in new for window in windows_through(cell)}:
            dice = [self.there.get(cell) for cell in window]
            a, b, c = dice
            if a and b and c and DIE_THIRD[a[0]][b[0]] == c[0]:
                gain += a[1] + b[1] + c[1]
        return gain

    def _dice(self, face: int) -> Iterator[_Die]:
        """Give the dice in the hand that can be this face."""
        if self.left[face]:
            yield face, 1
        if self.left[WILD_INDEX]:
            yield face, 0

    def _steps(self, dice_left: int) -> list[_Step]:
        steps: dict[_Step, None] = {}
        faces = list(range(WILD_INDEX)) if self.left[WILD_INDEX] else [face for face in range(WILD_INDEX) if self.left[face]]
        for cell, (base, _) in self.there.items():
            for window in windows_through(cell):
                empty = [other for other in window if other not in self.there]
                if not empty or not all(self.board.holds(other) for other in empty):
                    continue
                if len(empty) == 1:
                    others = [self.there[other][0] for other in window if other in self.there]
                    for die in self._dice(DIE_THIRD[others[0]][others[1]]):
                        steps[((empty[0], die),)] = None
                elif dice_left > 1:
                    for step in self._pairs(base, empty, faces):
                        steps[step] = None
        return list(steps)

    def _pairs(self, base: int, empty: list[Cell], faces: list[int]) -> Iterator[_Step]:
        for face in faces:
            other = DIE_THIRD[base][face]
            for first in self._dice(face):
                for second in self._dice(other):
                    wilds = (not first[1]) + (not second[1])
                    if wilds > self.left[WILD_INDEX] or (first == second and first[1] and self.left[face] < 2):
                        continue
                    yield (empty[0], first), (empty[1], second)
