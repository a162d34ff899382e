"""SET Cubed: the highest-scoring way to lay up to three dice (rules D6 to D8), exact.

A turn is one or more steps of one die beside two that lie, or of two dice beside one. Three dice that can be laid at
once can always be laid in such steps: the SET that joins one of them to the board holds at most one other new die.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from visionset.games.base import Hint, addressed
from visionset.games.cubed.board import Board
from visionset.games.cubed.rules import CubedState
from visionset.games.cubed.terms import Phase
from visionset.games.grid import Cell, Laid, Placing, face_indices, sets_in, windows_through
from visionset.games.sets import DIE_FACE_INDEX, DIE_THIRD, WILD_INDEX, find_sets
from visionset.messages import Message
from visionset.pieces import SET_DIE_FACES, SetDie

_Die = tuple[int, int]
"""What lies in a cell: index of the face that counts, and 1, or 0 for a WILD of this turn, which brings no point in it (D7)."""

_Step = tuple[tuple[Cell, _Die], ...]
"""Dice laid at once."""


@dataclass(frozen=True, slots=True)
class CubedMove:
    """A way to lay dice."""

    steps: tuple[tuple[Placing, ...], ...]
    """Dice to be laid at once, in this order; positions are those in the hand at the start. Empty: skip the turn."""
    points: int
    """What the turn brings, bonus squares included."""

    @property
    def placings(self) -> tuple[Placing, ...]:
        """All dice of the turn."""
        return tuple(placing for step in self.steps for placing in step)


def best_placement(state: CubedState) -> CubedMove:
    """Find the move with the most points for the player whose turn it is; the fewest dice among equals."""
    options = state.options
    return best_move(state.grid, state.hands[state.current], options.board, options.per_turn - len(state.fresh), state.fresh)


def best_move(grid: tuple[Laid, ...], hand: tuple[SetDie, ...], board: Board, max_dice: int = 3, fresh: Collection[Cell] = ()) -> CubedMove:
    """Find the move with the most points that lays at most `max_dice` of a hand; see `best_placement`.

    In the cells that are `fresh` lies what was laid in this turn already.
    """
    worthless = {die.cell for die in grid if die.face.is_wild and die.cell in fresh}
    there: dict[Cell, _Die] = {cell: (face, int(cell not in worthless)) for cell, face in face_indices(grid).items()}
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


@cache
def _beside(cell: Cell) -> tuple[tuple[Cell, Cell], ...]:
    """Give the two other cells of each of the six windows through a cell."""
    pairs = []
    for window in windows_through(cell):
        first, second = (other for other in window if other != cell)
        pairs.append((first, second))
    return tuple(pairs)


class _Walk:
    """Depth-first walk over all ways to lay dice.

    The last die needs no walk: away from the dice just laid the best places are those of the board as it was, listed
    once, so only cells within reach of the new dice are looked at again.
    """

    def __init__(self, board: Board, there: dict[Cell, _Die], left: list[int]) -> None:
        self.board = board
        self.there = there
        self.left = left
        self.seen: set[frozenset[tuple[Cell, _Die]]] = set()
        self.laid: list[tuple[Cell, _Die]] = []
        self.best_points = 0
        self.best_steps: tuple[_Step, ...] = ()
        cells = {cell for die in there for pair in _beside(die) for cell in pair if cell not in there and board.holds(cell)}
        listed = [(gain, cell, die) for cell in sorted(cells) for gain, die in self._gains(cell)]
        self.listed = sorted(listed, key=lambda entry: -entry[0])

    def _gains(self, cell: Cell) -> Iterator[tuple[int, _Die]]:
        """Give what each die that makes a SET in a cell would bring there."""
        needed: dict[int, list[int]] = {}
        there = self.there
        for first, second in _beside(cell):
            if first in there and second in there:
                a, b = there[first], there[second]
                entry = needed.setdefault(DIE_THIRD[a[0]][b[0]], [0, 0])
                entry[0] += a[1] + b[1]
                entry[1] += 1
        for face, (others, sets) in needed.items():
            bonus = self.board.bonus_at(cell)
            yield others + sets + bonus, (face, 1)
            yield others + bonus, (face, 0)

    def _has(self, die: _Die) -> bool:
        return self.left[die[0] if die[1] else WILD_INDEX] > 0

    def grow(self, dice_left: int, points: int, steps: tuple[_Step, ...]) -> None:
        """Try every further step."""
        near = {cell for die, _ in self.laid for pair in _beside(die) for cell in pair}
        self._last(near, points, steps)
        if dice_left < 2:
            return
        there = self.there
        singles = [((cell, die),) for _, cell, die in self.listed if cell not in near and cell not in there and self._has(die)]
        for cell in near:
            if cell not in there and self.board.holds(cell):
                singles += [((cell, die),) for _, die in self._gains(cell) if self._has(die)]
        # Two dice at once that do not need the dice just laid could be laid before them: that order is walked too.
        bases = [cell for cell, _ in self.laid] or list(there)
        for step in [*singles, *dict.fromkeys(pair for base in bases for pair in self._pairs(base))]:
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
                    del there[cell]
                    self.left[face if counts else WILD_INDEX] += 1
            del self.laid[size:]

    def _last(self, near: set[Cell], points: int, steps: tuple[_Step, ...]) -> None:
        """Try one die and no more."""
        for gain, cell, die in self.listed:
            if points + gain <= self.best_points:
                break
            if cell not in near and cell not in self.there and self._has(die):
                self.best_points, self.best_steps = points + gain, (*steps, ((cell, die),))
                break
        for cell in near:
            if cell not in self.there and self.board.holds(cell):
                for gain, die in self._gains(cell):
                    if points + gain > self.best_points and self._has(die):
                        self.best_points, self.best_steps = points + gain, (*steps, ((cell, die),))

    def _lay(self, step: _Step) -> int:
        """Lay dice and return what they bring."""
        gain = 0
        for cell, die in step:
            self.there[cell] = die
            self.left[die[0] if die[1] else WILD_INDEX] -= 1
            gain += self.board.bonus_at(cell)
        for window in {window for cell, _ in step for window in windows_through(cell)}:
            a, b, c = (self.there.get(cell) for cell in window)
            if a and b and c and DIE_THIRD[a[0]][b[0]] == c[0]:
                gain += a[1] + b[1] + c[1]
        return gain

    def _pairs(self, base: Cell) -> Iterator[_Step]:
        """Give the ways to lay two dice at once beside a die that lies."""
        empty = [pair for pair in _beside(base) if all(cell not in self.there and self.board.holds(cell) for cell in pair)]
        if not empty:
            return
        wilds = self.left[WILD_INDEX]
        face_there = self.there[base][0]
        for face in range(WILD_INDEX):
            if not self.left[face] and not wilds:
                continue
            other = DIE_THIRD[face_there][face]
            for first in ((face, 1), (face, 0)):
                for second in ((other, 1), (other, 0)):
                    if not self._has(first) or not self._has(second):
                        continue
                    if (not first[1] and not second[1] and wilds < 2) or (first == second and first[1] and self.left[face] < 2):
                        continue
                    for cells in empty:
                        yield (cells[0], first), (cells[1], second)


STRONGEST = 3
"""Level of a hint that gives all away, as SETs that come to lie; the first tells how many points can be made, the next one of the SETs."""


def graded_hint(state: CubedState, player: int, level: int) -> Hint:
    """Give the hint of a level to whose turn it is; in the opening to who asks, about SETs in the hand."""
    if state.phase is Phase.OPENING:
        hand = state.hands[player]
        sets = tuple(tuple(hand[at] for at in trio) for trio in find_sets(hand))
        name, first = state.players[player], Message("cubed.advice.opening", name=state.players[player], count=len(sets))
    elif state.phase is Phase.TURN:
        move, name = best_placement(state), state.players[state.current]
        sets = _sets_made(state, move)
        first = Message("cubed.advice.points", name=name, points=move.points, count=len(move.placings))
        if not move.placings:
            first = addressed(name, Message("cubed.advice.no_play"))
    else:
        return Hint(advice_words(state))
    if level == 1 or not sets:
        return Hint(first)
    told = sets if level >= STRONGEST else sets[:1]
    return Hint(Message("cubed.advice.sets", name=name, sets=tuple(Message("cubed.advice.set", dice=dice) for dice in told)))


def _sets_made(state: CubedState, move: CubedMove) -> tuple[tuple[SetDie, ...], ...]:
    """Faces of the SETs that lie after a move and did not before."""
    hand = state.hands[state.current]
    before = face_indices(state.grid)
    after = face_indices((*state.grid, *(Laid(one.row, one.col, hand[one.die], one.stated) for one in move.placings)))
    made = (window for window in sets_in(after) if not all(cell in before for cell in window))
    return tuple(tuple(SET_DIE_FACES[after[cell]] for cell in window) for window in made)


def advice_words(state: CubedState, player: int = 0, cache: Path | None = None) -> Message:
    """Say what to lay for the most points."""
    if state.phase is not Phase.TURN:
        return state.prompts[0].message
    move, hand = best_placement(state), state.hands[state.current]
    laid = tuple(_placed(hand, one) for one in move.placings)
    return Message("cubed.advice.lay", points=move.points, laid=laid) if laid else Message("cubed.advice.no_play")


def _placed(hand: Sequence[SetDie], one: Placing) -> Message:
    face: object = hand[one.die]
    die = Message("cubed.advice.stands_for", face=face, stated=one.stated) if one.stated else face
    return Message("cubed.advice.place", die=die, row=one.row, col=one.col)


def in_full(state: CubedState) -> Iterator[str]:
    """Say what to lay, a line for each step; in the opening which SETs are in whose hand."""
    if state.phase is Phase.OPENING:
        for player in range(len(state.players)):
            yield str(graded_hint(state, player, STRONGEST).message)
        return
    if state.phase is not Phase.TURN:
        yield str(advice_words(state))
        return
    move, hand, name = best_placement(state), state.hands[state.current], state.players[state.current]
    turn = Message("cubed.advice.turn", name=name, points=move.points)
    yield str(turn if move.steps else Message("cubed.advice.skip", name=name))
    for step in move.steps:
        yield str(Message("cubed.advice.step", laid=tuple(_placed(hand, one) for one in step)))
