"""Keys of a refereed game: one for each player, and the few that everybody shares. A pure function from state to state."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from visionset.errors import VisionsetError
from visionset.games.base import Choice
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
from visionset.referee.terms import MOST_ANSWERS, Option, Question

SEAT_KEYS = "asdfjkl"
"""Keys of the seats: where the fingers lie."""

_KEYS = "call no_set answer next right undo dispute menu hint zones help quit"

HELP = tuple(Message(f"seats.key.{name}") for name in _KEYS.split())
"""What the help panel says, key and meaning parted by a tab."""

_BY_KEY = frozenset({"call"})
"""Events that have a key of their own."""


@dataclass(frozen=True, slots=True)
class _More:
    """The rest of the moves, where there are too many for one menu."""

    first: int


_KEEP_ZONES = frozenset({ord("z"), ord("Z"), 10, 13, 27})
"""Keys that end the dragging of zones: z, Enter, Escape."""


@dataclass(frozen=True, slots=True)
class SeatKeys:
    """What the keys have led to so far."""

    menu: Question | None = None
    """Moves, or the values of a move, to choose from by number."""
    chosen: Choice | None = None
    """The move that still wants a value."""
    hint: bool = False
    """The next seat key asks for a hint."""
    zones: bool = False
    """Zones are being dragged; the game rests."""
    help: bool = False
    """The help panel is open."""
    done: bool = False
    """The person wants to leave."""


def press_seat_key(seats: SeatKeys, key: int, game: Game, state: Any) -> tuple[SeatKeys, Said | None]:
    """Return what a key, as `cv2.waitKeyEx` gives it, negative for none, leads to, and what it says to the referee."""
    if key < 0:
        return seats, None
    if seats.zones:
        return replace(seats, zones=key not in _KEEP_ZONES), None
    if key in (8, 27):
        return (seats, Undo()) if key == 8 else (replace(SeatKeys(), done=seats == SeatKeys()), None)
    name = chr(key) if 32 <= key < 127 else "\n" if key in (10, 13) else ""
    if name.isdecimal() and name:
        return _number(seats, int(name), game, state)
    if name and name.lower() in SEAT_KEYS and (player := SEAT_KEYS.index(name.lower())) < len(state.players):
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
            return SeatKeys(Question(("value",), Message("seats.value", choice=value.message, need=need.message), options), value), None
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
    return (SeatKeys(Question(("menu",), Message("seats.which_move"), options)) if options else SeatKeys()), None


_ACTIONS: dict[str, Callable[[SeatKeys, Any], tuple[SeatKeys, Said | None]]] = {
    "n": lambda seats, state: (SeatKeys(), Next()),
    " ": lambda seats, state: (SeatKeys(), Next()),
    "\n": lambda seats, state: (SeatKeys(), Next()),
    "t": lambda seats, state: (SeatKeys(), TableIsRight()),
    "g": lambda seats, state: (SeatKeys(), GameIsRight()),
    "u": lambda seats, state: (SeatKeys(), Undo()),
    "x": lambda seats, state: (SeatKeys(), Dispute()),
    "m": _menu,
    "h": lambda seats, state: (replace(seats, hint=True), None),
    "z": lambda seats, state: (SeatKeys(zones=True), None),
    "?": lambda seats, state: (replace(seats, help=not seats.help), None),
    "q": lambda seats, state: (replace(seats, done=True), None),
}
