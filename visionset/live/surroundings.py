"""Surroundings: what a frame and the motion before it say about places on the table."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from visionset.frame import Frame
from visionset.geometry import Quad
from visionset.live.gate import Gate, Mask
from visionset.live.ground import Ground, GroundOptions, alike, alike_within, around, fill, foreign, is_bare, portrait
from visionset.live.tracks import Track


class Surroundings:
    """One settled look at the table, asked about places.

    Parameters
    ----------
    frame : Frame
        The frame that the gate looked at last.
    gate : Gate
        What moved.
    ground : Ground or None
        The table when it was settled before; None the first time.
    pieces : sequence of Quad
        Outlines of all that lay there and of all that was read now.
    since_s : float
        When the readings of now began.
    patient : bool
        A new piece next to something that does not belong there may still be in a hand: wait for it.
    options : GroundOptions
        Numbers.
    """

    def __init__(
        self,
        frame: Frame,
        gate: Gate,
        ground: Ground | None,
        pieces: Sequence[Quad],
        since_s: float,
        patient: bool,
        options: GroundOptions,
    ) -> None:
        self.time_s = frame.time_s
        self.size_px = frame.size_px
        self.ground = Ground.of(frame.image_bgr, gate, options)
        self._gate = gate
        self._before = ground
        self._since_s = since_s
        self._patient = patient
        self._options = options
        self._taken: Mask = fill(pieces, gate.scale, gate.flat.shape, options.margin_px)
        self._foreign: dict[Ground, Mask] = {}
        self._grey = np.asarray(cv2.cvtColor(frame.image_bgr, cv2.COLOR_BGR2GRAY), np.uint8)

    def touched(self, track: Track) -> bool:
        """Something moved there since the piece was last seen."""
        return self._moved_s(track.outline_px) > track.settled_s

    def busy(self, outline_px: Quad) -> bool:
        """Something moved there while it was read."""
        return self._moved_s(outline_px) >= self._since_s

    def covered(self, track: Track) -> bool:
        """Something that is no piece lies or hovers there, as it did not when the piece was last seen."""
        inside = fill([track.outline_px], self._gate.scale, self._gate.flat.shape)
        bare = is_bare(self.ground, inside, self._taken, self._gate.options, self._options)
        return self._ring_changed(track.outline_px, track.ground, self._options.share if bare else self._options.little)

    def held(self, outline_px: Quad) -> bool:
        """Something new there is perhaps still in a hand."""
        return self._patient and self._before is not None and self._ring_changed(outline_px, self._before, self._options.share)

    def shows_through(self, track: Track, places: Sequence[Quad]) -> bool:
        """What other pieces leave of its place looks as it did."""
        scale, shape = self._gate.scale, self._gate.flat.shape
        mine = fill([track.outline_px], scale, shape)
        others = fill(places, scale, shape, self._options.margin_px // 2) & mine
        rest = mine - others
        if not others.any() or rest.sum() < self._options.least_px:
            return False
        changed = foreign(self.ground, track.ground, fill([track.outline_px, *places], scale, shape), self._gate.options, self._options)
        return float(changed[rest > 0].mean()) < self._options.same

    def inside(self, outline_px: Quad) -> bool:
        """Its middle lies in the picture, and so does most of it."""
        width, height = self.size_px
        clipped = np.clip(outline_px, 0, (width - 1, height - 1))
        whole, seen = (cv2.contourArea(quad.astype(np.float32)) for quad in (outline_px, clipped))
        return bool(seen > self._options.inside * whole)

    def portrait(self, outline_px: Quad) -> NDArray[np.float32]:
        """How it looks now."""
        return portrait(self._grey, outline_px)

    def alike(self, track: Track) -> float:
        """How much its place looks as before, -1 to 1."""
        return alike(self.portrait(track.outline_px), track.portrait)

    def bears_the_same(self, track: Track) -> float:
        """How much the marks within its outline are those of before, -1 to 1."""
        return alike_within(self.portrait(track.outline_px), track.portrait)

    def _moved_s(self, outline_px: Quad) -> float:
        inside = fill([outline_px], self._gate.scale, self._gate.flat.shape, 1) > 0
        return float(self._gate.last_moved_s[inside].max(initial=-np.inf))

    def _ring_changed(self, outline_px: Quad, then: Ground, share: float) -> bool:
        ring = around(outline_px, self._taken, self._gate.scale, self._options) > 0
        if ring.sum() < self._options.least_px:
            return False
        if then not in self._foreign:  # many pieces were last seen at the same moment
            self._foreign[then] = foreign(self.ground, then, self._taken, self._gate.options, self._options)
        return float(self._foreign[then][ring].mean()) > share
