"""SET for one player (rule S11)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, Self

from visionset.games.base import Choice, Event, Finding, Form, Need, Prompt, trios
from visionset.games.card_table.places import LAYOUT, Deal, Discard, LayoutState, places_of, wanted_cards
from visionset.games.game import Game
from visionset.games.sets import find_sets, has_set, why_not
from visionset.games.solitaire import SPEC
from visionset.messages import Message
from visionset.pieces import SetCard


@dataclass(frozen=True, slots=True)
class SolitaireOptions:
    """House rules of solitaire."""

    charge_without_set: bool = True
    """True: three more cards cost a SET even where there was none to find, as the source has it. False: only an overlooked SET costs
    (S11)."""


@dataclass(frozen=True, slots=True)
class Take(Event):
    """The player picks up three cards."""

    at: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class FindNone(Event):
    """The player finds no SET: three more cards, or the end when the pack is out."""


@dataclass(frozen=True, slots=True)
class SolitaireState(LayoutState):
    """Where a game of solitaire stands.

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
    table: tuple[SetCard | None, ...]
    """By position; None is an empty place to be filled next."""
    kept: tuple[SetCard, ...] = ()
    """Cards won, three for each SET."""
    penalty: int = 0
    """SETs still owed."""
    wrong: int = 0
    """Takes that were no SET; they cost nothing and are counted."""
    ended: bool = False
    heap: tuple[SetCard, ...] = ()
    """Cards that were taken wrongly and replaced."""

    @classmethod
    def begin(cls, options: SolitaireOptions, players: tuple[str, ...]) -> Self:
        """Return the first state: twelve cards are wanted."""
        return cls(options, players, (None,) * LAYOUT)

    @property
    def kept_by_player(self) -> tuple[tuple[SetCard, ...], ...]:
        """Cards won, by the one player."""
        return (self.kept,)

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
        if places := places_of(self.table, None):
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
        if None in self.table:
            return self._dealing
        need = Need("at", Message("solitaire.need.three"), tuple(range(len(self.table))), 3, Form.LIST)
        stop = Message("solitaire.text.none_more") if self.pack_left else Message("solitaire.text.none_stop")
        return (Choice(Message("solitaire.choice.take_three"), "take", needs=(need,)), Choice(stop, "find_none"))

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What the deck cannot be (S1) and what the rules never lead to."""
        return self._deck_findings + Finding.where(
            (any(len(cards) < 3 or why_not(*cards) for cards in trios(self.kept)), "S2", Message("solitaire.finding.no_set")),
            (self.penalty < 0, "S11", Message("solitaire.finding.paid")),
        )

    def _apply(self, event: Event) -> Self:
        if None in self.table and not isinstance(event, Deal):
            raise self.refusal("S7", "solitaire.tried.early", event=Message(f"event.{event.name}"))
        return LayoutState._apply(self, event)

    def _deal(self, event: Deal) -> Self:
        if None not in self.table:
            raise self.refusal("S7", "solitaire.tried.dealing")
        return replace(self, table=self._filled(event.cards), notice="")._taken_up()

    def _take(self, event: Take) -> Self:
        self.check_three("S2", event.at, self.table)
        places = tuple(sorted(event.at))
        three = self.cards_at(places)
        if places not in find_sets(self.table):
            return replace(self, wrong=self.wrong + 1, notice=Message("solitaire.notice.no_set", reasons=why_not(*three)))
        paid = int(not self.pack_left and self.penalty > 0)
        table = self._without(places)
        notice = Message("solitaire.notice.paid", number=self.penalty - paid) if paid else Message("solitaire.notice.set")
        return replace(self, table=table, kept=self.kept + three, penalty=self.penalty - paid, notice=notice)._taken_up()

    def _discard(self, event: Discard) -> Self:
        heap, table = self.heap + self._discarded(event.at), self._without(event.at)
        return replace(self, heap=heap, table=table, notice=Message("solitaire.notice.discarded"))._taken_up()

    def _find_none(self, event: FindNone) -> Self:
        if not self.pack_left:
            return replace(self, ended=True, notice=Message("solitaire.notice.stopped"))
        overlooked = has_set(self.table)
        charged = int(overlooked or self.options.charge_without_set)
        more = wanted_cards(len(self.table), self.pack_left, extra=True)
        notice = Message("solitaire.notice.more", more=more, number=self.penalty + charged)
        return replace(self, table=self.table + (None,) * more, penalty=self.penalty + charged, notice=notice)

    def _taken_up(self) -> Self:
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
