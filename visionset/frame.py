"""Frame: one read-only picture with its place in the stream and its time."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

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
        image = self.image_bgr
        if image.ndim != 3 or image.shape[2] != 3 or image.dtype != np.uint8:
            raise ValueError(f"expected uint8 (height, width, 3), got {image.dtype} {image.shape}; convert it to BGR first")
        object.__setattr__(self, "image_bgr", read_only(self.image_bgr))

    @property
    def size_px(self) -> tuple[int, int]:
        """Width and height."""
        return self.image_bgr.shape[1], self.image_bgr.shape[0]
