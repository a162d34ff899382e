"""How to read a picture: the numbers of the whole pipeline."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, fields, replace
from numbers import Integral, Real
from typing import Any, Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

from visionset.errors import OptionError
from visionset.kinds import DICE, MOST_DECKS
from visionset.pieces import Kind
from visionset.vision.inks import InkOptions
from visionset.vision.judging import LIKELY, SURE
from visionset.vision.quads import OVERLAP
from visionset.vision.top_faces import FEW_DICE

Stages: TypeAlias = Callable[[str, NDArray[np.uint8]], None]
"""Called with a short name and a BGR picture for every step of the pipeline."""


def check_numbers(options: Any, **ranges: tuple[float, float]) -> None:
    """Raise `OptionError` for a number of options that is none, or not within its least and most.

    Each is whole where the usual one is. What has no range is 0 or more, and a whole number of pixels 1 or more. nan is within no range.
    """
    for one in fields(options):
        usual, given = one.default, getattr(options, one.name)
        if not isinstance(usual, (int, float, tuple)) or isinstance(usual, bool):
            continue
        if not isinstance(usual, tuple):
            usual, given = (usual,), (given,)
        elif not isinstance(given, tuple) or not given or (len(given) != len(usual) and "..." not in str(one.type)):
            raise OptionError(f"expected {one.name} as a tuple such as {usual}, got {given!r:.80}")
        is_whole = isinstance(usual[0], int)
        least, most = ranges.get(one.name, (int(is_whole and one.name.endswith("_px")), math.inf))
        for number in given:
            is_number = isinstance(number, Integral if is_whole else Real) and not isinstance(number, bool)
            if not is_number or not least <= number <= most:
                noun, end = "whole number" if is_whole else "number", "on" if most == math.inf else f"to {most:g}"
                raise OptionError(f"expected {one.name} as a {noun} from {least:g} {end}, got {number!r:.80}")


@dataclass(frozen=True, slots=True)
class FindOptions:
    """Numbers of the finder. Pixels are those of the resized picture that the network is given."""

    first_px: int = 384
    coarse_px: tuple[int, ...] = (160, 64)
    """`first_px` and `coarse_px`: long side of the picture at the first look, and at coarser ones, taken while pieces look too large. A
    card is seen at a look where its long side is 28 to 140 px."""
    die_px: tuple[int, ...] = (160, 256, 544, 768, 1100)
    """Long sides at which dice are looked for besides: each look gives the reader another start."""
    die_range_px: tuple[float, float] = (12.0, 56.0)
    """Least and greatest side of a die at those looks: the network has learned no others."""
    far_die_px: float = 45.0
    """Side of the smallest die at the largest of those looks up to which the whole picture is looked at so for others."""
    usual_die: float = 0.08
    """Side of a die, as a share of the picture's long side, that is supposed where none is likely; of a playing card it is twice that."""
    index_range_px: tuple[float, float] = (60.0, 170.0)
    """Least and greatest long side of a playing card at the looks of `large_px` that are taken for its corner indices."""
    around_die: float = 2.5
    around_card: float = 0.5
    most_around: float = 0.7
    """`around_die`, `around_card` and `most_around`: a place that is looked at by itself is widened to each side by `around_die` or
    `around_card` of its longer side; where the windows cover more than `most_around` of the picture, all of it is looked at."""
    most_enlarged: float = 1.3
    """Looks at which the picture would be enlarged by this factor or more are left out."""
    likely: float = 0.4
    """Score from which a proposal is likely: such decide which looks are needed."""
    min_score: float = 0.25
    """Cells below this centre score are no proposals; low, because the readers judge again."""
    min_hint: float = 0.15
    """Cells below this centre score do not even hint at a piece."""
    few_hints: int = 8
    few_doubts: float = 1 / 3
    """`few_hints` and `few_doubts`: the first look is not enough where more than `few_hints` hints lie apart from the likely pieces, and
    more than `few_doubts` for each of these. Where it leaves no more than `few_doubts` doubts for each clear piece, the next look is taken
    around the doubts alone."""
    small_card_px: float = 40.0
    small_die_px: float = 20.0
    """`small_card_px` and `small_die_px`: long sides of cards and sides of dice below which a finer look is taken."""
    smallest_card_px: float = 30.0
    rare_hints: float = 0.1
    few_small: int = 36
    """`smallest_card_px`, `rare_hints` and `few_small`: where cards are shorter than `small_card_px`, the first look is enough for those
    down to `smallest_card_px`, if no more than `few_small` pieces are likely and no more than `rare_hints` hints for each lie apart."""
    flat: float = 1.8
    left_flat: float = 1.3
    most_stretched: float = 2.5
    """`flat`, `left_flat` and `most_stretched`: where squares on the table have sides of a ratio of `flat` or more, flatter than the
    network has learned, the picture is stretched until the ratio is `left_flat`, but by no more than `most_stretched`."""
    several: int = FEW_DICE
    die_card: float = 2.0
    """`several` and `die_card`: where at least `several` dice are likely, and more dice than cards, a card that is shorter than `die_card`
    sides of a die is proposed as a die too."""
    large_card_px: float = 105.0
    """Long side of a card above which a coarse look is taken, as for dice beyond `die_range_px`."""
    same_piece: float = 0.45
    """Two proposals whose centres are nearer than this share of a short side are one piece."""
    most: int = 162
    """Most cards, dice and indices that are proposed: a tablecloth may look like hundreds, and each costs a millisecond. Two decks are 162
    cards."""

    def __post_init__(self) -> None:
        """Raises `OptionError`: nobody can look so."""
        shares = dict.fromkeys(("usual_die", "most_around", "likely", "min_score"), (0, 1))
        check_numbers(self, min_hint=(0.01, 0.99), **shares)  # of which log odds are taken

    @property
    def fine_px(self) -> tuple[int, int]:
        """Long sides at finer looks, taken as long as pieces are small."""
        return 2 * self.first_px, 4 * self.first_px

    @property
    def large_px(self) -> tuple[int, ...]:
        """Those of `die_px` that are larger than the first look: they are costly, and taken only around doubts and for corner indices."""
        return tuple(px for px in self.die_px if px > self.first_px)


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
        A quad that holds a kind of card with less probability, by the finder or by a reader, is not read as that kind.
    min_die_px : float
        Dice with a shorter side are not read: no two pips are apart there.
    settled_px : float
        A card whose corners the reader would move by more than this (patch pixels) is cut again and read again.
    settled_die_px : float
        The same for dice and corner indices, whose patches are smaller.
    overlap : float
        Two readings whose common area is more than this part of the smaller quad are one piece; of a card and a die, of the larger quad.
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
    min_card: float = SURE
    min_die: float = LIKELY
    maybe: float = 0.1
    min_die_px: float = 12.0
    settled_px: float = 4.5
    settled_die_px: float = 1.5
    overlap: float = OVERLAP
    ink: InkOptions = field(default_factory=InkOptions)
    find: FindOptions = field(default_factory=FindOptions)

    def __post_init__(self) -> None:
        """Raises `OptionError`: nobody can read so."""
        kinds = self.kinds if isinstance(self.kinds, Iterable) and not isinstance(self.kinds, str) else [self.kinds]
        object.__setattr__(self, "kinds", frozenset(kinds))
        if not self.kinds or not all(isinstance(kind, Kind) for kind in self.kinds):
            raise OptionError(f"expected kinds, some of {', '.join(map(str, Kind))}, got {self.kinds!r:.200}")
        shares = dict.fromkeys(("min_confidence", "min_die_confidence", "min_card", "min_die", "maybe", "overlap"), (0, 1))
        check_numbers(self, decks=(1, MOST_DECKS), **shares)
        for name, kind in (("ink", InkOptions), ("find", FindOptions)):
            if not isinstance(getattr(self, name), kind):
                raise OptionError(f"expected {name} as {kind.__name__}, got {getattr(self, name)!r:.80}")
        check_numbers(self.ink, usual_deg=(-360, 360), spread_deg=(1, 360), outlier=(0, 1))

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
        card, die = min(self.min_confidence, USUAL.min_confidence), min(self.min_die_confidence, USUAL.min_die_confidence)
        if (card, die) == (self.min_confidence, self.min_die_confidence):
            return self
        return replace(self, min_confidence=card, min_die_confidence=die)

    def least_confidence(self, kind: Kind) -> float:
        """Confidence from which a piece of a kind has its name."""
        return self.min_die_confidence if kind in DICE else self.min_confidence


USUAL = ReadOptions()
SET_CARDS_ALONE = ReadOptions(kinds=frozenset({Kind.SET_CARD}))
"""Where it is known that nothing but SET cards matters: the game of SET, the ruler of a calibration."""
