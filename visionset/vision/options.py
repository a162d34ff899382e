"""How to read a picture: the numbers of the whole pipeline."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from numbers import Integral, Real
from typing import Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

from visionset.errors import OptionError
from visionset.kinds import DICE
from visionset.pieces import Kind
from visionset.vision.colour import InkOptions
from visionset.vision.detector_input import FindOptions

Stages: TypeAlias = Callable[[str, NDArray[np.uint8]], None]
"""Called with a short name and a BGR picture for every step of the pipeline."""


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """How to read a picture.

    Attributes
    ----------
    kinds : frozenset of Kind
        What is looked for, one kind or several; all by default, and what lies there decides. Fewer are read faster, and doubtful
        pieces of a single kind are reported too.
    decks : int
        Decks on the table: each card is named at most once for each of them.
    min_confidence : float
        A card read with less is reported without a name: a wrong SET is worse than a closer look.
    min_die_confidence : float
        The same for dice, whose doubtful names are more often wrong.
    min_card : float
        Quads that hold a card, a back or a corner index with less than this probability, given the whole table, are no sightings.
    min_die : float
        The same for dice.
    maybe : float
        What holds a kind of card with less probability, as the finder or a reader says, is not looked into further.
    min_die_px : float
        Dice with a shorter side are not read: no two pips are apart there.
    settled_px : float
        A card whose corners the reader would move by more than this (patch pixels) is cut again and read again.
    settled_die_px : float
        The same for dice and corner indices, whose patches are smaller.
    overlap : float
        Two readings that share more than this part of the smaller quad are one piece, a card and a die of the larger.
    ink : InkOptions
        Where the inks of SET cards lie; a profile of an unusual deck brings its own.
    find : FindOptions
        Numbers of the finder.

    Raises
    ------
    OptionError
        A choice that makes no sense: a `ValueError` too.
    """

    kinds: frozenset[Kind] = frozenset(Kind)
    decks: int = 1
    min_confidence: float = 0.6
    min_die_confidence: float = 0.8
    min_card: float = 0.9
    min_die: float = 0.7
    maybe: float = 0.1
    min_die_px: float = 12.0
    settled_px: float = 4.5
    settled_die_px: float = 1.5
    overlap: float = 0.5
    ink: InkOptions = field(default_factory=InkOptions)
    find: FindOptions = field(default_factory=FindOptions)

    def __post_init__(self) -> None:
        """Raises `OptionError`: nobody can read so."""
        kinds = self.kinds if isinstance(self.kinds, Iterable) else [self.kinds]
        object.__setattr__(self, "kinds", frozenset(kinds))
        if not self.kinds or not all(isinstance(kind, Kind) for kind in self.kinds):
            raise OptionError(f"expected kinds, some of {', '.join(map(str, Kind))}, got {self.kinds!r:.200}")
        if not (isinstance(self.decks, Integral) and self.decks >= 1):
            raise OptionError(f"expected decks from 1 on, got {self.decks!r:.80}")
        for name in ("min_confidence", "min_die_confidence", "min_card", "min_die", "maybe", "overlap"):
            share = getattr(self, name)
            if not (isinstance(share, Real) and 0 <= share <= 1):
                raise OptionError(f"expected {name} from 0 to 1, got {share!r:.80}")

    @classmethod
    def wanted(
        cls,
        decks: int = 1,
        min_confidence: float | None = None,
        kinds: frozenset[Kind] | None = None,
        ink_deg: tuple[float, float, float] | None = None,
    ) -> Self:
        """The usual options with what people choose; None leaves a choice as it usually is."""
        chosen = {
            "kinds": kinds,
            "min_confidence": min_confidence,
            "min_die_confidence": min_confidence,
            "ink": None if ink_deg is None else InkOptions(usual_deg=ink_deg),
        }
        return cls(decks=decks, **{name: value for name, value in chosen.items() if value is not None})  # type: ignore[arg-type]

    def no_stricter_than_usual(self) -> Self:
        """The same, with names that are at most as sure as usual: by the sure ones the others are judged."""
        usual = type(self)()
        return replace(
            self,
            min_confidence=min(self.min_confidence, usual.min_confidence),
            min_die_confidence=min(self.min_die_confidence, usual.min_die_confidence),
        )

    def least_confidence(self, kind: Kind) -> float:
        """Confidence from which a piece of a kind has its name."""
        return self.min_die_confidence if kind in DICE else self.min_confidence


SET_CARDS_ALONE = ReadOptions(kinds=frozenset({Kind.SET_CARD}))
"""Where it is known that nothing but SET cards matters: the game of SET, the ruler of a calibration."""
