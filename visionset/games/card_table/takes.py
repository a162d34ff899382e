"""Which cards were taken: the SETs among those that are gone, and with others that nobody sees."""

from __future__ import annotations

from collections.abc import Sequence, Set
from itertools import combinations

from visionset.games.card_table.places import Places
from visionset.games.card_table.spots import Compared, Spots
from visionset.games.sets import find_sets
from visionset.pieces import SetCard
from visionset.referee.sightings import track_of
from visionset.table import Sighting

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


def with_unseen(places: Places, seen: Compared) -> Trio:
    """The places whose cards are gone, and with them those of cards that lie there unseen, where they are in one SET.

    Nobody sees a card leave that was covered, or in a hand, when people said that it is there.
    """
    gone = set(seen.gone)
    if not gone or seen.new:  # a new card may be one of these, misread
        return seen.gone
    unseen = lying_unseen(places, seen)
    # Two cards have one third, and one card is in few SETs: that the others of it lie unseen is hardly ever chance. Where more than one SET
    # is possible nobody knows which was taken, and where no card is seen to be gone there is none.
    ways = [trio for trio in find_sets(places) if gone < set(trio) <= gone | unseen]
    return ways[0] if len(ways) == 1 else seen.gone


def lying_unseen(places: Places, seen: Compared) -> set[int]:
    """The places whose cards lie there though nobody sees them, as the game is right."""
    return {place for place, card in enumerate(places) if card is not None and card in seen.lying and track_of(seen.lying[card]) < 0}


def tied_with_unseen(places: Places, gone: Sequence[int], seen: Compared) -> tuple[Trio, ...]:
    """The two SETs of which four cards are seen to be gone and one of each, or of both, lies unseen; of five cards the SET of two of them.

    Empty where there is no one way.
    """
    unseen = lying_unseen(places, seen)
    sets = [trio for trio in find_sets(places) if len(set(trio) & set(gone)) == 2 and set(trio) <= {*gone, *unseen}]
    ways = [(one, two) for one, two in combinations(sets, 2) if {*one, *two} >= set(gone)] if len(gone) == 4 else [(one,) for one in sets]
    return ways[0] if len(ways) == 1 else ()


def held_by_several(places: Places, gone: Sequence[int], shown: Set[int], most: int) -> tuple[Trio, ...]:
    """The SETs that callers may hold; first those of which so few leave none of the cards over that are gone, where there is one such way.

    `most` callers wait, and two SETs may share a card that is gone, or one of those that others have `shown`.
    """
    sets = tuple(trio for trio in find_sets(places) if set(trio) & set(gone) and set(trio) <= {*gone, *shown})
    for count in range(1, min(most, _SETS_AT_ONCE) + 1):
        if ways := [some for some in combinations(sets, count) if set().union(*some) >= set(gone)]:
            return tuple(dict.fromkeys((*(ways[0] if len(ways) == 1 else ()), *sets)))
    return sets


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
    if len(gone) < 3:
        return None
    if len(gone) == 3:
        return tuple(gone) if len(new) in (0, 3) or sets_among(places, gone) else None
    sets = sets_among(places, gone)
    ways = parted(places, gone)
    if ways:
        return max(ways, key=lambda trio: spots.covered([places[place] for place in trio], new))
    if len(sets) != 1 or not new:
        return None
    is_bare = not spots.covered([places[place] for place in sets[0]], new)
    is_replaced = spots.covered([places[place] for place in gone], new) == len(gone)
    return sets[0] if is_bare or is_replaced else None
