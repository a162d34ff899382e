"""What to do with the printed sheet before a camera, view by view, until it lies on the table."""

from __future__ import annotations

from visionset.vision.camera_calibration import LEAST_VIEWS, is_new_view, slants
from visionset.vision.charuco import CharucoView

_VIEWS = 10
"""Views of the sheet for a good fit; more change the third digit."""

_HELD_PX = 2.5
"""A hand holds the sheet still when its corners move by less than these pixels from frame to frame: more blurs them."""

_STILL_FRAMES, _STILL_PX = 8, 1.0
"""The sheet lies still when its corners move by less than `_STILL_PX` for `_STILL_FRAMES` frames: no hand holds it like that."""


class SheetGuide:
    """Collects views of the sheet in pictures of this width, and says what to do next."""

    def __init__(self, width_px: int) -> None:
        self.views: list[CharucoView] = []
        self.done = False
        self._width_px = width_px
        self._last: CharucoView | None = None
        self._still = 0

    def see(self, view: CharucoView | None) -> str:
        """Take one frame's view, None where the sheet is not seen; returns what to do now."""
        if view is None:
            self._last, self._still = None, 0
            return "no sheet in sight: hold it into the picture, in good light and without glare"
        moved_px = float("inf") if self._last is None else view.moved_px(self._last)
        self._still = self._still + 1 if moved_px < _STILL_PX else 0
        self._last = view
        if len(self.views) < _VIEWS:
            # a view counts when the hand has stopped for a moment: blur shifts corners
            if moved_px < _HELD_PX and is_new_view(view, self.views, self._width_px) and self._has_room(view):
                self.views.append(view)
            how = "tilt it another way" if self._has_room(None) else "tilt it more, another way each time"
            return f"{len(self.views)} of {_VIEWS} views: {how}, move it to another corner, hold it still for a moment"
        if self._still < _STILL_FRAMES:
            return "now lay it flat on the table, in the middle, and take your hands away"
        self.views.append(view)
        self.done = True
        return "done"

    def _has_room(self, view: CharucoView | None) -> bool:
        """Whether enough slants for a lens can be seen yet once this view is taken, or, without one, one whose slant is known already."""
        views = self.views if view is None else [*self.views, view]
        left = _VIEWS - len(self.views) - 1
        return len(slants(views)) + left >= LEAST_VIEWS
