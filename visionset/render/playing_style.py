"""How one pack of playing cards differs from another: suits and letters as outlines of height 1, size, index, pips and inks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from visionset.geometry import Floats
from visionset.lettering import put_text
from visionset.pieces import Rank, Suit
from visionset.render.faces import Outlines, round_shape
from visionset.render.pixels import Rgb, filled, to_rgb

_TRACE_PX = 160  # height at which letters and suits are drawn before they are traced: finer than any card is painted
_CURVE_STEPS = 12
_NORMAL_WEIGHT = 500
_REACH_PX_PER_WEIGHT = 0.01  # at the bounds of 300 and 900 strokes lose 2 and gain 4 pixels on either side, of letters 110 pixels high


@dataclass(frozen=True, slots=True)
class SuitShape:
    """Proportions of the four suit symbols, as shares of the symbol's height."""

    heart_width: float = 0.95
    diamond_width: float = 0.78
    club_width: float = 0.98
    spade_width: float = 0.85
    cleft: float = 0.16  # depth of the heart's notch
    fullness: float = 0.4  # how far its flanks bulge towards its point, 0 is slim and 1 is round
    hollow: float = 0.46  # where the diamond's edges run: 0.5 is straight, below it they curve inwards, above it outwards
    lobe: float = 0.24  # radius of the club's three leaves
    foot_width: float = 0.42
    foot_height: float = 0.34  # of the stem of club and spade
    waist: float = 0.03  # half the width of that stem where it is thinnest


_RANGES = ((0.8, 1.1), (0.66, 0.95), (0.88, 1.08), (0.74, 0.98), (0.08, 0.24), (0.05, 0.9))
_FOOT_RANGES = ((0.215, 0.27), (0.25, 0.6), (0.26, 0.42), (0.015, 0.06))  # of the fields of a `SuitShape` before and after the hollow


def random_suit_shape(rng: np.random.Generator) -> SuitShape:
    """Another engraver's suits."""
    shape = [rng.uniform(*between) for between in _RANGES]
    hollow = rng.uniform(0.36, 0.56) if rng.random() < 0.7 else 0.5
    shape += [hollow, *(rng.uniform(*between) for between in _FOOT_RANGES)]
    return SuitShape(*shape)


def bezier(*control: tuple[float, float]) -> Floats:
    """Cubic curve through four control points, shape (steps, 2)."""
    t = np.linspace(0, 1, _CURVE_STEPS)[:, None]
    a, b, c, d = (np.asarray(point) for point in control)
    return np.asarray((1 - t) ** 3 * a + 3 * (1 - t) ** 2 * t * b + 3 * (1 - t) * t**2 * c + t**3 * d)


def _mirrored(half: Floats) -> Floats:
    """Close the right half of a symmetric outline."""
    return np.concatenate([half, half[::-1] * [-1, 1]])


def _heart(cleft: float, fullness: float) -> Floats:
    flank = bezier((0, 0.5), (0.1 + 0.2 * fullness, 0.32 - 0.12 * fullness), (0.5, 0.12 + 0.1 * fullness), (0.5, -0.2))
    top = bezier((0.5, -0.2), (0.5, -0.6), (0.06, -0.62), (0, -0.5 + cleft))
    return _mirrored(np.concatenate([flank, top[1:]]))


