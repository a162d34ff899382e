"""Occlusion: whether a piece that is not read is hidden or gone, from what its place shows and what crosses its edge.

Whatever hides a piece without being cut to its shape reaches beyond it: around the place the table looks unlike before, and
what is there goes on within. A place whose surroundings are as they were is seen, and the piece is gone, whatever the ground
under it looks like. Longer than most modules: how places are compared is read with what is concluded from it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, partial
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from visionset.geometry import Floats, Frame, Quad, homography, rectangle, short_side_px, square
from visionset.tracking.options import BackgroundOptions, TrackerOptions
from visionset.tracking.tracks import Background, Draft, Observation, Track, outlines_px
from visionset.tracking.view import CONTRAST, Mask, MotionDetector, differing, evened, fill, soft

_Looks = NDArray[np.float32]
"""Small pixels: log brightness and two log colour ratios each, shape (..., 3)."""


class Cover:
    """What hides places in one look at the table.

    Where pieces came, left or moved otherwise (`changed`), and where they are not read, the table is expected to look unlike before.
    """

    def __init__(self, around: Surroundings, missing: Sequence[Track], changed: Sequence[Quad]) -> None:
        self._around, self._now = around, around.background
        self._background, self._options = around.options.background, around.options.cover
        self._insides = {one.number: self._now.fill([one.outline_px]) for one in missing}
        self._missing = self._now.fill([one.outline_px for one in missing], self._background.margin_px)
        self._aside = self._missing | self._now.fill(changed, self._background.margin_px)
        self._bare = ~self._now.fill(around.pieces, 1)
        self._strips = {one.number: self._strip(one.outline_px) for one in missing}

    def hides(self, track: Track) -> bool:
        """Whether something that is no piece lies or hovers over one of the missing pieces.

        What looks as it did when the piece was last seen, or as the table did without what came in front of it, is no cover.
        """
        options, inside, foreign = self._options, self._insides[track.number], self._foreign(track)
        blobs = cv2.connectedComponents((foreign | self._missing).view(np.uint8))[1]
        mine = np.unique(blobs[inside & (blobs > 0)])
        cover = np.isin(blobs, mine) & foreign & ~self._aside
        together = [self._strips[number] for number, one in self._insides.items() if np.isin(blobs[one], mine).any()]
        crossed = [float(cover[strip].mean()) for strip in together if strip.sum() >= self._background.least_px]
        if max(crossed, default=0.0) < options.few:
            return False
        if marks_left(self._around.portrait(track.outline_px), track.portrait) >= options.partly:
            return True
        close = cover & self._now.fill([track.outline_px], 3 * self._width_px(track.outline_px))
        table = self._table(track, foreign)
        if self._shows(track, inside, table, self._looks(close if close.any() else cover)):
            return True
        return not self.is_bare(track) or not self._is_table(track, cover, table)

    def is_bare(self, track: Track) -> bool:
        """Its place looks like the table around it: what crosses its edge stands beside it, or has the colour of the table."""
        inside, table = self._looks(self._insides[track.number]), self._table(track, self._foreign(track))
        return float((self._apart(inside, table) < 1).mean()) >= self._options.mostly

    def lies_under(self, track: Track, places: Sequence[Quad]) -> bool:
        """Whether other pieces lie on a missing one, and the rest of it still shows."""
        inside = self._insides[track.number]
        under = inside & self._now.fill(places, 1)
        rest = inside & ~under
        if under.sum() < self._options.few * inside.sum() or rest.sum() < self._background.least_px:
            return False
        return self._shows(track, rest, self._table(track, self._foreign(track)), np.empty((0, 3), np.float32))

    def _foreign(self, track: Track) -> Mask:
        return self._around.changed(track.background) & self._around.changed(self._around.before)

    def _is_table(self, track: Track, cover: Mask, table: _Looks) -> bool:
        """What crosses edges is table that shows again: what lay there, or cast a shadow, has gone."""
        crossing = cover & np.logical_or.reduce(list(self._strips.values()))
        shown, was = self._looks(crossing), self._looks(crossing, self._around.relit(track.background))
        revealed = (self._apart(shown, table) < 1) & (self._apart(was, table) >= 1)
        return bool(revealed.mean() >= self._options.mostly)

    def _table(self, track: Track, foreign: Mask) -> _Looks:
        """What the table looks like around a place."""
        return self._looks(self._strips[track.number] & self._bare & (cv2.dilate(foreign.view(np.uint8), square(5)) == 0))

    def _width_px(self, outline_px: Quad) -> int:
        sides = np.linalg.norm((outline_px - np.roll(outline_px, 1, axis=0)) * self._now.scale, axis=1)
        return max(3, round(self._background.ring * float(sides.min())))

    def _strip(self, outline_px: Quad) -> Mask:
        """The table around a place; where other pieces are too close, a wider strip."""
        for wider in (1, 2, 4):
            strip = self._now.fill([outline_px], self._background.margin_px + wider * self._width_px(outline_px)) & ~self._aside
            if strip.sum() >= self._background.least_px:
                break
        return strip

    def _looks(self, where: Mask, of: _Looks | None = None) -> _Looks:
        """Some of the pixels where the mask is set."""
        spots = np.flatnonzero(where)
        logs = (self._now.logs if of is None else of).reshape(-1, 3)
        return np.asarray(logs[spots[:: max(1, len(spots) // self._options.samples)]], np.float32)

    def _apart(self, looks: _Looks, those: _Looks) -> NDArray[np.float32]:
        """How far each look is from the nearest of those; below 1 they are of one thing."""
        if not len(those):
            return np.full(len(looks), np.inf, np.float32)
        apart = np.zeros((len(looks), len(those)), np.float32)
        for one, other in zip(looks.T, those.T, strict=True):  # much faster than a third axis of three
            np.maximum(apart, np.abs(one[:, None] - other[None]) / np.float32(CONTRAST), out=apart)
        return np.asarray(apart.min(axis=1), np.float32)

    def _shows(self, track: Track, where: Mask, table: _Looks, covers: _Looks) -> bool:
        """Enough of what tells the piece from the table is still seen there."""
        piece, shown = self._looks(where, self._around.relit(track.background)), self._looks(where)
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
        before: Background | None,
        tracks: Sequence[Track],
        draft: Draft,
        options: TrackerOptions,
    ) -> None:
        self.options, self._options = options, options.background
        self.pieces = [*outlines_px(tracks), *outlines_px(draft.observations())]
        self.time_s, self.size_px = frame.time_s, frame.size_px
        self.background = Background.of(frame.image_bgr, options.background)
        self.before = before or self.background
        self._detector, self._since_s = detector, draft.since_s
        self._bare = ~self.background.fill(self.pieces, options.background.margin_px)
        # many pieces were last seen at the same moment
        self.changed = cache(partial(changed_pixels, self.background, self._bare, self._options))
        self.relit = cache(partial(_relit, self.background, self._bare, self._options))
        self._grey = np.asarray(cv2.cvtColor(frame.image_bgr, cv2.COLOR_BGR2GRAY), np.uint8)
        self._whole = np.ones_like(self._grey)

    def touched(self, track: Track) -> bool:
        """Something moved there since the piece was last seen, perhaps so slowly that only the marks tell; a view that moves blurs them."""
        if self._moved_s(track.outline_px) > track.settled_s:
            return True
        return not track.background.has_moved and self.bears_the_same(track) < ALIKE

    def busy(self, outline_px: Quad) -> bool:
        """Something moved there while it was read."""
        return self._moved_s(outline_px) >= self._since_s

    def held(self, outline_px: Quad) -> bool:
        """Something new there, beside something foreign, is perhaps still in a hand."""
        if self.time_s - self._detector.last_moved_s.max() >= self.options.wait_s:
            return False
        now, options = self.background, self._options
        width = options.margin_px + max(3, round(options.ring * short_side_px(outline_px * now.scale)))
        strip = now.fill([outline_px], width) & ~now.fill(self.pieces, options.margin_px)
        return strip.sum() >= options.least_px and float(self.changed(self.before)[strip].mean()) > options.unlike

    def foreign(self, left: Sequence[Quad]) -> NDArray[np.uint8]:
        """Small pixels that look unlike before: 1, and 0 elsewhere.

        Where pieces have `left`, what is no larger than a piece and its shadow is bare table now.
        """
        changed = self.changed(self.before)
        _, blobs, stats, _ = cv2.connectedComponentsWithStats(changed.view(np.uint8))
        bared: list[int] = []
        for place in (self.background.fill([outline]) for outline in left):
            own = np.unique(blobs[place & changed])
            bared += own[stats[own, cv2.CC_STAT_AREA] <= self._options.with_shadow * place.sum()].tolist()
        return (changed & ~np.isin(blobs, bared)).view(np.uint8)

    def remembered(self, foreign: NDArray[np.uint8], hidden: Sequence[Quad], covered: Sequence[Quad]) -> Background:
        """The table from now on: as it looks, but not what hides pieces, and not what came lately and may go again.

        What covers pieces stays a cover, however long it stands there: else they would seem gone once it belonged to the table. What only
        stands beside a bare place is none: else a piece that is gone would seem to lie there for as long.
        """
        _, blobs = cv2.connectedComponents(cv2.dilate(foreign, _NEARBY))
        moved_s = cv2.resize(self._detector.last_moved_s, blobs.shape[::-1], interpolation=cv2.INTER_NEAREST)
        is_apart = (moved_s > self.time_s - self._options.rest_s) | self.background.fill(covered)
        apart = np.unique(blobs[is_apart])
        came = np.isin(blobs, apart[apart > 0]) | self.background.fill(hidden)
        return self.background.with_older(came, self.before) if came.any() else self.background

    def reaches_in(self, foreign: NDArray[np.uint8]) -> bool:
        """Something that was not there lately reaches in over the edge of the picture: an arm that rests."""
        _, blobs, stats, _ = cv2.connectedComponentsWithStats(foreign)
        rim = np.unique(np.concatenate([blobs[0], blobs[-1], blobs[:, 0], blobs[:, -1]]))
        return bool((stats[rim[rim > 0], cv2.CC_STAT_AREA] >= self.options.changed * blobs.size).any())

    def is_elsewhere(self, tracks: Sequence[Track], observations: Sequence[Observation]) -> bool:
        """Whether it is another table: most of the picture and the place of each piece look unlike before, and most that lies there is new.

        Whoever leans over the table hides all of it too; but then hardly anything is read.
        """
        known = {track.sighting.piece for track in tracks}
        new = sum(one.is_steady and one.belief.top[0] not in known for one in observations)
        if 2 * new <= max(len(observations), len(tracks)) or 2 * self.changed(self.before).mean() <= 1:
            return False
        return all(self.alike(track) < ALIKE for track in tracks)

    def inside(self, outline_px: Quad) -> bool:
        """Most of it lies in the picture."""
        width, height = self.size_px
        clipped = np.clip(outline_px, 0, (width - 1, height - 1))
        whole, seen = (cv2.contourArea(quad.astype(np.float32)) for quad in (outline_px, clipped))
        return bool(2 * seen > whole)

    def portrait(self, outline_px: Quad) -> NDArray[np.float32]:
        """A piece straightened, with its edge and a little of the table, light and contrast taken out."""
        straight = cv2.warpPerspective(self._grey, *_straight(outline_px), flags=cv2.INTER_AREA, borderMode=cv2.BORDER_REPLICATE)
        patch = cv2.GaussianBlur(straight, (3, 3), 0).astype(np.float32)
        across = _CARD_WH[0] // 2 + 1
        flat = patch - cv2.blur(patch, (across, across))
        return np.asarray(flat / max(1.0, float(np.linalg.norm(flat))), np.float32)

    def _seen(self, outline_px: Quad) -> Mask:
        """What of a portrait is in the picture."""
        return cv2.warpPerspective(self._whole, *_straight(outline_px), flags=cv2.INTER_NEAREST) > 0

    def alike(self, track: Track) -> float:
        """How much its place looks as before, as far as it is in the picture, -1 to 1; -1 where most has another brightness or colour."""
        inside = self.background.fill([track.outline_px])
        if inside.any() and float(self.changed(track.background)[inside].mean()) > self._options.unlike:
            return -1.0
        now, before, seen = self.portrait(track.outline_px), track.portrait, self._seen(track.outline_px)
        shares = [float((one[seen] ** 2).sum()) / max(float((one**2).sum()), 1e-9) for one in (now, before)]
        return float((now * before)[seen].sum()) / max(float(np.sqrt(np.prod(shares))), 1e-9)

    def bears_the_same(self, track: Track) -> float:
        """How much the marks within its outline are those of before, -1 to 1; -1 where they are of another colour."""
        inside = self.background.fill([track.outline_px])
        hues = [ink_ratios(picture[inside]) for picture in (self.background.logs, track.background.now()[0]) if inside.any()]
        if len(hues) == 2 and float(np.abs(hues[0] - hues[1]).max()) > self._options.hue:
            return -1.0
        return alike_within(self.portrait(track.outline_px), track.portrait, self._seen(track.outline_px))

    def _moved_s(self, outline_px: Quad) -> float:
        inside = fill([outline_px], self._detector.scale, self._detector.flat.shape, 1)
        return float(self._detector.last_moved_s[inside].max(initial=-np.inf))


_NEARBY = square(13)
"""Small pixels around what looks unlike before that may belong to it: its soft shadow, what of it happens to look like the table. Within as
many the marks on a table are looked for: about what lies between two cards."""


def changed_pixels(now: Background, bare: Mask, options: BackgroundOptions, then: Background) -> Mask:
    """Small pixels that look unlike before, whatever the light: like none of their neighbours did, so that a shake is no change.

    What is `bare` shows the table, and no piece is near.
    """
    fresh, (old, seen) = now.logs, then.now()
    if not seen.any():
        return seen
    if then.has_moved:
        fresh, old = soft(fresh), soft(old)
    before = old + lights(fresh, old, seen, bare, options)
    other = np.zeros(seen.shape, bool)
    for channel, tolerance in enumerate((CONTRAST, options.hue, options.hue)):
        other |= differing(fresh[..., channel], np.ascontiguousarray(before[..., channel]), tolerance)
    return cv2.medianBlur((other & seen).view(np.uint8), 3).view(np.bool_)


def _relit(now: Background, bare: Mask, options: BackgroundOptions, then: Background) -> _Looks:
    """What an earlier moment looks like in the light of now."""
    old, known = then.now()
    return np.asarray(old + lights(now.logs, old, known, bare, options), np.float32)


def lights(now: _Looks, old: _Looks, seen: Mask, bare: Mask, options: BackgroundOptions) -> _Looks:
    """What the lamps make of each place, told by what did not change otherwise; shape that of the two small pictures.

    How much brighter follows a slope over the picture and what is nearby; the colour is one. Light leaves the marks on a bare table as
    they are: where these are other ones, something lies over it. Where no more of them are left than chance makes, nothing tells the light,
    and it counts as that of before.
    """
    change = now - old
    if not seen.any():
        return np.zeros_like(change)
    tells, bare = seen, bare & (cv2.erode(seen.view(np.uint8), square(7)) > 0)  # at the edge of what is known blurring makes marks
    marks = _marks(old, bare)
    marked = bare & (marks > (CONTRAST / 2) ** 2)  # half of what is more than noise
    if marked.sum() >= options.least_px:
        tells = marked & (2 * _marks(change, bare) < marks)
        if tells.sum() < options.least_px:
            return np.zeros_like(change)
    some, known = change[::_EACH, ::_EACH], tells[::_EACH, ::_EACH]
    level, *hues = np.median(some[known] if known.any() else change[tells], axis=0)
    y, x = (np.linspace(-1, 1, side, dtype=np.float32) for side in seen.shape)
    across_px = down_px = np.float32(0)
    right = known & (np.abs(some[..., 0] - level) < options.of_light)
    if _EACH**2 * right.sum() >= options.least_px:
        terms = np.dstack(np.broadcast_arrays(np.float32(1), x[None, ::_EACH], y[::_EACH, None]))
        level, across_px, down_px = np.linalg.lstsq(terms[right], some[right][:, 0], rcond=None)[0]
    slope = level + across_px * x[None, :] + down_px * y[:, None]
    rest = change[..., 0] - slope
    weight = (seen & (np.abs(rest) < options.of_light)).astype(np.float32)
    brighter = slope + evened(rest * weight) / np.maximum(evened(weight), _FEW)
    return np.asarray(np.dstack([brighter, *(np.full_like(brighter, hue) for hue in hues)]), np.float32)


def _marks(looks: _Looks, where: Mask) -> NDArray[np.float32]:
    """How much the log brightness differs around each small pixel, as far as the mask is set: its variance, noise left aside."""
    quiet, there = soft(looks[..., 0]), where.astype(np.float32)
    share = np.maximum(cv2.blur(there, _NEARBY.shape), 1 / np.float32(_NEARBY.size))
    mean, mean_of_squares = (cv2.blur(one * there, _NEARBY.shape) / share for one in (quiet, quiet * quiet))
    return np.asarray(mean_of_squares - mean * mean, np.float32)


_EACH = 4
"""Light that falls on a whole table is told by every fourth pixel of every fourth row."""

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


ALIKE = 0.8
"""A place, or a part of it, whose straightened picture correlates by this much with that of before was not changed, nor were its marks."""

_CARD_WH = (36, 48)
"""Size of the straightened picture by which a place is recognised, its surroundings included."""

_EDGE = 0.12
"""How much of the surroundings is in it, as a share of each side; with twice that cut away one is well inside the piece."""


def _straight(outline_px: Quad) -> tuple[Floats, tuple[int, int]]:
    """Mapping and size of a portrait."""
    inner = rectangle(0.0, 0.0, 1.0, 1.0) * (1 - 2 * _EDGE) + _EDGE
    return homography(inner * _CARD_WH, outline_px), _CARD_WH


def _middle(patch: NDArray[Any]) -> NDArray[Any]:
    """What of a portrait is well inside the piece."""
    height, width = patch.shape
    x, y = round(2 * _EDGE * width), round(2 * _EDGE * height)
    return patch[y : height - y, x : width - x]


_NO_MARKS = 0.05
"""Contrast of a middle, as a share of the whole portrait's, below which nothing is on it."""


