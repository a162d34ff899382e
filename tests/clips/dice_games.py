"""Films of dice games: two dice thrown for ten turns, a board of Cubed, two crosswords; moves come from simple players."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import numpy as np

from tests.clips.film import FPS, Reel
from tests.clips.keys import SEAT_KEYS, menu_keys
from tests.clips.moments import Item, Moment
from tests.clips.sitting import Meaning
from tests.clips.stage import SET_DIE_MM, Look, Stage
from visionset.games.base import Event
from visionset.games.crossword import rules as crossword
from visionset.games.cubed import rules as cubed
from visionset.games.game import History
from visionset.games.grid import Cell
from visionset.games.pip_sets import rules as pip_sets
from visionset.games.virtual.runner import next_event
from visionset.pieces import PipDie, SetDie
from visionset.render.dice import Die
from visionset.render.layouts import Spot
from visionset.render.table_clips import random_throw

QUIET_S, THINK_S = 1.8, 0.3
"""From a hand's leaving to whatever comes next, a question about a piece included; between two keys."""
PASS_S = 2.5
"""Who has no SET looks for one before the turn goes on."""
PITCH_MM = 1.04 * SET_DIE_MM
NAMES = ("Ann", "Bo")
LOOSE_MM, LOOSE_RAD = 0.2, 0.01
"""How exactly people set dice side by side."""

ROOM_MM = 150.0
"""Table around a board that is in the picture."""

PIP_LOOK = Look(width_mm=420.0)
CROSSWORD_LOOK = Look(size_px=(1280, 720), width_mm=700.0)
HALF_MM = 175.0
"""Middle of a player's half of the table."""

GRID_MM, ASIDE_MM, ASIDE_PITCH_MM, ASIDE_COLUMNS = (-100.0, -150.0), (-132.0, 75.0), 44.0, 7
"""First cell of a grid and first place of the dice beside it, in a player's half."""


class DiceReel(Reel):
    """A film of dice."""

    def __init__(self, stage: Stage, seed: int) -> None:
        super().__init__(stage)
        self.rng = np.random.default_rng([seed, 5])

    def throw(self, items: Sequence[Item], apart_s: float = 0.0) -> None:
        """Dice come flying and roll until they lie as given, one after the other where `apart_s` is not 0."""
        way = float(-np.pi / 2 + self.rng.normal(0, 0.3))
        throws = [random_throw(self.rng, self.stage.die(one), way, apart_s * number) for number, one in enumerate(items)]
        before = self.lying
        for step in range(1 + int(FPS * max(one.rest_s for one in throws))):
            flying = []
            for one in throws:
                die = one.at(step / FPS)
                if die is not None and die is not one.rest:
                    flying.append(in_the_air(die))
            still = tuple(item for item, one in zip(items, throws, strict=True) if one.rest_s <= step / FPS)
            self.moments.append(Moment((*before, *still), None, tuple(flying)))
        self.lying = (*before, *items)

    def loose(self, piece: SetDie | PipDie, x_mm: float, y_mm: float, says: SetDie | None = None) -> Item:
        """A die that a hand sets down with care."""
        x, y = np.array([x_mm, y_mm]) + self.rng.uniform(-LOOSE_MM, LOOSE_MM, 2)
        return Item(piece, Spot(float(x), float(y), float(self.rng.normal(0, LOOSE_RAD))), says=says)

    def anyhow(self, piece: SetDie | PipDie, x_mm: float, y_mm: float) -> Item:
        """A die as it comes to lie."""
        return Item(piece, Spot(x_mm, y_mm, float(self.rng.uniform(0, 2 * np.pi))))


def in_the_air(die: Die) -> Item:
    tumble = None if die.tumble is None else tuple(float(value) for value in die.tumble.ravel())
    return Item(die.piece, Spot(die.x_mm, die.y_mm, die.turn_rad), die.lift_mm, tumble)


