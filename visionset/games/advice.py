"""Advice for the state of any game, in plain words."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from visionset.games.base import State
from visionset.games.registry import SPECS
from visionset.messages import Message
from visionset.pieces import Kind


@dataclass(frozen=True, slots=True)
class AdviceCommand:
    """What ``visionset advise NAME`` takes and answers."""

    about: str
    """What it tells, for the help."""
    add_arguments: Callable[[argparse.ArgumentParser], None]
    """Adds the arguments to a parser."""
    answer: Callable[[argparse.Namespace], Iterable[str]]
    """Gives the lines of the answer, as they are found."""
    reads: Kind | None = None
    """Pieces that the arguments name, where a photo of them may stand instead; None where arguments name none."""


def advice_words(state: State, player: int = 0, cache: Path | None = None) -> Message:
    """Say what to play to the player who asks; `cache` is a folder for what takes long to reckon, such as best play with two dice."""
    if state.is_over:
        return Message("game.advice.over")
    said: Message = SPECS[state.game].given("advice", Message | str, state, player, cache)
    return said


def add_faces(parser: argparse.ArgumentParser) -> None:
    """Add the dice that advice is asked about."""
    parser.add_argument("dice", nargs="+", metavar="DIE", help="such as 2-red-oval or wild, or a photo of them")
