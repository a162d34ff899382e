"""The board of SET Cubed as it lies: how it differs from the game, and what a die there makes or fails to make."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from visionset.games.base import Amend, Event, together
from visionset.games.cubed.rules import CubedState
from visionset.games.grid import Cell, Laid, settle_wilds, windows_through
from visionset.games.sets import DICE_COUNT, is_set, why_not
from visionset.messages import Message, Words
from visionset.pieces import SetDie
from visionset.referee.phrasing import first_allowed
from visionset.referee.rulings import Differ
from visionset.referee.sightings import at, track_of
from visionset.table import Sighting, Table

DiceBySquare = dict[Cell, Sighting]
"""The dice on the board, by square."""


def die_face(one: Sighting) -> SetDie:
    """What a die shows; only for dice that were read."""
    assert isinstance(one.piece, SetDie)
    return one.piece


def board_difference(
    state: CubedState,
    table: Table,
    dice: DiceBySquare,
    where: DiceBySquare,
    cells: tuple[Sequence[Cell], Sequence[Cell], Sequence[Cell]],
    stated: Mapping[Cell, SetDie],
) -> Differ:
    """Say how the board differs from the game: `cells` are squares whose die is gone, is another one, or is one too many.

    `where` tells how dice of the game were seen last, `stated` what WILDs stand for.
    """
    gone, changed, new = cells
    known = {die.cell: die.face for die in state.grid}
    words = [Message("cubed.differ.gone", face=known[cell]) for cell in gone]
    words += [
        Message("game.differ.other_piece", where=at(table, dice[cell]), piece=die_face(dice[cell]), known=known[cell]) for cell in changed
    ]
    words += [Message("cubed.differ.may_not_lie_there", face=die_face(dice[cell]), where=at(table, dice[cell])) for cell in new]
    missing = tuple(where[cell] for cell in gone if cell in where)
    swaps = tuple((track_of(dice[cell]), known[cell]) for cell in changed)
    extra = tuple(track_of(dice[cell]) for cell in new)
    return Differ(together(*words), extra, swaps, missing, as_it_lies(state, dice, stated))


def as_it_lies(state: CubedState, dice: DiceBySquare, stated: Mapping[Cell, SetDie]) -> tuple[Event, ...]:
    """The dice that lie there count, without points; dice more or less come from the bag or go there.

    Empty where the rules know no such board.
    """
    known = {die.cell: die for die in state.grid}
    grid = []
    for cell, one in sorted(dice.items()):
        face = die_face(one) if one.piece is not None else known[cell].face
        stays = cell in known and known[cell].face == face
        grid.append(known[cell] if stays else Laid(*cell, face, stated.get(cell)))
    bag = DICE_COUNT - len(grid) - sum(map(len, state.hands))
    amend = Amend.of(Message("game.agreed.table_right"), grid=settle_wilds(grid), bag=bag, fresh=(), made=())
    return first_allowed(state, [(amend,)])[0]


def why_no_set(values: Mapping[Cell, SetDie], new: Sequence[Cell]) -> Words:
    """Say of the first die that makes no SET what is two and one in its lines; empty where each makes one."""
    for cell in new:
        for window in windows_through(cell):
            if all(other in values for other in window):
                three = [values[other] for other in window]
                reasons = why_not(three[0], three[1], three[2])
                if reasons:
                    return Message("cubed.wait.makes_no_set", face=values[cell], reasons=reasons)
    return ""


def makes_a_set(cell: Cell, values: Mapping[Cell, SetDie]) -> bool:
    """Whether a die makes a SET with two others in a row or a column."""
    lines = [[values[other] for other in window] for window in windows_through(cell) if all(other in values for other in window)]
    return any(is_set(first, second, third) for first, second, third in lines)
