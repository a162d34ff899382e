"""Films of SET as people play it: cards are taken one by one, looked at and put back, arms rest, keys are forgotten, refills come late."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from tests.clips.card_games import HABITS, QUIET_S, CardReel, cards_of, three
from tests.clips.film import CARRY_MM, FPS, Film, reach
from tests.clips.keys import SEAT_KEYS
from tests.clips.moments import Item, Moment
from tests.clips.stage import Stage
from visionset.games.game import History
from visionset.games.set_cards import rules as set_cards
from visionset.games.sets import find_sets
from visionset.pieces import SetCard
from visionset.render.layouts import Spot

PLAYERS = ("Ann", "Bo", "Cy")
LEAN_MM, LOW_MM, TREMBLE_MM = 45.0, 14.0, 0.8
"""How far beyond a card the fingers of an arm lie that rests over it; how high; how still it is."""

STRAIGHTENED = 3.0, 0.06
"""How far a card is pushed that somebody straightens, in millimetres, and turned, in radians."""

BUMP_PX = ((5.0, -3.0), (-4.0, 3.0), (3.0, 2.0), (2.0, 1.5))
"""Where the picture is in the frames after somebody ran into the table; there it stays."""

ASIDE_S = 0.4
"""From one card that is picked up to the next."""


class PeopleReel(CardReel):
    """A film of people who take their time.

    Attributes
    ----------
    misread : dict of SetCard to (SetCard, float)
        What the camera takes cards for, and how surely.
    needed : int
        Questions that the referee cannot do without.
    """

    def __init__(self, stage: Stage, rng: np.random.Generator) -> None:
        super().__init__(stage, rng, HABITS)
        self.misread: dict[SetCard, tuple[SetCard, float]] = {}
        self.needed = 0
        self._shifts: list[tuple[int, tuple[float, float]]] = []

    def film(self, seed: int) -> Film:
        """The film, where a bump moved the picture from then on."""
        moments = list(self.moments)
        for first, shift in self._shifts:
            moments[first:] = [replace(one, shift_px=shift) for one in moments[first:]]
        return Film(self.stage, moments, seed, self.misread)

    def one_by_one(self, cards: Sequence[SetCard], pause_s: float = ASIDE_S) -> None:
        """A hand comes for each card."""
        for card in cards:
            self.sweep(take=[self.item(card)])
            self.rest(pause_s)

    def lean(self, card: SetCard, seconds: float) -> None:
        """An arm rests over a card, and over what lies before it."""
        there = reach(self.stage, self.item(card), 1.0)
        way = np.array([np.cos(there.heading_rad), np.sin(there.heading_rad)])
        tip = np.array(there.tip_mm[:2]) + LEAN_MM * way
        for back in (260.0, 110.0):
            self._arm(tip - back * way, there.heading_rad, CARRY_MM)
        for number in range(max(2, round(seconds * FPS))):
            self._arm(tip + (TREMBLE_MM if number % 7 == 3 else 0.0), there.heading_rad, LOW_MM)
        for back in (110.0, 260.0):
            self._arm(tip - back * way, there.heading_rad, CARRY_MM)

    def _arm(self, tip: np.ndarray, heading: float, height: float) -> None:
        pose = replace(reach(self.stage, self.lying[0], 1.0), tip_mm=(float(tip[0]), float(tip[1]), height), heading_rad=heading)
        self.moments.append(Moment(self.lying, replace(pose, pinch=0.1, spread=0.5)))

    def hesitate(self, card: SetCard, seconds: float) -> None:
        """A hand lies on a card and does not pick it up yet."""
        pose = reach(self.stage, self.item(card), 1.0)
        self.moments += [Moment(self.lying, pose)] * round(seconds * FPS)

    def straighten(self, card: SetCard) -> None:
        """Somebody pushes a card into line."""
        before = self.item(card)
        way, turn = self.rng.normal(0, 1, 2), float(self.rng.choice([-1.0, 1.0]))
        x, y = np.array([before.place.x_mm, before.place.y_mm]) + STRAIGHTENED[0] * way / np.linalg.norm(way)
        after = replace(before, place=Spot(float(x), float(y), before.place.turn_rad + turn * STRAIGHTENED[1]))
        for share in (0.4, 0.8):
            self._touch(before, share)
        self._touch(before, 1.0)
        self.lying = tuple(after if one == before else one for one in self.lying)
        for share in (1.0, 0.8, 0.4):
            self._touch(before, share)
        self.rest(QUIET_S)

    def _touch(self, item: Item, share: float) -> None:
        self.moments.append(Moment(self.lying, reach(self.stage, item, share)))

    def bump(self) -> None:
        """Somebody runs into the table."""
        for shift in BUMP_PX:
            self._shifts.append((len(self.moments), shift))
            self.rest(1 / FPS)
        self.rest(QUIET_S)


Turn = Callable[["People"], None]


class People:
    """Three people with one pack, and the truth of what they do; the first deals and sits out."""

    def __init__(self, stage: Stage, seed: int) -> None:
        self.rng = np.random.default_rng([seed, 31])
        self.reel = PeopleReel(stage, self.rng)
        self.history = History.begin(set_cards.GAME, set_cards.SetCardsOptions(rounds=1, dealer_plays=False), PLAYERS)
        self.player = 1

    def play(self, turns: Sequence[Turn]) -> None:
        """Deal, and do what is asked for, with votes where there is no SET."""
        self.deal(by_hand=False)
        for turn in turns:
            while not find_sets(self.history.state.table):
                self.vote()
                self.deal()
            self.player = int(self.rng.choice(self.history.state.callers))
            turn(self)
            if self.history.state.phase is set_cards.Phase.DEAL:
                self.deal()
        self.reel.rest(2 * QUIET_S)

    def deal(self, by_hand: bool = True) -> None:
        count = sum(card is None for card in self.history.state.table)
        self.history = self.history.then(set_cards.Deal(self.reel.deal(count, by_hand)))

    def vote(self) -> None:
        self.reel.press("".join(SEAT_KEYS[player].upper() for player in self.history.state.callers))
        for player in self.history.state.callers:
            self.history = self.history.then(set_cards.Agree(player))
        self.reel.rest(0.3)

    def call(self) -> None:
        self.reel.press(SEAT_KEYS[self.player])
        self.reel.rest(0.3)

    def chosen(self) -> tuple[tuple[int, int, int], tuple[SetCard, ...]]:
        places = three(self.history.state, self.rng, right=True)
        return places, cards_of(self.history.state, places)

    def other(self, cards: Sequence[SetCard]) -> SetCard:
        """A card that is none of these."""
        left = [card for card in self.history.state.table if card is not None and card not in cards]
        return left[int(self.rng.integers(len(left)))]

    def took(self, places: tuple[int, int, int], cards: tuple[SetCard, ...]) -> None:
        self.history = self.history.then(set_cards.Call(self.player)).then(set_cards.Take(self.player, places))
        self.reel.won(cards)

    def one_by_one(self) -> None:
        places, cards = self.chosen()
        self.call()
        self.reel.one_by_one(cards)
        self.reel.rest(QUIET_S)
        self.took(places, cards)

    def change_of_mind(self) -> None:
        """One card is picked up, looked at and put back; then three others are taken."""
        places, cards = self.chosen()
        wrong = self.other(cards)
        self.call()
        self.reel.sweep(take=[self.reel.item(wrong)])
        self.reel.rest(ASIDE_S)
        self.reel.sweep(lay=[self.reel.lie(wrong)])
        self.reel.take(cards)
        self.took(places, cards)

    def look(self) -> None:
        """Somebody takes a card up without a call, and puts it back."""
        card = self.other(())
        since = len(self.reel.moments)
        self.reel.sweep(take=[self.reel.item(card)])
        self.reel.rest(1.5)
        self.reel.put_back((card,))
        self.reel.moments[since:] = [replace(one, is_midway=True) for one in self.reel.moments[since:]]

    def arm_rests(self) -> None:
        for seconds in (0.2, 0.5, 3.0):
            self.reel.lean(self.other(()), seconds)
            self.reel.rest(QUIET_S)

    def straighten(self) -> None:
        """Three cards are taken, and a neighbour is straightened beside the gap before the refill."""
        places, cards = self.chosen()
        self.call()
        self.reel.take(cards)
        self.took(places, cards)
        self.reel.straighten(self.other(cards))

    def bump(self) -> None:
        self.reel.bump()
        self.one_by_one()

    def late_refill(self) -> None:
        """The dealer leaves the gaps for a while, and then lays card by card."""
        places, cards = self.chosen()
        self.call()
        self.reel.take(cards)
        self.took(places, cards)
        self.reel.rest(5.0)
        reel, dealt = self.reel, []
        for _ in range(3):
            card = reel.pack.pop(0)
            reel.spots[card] = reel.free.pop(0)
            reel.sweep(lay=[reel.lie(card)])
            reel.rest(0.8)
            dealt.append(card)
        reel.rest(QUIET_S)
        self.history = self.history.then(set_cards.Deal(tuple(dealt)))

    def forgotten(self) -> None:
        """Three cards leave one by one without a call."""
        places, cards = self.chosen()
        self.reel.needed += 1
        self.reel.one_by_one(cards)
        self.reel.rest(2 * QUIET_S)
        self.took(places, cards)

    def forgotten_and_refilled(self) -> None:
        """Three cards leave without a call, and the dealer deals at once."""
        places, cards = self.chosen()
        self.reel.needed += 1
        self.reel.sweep(take=[self.reel.item(card) for card in cards])
        self.took(places, cards)
        self.deal()
        self.reel.rest(QUIET_S)

    def at_the_limit(self) -> None:
        """Two cards are in the hand and it lies on the third when the time is over."""
        places, cards = self.chosen()
        self.call()
        self.reel.one_by_one(cards[:2])
        self.reel.hesitate(cards[2], 4.0)
        self.reel.take(cards[2:])
        self.took(places, cards)

    def misread(self, sure: float) -> None:
        """A card of a SET is read as another one: the taker is asked about it, or disputes what was judged."""
        places, cards = self.chosen()
        wrong = self.reel.pack[-1]
        self.reel.misread[cards[1]] = wrong, sure
        self.call()
        self.reel.take(cards)
        self.reel.rest(QUIET_S)
        if sure > DOUBTED:
            self.reel.press("x")
        self.reel.needed += 2 if sure > DOUBTED else 1
        self.reel.rest(2 * QUIET_S)
        self.took(places, cards)

    def disputed(self) -> None:
        self.misread(0.97)

    def doubted(self) -> None:
        self.misread(0.94)


DOUBTED = 0.95
"""A card that is read less surely is asked about before a SET is refused."""

TROUBLE: tuple[Turn, ...] = (
    People.one_by_one,
    People.change_of_mind,
    People.look,
    People.arm_rests,
    People.straighten,
    People.bump,
    People.late_refill,
    People.forgotten,
    People.forgotten_and_refilled,
    People.at_the_limit,
)
"""What goes on at a table besides taking SETs; a card that is misread comes first, since it is misread from the beginning."""


def people_game(stage: Stage, seed: int, turns: Sequence[Turn] | None = None) -> tuple[PeopleReel, History]:
    """A film with all kinds of trouble in some order, or with some of it."""
    people = People(stage, seed)
    if turns is None:
        first: Turn = People.disputed if seed % 2 == 0 else People.doubted
        turns = [first, *(TROUBLE[at] for at in people.rng.permutation(len(TROUBLE)))]
    people.play(turns)
    return people.reel, people.history