def pip_game(stage: Stage, seed: int, turns: int = 10) -> tuple[list[Moment], History]:
    """Sets with two dice; players circle and end their turns by keys."""
    chance = random.Random(seed)
    history = History.begin(pip_sets.GAME, pip_sets.PipSetsOptions(turns=turns), NAMES)
    reel = DiceReel(stage, seed)
    reel.rest(THINK_S)
    while not history.state.is_over:
        event = next_event(history.state, chance)
        if isinstance(event, pip_sets.Roll):
            if reel.lying:
                reel.sweep(take=reel.lying)
                reel.rest(float(reel.rng.uniform(0.2, 1.2)))
            left, right = reel.rng.uniform(-120, -40), reel.rng.uniform(40, 120)
            spots = [(float(x), float(reel.rng.uniform(-60, 60))) for x in (left, right)]
            dice = [reel.anyhow(PipDie(value), *spot) for value, spot in zip(event.values, spots, strict=True)]
            reel.throw(dice, 0.8 * (reel.rng.random() < 0.3))
            reel.rest(QUIET_S)
        else:
            reel.rest(THINK_S)
            reel.press(menu_keys(pip_sets.GAME, history.state, event))
        history = history.then(event)
    reel.rest(QUIET_S)
    return reel.moments, history


def pip_event(state: Any, event: Event) -> Meaning:
    """What an event of Sets with two dice means."""
    match event:
        case pip_sets.Roll():
            return "roll", tuple(sorted(event.values))
        case pip_sets.Circle():
            return "circle", event.player, event.row, event.bonus
        case pip_sets.EndTurn():
            return "end_turn", event.player
    return (event.name,)


def cubed_record(seed: int, turns: int = 15) -> History:
    """A game of Cubed up to the end of so many turns."""
    chance = random.Random(seed)
    history = History.begin(cubed.GAME, None, NAMES)
    while not history.state.is_over and sum(isinstance(event, cubed.EndTurn) for event in history.events) < turns:
        history = history.then(next_event(history.state, chance))
    return history


def cubed_look(history: History, **more: Any) -> tuple[Look, tuple[float, float]]:
    """A camera that sees all dice of a game, and the cell in the middle of the picture."""
    rows, cols = np.array([die.cell for die in history.state.grid]).T
    wide, high = ((np.ptp(cells) + 1) * PITCH_MM + ROOM_MM for cells in (cols, rows))
    look = Look(width_mm=float(max(wide, high * 16 / 9)), **more)
    return look, (float(rows.min() + rows.max()) / 2, float(cols.min() + cols.max()) / 2)


def cubed_game(stage: Stage, history: History, middle: tuple[float, float], seed: int = 0) -> list[Moment]:
    """The board of a game of Cubed."""
    reel = DiceReel(stage, seed)
    there: dict[Cell, Item] = {}

    def put(cell: Cell, face: SetDie, stated: SetDie | None) -> Item:
        there[cell] = reel.loose(face, (cell[1] - middle[1]) * PITCH_MM, (cell[0] - middle[0]) * PITCH_MM, stated)
        return there[cell]

    state = history.game.start(history.options, history.players)
    reel.rest(QUIET_S)
    for event in history.events:
        after = state.after(event)
        match event:
            case cubed.Open():
                reel.press(SEAT_KEYS[event.player])
                hand, logo = state.hands[event.player], state.options.board.logo
                reel.sweep(lay=[put(cell, hand[die], said) for cell, die, said in zip(logo, event.dice, event.stated, strict=True)])
                reel.rest(QUIET_S)
            case cubed.Place():
                hand = state.hands[event.player]
                reel.sweep(lay=[put((one.row, one.col), hand[one.die], one.stated) for one in event.dice])
                reel.rest(QUIET_S)
            case cubed.Replace():
                old = there[event.row, event.col]
                reel.sweep(take=[old], lay=[put((event.row, event.col), state.hands[event.player][event.die], None)])
                reel.rest(QUIET_S)
            case cubed.EndTurn():
                if not state.fresh:
                    reel.rest(PASS_S)
                reel.press("n")
                reel.rest(THINK_S)
            case cubed.ExtraRoll() if after.phase is not cubed.Phase.EXTRA:
                reel.press("n")
                reel.rest(THINK_S)
        state = after
    reel.rest(QUIET_S)
    return reel.moments


