"""SET as people play it: cards are taken one by one, looked at, put back elsewhere and replaced early or late, keys are forgotten.

What happened is known; the referee sees settled tables alone, at times that nobody chose. Points have to be exact.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

import pytest

from tests.referee.tabletop import TableTop, seeds
from tests.referee.test_set_cards import begun, spot
from tests.referee.test_solitaire import begun as alone
from visionset.games.set_cards.rules import Phase, SetCardsOptions
from visionset.games.sets import find_sets, has_set
from visionset.pieces import SET_DECK, SetCard
from visionset.referee.player_input import Answer, CallSet, NoSet, Undo
from visionset.table import Guess

CALLERS = (1, 2)
SPOTS = [spot(place) for place in range(28)]


class People:
    """Three people with one pack; the first deals and sits out.

    Parameters
    ----------
    seed : int
        Of all they do.
    unsure : float
        Share of cards that are not read at first.
    """

    def __init__(self, seed: int, unsure: float) -> None:
        self.rng = random.Random(seed)
        self.table = self.begun(seed, unsure)
        self.pack = self.rng.sample(SET_DECK, len(SET_DECK))
        self.at: dict[SetCard, tuple[float, float]] = {}
        self.points = [0, 0, 0]
        self.hands: dict[int, frozenset[SetCard]] = {}
        self.taken: dict[int, frozenset[SetCard]] = {}
        self.needless = self.wrongs = 0
        self.done: list[str] = ["deal"]

    def begun(self, seed: int, unsure: float) -> TableTop:
        return begun(SetCardsOptions(rounds=1), seed=seed, unsure=unsure)

    @property
    def ways(self) -> tuple[Callable[[], None], ...]:
        """What brings or costs points."""
        return self.fair, self.fair, self.wrong, self.forgotten, self.tied, self.late, self.hurried, self.onlooker

    @property
    def idle(self) -> tuple[Callable[[], None], ...]:
        """What people do besides."""
        return self.look, self.unclaimed, self.bump, self.time_out, self.change_of_mind

    def play(self) -> None:
        self.lay(SPOTS[:12])
        self.settled()
        ways, idle = self.ways, self.idle
        while self.pack or has_set(self.lying):
            if not has_set(self.lying):
                self.vote()
                continue
            way = self.rng.choice(ways if self.rng.random() < 0.7 else idle)
            self.done.append(way.__name__)
            before, self.taken = len(self.table.director.history.events), {}
            way()
            self.check()
            is_replaced = self.table.director.history.events[-1].name == "deal"
            if is_replaced and way.__name__ in ("fair", "forgotten", "wrong", "late", "hurried") and self.rng.random() < 0.2:
                self.undo(before)
                self.check()
        assert self.table.director.state.is_over

    @property
    def lying(self) -> list[SetCard]:
        return list(self.at)

    def check(self) -> None:
        state, showing = self.table.director.state, self.table.director.showing
        told = (self.done[-5:], showing, state)
        assert list(state.scores) == self.points, told
        assert state.pack_left == len(self.pack), told
        assert {card for card in state.table if card} == set(self.at) or state.is_over, told
        assert state.findings == (), told
        assert not showing.differ, told
        assert showing.question is None, told

    def lift(self, card: SetCard) -> tuple[float, float]:
        self.table.take(self.table.track(card))
        return self.at.pop(card)

    def lay(self, places: Sequence[tuple[float, float]], cards: Sequence[SetCard] = ()) -> None:
        for place, card in zip(places, cards or [self.pack.pop() for _ in places], strict=True):
            self.table.lay(card, place, sure=True if cards else None)
            self.at[card] = place
            self.pause()

    def pause(self) -> None:
        """A moment between two movements; the table may settle in it, or not."""
        chance = self.rng.random()
        if chance < 0.25:
            self.table.hand(0.25)
            with self.misreading(chance < 0.04):
                self.table.settle()
            if chance < 0.1:
                self.table.wait(0.5)
        elif chance < 0.5:
            self.table.hand(0.25)

    @contextmanager
    def misreading(self, happens: bool) -> Iterator[None]:
        """One card that the game knows is taken for another of the pack for a while, and surely so."""
        known = [card for card in self.lying if card in self.table.director.state.table]
        if not happens or not self.pack or not known:
            yield
            return
        track = self.table.track(self.rng.choice(known))
        sighting, piece = self.table.lying[track], self.rng.choice(self.pack)
        self.table.lying[track] = replace(sighting, piece=piece, guess=Guess(piece, 0.99))
        yield
        if track in self.table.lying:
            self.table.lying[track] = sighting

    def settled(self) -> None:
        """All hands are off the table, and people answer what they are asked."""
        self.table.hand(0.25)
        self.table.settle()
        self.table.wait(1.5)
        for _ in range(6):
            question = self.table.director.showing.question
            if question is None:
                break
            kind, about = question.key
            self.needless += self.done[-1] not in {"whose": ("forgotten", "unclaimed", "hurried"), "taker": ("tied",)}.get(
                kind, ("hurried", "tied")
            )
            number = 0
            for at, option in enumerate(question.options, 1):
                player, cards = option.value if kind == "trio" else (option.value, about)  # type: ignore[misc]
                number = at if self.hands.get(player) == cards else number  # type: ignore[arg-type]
            self.table.say(Answer(number))
        self.taken |= self.hands
        self.hands = {}

    def undo(self, oldest: int) -> None:
        """Some of the last events are taken back; the table is as it was, and whoever is asked says the same again."""
        if self.table.director.state.is_over:
            return
        history = self.table.director.history
        left = self.rng.randint(oldest, len(history.events))
        while len(self.table.director.history.events) > left:
            self.table.say(Undo())
        self.hands = self.taken
        self.done.append("hurried")
        self.table.next()
        self.settled()

    def refill(self, places: Sequence[tuple[float, float]]) -> None:
        self.lay(places[: min(max(0, 12 - len(self.at)), len(self.pack))])

    def trio(self, is_set: bool) -> list[SetCard]:
        cards = self.lying
        sets = find_sets(cards)
        if is_set:
            return [cards[place] for place in self.rng.choice(sets)]
        while True:
            some = sorted(self.rng.sample(range(len(cards)), 3))
            if tuple(some) not in sets:
                return [cards[place] for place in some]

    def take(self, cards: Sequence[SetCard]) -> list[tuple[float, float]]:
        places = []
        for card in cards:
            places.append(self.lift(card))
            self.pause()
        return places

    def call(self, player: int) -> None:
        self.table.wait(0.25 + self.rng.random())
        self.table.say(CallSet(player))

    def fair(self, forgotten: bool = False) -> None:
        """A SET is taken and replaced, at once or later."""
        player, cards = self.rng.choice(CALLERS), self.trio(True)
        self.hands = {player: frozenset(cards)}
        if not forgotten:
            self.call(player)
        places = self.take(cards)
        self.points[player] += 1
        if self.rng.random() < 0.5:
            self.settled()
        self.refill(places)
        self.settled()

    def forgotten(self) -> None:
        self.fair(True) if self.rng.random() < 0.7 else self.wrong(True)

    def wrong(self, forgotten: bool = False) -> None:
        """Three cards that are no SET are taken; they go back, perhaps elsewhere, or are replaced."""
        if len(self.at) < 4:
            return
        player, cards = self.rng.choice(CALLERS), self.trio(False)
        self.hands = {player: frozenset(cards)}
        if not forgotten:
            self.call(player)
        places = self.take(cards)
        self.points[player] -= 1
        self.wrongs += 1
        self.end_of_cards(cards, places)

    def end_of_cards(self, cards: Sequence[SetCard], places: Sequence[tuple[float, float]]) -> None:
        """Cards that nobody won go back, or others of the pack lie for them already."""
        if len(self.pack) >= 3 and len(self.at) == 9 and self.rng.random() < 0.3:
            if self.rng.random() < 0.5:
                self.settled()
            self.lay(places)
        else:
            self.settled()
            free = [place for place in SPOTS if place not in self.at.values()]
            self.lay(places if self.rng.random() < 0.5 else self.rng.sample(free, 3), cards)
        self.settled()

    def unclaimed(self) -> None:
        """Three cards leave, and nobody wants them."""
        if len(self.at) > 3:
            cards = self.trio(self.rng.random() < 0.5)
            self.hands = {}
            self.end_of_cards(cards, self.take(cards))

    def look(self) -> None:
        """Somebody looks at one card or two and puts them back."""
        cards = self.rng.sample(self.lying, self.rng.choice((1, 2)))
        places = self.take(cards)
        self.settled()
        self.lay(places, cards)
        self.settled()

    def bump(self) -> None:
        """Some cards are pushed a little."""
        for card in self.rng.sample(self.lying, len(self.at) // 2):
            x, y = self.at[card]
            self.table.move(self.table.track(card), (x + self.rng.uniform(-9, 9), y + self.rng.uniform(-9, 9)))
        self.settled()

    def change_of_mind(self) -> None:
        """A caller takes a wrong card, puts it back within the time, and takes the right one."""
        player, cards = self.rng.choice(CALLERS), self.trio(True)
        others = [card for card in self.lying if card not in cards]
        if not others:
            return
        other = self.rng.choice(others)
        self.hands = {player: frozenset(cards)}
        self.table.say(CallSet(player))
        places = self.take(cards[:1])
        self.lay(self.take([other]), [other])
        places += self.take(cards[1:])
        self.points[player] += 1
        self.settled()
        self.refill(places)
        self.settled()

    def onlooker(self) -> None:
        """Somebody looks at a card while another calls, and puts it back in time."""
        player, cards = self.rng.choice(CALLERS), self.trio(True)
        others = [card for card in self.lying if card not in cards]
        if not others:
            return
        other = self.rng.choice(others)
        there = self.take([other])
        self.settled()
        self.hands = {player: frozenset(cards)}
        self.table.say(CallSet(player))
        places = self.take(cards[:2])
        self.lay(there, [other])
        places += self.take(cards[2:])
        self.points[player] += 1
        self.settled()
        self.refill(places)
        self.settled()

    def late(self) -> None:
        """The time runs out while a hand is over the third card."""
        player, cards = self.rng.choice(CALLERS), self.trio(True)
        self.hands = {player: frozenset(cards)}
        self.table.say(CallSet(player))
        self.table.hand(0.5)
        places = [self.lift(card) for card in cards[:2]]
        if self.rng.random() < 0.5:
            self.table.settle()
        self.table.hand(self.rng.choice((4.5, 6.0, 8.0)))
        places.append(self.lift(cards[2]))
        self.points[player] += 1
        self.settled()
        self.refill(places)
        self.settled()

    def time_out(self) -> None:
        """A caller finds no SET after all."""
        player = self.rng.choice(CALLERS)
        self.table.say(CallSet(player))
        self.table.wait(6)
        self.points[player] -= 1

    def tied(self) -> None:
        """Two players call at once; with a shared card nobody wins, and the other cards go back."""
        cards = self.lying
        sets = [frozenset(cards[place] for place in trio) for trio in find_sets(cards)]
        pairs = [(one, two) for one in sets for two in sets if one != two]
        if not pairs:
            return
        one, two = self.rng.choice(pairs)
        self.hands = dict(zip(self.rng.sample(CALLERS, 2), (one, two), strict=True))
        for player in self.rng.sample(CALLERS, 2):
            self.table.say(CallSet(player))
        both = self.rng.sample(sorted(one | two, key=str), len(one | two))
        places = dict(zip(both, self.take(both), strict=True))
        self.settled()
        shared = one & two
        if shared:
            self.table.wait(6)
            back = [card for card in both if card not in shared]
            self.lay([places[card] for card in back], back)
            self.settled()
            self.refill([places[card] for card in shared])
        else:
            for player in CALLERS:
                self.points[player] += 1
            self.refill(list(places.values()))
        self.settled()

    def hurried(self) -> None:
        """Two SETs are taken and replaced while hands never rest; the second key is refused or forgotten."""
        cards = self.lying
        sets = [frozenset(cards[place] for place in trio) for trio in find_sets(cards)]
        pairs = [(one, two) for one in sets for two in sets if not one & two]
        if not pairs or len(self.pack) < 6 or len(cards) > 12:
            return
        first, second = self.rng.choice(pairs)
        order = self.rng.sample(CALLERS, 2)
        self.hands = dict(zip(order, (first, second), strict=True))
        self.call(order[0])
        self.table.wait(0.25)
        for player, trio in zip(order, (first, second), strict=True):
            places = [self.lift(card) for card in sorted(trio, key=str)]
            for place in places:
                card = self.pack.pop()
                self.table.lay(card, place, sure=True)
                self.at[card] = place
            self.points[player] += 1
            self.table.hand(0.5)
        self.settled()

    def vote(self) -> None:
        self.table.wait(0.5)
        for player in CALLERS:
            self.table.say(NoSet(player))
        free = [place for place in SPOTS if place not in self.at.values()]
        self.lay(free[: min(3, len(self.pack))])
        self.settled()
        assert self.table.director.state.phase is not Phase.DEAL


class Alone(People):
    """One person at solitaire: nobody calls, what is wrong costs nothing, and three more cards cost a SET (S11)."""

    def begun(self, seed: int, unsure: float) -> TableTop:
        return alone(seed, unsure)

    @property
    def ways(self) -> tuple[Callable[[], None], ...]:
        return self.fair, self.fair, self.wrong, self.hurried

    @property
    def idle(self) -> tuple[Callable[[], None], ...]:
        return self.look, self.bump

    def call(self, player: int) -> None:
        self.table.wait(0.5)

    def check(self) -> None:
        state, showing = self.table.director.state, self.table.director.showing
        told = (self.done[-5:], showing, state)
        assert len(state.kept) // 3 == sum(self.points) + self.wrongs, told
        assert state.pack_left == len(self.pack), told
        assert set(state.table) == set(self.at) or state.is_over, told
        assert state.findings == (), told
        assert not showing.differ, told
        assert showing.question is None, told

    def vote(self) -> None:
        self.table.wait(0.5)
        self.table.say(NoSet(0))
        free = [place for place in SPOTS if place not in self.at.values()]
        self.lay(free[: min(3, len(self.pack))])
        self.settled()


@pytest.mark.parametrize("seed", seeds(2, 30))
def test_solitaire_is_followed_whatever_the_player_does(seed: int) -> None:
    people = Alone(seed, unsure=0.03 if seed % 2 else 0.0)
    people.play()
    assert people.needless == 0


@pytest.mark.parametrize("seed", seeds(2, 60))
def test_whatever_people_do_the_points_are_theirs(seed: int) -> None:
    people = People(seed, unsure=0.03 if seed % 2 else 0.0)
    people.play()
    assert people.needless <= 1
