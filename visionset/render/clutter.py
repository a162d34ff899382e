"""What else lies on a believable table: playing cards, card backs, notes, envelopes, a phone and pencils."""

from __future__ import annotations

import cv2
import numpy as np

from visionset.art import rounded_rectangle
from visionset.geometry import Floats
from visionset.pieces import PlayingCard, Rank, Suit
from visionset.render.faces import RESOLUTION_PX_MM, Face, cover, linear
from visionset.render.limbs import Limb, Part
from visionset.render.surfaces import Picture, noise, write

POKER_MM = (63.0, 88.0)
_SUBPIXEL_BITS = 4
_BLACK, _RED = (24, 24, 28), (196, 24, 36)

# Columns and rows of pips, as shares of the half card; those below the middle stand on their heads.
_LEFT, _ROWS = 0.36, (-0.66, -0.22, 0.22, 0.66)
_PIPS: dict[Rank, tuple[tuple[float, float], ...]] = {
    Rank.ACE: ((0, 0),),
    Rank.TWO: ((0, -0.66), (0, 0.66)),
    Rank.THREE: ((0, -0.66), (0, 0), (0, 0.66)),
    Rank.FOUR: tuple((x, y) for x in (-_LEFT, _LEFT) for y in (-0.66, 0.66)),
    Rank.FIVE: (*((x, y) for x in (-_LEFT, _LEFT) for y in (-0.66, 0.66)), (0, 0)),
    Rank.SIX: tuple((x, y) for x in (-_LEFT, _LEFT) for y in (-0.66, 0, 0.66)),
    Rank.SEVEN: (*((x, y) for x in (-_LEFT, _LEFT) for y in (-0.66, 0, 0.66)), (0, -0.33)),
    Rank.EIGHT: (*((x, y) for x in (-_LEFT, _LEFT) for y in (-0.66, 0, 0.66)), (0, -0.33), (0, 0.33)),
    Rank.NINE: (*((x, y) for x in (-_LEFT, _LEFT) for y in _ROWS), (0, 0)),
    Rank.TEN: (*((x, y) for x in (-_LEFT, _LEFT) for y in _ROWS), (0, -0.44), (0, 0.44)),
}


def suit_outlines(suit: Suit) -> tuple[Floats, ...]:
    """Polygons of a pip about its middle, about 2 high and y downwards."""
    t = np.linspace(0, 2 * np.pi, 60)
    if suit is Suit.DIAMONDS:
        side = np.linspace(0, 1, 12)[:-1]
        curve = np.stack([0.74 * (1 - side) ** 1.12, -(side**1.12)], axis=1)
        return (np.concatenate([curve, curve[::-1] * [-1, 1], -curve, (-curve * [-1, 1])[::-1]]),)
    if suit is Suit.CLUBS:
        ring = 0.43 * np.stack([np.cos(t), np.sin(t)], axis=1)
        return (*(ring + np.array(at) for at in ((0, -0.52), (-0.46, 0.14), (0.46, 0.14))), _stem(0.1))
    heart = np.stack([16 * np.sin(t) ** 3, -(13 * np.cos(t) - 5 * np.cos(2 * t) - 2 * np.cos(3 * t) - np.cos(4 * t))], axis=1) / 17
    if suit is Suit.HEARTS:
        return (heart - np.array([0, 0.1]),)
    return (heart * [1, -0.92] + [0, -0.12], _stem(0.2))


def _stem(top: float) -> Floats:
    return np.array([[0.05, top], [0.12, 0.6], [0.34, 0.95], [-0.34, 0.95], [-0.12, 0.6], [-0.05, top]])


def _pip(picture: Picture, suit: Suit, at_mm: tuple[float, float], size_mm: float, paint: Picture, upside_down: bool = False) -> None:
    mask = np.zeros(picture.shape[:2], np.uint8)
    for shape in suit_outlines(suit):
        points = (shape * (-1 if upside_down else 1) * size_mm / 2 + np.array(at_mm)) * RESOLUTION_PX_MM
        cv2.fillPoly(mask, [np.round(points * 16).astype(np.int32)], 255, cv2.LINE_AA, _SUBPIXEL_BITS)
    picture += mask[..., None].astype(np.float32) / 255 * (paint - picture)


def playing_card(card: PlayingCard) -> Face:
    """One of 52 with its index, its pips and, for king, queen and jack, a framed figure."""
    width, height = POKER_MM
    picture = np.empty((round(height * RESOLUTION_PX_MM), round(width * RESOLUTION_PX_MM), 3), np.float32)
    picture[:] = linear((247, 246, 241))
    paint = linear(_RED if card.suit in (Suit.HEARTS, Suit.DIAMONDS) else _BLACK)
    pips = _PIPS.get(card.rank)
    if pips is None:
        _figure(picture, card.suit, paint)
    else:
        size = 24.0 if card.rank is Rank.ACE else 12.5
        for x, y in pips:
            _pip(picture, card.suit, (width / 2 * (1 + x), height / 2 * (1 + y * 1.0)), size, paint, upside_down=y > 0.01)
    text = "10" if card.rank is Rank.TEN else card.rank.value
    for _ in range(2):
        scale = 1.75 if len(text) == 2 else 2.1
        write(
            picture,
            text,
            (round((1.7 if len(text) == 2 else 2.6) * 8), round(10.5 * 8)),
            cv2.FONT_HERSHEY_DUPLEX,
            scale,
            tuple(map(float, paint)),
            6,
        )
        _pip(picture, card.suit, (5.4, 15.5), 6.6, paint)
        picture = np.ascontiguousarray(picture[::-1, ::-1])
    return Face(picture, cover(POKER_MM, 3.2), POKER_MM)


