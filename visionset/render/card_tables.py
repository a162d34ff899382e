"""Rendered tables of playing cards and backs, with their truth; some SET cards and dice among them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from visionset.geometry import Quad, apply
from visionset.pieces import PACK, SET_DECK, Kind, Piece, PlayingCard
from visionset.render.card_backs import random_back
from visionset.render.card_layouts import card_layout
from visionset.render.dice import top_quad
from visionset.render.faces import Face, random_style, set_card, wear
from visionset.render.layouts import Place
from visionset.render.mixed import SURFACE_SHARES, Tabletop, known, random_dice, random_view, stand, strew
from visionset.render.playing_cards import index_boxes_mm, playing_face
from visionset.render.playing_style import PlayingStyle
from visionset.render.scene import Canvas, hand, table_top
from visionset.render.spoil import Spoil, spoil
from visionset.render.surfaces import SURFACES

Box = tuple[float, float, float, float]
"""Centre x, y, width and height in millimetres about the card's centre."""

INDEX_MARGIN_MM = 0.6
"""The index's frame is this much wider than its ink on each side."""


class Pack(Protocol):
    """One print of the pack."""

    @property
    def size_mm(self) -> tuple[float, float]:
        """Width and height of a card."""

    def face(self, card: PlayingCard, px_mm: float) -> Face:
        """Paint a card."""

    def boxes_mm(self, card: PlayingCard) -> Sequence[Box]:
        """Where its corner indices are."""


@dataclass(frozen=True, slots=True)
class DrawnPack:
    """A pack of our own drawing."""

    style: PlayingStyle

    @property
    def size_mm(self) -> tuple[float, float]:
        """Width and height of a card."""
        return self.style.width_mm, self.style.height_mm

    def face(self, card: PlayingCard, px_mm: float) -> Face:
        """Paint a card."""
        return playing_face(card, self.style, px_mm)

    def boxes_mm(self, card: PlayingCard) -> Sequence[Box]:
        """Where its corner indices are."""
        return [(x, y, width, height) for x, y, width, height, _ in index_boxes_mm(self.style, card)]


def _box_quad(canvas: Canvas, place: Place, box: Box) -> Quad:
    x, y, width, height = box
    half = np.array([width / 2 + INDEX_MARGIN_MM, height / 2 + INDEX_MARGIN_MM])
    corners = np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]]) * half + [x, y]
    return apply(canvas.image_from_table @ place.table_from_card(), corners)


def card_table(rng: np.random.Generator, size_px: tuple[int, int], card_px: float, how: Spoil, pack: Pack) -> Tabletop:
    """Playing cards of one pack on a table.

    Parameters
    ----------
    card_px : float
        Long side of a card at the middle of the picture, in pixels.
    pack : Pack
        What is printed on them.
    """
    scale = card_px / pack.size_mm[1]
    view = random_view(rng, size_px, scale)
    surface = str(rng.choice(list(SURFACES), p=SURFACE_SHARES))
    canvas = Canvas(table_top(rng, surface, size_px, view.image_from_table, view.scale_px_mm), view.image_from_table)
    reach = 0.5 * max(size_px) / view.scale_px_mm
    strew(rng, canvas, 1.4 * reach, int(rng.poisson(0.8)), 1.5)
    px_mm = float(np.clip(2 * view.scale_px_mm, 1.5, 8))
    backs = random_back(rng, px_mm, pack.size_mm)
    strangers = random_style(rng) if rng.random() < 0.1 else None
    shadow, worn = rng.uniform(0, 0.45), rng.random() < 0.2
    deal = rng.permutation(len(PACK))
    lying: list[tuple[Kind, Piece | None, Quad]] = []
    indices: list[tuple[int, PlayingCard, Quad]] = []
    turn = Place(0.0, 0.0, float(rng.choice([0.0, np.pi]) + rng.normal(0, 0.1)) - float(np.radians(view.turn_deg)))
    if rng.random() < 0.3:
        turn = Place(0.0, 0.0, float(rng.uniform(0, 2 * np.pi)))
    for number, slot in enumerate(card_layout(rng, 0.8 * reach, pack.size_mm)[: len(PACK)]):
        x, y = apply(turn.table_from_card(), np.array([[slot.place.x_mm, slot.place.y_mm]]))[0]
        place = Place(float(x), float(y), slot.place.turn_rad + turn.turn_rad)
        card = PACK[deal[number]]
        size_mm, piece, kind = pack.size_mm, None, Kind.CARD_BACK
        if strangers is not None and rng.random() < 0.4:
            stranger = SET_DECK[int(rng.integers(81))]
            size_mm = (strangers.width_mm, strangers.height_mm)
            kind, piece = Kind.SET_CARD, stranger
        elif slot.face_up:
            kind, piece = Kind.PLAYING_CARD, card
        quad = canvas.corners(size_mm, place)
        if quad is None:
            continue
        if kind is Kind.SET_CARD:
            face = set_card(stranger, strangers, 0.1, px_mm) if strangers else backs
        else:
            face = pack.face(card, px_mm) if kind is Kind.PLAYING_CARD else backs
        face = wear(rng, face) if worn else face
        owner = len(lying)
        canvas.lay(face, place, owner, shadow, float(np.exp(rng.normal(0, 0.04))))
        lying.append((kind, piece, quad))
        if kind is Kind.PLAYING_CARD:
            indices += [(owner, card, _box_quad(canvas, place, box)) for box in pack.boxes_mm(card)]
    dice = random_dice(rng, Kind.PIP_DIE if rng.random() < 0.7 else Kind.SET_DIE, reach)[:5] if rng.random() < 0.12 else []
    stand(rng, canvas, view, dice, len(lying))
    for die in dice:
        lying.append((die.piece.kind, die.piece, top_quad(view, die)))
    if rng.random() < 0.12:
        hand(rng, canvas, card_px * float(rng.uniform(0.6, 1.2)))
    seen = tuple(known(kind, piece, canvas.owner, at, quad) for at, (kind, piece, quad) in enumerate(lying))
    corners = tuple(known(Kind.PLAYING_CARD, card, canvas.owner, owner, quad) for owner, card, quad in indices)
    return Tabletop(spoil(rng, canvas.picture, how), seen, corners)
