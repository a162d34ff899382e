"""Frame: one read-only picture with its place in the stream and its time."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from visionset.errors import ArrayError
from visionset.geometry import read_only


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """One picture of a stream.

    Attributes
    ----------
    image_bgr : ndarray of uint8, shape (height, width, 3)
        Read-only; drawing works on a copy.
    index : int
        0 for the first frame of the source; frames that were dropped leave gaps.
    time_s : float
        Seconds since the source started.
    name : str
        File name of a photograph, else empty.
    """

    image_bgr: NDArray[np.uint8]
    index: int = 0
    time_s: float = 0.0
    name: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "image_bgr", read_only(checked(self.image_bgr)))

    @property
    def size_px(self) -> tuple[int, int]:
        """Width and height."""
        return self.image_bgr.shape[1], self.image_bgr.shape[0]


def checked(image_bgr: object) -> NDArray[np.uint8]:
    """Give a picture back if it is one. Raises `ArrayError`: it is no array of uint8 with the shape (height, width, 3)."""
    expected = "expected a picture as uint8 (height, width, 3) in the order blue, green, red"
    if image_bgr is None:
        raise ArrayError(f"{expected}, got None; cv2.imread gives that for a file that it cannot read: check its name")
    if not isinstance(image_bgr, np.ndarray):
        raise ArrayError(f"{expected}, got {type(image_bgr).__name__}; make an array of it, as cv2.imread does")
    if image_bgr.ndim != 3 or image_bgr.shape[2] != 3 or image_bgr.dtype != np.uint8 or image_bgr.size == 0:
        raise ArrayError(f"{expected}, got {image_bgr.dtype} {image_bgr.shape}; convert it first, as by cv2.cvtColor")
    return image_bgr
