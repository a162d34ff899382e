"""Exhibits in the window: pieces as the camera saw them last, while people doubt or dispute their reading."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from visionset.overlay.drawing import DARK, WHITE, Box, Drawing, Tag
from visionset.referee.terms import Exhibit
from visionset.session.snapshot import PieceCrops

_HEIGHT = 0.24
"""Height of a shown piece in shares of the picture's: its attributes are seen from two metres."""

_GAP = 0.1
"""Space between two of them in shares of their height."""


def lay_over(crops: PieceCrops, exhibits: Sequence[Exhibit], picture_bgr: NDArray[np.uint8]) -> Drawing:
    """Lay the pieces in a row over the top left of a picture, which is changed; their numbers are to be drawn over it."""
    height, width = picture_bgr.shape[:2]
    high = round(_HEIGHT * height)
    left = top = round(_GAP * high)
    tags = []
    for number, one in enumerate(exhibits, 1):
        kept = crops.of(one.track)
        if kept is None:
            continue
        wide = round(high * kept.shape[1] / kept.shape[0])
        if left + wide > width or top + high > height:
            break
        picture_bgr[top : top + high, left : left + wide] = cv2.resize(kept, (wide, high), interpolation=cv2.INTER_LINEAR)
        size = 0.16 * high
        if len(exhibits) > 1:  # numbered as the answers are
            tags.append(Tag(Box(left, top, 1.6 * size, 1.6 * size), (str(number),), size, WHITE, DARK, 1.0, bold=True))
        left += wide + round(_GAP * high)
    return Drawing((width, height), tuple(tags))
