"""The truth about a planned table: names, corners, cells, and how much of each piece is seen. No renderer is needed for it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from visionset.geometry import Floats, Quad, apply
from visionset.pieces import Kind, Piece
from visionset.render.camera import Viewpoint
from visionset.render.dice import top_quad
from visionset.render.layouts import Cell
from visionset.render.pixels import SUBPIXEL_BITS, Field, fixed, window_around
from visionset.render.stage import COVER, FINER, NOBODY
from visionset.render.table_plan import DICE, TablePlan

_SEEN = 0.6  # a piece of which less is seen need not be read
GONE = 0.02  # of which less is seen is not worth a name
_INDEX_SEEN = 0.95  # a playing card is to be read while at least this share of one corner index shows


@dataclass(frozen=True, slots=True, eq=False)
class TruePiece:
    """One piece of the truth."""

    kind: Kind
    piece: Piece | None  # none for a back
    outline_px: Quad  # the card from its own top left, or the top face of a die, clockwise; float64, shape (4, 2)
    visible: float  # share of it that is in the picture and under nothing else, 0 to 1
    readable: bool  # enough of it is seen to name it
    seen_at_px: Floats  # middle of what can be seen of it; the outline's where nothing can; float64, shape (2,)
    cell: Cell | None = None  # row and column in the crossword

    def entry(self) -> dict[str, Any]:
        """As it is written in a truth file."""
        corners = [[round(float(x), 1), round(float(y), 1)] for x, y in self.outline_px]
        name, cell = None if self.piece is None else str(self.piece), None if self.cell is None else list(self.cell)
        entry = {"kind": self.kind.value, "name": name, "corners": corners, "visible": round(self.visible, 2)}
        return entry | ({"cell": cell} if self.kind in DICE else {})


def true_pieces(plan: TablePlan, cover: Field | None = None) -> tuple[TruePiece, ...]:
    """Everything that lies there, cards first, in the order of the plan; `cover` (0 to 1 per pixel) is over all of it."""
    owner, die_at = owners(plan, cover), len(plan.flats)
    lying: list[tuple[int, Kind | None, Piece | None, Quad, Cell | None]]
    lying = [(number, laid.flat.kind, laid.flat.piece, plan.flat_quad(number), None) for number, laid in enumerate(plan.flats)]
    dice = [(one.piece.kind if one.piece else None, one.piece, top_quad(plan.view, one), one.cell) for one in plan.dice]
    lying += [(die_at + at, *one) for at, one in enumerate(dice)]
    pieces = []
    for number, kind, piece, quad, cell in lying:
        if kind is not None:
            share, middle = _seen_part(owner, number, quad)
            indices = [index.readable for index in true_indices(plan, owner, number)] if number < die_at else []
            pieces.append(TruePiece(kind, piece, quad, share, any(indices) if indices else share >= _SEEN, middle, cell))
    return tuple(pieces)


def true_indices(plan: TablePlan, owner: NDArray[np.int32], number: int, margin_mm: float = 0.0) -> Iterator[TruePiece]:
    """The corner indices of one playing card, each with its card, `margin_mm` wider than their ink on each side."""
    laid = plan.flats[number]
    image_from_face = laid.pose.image_from_face(plan.view)
    for index in laid.flat.indices_mm:
        wider = index + margin_mm * np.sign(index - index.mean(axis=0))
        quad = apply(image_from_face, wider)
        share, middle = _seen_part(owner, number, quad)
        yield TruePiece(Kind.PLAYING_CARD, laid.flat.piece, quad, share, share >= _INDEX_SEEN, middle)


def truth_entry(pieces: Iterable[TruePiece], note: str) -> dict[str, Any]:
    """One photo of a truth file in the form of `visionset score`, with every piece and its corners besides."""
    pieces = tuple(pieces)
    named = [piece for piece in pieces if piece.piece is not None]
    entry: dict[str, Any] = {
        "pieces": [str(piece.piece) for piece in named if piece.readable],
        "optional": [str(piece.piece) for piece in named if not piece.readable and piece.visible >= GONE],
    }
    for name, are_dice in (("dice", True), ("cards", False)):
        if entries := [piece.entry() for piece in pieces if (piece.kind in DICE) is are_dice]:
            entry[name] = entries
    return entry | {"note": note}


def truth_kind(kinds: Iterable[Kind]) -> str:
    """What a truth file says about its pieces: their kind, or ``any``; backs have no name and do not count."""
    named = {kind.value for kind in kinds if kind is not Kind.CARD_BACK}
    return named.pop() if len(named) == 1 else "any"


def _seen_part(owner: NDArray[np.int32], number: int, quad: Quad) -> tuple[float, Floats]:
    """Share of a quad's area that belongs to `number` among fine `owners`, and the middle of that part in the picture, shape (2,)."""
    fine = FINER * (quad + 0.5) - 0.5
    window = window_around(fine, 1.0, owner.shape[::-1])
    area = float(cv2.contourArea(np.asarray(fine, np.float32)))
    if window is None or area < 1:
        return 0.0, quad.mean(axis=0)
    left, top, right, bottom = window
    inside = np.zeros((bottom - top, right - left), np.int32)
    _fill(inside, fine - [left, top], 1)
    rows, columns = np.nonzero((owner[top:bottom, left:right] == number) & (inside > 0))
    # the polygon's rim counts pixels that are less than half inside
    share = float(min(1.0, len(rows) / max(area, np.count_nonzero(inside) * 0.97)))
    middle = (np.array([left + columns.mean(), top + rows.mean()]) + 0.5) / FINER - 0.5 if len(rows) else quad.mean(axis=0)
    return share, np.asarray(middle, np.float64)


def owners(plan: TablePlan, cover: Field | None = None) -> NDArray[np.int32]:
    """Number of the flat thing or, after all of these, of the die that each fine pixel shows."""
    fine = plan.view.finer(FINER)
    owner = np.full(fine.size_px[::-1], NOBODY, np.int32)
    for number in range(len(plan.flats)):
        _fill(owner, FINER * (plan.flat_quad(number) + 0.5) - 0.5, number)
    for at in far_to_near(plan.view, [one.corners_mm().mean(axis=0) for one in plan.dice]):
        seen = fine.see(plan.dice[at].corners_mm())[0]
        _fill(owner, cv2.convexHull(seen.astype(np.float32))[:, 0].astype(np.float64), len(plan.flats) + at)
    if cover is not None:
        owner[cv2.resize(cover, fine.size_px, interpolation=cv2.INTER_NEAREST) > 0.5] = COVER
    return owner


def far_to_near(view: Viewpoint, centers_mm: list[Floats]) -> list[int]:
    """Order in which things that stand on a table are painted."""
    return sorted(range(len(centers_mm)), key=lambda at: -np.linalg.norm(centers_mm[at] - view.eye_mm))


def _fill(owner: NDArray[np.int32], polygon: Floats, number: int) -> None:
    cv2.fillPoly(owner, [fixed(polygon)], number, cv2.LINE_8, SUBPIXEL_BITS)
