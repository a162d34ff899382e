"""The keys that people at the table press."""

from __future__ import annotations

from typing import Any

from visionset.games.base import Event
from visionset.games.game import Game
from visionset.referee.player_input import Move
from visionset.window.seats import SeatKeys, press_seat_key


def menu_keys(game: Game, state: Any, event: Event) -> str:
    """The keys that choose a move from the menu."""
    seats, keys = press_seat_key(SeatKeys(), ord("m"), game, state)[0], "m"
    while seats.menu is not None:
        following, more = SeatKeys(), ""
        for number, option in enumerate(seats.menu.options, 1):
            after, said = press_seat_key(seats, ord(str(number)), game, state)
            if said == Move(event):
                return f"{keys}{number}"
            if option.text == "more":
                following, more = after, str(number)
            elif after.menu is not None:
                for value in range(1, 1 + len(after.menu.options)):
                    if press_seat_key(after, ord(str(value)), game, state)[1] == Move(event):
                        return f"{keys}{number}{value}"
        seats, keys = following, keys + more
    raise AssertionError(f"no key for {event}")
