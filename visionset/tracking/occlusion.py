"""Occlusion: whether a piece that is not read is hidden or gone, from what its place shows and what crosses its edge.

Whatever hides a piece without being cut to its shape reaches beyond it: around the place the table looks unlike before, and
what is there goes on within. A place whose surroundings are as they were is seen, and the piece is gone, whatever the ground
under it looks like. Longer than most modules: how places are compared is read with what is concluded from it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from visionset.geometry import AROUND, Floats, Frame, Quad, homography, short_side_px, square
from visionset.tracking.options import BackgroundOptions, TrackerOptions
from visionset.tracking.tracks import Background, Draft, Track
from visionset.tracking.view import CONTRAST, SOFT_PX, Mask, MotionDetector, evened

Looks = NDArray[np.float32]
"""Small pixels: log brightness and two log colour ratios each, shape (..., 3)."""


class Cover:
    """What hides places in one look at the table.

    Where pieces came, left or moved otherwise (`changed`), and where they are not read, the table is expected to look unlike before.
    """

    def __init__(self, around: Surroundings, missing: Sequence[Quad], changed: Sequence[Quad]) -> None:
        self._now, self._unlike = around.background, around.changed
        self._background, self._options = around.options.background, around.options.cover
        now, background, shape = self._now, self._background, self._now.logs.shape
        self._insides = [fill([one], now.scale, shape) > 0 for one in missing]
        self._missing = fill(missing, now.scale, shape, background.margin_px)
        self._aside = self._missing | fill(changed, now.scale, shape, background.margin_px)
        self._bare = fill(around.pieces, now.scale, shape, 1) == 0
        self._strips = [self._strip(one) for one in missing]
        self._relit: dict[int, Looks] = {}
        self._nearby = [fill([one], now.scale, shape, 3 * self._width_px(one)) > 0 for one in missing]

    def hides(self, number: int, then: Background, before: Background | None, marks: float) -> bool:
        """Whether something hides one of the missing pieces.

        What looks as it did when the piece was last seen (`then`), or as the table did without what came in front of it (`before`), is no
        cover; `marks` is the share of the marks on the piece that are still seen in their place.
        """
        options = self._options
        foreign = self._foreign(then, before)
        blobs = cv2.connectedComponents(foreign | self._missing)[1]
        mine = np.unique(blobs[self._insides[number] & (blobs > 0)])
        cover = np.isin(blobs, mine) & (foreign > 0) & (self._aside == 0)
        table = self._table(number, foreign)
        together = [at for at, one in enumerate(self._insides) if np.isin(blobs[one], mine).any()]
        crossed = max((self._crossed(at, cover) for at in together), default=0.0)
        if crossed < options.few:
            return False
        if marks >= options.partly:
            return True
        close = cover & self._nearby[number]
        covers = self._looks(close if close.any() else cover)
        if self._shows(then, self._insides[number], table, covers):
            return True
        bare = float((self._apart(self._looks(self._insides[number]), table) < 1).mean())
        return bare < options.mostly or not self._is_table(then, cover, table)

    def lies_under(self, number: int, then: Background, before: Background | None, places: Sequence[Quad]) -> bool:
        """Whether other pieces lie on a missing one, and the rest of it still shows."""
        inside = self._insides[number]
        under = inside & (fill(places, self._now.scale, inside.shape, 1) > 0)
        rest = inside & ~under
        if under.sum() < self._options.few * inside.sum() or rest.sum() < self._background.least_px:
            return False
        return self._shows(then, rest, self._table(number, self._foreign(then, before)), np.empty((0, 3), np.float32))

    def _foreign(self, then: Background, before: Background | None) -> Mask:
        foreign = self._unlike(then)
        if before is not None and before is not then:
            foreign = foreign & self._unlike(before)
        return np.asarray(foreign, np.uint8)

    def _is_table(self, then: Background, cover: NDArray[np.bool_], table: Looks) -> bool:
        """What crosses edges is table that shows again: what lay there, or cast a shadow, has gone."""
        crossing = cover & np.logical_or.reduce(self._strips)
        shown, was = self._looks(crossing), self._looks(crossing, self._before(then))
        revealed = (self._apart(shown, table) < 1) & (self._apart(was, table) >= 1)
        return bool(revealed.mean() >= self._options.mostly)

    def _before(self, then: Background) -> Looks:
        """What an earlier moment looks like in the light of now."""
        if id(then) not in self._relit:
            old, known = then.now()
            self._relit[id(then)] = np.asarray(old + lights(self._now.logs - old, known > 0, self._background), np.float32)
        return self._relit[id(then)]

    def _table(self, number: int, foreign: Mask) -> Looks:
        """What the table looks like around a place."""
        return self._looks(self._strips[number] & self._bare & (cv2.dilate(foreign, np.ones((5, 5), np.uint8)) == 0))

    def _width_px(self, outline_px: Quad) -> int:
        sides = np.linalg.norm((outline_px - np.roll(outline_px, 1, axis=0)) * self._now.scale, axis=1)
        return max(3, round(self._background.ring * float(sides.min())))

    def _strip(self, outline_px: Quad) -> NDArray[np.bool_]:
        """The table around a place; where other pieces are too close, a wider strip."""
        bare, width = self._aside == 0, self._width_px(outline_px)
        strip = np.zeros(bare.shape, bool)
        for wider in (1, 2, 4):
            if strip.sum() < self._background.least_px:
                strip = bare & (fill([outline_px], self._now.scale, bare.shape, self._background.margin_px + wider * width) > 0)
        return strip

    def _crossed(self, number: int, cover: NDArray[np.bool_]) -> float:
        strip = self._strips[number]
        return float(cover[strip].mean()) if strip.sum() >= self._background.least_px else 0.0

    def _looks(self, where: NDArray[np.bool_], of: Looks | None = None) -> Looks:
        """Some of the pixels where the mask is set."""
        spots = np.flatnonzero(where)
        logs = (self._now.logs if of is None else of).reshape(-1, 3)
        return np.asarray(logs[spots[:: max(1, len(spots) // self._options.samples)]], np.float32)

    def _apart(self, looks: Looks, those: Looks) -> NDArray[np.float32]:
        """How far each look is from the nearest of those; below 1 they are of one thing."""
        if not len(those):
            return np.full(len(looks), np.inf, np.float32)
        apart = np.zeros((len(looks), len(those)), np.float32)
        for one, other in zip(looks.T, those.T, strict=True):  # much faster than a third axis of three
            np.maximum(apart, np.abs(one[:, None] - other[None]) / np.float32(CONTRAST), out=apart)
        return np.asarray(apart.min(axis=1), np.float32)

    def _shows(self, then: Background, where: NDArray[np.bool_], table: Looks, covers: Looks) -> bool:
        """Enough of what tells the piece from the table is still seen there."""
        piece, shown = self._looks(where, self._before(then)), self._looks(where)
        tells = self._apart(piece, table) >= 1
        if tells.sum() < self._options.few * len(tells):
            return False
        apart = np.abs(shown - piece).max(axis=1) / CONTRAST
        is_piece = (apart < 1) & (apart < self._apart(shown, covers)) & (self._apart(shown, table) >= 1)
        return float(is_piece[tells].mean()) >= self._options.partly


class Surroundings:
    """One settled look at the table, asked about places, beside the table as it is remembered without what came before it.

    In `pieces` are the outlines of all that lay there and of all that was read now: there is no bare table.
    """

    def __init__(
        self,
        frame: Frame,
        detector: MotionDetector,
        background: Background | None,
        tracks: Sequence[Track],
        draft: Draft,
        options: TrackerOptions,
    ) -> None:
        self.options, self._options = options, options.background
        self.pieces = [track.outline_px for track in tracks] + [one.outline_px for one in draft.observations()]
        self.time_s, self.size_px = frame.time_s, frame.size_px
        self.background = Background.of(frame.image_bgr, options.background)
        self._detector, self._before, self._since_s = detector, background, draft.since_s
        self._patient = detector.quiet_s(frame.time_s) < options.wait_s  # what is new beside something foreign may be in a hand
        self._missing: list[int] = []
        self._cover: Cover | None = None
        self._unlike: dict[int, Mask] = {}
        self._bared: Mask = np.zeros(self.background.logs.shape[:2], np.uint8)
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
        self._cover = Cover(self, outlines, changed)

    def covered(self, track: Track) -> bool:
        """Something that is no piece lies or hovers over one of those that are missing."""
        assert self._cover is not None
        marks = marks_left(self.portrait(track.outline_px), track.portrait)
        return self._cover.hides(self._missing.index(track.number), track.background, self._before, marks)

    def held(self, outline_px: Quad) -> bool:
        """Something new there is perhaps still in a hand."""
        if not self._patient or self._before is None:
            return False
        scale, shape = self.background.scale, self.background.logs.shape
        width = self._options.margin_px + max(3, round(self._options.ring * short_side_px(outline_px * scale)))
        strip = fill([outline_px], scale, shape, width) > fill(self.pieces, scale, shape, self._options.margin_px)
        return strip.sum() >= self._options.least_px and float(self.changed(self._before)[strip].mean()) > self._options.unlike

    def lies_under(self, track: Track, places: Sequence[Quad]) -> bool:
        """Other pieces lie on one of those that are missing, and the rest of it looks as it did."""
        assert self._cover is not None
        return self._cover.lies_under(self._missing.index(track.number), track.background, self._before, places)

    def look_away_from(self, left: Sequence[Quad]) -> None:
        """Say which places pieces have left: what looks unlike before there, no larger than a piece and its shadow, is bare table now."""
        if self._before is None or not left:
            return
        changed, scale = self.changed(self._before), self.background.scale
        _, blobs, stats, _ = cv2.connectedComponentsWithStats(changed)
        for outline in left:
            place = fill([outline], scale, changed.shape) > 0
            for blob in np.unique(blobs[place & (changed > 0)]):
                if stats[blob, cv2.CC_STAT_AREA] <= self._options.with_shadow * place.sum():
                    self._bared[blobs == blob] = 1

    def remembered(self, hidden: Sequence[Quad]) -> Background:
        """The table from now on: as it looks, but not what hides pieces, and not what came lately and may go again."""
        if self._before is None:
            return self.background
        scale, shape = self.background.scale, self.background.logs.shape
        moved_s = cv2.resize(self._detector.last_moved_s, shape[1::-1], interpolation=cv2.INTER_NEAREST)
        _, blobs = cv2.connectedComponents(cv2.dilate(self._foreign(), _NEARBY))
        lately = np.unique(blobs[moved_s > self.time_s - self._options.rest_s])
        came = np.isin(blobs, lately[lately > 0]).view(np.uint8) | fill(hidden, scale, shape)
        return self.background.with_older(came, self._before) if came.any() else self.background

    def reaches_in(self) -> bool:
        """Something that was not there lately reaches in over the edge of the picture: an arm that rests."""
        if self._before is None:
            return False
        foreign = self._foreign()
        count, blobs, stats, _ = cv2.connectedComponentsWithStats(foreign)
        rim = np.concatenate([blobs[0], blobs[-1], blobs[:, 0], blobs[:, -1]])
        least_px = self.options.changed * foreign.size
        return any(stats[blob, cv2.CC_STAT_AREA] >= least_px for blob in np.unique(rim) if 0 < blob < count)

    def _foreign(self) -> Mask:
        """Small pixels that look unlike before, but not where a piece lay that is gone."""
        assert self._before is not None
        return np.asarray(np.where(self._bared > 0, 0, self.changed(self._before)), np.uint8)

    def changed(self, then: Background) -> Mask:
        """Small pixels that look unlike an earlier moment."""
        if id(then) not in self._unlike:  # many pieces were last seen at the same moment
            self._unlike[id(then)] = changed_pixels(self.background, then, self._options)
        return self._unlike[id(then)]

    def inside(self, outline_px: Quad) -> bool:
        """Its middle lies in the picture, and so does most of it."""
        width, height = self.size_px
        clipped = np.clip(outline_px, 0, (width - 1, height - 1))
        whole, seen = (cv2.contourArea(quad.astype(np.float32)) for quad in (outline_px, clipped))
        return bool(2 * seen > whole)

    def portrait(self, outline_px: Quad) -> NDArray[np.float32]:
        """How it looks now."""
        return portrait(self._grey, outline_px)

    def alike(self, track: Track) -> float:
        """How much its place looks as before, -1 to 1; -1 where most of it has another brightness or colour."""
        inside = fill([track.outline_px], self.background.scale, self.background.logs.shape) > 0
        if inside.any() and float(self.changed(track.background)[inside].mean()) > self._options.unlike:
            return -1.0
        return alike(self.portrait(track.outline_px), track.portrait)

    def bears_the_same(self, track: Track) -> float:
        """How much the marks within its outline are those of before, -1 to 1; -1 where they are of another colour."""
        inside = fill([track.outline_px], self.background.scale, self.background.logs.shape) > 0
        hues = [ink_ratios(picture[inside]) for picture in (self.background.logs, track.background.now()[0]) if inside.any()]
        if len(hues) == 2 and float(np.abs(hues[0] - hues[1]).max()) > self._options.hue:
            return -1.0
        return alike_within(self.portrait(track.outline_px), track.portrait)

    def _moved_s(self, outline_px: Quad) -> float:
        inside = fill([outline_px], self._detector.scale, self._detector.flat.shape, 1) > 0
        return float(self._detector.last_moved_s[inside].max(initial=-np.inf))


_NEARBY = square(13)
"""Small pixels around what looks unlike before that may belong to it: its soft shadow, what of it happens to look like the table."""


def changed_pixels(now: Background, then: Background, options: BackgroundOptions) -> Mask:
    """Small pixels that look unlike before, whatever the light: like none of their neighbours did, so that a shake is no change."""
    fresh, (old, known) = now.logs, then.now()
    if then.has_moved:
        fresh, old = (np.asarray(cv2.GaussianBlur(one, (0, 0), SOFT_PX), np.float32) for one in (fresh, old))
    seen = known > 0
    if not seen.any():
        return np.zeros(known.shape, np.uint8)
    before = old + lights(fresh - old, seen, options)
    other = np.zeros(known.shape, bool)
    for channel, tolerance in enumerate((CONTRAST, options.hue, options.hue)):
        look, was = fresh[..., channel], np.ascontiguousarray(before[..., channel])
        other |= (look > cv2.dilate(was, AROUND) + tolerance) | (look < cv2.erode(was, AROUND) - tolerance)
    return np.asarray(cv2.medianBlur((other & seen).view(np.uint8), 3))


def lights(change: NDArray[np.float32], seen: NDArray[np.bool_], options: BackgroundOptions) -> NDArray[np.float32]:
    """What the lamps make of each place: how much brighter, and of which colour; shape as `change`, that of two small pictures."""
    some = change[::_EACH, ::_EACH][seen[::_EACH, ::_EACH]]
    hues = np.median(some[:, 1:] if len(some) else change[seen][:, 1:], axis=0)
    return np.asarray(np.dstack([brighter(change[..., 0], seen, options), np.broadcast_to(hues, change[..., 1:].shape)]), np.float32)


_EACH = 4
"""Light that falls on a whole table is told by every fourth pixel of every fourth row."""


def brighter(change: NDArray[np.float32], seen: NDArray[np.bool_], options: BackgroundOptions) -> NDArray[np.float32]:
    """How much brighter the lamps make each place, from what did not change otherwise: a slope over the picture and what is nearby."""
    y, x = (np.linspace(-1, 1, side, dtype=np.float32) for side in change.shape)
    some, known = change[::_EACH, ::_EACH], seen[::_EACH, ::_EACH]
    terms = np.dstack([np.ones_like(some), *(np.broadcast_to(one, some.shape) for one in (x[None, ::_EACH], y[::_EACH, None]))])
    level, across_px, down_px = np.median(change[seen]) if not known.any() else np.median(some[known]), 0.0, 0.0
    right = known & (np.abs(some - level) < options.of_light)
    if _EACH**2 * right.sum() >= options.least_px:
        level, across_px, down_px = np.linalg.lstsq(terms[right], some[right], rcond=None)[0]
    slope = np.float32(level) + np.float32(across_px) * x[None, :] + np.float32(down_px) * y[:, None]
    rest = np.asarray(change - slope, np.float32)
    weight = (seen & (np.abs(rest) < options.of_light)).astype(np.float32)
    return np.asarray(slope + evened(rest * weight) / np.maximum(evened(weight), _FEW), np.float32)


_FEW = 0.2
"""Where fewer pixels nearby tell of the light, the slope over the picture counts more."""


def ink_ratios(looks: NDArray[np.float32]) -> Floats:
    """The two log colour ratios of what is printed on a piece, less those of its paper; shape of `looks` (n, 3)."""
    paper = np.percentile(looks[:, 0], _PAPER)
    weight = np.maximum(paper - looks[:, 0], 0) ** 2
    white = np.median(looks[looks[:, 0] >= paper][:, 1:], axis=0)
    return np.asarray((looks[:, 1:] * weight[:, None]).sum(axis=0) / max(float(weight.sum()), 1e-6) - white, np.float64)


_PAPER = 70
"""Percentile of brightness above which a piece shows its paper."""


def fill(outlines_px: Iterable[Quad], scale: Floats, shape: tuple[int, ...], grow_px: int = 0) -> Mask:
    """Small picture with 1 inside outlines, grown by some pixels."""
    mask = np.zeros(shape[:2], np.uint8)
    for outline in outlines_px:
        cv2.fillConvexPoly(mask, np.round(outline * scale).astype(np.int32), 1)
    return np.asarray(cv2.dilate(mask, np.ones((2 * grow_px + 1, 2 * grow_px + 1), np.uint8))) if grow_px else mask


ALIKE = 0.8
"""A place, or a part of it, whose straightened picture correlates by this much with that of before was not changed, nor were its marks."""

_CARD_WH = (36, 48)
"""Size of the straightened picture by which a place is recognised, its surroundings included."""

_EDGE = 0.12
"""How much of the surroundings is in it, as a share of each side; with twice that cut away one is well inside the piece."""


def portrait(grey: NDArray[np.uint8], outline_px: Quad) -> NDArray[np.float32]:
    """A piece straightened, with its edge and a little of the table, light and contrast taken out."""
    width, height = _CARD_WH
    inner = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]) * (1 - 2 * _EDGE) + _EDGE
    patch_from_image = homography(inner * (width, height), outline_px)
    patch = cv2.GaussianBlur(cv2.warpPerspective(grey, patch_from_image, (width, height), flags=cv2.INTER_AREA), (3, 3), 0).astype(
        np.float32
    )
    flat = patch - cv2.blur(patch, (width // 2 + 1, width // 2 + 1))
    return np.asarray(flat / max(1.0, float(np.linalg.norm(flat))), np.float32)


def alike(one: NDArray[np.float32], other: NDArray[np.float32]) -> float:
    """Correlation of two portraits, -1 to 1: does something of this outline still lie there?"""
    return float((one * other).sum())


_NO_MARKS = 0.05
"""Contrast of a middle, as a share of the whole portrait's, below which nothing is on it."""


