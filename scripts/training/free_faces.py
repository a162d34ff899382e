"""Card faces of free decks as rendering input: pictures from a folder, one a card, named like ``QH.png``.

They never enter the package or the samples; the README beside this file says where they come from and their licences.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from visionset.pieces import PlayingCard, Rank, Suit
from visionset.render.faces import Face, Sheet
from visionset.render.playing_cards import IndexBox

DECK = tuple(PlayingCard(rank, suit) for suit in Suit for rank in Rank)
WIDTH_MM, CORNER_MM = 63.0, 3.4
BOXES = "boxes.json"
SEARCHED = (0.024, 0.02, 0.15, 0.27)
"""Left, top, right and bottom of the corner where the index is looked for, as shares of the card."""
INKED = 90
"""A pixel whose darkest channel is this far below white is ink."""


@dataclass(frozen=True, slots=True, eq=False)
class FreeFace:
    """A loaded face and its upper left and lower right index, as `index_boxes_mm` gives them; none if unknown."""

    card: PlayingCard
    face: Face
    boxes: tuple[IndexBox, ...]


def _on_white(picture: np.ndarray) -> np.ndarray:
    if picture.shape[2] == 3:
        return picture
    share = picture[..., 3:].astype(np.float32) / 255
    return np.round(picture[..., :3] * share + 255 * (1 - share)).astype(np.uint8)


def measured_box(picture_bgr: np.ndarray, suit_bottom: float, right: float) -> list[float]:
    """Tight box round the upper left index: centre x, centre y, width, height as shares of the card's size."""
    height, width = picture_bgr.shape[:2]
    x0, y0, x1, y1 = (round(share * side) for share, side in zip((*SEARCHED[:2], right, suit_bottom), (width, height) * 2, strict=True))
    rows, columns = np.nonzero(255 - picture_bgr[y0:y1, x0:x1].min(axis=2).astype(int) > INKED)
    left, top = columns.min() + x0, rows.min() + y0
    w, h = np.ptp(columns) + 1, np.ptp(rows) + 1
    return [round(float(v), 4) for v in ((left + w / 2) / width, (top + h / 2) / height, w / width, h / height)]


def measure(folder: Path, right: float = SEARCHED[2]) -> None:
    """Write the index boxes of a deck's pictures beside them.

    Twos have nothing but the index on their left: where it ends there, it ends on the other cards of the suit.
    """
    boxes = {}
    for suit in Suit:
        two = _on_white(cv2.imread(str(folder / f"2{suit.value}.png"), cv2.IMREAD_UNCHANGED))
        _, center_y, _, height = measured_box(two, SEARCHED[3], right)
        for card in DECK:
            if card.suit is suit:
                picture = _on_white(cv2.imread(str(folder / f"{card}.png"), cv2.IMREAD_UNCHANGED))
                boxes[str(card)] = measured_box(picture, center_y + height / 2 + 0.004, right)
    (folder / BOXES).write_text(json.dumps({"index_boxes": boxes}, indent=1))


def load_deck(folder: Path, px_mm: float = 8) -> tuple[FreeFace, ...]:
    """Fifty-two faces of one deck.

    Parameters
    ----------
    folder : Path
        Holds ``AC.png`` to ``KS.png`` and, if measured, ``boxes.json``.
    px_mm : float
        Resolution of the faces.
    """
    known = json.loads((folder / BOXES).read_text())["index_boxes"] if (folder / BOXES).exists() else {}
    faces = []
    for card in DECK:
        picture = _on_white(cv2.imread(str(folder / f"{card}.png"), cv2.IMREAD_UNCHANGED))
        size_mm = (WIDTH_MM, WIDTH_MM * picture.shape[0] / picture.shape[1])
        sheet = Sheet(size_mm, px_mm, (255, 255, 255))
        sheet.picture[:] = cv2.resize(picture, sheet.picture.shape[1::-1], interpolation=cv2.INTER_AREA)
        boxes: tuple[IndexBox, ...] = ()
        if str(card) in known:
            x, y, width, height = known[str(card)]
            x, y, width, height = (x - 0.5) * size_mm[0], (y - 0.5) * size_mm[1], width * size_mm[0], height * size_mm[1]
            boxes = ((x, y, width, height, False), (-x, -y, width, height, True))
        faces.append(FreeFace(card, sheet.face(CORNER_MM), boxes))
    return tuple(faces)
