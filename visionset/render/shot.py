"""Shot: one arrangement of cards under one light, and what a hand or a moving card changes in it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from visionset.art import DeckStyle
from visionset.pieces import SetCard
from visionset.render.bodies import Seen, render, shadow
from visionset.render.faces import Face, set_card
from visionset.render.layouts import Place
from visionset.render.lighting import lit, table_points
from visionset.render.limbs import Part
from visionset.render.materials import Field
from visionset.render.scene import Lying
from visionset.render.stage import COVER, FINER, Layers, Light, Pose, lay, outline, visible_share
from visionset.render.surfaces import Picture
from visionset.render.viewpoint import Viewpoint

EDGE = 0.12
"""How much darker the cut edge of a card is than its face."""

FACE_FINENESS = 1.15
"""Pixels of a painted face for each fine pixel that shows it."""


@dataclass(frozen=True, slots=True)
class Laid:
    """A card of the truth and how it lies."""

    card: SetCard
    pose: Pose


@dataclass(frozen=True, slots=True, eq=False)
class Thing:
    """A flat thing that is no card of the truth."""

    face: Face
    pose: Pose
    after: int = 0
    """How many cards are laid before it."""


@dataclass(frozen=True, slots=True, eq=False)
class Shot:
    """A lit arrangement.

    Attributes
    ----------
    lamp, ambient : ndarray of float32, shape (height, width, 3)
        As `lit` returns them.
    owner : ndarray of int32, shape (height, width)
        Index of the card that each pixel shows, negative for none.
    cards : tuple of Lying
        The truth while nothing is above the table.
    """

    view: Viewpoint
    light: Light
    style: DeckStyle
    layers: Layers
    lamp: Picture
    ambient: Picture
    owner: NDArray[np.int32]
    cards: tuple[Lying, ...]

    def seen(self, cover: Field | None = None) -> tuple[Lying, ...]:
        """Return the truth with what `cover` (0 to 1 per pixel) hides; cards out of the picture are left out."""
        cards = []
        for number, card in enumerate(self.cards):
            hidden = 0.0
            if cover is not None and card.visible > 0:
                hidden = float(cover[self.owner == number].mean()) if np.any(self.owner == number) else 1.0
            cards.append(Lying(card.card, card.outline_px, card.visible * (1 - hidden)))
        return tuple(cards)


def face_of(card: SetCard, style: DeckStyle, view: Viewpoint, pose: Pose) -> Face:
    """Paint a card as finely as it will be seen."""
    place = np.array([[pose.place.x_mm, pose.place.y_mm, pose.lift_mm]])
    return set_card(card, style, EDGE, px_mm=FACE_FINENESS * FINER * float(view.see(place)[2][0]))


def arrange(view: Viewpoint, light: Light, bare: Layers, style: DeckStyle, laid: Sequence[Laid], things: Sequence[Thing] = ()) -> Shot:
    """Lay cards and things on a copy of a bare table, first ones first, and light it."""
    layers = bare.copy()
    size_mm = (style.width_mm, style.height_mm)
    for number in range(len(laid) + 1):
        for thing in things:
            if thing.after == number:
                lay(layers, view, light, thing.face, thing.pose, COVER)
        if number < len(laid):
            pose = laid[number].pose
            lay(layers, view, light, face_of(laid[number].card, style, view, pose), pose, number)
    corner_loss = (4 - np.pi) * style.corner_mm**2 / (style.width_mm * style.height_mm)
    cards = []
    for number, one in enumerate(laid):
        quad = outline(view, size_mm, one.pose)
        cards.append(Lying(one.card, quad, visible_share(layers, number, quad, corner_loss)))
    lamp, ambient = lit(layers, view, light)
    return Shot(view, light, style, layers, lamp, ambient, layers.owner[::FINER, ::FINER], tuple(cards))


def expose(
    shot: Shot, bodies: Sequence[tuple[Part, ...]] = (), moving: Laid | None = None, blur_px: tuple[float, float] = (0, 0)
) -> tuple[Picture, Field]:
    """Put hands, pens and a card on its way over the table.

    Parameters
    ----------
    shot : Shot
        What lies still.
    bodies : sequence of bodies
        Whatever stands above the table.
    moving : Laid, optional
        A card in the air.
    blur_px : tuple of float
        Way that everything above the table goes while the shutter is open.

    Returns
    -------
    radiance : ndarray of float32, shape (height, width, 3)
        Linear BGR.
    cover : ndarray of float32, shape (height, width)
        Share of the table that is hidden.
    """
    view, light = shot.view, shot.light
    width, height = view.size_px
    dark, dim = np.zeros((height, width), np.float32), np.zeros((height, width), np.float32)
    for body in bodies:
        dark = np.maximum(dark, shadow(view, light, body, low=False))
        dim = np.maximum(dim, shadow(view, light, body, low=True))
    front = np.zeros((height, width, 4), np.float32)
    if moving is not None:
        dark = np.maximum(dark, _card_shadow(shot, moving.pose, lamp=True))
        dim = np.maximum(dim, _card_shadow(shot, moving.pose, lamp=False))
        _hold(shot, moving, front)
    for body in bodies:
        seen = render(view, light, body)
        if seen is not None:
            _cover(front, seen, _plane_height(view, moving, seen) if moving else None)
    front = _smear(front, blur_px)
    behind = shot.lamp * (1 - 0.93 * dark)[..., None] + shot.ambient * (1 - 0.62 * dim)[..., None]
    cover = np.clip(front[..., 3], 0, 1)
    return np.asarray(behind * (1 - cover)[..., None] + front[..., :3], np.float32), cover


def _hold(shot: Shot, moving: Laid, front: Picture) -> None:
    """Paint a card in the air into a premultiplied picture, in place."""
    view, style = shot.view, shot.style
    quad = outline(view, (style.width_mm, style.height_mm), moving.pose)
    width, height = view.size_px
    left, top = np.clip(np.floor(quad.min(axis=0)).astype(int) - 4, 0, [width, height])
    right, bottom = np.clip(np.ceil(quad.max(axis=0)).astype(int) + 5, 0, [width, height])
    if right - left < 2 or bottom - top < 2:
        return
    part = shot.layers.window(*(int(FINER * v) for v in (left, top, right, bottom))).copy()
    part.owner[:] = COVER
    part.offset_px = (0, 0)
    center_px = (view.center_px[0] - float(left), view.center_px[1] - float(top))
    nearby = replace(view, size_px=(int(right - left), int(bottom - top)), center_px=center_px)
    lay(part, nearby, shot.light, face_of(moving.card, style, view, moving.pose), moving.pose, 0)
    lamp, ambient = lit(part, nearby, shot.light)
    share = np.asarray(cv2.resize((part.owner == 0).astype(np.float32), lamp.shape[1::-1], interpolation=cv2.INTER_AREA), np.float32)
    front[top:bottom, left:right, :3] = (lamp + ambient) * share[..., None]
    front[top:bottom, left:right, 3] = share


def _card_shadow(shot: Shot, pose: Pose, lamp: bool) -> Field:
    view = shot.view
    width, height = view.size_px
    mask = np.zeros((height, width), np.uint8)
    away = -shot.light.toward[:2] / shot.light.toward[2] * pose.lift_mm if lamp else np.zeros(2)
    place = Place(pose.place.x_mm + away[0], pose.place.y_mm + away[1], pose.place.turn_rad)
    quad = outline(view, (shot.style.width_mm, shot.style.height_mm), Pose(place, 0.0))
    cv2.fillPoly(mask, [np.round(quad * 16).astype(np.int32)], 255, cv2.LINE_AA, 4)
    reach = (0.1 if lamp else 0.6) * pose.lift_mm + 0.4
    soft = cv2.GaussianBlur(mask.astype(np.float32) / 255, (0, 0), max(0.6, reach * view.scale_px_mm))
    return np.asarray(soft if lamp else soft / (1 + pose.lift_mm / 40), np.float32)


def _plane_height(view: Viewpoint, moving: Laid, seen: Seen) -> Field:
    """Height of a held card towards the camera at each pixel of a body's window."""
    x, y = table_points(view, (seen.left, seen.top), seen.cover.shape)
    way = view.rotation[2]
    return np.asarray(way[0] * x + way[1] * y + moving.pose.lift_mm / way[2], np.float32)


