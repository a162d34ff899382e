"""The layout of SET cards on the table: places that empty and fill, shared by the game of several players and by solitaire."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import ClassVar

from visionset.games.base import Event, Finding, State
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

    name: ClassVar[str] = "deal"
    readings: ClassVar[tuple[str, ...]] = ("cards",)
    cards: tuple[SetCard, ...]


@dataclass(frozen=True, slots=True)
class Discard(Event):
    """Cards that nobody won are off the table and replaced: they go to the rubbish heap."""

    name: ClassVar[str] = "discard"
    at: tuple[int, ...]


def wanted_cards(lying: int, pack_left: int, *, extra: bool = False) -> int:
    """Tell how many cards the dealer lays: up to twelve, or three more (S7, S8), never more than the pack holds.

    >>> wanted_cards(lying=9, pack_left=40), wanted_cards(lying=12, pack_left=40, extra=True), wanted_cards(lying=9, pack_left=0)
    (3, 3, 0)
    """
    return min(EXTRA if extra else max(LAYOUT - lying, 0), pack_left)


def remove(table: Places, gone: Collection[int], pack_left: int) -> Places:
    """Take cards away: as many places stay, empty, as the dealer will fill; the others close up (S7, S8)."""
    fill = wanted_cards(len(table) - len(gone), pack_left)
    open_places = sorted(gone)[:fill]
    return tuple(None if place in open_places else card for place, card in enumerate(table) if place in open_places or place not in gone)


def fill_places(table: Places, cards: Sequence[SetCard]) -> Places:
    """Fill the empty places in order."""
    coming = iter(cards)
    return tuple(next(coming) if card is None else card for card in table)


def check_deal(state: State, cards: Sequence[SetCard], table: Places, seen: Collection[SetCard]) -> None:
    """Refuse a deal of the wrong number of cards, or of a card that left the pack already (S1, S7)."""
    wanted = sum(card is None for card in table)
    if len(cards) != wanted:
        raise state.refusal("S7", "game.tried.dealing", count=len(cards), wanted=wanted)
    if again := [str(card) for card, count in Counter(cards).items() if count > 1 or card in seen]:
        raise state.refusal("S1", "game.tried.dealing_twice", again=tuple(again))


def check_discard(state: State, at: Sequence[int], table: Places) -> tuple[SetCard, ...]:
    """Give the cards at some places; refuse places that are not there, are named twice, or wait for a card (S7)."""
    lying = tuple(card for place in at if 0 <= place < len(table) and (card := table[place]) is not None)
    if not at or len(set(at)) != len(at) or len(lying) != len(at) or None in table:
        raise state.refusal("S7", "game.tried.discarding", at=tuple(at) or (Message("none"),), count=len(table))
    return lying


def deck_findings(table: Places, elsewhere: Sequence[SetCard]) -> tuple[Finding, ...]:
    """Explain cards that are there more often than the deck holds them (S1)."""
    count = Counter(card for card in (*table, *elsewhere) if card is not None)
    found = tuple(
        Finding(
            "S1",
            Message("game.finding.card_twice", card=card, times=times),
            tuple(place for place, other in enumerate(table) if other == card),
        )
        for card, times in count.items()
        if times > 1
    )
    total = sum(count.values())
    if total > len(SET_DECK):
        found += (Finding("S1", Message("game.finding.too_many_cards", total=total, count=len(SET_DECK))),)
    elif (empty := table.count(None)) > len(SET_DECK) - total:
        found += (Finding("S7", Message("game.finding.empty_places", empty=empty, number=len(SET_DECK) - total)),)
    return found
