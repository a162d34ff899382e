"""English Sets, for two players with 52 cards (rules E1 to E6).

The cards of the pack are not listed: they are those of the 52 that lie nowhere else. What is known of their order is
the cards at the bottom since the last shuffle. Longer than most modules: events and state are read together.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from enum import Enum
from typing import ClassVar, Self

from visionset.games.base import DEALER, EVERYONE, Choice, Event, Finding, Need, Prompt, State, has_twice, swapped, together
from visionset.games.english_sets import SPEC
from visionset.games.game import Game
from visionset.messages import Message
from visionset.pieces import PACK, Piece, PlayingCard, Rank

HAND = 4
"""Cards in a full hand, and cards in a complete set."""


@dataclass(frozen=True, slots=True)
class EnglishSetsOptions:
    """English Sets has no house rules."""


class Phase(Enum):
    """What the table waits for."""

    DEAL = "deal"
    SETUP = "setup"
    STARTER = "starter"
    REPLENISH = "replenish"
    STALEMATE = "stalemate"
    OVER = "over"


@dataclass(frozen=True, slots=True)
class Grave:
    """Equal cards that lie face up: horizontal while incomplete, vertical with all four."""

    cards: tuple[PlayingCard, ...]

    @property
    def rank(self) -> Rank:
        """Rank of the cards."""
        return self.cards[0].rank

    @property
    def is_complete(self) -> bool:
        """True for all four cards."""
        return len(self.cards) == HAND


@dataclass(frozen=True, slots=True)
class Deal(Event):
    """Four cards for each player."""

    readings: ClassVar[tuple[str, ...]] = ("hands",)
    hands: tuple[tuple[PlayingCard, ...], tuple[PlayingCard, ...]]


@dataclass(frozen=True, slots=True)
class Draw(Event):
    """A player draws one card to fill the hand."""

    readings: ClassVar[tuple[str, ...]] = ("card",)
    player: int
    card: PlayingCard


@dataclass(frozen=True, slots=True)
class Starter(Event):
    """The top card of the pack is turned up."""

    readings: ClassVar[tuple[str, ...]] = ("card",)
    card: PlayingCard


@dataclass(frozen=True, slots=True)
class Exchange(Event):
    """Both agree to exchange cards, so that each completes a set (E4)."""


@dataclass(frozen=True, slots=True)
class Shuffle(Event):
    """Both agree to shuffle their hands back into the pack (E4)."""


@dataclass(frozen=True, slots=True)
class Stop(Event):
    """Both agree to end; the cards in the hands do not count (E6)."""


@dataclass(frozen=True, slots=True)
class EnglishSetsState(State):
    """Where a game of English Sets stands."""

    game: ClassVar[str] = "english-sets"
    events: ClassVar[tuple[type[Event], ...]] = (Deal, Draw, Starter, Exchange, Shuffle, Stop)

    options: EnglishSetsOptions
    phase: Phase
    hands: tuple[tuple[PlayingCard, ...], tuple[PlayingCard, ...]] = ((), ())
    """By player."""
    graveyards: tuple[tuple[Grave, ...], tuple[Grave, ...]] = ((), ())
    """By player, in the order they were laid."""
    bottom: tuple[PlayingCard, ...] = ()
    """Cards put under the pack since it was last shuffled, first to come first."""
    shuffles: int = 0
    """How often the pack was shuffled after the deal."""
    lost: tuple[PlayingCard, ...] = ()
    """Cards that the pack lacks, as people found when it was out."""

    @classmethod
    def begin(cls, options: EnglishSetsOptions, players: tuple[str, ...]) -> Self:
        """Return the first state: all cards are in the pack."""
        return cls(options, players, Phase.DEAL)

    @property
    def _lying(self) -> tuple[PlayingCard, ...]:
        return tuple(c for hand in self.hands for c in hand) + tuple(c for g in self.graveyards for grave in g for c in grave.cards)

    @property
    def pack(self) -> tuple[PlayingCard, ...]:
        """The cards of the pack, in no order."""
        elsewhere = {*self._lying, *self.lost}
        return tuple(card for card in PACK if card not in elsewhere)

    @property
    def above(self) -> tuple[PlayingCard, ...]:
        """The cards of the pack that nobody put under it, in no order."""
        return tuple(card for card in self.pack if card not in self.bottom)

    @property
    def on_top(self) -> tuple[PlayingCard, ...]:
        """The cards that can be on top of the pack: any of those that nobody put under it; of those the first, where no other is left."""
        return self.above or self.bottom[:1]

    @property
    def scores(self) -> tuple[int, ...]:
        """Complete sets of each player (E5)."""
        return self._with_mended([sum(grave.is_complete for grave in graves) for graves in self.graveyards])

    @property
    def is_over(self) -> bool:
        """True when all cards are in sets, or both agreed to stop."""
        return self.phase is Phase.OVER

    @property
    def short(self) -> tuple[int, ...]:
        """Players who draw now."""
        drawing = self.phase in (Phase.SETUP, Phase.REPLENISH)
        return tuple(p for p, hand in enumerate(self.hands) if len(hand) < HAND) if drawing else ()

    @property
    def shared_out(self) -> tuple[tuple[Rank, int], ...]:
        """Who gets which set in an exchange (E4); empty where no exchange gives complete sets."""
        counts = [Counter(card.rank for card in hand) for hand in self.hands]
        ranks = [rank for rank in Rank if counts[0][rank] + counts[1][rank] == HAND]
        if len(ranks) == 1:
            # One set is left: whoever holds all of it declares it, and cards that are split count for nobody.
            return tuple((ranks[0], p) for p in (0, 1) if counts[p][ranks[0]] == HAND)
        if len(ranks) != 2:
            return ()
        more = 0 if counts[0][ranks[0]] >= counts[1][ranks[0]] else 1
        return (ranks[0], more), (ranks[1], 1 - more)

    @property
    def prompts(self) -> tuple[Prompt, ...]:
        """What dealer and players should do now."""
        match self.phase:
            case Phase.DEAL:
                return (Prompt(DEALER, Message("english-sets.do.deal", hand=HAND)),)
            case Phase.STARTER:
                return (Prompt(DEALER, Message("english-sets.do.starter")),)
            case Phase.STALEMATE:
                ways = [choice.message for choice in self.legal]
                return (Prompt(EVERYONE, Message("english-sets.do.stalemate", ways=tuple(ways))),)
            case Phase.OVER:
                first, second = sorted(self.scores, reverse=True)  # the winner's, whose name stands before them
                won = Message("english-sets.text.won", player=self.players[self.winners[0]])
                who = won if first != second else Message("english-sets.text.draw")
                return (Prompt(EVERYONE, Message("english-sets.do.over", who=who, first=first, second=second)),)
        return tuple(Prompt(self.players[p], Message("english-sets.do.draw", number=HAND - len(self.hands[p]))) for p in self.short)

    @property
    def legal(self) -> tuple[Choice, ...]:
        """What may be done now."""
        cards = tuple(str(card) for card in self.on_top)
        match self.phase:
            case Phase.DEAL:
                hands = Need.by_chance("hands", Message("english-sets.need.hands", hand=HAND))
                return (Choice(Message("english-sets.choice.deal"), "deal", needs=(hands,)),)
            case Phase.STARTER:
                turned = Need.by_chance("card", Message("english-sets.need.turned"), cards)
                return (Choice(Message("english-sets.choice.starter"), "starter", needs=(turned,)),)
            case Phase.STALEMATE:
                ways = (Choice(Message("english-sets.choice.exchange"), "exchange"),) if self.shared_out else ()
                if cards:
                    return (*ways, Choice(Message("english-sets.choice.shuffle"), "shuffle"))
                return (*ways, Choice(Message("english-sets.choice.stop"), "stop"))
            case Phase.OVER:
                return ()
        drawn = Need.by_chance("card", Message("english-sets.need.drawn"), cards)
        return tuple(Choice(Message("english-sets.choice.draw", player=self.players[p]), "draw", p, (drawn,)) for p in self.short)

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What 52 cards and the rules do not allow."""
        graves = [grave for graveyard in self.graveyards for grave in graveyard]
        cards, ranks = Counter((*self._lying, *self.lost)), Counter(grave.rank for grave in graves if grave.cards)
        no_sets = [g.cards for g in graves if not 2 <= len(g.cards) <= HAND or len({card.rank for card in g.cards}) > 1]
        held = tuple(sorted(set(ranks) & {card.rank for hand in self.hands for card in hand}, key=lambda rank: rank.value))
        return Finding.where(
            *((times > 1, "E1", Message("english-sets.finding.twice", card=card, times=times)) for card, times in cards.items()),
            *((True, "E1", Message("english-sets.finding.no_set", cards=cards)) for cards in no_sets),
            *((times > 1, "E2", Message("english-sets.finding.split_rank", rank=rank, times=times)) for rank, times in ranks.items()),
            (held, "E3", Message("english-sets.finding.held", names=held)),
            (any(len(hand) > HAND for hand in self.hands), "E3", Message("english-sets.finding.hand", hand=HAND)),
            (has_twice(self.bottom) or not set(self.bottom) <= set(self.pack), "E2", Message("english-sets.finding.bottom")),
            (self.phase is Phase.DEAL and self._lying, "E1", Message("english-sets.finding.early_cards")),
        )

    def _taken_up(self) -> Self:
        if self.phase in (Phase.SETUP, Phase.REPLENISH):
            return self._replenish()
        return self._checked() if self.phase is Phase.STARTER else self

    def judged(self, event: Event) -> tuple[Piece, ...]:
        """The card that is drawn or turned."""
        return (event.card,) if isinstance(event, Draw | Starter) else ()

    def _apply(self, event: Event) -> Self:
        wanted = {Deal: (Phase.DEAL,), Draw: (Phase.SETUP, Phase.REPLENISH), Starter: (Phase.STARTER,)}
        if self.phase not in wanted.get(type(event), (Phase.STALEMATE,)):
            rule = {Deal: "E1", Draw: "E3", Starter: "E2"}.get(type(event), "E4")
            raise self.refusal(rule, "english-sets.tried.out_of_turn", event=Message(f"event.{event.name}"))
        match event:
            case Deal():
                dealt = [card for hand in event.hands for card in hand]
                if len(set(dealt)) != len(dealt) or any(len(hand) != HAND for hand in event.hands):
                    raise self.refusal("E1", "english-sets.tried.dealing", dealt=tuple(dealt), hand=HAND)
                return replace(self, hands=event.hands, phase=Phase.SETUP)._set_up()
            case Draw():
                return self._draw(event)
            case Starter():
                return self._from_pack(event.card, "E2")._starter(event.card)
            case Exchange():
                return self._exchange()
            case Shuffle():
                if not self.pack:
                    raise self.refusal("E4", "english-sets.tried.empty_pack")
                return replace(self, hands=((), ()), notice=Message("english-sets.notice.shuffled"))._shuffled()._replenish()
        if self.pack:
            raise self.refusal("E4", "english-sets.tried.stopping")
        return replace(self, phase=Phase.OVER, notice=Message("english-sets.notice.stopped"))

    def _from_pack(self, card: PlayingCard, rule: str) -> Self:
        """Take a card off the top; refuse one that cannot be there."""
        if card not in self.pack:
            raise self.refusal(rule, "english-sets.tried.lies_elsewhere", card=card)
        if card not in self.on_top:
            raise self.refusal(rule, "english-sets.tried.under_pack", card=card)
        return replace(self, bottom=tuple(other for other in self.bottom if other != card))

    def _shuffled(self) -> Self:
        return replace(self, bottom=(), shuffles=self.shuffles + 1)

    def _joined(self, card: PlayingCard) -> Self | None:
        """Add a card to an incomplete set of either player; None where it matches none."""
        for player, graves in enumerate(self.graveyards):
            for place, grave in enumerate(graves):
                if grave.rank is card.rank and not grave.is_complete:
                    grown = Grave((*grave.cards, card))
                    return self._buried(player, swapped(graves, place, grown), grown)
        return None

    def _buried(self, player: int, graves: tuple[Grave, ...], grown: Grave) -> Self:
        name, rank = self.players[player], grown.rank
        declared = Message("english-sets.text.declares_set", name=name, rank=rank)
        lying = Message("english-sets.text.rank_lie", count=len(grown.cards), rank=rank, name=name)
        notice = together(self.notice, declared if grown.is_complete else lying)
        return replace(self, graveyards=swapped(self.graveyards, player, graves), notice=notice)

    def _laid(self, player: int, cards: tuple[PlayingCard, ...]) -> Self:
        """Lay equal cards as a new set of a player."""
        grave = Grave(cards)
        return self._buried(player, (*self.graveyards[player], grave), grave)

    def _without(self, rank: Rank) -> Self:
        a, b = (tuple(card for card in hand if card.rank is not rank) for hand in self.hands)
        return replace(self, hands=(a, b))

    def _held(self, rank: Rank) -> list[tuple[PlayingCard, ...]]:
        return [tuple(card for card in hand if card.rank is rank) for hand in self.hands]

    def _set_up(self) -> Self:
        """Lay what can be laid before the first starter (E1)."""
        state = replace(self, notice="")
        for rank in Rank:
            first, second = state._held(rank)
            if len(first) == len(second) == 2:
                both = Message("english-sets.text.four_back", rank=rank)
                state = replace(state._without(rank), notice=together(state.notice, both))._shuffled()
            elif max(len(first), len(second)) >= 2:
                player = 0 if len(first) > len(second) else 1
                cards = (first + second) if player == 0 else (second + first)
                state = state._without(rank)._laid(player, cards)
        for hand in state.hands:
            for card in hand:
                joined = state._joined(card)
                state = state if joined is None else joined._without(card.rank)
        if any(len(hand) < HAND for hand in state.hands) and state.pack:
            return state
        return replace(state, phase=Phase.STARTER)._checked()

    def _draw(self, event: Draw) -> Self:
        if event.player not in self.short:
            raise self.refusal("E3", "english-sets.tried.full_hand", player=self.players[event.player], hand=HAND)
        state = replace(self._from_pack(event.card, "E3"), notice="")
        joined = state._joined(event.card)
        if joined is None:
            joined = replace(state, hands=swapped(state.hands, event.player, (*state.hands[event.player], event.card)))
        return joined._replenish()

    def _replenish(self) -> Self:
        """Go on once both hands are full, or the pack is out (E3)."""
        if any(len(hand) < HAND for hand in self.hands) and self.pack:
            return self if self.phase is Phase.SETUP else replace(self, phase=Phase.REPLENISH)
        return self._set_up() if self.phase is Phase.SETUP else replace(self, phase=Phase.STARTER)._checked()

    def _checked(self) -> Self:
        """Find the end and the stalemate (E4, E5): no card of the pack matches anything that lies or is held."""
        wanted = {card.rank for hand in self.hands for card in hand}
        wanted |= {grave.rank for graves in self.graveyards for grave in graves if not grave.is_complete}
        if any(card.rank in wanted for card in self.pack):
            return self
        return replace(self, phase=Phase.STALEMATE if any(self.hands) else Phase.OVER)

    def _starter(self, card: PlayingCard) -> Self:
        """Settle the five cases (E2)."""
        state = replace(self, notice="")
        joined = state._joined(card)
        if joined is not None:
            return joined._replenish()
        first, second = state._held(card.rank)
        if not first and not second:
            return replace(state, bottom=(*state.bottom, card), notice=Message("english-sets.notice.no_match", card=card))
        if len(first) == len(second) == 1:
            back = replace(state._without(card.rank), notice=Message("english-sets.notice.three_back", rank=card.rank))
            return back._shuffled()._replenish()
        player = 0 if len(first) > len(second) else 1
        cards = (card, *first, *second) if player == 0 else (card, *second, *first)
        return state._without(card.rank)._laid(player, cards)._replenish()

    def _exchange(self) -> Self:
        if not self.shared_out:
            raise self.refusal("E4", "english-sets.tried.exchange")
        state = replace(self, notice="")
        for rank, player in self.shared_out:
            first, second = state._held(rank)
            state = state._without(rank)._laid(player, (*first, *second))
        return state._replenish()


GAME = Game(
    SPEC,
    state=EnglishSetsState,
    options=EnglishSetsOptions,
    presets={"source": EnglishSetsOptions()},
    min_players=2,
    max_players=2,
)
