"""SET for one player (rule S11)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, Self

from visionset.games.base import Choice, Event, Finding, Form, Need, Prompt, State
from visionset.games.card_table.places import (
    LAYOUT,
    Deal,
    Discard,
    check_deal,
    check_discard,
    deck_findings,
    fill_places,
    remove,
    wanted_cards,
)
from visionset.games.game import Game
from visionset.games.sets import find_sets, has_set, why_not
from visionset.games.solitaire import SPEC
from visionset.messages import Message, Words
from visionset.pieces import SET_DECK, Piece, SetCard


@dataclass(frozen=True, slots=True)
class SolitaireOptions:
    """House rules of solitaire.

    Attributes
    ----------
    charge_without_set : bool
        True: three more cards cost a SET even where there was none to find, as the source has it. False: only an
        overlooked SET costs (S11).
    """

    charge_without_set: bool = True


@dataclass(frozen=True, slots=True)
class Take(Event):
    """The player picks up three cards."""

    name: ClassVar[str] = "take"
    at: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class FindNone(Event):
    """The player finds no SET: three more cards, or the end when the pack is out."""

    name: ClassVar[str] = "find_none"


@dataclass(frozen=True, slots=True)
class SolitaireState(State):
    """Where a game of solitaire stands.

    Attributes
    ----------
    table : tuple of SetCard or None
        By position; None is an empty place to be filled next.
    kept : tuple of SetCard
        Cards won, three for each SET.
    penalty : int
        SETs still owed.
    wrong : int
        Takes that were no SET; they cost nothing and are counted.
    is_over : bool
        True when nothing more can be found, or the player stopped.
    heap : tuple of SetCard
        Cards that were taken wrongly and replaced.

    Examples
    --------
    >>> from visionset.pieces import SET_DECK
    >>> state = GAME.start().after(Deal(SET_DECK[:12]))
    >>> state.after(Take((0, 1, 2))).scores
    (1,)
    """

    game: ClassVar[str] = "solitaire"
    events: ClassVar[tuple[type[Event], ...]] = (Deal, Take, FindNone, Discard)

    options: SolitaireOptions
    players: tuple[str, ...]
    table: tuple[SetCard | None, ...]
    kept: tuple[SetCard, ...] = ()
    penalty: int = 0
    wrong: int = 0
    ended: bool = False
    heap: tuple[SetCard, ...] = ()
    mended: tuple[int, ...] = ()
    clock_s: float = 0.0
    notice: Words = ""

    @classmethod
    def begin(cls, options: SolitaireOptions, players: tuple[str, ...]) -> Self:
        """Return the first state: twelve cards are wanted."""
        return cls(options, players, (None,) * LAYOUT)

    @property
    def seen(self) -> tuple[SetCard, ...]:
        """All cards that left the pack."""
        return tuple(card for card in (*self.table, *self.kept, *self.heap) if card is not None)

    @property
    def pack_left(self) -> int:
        """Cards still in the pack."""
        return len(SET_DECK) - len(self.seen)

    @property
    def scores(self) -> tuple[int, ...]:
        """SETs found less SETs owed."""
        return self._with_mended((len(self.kept) // 3 - self.penalty,))

    @property
    def is_over(self) -> bool:
        """True when nothing more can be found, or the player stopped."""
        return self.ended

    @property
    def winners(self) -> tuple[int, ...]:
        """The player, when the game is over with the penalty cleared."""
        return (0,) if self.is_over and not self.penalty else ()

    @property
    def prompts(self) -> tuple[Prompt, ...]:
        """What the player should do now."""
        name = self.players[0]
        if self.is_over:
            end = Message("solitaire.text.won") if not self.penalty else Message("solitaire.text.lost", penalty=self.penalty)
            return (Prompt(name, Message("solitaire.do.sets_found", end=end, number=len(self.kept) // 3)),)
        places = tuple(place for place, card in enumerate(self.table) if card is None)
        if places:
            return (Prompt(name, Message("solitaire.do.deal_cards", count=len(places)), places),)
        if self.pack_left:
            return (Prompt(name, Message("solitaire.do.take")),)
        owed = Message("solitaire.text.pay_back", penalty=self.penalty) if self.penalty else Message("solitaire.text.take_left")
        return (Prompt(name, owed),)

    @property
    def legal(self) -> tuple[Choice, ...]:
        """What may be done now."""
        if self.is_over:
            return ()
        empty = sum(card is None for card in self.table)
        if empty:
            return (
                Choice(
                    Message("solitaire.choice.deal_cards", empty=empty),
                    "deal",
                    needs=(Need.by_chance("cards", Message("solitaire.need.cards"), count=empty),),
                ),
            )
        need = Need("at", Message("solitaire.need.three"), tuple(range(len(self.table))), 3, Form.LIST)
        stop = Message("solitaire.text.none_more") if self.pack_left else Message("solitaire.text.none_stop")
        return (Choice(Message("solitaire.choice.take_three"), "take", needs=(need,)), Choice(stop, "find_none"))

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What the deck cannot be (S1) and what the rules never lead to."""
        found = deck_findings(self.table, (*self.kept, *self.heap))
        if len(self.kept) % 3 or any(why_not(*self.kept[i : i + 3]) for i in range(0, len(self.kept), 3)):
            found += (Finding("S2", Message("solitaire.finding.no_set")),)
        if self.penalty < 0:
            found += (Finding("S11", Message("solitaire.finding.paid")),)
        return found

    def _taken_up(self) -> Self:
        return self._ended_if_done()

    def judged(self, event: Event) -> tuple[Piece, ...]:
        """The three cards that are taken."""
        taken = event.at if isinstance(event, Take) else ()
        return tuple(card for place in taken if 0 <= place < len(self.table) and (card := self.table[place]) is not None)

    def _apply(self, event: Event) -> Self:
        waits = None in self.table
        if isinstance(event, Deal):
            if not waits:
                raise self.refusal("S7", "solitaire.tried.dealing")
            check_deal(self, event.cards, self.table, self.seen)
            return replace(self, table=fill_places(self.table, event.cards), notice="")._ended_if_done()
        if waits:
            raise self.refusal("S7", "solitaire.tried.early", event=Message(f"event.{event.name}"))
        if isinstance(event, Discard):
            return self._discard(event)
        return self._take(event) if isinstance(event, Take) else self._find_none()

    def _take(self, event: Take) -> Self:
        places = tuple(sorted(event.at))
        if len(set(places)) != 3 or len(places) != 3 or not 0 <= places[0] <= places[-1] < len(self.table):
            raise self.refusal("S2", "solitaire.tried.taking", at=tuple(event.at) or (Message("none"),), count=len(self.table))
        three = tuple(card for place in places if (card := self.table[place]) is not None)
        if places not in find_sets(self.table):
            return replace(self, wrong=self.wrong + 1, notice=Message("solitaire.notice.no_set", reasons=why_not(*three)))
        paid = int(not self.pack_left and self.penalty > 0)
        table = remove(self.table, places, self.pack_left)
        notice = Message("solitaire.notice.paid", number=self.penalty - paid) if paid else Message("solitaire.notice.set")
        return replace(self, table=table, kept=self.kept + three, penalty=self.penalty - paid, notice=notice)._ended_if_done()

    def _discard(self, event: Discard) -> Self:
        heap = self.heap + check_discard(self, event.at, self.table)
        table = remove(self.table, event.at, self.pack_left)
        return replace(self, heap=heap, table=table, notice=Message("solitaire.notice.discarded"))._ended_if_done()

    def _find_none(self) -> Self:
        if not self.pack_left:
            return replace(self, ended=True, notice=Message("solitaire.notice.stopped"))
        overlooked = has_set(self.table)
        charged = int(overlooked or self.options.charge_without_set)
        more = wanted_cards(len(self.table), self.pack_left, extra=True)
        notice = Message("solitaire.notice.more", more=more, number=self.penalty + charged)
        return replace(self, table=self.table + (None,) * more, penalty=self.penalty + charged, notice=notice)

    def _ended_if_done(self) -> Self:
        if None in self.table or self.pack_left or has_set(self.table):
            return self
        return replace(self, ended=True)


GAME = Game(
    SPEC,
    state=SolitaireState,
    options=SolitaireOptions,
    presets={"source": SolitaireOptions(), "fair": SolitaireOptions(charge_without_set=False)},
    min_players=1,
    max_players=1,
)
