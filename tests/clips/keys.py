"""The keys by which scripts of films write what people say, one for each player and the few that everybody shares, as a pure function."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from visionset.errors import VisionsetError
from visionset.games.base import Choice, Event
from visionset.games.game import Game
from visionset.messages import Message
from visionset.referee.player_input import (
    SEEN_EVENTS,
    Answer,
    AskHint,
    CallSet,
    Dispute,
    GameIsRight,
    Move,
    Next,
    NoSet,
    Said,
    TableIsRight,
    Undo,
)
from visionset.referee.rulings import MOST_ANSWERS, Option, Question

SEAT_KEYS = "asdfjkl"
"""Keys of the seats: where the fingers lie."""

_BY_KEY = frozenset({"call"})
"""Events that have a key of their own."""


@dataclass(frozen=True, slots=True)
class _More:
    """The rest of the moves, where there are too many for one menu."""

    first: int


@dataclass(frozen=True, slots=True)
class SeatKeys:
    """What the keys have led to so far."""

    menu: Question | None = None
    """Moves, or the values of a move, to choose from by number."""
    chosen: Choice | None = None
    """The move that still wants a value."""
    hint: bool = False
    """The next seat key asks for a hint."""


def press_seat_key(seats: SeatKeys, key: int, game: Game, state: Any) -> tuple[SeatKeys, Said | None]:
    """Return what a key, negative for none, leads to, and what it says to the referee."""
    if key < 0:
        return seats, None
    name = chr(key)
    if name.isdecimal():
        return _number(seats, int(name), game, state)
    if name.lower() in SEAT_KEYS and (player := SEAT_KEYS.index(name.lower())) < len(state.players):
        if seats.hint:
            return replace(seats, hint=False), AskHint(player)
        return SeatKeys(), NoSet(player) if name.isupper() else CallSet(player)
    action = _ACTIONS.get(name.lower())
    return action(seats, state) if action else (seats, None)


def _number(seats: SeatKeys, number: int, game: Game, state: Any) -> tuple[SeatKeys, Said | None]:
    if seats.menu is None:
        return seats, Answer(number)
    if not 1 <= number <= len(seats.menu.options):
        return SeatKeys(), None
    value = seats.menu.options[number - 1].value
    if isinstance(value, _More):
        return _menu(seats, state, value.first)
    if isinstance(value, Choice):
        if value.needs:
            need = value.needs[0]
            options = tuple(Option(str(one), one) for one in need.values[:MOST_ANSWERS])
            return SeatKeys(Question(("value",), value.message, options), value), None
        return SeatKeys(), Move(game.parse_event(value.filled()))
    if seats.chosen is None:
        return SeatKeys(), None
    try:
        return SeatKeys(), Move(game.parse_event(seats.chosen.filled(**{seats.chosen.needs[0].field: value})))
    except VisionsetError:
        return SeatKeys(), None


def _fits_one_key(choice: Choice) -> bool:
    return len(choice.needs) <= 1 and all(need.values and need.count is None for need in choice.needs)


def _menu(seats: SeatKeys, state: Any, first: int = 0) -> tuple[SeatKeys, Said | None]:
    moves = [choice for choice in state.legal if choice.event not in SEEN_EVENTS | _BY_KEY and _fits_one_key(choice)][first:]
    options = tuple(Option(choice.message, choice) for choice in moves[:MOST_ANSWERS])
    if len(moves) > MOST_ANSWERS:
        options = (*options[: MOST_ANSWERS - 1], Option(Message("referee.answer.more"), _More(first + MOST_ANSWERS - 1)))
    return (SeatKeys(Question(("menu",), Message("referee.answer.more"), options)) if options else SeatKeys()), None


_ACTIONS: dict[str, Callable[[SeatKeys, Any], tuple[SeatKeys, Said | None]]] = {
    "n": lambda seats, state: (SeatKeys(), Next()),
    "t": lambda seats, state: (SeatKeys(), TableIsRight()),
    "g": lambda seats, state: (SeatKeys(), GameIsRight()),
    "u": lambda seats, state: (SeatKeys(), Undo()),
    "x": lambda seats, state: (SeatKeys(), Dispute()),
    "m": _menu,
    "h": lambda seats, state: (replace(seats, hint=True), None),
}


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