def _parts(suit: Suit, shape: SuitShape) -> tuple[Outlines, float]:
    """Overlapping parts and the width they are stretched to."""
    top, half, waist = 0.5 - shape.foot_height, shape.foot_width / 2, shape.waist
    stem = _mirrored(bezier((waist, top - 0.15), (waist, top + shape.foot_height / 2), (half / 3, 0.46), (half, 0.5)))
    if suit is Suit.HEARTS:
        return (_heart(shape.cleft, shape.fullness),), shape.heart_width
    if suit is Suit.DIAMONDS:
        edge = bezier((0, -0.5), (shape.hollow / 2, -shape.hollow / 2), (shape.hollow / 2, -shape.hollow / 2), (0.5, 0))
        quarter = edge if shape.hollow != 0.5 else np.array([[0, -0.5], [0.5, 0]])
        return (_mirrored(np.concatenate([quarter, quarter[::-1] * [1, -1]])),), shape.diamond_width
    if suit is Suit.SPADES:
        leaf = _heart(shape.cleft * 0.7, shape.fullness) * [1, -0.82] + [0, -0.09]
        return (leaf, stem), shape.spade_width
    lobe = shape.lobe
    low = -0.5 + 2 * lobe + 0.7 * lobe
    leaves = [round_shape(at, (lobe, lobe), 28)[0] for at in ((0.0, -0.5 + lobe), (-0.5 + lobe, low), (0.5 - lobe, low))]
    middle = np.array([[0, -0.5 + lobe], [0.5 - lobe, low], [-0.5 + lobe, low]]) * [0.5, 1] + [0, 0.06]
    return (*leaves, middle, stem), shape.club_width


def _traced(mask: NDArray[np.uint8]) -> list[Floats]:
    """Edges of a drawn shape at half coverage, in pixels."""
    contours, _ = cv2.findContours((mask > 127).astype(np.uint8), cv2.RETR_CCOMP, cv2.CHAIN_APPROX_TC89_L1)
    return [np.asarray(contour.reshape(-1, 2), np.float64) for contour in contours if len(contour) > 2]


def _centred(parts: Sequence[Floats]) -> tuple[Outlines, Floats]:
    """Outlines about the middle of all, and their width and height."""
    every = np.concatenate(parts)
    low, high = every.min(axis=0), every.max(axis=0)
    return tuple(part - (low + high) / 2 for part in parts), high - low


@lru_cache(maxsize=512)
def suit_outlines(suit: Suit, shape: SuitShape) -> Outlines:
    """One symbol of height 1 about its centre; the point of the heart and the foot of the spade are down."""
    parts, width = _parts(suit, shape)
    if len(parts) > 1:
        side = _TRACE_PX + 8
        parts = tuple(_traced(np.asarray(255 * filled((side, side), (part * _TRACE_PX + side / 2 for part in parts)), np.uint8)))
    parts, size = _centred(parts)
    return tuple(part / size * [width, 1] for part in parts)


@dataclass(frozen=True, slots=True)
class Lettering:
    """Font of the index."""

    font: str = "sans"  # one of OpenCV's own (``sans``, ``italic``) or the path of a font file
    weight: int = 600  # 100 thin to 900 black, where the font has weights


def _drawn(text: str, lettering: Lettering) -> NDArray[np.uint8]:
    built_in = lettering.font in {"sans", "italic"}
    mask = np.zeros((2 * _TRACE_PX, (1 + len(text)) * 2 * _TRACE_PX), np.uint8)
    # The built-in fonts cross out their zero, which no card does: the letter O, made slim later, is one.
    text = text.replace("0", "O") if built_in else text
    put_text(mask, text, (_TRACE_PX // 2, 3 * _TRACE_PX // 2), 255, _TRACE_PX, lettering.weight, lettering.font)
    if built_in:
        return mask
    # Most font files have one weight: the pen is made broader or finer afterwards.
    reach = round((lettering.weight - _NORMAL_WEIGHT) * _REACH_PX_PER_WEIGHT)
    pen = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * abs(reach) + 1, 2 * abs(reach) + 1))
    thicker = cv2.dilate(mask, pen) if reach > 0 else cv2.erode(mask, pen)
    return np.asarray(thicker if (thicker > 127).any() else mask, np.uint8)


@lru_cache(maxsize=4096)
def text_outlines(text: str, lettering: Lettering) -> tuple[Outlines, float]:
    """Letters of height 1 about their middle, and their width; ``10`` is set as cards have it: both figures slim and close together."""
    if text == "10":
        (one, one_width), (zero, zero_width) = (text_outlines(figure, lettering) for figure in "10")
        slim, wide, gap = 0.3 * min(1.2, one_width / 0.4), 0.5, 0.08
        left = tuple(part * [slim / one_width, 1] - [(gap + wide) / 2, 0] for part in one)
        right = tuple(part * [wide / zero_width, 1] + [(gap + slim) / 2, 0] for part in zero)
        return left + right, slim + gap + wide
    parts, size = _centred(_traced(_drawn(text, lettering)) or [np.array([[0.0, 0.0], [1.0, 1.0]])])
    return tuple(part / size[1] for part in parts), float(size[0] / size[1])