def cubed_event(state: Any, event: Event) -> Meaning | None:
    """What an event of Cubed means; what happens in hands is not seen."""
    match event:
        case cubed.Open():
            faces = zip((state.hands[event.player][die] for die in event.dice), event.stated, strict=True)
            return "open", event.player, tuple(str(said or face) for face, said in faces)
        case cubed.Place():
            hand = state.hands[event.player]
            return "place", event.player, tuple(sorted((one.row, one.col, str(one.stated or hand[one.die])) for one in event.dice))
        case cubed.Replace():
            return "replace", event.player, event.row, event.col
        case cubed.EndTurn():
            return "end_turn", event.player
    return None


def crossword_game(stage: Stage, seed: int) -> tuple[list[Moment], History]:
    """One round of Crossword SET: the first player sits at the left half of the table."""
    chance = random.Random(seed)
    history = History.begin(crossword.GAME, crossword.CrosswordOptions(rounds=1), NAMES)
    reel = DiceReel(stage, seed)
    dice: list[list[Item]] = [[], []]

    def aside(player: int, number: int, face: SetDie) -> Item:
        row, col = divmod(number, ASIDE_COLUMNS)
        shift = reel.rng.uniform(-4, 4, 2)
        x = (2 * player - 1) * HALF_MM + ASIDE_MM[0] + col * ASIDE_PITCH_MM + float(shift[0])
        return reel.anyhow(face, x, ASIDE_MM[1] + row * ASIDE_PITCH_MM + float(shift[1]))

    reel.rest(QUIET_S)
    while not history.state.is_over:
        event = next_event(history.state, chance)
        match event:
            case crossword.Rolled():
                for player, hand in enumerate(event.hands):
                    dice[player] = [aside(player, number, face) for number, face in enumerate(hand)]
                    reel.throw(dice[player])
                reel.rest(QUIET_S)
            case crossword.Draw():
                dice[event.player].append(aside(event.player, len(dice[event.player]), event.face))
                reel.sweep(lay=dice[event.player][-1:])
                reel.rest(QUIET_S)
            case crossword.Lay():
                first = min(one.row for one in event.grid), min(one.col for one in event.grid)
                take, lay = [], []
                for one in event.grid:
                    old = dice[event.player][one.die]
                    x = (2 * event.player - 1) * HALF_MM + GRID_MM[0] + (one.col - first[1]) * PITCH_MM
                    new = reel.loose(history.state.hands[event.player][one.die], x, GRID_MM[1] + (one.row - first[0]) * PITCH_MM)
                    if np.hypot(old.place.x_mm - new.place.x_mm, old.place.y_mm - new.place.y_mm) > 2:
                        take.append(old)
                        lay.append(new)
                        dice[event.player][one.die] = new
                laid = {one.die for one in event.grid}
                for one in history.state.grids[event.player]:
                    if (die := one.placing.die) not in laid:
                        take.append(dice[event.player][die])
                        dice[event.player][die] = aside(event.player, die, history.state.hands[event.player][die])
                        lay.append(dice[event.player][die])
                if take:
                    reel.sweep(take=take, lay=lay)
                    reel.rest(QUIET_S)
            case _:
                reel.press(menu_keys(crossword.GAME, history.state, event))
                reel.rest(THINK_S)
        history = history.then(event)
    reel.rest(QUIET_S)
    return reel.moments, history


def crossword_event(state: Any, event: Event) -> Meaning:
    """What an event of Crossword SET means: faces, and grids wherever they lie."""
    match event:
        case crossword.Rolled():
            return "rolled", tuple(tuple(sorted(map(str, hand))) for hand in event.hands)
        case crossword.Draw():
            return "draw", event.player, str(event.face)
        case crossword.Lay():
            row, col = min(one.row for one in event.grid), min(one.col for one in event.grid)
            hand = state.hands[event.player]
            return "lay", event.player, tuple(sorted((one.row - row, one.col - col, str(hand[one.die])) for one in event.grid))
    return event.name, getattr(event, "player", None)