def _cover(front: Picture, seen: Seen, behind_mm: Field | None) -> None:
    """Put a body over a premultiplied picture, in place, except where a held card is nearer to the camera."""
    height, width = seen.cover.shape
    part = front[seen.top : seen.top + height, seen.left : seen.left + width]
    share = seen.cover
    if behind_mm is not None:
        above = np.clip((seen.toward_mm - behind_mm) * 1.5 + 0.5, 0, 1)
        share = share * (1 - part[..., 3] * (1 - above))
    part *= (1 - share)[..., None]
    part[..., :3] += share[..., None] * seen.light
    part[..., 3] += share


def _smear(front: Picture, way_px: tuple[float, float]) -> Picture:
    """Blur a picture along a way, as a shutter that is open meanwhile does."""
    length = float(np.hypot(*way_px))
    if length < 1.5:
        return front
    half = int(np.ceil(length / 2)) + 1
    kernel = np.zeros((2 * half + 1, 2 * half + 1), np.float32)
    ends = [np.round((half + s * np.array(way_px) / 2) * 16).astype(int) for s in (-1, 1)]
    cv2.line(kernel, tuple(map(int, ends[0])), tuple(map(int, ends[1])), 1.0, 1, cv2.LINE_AA, 4)
    return np.asarray(cv2.filter2D(front, -1, kernel / kernel.sum(), borderType=cv2.BORDER_REPLICATE), np.float32)
