"""Films of SET with players and of solitaire: a seeded script of moves, and the truth beside it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from tests.clips.film import Reel
from tests.clips.keys import SEAT_KEYS
from tests.clips.moments import Item, Moment
from tests.clips.sitting import Meaning, cards_at
from tests.clips.stage import Stage
from visionset.games.base import Event
from visionset.games.game import History
from visionset.games.set_cards import rules as set_cards
from visionset.games.sets import find_sets
from visionset.games.solitaire import rules as solitaire
from visionset.pieces import SET_DECK, SetCard
from visionset.render.layouts import Spot

ROWS, COLUMNS = 3, 7
PITCH_MM = (70.0, 103.0)
COLUMN_ORDER = (1, 2, 3, 4, 5, 0, 6)
"""The first twelve cards lie in the middle."""

SHIFT_MM, WOBBLE_RAD = 2.0, 0.04
QUIET_S = 1.2
"""From a hand's leaving to whatever comes next: the camera settles meanwhile."""

LATE_S = 7.0
"""A caller who shows nothing: the time of the rules, and the referee's."""


@dataclass(frozen=True, slots=True)
class Habits:
    """How often people do what is seldom done.

    Attributes
    ----------
    singly : float
        They take cards one by one, with pauses.
    look : float
        They lift a card that they do not take, and put it back.
    forgotten : float
        Nobody presses the key of who takes three cards.
    early : float
        The cards are replaced before the hand has left.
    """

    wrong: float = 0.06
    late: float = 0.03
    hasty: float = 0.05
    wave: float = 0.15
    singly: float = 0.0
    look: float = 0.0
    forgotten: float = 0.0
    early: float = 0.0


HABITS = Habits()
LIVELY = Habits(singly=0.4, look=0.3, forgotten=0.3, early=0.3)
LOOK_S = 0.5
"""So long a card is looked at, or the next one chosen."""


class CardReel(Reel):
    """A film of SET cards on spots."""

    def __init__(self, stage: Stage, rng: np.random.Generator, habits: Habits) -> None:
        super().__init__(stage)
        self.rng, self.habits = rng, habits
        self.pack = [SET_DECK[at] for at in rng.permutation(len(SET_DECK))]
        columns, rows = np.array(COLUMN_ORDER) - (COLUMNS - 1) / 2, np.arange(ROWS) - (ROWS - 1) / 2
        self.free = [(float(x * PITCH_MM[0]), float(y * PITCH_MM[1])) for x in columns for y in rows]
        self.spots: dict[SetCard, tuple[float, float]] = {}

    def lie(self, card: SetCard) -> Item:
        """How a card lies when a hand laid it on its spot."""
        x, y = np.array(self.spots[card]) + np.clip(self.rng.normal(0, SHIFT_MM, 2), -2 * SHIFT_MM, 2 * SHIFT_MM)
        return Item(card, Spot(float(x), float(y), float(self.rng.normal(0, WOBBLE_RAD) + np.pi * self.rng.integers(2))))

    def item(self, card: SetCard) -> Item:
        return next(one for one in self.lying if one.piece == card)

    def deal(self, count: int, by_hand: bool = True) -> tuple[SetCard, ...]:
        """Lay cards of the pack on the free spots; they are returned."""
        cards = tuple(self.pack[:count])
        del self.pack[:count]
        for card in cards:
            self.spots[card] = self.free.pop(0)
        items = [self.lie(card) for card in cards]
        if by_hand:
            self.sweep(lay=items)
        else:
            self.lying = (*self.lying, *items)
        self.rest(QUIET_S)
        return cards

    def does(self, share: float) -> bool:
        """Whether people do it this time; what nobody ever does leaves the film as it is."""
        return share > 0 and bool(self.rng.random() < share)

    def take(self, cards: tuple[SetCard, ...]) -> None:
        """A hand picks cards up."""
        for some in [[card] for card in cards] if self.does(self.habits.singly) else [cards]:
            self.sweep(take=[self.item(card) for card in some])
            self.rest(LOOK_S)
        self.rest(QUIET_S - LOOK_S)

    def look_at(self, card: SetCard) -> None:
        """Somebody lifts a card and puts it back."""
        self.sweep(take=[self.item(card)])
        self.rest(LOOK_S)
        self.put_back((card,))

    def replace(self, cards: tuple[SetCard, ...], count: int) -> tuple[SetCard, ...]:
        """Cards are taken, and others of the pack lie for them before the hand has left."""
        taken = [self.item(card) for card in cards]
        self.won(cards)
        new = tuple(self.pack[:count])
        del self.pack[:count]
        for card in new:
            self.spots[card] = self.free.pop(0)
        self.sweep(take=taken, lay=[self.lie(card) for card in new])
        self.rest(QUIET_S)
        return new

    def put_back(self, cards: tuple[SetCard, ...]) -> None:
        self.sweep(lay=[self.lie(card) for card in cards])
        self.rest(QUIET_S)

    def won(self, cards: tuple[SetCard, ...]) -> None:
        """Their spots are filled first."""
        self.free = [self.spots.pop(card) for card in cards] + self.free

    def think(self) -> None:
        """People look; now and then somebody points at the table."""
        self.rest(float(self.rng.uniform(0.2, 0.8)))
        if self.rng.random() < self.habits.wave:
            self.wave(float(self.rng.choice([0.5, 2.5])), float(self.rng.choice([-80.0, 80.0])), float(self.rng.choice([0.0, 100.0])))
            self.rest(QUIET_S)


