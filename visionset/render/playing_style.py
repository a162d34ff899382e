"""How one pack of playing cards differs from another: size, index, pips, inks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from visionset.pieces import Rank, Suit
from visionset.render.pip_shapes import Lettering, SuitShape, random_suit_shape
from visionset.render.pixels import Rgb, to_rgb

ENGLISH_LETTERS = {rank: "10" if rank is Rank.TEN else rank.value for rank in Rank}
"""What is printed for each rank."""

_RED: Rgb = (208, 26, 38)
_BLACK: Rgb = (24, 22, 24)


@dataclass(frozen=True, slots=True)
class PlayingStyle:
    """One print of a pack; lengths in millimetres, colours sRGB; the defaults resemble a common standard index."""

    width_mm: float = 63.0
    height_mm: float = 88.0
    corner_mm: float = 3.2
    lettering: Lettering = field(default_factory=Lettering)
    """Font of the index."""
    index_mm: float = 8.0
    index_slim: float = 0.85
    index_widest_mm: float = 7.5
    """Height of the rank in the corner; its width against the font's own; a rank wider than the last is squeezed."""
    index_suit: float = 0.75
    index_gap: float = 0.15
    """Height of the small suit beneath the rank and room above it, as shares of `index_mm`."""
    margin_mm: tuple[float, float] = (2.0, 3.0)
    """From the left and the upper edge to the index."""
    four_corners: bool = False
    """Index in all four corners, else in two."""
    shape: SuitShape = field(default_factory=SuitShape)
    pip_mm: float = 13.0
    spread: float = 1.0
    """Height of a large pip, before it is fitted between the indices; how far pips spread, 1 is to the usual rows."""
    ace_scale: float = 1.2
    spade_ace_scale: float = 2.6
    """Height of the single pip against `pip_mm`."""
    ornate_ace: bool = True
    """The ace of spades carries ornaments and the maker's name."""
    frame: int = 1
    court_inset_mm: float = 7.0
    """Lines round a court figure, 0 to 2, and how far they are from the upper edge."""
    court_seed: int = 0
    """Draws the figures: the same seed is the same twelve."""
    letters: dict[Rank, str] = field(default_factory=lambda: dict(ENGLISH_LETTERS))
    """What the index says."""
    ink: dict[Suit, Rgb] = field(default_factory=lambda: {Suit.HEARTS: _RED, Suit.DIAMONDS: _RED, Suit.CLUBS: _BLACK, Suit.SPADES: _BLACK})
    paper: Rgb = (250, 249, 246)


_REDS = (((180, 5, 15), (240, 55, 65)), ((215, 50, 15), (250, 95, 60)), ((205, 20, 75), (245, 60, 130)))
_BLUES, _GREENS = ((0, 50, 140), (60, 110, 215)), ((0, 100, 20), (60, 150, 80))
"""Least and greatest levels of colours: usual, orange and pink reds first."""


def _inks(rng: np.random.Generator) -> dict[Suit, Rgb]:
    """Two colours, rarely four; reds from orange to pink, blacks from grey to navy."""
    tone = rng.random()
    red = to_rgb(rng.uniform(*_REDS[(tone >= 0.7) + (tone >= 0.85)]))
    grey = rng.uniform(5, 50)
    black = to_rgb((grey, grey, grey + (rng.uniform(10, 50) if rng.random() < 0.2 else rng.uniform(0, 6))))
    inks = {Suit.HEARTS: red, Suit.DIAMONDS: red, Suit.CLUBS: black, Suit.SPADES: black}
    if rng.random() < 0.05:
        blue, green = to_rgb(rng.uniform(*_BLUES)), to_rgb(rng.uniform(*_GREENS))
        inks |= {Suit.DIAMONDS: blue if rng.random() < 0.8 else (235, 130, 20), Suit.CLUBS: green}
    return inks


def _letters(rng: np.random.Generator) -> dict[Rank, str]:
    """English mostly; rarely German or French court letters, or T for the ten."""
    letters = dict(ENGLISH_LETTERS)
    choice = rng.random()
    if choice < 0.04:
        letters |= {Rank.JACK: "B", Rank.QUEEN: "D"}
    elif choice < 0.05:
        letters |= {Rank.JACK: "V", Rank.QUEEN: "D", Rank.KING: "R"}
    if rng.random() < 0.03:
        letters[Rank.TEN] = "T"
    return letters


def random_playing_style(rng: np.random.Generator, fonts: Sequence[Path] = ()) -> PlayingStyle:
    """Another pack; `fonts` are font files for the index, beside which OpenCV's own are used, and alone where none are given."""
    if fonts and rng.random() < 0.85:
        lettering = Lettering(str(fonts[int(rng.integers(len(fonts)))]), int(rng.integers(300, 900)))
    else:
        lettering = Lettering("sans" if rng.random() < 0.9 else "italic", int(rng.integers(300, 850)))
    width = rng.uniform(61.5, 64.5) if rng.random() < 0.65 else rng.uniform(56, 60)
    height = rng.uniform(86, 90) if rng.random() < 0.9 else width * 1.5
    jumbo = rng.random() < 0.3
    index = rng.uniform(11, 18) if jumbo else rng.uniform(5.5, 10.5)
    four = bool(not jumbo and rng.random() < 0.22)
    widest = rng.uniform(9, 13) if jumbo else rng.uniform(5, 8.5)
    tint = abs(rng.normal(0, 6)) if rng.random() < 0.85 else rng.uniform(10, 35)
    level = rng.uniform(232, 255)
    return PlayingStyle(
        width_mm=width,
        height_mm=height,
        corner_mm=rng.uniform(1.5, 5.5) if rng.random() < 0.93 else rng.uniform(0.2, 1.5),
        lettering=lettering,
        index_mm=min(index, 8.5) if four else index,
        index_slim=rng.uniform(0.65, 1.1),
        index_widest_mm=min(widest, 6.5) if four else widest,
        index_suit=rng.uniform(0.55, 1.0),
        index_gap=rng.uniform(0.06, 0.3),
        margin_mm=(rng.uniform(1.2, 4.0), rng.uniform(1.8, 5.0)),
        four_corners=four,
        shape=random_suit_shape(rng),
        pip_mm=rng.uniform(9.5, 16),
        spread=rng.uniform(0.86, 1.04),
        ace_scale=rng.uniform(0.9, 1.6) if rng.random() < 0.8 else rng.uniform(1.6, 3.2),
        spade_ace_scale=rng.uniform(1.8, 3.6),
        ornate_ace=bool(rng.random() < 0.75),
        frame=int(rng.choice([0, 1, 2], p=[0.2, 0.6, 0.2])),
        court_inset_mm=rng.uniform(3.5, 9.5),
        court_seed=int(rng.integers(1 << 30)),
        letters=_letters(rng),
        ink=_inks(rng),
        paper=to_rgb((level, level - tint * 0.4, level - tint)),
    )
