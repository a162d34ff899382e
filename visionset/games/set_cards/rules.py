"""SET with cards, refereed: calls, takes, ties, refills, rounds and the match (rules S1 to S9).

Longer than most modules: the events, the state and what they do to each other are read together.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum
from typing import ClassVar, Self

from visionset.errors import RuleError
from visionset.games.base import EVERYONE, Choice, Event, Finding, Form, Need, Prompt, has_twice, seat_findings, sentences, swapped, trios
from visionset.games.card_table.places import LAYOUT, Deal, Discard, LayoutState, places_of, wanted_cards
from visionset.games.game import Game
from visionset.games.house import MOST_ROUNDS, check_ranges
from visionset.games.set_cards import SPEC
from visionset.games.sets import find_sets, has_set, why_not
from visionset.messages import Message, Words
from visionset.pieces import SET_DECK, SetCard


class Penalty(Enum):
    """What a wrong call costs (rule S5)."""

    POINT = "point"
    HEAP = "heap"


@dataclass(frozen=True, slots=True)
class SetCardsOptions:
    """House rules of SET."""

    dealer_plays: bool | None = None
    """False: the dealer sits out the round (S3). None: with two players the dealer plays, since one alone has nobody to play with; from
    three on the dealer sits out, which the source finds probably best."""
    penalty: Penalty = Penalty.POINT
    """POINT: a wrong call costs a point. HEAP: a kept SET goes to the rubbish heap; who has none loses a point (S5)."""
    take_limit_s: float = 5.0
    """Seconds from the call to the third card; "a few" in the sources (S4)."""
    tie_window_s: float = 0.25
    """Two calls this many seconds apart or less are a tie: about the spread of human reaction times (S6)."""
    rounds: int | None = None
    """Rounds in a match; None: as many as players, so that everyone deals once (S3)."""
    first_dealer: int = 1
    """Seat of the player who deals the first round, counted from 1 (S3)."""

    def __post_init__(self) -> None:
        check_ranges(SPEC, self, take_limit_s=(0.5, 600.0), tie_window_s=(0.0, 10.0), rounds=(1, MOST_ROUNDS), first_dealer=(1, 20))


class Phase(Enum):
    """What the table waits for."""

    DEAL = "deal"
    OPEN = "open"
    CALLED = "called"
    OVER = "over"


@dataclass(frozen=True, slots=True)
class Claim:
    """A call of SET, and the three positions once they are picked up."""

    player: int
    called_s: float
    cards: tuple[int, ...] = ()
    is_late: bool = False
    """Without cards: no three came in time, or the caller gave up."""
    gave_up: bool = False

    @property
    def is_open(self) -> bool:
        """Cards are still to be shown, and it is not too late."""
        return not (self.cards or self.is_late)


@dataclass(frozen=True, slots=True)
class Call(Event):
    """A player says SET."""

    player: int


@dataclass(frozen=True, slots=True)
class Take(Event):
    """A caller picks up three cards."""

    player: int
    at: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class GiveUp(Event):
    """A caller has no SET to show, or the time to show it has run out."""

    player: int


@dataclass(frozen=True, slots=True)
class Agree(Event):
    """A player says that there is no SET on the table."""

    player: int


@dataclass(frozen=True, slots=True)
class PayForHint(Event):
    """A player loses a point for a hint, where a table plays so; nobody is offered it as a move."""

    stays: ClassVar[bool] = True
    player: int


@dataclass(frozen=True, slots=True)
class SetCardsState(LayoutState):
    """Where a match of SET stands.

    Examples
    --------
    >>> from visionset.pieces import SET_DECK
    >>> state = GAME.start(players=("Ann", "Bo")).after(Deal(SET_DECK[:12]))
    >>> state = state.after(Call(1)).after(Take(1, (0, 1, 2)))
    >>> state.scores, state.table[:4].count(None)
    ((0, 1), 3)
    """

    game: ClassVar[str] = "set"
    events: ClassVar[tuple[type[Event], ...]] = (Deal, Call, Take, GiveUp, Agree, Discard, PayForHint)

    options: SetCardsOptions
    phase: Phase
    dealer: int
    table: tuple[SetCard | None, ...]
    """By position; None is an empty place that the dealer fills next."""
    kept: tuple[tuple[SetCard, ...], ...]
    """Cards won in this round, three for each SET, by player."""
    errors: tuple[int, ...]
    """Points lost in this round, by player."""
    heap: tuple[SetCard, ...] = ()
    """The rubbish heap of this round."""
    claims: tuple[Claim, ...] = ()
    agreed: tuple[int, ...] = ()
    look_again: bool = False
    finished: tuple[tuple[int, ...], ...] = ()
    """Points of the rounds that are over."""

    @classmethod
    def begin(cls, options: SetCardsOptions, players: tuple[str, ...]) -> Self:
        """Return the first state: the dealer is about to lay twelve cards."""
        empty = ((),) * len(players)
        if options.first_dealer > len(players):
            raise RuleError(Message("set.refused.first_dealer", count=len(players), first_dealer=options.first_dealer))
        if options.dealer_plays is None:
            options = replace(options, dealer_plays=len(players) == 2)
        return cls(options, players, Phase.DEAL, options.first_dealer - 1, (None,) * LAYOUT, empty, (0,) * len(players))

    @property
    def kept_by_player(self) -> tuple[tuple[SetCard, ...], ...]:
        """Cards won in this round."""
        return self.kept

    @property
    def _rounds(self) -> int:
        return self.options.rounds or len(self.players)

    @property
    def callers(self) -> tuple[int, ...]:
        """Who may call: everybody, or everybody but the dealer (S3)."""
        return tuple(p for p in range(len(self.players)) if self.options.dealer_plays or p != self.dealer)

    @property
    def round_scores(self) -> tuple[int, ...]:
        """Points of this round: SETs kept less points lost (S5)."""
        return tuple(len(cards) // 3 - lost for cards, lost in zip(self.kept, self.errors, strict=True))

    @property
    def scores(self) -> tuple[int, ...]:
        """Match totals (S3)."""
        rounds = self.finished if self.is_over else (*self.finished, self.round_scores)
        return self._with_mended([sum(points) for points in zip(*rounds, strict=True)])

    @property
    def is_over(self) -> bool:
        """True when everyone has dealt."""
        return self.phase is Phase.OVER

    @property
    def prompts(self) -> tuple[Prompt, ...]:
        """What dealer and players should do now."""
        if self.phase is Phase.OVER:
            return (Prompt(EVERYONE, Message("set.do.won", names=self.names_of(self.winners), points=max(self.scores))),)
        if self.phase is Phase.DEAL:
            places = places_of(self.table, None)
            shuffle = Message("set.text.shuffle", count=len(SET_DECK)) if not self.seen else ""
            return (Prompt(self.dealer_named, Message("set.do.deal", shuffle=shuffle, count=len(places)), places),)
        if self.phase is Phase.CALLED:
            waiting = [claim for claim in self.claims if claim.is_open]
            limit = self.options.take_limit_s
            return tuple(Prompt(self.players[c.player], Message("set.do.pick_up", number=limit)) for c in waiting)
        if self.look_again:
            return (Prompt(self.dealer_named, Message("set.do.look_again")),)
        return (Prompt(self._callers_named, Message("set.do.say_set")),)

    @property
    def dealer_named(self) -> Message:
        """How the dealer is spoken to."""
        return Message("to.dealer_who_plays", name=self.players[self.dealer])

    @property
    def _callers_named(self) -> Words:
        """Whom a prompt to all callers speaks to: nobody who sits out is told to call."""
        if len(self.callers) == len(self.players):
            return EVERYONE
        return self.called(self.callers) if len(self.callers) < 3 else Message("to.all_but", name=self.players[self.dealer])

    @property
    def legal(self) -> tuple[Choice, ...]:
        """What may be done now."""
        if self.phase is Phase.DEAL:
            return self._dealing
        if self.phase is Phase.OPEN:
            agree = tuple(
                Choice(Message("set.choice.no_set", player=self.players[p]), "agree", p) for p in self.callers if p not in self.agreed
            )
            return (*(Choice(Message("set.choice.set", player=self.players[p]), "call", p) for p in self.callers), *agree)
        if self.phase is Phase.CALLED:
            places = tuple(place for place, card in enumerate(self.table) if card is not None)
            need = Need("at", Message("set.need.three"), places, 3, Form.LIST)
            waiting = [claim.player for claim in self.claims if claim.is_open]
            called = {claim.player for claim in self.claims}
            take = tuple(Choice(Message("set.choice.take_three", player=self.players[p]), "take", p, (need,)) for p in waiting)
            give = tuple(Choice(Message("set.choice.give_up", player=self.players[p]), "give_up", p) for p in waiting)
            others = (p for p in self.callers if p not in called and self._ties)
            return (*take, *give, *(Choice(Message("set.choice.set_too", player=self.players[p]), "call", p) for p in others))
        return ()

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What the deck cannot be (S1) and what the rules never lead to."""
        seats = (self.dealer, *self.agreed, *(claim.player for claim in self.claims))
        if misfits := seat_findings(self, (self.kept, self.errors, *self.finished), seats):
            return misfits
        dealer_has = self.kept[self.dealer] or self.errors[self.dealer]
        callers = [claim.player for claim in self.claims]
        picked_up = [claim.cards for claim in self.claims if claim.cards]
        # the table is claimed exactly while one of the calls is still to be shown
        claimed = any(claim.is_open for claim in self.claims)
        is_called = self.phase is Phase.CALLED
        return self._deck_findings + Finding.where(
            (any(len(three) < 3 or why_not(*three) for cards in self.kept for three in trios(cards)), "S5", Message("set.finding.no_set")),
            (not self.options.dealer_plays and dealer_has, "S3", Message("set.finding.dealer")),
            (self.phase in (Phase.OPEN, Phase.CALLED) and None in self.table, "S7", Message("set.finding.empty_place")),
            (
                len(self.finished) >= self._rounds and not self.is_over,
                "S3",
                Message("set.finding.rounds", count=len(self.finished), rounds=self._rounds),
            ),
            (has_twice(self.agreed) or not set(self.agreed) < set(self.callers), "S8", Message("set.finding.agreed")),
            (is_called != claimed or (self.claims and not is_called), "S4", Message("set.finding.claimed")),
            (has_twice(callers) or not set(callers) <= set(self.callers), "S4", Message("set.finding.call_twice")),
            (
                any(len(set(cards)) != 3 or not set(cards) <= set(range(len(self.table))) for cards in picked_up),
                "S4",
                Message("set.finding.picked_up"),
            ),
        )

    def _taken_up(self) -> Self:
        return self._round_end_if_done() if self.phase is Phase.OPEN else self

    @property
    def _ties(self) -> bool:
        """A call now is a tie with the first one (S6)."""
        return bool(self.claims) and self.clock_s - self.claims[0].called_s <= self.options.tie_window_s

    def _deal(self, event: Deal) -> Self:
        if self.phase is not Phase.DEAL:
            raise self.refusal("S7", "set.tried.dealing")
        return replace(self, table=self._filled(event.cards), phase=Phase.OPEN, notice="")._round_end_if_done()

    def _call(self, event: Call) -> Self:
        if event.player not in self.callers:
            raise self.refusal("S3", "set.tried.dealer_calls", player=self.players[event.player])
        if self.phase is Phase.DEAL:
            raise self.refusal("S7", "set.tried.early_call")
        if self.phase is Phase.CALLED and (event.player in [c.player for c in self.claims] or not self._ties):
            raise self.refusal("S4", "set.tried.claimed", player=self.players[event.player])
        claims = (*self.claims, Claim(event.player, self.clock_s))
        return replace(self, phase=Phase.CALLED, claims=claims, agreed=(), look_again=False, notice="")

    def _agree(self, event: Agree) -> Self:
        if self.phase is not Phase.OPEN or event.player not in self.callers or event.player in self.agreed:
            raise self.refusal("S8", "set.tried.agreement", player=self.players[event.player])
        agreed = (*self.agreed, event.player)
        if len(agreed) < len(self.callers):
            return replace(self, agreed=agreed, look_again=False)
        if has_set(self.table):
            return replace(self, agreed=(), look_again=True)
        more = wanted_cards(len(self.table), self.pack_left, extra=True)
        notice = Message("set.notice.none", count=len(self.table))
        return replace(self, agreed=(), look_again=False, table=self.table + (None,) * more, phase=Phase.DEAL, notice=notice)

    def _pay_for_hint(self, event: PayForHint) -> Self:
        if self.phase not in (Phase.OPEN, Phase.DEAL):  # it stays where the deal that it was about is taken back
            raise self.refusal("S2", "set.tried.asking_hint")
        if event.player not in self.callers:
            raise self.refusal("S3", "set.tried.dealer_asks_hint", player=self.players[event.player])
        notice = Message("set.notice.paid_for_hint", player=self.players[event.player])
        return replace(self, errors=swapped(self.errors, event.player, self.errors[event.player] + 1), notice=notice)

    def _discard(self, event: Discard) -> Self:
        if self.phase is not Phase.OPEN:
            raise self.refusal("S7", "set.tried.discarding")
        heap = self.heap + self._discarded(event.at)
        table = self._without(event.at)
        phase = Phase.DEAL if None in table else Phase.OPEN
        notice = Message("set.notice.nobody_wins", count=len(event.at))
        return replace(self, heap=heap, table=table, phase=phase, agreed=(), look_again=False, notice=notice)._round_end_if_done()

    def _take(self, event: Take | GiveUp) -> Self:
        place = next((i for i, c in enumerate(self.claims) if c.player == event.player and c.is_open), None)
        if self.phase is not Phase.CALLED or place is None:
            raise self.refusal("S4", "set.tried.without_call", event=Message(f"event.{event.name}"), player=self.players[event.player])
        claim = self.claims[place]
        late = self.clock_s > claim.called_s + self.options.take_limit_s
        cards: tuple[int, ...] = ()
        if isinstance(event, Take):
            self.check_three("S4", event.at, self.table)
            cards = tuple(sorted(event.at))
        gave_up = isinstance(event, GiveUp) and self.clock_s < claim.called_s + self.options.take_limit_s
        shown = replace(claim, cards=() if late else cards, is_late=late or not cards, gave_up=gave_up)
        state = replace(self, claims=swapped(self.claims, place, shown))
        return state if any(c.is_open for c in state.claims) else state._judged()

    _give_up = _take

    def _judged(self) -> Self:
        """Settle all claims: right, wrong, late, and what tied callers share (S5, S6)."""
        right = [claim for claim in self.claims if claim.cards and claim.cards in find_sets(self.table)]
        count = [place for claim in right for place in claim.cards]
        shared = {place for place in count if count.count(place) > 1}
        state, words = self, list[Words]()
        for claim in self.claims:
            name = self.players[claim.player]
            if claim not in right:
                state, cost = state._penalised(claim.player)
                without = Message("set.notice.gave_up" if claim.gave_up else "set.notice.late")
                why = why_not(*self.cards_at(claim.cards)) if claim.cards else (without,)
                words.append(Message("set.notice.no_set", name=name, why=why, cost=cost))
            elif shared & set(claim.cards):
                words.append(Message("set.notice.shared", name=name))
            else:
                kept = state.kept[claim.player] + self.cards_at(claim.cards)
                state = replace(state, kept=swapped(state.kept, claim.player, kept))
                words.append(Message("set.notice.set", name=name))
        heap = state.heap + self.cards_at(sorted(shared))
        gone = shared | {place for claim in right if not shared & set(claim.cards) for place in claim.cards}
        state = replace(state, heap=heap, claims=(), notice=sentences(*words))
        table = self._without(gone)
        phase = Phase.DEAL if None in table else Phase.OPEN
        return replace(state, table=table, phase=phase)._round_end_if_done()

    def _penalised(self, player: int) -> tuple[Self, Message]:
        kept = self.kept[player]
        if self.options.penalty is Penalty.HEAP and kept:
            return replace(self, kept=swapped(self.kept, player, kept[:-3]), heap=self.heap + kept[-3:]), Message("set.notice.costs_a_set")
        return replace(self, errors=swapped(self.errors, player, self.errors[player] + 1)), Message("set.notice.costs_a_point")

    def _round_end_if_done(self) -> Self:
        if self.phase is Phase.DEAL or self.pack_left or has_set(self.table):
            return self
        finished = (*self.finished, self.round_scores)
        best, points = self.leading(self.round_scores), max(self.round_scores)
        over = Message("set.notice.round_over", number=len(finished), best=best, points=points)
        notice = sentences(self.notice, over)
        if len(finished) == self._rounds:
            return replace(self, finished=finished, phase=Phase.OVER, notice=notice)
        fresh = type(self).begin(self.options, self.players)
        dealer = (self.dealer + 1) % len(self.players)
        return replace(fresh, dealer=dealer, finished=finished, mended=self.mended, clock_s=self.clock_s, notice=notice)


HOUSE_RULES = SetCardsOptions(penalty=Penalty.HEAP)
FAMILY_RULES = SetCardsOptions(dealer_plays=True, penalty=Penalty.POINT)

GAME = Game(
    SPEC,
    state=SetCardsState,
    options=SetCardsOptions,
    presets={"house": HOUSE_RULES, "family": FAMILY_RULES, "source": SetCardsOptions()},
    min_players=2,
    max_players=20,
)
