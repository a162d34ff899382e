"""The SETs of a table: among its cards, along the lines of a grid of dice, or among scattered dice."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import product
from math import prod

import numpy as np

from visionset.games.grid import Laid, face_indices, sets_in, settle_wilds, windows_through
from visionset.games.sets import Triple, find_sets
from visionset.pieces import Kind, Piece, SetCard, SetDie
from visionset.table import Table
from visionset.vision.lattice import Cell, lattice

MOST_LISTED = 200
"""SETs of scattered dice that are listed: 42 dice with seven WILDs hold thousands, and nobody reads on."""

_MOST_WAYS = 2000
"""Ways to state the WILDs of a grid that are tried: a quarter of a second. A crossword has tens; only a solid block of dice has more."""


@dataclass(frozen=True, slots=True)
class TableSets:
    """The SETs of a table."""

    sets: tuple[Triple, ...]
    """Into `Table.sightings`, ascending; those of cards before those of dice. Of scattered dice no more than `MOST_LISTED`."""
    count: int
    """How many there are, listed or not."""
    cells: tuple[Cell | None, ...] | None = None
    """For each sighting its cell in the grid that the SET dice form; None outside it. None as a whole without SET dice."""

    @property
    def grid_size(self) -> tuple[int, int] | None:
        """Rows and columns of the grid of dice; None without one."""
        inside = [cell for cell in self.cells or () if cell is not None]
        return (max(row for row, _ in inside) + 1, max(column for _, column in inside) + 1) if inside else None


def sets_of(table: Table, decks: int = 1) -> TableSets:
    """Find the SETs of a table with so many copies of each card.

    Dice that form a grid make SETs along its lines alone (rule D4); dice that form none make them with one another (D13).
    """
    among_cards = sets_on_table(table.pieces, decks)
    dice = [position for position, sighting in enumerate(table.sightings) if sighting.kind is Kind.SET_DIE]
    if not dice:
        return TableSets(among_cards, len(among_cards))
    found = lattice(np.stack([table.sightings[position].outline_px for position in dice]))
    cells: list[Cell | None] = [None] * len(table.sightings)
    for position, cell in zip(dice, found, strict=True):
        cells[position] = cell
    faces = {position: piece for position in dice if isinstance(piece := table.pieces[position], SetDie)}
    at = {cell: position for position, cell in enumerate(cells) if cell is not None}
    if at:
        among_dice = _along_lines({cell: faces[position] for cell, position in at.items() if position in faces}, at)
    else:
        among_dice = find_sets([faces.get(position) for position in range(len(cells))])
    count = len(among_cards) + len(among_dice)
    return TableSets(among_cards + (among_dice if at else among_dice[:MOST_LISTED]), count, tuple(cells))


def _along_lines(faces: Mapping[Cell, SetDie], at: Mapping[Cell, int]) -> tuple[Triple, ...]:
    """SETs in rows and columns. A WILD stands for one face throughout: the one that holds most dice together (D14)."""
    laid = tuple(Laid(*cell, face) for cell, face in sorted(faces.items()))
    wilds = [cell for cell, face in faces.items() if face.is_wild]
    ways = prod(max(1, sum(all(other in faces for other in window) for window in windows_through(cell))) for cell in wilds)
    if ways <= _MOST_WAYS:
        laid = settle_wilds(laid)
    trios = (sorted(at[cell] for cell in window) for window in sets_in(face_indices(laid)))
    return tuple(sorted((first, second, last) for first, second, last in trios))


def sets_on_table(pieces: Iterable[Piece | None], decks: int = 1) -> tuple[Triple, ...]:
    """Find all SETs among pieces, positions ascending; pieces other than SET cards are passed over.

    With one deck, a card that is there twice was misread and takes no part (rule S1). With more, every copy does.

    Examples
    --------
    >>> from visionset.pieces import SET_DECK
    >>> one, two, three = SET_DECK[0], SET_DECK[1], SET_DECK[2]
    >>> sets_on_table([one, two, three, one]), sets_on_table([one, two, three, one], decks=2)
    ((), ((0, 1, 2), (1, 2, 3)))
    """
    cards = [piece if isinstance(piece, SetCard) else None for piece in pieces]
    if decks == 1:
        return find_sets(cards)
    copies: dict[SetCard, list[int]] = {}
    for position, card in enumerate(cards):
        if card is not None:
            copies.setdefault(card, []).append(position)
    places = list(copies.values())
    trios = (
        tuple(sorted(trio))
        for first, second, last in find_sets(list(copies))
        for trio in product(places[first], places[second], places[last])
    )
    return tuple(sorted((a, b, c) for a, b, c in trios))