_ENGLISH_LETTERS = {rank: "10" if rank is Rank.TEN else rank.value for rank in Rank}  # what is printed for each rank
_RED: Rgb = (208, 26, 38)
_BLACK: Rgb = (24, 22, 24)


@dataclass(frozen=True, slots=True)
class PlayingStyle:
    """One print of a pack; lengths in millimetres, colours sRGB; the defaults resemble a common standard index."""

    width_mm: float = 63.0
    height_mm: float = 88.0
    corner_mm: float = 3.2
    lettering: Lettering = field(default_factory=Lettering)  # font of the index
    index_mm: float = 8.0  # height of the rank in the corner
    index_slim: float = 0.85  # its width against the font's own
    index_widest_mm: float = 7.5  # a wider rank is squeezed
    index_suit: float = 0.75  # height of the small suit beneath the rank, as a share of `index_mm`
    index_gap: float = 0.15  # room above that suit, as such a share
    margin_mm: tuple[float, float] = (2.0, 3.0)  # from the left and the upper edge to the index
    four_corners: bool = False  # index in all four corners, else in two
    shape: SuitShape = field(default_factory=SuitShape)
    pip_mm: float = 13.0  # height of a large pip, before it is fitted between the indices
    spread: float = 1.0  # how far pips spread, 1 is to the usual rows
    ace_scale: float = 1.2  # height of the single pip against `pip_mm`
    spade_ace_scale: float = 2.6  # that of the ace of spades
    ornate_ace: bool = True  # the ace of spades carries ornaments and the maker's name
    frame: int = 1  # lines round a court figure, 0 to 2
    court_inset_mm: float = 7.0  # from the upper edge to these lines
    court_seed: int = 0  # draws the figures: the same seed is the same twelve
    letters: dict[Rank, str] = field(default_factory=lambda: dict(_ENGLISH_LETTERS))  # what the index says
    ink: dict[Suit, Rgb] = field(default_factory=lambda: {Suit.HEARTS: _RED, Suit.DIAMONDS: _RED, Suit.CLUBS: _BLACK, Suit.SPADES: _BLACK})
    paper: Rgb = (250, 249, 246)


_REDS = (((180, 5, 15), (240, 55, 65)), ((215, 50, 15), (250, 95, 60)), ((205, 20, 75), (245, 60, 130)))
# least and greatest levels of colours: usual, orange and pink reds first
_BLUES, _GREENS = ((0, 50, 140), (60, 110, 215)), ((0, 100, 20), (60, 150, 80))


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
    style = PlayingStyle(
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
        paper=to_rgb((level, level - tint * 0.4, level - tint)),
    )
    language = rng.random()  # English mostly; rarely German or French court letters, or T for the ten
    if language < 0.05:
        style.letters.update({Rank.JACK: "B", Rank.QUEEN: "D"} if language < 0.04 else {Rank.JACK: "V", Rank.QUEEN: "D", Rank.KING: "R"})
    if rng.random() < 0.03:
        style.letters[Rank.TEN] = "T"
    tone = rng.random()  # reds from orange to pink, blacks from grey to navy; rarely four colours
    red, grey = to_rgb(rng.uniform(*_REDS[(tone >= 0.7) + (tone >= 0.85)])), rng.uniform(5, 50)
    black = to_rgb((grey, grey, grey + (rng.uniform(10, 50) if rng.random() < 0.2 else rng.uniform(0, 6))))
    style.ink.update({Suit.HEARTS: red, Suit.DIAMONDS: red, Suit.CLUBS: black, Suit.SPADES: black})
    if rng.random() < 0.05:
        blue, green = to_rgb(rng.uniform(*_BLUES)), to_rgb(rng.uniform(*_GREENS))
        style.ink.update({Suit.DIAMONDS: blue if rng.random() < 0.8 else (235, 130, 20), Suit.CLUBS: green})
    return style
