"""A window by OpenCV; only for the main thread."""

from __future__ import annotations

from types import TracebackType
from typing import Self

import cv2
import numpy as np
from numpy.typing import NDArray

from visionset.window.display import prepare_display
from visionset.window.zone_drag import Pull

_MOST_PX = (1600, 960)
"""Width and height that a window opens with at most: it fits a full-HD screen with its bars. It can be pulled larger."""


class OpenCvScreen:
    """A window that can be resized and keeps the picture's proportions.

    Parameters
    ----------
    title : str
        In the title bar.
    """

    def __init__(self, title: str = "visionset") -> None:
        self._title = title
        prepare_display()
        cv2.namedWindow(title, cv2.WINDOW_NORMAL | cv2.WINDOW_KEEPRATIO | cv2.WINDOW_GUI_NORMAL)
        self._size_px = (0, 0)
        self._click: tuple[float, float] | None = None
        self._pull: Pull | None = None
        cv2.setMouseCallback(title, self._mouse)

    def show(self, image_bgr: NDArray[np.uint8]) -> None:
        """Show a picture; the window follows when its size changes."""
        height, width = image_bgr.shape[:2]
        if (width, height) != self._size_px:
            self._size_px = width, height
            scale = min(1.0, _MOST_PX[0] / width, _MOST_PX[1] / height)
            cv2.resizeWindow(self._title, round(scale * width), round(scale * height))
        cv2.imshow(self._title, image_bgr)

    def key(self, wait_s: float) -> int:
        """Wait for a key and return its code; -1 for none."""
        return int(cv2.waitKeyEx(max(1, int(1000 * wait_s))))

    def click(self) -> tuple[float, float] | None:
        """Where in the picture somebody clicked since the last call; None for nowhere."""
        click, self._click = self._click, None
        return click

    def pull(self) -> Pull | None:
        """The mouse with its button down; told once more when the button was let go, None else."""
        pull = self._pull
        if pull is not None and pull.is_over:
            self._pull = None
        return pull

    def _mouse(self, event: int, x: int, y: int, flags: int, data: object) -> None:
        at = float(x), float(y)
        if event == cv2.EVENT_LBUTTONDOWN:
            self._click, self._pull = at, Pull(at, at)
        elif self._pull is not None and not self._pull.is_over and event in (cv2.EVENT_MOUSEMOVE, cv2.EVENT_LBUTTONUP):
            self._pull = Pull(self._pull.start, at, event == cv2.EVENT_LBUTTONUP)

    def is_open(self) -> bool:
        """False after the person closed the window."""
        return cv2.getWindowProperty(self._title, cv2.WND_PROP_VISIBLE) >= 1 or self._size_px == (0, 0)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        cv2.destroyAllWindows()
