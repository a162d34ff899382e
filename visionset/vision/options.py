"""How to read a picture: the numbers of the whole pipeline."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

from visionset.pieces import Kind
from visionset.vision.detector_input import FindOptions
from visionset.vision.ink import InkOptions

Stages: TypeAlias = Callable[[str, NDArray[np.uint8]], None]
"""Called with a short name and a BGR picture for every step of the pipeline."""


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """How to read a picture.

    Attributes
    ----------
    kinds : frozenset of Kind
        What is looked for; all by default, and what lies there decides. Fewer are read faster, and doubtful pieces of a
        single kind are reported too.
    decks : int
        Decks on the table: each card is named at most once for each of them.
    min_confidence : float
        A piece read with less is reported without a name: a wrong SET is worse than a closer look.
    min_card : float
        Quads that hold a SET card with less than this probability, given the whole table, are no sightings.
    min_piece : float
        The same for playing cards, backs and dice.
    min_index : float
        The same for a corner index without a card: print and pips are full of things that resemble one.
    maybe_card : float
        The same for a quad by itself, before it is judged beside the others.
    min_die_px : float
        Dice with a shorter side are not read: no two pips are apart there.
    maybe_kind : float
        Score of the finder below which a reader is not asked whether a quad holds its kind.
    settled_px : float
        A card whose corners the reader would move by more than this (patch pixels) is cut again and read again.
    settled_die_px : float
        The same for dice and corner indices, whose patches are smaller.
    overlap : float
        Two readings that share more than this part of the smaller quad are one piece.
    same_size : float
        A card and a die that share more than this part of the larger are one piece, and one reading is wrong.
    ink : InkOptions
        Where the inks of SET cards lie; a profile of an unusual deck brings its own.
    find : FindOptions
        Numbers of the finder.
    """

    kinds: frozenset[Kind] = frozenset(Kind)
    decks: int = 1
    min_confidence: float = 0.6
    min_card: float = 0.9
    min_piece: float = 0.7
    min_index: float = 0.9
    maybe_card: float = 0.5
    min_die_px: float = 12.0
    maybe_kind: float = 0.1
    settled_px: float = 4.5
    settled_die_px: float = 1.5
    overlap: float = 0.5
    same_size: float = 0.3
    ink: InkOptions = field(default_factory=InkOptions)
    find: FindOptions = field(default_factory=FindOptions)

    @classmethod
    def wanted(
        cls,
        decks: int = 1,
        min_confidence: float | None = None,
        kinds: frozenset[Kind] | None = None,
        ink_deg: tuple[float, float, float] | None = None,
    ) -> Self:
        """The usual options with what people choose; None leaves a choice as it usually is."""
        chosen = {"min_confidence": min_confidence, "kinds": kinds, "ink": None if ink_deg is None else InkOptions(usual_deg=ink_deg)}
        return cls(decks=decks, **{name: value for name, value in chosen.items() if value is not None})  # type: ignore[arg-type]


SET_CARDS_ALONE = ReadOptions(kinds=frozenset({Kind.SET_CARD}))
"""Where it is known that nothing but SET cards matters: the game of SET, the ruler of a calibration."""
