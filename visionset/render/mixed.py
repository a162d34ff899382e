"""Rendered tables of dice, with their truth; the light, the lens and the sensor are as kind or unkind as asked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from visionset.geometry import Floats, Quad
from visionset.pieces import Kind, Piece
from visionset.render.board import printed_board
from visionset.render.dice import Die, Lamp, cast_shadow, draw_die, top_quad
from visionset.render.die_faces import pip_atlas, random_die, random_set_die, random_top, random_value, symbol_atlas
from visionset.render.die_layouts import die_layout
from visionset.render.die_traps import perforated
from visionset.render.faces import DISTRACTORS
from visionset.render.layouts import Place
from visionset.render.polyhedra import draw_polyhedron
from visionset.render.scene import Canvas, hand, table_top
from visionset.render.spoil import Spoil, spoil
from visionset.render.surfaces import SURFACES
from visionset.render.viewpoint import Viewpoint

BOARD_SHARE = 0.25
"""How often SET dice lie on a printed board; pip dice do a third as often."""

POLYHEDRA_SHARE = 0.3
"""How often dice with numerals lie there too."""

SURFACE_SHARES = (0.1, 0.22, 0.18, 0.14, 0.12, 0.1, 0.14)
"""How often each of `SURFACES` is the table."""


@dataclass(frozen=True, slots=True, eq=False)
class Known:
    """One piece of the truth.

    Attributes
    ----------
    kind : Kind
        Sort of piece.
    piece : Piece or None
        None for a back.
    outline_px : ndarray of float64, shape (4, 2)
        The card, or the top face of a die.
    visible : float
        Share of it that is in the picture and under nothing else, 0 to 1.
    seen_at_px : ndarray of float64, shape (2,)
        Middle of what can be seen of it; the outline's where nothing can.
    """

    kind: Kind
    piece: Piece | None
    outline_px: Quad
    visible: float
    seen_at_px: Floats


@dataclass(frozen=True, slots=True, eq=False)
class Tabletop:
    """A rendered picture, uint8 BGR, with its truth.

    Attributes
    ----------
    known : tuple of Known
        Every piece.
    indices : tuple of Known
        The corner indices of playing cards, each with its card.
    """

    image_bgr: NDArray[np.uint8]
    known: tuple[Known, ...]
    indices: tuple[Known, ...] = ()


def random_view(rng: np.random.Generator, size_px: tuple[int, int], scale_px_mm: float, steepest_deg: float = 62.0) -> Viewpoint:
    """From straight above to a laptop's lid."""
    tilt = min(abs(rng.normal(0, 34)), steepest_deg) if rng.random() < 0.7 else rng.uniform(0, steepest_deg)
    distance = max(size_px) / scale_px_mm * rng.uniform(0.9, 3.0)
    width, height = size_px
    center = (width / 2 + rng.normal(0, width / 10), height / 2 + rng.normal(0, height / 10))
    scale = scale_px_mm / np.sqrt(np.cos(np.radians(tilt)))
    return Viewpoint(size_px, float(scale), float(tilt), float(rng.uniform(0, 360)), float(distance), (float(center[0]), float(center[1])))


def random_lamp(rng: np.random.Generator) -> Lamp:
    """One lamp somewhere above, and light from all sides."""
    way = rng.uniform(0, 2 * np.pi)
    toward = np.array([np.cos(way), np.sin(way), np.exp(rng.uniform(-0.8, 1.5))])
    return Lamp(toward / np.linalg.norm(toward), float(rng.uniform(0.2, 0.8)))


def known(kind: Kind, piece: Piece | None, owner: NDArray[np.int32], number: int, quad: Quad) -> Known:
    """Judge by the picture's owners what can be seen of the piece `number`."""
    share, middle = seen_part(owner, number, quad)
    return Known(kind, piece, quad, share, middle)


