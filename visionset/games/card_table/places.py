"""The layout of SET cards on the table: places that empty and fill, shared by the game of several players and by solitaire."""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import ClassVar

from visionset.games.base import Choice, Event, Finding, Need, State
from visionset.messages import Message
from visionset.pieces import SET_DECK, SetCard

LAYOUT = 12
"""Cards of a full layout (S3): four rows of three."""

EXTRA = 3
"""Cards that come when there is no SET (S8)."""

Places = tuple[SetCard | None, ...]


@dataclass(frozen=True, slots=True)
class Deal(Event):
    """Cards from the pack go to the empty places, in order."""

    readings: ClassVar[tuple[str, ...]] = ("cards",)
    cards: tuple[SetCard, ...]


@dataclass(frozen=True, slots=True)
class Discard(Event):
    """Cards that nobody won are off the table and replaced: they go to the rubbish heap."""

    at: tuple[int, ...]


def wanted_cards(lying: int, pack_left: int, *, extra: bool = False) -> int:
    """Tell how many cards the dealer lays: up to twelve, or three more (S7, S8), never more than the pack holds.

    >>> wanted_cards(lying=9, pack_left=40), wanted_cards(lying=12, pack_left=40, extra=True), wanted_cards(lying=9, pack_left=0)
    (3, 3, 0)
    """
    return min(EXTRA if extra else max(LAYOUT - lying, 0), pack_left)


class LayoutState(State):
    """A game in which SET cards lie on places; None is an empty place that is filled next."""

    __slots__ = ()
    table: Places
    heap: tuple[SetCard, ...]

    @property
    @abstractmethod
    def kept_by_player(self) -> tuple[tuple[SetCard, ...], ...]:
        """Cards that each player won in this round, three for each SET."""

    @property
    def off_table(self) -> tuple[SetCard, ...]:
        """Cards that left the table for good in this round: the rubbish heap, and those won."""
        return (*self.heap, *(card for cards in self.kept_by_player for card in cards))

    @property
    def seen(self) -> tuple[SetCard, ...]:
        """All cards that left the pack in this round."""
        return tuple(card for card in (*self.table, *self.off_table) if card is not None)

    @property
    def pack_left(self) -> int:
        """Cards still in the pack."""
        return len(SET_DECK) - len(self.seen)

    def cards_at(self, places: Sequence[int]) -> tuple[SetCard, ...]:
        """The cards that lie at some places, as far as there are such places."""
        return tuple(card for place in places if 0 <= place < len(self.table) and (card := self.table[place]) is not None)

    def judged(self, event: Event) -> tuple[SetCard, ...]:
        """The three cards that are taken."""
        return self.cards_at(getattr(event, "at", ())) if event.name == "take" else ()

    @property
    def _dealing(self) -> tuple[Choice, ...]:
        """What may be done while places are empty."""
        count = self.table.count(None)
        need = Need.by_chance("cards", Message("set.need.cards"), count=count)
        return (Choice(Message("set.choice.deal", count=count), "deal", needs=(need,)),)

    def _filled(self, cards: Sequence[SetCard]) -> Places:
        """Fill the empty places in order; refuse a wrong number of cards, or one that left the pack already (S1, S7)."""
        wanted = self.table.count(None)
        if len(cards) != wanted:
            raise self.refusal("S7", "game.tried.dealing", count=len(cards), wanted=wanted)
        if again := [str(card) for card, count in Counter(cards).items() if count > 1 or card in self.seen]:
            raise self.refusal("S1", "game.tried.dealing_twice", again=tuple(again))
        coming = iter(cards)
        return tuple(next(coming) if card is None else card for card in self.table)

    def _without(self, gone: Collection[int]) -> Places:
        """Take cards away: as many places stay, empty, as the dealer will fill; the others close up (S7, S8)."""
        open_places = sorted(gone)[: wanted_cards(len(self.table) - len(gone), self.pack_left)]
        places = enumerate(self.table)
        return tuple(None if place in open_places else card for place, card in places if place in open_places or place not in gone)

    def _discarded(self, at: Sequence[int]) -> tuple[SetCard, ...]:
        """Give the cards at some places; refuse places that are not there, are named twice, or wait for a card (S7)."""
        lying = self.cards_at(at)
        if not at or len(set(at)) != len(at) or len(lying) != len(at) or None in self.table:
            raise self.refusal("S7", "game.tried.discarding", at=tuple(at) or (Message("none"),), count=len(self.table))
        return lying

    @property
    def _deck_findings(self) -> tuple[Finding, ...]:
        """Explain cards that are there more often than the deck holds them (S1)."""
        found = tuple(
            Finding("S1", Message("game.finding.card_twice", card=card, times=times), places_of(self.table, card))
            for card, times in Counter(self.seen).items()
            if times > 1
        )
        total, empty = len(self.seen), self.table.count(None)
        if total > len(SET_DECK):
            found += (Finding("S1", Message("game.finding.too_many_cards", total=total, count=len(SET_DECK))),)
        elif empty > len(SET_DECK) - total:
            found += (Finding("S7", Message("game.finding.empty_places", empty=empty, number=len(SET_DECK) - total)),)
        return found


def places_of(table: Places, wanted: SetCard | None) -> tuple[int, ...]:
    """Places at which a card lies, or the empty ones."""
    return tuple(place for place, card in enumerate(table) if card == wanted)
