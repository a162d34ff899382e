"""Pictures for tests, by the renderer: SET cards where a test wants them, and tables of any kind with what lies there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

import cv2
import numpy as np

from visionset.art import DeckStyle
from visionset.pieces import Kind, SetCard
from visionset.render.camera import Sensor, Viewpoint
from visionset.render.layouts import Spot
from visionset.render.materials import Material, TopPainter
from visionset.render.stage import Light, Pose
from visionset.render.table_pieces import set_flat
from visionset.render.table_plan import KINDS, LaidFlat, TablePlan, TableSpec, plan_table
from visionset.render.table_truth import TruePiece, true_pieces
from visionset.render.tables import NOISE, light

MILD = Sensor(exposure=0.9, balance_rgb=(1.04, 1.0, 0.94), blur_px=0.5, shot_noise=0.008)
JPEG_QUALITY = 88
TEXTURE_PX = 5e5
"""Table tops are painted coarsely, which is quick."""

MOST_PHOTOS = 12
_PHOTOS: dict[str, np.ndarray] = {}
"""Those that were asked for last, by what was asked for."""


def spoiled(picture: np.ndarray, seed: int) -> np.ndarray:
    """A picture of linear light as a usual camera gives it."""
    image = MILD.take(np.random.default_rng(seed), picture)
    return cv2.imdecode(cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])[1], cv2.IMREAD_COLOR)


def plain(paint_bgr: tuple[float, float, float]) -> TopPainter:
    """A table top of one colour."""

    def top(_: np.random.Generator, height: int, width: int, px_mm: float) -> Material:
        return Material(np.full((height, width, 3), paint_bgr, np.float32), np.zeros((height, width), np.float32), 0.0)

    return top


def card_photo(
    cards: Iterable[tuple[SetCard, Spot]],
    view: Viewpoint,
    style: DeckStyle | None = None,
    paint_bgr: tuple[float, float, float] = (0.05, 0.12, 0.2),
    seed: int = 1,
) -> np.ndarray:
    """SET cards on a plain table; one that was asked for lately is not rendered again."""
    laid = tuple(cards)
    asked = repr((laid, view, style, paint_bgr, seed))
    photo = _PHOTOS.pop(asked, None)
    if photo is None:
        flats = tuple(LaidFlat(set_flat(card, style or DeckStyle()), Pose(place)) for card, place in laid)
        plan = TablePlan(seed, view, Light(), MILD, plain(paint_bgr), flats, texture_px=1e5)
        photo = spoiled(light(plan).picture, seed)
        photo.flags.writeable = False
    _PHOTOS[asked] = photo
    if len(_PHOTOS) > MOST_PHOTOS:
        del _PHOTOS[next(iter(_PHOTOS))]
    return photo


def tables(kind: Kind, seeds: Iterable[int], size_px: tuple[int, int] = (560, 420)) -> Iterator[tuple[np.ndarray, tuple[TruePiece, ...]]]:
    """Tables of one kind of piece, each with its truth."""
    name = next(name for name, one in KINDS.items() if one is kind)
    for seed in seeds:
        plan = plan_table(TableSpec(("scattered", "row")[seed % 2], (name,), seed, count=5 + seed % 5, size_px=size_px))
        plan = replace(plan, texture_px=TEXTURE_PX)
        yield plan.sensor.take(plan.rng(NOISE), light(plan).picture), true_pieces(plan)
