"""The films of whole games, by name: the moments, the truth beside them, and what their events mean."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from tests.clips.card_games import card_event, set_round, solitaire_game
from tests.clips.dice_games import (
    CROSSWORD_LOOK,
    PIP_LOOK,
    crossword_event,
    crossword_game,
    cubed_event,
    cubed_game,
    cubed_look,
    cubed_record,
    pip_event,
    pip_game,
)
from tests.clips.english_game import LOOK as ENGLISH_LOOK
from tests.clips.english_game import english_event, english_game, source_record
from tests.clips.film import Film
from tests.clips.scramble_game import LOOK as SCRAMBLE_LOOK
from tests.clips.scramble_game import WITH_AN_ERROR, scramble_event, scramble_game
from tests.clips.sitting import Meant
from tests.clips.stage import Look, Stage
from visionset.games.game import History

SMALL = Look(size_px=(640, 360))
Shot = tuple[Film, History, Meant]


def _seeded(look: Look, game: Callable[..., Any], meant: Meant, turns: int | None) -> Shot:
    stage = Stage(look)
    moments, truth = game(stage, 0) if turns is None else game(stage, 0, turns=turns)
    return Film(stage, moments), truth, meant


def _cubed(turns: int | None) -> Shot:
    truth = cubed_record(0, turns or 15)
    look, middle = cubed_look(truth, seed=0)
    stage = Stage(look)
    return Film(stage, cubed_game(stage, truth, middle, 0)), truth, cubed_event


def _english(turns: int | None) -> Shot:
    truth, stage = source_record(turns), Stage(ENGLISH_LOOK)
    return Film(stage, english_game(stage, truth)), truth, english_event


def _crossword(turns: int | None) -> Shot:
    return _seeded(CROSSWORD_LOOK, crossword_game, crossword_event, None)


def _scramble(turns: int | None) -> Shot:
    stage = Stage(SCRAMBLE_LOOK)
    moments, truth = scramble_game(stage, WITH_AN_ERROR)
    return Film(stage, moments), truth, scramble_event


FILMS: dict[str, Callable[[int | None], Shot]] = {
    "set": partial(_seeded, SMALL, set_round, card_event),
    "solitaire": partial(_seeded, SMALL, solitaire_game, card_event),
    "sets-dice": partial(_seeded, PIP_LOOK, pip_game, pip_event),
    "cubed": _cubed,
    "scramble": _scramble,
    "crossword": _crossword,
    "english-sets": _english,
}
"""Makes each film, whole or up to so many turns."""
