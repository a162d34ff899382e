"""Advice for the state of any game, in plain words."""

from __future__ import annotations

from pathlib import Path

from visionset.games.base import State
from visionset.games.registry import SPECS


def advice_words(state: State, player: int = 0, cache: Path | None = None) -> str:
    """Say what to play, in one line.

    Parameters
    ----------
    state : State
        Of any game.
    player : int
        Who asks.
    cache : Path, optional
        Folder of what takes long to reckon, such as the table of best play with two dice.
    """
    text: str = "the game is over" if state.is_over else SPECS[state.game].part("advice")(state, player, cache)
    return text