def _figure(picture: Picture, suit: Suit, paint: Picture) -> None:
    """A court card from afar: a frame, two busts head to head, robes in four colours."""
    k = RESOLUTION_PX_MM
    width, height = POKER_MM
    left, top, right, bottom = 12.5, 9.0, width - 12.5, height - 9.0
    gold, blue, red, skin, black = (linear(c) for c in ((232, 184, 48), (34, 58, 134), (190, 30, 38), (244, 222, 196), _BLACK))

    def fill(points: list[tuple[float, float]], tone: Picture) -> None:
        ink = tuple(map(float, tone))
        cv2.fillPoly(picture, [np.round(np.array(points) * k).astype(np.int32)], ink, cv2.LINE_AA)

    middle = width / 2
    half = bottom - top
    fill(
        [
            (left, top + half / 2),
            (left, top + 28),
            (middle - 7, top + 20),
            (middle + 7, top + 20),
            (right, top + 28),
            (right, top + half / 2),
        ],
        red,
    )
    for step in range(5):
        x = left + 2 + step * 8.2
        fill(
            [
                (x, top + half / 2),
                (x + 3.4, top + half / 2),
                (middle + (x - middle) * 0.35 + 1.5, top + 21),
                (middle + (x - middle) * 0.35, top + 21),
            ],
            gold,
        )
    fill([(middle - 5, top + half / 2), (middle + 5, top + half / 2), (middle + 3, top + 20), (middle - 3, top + 20)], blue)
    fill([(middle - 7, top + 22), (middle - 8, top + 9), (middle + 8, top + 9), (middle + 7, top + 22)], gold)
    cv2.ellipse(
        picture,
        (round(middle * k), round((top + 14) * k)),
        (round(5 * k), round(6.5 * k)),
        0,
        0,
        360,
        tuple(map(float, skin)),
        -1,
        cv2.LINE_AA,
    )
    fill(
        [
            (middle - 7, top + 9.5),
            (middle - 8, top + 3),
            (middle - 3, top + 6),
            (middle, top + 1.5),
            (middle + 3, top + 6),
            (middle + 8, top + 3),
            (middle + 7, top + 9.5),
        ],
        blue,
    )
    for dx in (-1.8, 1.8):
        cv2.circle(picture, (round((middle + dx) * k), round((top + 13) * k)), 4, tuple(map(float, black)), -1, cv2.LINE_AA)
    cv2.line(
        picture,
        (round((middle - 1.4) * k), round((top + 17) * k)),
        (round((middle + 1.4) * k), round((top + 17) * k)),
        tuple(map(float, red)),
        4,
        cv2.LINE_AA,
    )
    _pip(picture, suit, (left + 5.5, top + 6), 8.5, paint)
    rows = picture.shape[0] // 2
    picture[-rows:] = picture[:rows][::-1, ::-1]
    corners = [(round(x * k), round(y * k)) for x, y in ((left, top), (right, bottom))]
    cv2.rectangle(picture, corners[0], corners[1], tuple(map(float, blue)), 4, cv2.LINE_AA)


def card_back(size_mm: tuple[float, float] = POKER_MM, rgb: tuple[int, int, int] = (150, 24, 40)) -> Face:
    """White border and a lattice of fine lines."""
    k = RESOLUTION_PX_MM
    height, width = round(size_mm[1] * k), round(size_mm[0] * k)
    x, y = np.meshgrid(np.arange(width, dtype=np.float32) / k - size_mm[0] / 2, np.arange(height, dtype=np.float32) / k - size_mm[1] / 2)
    lattice = np.maximum(np.cos((x + y) * 1.9), np.cos((x - y) * 1.9))
    bead = np.cos(x * 1.9) * np.cos(y * 1.9)
    share = np.clip((lattice - 0.8) * 5, 0, 1) + np.clip((bead - 0.82) * 8, 0, 1)
    inner = np.clip(np.minimum(size_mm[0] / 2 - np.abs(x), size_mm[1] / 2 - np.abs(y)) * 8 - 4.2 * 8, 0, 1)
    share = np.clip(1 - inner + inner * share, 0, 1)[..., None]
    picture = linear(rgb) * (1 - share) + linear((244, 242, 236)) * share
    return Face(np.asarray(picture, np.float32), cover(size_mm, 3.2), size_mm)


