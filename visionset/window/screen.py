"""A window by OpenCV; only for the main thread."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from visionset.closable import Closable
from visionset.window.display import desktop_px, prepare_display

_MOST_PX = (1600, 960)
"""Width and height that a window opens with at most: it fits a full-HD screen with its bars. It can be pulled larger."""

_BARS_PX = (16, 96)
"""Width and height of the screen that frame, title and the system's own bars take."""

_ON_SCREEN_S = 0.02
"""Time that a new window gets to appear before it is resized: else, once in five starts, Qt goes on with 400 x 300 pixels of it."""


class OpenCvScreen(Closable):
    """A window that opens with the first picture, can be resized and keeps the picture's proportions."""

    def __init__(self, title: str = "visionset") -> None:
        self._title = title
        prepare_display()
        self._size_px = (0, 0)

    def show(self, image_bgr: NDArray[np.uint8]) -> None:
        """Show a picture; the window follows when its size changes."""
        height, width = image_bgr.shape[:2]
        if self._size_px == (0, 0):
            cv2.namedWindow(self._title, cv2.WINDOW_NORMAL | cv2.WINDOW_KEEPRATIO | cv2.WINDOW_GUI_NORMAL)
            cv2.imshow(self._title, image_bgr)
            self.key(_ON_SCREEN_S)
        if (width, height) != self._size_px:
            self._fit((width, height))
        cv2.imshow(self._title, image_bgr)

    def _fit(self, picture_px: tuple[int, int]) -> None:
        """Give the window its size, and move it where it would reach beyond the screen."""
        self._size_px, desktop = picture_px, desktop_px()
        size_px = opening_px(picture_px, desktop)
        if desktop is not None:
            left, top, *_ = cv2.getWindowImageRect(self._title)
            free = [max(0, whole - own - bars) for whole, own, bars in zip(desktop, size_px, _BARS_PX, strict=True)]
            if left > free[0] or top > free[1]:
                cv2.moveWindow(self._title, min(left, free[0]), min(top, free[1]))
        cv2.resizeWindow(self._title, *size_px)

    def key(self, wait_s: float) -> int:
        """Wait for a key and return its code; -1 for none."""
        return int(cv2.waitKeyEx(max(1, int(1000 * wait_s))))

    def is_open(self) -> bool:
        """False after the person closed the window."""
        if self._size_px == (0, 0):
            return True
        try:
            return cv2.getWindowProperty(self._title, cv2.WND_PROP_VISIBLE) >= 1
        except cv2.error:  # Qt forgets a closed window, and says so by an error
            return False

    def close(self) -> None:
        """Close the window."""
        cv2.destroyAllWindows()


def opening_px(picture_px: tuple[int, int], desktop_px: tuple[int, int] | None) -> tuple[int, int]:
    """Width and height that a window opens with: the picture's own, or smaller where the screen is."""
    most = _MOST_PX if desktop_px is None else [min(a, b - bars) for a, b, bars in zip(_MOST_PX, desktop_px, _BARS_PX, strict=True)]
    scale = min(1.0, most[0] / picture_px[0], most[1] / picture_px[1])
    return max(1, round(scale * picture_px[0])), max(1, round(scale * picture_px[1]))
