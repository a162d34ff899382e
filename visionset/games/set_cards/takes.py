"""Which cards of SET were taken, where more has changed than three cards that are gone: the shortest way that leads there."""

from __future__ import annotations

from collections.abc import Sequence

from visionset.games.set_cards.layout import Spots
from visionset.games.sets import find_sets
from visionset.games.table_cards import Places
from visionset.pieces import SetCard
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


def _ways(sets: tuple[Trio, ...], gone: frozenset[int]) -> list[tuple[Trio, ...]]:
    if not gone:
        return [()]
    first = min(gone)
    return [(trio, *rest) for trio in sets if first in trio and gone.issuperset(trio) for rest in _ways(sets, gone - set(trio))]


def taken_first(places: Places, gone: Sequence[int], new: Sequence[Sighting], spots: Spots) -> Trio | None:
    """The three cards that were taken, or taken first; None where that cannot be told yet.

    Three cards that are gone were taken, and new ones are what the dealer laid for them. One or two new cards may as well be
    others of the table that are misread: then only a SET counts. Of more cards that are gone those were taken that make a SET,
    where there is one way to see that, and new cards lie for none of them or for all that are gone.

    Parameters
    ----------
    places : tuple of SetCard or None
        Of the game.
    gone : sequence of int
        Places whose card does not lie there.
    new : sequence of Sighting
        Cards that the game does not have on the table.
    spots : Spots
        Where cards lay.
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