def alike_within(now: NDArray[np.float32], before: NDArray[np.float32], seen: Mask) -> float:
    """Correlation of what is seen on two pieces, -1 to 1: do they bear the same marks? 1 where the one of before bears none.

    0 where nothing of them is seen.
    """
    if not _middle(seen).any():
        return 0.0
    first, second = (patch - patch.mean() for patch in (_middle(one)[_middle(seen)] for one in (now, before)))
    if float(np.linalg.norm(second)) < _NO_MARKS:
        return 1.0
    size = float(np.linalg.norm(first) * np.linalg.norm(second))
    return float((first * second).sum()) / size if size > 0 else 0.0


def marks_left(now: NDArray[np.float32], before: NDArray[np.float32]) -> float:
    """Share of the marks on a piece that are still seen in their place, 0 to 1, whatever shadow lies on them.

    They are looked for in windows of a third of the portrait: about as large as a symbol.
    """
    window = (_CARD_WH[0] // 3, _CARD_WH[1] // 3)
    first, second = (_middle(patch).astype(np.float64) for patch in (now, before))
    means = [cv2.blur(one, window) for one in (first, second)]
    both = cv2.blur(first * second, window) - means[0] * means[1]
    here, there = (cv2.blur(one * one, window) - mean * mean for one, mean in zip((first, second), means, strict=True))
    same = both > ALIKE * np.sqrt(np.maximum(here * there, 1e-18))
    total = float(there.sum()) * second.size
    return float(there[same].sum()) * second.size / total if total > _NO_MARKS**2 else 0.0
