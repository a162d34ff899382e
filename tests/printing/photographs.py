"""What is printed, photographed: pages rendered from the PDF, cut up, laid on a rendered table and seen by its camera."""

from __future__ import annotations

import ctypes
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import pypdfium2
import pypdfium2.raw as raw

from tests.rendering import MILD, plain, spoiled
from visionset.pieces import SetDie
from visionset.render.camera import Viewpoint
from visionset.render.dice import Die
from visionset.render.die_faces import FACE_PX, NO_BALL, DieStyle
from visionset.render.faces import RESOLUTION_PX_MM, Face, cover
from visionset.render.layouts import Spot
from visionset.render.pixels import GAMMA, Picture, linear
from visionset.render.stage import Light, Pose
from visionset.render.table_pieces import Flat
from visionset.render.table_plan import LaidFlat, TablePlan
from visionset.render.tables import light

_MM = 25.4 / 72
TABLE_BGR = (0.05, 0.12, 0.2)


def page_picture(data: bytes, page: int, px_mm: float = RESOLUTION_PX_MM) -> np.ndarray:
    """A page as a good printer puts it on white paper: uint8 BGR, `px_mm` pixels a millimetre."""
    with pypdfium2.PdfDocument(data) as document:
        return document[page].render(scale=px_mm * _MM).to_numpy()[..., :3].copy()


def pages_of(data: bytes) -> int:
    with pypdfium2.PdfDocument(data) as document:
        return len(document)


def size_mm(data: bytes, page: int = 0) -> tuple[float, float]:
    with pypdfium2.PdfDocument(data) as document:
        width, height = document[page].get_size()
    return width * _MM, height * _MM


def paths_mm(data: bytes, page: int = 0) -> list[np.ndarray]:
    """The points of each path on a page as the file has them, in millimetres from the top left, each of shape (n, 2)."""
    found = []
    with pypdfium2.PdfDocument(data) as document:
        one = document[page]
        height = one.get_height()
        for each in one.get_objects(filter=[raw.FPDF_PAGEOBJ_PATH]):
            a, b, c, d, e, f = each.get_matrix().get()
            points = np.array([_point(each, at) for at in range(raw.FPDFPath_CountSegments(each))])
            x, y = (points @ [[a, b], [c, d]] + [e, f]).T
            found.append(np.column_stack([x, height - y]) * _MM)
    return found


def _point(path: pypdfium2.PdfObject, at: int) -> tuple[float, float]:
    x, y = ctypes.c_float(), ctypes.c_float()
    raw.FPDFPathSegment_GetPoint(raw.FPDFPath_GetPathSegment(path, at), x, y)
    return x.value, y.value


def words_of(data: bytes, page: int = 0, box_mm: tuple[float, float, float, float] | None = None) -> str:
    """What is written on a page, or in a box of it: left, top, right, bottom."""
    with pypdfium2.PdfDocument(data) as document:
        one = document[page]
        if box_mm is None:
            return one.get_textpage().get_text_bounded()
        left, top, right, low = (side / _MM for side in box_mm)
        return one.get_textpage().get_text_bounded(left, one.get_height() - low, right, one.get_height() - top)


@dataclass(frozen=True)
class Cutting:
    """A piece of a page: where its middle is, how large it is and how far it is turned from upright, in quarters clockwise."""

    center_mm: tuple[float, float]
    size_mm: tuple[float, float]
    quarters: int = 0

    def of(self, page: np.ndarray, px_mm: float = RESOLUTION_PX_MM) -> np.ndarray:
        x, y = (at * px_mm for at in self.center_mm)
        width, height = (side * px_mm for side in self.size_mm)
        piece = cv2.getRectSubPix(page, (round(width), round(height)), (x - 0.5, y - 0.5))
        return np.rot90(piece, self.quarters).copy()


def _reflectance(picture: np.ndarray) -> Picture:
    return np.asarray((picture / 255.0) ** GAMMA, np.float32)


def flat(picture: np.ndarray, corner_mm: float = 0.0) -> Flat:
    """Printed paper as a thing to lay down."""
    height, width = (side / RESOLUTION_PX_MM for side in picture.shape[:2])
    face = Face(_reflectance(picture), cover((width, height), corner_mm), (width, height))
    return Flat(None, None, (width, height), corner_mm, lambda px_mm: face)


def photograph(flats: Iterable[tuple[Flat, Spot]], view: Viewpoint, dice: Sequence[Die] = (), seed: int = 1) -> np.ndarray:
    """What the camera gives, uint8 BGR."""
    laid = tuple(LaidFlat(each, Pose(place)) for each, place in flats)
    plan = TablePlan(seed, view, Light(), MILD, plain(TABLE_BGR), laid, tuple(dice), texture_px=1e5)
    return spoiled(light(plan).picture, seed)


def folded(faces: Sequence[np.ndarray], top: SetDie | None, side_mm: float) -> Die:
    """A cube of paper, with edges as sharp as paper folds; the first face lies on top."""
    atlas = np.stack([_reflectance(cv2.resize(face, (FACE_PX, FACE_PX), interpolation=cv2.INTER_AREA)) for face in faces])
    return Die(top, DieStyle(side_mm, 0.03 * side_mm, NO_BALL, linear((250, 250, 250)), 0.05, 10.0), atlas)


def from_above(size_px: tuple[int, int], scale_px_mm: float, tilt_deg: float = 12.0) -> Viewpoint:
    width, height = size_px
    return Viewpoint(size_px, scale_px_mm, tilt_deg, 3.0, 900.0, ((width - 1) / 2, (height - 1) / 2))
