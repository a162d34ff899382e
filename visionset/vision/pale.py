"""Pale pictures: how much colour the inks of a table have lost, and the same picture with it.

A cheap camera in poor light, a washed-out screen and a faded film mix each colour with the gray that is as bright, so that red looks
purple. Among several pieces one ink at least is colourful; what it lacks, all colours of the picture lack.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from visionset.geometry import Floats
from visionset.kinds import BY_INK
from visionset.pieces import Kind
from visionset.table import Sighting
from visionset.vision.judging import SURE, outlines
from visionset.vision.patches import sampled

_FEWEST = 8
"""Fewer SET cards or dice may all be of a dull ink, such as dark purple, or too thinly printed to tell."""

_PALE, _USUAL = 0.6, 0.8
"""Where no ink is as colourful as `_PALE`, the most colourful one is made `_USUAL`: in usual light hardly a rendered table is so pale."""

_MOST = 8.0
"""Colours are made stronger by no more than this factor: what is weaker than that may be noise."""

_GRAY = np.array([0.114, 0.587, 0.299], np.float32)
"""Share of blue, green and red in the brightness that stays where colour fades (Rec. ITU-R BT.601)."""

_SYMBOL = np.ones((9, 9), np.uint8)
"""A closing with this leaves the paper where a symbol was, in pixels that are asked: light and shadow stay."""

_DARKEST_PAPER = 8.0
"""Paper is never taken to be darker than this (of 255)."""

_FAINTEST = 0.1
"""Share of the light that ink keeps back at least, to count."""


def with_full_colours(image_bgr: NDArray[np.uint8], sightings: Sequence[Sighting]) -> NDArray[np.uint8] | None:
    """The picture with colours as strong as usual, given what was seen in it; None where they are that already, or nobody knows."""
    inked = [one for one in sightings if one.kind in BY_INK]
    if inked:
        return _stronger(image_bgr, outlines(inked), 0.0) if len(inked) >= _FEWEST else None
    suits = [one for one in sightings if one.kind is Kind.PLAYING_CARD]
    if all(one.confidence >= SURE for one in suits):  # their shapes tell suits too
        return None
    return _stronger(image_bgr, outlines(suits), _USUAL / _MOST)  # all may be black


def _stronger(image_bgr: NDArray[np.uint8], pieces_px: Floats, least: float) -> NDArray[np.uint8] | None:
    """The picture with stronger colours where the most colourful of n inks, shape (n, 4, 2), is pale, and at least so colourful."""
    colourful, paper = _inks(image_bgr, pieces_px)
    strongest = float(colourful.max())
    if not least <= strongest < _PALE:
        return None
    factor = min(_USUAL / max(strongest, 1e-9), _MOST)
    stronger = factor * np.eye(3) + (1 - factor) * _GRAY
    return np.asarray(cv2.transform(image_bgr, paper[:, None] * stronger / paper), np.uint8)


def _inks(image_bgr: NDArray[np.uint8], pieces_px: Floats) -> tuple[Floats, Floats]:
    """How colourful the fullest ink of n pieces is, 0 for gray, shape (n,), and the usual colour of their paper, shape (3,).

    The distance of its colour from the gray that is as bright, relative to how much darker than the paper it is: a line that is
    thinner than a pixel has as much as a broad one.
    """
    seen = sampled(image_bgr, pieces_px)
    paper = np.stack([cv2.morphologyEx(one, cv2.MORPH_CLOSE, _SYMBOL) for one in seen])
    share = np.minimum(np.divide(seen, np.maximum(paper, _DARKEST_PAPER), dtype=np.float32), 1).reshape(len(seen), -1, 3)
    gray = share @ _GRAY
    at = gray.shape[1] // 50
    fullest = 1 - np.partition(gray, at, axis=1)[:, at, None]
    is_ink = (1 - gray >= fullest / 2) & (fullest > _FAINTEST)
    colour = np.einsum("np,npc->nc", is_ink, share - gray[..., None])
    amount = np.einsum("np,np->n", is_ink, 1 - gray)
    colourful = np.divide(np.linalg.norm(colour, axis=1), amount, out=np.zeros(len(seen)), where=amount > 0)
    return colourful, np.maximum(np.median(paper.reshape(-1, 3), axis=0), _DARKEST_PAPER)
