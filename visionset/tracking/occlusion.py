"""Surroundings: what a frame and the motion before it say about places on the table."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from visionset.frame import Frame
from visionset.geometry import Quad
from visionset.tracking.background import Ground, GroundOptions, alike, alike_within, fill, ink, marks_left, portrait, unlike
from visionset.tracking.motion import Gate, Mask
from visionset.tracking.observations import short_side_px
from visionset.tracking.tracks import Track
from visionset.tracking.visibility import Cover, CoverOptions


class Surroundings:
    """One settled look at the table, asked about places.

    Parameters
    ----------
    frame : Frame
        The frame that the gate looked at last.
    gate : Gate
        What moved.
    ground : Ground or None
        The table as it is remembered, without what came before it; None the first time.
    pieces : sequence of Quad
        Outlines of all that lay there and of all that was read now.
    since_s : float
        When the readings of now began.
    patient : bool
        A new piece next to something that does not belong there may still be in a hand: wait for it.
    options, cover : GroundOptions, CoverOptions
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
        cover: CoverOptions,
    ) -> None:
        self.time_s = frame.time_s
        self.size_px = frame.size_px
        self.ground = Ground.of(frame.image_bgr, options)
        self._gate = gate
        self._before = ground
        self._since_s = since_s
        self._patient = patient
        self._pieces, self._options, self._cover_options = pieces, options, cover
        self._missing: list[int] = []
        self._cover: Cover | None = None
        self._unlike: dict[int, Mask] = {}
        self._grey = np.asarray(cv2.cvtColor(frame.image_bgr, cv2.COLOR_BGR2GRAY), np.uint8)

    def touched(self, track: Track) -> bool:
        """Something moved there since the piece was last seen."""
        return self._moved_s(track.outline_px) > track.settled_s

    def busy(self, outline_px: Quad) -> bool:
        """Something moved there while it was read."""
        return self._moved_s(outline_px) >= self._since_s

    def look_for(self, missing: Sequence[Track], changed: Sequence[Quad]) -> None:
        """Say which pieces were not read, and what came, left or moved otherwise."""
        self._missing = [track.number for track in missing]
        outlines = [track.outline_px for track in missing]
        self._cover = Cover(self.ground, outlines, changed, self._pieces, self._changed, self._options, self._cover_options)

    def covered(self, track: Track) -> bool:
        """Something that is no piece lies or hovers over one of those that are missing."""
        assert self._cover is not None
        marks = marks_left(self.portrait(track.outline_px), track.portrait)
        return self._cover.hides(self._missing.index(track.number), track.ground, self._before, marks)

    def held(self, outline_px: Quad) -> bool:
        """Something new there is perhaps still in a hand."""
        if not self._patient or self._before is None:
            return False
        scale, shape = self.ground.scale, self.ground.logs.shape
        width = self._options.margin_px + max(3, round(self._options.ring * short_side_px(outline_px * scale)))
        strip = fill([outline_px], scale, shape, width) > fill(self._pieces, scale, shape, self._options.margin_px)
        return strip.sum() >= self._options.least_px and float(self._changed(self._before)[strip].mean()) > self._options.share

    def lies_under(self, track: Track, places: Sequence[Quad]) -> bool:
        """Other pieces lie on one of those that are missing, and the rest of it looks as it did."""
        assert self._cover is not None
        return self._cover.lies_under(self._missing.index(track.number), track.ground, self._before, places)

    def remembered(self, hidden: Sequence[Quad]) -> Ground:
        """The table from now on: as it looks, but not what hides pieces, and not what came lately and may go again."""
        if self._before is None:
            return self.ground
        scale, shape = self.ground.scale, self.ground.logs.shape
        moved_s = cv2.resize(self._gate.last_moved_s, shape[1::-1], interpolation=cv2.INTER_NEAREST)
        _, blobs = cv2.connectedComponents(cv2.dilate(self._changed(self._before), _NEARBY))
        lately = np.unique(blobs[moved_s > self.time_s - self._options.rest_s])
        came = np.isin(blobs, lately[lately > 0]).view(np.uint8) | fill(hidden, scale, shape)
        return self.ground.with_older(came, self._before) if came.any() else self.ground

    def reaches_in(self) -> bool:
        """Something that was not there lately reaches in over the edge of the picture: an arm that rests."""
        if self._before is None:
            return False
        thick = np.ones((self._cover_options.thick_px,) * 2, np.uint8)
        foreign = cv2.morphologyEx(self._changed(self._before), cv2.MORPH_OPEN, thick)
        count, blobs, stats, _ = cv2.connectedComponentsWithStats(foreign)
        rim = np.concatenate([blobs[0], blobs[-1], blobs[:, 0], blobs[:, -1]])
        least_px = self._options.arm * foreign.size
        return any(stats[blob, cv2.CC_STAT_AREA] >= least_px for blob in np.unique(rim) if 0 < blob < count)

    def _changed(self, then: Ground) -> Mask:
        if id(then) not in self._unlike:  # many pieces were last seen at the same moment
            self._unlike[id(then)] = unlike(self.ground, then, self._options)
        return self._unlike[id(then)]

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
        """How much its place looks as before, -1 to 1; -1 where most of it has another brightness or colour."""
        inside = fill([track.outline_px], self.ground.scale, self.ground.logs.shape) > 0
        if inside.any() and float(self._changed(track.ground)[inside].mean()) > self._options.same:
            return -1.0
        return alike(self.portrait(track.outline_px), track.portrait)

    def bears_the_same(self, track: Track) -> float:
        """How much the marks within its outline are those of before, -1 to 1; -1 where they are of another colour."""
        inside = fill([track.outline_px], self.ground.scale, self.ground.logs.shape) > 0
        hues = [ink(picture[inside]) for picture in (self.ground.logs, track.ground.now()[0]) if inside.any()]
        if len(hues) == 2 and float(np.abs(hues[0] - hues[1]).max()) > self._options.hue:
            return -1.0
        return alike_within(self.portrait(track.outline_px), track.portrait)

    def _moved_s(self, outline_px: Quad) -> float:
        inside = fill([outline_px], self._gate.scale, self._gate.flat.shape, 1) > 0
        return float(self._gate.last_moved_s[inside].max(initial=-np.inf))


_NEARBY = np.ones((13, 13), np.uint8)
"""Small pixels around what looks unlike before that may belong to it: its soft shadow, what of it happens to look like the table."""
