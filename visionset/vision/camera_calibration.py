"""Lens and table plane: from views of the printed sheet, or from SET cards of known size that lie on the table.

A straight, centred lens of focal length f sees the plane z = 0 of a table that is turned by R and lies at the distance d by

    image_from_table = K [r1 r2 t],  K = diag(f, f, 1) about the middle,  t = (0, 0, d)       r1, r2: columns of R

so that cards alone leave four unknowns: f, two angles of R (the third turns the table in itself) and d. Of a card that is seen at the
complex corners p about their mean, the best turn e of a card with the corners w is known without a search:

    sum |p - e w|^2 is least over |e| = 1  where  e = sum(p conj(w)) / |sum(p conj(w))|
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from scipy.optimize import least_squares

from visionset.calibration import CARD_MM, Deck, Lens
from visionset.errors import CalibrationError
from visionset.geometry import Floats, apply, rectangle, signed_area
from visionset.vision.charuco import CharucoView

LEAST_VIEWS = 4
"""Views of the sheet, and slants among them; fewer leave focal length and distance in doubt."""

_MOST_ERROR_PX = 1.5
"""A fit that misses its points by more is of a bent sheet, another sheet or a blurred picture."""

_APART = 0.05
"""Share of the picture's width by which the sheet must have moved to be a new view; and by which far cards must look smaller than near
ones, else the focal length cannot be told."""

_SLANTED = 0.03
"""Share of the corners' spread that tells two slants apart, see `CharucoView.slanted_from`. Of a reckoned sheet of 125 by 200 mm at 700 mm,
seen with a focal length of 1,100 px: corners that are .3 px off make .006, five degrees from flat .008, six more at a slant of thirty
.03."""

_MOST_NAMED = 3
"""Pictures that a message names; a line has no room for more."""

LEAST_CARDS = 6
"""Cards for a fit without a sheet."""

_MOST_CARD_ERROR = 0.04
"""The same as `_MOST_ERROR_PX` for cards, in shares of a card's length: the reader's corners are off by 1 % or so."""


@dataclass(frozen=True, slots=True, eq=False)
class LensFit:
    """Lens, the plane of the table, and how far off the points are."""

    lens: Lens
    image_from_table: Floats
    """From table millimetres to the straight picture. Shape (3, 3)."""
    error_px: float
    """Root mean square."""
    card_mm: tuple[float, float] = Deck().card_mm
    """Width and height of the cards, as given or learned; of no meaning for a sheet."""


def is_new_view(view: CharucoView, others: Sequence[CharucoView], width_px: int) -> bool:
    """True when the sheet lies elsewhere than in all other views."""
    return all(view.moved_px(other) > _APART * width_px for other in others)


def lens_from_sheets(views: Sequence[CharucoView], size_px: tuple[int, int], names: Sequence[str] = ()) -> LensFit:
    """Fit the lens to views of the sheet held at different slants; in the last one it lies flat on the table.

    The names are those of the views' pictures, for messages. Raises `CalibrationError`: too few views, too few slants, which tell no
    focal length, or they do not fit together.
    """
    if len(views) < LEAST_VIEWS:
        raise CalibrationError(
            f"expected {LEAST_VIEWS} views of the sheet or more, got {len(views)}; hold it at different slants in good light"
        )
    _check_slants(views, names)
    on_sheet = [np.column_stack([view.corners_mm, np.zeros(len(view.ids))]).astype(np.float32) for view in views]
    in_image = [view.corners_px.astype(np.float32) for view in views]
    try:
        error_px, matrix, bent, turns, shifts = cv2.calibrateCamera(on_sheet, in_image, size_px, None, None, flags=cv2.CALIB_FIX_K3)
    except cv2.error:
        error_px, matrix = float("inf"), np.zeros((3, 3))
    if not error_px <= _MOST_ERROR_PX:
        raise CalibrationError(
            f"expected the sheet's corners within {_MOST_ERROR_PX} px, got {error_px:.1f} px; glue it to something flat, "
            "print it at 100 %, hold it still, and start again"
        )
    k1, k2, p1, p2, k3 = (float(value) for value in np.ravel(bent)[:5])
    lens = Lens((float(matrix[0, 0]), float(matrix[1, 1])), (float(matrix[0, 2]), float(matrix[1, 2])), (k1, k2, p1, p2, k3))
    turn, _ = cv2.Rodrigues(turns[-1])
    plane = lens.matrix @ np.column_stack([turn[:, 0], turn[:, 1], np.ravel(shifts[-1])])
    return LensFit(lens, np.asarray(plane / plane[2, 2], np.float64), float(error_px))


def slants(views: Sequence[CharucoView]) -> list[int]:
    """Which views show the sheet at a slant that none before them shows."""
    found: list[int] = []
    for at, view in enumerate(views):
        if all(view.slanted_from(views[other]) > _SLANTED for other in found):
            found.append(at)
    return found


def _check_slants(views: Sequence[CharucoView], names: Sequence[str]) -> None:
    new = slants(views)
    same = [at for at in range(len(views)) if at not in new]
    if len(new) < LEAST_VIEWS:
        named = [names[at] for at in same[:_MOST_NAMED]] if names else []
        rest = f" and {len(same) - len(named)} more" if len(same) > len(named) else ""
        told = f", nothing new in {', '.join(named)}{rest}" if named else ""
        raise CalibrationError(
            f"expected views of the sheet at {LEAST_VIEWS} slants or more, got {len(new)} in {len(views)} views{told}; "
            "tilt it another way each time, to the left, to the right, to you and away from you"
        )


def lens_from_cards(outlines_px: Floats, size_px: tuple[int, int], card_mm: tuple[float, float] | None = CARD_MM) -> LensFit:
    """Fit focal length and table plane to cards that lie flat on the table, looked at from a slant.

    The lens is taken to be straight, square and centred: cards say too little about the rest. Their corners, shape (n, 4, 2), each begin at
    a short side as the reader gives them, in one picture or in several of a camera that did not move. Without `card_mm` the width is
    learned from the cards, the height being 87 mm. Raises `CalibrationError`: too few cards, no slant, or they do not fit together.
    """
    if len(outlines_px) < LEAST_CARDS:
        raise CalibrationError(f"expected {LEAST_CARDS} cards or more, got {len(outlines_px)}; spread them over the whole table")
    quads = np.asarray(outlines_px, np.float64)
    sides = np.array([np.sqrt(abs(signed_area(quad))) for quad in quads])
    if np.ptp(sides) < _APART * sides.mean():
        raise CalibrationError("expected far cards to look smaller than near ones, got all alike; tilt the camera, or use the sheet")
    width_px = size_px[0]
    learns = card_mm is None
    width_mm, height_mm = card_mm or CARD_MM

    def residuals(values: Floats) -> Floats:
        wide = values[4] * height_mm if learns else width_mm
        return _misfit(quads, _table_from_image(values, size_px), (wide, height_mm)).ravel() / height_mm

    # focal length of a picture's width, a slant of a third of a right angle; the distance follows from the cards' size
    guess = [0.0, 0.0, -np.pi / 6, 0.0] + ([width_mm / height_mm] if learns else [])
    _, seen_mm = measured_card_mm(_on_table(quads, _table_from_image(np.array(guess), size_px)))
    guess[3] = float(np.log(height_mm / seen_mm))
    best = least_squares(residuals, guess, loss="soft_l1", f_scale=_MOST_CARD_ERROR, x_scale="jac")
    error = float(np.sqrt(2 * np.median(best.fun**2)))
    if not error < _MOST_CARD_ERROR:
        raise CalibrationError(
            f"expected cards of one size on a flat table, got corners {100 * error:.0f} % of a card off; flatten them, or use the sheet"
        )
    table_from_image = _table_from_image(best.x, size_px)
    focal_px = float(np.exp(best.x[0])) * width_px
    lens = Lens((focal_px, focal_px), ((width_px - 1) / 2, (size_px[1] - 1) / 2))
    image_from_table = np.linalg.inv(table_from_image)
    wide = float(best.x[4]) * height_mm if learns else width_mm
    error_px = error * float(np.median(sides)) * float(np.sqrt(height_mm / wide))  # a share of a card's length in pixels
    return LensFit(lens, np.asarray(image_from_table / image_from_table[2, 2], np.float64), error_px, (wide, height_mm))


def measured_card_mm(outlines_mm: Floats) -> tuple[float, float]:
    """Width and height of cards, shape (n, 4, 2), each beginning at a short side, whose corners on the table are known: medians."""
    sides = np.linalg.norm(outlines_mm - np.roll(outlines_mm, -1, axis=1), axis=2)
    return float(np.median(sides[:, [0, 2]])), float(np.median(sides[:, [1, 3]]))


def _table_from_image(values: Floats, size_px: tuple[int, int]) -> Floats:
    """Back from the picture to a plane: log focal length in widths, two slants in radians, log distance."""
    focal = np.exp(values[0]) * size_px[0]
    turn, _ = cv2.Rodrigues(np.array([values[2], values[1], 0.0]))
    plane = np.column_stack([turn[:, 0], turn[:, 1], [0.0, 0.0, np.exp(values[3])]])
    matrix = np.array([[focal, 0, (size_px[0] - 1) / 2], [0, focal, (size_px[1] - 1) / 2], [0, 0, 1]])
    return np.asarray(np.linalg.inv(matrix @ plane), np.float64)


def _on_table(quads: Floats, table_from_image: Floats) -> Floats:
    return apply(table_from_image, quads.reshape(-1, 2)).reshape(-1, 4, 2)


def _misfit(quads: Floats, table_from_image: Floats, card_mm: tuple[float, float]) -> Floats:
    """How far the corners are from those of the best laid rectangle, shape (n, 4, 2), in millimetres."""
    points = _on_table(quads, table_from_image)
    width, height = card_mm
    card = rectangle(-width / 2, -height / 2, width / 2, height / 2)
    off = points - points.mean(axis=1, keepdims=True)
    seen, wanted = off[..., 0] + 1j * off[..., 1], card[:, 0] + 1j * card[:, 1]
    turn = (seen * np.conj(wanted)).sum(axis=1, keepdims=True)
    laid = wanted * turn / np.maximum(np.abs(turn), 1e-12)
    return np.stack([(seen - laid).real, (seen - laid).imag], axis=2)
