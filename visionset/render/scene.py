"""A rendered table with its truth: lay things down, look at them at a slant, light and spoil the picture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from visionset.geometry import Floats, Quad, apply
from visionset.pieces import SET_DECK, SetCard
from visionset.render.faces import DISTRACTORS, Face, linear, random_style, set_card, wear
from visionset.render.layouts import Place, layout
from visionset.render.spoil import Spoil, spoil
from visionset.render.surfaces import SURFACES, Picture


@dataclass(frozen=True, slots=True, eq=False)
class Lying:
    """One card of the truth.

    Attributes
    ----------
    card : SetCard
        What it is.
    outline_px : ndarray of float64, shape (4, 2)
        Corners from the card's own top left, clockwise on the card.
    visible : float
        Share of its area that is in the picture and under nothing else, 0 to 1.
    """

    card: SetCard
    outline_px: Quad
    visible: float


@dataclass(frozen=True, slots=True, eq=False)
class Scene:
    """A rendered picture, uint8 BGR, the cards on it, and the outlines of the things that are not SET cards."""

    image_bgr: NDArray[np.uint8]
    cards: tuple[Lying, ...]
    clutter_px: tuple[Quad, ...] = ()


def look(tilt_rad: float, turn_rad: float, scale_px_mm: float, center_px: tuple[float, float], distance_mm: float) -> Floats:
    """Homography image_from_table of a pinhole camera that looks at the table's origin.

    Parameters
    ----------
    tilt_rad : float
        0 looks straight down; the far edge of the table is at the top of the picture.
    turn_rad : float
        Turn of the table in its plane.
    scale_px_mm : float
        Pixels a millimetre at the origin, across the line of sight.
    center_px : tuple of float
        Where the origin is seen.
    distance_mm : float
        From the camera to the origin; short ones give strong perspective.
    """
    cos, sin = np.cos(turn_rad), np.sin(turn_rad)
    turn = np.array([[cos, -sin, 0], [sin, cos, 0], [0, 0, 1]])
    slant = np.array([[1, 0, 0], [0, np.cos(tilt_rad), 0], [0, -np.sin(tilt_rad) / distance_mm, 1]])
    to_picture = np.array([[scale_px_mm, 0, center_px[0]], [0, scale_px_mm, center_px[1]], [0, 0, 1]])
    return np.asarray(to_picture @ slant @ turn)


class Canvas:
    """A picture being painted: table top first, then one thing on top of another."""

    def __init__(self, picture: Picture, image_from_table: Floats) -> None:
        self.picture = picture
        self.image_from_table = image_from_table
        self.owner = np.full(picture.shape[:2], -1, np.int32)

    def corners(self, size_mm: tuple[float, float], place: Place) -> Quad | None:
        """Corners of a thing in the picture from its own top left, None when it is out of sight."""
        corners_mm = np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]]) * np.array(size_mm) / 2
        image_from_face = self.image_from_table @ place.table_from_card()
        if np.min(corners_mm @ image_from_face[2, :2] + image_from_face[2, 2]) < 0.1:
            return None  # beside or behind the camera
        quad = apply(image_from_face, corners_mm)
        height, width = self.picture.shape[:2]
        if np.any(quad.max(axis=0) < 1) or np.any(quad.min(axis=0) > [width - 2, height - 2]):
            return None
        return quad

    def lay(self, face: Face, place: Place, owner: int, shadow: float = 0.0, shine: float = 1.0) -> None:
        """Put a face down on what lies there already."""
        width_mm, height_mm = face.size_mm
        quad = self.corners(face.size_mm, place)
        if quad is None:
            return
        image_from_face = self.image_from_table @ place.table_from_card()
        height, width = self.picture.shape[:2]
        left, top = np.floor(quad.min(axis=0)).astype(int) - 3
        right, bottom = np.ceil(quad.max(axis=0)).astype(int) + 4
        left, top, right, bottom = max(0, left), max(0, top), min(width, right), min(height, bottom)
        if right - left < 2 or bottom - top < 2:
            return
        side_px = np.linalg.norm(quad[1] - quad[0]) + np.linalg.norm(quad[2] - quad[3])
        share = float(np.clip(1.4 * side_px / 2 / face.cover.shape[1], 0.01, 1.0))
        small, mask = face.picture, face.cover
        if share < 0.9:
            small = np.asarray(cv2.resize(small, None, fx=share, fy=share, interpolation=cv2.INTER_AREA), np.float32)
            mask = np.asarray(cv2.resize(mask, (small.shape[1], small.shape[0]), interpolation=cv2.INTER_AREA), np.float32)
        k_x, k_y = width_mm / small.shape[1], height_mm / small.shape[0]
        face_from_small = np.array([[k_x, 0, 0.5 * k_x - width_mm / 2], [0, k_y, 0.5 * k_y - height_mm / 2], [0, 0, 1]])
        window = np.array([[1.0, 0, -left], [0, 1, -top], [0, 0, 1]]) @ image_from_face @ face_from_small
        size = (right - left, bottom - top)
        seen = cv2.warpPerspective(small, window, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        alpha = cv2.warpPerspective(mask, window, size, flags=cv2.INTER_LINEAR)
        patch = self.picture[top:bottom, left:right]
        if shadow > 0:
            soft = cv2.GaussianBlur(alpha, (0, 0), max(0.6, 0.02 * float(side_px)))
            patch *= (1 - shadow * soft)[..., None]
        patch += alpha[..., None] * (seen * np.float32(shine) - patch)
        self.owner[top:bottom, left:right][alpha > 0.5] = owner

    def visible(self, owner: int, quad: Quad) -> float:
        """Share of a quad that belongs to `owner`."""
        x, y = quad[:, 0], quad[:, 1]
        area = 0.5 * abs(float(np.sum(x * np.roll(y, -1) - y * np.roll(x, -1))))
        return float(min(1.0, np.count_nonzero(self.owner == owner) / max(area, 1.0)))


def table_top(rng: np.random.Generator, name: str, size_px: tuple[int, int], image_from_table: Floats, scale_px_mm: float) -> Picture:
    """Paint a surface and look at it through the homography."""
    width, height = size_px
    extent = int(1.5 * max(width, height))
    texture = SURFACES[name](rng, extent, extent)
    scale = scale_px_mm * np.exp(rng.uniform(-0.4, 0.4))
    table_from_texture = np.array([[1 / scale, 0, -extent / 2 / scale], [0, 1 / scale, -extent / 2 / scale], [0, 0, 1]])
    seen = cv2.warpPerspective(
        texture, image_from_table @ table_from_texture, size_px, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT_101
    )
    return np.asarray(np.clip(seen, 0.004, 1), dtype=np.float32)


def hand(rng: np.random.Generator, canvas: Canvas, size_px: float) -> None:
    """A hand and forearm over the table, from one edge of the picture."""
    height, width = canvas.picture.shape[:2]
    skin = linear(np.array([rng.uniform(120, 235), rng.uniform(80, 180), rng.uniform(60, 150)]))
    tip = np.array([rng.uniform(0, width), rng.uniform(0, height)])
    away = rng.uniform(0, 2 * np.pi)
    along = np.array([np.cos(away), np.sin(away)])
    across = np.array([-along[1], along[0]])
    mask = np.zeros((height, width), np.uint8)
    palm = tip + along * 0.9 * size_px

    def limb(start: Floats, end: Floats, thick: float) -> None:
        cv2.line(mask, tuple(map(int, start)), tuple(map(int, end)), 255, max(2, int(thick)), cv2.LINE_AA)

    for finger in range(5):
        spread = (finger - 2) * 0.22
        end = tip + across * spread * size_px * rng.uniform(0.8, 1.2) + along * abs(spread) * 0.6 * size_px
        limb(end, palm + across * spread * 0.5 * size_px, 0.2 * size_px)
    limb(palm, palm + along * 0.3 * size_px, 0.75 * size_px)
    limb(palm, palm + along * 6 * size_px, 0.55 * size_px)
    alpha = cv2.GaussianBlur(mask, (0, 0), 1.0).astype(np.float32)[..., None] / 255
    shade = 1 + 0.25 * (cv2.GaussianBlur(mask, (0, 0), max(1.0, 0.12 * size_px)).astype(np.float32)[..., None] / 255 - 1)
    dark = cv2.GaussianBlur(np.roll(mask, int(0.15 * size_px), axis=0), (0, 0), 0.15 * size_px + 1).astype(np.float32)[..., None] / 255
    canvas.picture = canvas.picture * (1 - 0.45 * dark)
    canvas.picture = np.asarray(canvas.picture * (1 - alpha) + skin * shade * alpha, dtype=np.float32)
    canvas.owner[mask > 127] = -2


def random_scene(
    rng: np.random.Generator,
    size_px: tuple[int, int],
    card_px: float,
    how: Spoil | None = None,
    cards: Sequence[SetCard] = SET_DECK,
    with_cards: bool = True,
) -> Scene:
    """A table of anything that a kitchen may offer.

    Parameters
    ----------
    rng : Generator
        The same generator state gives the same bytes.
    size_px : tuple of int
        Width and height of the picture.
    card_px : float
        Long side of a card at the middle of the picture, in pixels.
    how : Spoil, optional
        How much the picture suffers.
    cards : sequence of SetCard
        Deck to deal from.
    with_cards : bool
        False leaves only clutter.
    """
    width, height = size_px
    style = random_style(rng)
    scale = card_px / style.height_mm
    tilt = abs(rng.normal(0, 0.6)) if rng.random() < 0.7 else rng.uniform(0, 1.1)
    tilt = min(tilt, 1.12)
    span_mm = max(size_px) / scale
    distance = span_mm * rng.uniform(0.9, 3.0)
    center = (width / 2 + rng.normal(0, width / 10), height / 2 + rng.normal(0, height / 10))
    image_from_table = look(tilt, rng.normal(0, 0.2), scale / np.sqrt(np.cos(tilt)), center, distance)
    surface = str(rng.choice(list(SURFACES), p=[0.1, 0.22, 0.18, 0.14, 0.12, 0.1, 0.14]))
    canvas = Canvas(table_top(rng, surface, size_px, image_from_table, scale), image_from_table)

    reach = 0.75 * span_mm
    clutter = _scatter_things(rng, canvas, reach, int(rng.poisson(1.5 if with_cards else 5)))
    lying: list[tuple[SetCard, Quad]] = []
    if with_cards:
        edge = rng.uniform(0, 0.35) * (rng.random() < 0.6)
        shadow = rng.uniform(0, 0.5)
        deal = rng.permutation(len(cards))
        places = layout(rng, 0.62 * span_mm, (style.width_mm, style.height_mm))[: len(cards)]
        worn = rng.random() < 0.25
        for number, place in enumerate(places):
            quad = canvas.corners((style.width_mm, style.height_mm), place)
            if quad is None:
                continue
            face = set_card(cards[deal[number]], style, edge, px_mm=2 * scale)
            face = wear(rng, face) if worn else face
            shine = np.exp(rng.normal(0, 0.04)) * (rng.uniform(1, 1.5) if rng.random() < 0.03 else 1)
            canvas.lay(face, place, len(lying), shadow, shine)
            lying.append((cards[deal[number]], quad))
        clutter += _scatter_things(rng, canvas, reach, int(rng.poisson(0.3)))
    if rng.random() < 0.12:
        hand(rng, canvas, card_px * rng.uniform(0.6, 1.2))
    truth = tuple(Lying(card, quad, canvas.visible(number, quad)) for number, (card, quad) in enumerate(lying))
    return Scene(spoil(rng, canvas.picture, how or Spoil()), truth, tuple(clutter))


def _scatter_things(rng: np.random.Generator, canvas: Canvas, reach_mm: float, count: int) -> list[Quad]:
    seen = []
    for _ in range(count):
        face = DISTRACTORS[int(rng.integers(len(DISTRACTORS)))](rng)
        x, y = rng.uniform(-reach_mm, reach_mm, 2)
        place = Place(float(x), float(y), float(rng.uniform(0, 2 * np.pi)))
        canvas.lay(face, place, -2, rng.uniform(0, 0.4))
        quad = canvas.corners(face.size_mm, place)
        if quad is not None:
            seen.append(quad)
    return seen