def seen_part(owner: NDArray[np.int32], number: int, quad: Quad) -> tuple[float, Floats]:
    """Share of a quad's area that belongs to `number`, and the middle of that part, shape (2,)."""
    height, width = owner.shape
    low = np.clip(np.floor(quad.min(axis=0)).astype(int), 0, [width, height])
    high = np.clip(np.ceil(quad.max(axis=0)).astype(int) + 1, 0, [width, height])
    area = float(cv2.contourArea(np.asarray(quad, np.float32)))
    if np.any(high - low < 1) or area < 1:
        return 0.0, quad.mean(axis=0)
    mask = np.zeros((int(high[1] - low[1]), int(high[0] - low[0])), np.uint8)
    cv2.fillPoly(mask, [np.round((quad - low) * 16).astype(np.int32)], 1, cv2.LINE_8, 4)
    mine = (owner[low[1] : high[1], low[0] : high[0]] == number) & (mask > 0)
    rows, columns = np.nonzero(mine)
    # the polygon's rim counts pixels that are less than half inside
    share = float(min(1.0, len(rows) / max(area, np.count_nonzero(mask) * 0.97)))
    middle = low + np.array([columns.mean(), rows.mean()]) if len(rows) else quad.mean(axis=0)
    return share, np.asarray(middle, np.float64)


def strew(rng: np.random.Generator, canvas: Canvas, reach_mm: float, count: int, shrink: float = 1.0) -> None:
    """Lay things that are no pieces anywhere."""
    painters = (perforated, perforated, *(painter for painter in DISTRACTORS if painter.__name__ in ("blank", "thing")))
    for _ in range(count):
        face = painters[int(rng.integers(len(painters)))](rng)
        face = type(face)(face.picture, face.cover, (face.size_mm[0] * shrink, face.size_mm[1] * shrink))
        x, y = rng.uniform(-reach_mm, reach_mm, 2)
        canvas.lay(face, Place(float(x), float(y), float(rng.uniform(0, 2 * np.pi))), -2, float(rng.uniform(0, 0.4)))


def lay_board(rng: np.random.Generator, canvas: Canvas, dice: Sequence[Die]) -> None:
    """A printed board under the dice, its squares turned as the first of them, which lies on one."""
    side_mm = dice[0].style.size_mm if dice else float(rng.uniform(14, 28))
    rows, columns = rng.integers(3, 8, 2)
    pitch_mm = side_mm * float(rng.uniform(1.0, 1.7))
    board = printed_board(rng, int(rows), int(columns), pitch_mm)
    turn = dice[0].turn_rad if dice else float(rng.uniform(0, 2 * np.pi))
    row, column = (float(rng.integers(count)) - (count - 1) / 2 for count in (rows, columns))
    x, y = (dice[0].x_mm, dice[0].y_mm) if dice else (0.0, 0.0)
    cos, sin = np.cos(turn), np.sin(turn)
    middle = (x - pitch_mm * (cos * column - sin * row), y - pitch_mm * (sin * column + cos * row))
    canvas.lay(board, Place(float(middle[0]), float(middle[1]), turn), -2, float(rng.uniform(0, 0.4)))


def strew_polyhedra(rng: np.random.Generator, canvas: Canvas, view: Viewpoint, reach_mm: float, dice: Sequence[Die]) -> None:
    """Lay a few dice with numerals beside the others."""
    lamp = random_lamp(rng)
    canvas.picture = np.ascontiguousarray(canvas.picture, np.float32)
    for _ in range(int(rng.integers(1, 7))):
        x, y = (float(value) for value in rng.uniform(-reach_mm, reach_mm, 2))
        if all(np.hypot(x - die.x_mm, y - die.y_mm) > 1.1 * die.style.size_mm + 10 for die in dice):
            draw_polyhedron(rng, canvas.picture, canvas.owner, view, lamp, (x, y))


