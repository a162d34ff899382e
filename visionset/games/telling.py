"""Events in words, for people who were not told anything else about them."""

from __future__ import annotations

from collections.abc import Sequence

from visionset.games.base import Event

_WORDS = {
    "add": "adds dice to another grid",
    "agree": "sees no SET",
    "amend": "the game follows the table",
    "call": "says SET",
    "circle": "circles a row",
    "correct": "a reading is corrected",
    "deal": "the cards are dealt",
    "discard": "cards that nobody won go to the rubbish heap",
    "done": "has used all dice",
    "draw": "draws",
    "drawn": "new dice are drawn and rolled",
    "end_turn": "ends the turn",
    "exchange": "cards are exchanged",
    "extra_roll": "is done with the extra roll",
    "find_none": "no SET is found",
    "give_up": "gives up",
    "lay": "lays dice",
    "open": "opens",
    "place": "lays dice",
    "replace": "replaces a WILD",
    "roll": "the dice are rolled",
    "roll_wild": "rolls the WILD",
    "rolled": "the dice are rolled",
    "shuffle": "the hands are shuffled into the pack",
    "starter": "a card is turned up",
    "stop": "the players stop",
    "stuck": "cannot go on",
    "take": "takes three",
}
"""By the name of the event; where a player does it, it follows the player's name."""


def event_words(event: Event, players: Sequence[str]) -> str:
    """Say an event: ``Ann says SET``, ``the cards are dealt``."""
    words = _WORDS.get(event.name, event.name.replace("_", " "))
    player = getattr(event, "player", None)
    return words if player is None else f"{players[player]} {words}"
