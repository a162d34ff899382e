"""The layout of SET cards on a real table: which lie, are gone or new, where places are empty, and which were taken first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations

from visionset.games.card_table.places import Places
from visionset.games.sets import find_sets
from visionset.geometry import Quad
from visionset.pieces import Kind, SetCard
from visionset.referee.game_referee import distance_px, unread
from visionset.table import Sighting, Table


@dataclass(frozen=True, slots=True, eq=False)
class Compared:
    """The table against the places of the game."""

    lying: dict[SetCard, Sighting]
    """Every card that was read."""
    gone: tuple[int, ...]
    """Places whose card does not lie there."""
    new: tuple[Sighting, ...]
    """Cards that were read and belong to no place."""
    unread: tuple[int, ...]
    """Tracks of the cards that were not read."""
    twice: tuple[Sighting, ...]
    """Cards that were read twice."""


def compare_layout(places: Places, table: Table) -> Compared:
    """Compare what lies on the table with the places of the game."""
    lying: dict[SetCard, Sighting] = {}
    twice = []
    for one in table.sightings:
        if isinstance(one.piece, SetCard):
            if one.piece in lying:
                twice += [lying[one.piece], one]
            lying[one.piece] = one
    known = {card for card in places if card is not None}
    gone = tuple(place for place, card in enumerate(places) if card is not None and card not in lying)
    new = tuple(one for one in table.sightings if isinstance(one.piece, SetCard) and one.piece not in known)
    return Compared(lying, gone, new, unread(table), tuple(twice))


class Spots:
    """Where each card lay last, and which places are to be filled."""

    def __init__(self) -> None:
        self._of: dict[SetCard, Quad] = {}
        self._vacant: tuple[Quad, ...] = ()

    def see(self, lying: dict[SetCard, Sighting]) -> None:
        """Remember where cards lie."""
        self._of |= {card: one.outline_px for card, one in lying.items()}

    def leave(self, before: Places, after: Places) -> None:
        """Remember which places the game wants filled after an event: those of the cards that went, in their order."""
        wanted = after.count(None)
        stay = set(after)
        went = [card for card in before if card is not None and card not in stay]
        spots = [self._of[card] for card in went if card in self._of][:wanted]
        self._vacant = tuple(spots) if len(spots) == wanted else ()

    def of(self, cards: Sequence[SetCard | None]) -> tuple[Quad, ...]:
        """Where these cards lay last."""
        return tuple(self._of[card] for card in cards if card is not None and card in self._of)

    def ghosts(self, cards: Sequence[SetCard | None]) -> tuple[Sighting, ...]:
        """These cards where they lay last, for a camera that does not see them."""
        return tuple(Sighting(Kind.SET_CARD, self._of[card], card, 1.0) for card in cards if card is not None and card in self._of)

    def open(self, new: Sequence[Sighting] = ()) -> tuple[Quad, ...]:
        """Empty places that are not yet filled by one of the new cards."""
        filled = {
            min(range(len(self._vacant)), key=lambda at: distance_px(self._vacant[at], one.outline_px)) for one in new if self._vacant
        }
        return tuple(place for number, place in enumerate(self._vacant) if number not in filled)

    def covered(self, cards: Sequence[SetCard | None], new: Sequence[Sighting]) -> int:
        """How many of these cards have one of the new cards in their place."""
        return len(replaced_in_place([card for card in cards if card is not None], new, self)[0])

    def in_order(self, new: Sequence[Sighting], wanted: int) -> tuple[SetCard, ...]:
        """New cards in the order of the places that they fill, as many as are wanted; in reading order where no places are known."""
        order: Sequence[Sighting] = new[:wanted]
        if len(self._vacant) == wanted <= 6 and len(new) <= 6:  # 720 orders are nothing; a whole layout has no places yet
            order = min(
                permutations(new, wanted),
                key=lambda some: sum(distance_px(one.outline_px, place) for one, place in zip(some, self._vacant, strict=True)),
            )
        return tuple(one.piece for one in order if isinstance(one.piece, SetCard))


def replaced_in_place(
    gone: Sequence[SetCard], new: Sequence[Sighting], spots: Spots
) -> tuple[list[tuple[SetCard, Sighting]], list[Sighting]]:
    """Match each card that is gone with a new one in its place, and give the new ones that are left."""
    left, pairs = list(new), []
    for card in gone:
        for place in spots.of([card]):
            there = next((one for one in left if distance_px(one.outline_px, place) < one.long_side_px / 2), None)
            if there is not None:
                left.remove(there)
                pairs.append((card, there))
    return pairs, left


Trio = tuple[int, ...]
"""Three places, ascending."""

_SETS_AT_ONCE = 3
"""So many SETs are told apart that left between two settled looks; more do not leave while hands never rest."""


def cards_at(places: Places, at: Sequence[int]) -> frozenset[SetCard]:
    """The cards at some places."""
    return frozenset(card for place in at if (card := places[place]) is not None)


def sets_among(places: Places, at: Sequence[int]) -> tuple[Trio, ...]:
    """The SETs that lie wholly at some of the places."""
    wanted = set(at)
    return tuple(trio for trio in find_sets(places) if wanted.issuperset(trio))


def parted(places: Places, gone: Sequence[int]) -> tuple[Trio, ...]:
    """The SETs into which the cards that are gone fall, none left over; empty where there is no way or more than one."""
    if len(gone) % 3 or len(gone) > 3 * _SETS_AT_ONCE:
        return ()
    ways = _ways(sets_among(places, gone), frozenset(gone))
    return ways[0] if len(ways) == 1 else ()


def _ways(sets: tuple[Trio, ...], gone: frozenset[int]) -> list[tuple[Trio, ...]]:
    if not gone:
        return [()]
    first = min(gone)
    return [(trio, *rest) for trio in sets if first in trio and gone.issuperset(trio) for rest in _ways(sets, gone - set(trio))]


def taken_first(places: Places, gone: Sequence[int], new: Sequence[Sighting], spots: Spots) -> Trio | None:
    """The three cards that were taken, or taken first; None where that cannot be told yet.

    Three cards that are `gone` were taken, and `new` ones are what the dealer laid for them. One or two new cards may as well be
    others of the table that are misread: then only a SET counts. Of more cards that are gone those were taken that make a SET,
    where there is one way to see that, and new cards lie for none of them or for all that are gone.
    """
    sets = sets_among(places, gone)
    if len(gone) == 3:
        return tuple(gone) if sets or len(new) in (0, 3) else None
    ways = parted(places, gone)
    if ways:
        return max(ways, key=lambda trio: spots.covered([places[place] for place in trio], new))
    if len(sets) != 1 or not new:
        return None
    is_bare = not spots.covered([places[place] for place in sets[0]], new)
    is_replaced = spots.covered([places[place] for place in gone], new) == len(gone)
    return sets[0] if is_bare or is_replaced else None