def alike_within(now: NDArray[np.float32], before: NDArray[np.float32]) -> float:
    """Correlation of what is on two pieces, -1 to 1: do they bear the same marks? 1 where the one of before bears none."""
    width, height = _CARD_WH
    x, y = round(2 * _EDGE * width), round(2 * _EDGE * height)
    first, second = (patch[y : height - y, x : width - x] for patch in (now, before))
    first, second = first - first.mean(), second - second.mean()
    if float(np.linalg.norm(second)) < _NO_MARKS:
        return 1.0
    size = float(np.linalg.norm(first) * np.linalg.norm(second))
    return float((first * second).sum()) / size if size > 0 else 0.0


def marks_left(now: NDArray[np.float32], before: NDArray[np.float32]) -> float:
    """Share of the marks on a piece that are still seen in their place, 0 to 1, whatever shadow lies on them.

    They are looked for in windows of a third of the portrait: about as large as a symbol.
    """
    width, height = _CARD_WH
    window = (width // 3, height // 3)
    x, y = round(2 * _EDGE * width), round(2 * _EDGE * height)
    first, second = (patch[y : height - y, x : width - x].astype(np.float64) for patch in (now, before))
    means = [cv2.blur(one, window) for one in (first, second)]
    both = cv2.blur(first * second, window) - means[0] * means[1]
    here, there = (cv2.blur(one * one, window) - mean * mean for one, mean in zip((first, second), means, strict=True))
    same = both > ALIKE * np.sqrt(np.maximum(here * there, 1e-18))
    total = float(there.sum()) * second.size
    return float(there[same].sum()) * second.size / total if total > _NO_MARKS**2 else 0.0
