"""A film of English Sets: the game that is told in the source, card by card."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from tests.clips.film import Reel
from tests.clips.keys import menu_keys
from tests.clips.moments import Item, Moment
from tests.clips.sitting import Meaning
from tests.clips.stage import Look, Stage
from tests.games import test_english_sets as source
from visionset.games.base import Event
from visionset.games.english_sets import rules as english_sets
from visionset.games.english_sets.rules import Deal, Draw, EnglishSetsState, Starter
from visionset.games.game import History
from visionset.geometry import apply
from visionset.pieces import PlayingCard
from visionset.render.layouts import Spot

LOOK = Look(size_px=(1920, 1080), width_mm=985.0, tilt_deg=8.0, turn_deg=0.0, distance_mm=1400.0, middle=(0.5, 0.5))
"""From above, so that the zones of the picture are parts of the table; of the size that a webcam is asked for in this game."""

NAMES = ("A", "B")
QUIET_S = 1.8
HAND_Y, GRAVE_Y = (0.9, 0.1), (0.7, 0.305)
HAND_X, HAND_PITCH = 0.06, 0.075
GRAVE_X, GRAVE_PITCH, FAN = 0.06, 0.133, (0.021, 0.016)
STARTER, PACK = (0.55, 0.5), (0.15, 0.5)
"""Shares of the picture."""

CARD_LIFT_MM, PACK_LIFT_MM = 0.5, 9.0


@contextmanager
def _events() -> Iterator[list[Event]]:
    """Listen to the events of a game that is played by rule."""
    heard: list[Event] = []
    after = EnglishSetsState.after

    def listening(self: EnglishSetsState, event: Event) -> EnglishSetsState:
        state = after(self, event)
        heard.append(event)
        return state

    EnglishSetsState.after = listening  # type: ignore[method-assign, assignment]
    try:
        yield heard
    finally:
        EnglishSetsState.after = after  # type: ignore[method-assign]


def source_record(most: int | None = None) -> History:
    """The game of the source (E6), or its first so many events."""
    with _events() as heard:
        source.test_the_game_told_in_the_source_ends_4_to_7()
    history = History.begin(english_sets.GAME, None, NAMES)
    for event in heard[:most]:
        history = history.then(event)
    return history


class EnglishReel(Reel):
    """Two hands, two graveyards, a starter and the pack."""

    def __init__(self, stage: Stage) -> None:
        super().__init__(stage)
        self.rng = np.random.default_rng([stage.look.seed, 6])
        self.slots: dict[PlayingCard, tuple[int, int]] = {}
        self.lying = (self.put(None, PACK, 0.0, PACK_LIFT_MM),)

    def put(self, card: PlayingCard | None, share: tuple[float, float], turn_rad: float, lift_mm: float = CARD_LIFT_MM) -> Item:
        """A card with its middle at a place of the picture."""
        back = np.asarray(np.linalg.inv(self.stage.view.image_from_table), np.float64)
        x, y = apply(back, np.array([share]) * self.stage.view.size_px)[0]
        return Item(card, Spot(float(x), float(y), turn_rad + float(self.rng.normal(0, 0.01))), lift_mm)

    def item(self, card: PlayingCard) -> Item | None:
        return next((one for one in self.lying if one.piece == card), None)

    def in_hand(self, player: int, card: PlayingCard) -> Item:
        taken = {slot for seat, slot in self.slots.values() if seat == player}
        slot = next(slot for slot in range(13) if slot not in taken)
        self.slots[card] = player, slot
        return self.put(card, (HAND_X + HAND_PITCH * slot, HAND_Y[player]), 0.0)

    def do(self, event: Event, before: EnglishSetsState, after: EnglishSetsState) -> None:
        """Do an event, or say it by keys, then lay every card where it belongs."""
        match event:
            case Deal():
                self.sweep(lay=[self.in_hand(player, card) for player, cards in enumerate(event.hands) for card in cards])
            case Draw():
                self.sweep(lay=[self.in_hand(event.player, event.card)])
            case Starter():
                self.sweep(lay=[self.put(event.card, STARTER, 0.0)])
            case _:
                self.press(menu_keys(english_sets.GAME, before, event))
        self.rest(QUIET_S)
        self.tidy(after)

    def tidy(self, state: EnglishSetsState) -> None:
        take, lay, stay = [], [], set()
        for player in (0, 1):
            for card in state.hands[player]:
                stay.add(card)
                if self.slots.get(card, (-1, 0))[0] != player:
                    take.append(card)
                    lay.append(self.in_hand(player, card))
            for column, grave in enumerate(state.graveyards[player]):
                for place, card in enumerate(grave.cards):
                    stay.add(card)
                    down = 0.0 if grave.is_complete else FAN[1] * (place - 1)
                    share = GRAVE_X + GRAVE_PITCH * column + FAN[0] * place, GRAVE_Y[player] + down
                    new = self.put(card, share, 0.0 if grave.is_complete else np.pi / 2)
                    old = self.item(card)
                    if old is None or not near(old, new):
                        take.append(card)
                        lay.append(new)
                        self.slots.pop(card, None)
        gone = [one.piece for one in self.lying if isinstance(one.piece, PlayingCard) and one.piece not in stay]
        for card in gone:
            self.slots.pop(card, None)
        taken = [one for card in (*take, *gone) if (one := self.item(card)) is not None]
        if taken or lay:
            self.sweep(take=taken, lay=lay)
            self.rest(QUIET_S)


def near(one: Item, other: Item) -> bool:
    away = np.hypot(one.place.x_mm - other.place.x_mm, one.place.y_mm - other.place.y_mm)
    return bool(away < 3 and abs(one.place.turn_rad - other.place.turn_rad) < 0.5)


def english_game(stage: Stage, history: History) -> list[Moment]:
    """The film of a game."""
    reel = EnglishReel(stage)
    reel.rest(QUIET_S)
    state = history.game.start(history.options, history.players)
    for event in history.events:
        after = state.after(event)
        reel.do(event, state, after)
        state = after
    return reel.moments


def english_event(state: Any, event: Event) -> Meaning:
    """What an event of English Sets means."""
    match event:
        case Deal():
            return "deal", tuple(tuple(sorted(map(str, hand))) for hand in event.hands)
        case Draw():
            return "draw", event.player, str(event.card)
        case Starter():
            return "starter", str(event.card)
    return (event.name,)