def random_dice(rng: np.random.Generator, kind: Kind, reach_mm: float) -> list[Die]:
    """Dice of one kind; a table of SET dice shares one print, pip dice come in one to three makes."""
    count = int(np.exp(rng.uniform(0, np.log(42))))
    if kind is Kind.SET_DIE:
        style, symbols = random_set_die(rng)
        tops = [random_top(rng) for _ in range(count)]
        places = die_layout(rng, reach_mm, style.size_mm, count)
        return [
            Die(top, style, symbol_atlas(rng, top, style, symbols), p.x_mm, p.y_mm, p.turn_rad)
            for top, p in zip(tops, places, strict=False)
        ]
    count = min(count, 24)
    makes = [random_die(rng) for _ in range(int(rng.integers(1, 4)))]
    places = die_layout(rng, reach_mm, max(make.size_mm for make, _ in makes), count)
    dice = []
    for place in places:
        style, pips = makes[int(rng.integers(len(makes)))]
        value = random_value(rng)
        dice.append(Die(value, style, pip_atlas(rng, value.value, style, pips), place.x_mm, place.y_mm, place.turn_rad))
    return dice


def stand(rng: np.random.Generator, canvas: Canvas, view: Viewpoint, dice: Sequence[Die], first: int) -> None:
    """Put dice on the table with their shadows; they own pixels from `first` on."""
    if not dice:
        return
    lamp = random_lamp(rng)
    size_mm = float(np.mean([die.style.size_mm for die in dice]))
    canvas.picture = np.ascontiguousarray(canvas.picture, np.float32)
    cast_shadow(canvas.picture, view, list(dice), lamp, float(rng.uniform(0, 0.8)), float(rng.uniform(0.02, 0.3)) * size_mm)
    nearness = view.see(np.array([[die.x_mm, die.y_mm, 0.0] for die in dice]))[1]
    for at in np.argsort(nearness):
        draw_die(canvas.picture, canvas.owner, first + int(at), view, dice[at], lamp)


def dice_table(rng: np.random.Generator, size_px: tuple[int, int], die_px: float, how: Spoil, kind: Kind) -> Tabletop:
    """Dice of one kind, at times with a few of the other, among things that are none.

    Parameters
    ----------
    die_px : float
        Side of a die at the middle of the picture, in pixels.
    kind : Kind
        `Kind.PIP_DIE` or `Kind.SET_DIE`.
    """
    side_mm = 16.0
    view = random_view(rng, size_px, die_px / side_mm)
    surface = str(rng.choice(list(SURFACES), p=SURFACE_SHARES))
    canvas = Canvas(table_top(rng, surface, size_px, view.image_from_table, view.scale_px_mm), view.image_from_table)
    reach = 0.55 * max(size_px) / view.scale_px_mm
    strew(rng, canvas, 1.4 * reach, int(rng.poisson(1.8)))
    dice = [] if rng.random() < 0.04 else random_dice(rng, kind, reach)
    (own,) = rng.spawn(1)  # draws of its own, so that what follows stays as it was
    if own.random() < (BOARD_SHARE if kind is Kind.SET_DIE else BOARD_SHARE / 3):
        lay_board(own, canvas, dice)
    if rng.random() < 0.12:
        other = Kind.PIP_DIE if kind is Kind.SET_DIE else Kind.SET_DIE
        for guest in random_dice(rng, other, reach)[:3]:
            apart = 0.75 * (guest.style.size_mm + max([die.style.size_mm for die in dice], default=0))
            if all(np.hypot(guest.x_mm - die.x_mm, guest.y_mm - die.y_mm) > apart for die in dice):
                dice.append(guest)
    if own.random() < POLYHEDRA_SHARE:
        strew_polyhedra(own, canvas, view, reach, dice)
    stand(rng, canvas, view, dice, 0)
    if rng.random() < 0.1:
        hand(rng, canvas, 5 * die_px * float(rng.uniform(0.6, 1.2)))
    truth = [known(die.piece.kind, die.piece, canvas.owner, number, top_quad(view, die)) for number, die in enumerate(dice)]
    return Tabletop(spoil(rng, canvas.picture, how), tuple(truth))
