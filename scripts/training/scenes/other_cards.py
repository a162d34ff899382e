"""Packs as other publishers print them: letters of other tongues, four colours, courts that are painted or engraved, aces in wreaths.

`visionset.render.playing_cards` draws courts in flat colours and ornaments on the ace of spades alone; a reader that has seen
no others takes a fine engraving for a back or for nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from visionset.geometry import Floats
from visionset.pieces import PACK, PlayingCard, Rank, Suit
from visionset.render.faces import Face
from visionset.render.pixels import SUBPIXEL_BITS, Picture, fixed, fractal, linear, to_rgb
from visionset.render.playing_cards import COURTS, index_boxes_mm
from visionset.render.playing_style import PlayingStyle, random_playing_style
from visionset.render.table_pieces import Flat, playing_flat

_TONGUES = 0.1  # share of packs with the letters of another tongue, and with four colours
# jack, queen, king and ace: German, French, Polish, Dutch, Swedish, Italian
_LETTERS = ("BDKA", "VDRA", "WDKA", "BVHA", "KDKE", "JQKA", "VDK1")
_SPOKEN = (0.4, 0.2, 0.08, 0.08, 0.08, 0.08, 0.08)  # shares of them where every pack has the letters of another tongue
_FOUR_COLOURS = 0.1
_GREENS, _BLUES, _OCHRES = ((0, 80, 10), (70, 150, 80)), ((0, 40, 120), (70, 120, 215)), ((200, 90, 0), (245, 150, 50))


@dataclass(frozen=True, slots=True)
class Print:
    """What a publisher adds; strengths from 0 for nothing."""

    seed: int
    painted: float  # how much courts look like a painting, ...
    engraved: float  # ... and how dark the hatching over them is
    wreath: float  # outer radius of rings of leaves, dots and rays round the pip of aces, in widths of the card
    every_ace: bool  # whether all aces have one
    line: float  # distance of a line round the card from its edge, in widths, 0 for none
    wash: float  # how much the paper of the middle is toned


def random_print(rng: np.random.Generator) -> Print:
    """Any of them; none of it on a third of the packs."""
    if rng.random() < 0.33:
        return Print(0, 0.0, 0.0, 0.0, False, 0.0, 0.0)
    return Print(
        seed=int(rng.integers(1 << 30)),
        painted=float(rng.uniform(0.1, 0.8)) if rng.random() < 0.6 else 0.0,
        engraved=float(rng.uniform(0.2, 0.9)) if rng.random() < 0.5 else 0.0,
        wreath=float(rng.uniform(0.22, 0.36)) if rng.random() < 0.6 else 0.0,
        every_ace=bool(rng.random() < 0.4),
        line=float(rng.uniform(0.02, 0.07)) if rng.random() < 0.15 else 0.0,
        wash=float(rng.uniform(0.03, 0.15)) if rng.random() < 0.12 else 0.0,
    )


def _other_letters(style: PlayingStyle, letters: str) -> None:
    style.letters.update(zip((*COURTS, Rank.ACE), letters, strict=True))
    if letters[0] == letters[2]:
        style.letters[Rank.JACK] = "Kn"


def _four_colours(rng: np.random.Generator, style: PlayingStyle) -> None:
    green, other = (to_rgb(rng.uniform(*between)) for between in (_GREENS, _OCHRES if rng.random() < 0.3 else _BLUES))
    style.ink.update({Suit.CLUBS: green, Suit.DIAMONDS: other} if rng.random() < 0.8 else {Suit.SPADES: green, Suit.DIAMONDS: other})


def other_pack(rng: np.random.Generator, fonts: Sequence[Path] = (), is_foreign: bool = False) -> Callable[[PlayingCard], Flat]:
    """A pack of our own drawing with what another publisher would add, `is_foreign` with the letters of another tongue in any case."""
    style = random_playing_style(rng, fonts)
    if is_foreign:
        _other_letters(style, str(rng.choice(_LETTERS, p=_SPOKEN)))
    elif rng.random() < _TONGUES:
        _other_letters(style, _LETTERS[int(rng.integers(len(_LETTERS)))])
    if rng.random() < _FOUR_COLOURS:
        _four_colours(rng, style)
    how = random_print(rng)

    def flat(card: PlayingCard) -> Flat:
        plain = playing_flat(card, style)
        return replace(plain, paint=lambda px_mm: _reprinted(plain.paint(px_mm), card, style, how))

    return flat


def _reprinted(face: Face, card: PlayingCard, style: PlayingStyle, how: Print) -> Face:
    height, width = face.cover.shape
    px_mm = width / style.width_mm
    rng = np.random.default_rng([how.seed, PACK.index(card)])
    picture = face.picture.copy()
    ink = linear(style.ink[card.suit])
    if card.rank in COURTS:
        _paint_over(rng, picture, how, px_mm)
    elif card.rank is Rank.ACE and how.wreath and (card.suit is Suit.SPADES or how.every_ace):
        # the same wreath on every ace of a pack; its suit stays as it was drawn
        _wreath(np.random.default_rng(how.seed), picture, how.wreath * width, ink)
    if how.wash:
        picture *= 1 - how.wash * (0.5 + 0.5 * np.clip(fractal(rng, height, width, 8 * px_mm), -1, 1))[..., None]
    if card.rank in COURTS or card.rank is Rank.ACE:
        _leave_indices(picture, face.picture, card, style)
    if how.line:
        inset = how.line * width
        ring = np.array([[inset, inset], [width - inset, inset], [width - inset, height - inset], [inset, height - inset]])
        _ring(picture, ring, ink, max(1, round(0.3 * px_mm)))
    return replace(face, picture=picture)


def _paint_over(rng: np.random.Generator, picture: Picture, how: Print, px_mm: float) -> None:
    """Tones within the flat colours as of a painting, and the hatching of an engraving, where there is print."""
    height, width = picture.shape[:2]
    is_print = (np.abs(picture - picture[height // 60, width // 2]).max(axis=2) > 0.05).astype(np.float32)
    is_print = cv2.blur(is_print, (1 + 2 * round(px_mm), 1 + 2 * round(px_mm)))[..., None]
    tones = np.stack([fractal(rng, height, width, rng.uniform(2, 9) * px_mm, 5, 0.75) for _ in range(3)], axis=2)
    picture *= np.exp(how.painted * is_print * (0.5 * tones + 0.5 * tones.mean(axis=2, keepdims=True) - 0.3))
    if how.engraved:
        angle, pitch = rng.uniform(0, np.pi), rng.uniform(0.5, 1.6) * px_mm
        y, x = np.mgrid[:height, :width].astype(np.float32)
        wave = np.sin((x * np.cos(angle) + y * np.sin(angle)) * (2 * np.pi / pitch) + 3 * fractal(rng, height, width, 6 * px_mm))
        where = np.clip(fractal(rng, height, width, 5 * px_mm), 0, 1)
        picture *= 1 - how.engraved * is_print * np.clip((wave * where) * 2, 0, 1)[..., None]


def _wreath(rng: np.random.Generator, picture: Picture, radius: float, ink: NDArray[np.float32]) -> None:
    middle, outer = np.array(picture.shape[1::-1]) / 2, radius
    for _ in range(int(rng.integers(1, 5))):
        count, size = int(rng.integers(8, 48)), outer * rng.uniform(0.04, 0.16)
        kind = rng.choice(["leaves", "dots", "rays", "ring", "petals"])
        for angle in np.arange(count) * (2 * np.pi / count):
            way = np.array([np.cos(angle), np.sin(angle)])
            across = np.array([-way[1], way[0]])
            at = middle + outer * way
            if kind == "ring":
                break
            if kind == "rays":
                cv2.polylines(picture, [fixed(np.stack([at, at - 2 * size * way]))], False, ink.tolist(), 1, cv2.LINE_AA, SUBPIXEL_BITS)
            else:
                slim = {"leaves": 0.4, "dots": 1.0, "petals": 2.0}[str(kind)]
                turn = np.arange(10) * (2 * np.pi / 10)
                blade = at + size * (np.cos(turn)[:, None] * (way + 0.5 * across) + slim * np.sin(turn)[:, None] * across)
                cv2.fillPoly(picture, [fixed(blade)], ink.tolist(), cv2.LINE_AA, SUBPIXEL_BITS)
        if kind == "ring":
            turn = np.arange(48) * (2 * np.pi / 48)
            _ring(picture, middle + outer * np.stack([np.cos(turn), np.sin(turn)], axis=1), ink, max(1, round(size / 4)))
        outer *= rng.uniform(0.8, 0.95)


def _ring(picture: Picture, points: Floats, ink: NDArray[np.float32], thick: int) -> None:
    cv2.polylines(picture, [fixed(points)], True, ink.tolist(), thick, cv2.LINE_AA, SUBPIXEL_BITS)


def _leave_indices(picture: Picture, plain: Picture, card: PlayingCard, style: PlayingStyle) -> None:
    """Print nothing over the corner indices."""
    height, width = picture.shape[:2]
    px_mm, pad = width / style.width_mm, 0.5
    for x, y, wide, high, _ in index_boxes_mm(style, card):
        low = np.array([x - wide / 2 - pad + style.width_mm / 2, y - high / 2 - pad + style.height_mm / 2]) * px_mm
        top = low + np.array([wide + 2 * pad, high + 2 * pad]) * px_mm
        (left, upper), (right, lower) = np.clip(np.round([low, top]), 0, (width, height)).astype(int)
        picture[upper:lower, left:right] = plain[upper:lower, left:right]
