"""Where SET cards lie and lay: the table against the places of the game, and the spots that new cards fill."""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import dataclass
from itertools import permutations

from visionset.games.card_table.places import Places
from visionset.geometry import Floats, Quad
from visionset.pieces import Kind, Piece, SetCard
from visionset.referee.sightings import distance_px, seen_from, unread
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

    def forget(self) -> None:
        """A round begins: each card lies anew in it."""
        self._of = {}

    def see(self, lying: dict[SetCard, Sighting]) -> None:
        """Remember where cards lie."""
        self._of |= {card: one.outline_px for card, one in lying.items()}

    def follow_view(self, image_from_before: Floats) -> None:
        """The camera moved: all that is remembered is elsewhere in the picture."""
        self._of = {card: seen_from(image_from_before, outline) for card, outline in self._of.items()}
        self._vacant = tuple(seen_from(image_from_before, outline) for outline in self._vacant)

    def correct(self, places: Places, elsewhere: Set[Piece]) -> None:
        """Keep where a card lay that was read as another one: the only new one of the game lay where the only lost one did."""
        here = {card for card in places if card is not None}
        new, unknown = here - set(self._of), set(self._of) - here - elsewhere
        if len(new) == len(unknown) == 1:
            self._of[new.pop()] = self._of.pop(unknown.pop())

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


def lies_at(one: Sighting, place: Quad) -> bool:
    """Whether a card lies where another one lay."""
    return distance_px(one.outline_px, place) < one.long_side_px / 2


def replaced_in_place(
    gone: Sequence[SetCard], new: Sequence[Sighting], spots: Spots
) -> tuple[list[tuple[SetCard, Sighting]], list[Sighting]]:
    """Match each card that is gone with a new one in its place, and give the new ones that are left."""
    left, pairs = list(new), []
    for card in gone:
        for place in spots.of([card]):
            there = next((one for one in left if lies_at(one, place)), None)
            if there is not None:
                left.remove(there)
                pairs.append((card, there))
    return pairs, left
