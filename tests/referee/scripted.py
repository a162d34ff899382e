"""A table that is told by the number of the frame: twelve cards of SET, of which three leave."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.referee.tabletop import outline
from tests.referee.test_set_cards import spot
from visionset.games.sets import find_sets
from visionset.geometry import Frame
from visionset.pieces import SET_DECK, Kind, Piece
from visionset.sources.base import Source
from visionset.table import Settled, Sighting, Table

CARDS = SET_DECK[:12]
TRIO = find_sets(CARDS)[0]


def table(cards: tuple[Piece, ...]) -> Table:
    return Table(
        (1280, 720),
        tuple(
            Sighting(Kind.SET_CARD, outline(Kind.SET_CARD, spot(SET_DECK.index(card))), card, 1.0, None, SET_DECK.index(card))
            for card in cards
        ),  # type: ignore[arg-type]
    )


class Frames(Source):
    """So many frames, four a second."""

    name, fps = "clip", 0.0

    def __init__(self, count: int) -> None:
        self.count, self.index = count, 0

    def poll(self, timeout_s: float) -> Frame | None:
        if self.index >= self.count:
            self.ended = True
            return None
        self.index += 1
        return Frame(np.zeros((720, 1280, 3), np.uint8), self.index, self.index / 4)


class Script:
    """Follows a table that is told by the number of the frame."""

    def __init__(self, tables: dict[int, Table]) -> None:
        self.tables, self.now = tables, Table((1280, 720))
        self.excluded: list[frozenset[Piece]] = []
        self.timings_ms: dict[str, float] = {}

    def see(self, frame: Frame) -> Settled:
        self.now = self.tables.get(frame.index, self.now)
        return Settled(self.now)

    def correct(self, track: int, piece: Piece) -> None:
        raise AssertionError("nothing to correct")

    def exclude(self, pieces: Any) -> None:
        self.excluded.append(frozenset(pieces))
