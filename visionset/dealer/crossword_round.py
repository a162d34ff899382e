"""A round of Crossword SET as it was: one die of it was misread, and what happened is told again with its right face."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from visionset.games.base import Amend, Event, swapped
from visionset.games.crossword import Draw, Rolled
from visionset.pieces import SetDie


def as_it_was(events: Sequence[Event], player: int, die: int, face: SetDie) -> tuple[Event, ...]:
    """Give the events of a round with another face of one die; empty where it is not known how the die came.

    Parameters
    ----------
    events : sequence of Event
        From the roll on; none where they are not known.
    player, die : int
        Whose die, and its position in the hand: first those of the roll, then each that was drawn.
    face : SetDie
        What it shows.
    """
    meant: list[Event] = []
    count = 0
    for event in events:
        match event:
            case Rolled():
                count = len(event.hands[player])
                if die < count:
                    event = Rolled(swapped(event.hands, player, swapped(event.hands[player], die, face)), at_s=event.at_s)
            case Draw() if event.player == player:
                count += 1
                event = replace(event, face=face) if count == die + 1 else event
            case Amend():
                return ()
        meant.append(event)
    return tuple(meant)
