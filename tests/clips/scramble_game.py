"""A film of a round of Scramble SET: 42 dice are thrown, and three leave after each call until no SET is left."""

from __future__ import annotations

import random

import numpy as np

from tests.clips.dice_games import NAMES, QUIET_S, THINK_S, DiceReel
from tests.clips.keys import SEAT_KEYS
from tests.clips.moments import Item, Moment
from tests.clips.sitting import Meaning
from tests.clips.stage import Look, Stage
from visionset.games.base import Event
from visionset.games.game import History
from visionset.games.scramble import rules as scramble
from visionset.games.sets import find_sets
from visionset.games.virtual.runner import next_event
from visionset.pieces import SetDie

LOOK = Look(size_px=(1280, 720), width_mm=470.0)
"""All 42 dice fill the picture."""

WITH_AN_ERROR = 3
"""The seed of a round in which three dice are taken that are no SET."""

COLUMNS, PITCH_MM, SHIFT_MM = 7, (52.0, 42.0), 5.0
"""Dice come to rest all over the table, and nobody lets one lean on another."""

BACK_MM = 2.0
"""How exactly people put dice back."""


def scramble_game(stage: Stage, seed: int) -> tuple[list[Moment], History]:
    """One round; who says SET presses a key, and takes three dice."""
    chance = random.Random(seed)
    history = History.begin(scramble.GAME, scramble.ScrambleOptions(rounds=1), NAMES)
    reel = DiceReel(stage, seed)
    dice: list[Item] = []
    reel.rest(QUIET_S)
    while not history.state.is_over:
        event = next_event(history.state, chance)
        match event:
            case scramble.Rolled():
                dice = strewn(reel, event.faces)
                reel.throw(dice)
                reel.rest(QUIET_S)
            case scramble.Take():
                reel.rest(float(reel.rng.uniform(THINK_S, 2.0)))
                reel.press(SEAT_KEYS[event.player])
                three = [dice[place] for place in event.at]
                reel.sweep(take=three)
                reel.rest(QUIET_S)
                if find_sets([history.state.table[place] for place in event.at]):
                    dice = [one for place, one in enumerate(dice) if place not in event.at]
                else:
                    back = [one.at(*reel.rng.normal((one.place.x_mm, one.place.y_mm), BACK_MM)) for one in three]
                    dice = [back[event.at.index(place)] if place in event.at else one for place, one in enumerate(dice)]
                    reel.sweep(lay=back)
                    reel.rest(QUIET_S)
        history = history.then(event)
    reel.rest(QUIET_S)
    return reel.moments, history


def strewn(reel: DiceReel, faces: tuple[SetDie, ...]) -> list[Item]:
    """Dice as they come to rest, none on another and none against another."""
    rows = -(-len(faces) // COLUMNS)
    middle = np.array([COLUMNS - 1, rows - 1]) / 2
    dice = []
    for face, spot in zip(faces, reel.rng.permutation(len(faces)), strict=True):
        x, y = (np.array([spot % COLUMNS, spot // COLUMNS]) - middle) * PITCH_MM + reel.rng.uniform(-SHIFT_MM, SHIFT_MM, 2)
        dice.append(reel.anyhow(face, float(x), float(y)))
    return dice


def scramble_event(state: scramble.ScrambleState, event: Event) -> Meaning:
    """What an event of Scramble SET means: which of equal dice was taken means nothing."""
    match event:
        case scramble.Rolled():
            return "rolled", tuple(sorted(map(str, event.faces)))
        case scramble.Take():
            return "take", event.player, tuple(sorted(str(state.table[place]) for place in event.at))
    return (event.name,)