def three(state: Any, rng: np.random.Generator, right: bool) -> tuple[int, int, int]:
    """Places of a SET, or of three cards that are none."""
    sets = find_sets(state.table)
    if right:
        a, b, c = sets[int(rng.integers(len(sets)))]
        return a, b, c
    while True:
        a, b, c = sorted(int(at) for at in rng.choice(len(state.table), 3, replace=False))
        if (a, b, c) not in sets:
            return a, b, c


def cards_of(state: Any, places: tuple[int, ...]) -> tuple[SetCard, ...]:
    return tuple(card for place in places if (card := state.table[place]) is not None)


def set_round(
    stage: Stage, seed: int, players: tuple[str, ...] = ("Ann", "Bo", "Cy"), turns: int | None = None, habits: Habits = HABITS
) -> tuple[list[Moment], History]:
    """A round of SET with all 81 cards, or its first so many takes; the first cards are dealt by hand in a whole round only."""
    rng = np.random.default_rng([seed, 3])
    options = set_cards.SetCardsOptions(dealer_plays=seed % 2 == 1, penalty=list(set_cards.Penalty)[seed % 2], rounds=1)
    history = History.begin(set_cards.GAME, options, players)
    reel = CardReel(stage, rng, habits)
    taken = 0
    while not history.state.is_over and (turns is None or taken < turns or history.state.phase is set_cards.Phase.DEAL):
        state = history.state
        if state.phase is set_cards.Phase.DEAL:
            count = sum(card is None for card in state.table)
            history = history.then(set_cards.Deal(reel.deal(count, by_hand=bool(reel.lying) or turns is None)))
            continue
        reel.think()
        callers, luck = state.callers, rng.random()
        sets = find_sets(state.table)
        if not sets or luck < habits.hasty:
            voters = callers if not sets else callers[:1]
            voters = tuple(player for player in voters if player not in state.agreed)
            if not voters:
                continue
            reel.press("".join(SEAT_KEYS[player].upper() for player in voters))
            for player in voters:
                history = history.then(set_cards.Agree(player))
            reel.rest(0.3)
            continue
        if reel.does(habits.look):
            reel.look_at(list(reel.spots)[int(rng.integers(len(reel.spots)))])
        player = int(rng.choice(callers))
        if luck < habits.hasty + habits.late or not reel.does(habits.forgotten):
            reel.press(SEAT_KEYS[player])
        history = history.then(set_cards.Call(player))
        if luck < habits.hasty + habits.late:
            reel.rest(LATE_S)
            history = history.then(set_cards.GiveUp(player))
            continue
        right = luck >= habits.hasty + habits.late + habits.wrong
        places = three(state, rng, right)
        cards = cards_of(state, places)
        reel.rest(0.3)
        history = history.then(set_cards.Take(player, places))
        count = sum(card is None for card in history.state.table) if not history.state.is_over else 0
        if right and count and reel.does(habits.early):
            history = history.then(set_cards.Deal(reel.replace(cards, count)))
            taken += 1
            continue
        reel.take(cards)
        if right:
            reel.won(cards)
            taken += 1
        else:
            reel.put_back(cards)
    reel.rest(QUIET_S)
    return reel.moments, history


def solitaire_game(stage: Stage, seed: int, turns: int | None = None, habits: Habits = HABITS) -> tuple[list[Moment], History]:
    """A game of solitaire, or its first so many takes."""
    rng = np.random.default_rng([seed, 4])
    history = History.begin(solitaire.GAME, None, ("Ann",))
    reel = CardReel(stage, rng, habits)
    taken = 0
    while not history.state.is_over and (turns is None or taken < turns or None in history.state.table):
        state = history.state
        if None in state.table:
            count = sum(card is None for card in state.table)
            history = history.then(solitaire.Deal(reel.deal(count, by_hand=bool(reel.lying) or turns is None)))
            continue
        reel.think()
        sets, luck = find_sets(state.table), rng.random()
        if not sets or (luck < habits.hasty and len(state.table) < ROWS * COLUMNS and reel.pack):
            reel.press(SEAT_KEYS[0].upper())
            history = history.then(solitaire.FindNone())
            reel.rest(0.3)
            continue
        right = luck >= habits.hasty + habits.wrong
        places = three(state, rng, right)
        cards = cards_of(state, places)
        reel.take(cards)
        history = history.then(solitaire.Take(places))
        if right:
            reel.won(cards)
            taken += 1
        else:
            reel.put_back(cards)
    reel.rest(QUIET_S)
    return reel.moments, history


def card_event(state: Any, event: Event) -> Meaning:
    """What an event of SET or solitaire means: cards, not places."""
    match event:
        case set_cards.Deal() | solitaire.Deal():
            return "deal", tuple(sorted(map(str, event.cards)))
        case set_cards.Take():
            return "take", event.player, cards_at(state, event.at)
        case solitaire.Take():
            return "take", cards_at(state, event.at)
        case set_cards.Call() | set_cards.GiveUp() | set_cards.Agree():
            return event.name, event.player
    return (event.name,)