def _handwriting(
    rng: np.random.Generator, picture: Picture, left_mm: float, base_mm: float, length_mm: float, pen: tuple[float, ...]
) -> None:
    """Words of loops and strokes that nobody can read."""
    k = RESOLUTION_PX_MM
    at, step = left_mm, 0.22
    while at < left_mm + length_mm:
        word = rng.uniform(6, 20)
        count = int(word / step)
        phase = np.cumsum(rng.uniform(0.45, 0.8, count))
        tall = 0.9 + 0.9 * np.abs(noise(rng, 2, count, (9.0, 2.0))[0]) * (rng.random(count) < 0.9)
        x = at + step * np.arange(count) + 0.55 * np.cos(phase)
        y = base_mm - tall * (1 + np.sin(phase)) + 0.25 * noise(rng, 2, count, (40.0, 2.0))[0]
        points = np.round(np.stack([x, y], axis=1) * k * 16).astype(np.int32)
        cv2.polylines(picture, [points], False, pen, 3, cv2.LINE_AA, _SUBPIXEL_BITS)
        at += word + rng.uniform(2, 3.5)


def note(rng: np.random.Generator, size_mm: tuple[float, float] = (105.0, 148.0), ruled: bool = True) -> Face:
    """A sheet of a notepad with a score written on it."""
    k = RESOLUTION_PX_MM
    picture = np.empty((round(size_mm[1] * k), round(size_mm[0] * k), 3), np.float32)
    picture[:] = linear((246, 243, 232))
    if ruled:
        for y in np.arange(16, size_mm[1] - 4, 7.0):
            cv2.line(picture, (0, int(y * k)), (picture.shape[1], int(y * k)), tuple(map(float, linear((168, 192, 216)))), 2)
    pen = tuple(map(float, linear((28, 36, 92))))
    for y in np.arange(22.5, size_mm[1] * rng.uniform(0.5, 0.9), 7.0):
        _handwriting(rng, picture, 9 + rng.uniform(0, 3), y - 1, rng.uniform(0.3, 0.8) * (size_mm[0] - 20), pen)
    return Face(picture, cover(size_mm, 0), size_mm)


def envelope(rng: np.random.Generator) -> Face:
    """A white window envelope with an address."""
    size_mm, k = (220.0, 110.0), RESOLUTION_PX_MM
    picture = np.empty((round(size_mm[1] * k), round(size_mm[0] * k), 3), np.float32)
    picture[:] = linear((240, 240, 238))
    pane = np.round((rounded_rectangle(90, 40, 3) + np.array([65, 68])) * k * 16).astype(np.int32)
    cv2.fillPoly(picture, [pane], tuple(map(float, linear((222, 224, 226)))), cv2.LINE_AA, _SUBPIXEL_BITS)
    for y in (58, 65, 72, 79):
        words = "".join(chr(int(c)) for c in rng.integers(97, 122, 16))
        write(picture, words, (26 * k, y * k), cv2.FONT_HERSHEY_SIMPLEX, 1.1, tuple(map(float, linear((40, 40, 44)))), 2)
    cv2.rectangle(picture, (188 * k, 8 * k), (212 * k, 36 * k), tuple(map(float, linear((96, 130, 160)))), -1)
    cv2.rectangle(picture, (190 * k, 10 * k), (210 * k, 34 * k), tuple(map(float, linear((196, 208, 214)))), -1)
    return Face(picture, cover(size_mm, 0.5), size_mm)


def phone() -> Face:
    """A dark telephone, its screen off."""
    size_mm, k = (72.0, 148.0), RESOLUTION_PX_MM
    picture = np.empty((round(size_mm[1] * k), round(size_mm[0] * k), 3), np.float32)
    picture[:] = linear((52, 54, 58))
    glass = np.round((rounded_rectangle(67, 143, 8) + np.array(size_mm) / 2) * k * 16).astype(np.int32)
    cv2.fillPoly(picture, [glass], tuple(map(float, linear((14, 15, 18)))), cv2.LINE_AA, _SUBPIXEL_BITS)
    return Face(picture, cover(size_mm, 10), size_mm)


def pencil(
    from_mm: tuple[float, float], to_mm: tuple[float, float], rgb: tuple[float, float, float] = (0.72, 0.36, 0.03)
) -> tuple[Part, ...]:
    """A sharpened pencil lying on the table, its point at `to_mm`."""
    tail, tip = (np.array([*p, 3.8]) for p in (from_mm, to_mm))
    way = (tip - tail) / np.linalg.norm(tip - tail)
    neck, lead = tip - 17 * way, tip - 4 * way
    return (
        Part((Limb(tail + 8 * way, neck, 3.6, 3.6),), 0.0, 0.0, rgb, "plastic"),
        Part((Limb(tail, tail + 9 * way, 3.5, 3.7),), 0.0, 0.0, (0.55, 0.55, 0.56), "plastic"),
        Part((Limb(neck, lead, 3.5, 1.2),), 0.0, 0.0, (0.66, 0.44, 0.24), "cloth"),
        Part((Limb(lead, tip - [0, 0, 3.2], 1.2, 0.4),), 0.0, 0.0, (0.04, 0.04, 0.045), "plastic"),
    )
