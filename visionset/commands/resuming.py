"""``--resume``: the match that goes on, in the terminal or before a camera."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from visionset.errors import StoreError
from visionset.numbers import match_number

if TYPE_CHECKING:
    from visionset.store import Match, Origin, Store, Summary

_LATEST = 0
"""``--resume`` without a number."""

_PLAYED = {"virtual": "with a shuffled pack", "camera": "before a camera"}
"""How matches of each origin are played."""


def add_resume_option(parser: argparse._ActionsContainer, first: str) -> None:
    """Add ``--resume``; `first` is what has to stand before it, lest it is taken for a number."""
    told = "go on with match ID; without ID with the newest that is not finished"
    number = match_number(f"name {first} before --resume")
    parser.add_argument("--resume", metavar="ID", type=number, nargs="?", const=_LATEST, help=told)


def going_on(store: Store, origin: Origin) -> Iterator[Summary]:
    """Matches that people have not finished, the newest first."""
    return (one for one in store.summaries() if not one.is_finished and one.origin is origin and len(one.bots) < len(one.players))


def resumed(store: Store, number: int, origin: Origin, game: str | None, is_theirs: Callable[[Summary], bool], begin: str) -> Match:
    """The match of that number, or without one the newest of its origin that goes on and fits game and players.

    `begin` is the command by which one begins. Raises `StoreError`: there is none, or it is finished, or of another kind.
    """
    if number == _LATEST:
        found = next((one for one in going_on(store, origin) if game in (None, one.game) and is_theirs(one)), None)
        if found is None:
            raise StoreError(f"expected a match {_PLAYED[origin.value]} that is not finished, got none that fits; begin one with `{begin}`")
        return store.load(found.id)
    match = store.load(number)
    if game not in (None, match.history.game.name):
        raise StoreError(f"expected a match of {game}, got match {match.id} of {match.history.game.name}; leave the game out")
    if not is_theirs(match.summary):
        raise StoreError(f"expected the players of match {match.id}, {' and '.join(match.history.players)}, got others; leave them out")
    if match.summary.is_finished:
        raise StoreError(f"expected a match that goes on, got match {match.id}, which is finished; name another")
    if match.summary.origin is not origin:
        played = _PLAYED[match.summary.origin.value]
        raise StoreError(f"expected a match {_PLAYED[origin.value]}, got match {match.id}, which is played {played}; name another")
    return match
