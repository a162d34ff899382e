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

from visionset.geometry import Floats, Frame, Quad, homography, outlines_of, rectangle, short_side_px, square
from visionset.kinds import DICE
from visionset.tracking.options import BackgroundOptions, TrackerOptions
from visionset.tracking.tracks import Background, Draft, Observation, Track
from visionset.tracking.view import CONTRAST, Mask, MotionDetector, differing, local_mean, soft
from visionset.vision.patches import PAPER_QUANTILE

_LogColours = NDArray[np.float32]
"""Pixels of a small picture as `Background.logs` has them: log brightness and two log colour ratios, shape (..., 3)."""


class Cover:
    """Tells of missing pieces, in one settled look, whether something hides them.

    In the outlines `changed`, where pieces came, left or moved, and in those of missing pieces the table is expected to look unlike before:
    what is seen there is no sign of a cover.
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

        A cover is foreign (`_foreign`) and crosses the edge of the place, or of other missing pieces with which it covers it. Even then the
        piece is gone if nothing of it shows, its place is bare, and what crosses the edge is table that shows again.
        """
        inside, foreign = self._insides[track.number], self._foreign(track)
        blobs = cv2.connectedComponents((foreign | self._missing).view(np.uint8))[1]
        mine = np.unique(blobs[inside & (blobs > 0)])
        cover = np.isin(blobs, mine) & foreign & ~self._aside
        together = [self._strips[number] for number, one in self._insides.items() if np.isin(blobs[one], mine).any()]
        crossed = [float(cover[strip].mean()) for strip in together if strip.sum() >= self._background.least_px]
        if max(crossed, default=0.0) < self._background.few or self._has_left(track, np.isin(blobs, mine)):
            return False
        if marks_left(self._around.portrait(track.outline_px), track.portrait) >= self._background.part:
            return True
        close = cover & self._now.fill([track.outline_px], 3 * self._width_px(track.outline_px))
        table = self._table(track, foreign)
        if self._shows(track, inside, table, self._colours(close if close.any() else cover)):
            return True
        return not self.is_bare(track) or not self._is_table(track, cover, table)

    def _has_left(self, track: Track, blobs: Mask) -> bool:
        """Whether a die has left, and what changed about it is no larger than its side and its shadow, which went with it, as no arm is.

        Where its place is bare, that may reach in over the edge of the picture, as fingertips do else, and be twice as large if another die
        was taken with it; not more, since an arm may cover many.
        """
        if track.belief.kind not in DICE:
            return False
        is_bare, reaches_in = self.is_bare(track), blobs[[0, -1]].any() or blobs[:, [0, -1]].any()
        together = sum(bool((one & blobs).any()) for one in self._insides.values()) if is_bare else 1
        is_small = blobs.sum() <= self._background.with_shadow * min(together, 2) * self._insides[track.number].sum()
        return bool(is_small and (is_bare or not reaches_in))

    def is_bare(self, track: Track) -> bool:
        """Whether most of its place looks like the table around it: what crosses its edge stands beside it, or has the table's colour."""
        inside, table = self._colours(self._insides[track.number]), self._table(track, self._foreign(track))
        return float((self._apart(inside, table) < 1).mean()) >= self._options.mostly

    def lies_under(self, track: Track, places: Sequence[Quad]) -> bool:
        """Whether other pieces lie on a missing one, and the rest of it still shows."""
        inside = self._insides[track.number]
        under = inside & self._now.fill(places, 1)
        rest = inside & ~under
        if under.sum() < self._background.few * inside.sum() or rest.sum() < self._background.least_px:
            return False
        return self._shows(track, rest, self._table(track, self._foreign(track)), np.empty((0, 3), np.float32))

    def _foreign(self, track: Track) -> Mask:
        """Where it looks neither as when the piece was last seen nor as the table is remembered."""
        return self._around.changed(track.background) & self._around.changed(self._around.before)

    def _is_table(self, track: Track, cover: Mask, table: _LogColours) -> bool:
        """Whether what crosses the edges of places is table that shows again, since what lay there or cast a shadow has gone."""
        crossing = cover & np.logical_or.reduce(list(self._strips.values()))
        shown, was = self._colours(crossing), self._colours(crossing, self._around.relit(track.background))
        revealed = (self._apart(shown, table) < 1) & (self._apart(was, table) >= 1)
        return bool(revealed.mean() >= self._options.mostly)

    def _table(self, track: Track, foreign: Mask) -> _LogColours:
        """Colours of the bare table around a place, without foreign pixels and what is next to them."""
        return self._colours(self._strips[track.number] & self._bare & (cv2.dilate(foreign.view(np.uint8), square(5)) == 0))

    def _width_px(self, outline_px: Quad) -> int:
        sides = np.linalg.norm((outline_px - np.roll(outline_px, 1, axis=0)) * self._now.scale, axis=1)
        return max(3, round(self._background.ring * float(sides.min())))

    def _strip(self, outline_px: Quad) -> Mask:
        """Mask of the table around a place: a strip, wider where other pieces leave too few pixels of it."""
        for wider in (1, 2, 4):
            strip = self._now.fill([outline_px], self._background.margin_px + wider * self._width_px(outline_px)) & ~self._aside
            if strip.sum() >= self._background.least_px:
                break
        return strip

    def _colours(self, where: Mask, of: _LogColours | None = None) -> _LogColours:
        """Colours, shape (n, 3), of some of the pixels where the mask is set, evenly spread; of the picture of now, or `of` another."""
        spots = np.flatnonzero(where)
        logs = (self._now.logs if of is None else of).reshape(-1, 3)
        return np.asarray(logs[spots[:: max(1, len(spots) // self._options.samples)]], np.float32)

    def _apart(self, colours: _LogColours, others: _LogColours) -> NDArray[np.float32]:
        """How far each colour is from the nearest of the others, in units of `CONTRAST`; below 1 they are of one thing. Shape (n,)."""
        if not len(others):
            return np.full(len(colours), np.inf, np.float32)
        apart = np.zeros((len(colours), len(others)), np.float32)
        for one, other in zip(colours.T, others.T, strict=True):  # much faster than a third axis of three
            np.maximum(apart, np.abs(one[:, None] - other[None]) / np.float32(CONTRAST), out=apart)
        return np.asarray(apart.min(axis=1), np.float32)

    def _shows(self, track: Track, where: Mask, table: _LogColours, covers: _LogColours) -> bool:
        """Whether enough of the piece still shows in the mask: of pixels that differ from the table's colours, those that look as before.

        Pixels that are nearer to the colours `covers` than to the piece's do not count.
        """
        piece, shown = self._colours(where, self._around.relit(track.background)), self._colours(where)
        tells = self._apart(piece, table) >= 1
        if tells.sum() < self._background.few * len(tells):
            return False
        apart = np.abs(shown - piece).max(axis=1) / CONTRAST
        is_piece = (apart < 1) & (apart < self._apart(shown, covers)) & (self._apart(shown, table) >= 1)
        return float(is_piece[tells].mean()) >= self._background.part


class Surroundings:
    """One settled look at the table, which is asked whether places look as they did before.

    `before` is the table as it is remembered, without what came in front of it. `pieces` are the outlines of all tracks and observations,
    outside of which is bare table.
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
        self._read = outlines_of(draft.observations())
        self.pieces = [*outlines_of(tracks), *self._read]
        self.time_s, self.size_px = frame.time_s, frame.size_px
        self.background = Background.of(frame.image_bgr, options.motion.long_side_px)
        self.before = before or self.background
        self._detector, self._since_s = detector, draft.since_s
        self._bare = ~self.background.fill(self.pieces, options.background.margin_px)
        # many pieces were last seen at the same moment
        self.changed = cache(partial(changed_pixels, self.background, self._bare, self._options))
        self.relit = cache(partial(_relit, self.background, self._bare, self._options))
        self._grey = np.asarray(cv2.cvtColor(frame.image_bgr, cv2.COLOR_BGR2GRAY), np.uint8)
        self._whole = np.ones_like(self._grey)

    def touched(self, track: Track) -> bool:
        """Whether something moved there since it was last seen, perhaps so slowly that only its marks tell: a moving view blurs these."""
        if self._moved_s(track.outline_px) > track.settled_s:
            return True
        return not track.background.has_moved and self.marks_likeness(track) < ALIKE

    def busy(self, outline_px: Quad) -> bool:
        """Whether something moved there since its readings began."""
        return self._moved_s(outline_px) >= self._since_s

    def held(self, outline_px: Quad) -> bool:
        """Whether a new piece there may still be in a hand: the strip around it looks unlike before, and something moved lately."""
        if self.time_s - self._detector.last_moved_s.max() >= self.options.wait_s:
            return False
        now, options = self.background, self._options
        width = options.margin_px + max(3, round(options.ring * short_side_px(outline_px * now.scale)))
        strip = now.fill([outline_px], width) & ~now.fill(self.pieces, options.margin_px)
        return strip.sum() >= options.least_px and float(self.changed(self.before)[strip].mean()) > options.part

    def foreign(self, left: Sequence[Quad]) -> NDArray[np.uint8]:
        """Small picture, 1 where it looks unlike the remembered table, else 0.

        A blob in the outline of a piece that has `left` is bare table now, and 0, unless it is larger than a piece with its shadow.
        """
        changed = self.changed(self.before)
        _, blobs, stats, _ = cv2.connectedComponentsWithStats(changed.view(np.uint8))
        bared: list[int] = []
        for place in (self.background.fill([outline]) for outline in left):
            own = np.unique(blobs[place & changed])
            bared += own[stats[own, cv2.CC_STAT_AREA] <= self._options.with_shadow * place.sum()].tolist()
        return (changed & ~np.isin(blobs, bared)).view(np.uint8)

    def remembered(self, foreign: NDArray[np.uint8], hidden: Sequence[Quad], covered: Sequence[Quad]) -> Background:
        """The table to remember from now on: as it looks now, but as before in the outlines `hidden` and in some blobs of `foreign`.

        These are blobs that came lately (`rest_s`) and may go again, and those that reach into the outlines `covered`, however long they
        stay: once they belonged to the table, pieces under them would seem gone. `covered` has no places that look bare: else what only
        stands beside such a place would make a piece that is gone seem to lie there for as long.
        """
        _, blobs = cv2.connectedComponents(cv2.dilate(foreign, _NEARBY))
        is_apart = (self._detector.last_moved_s > self.time_s - self._options.rest_s) | self.background.fill(covered)
        apart = np.unique(blobs[is_apart])
        came = np.isin(blobs, apart[apart > 0]) | self.background.fill(hidden)
        return self.background.with_older(came, self.before) if came.any() else self.background

    def reaches_in(self, foreign: NDArray[np.uint8]) -> bool:
        """Whether something `foreign`, and no piece that is seen there, reaches in over the edge of the picture: an arm that rests."""
        pieces = self.background.fill([*self._read], self._options.margin_px)
        _, blobs, stats, _ = cv2.connectedComponentsWithStats(np.where(pieces, np.uint8(0), foreign))
        rim = np.unique(np.concatenate([blobs[0], blobs[-1], blobs[:, 0], blobs[:, -1]]))
        return bool((stats[rim[rim > 0], cv2.CC_STAT_AREA] >= self.options.motion.changed * blobs.size).any())

    def is_elsewhere(self, tracks: Sequence[Track], observations: Sequence[Observation]) -> bool:
        """Whether it is another table: most of the picture and the place of each piece look unlike before, and most that lies there is new.

        Whoever leans over the table hides all of it too; but then hardly anything is read.
        """
        known = {track.sighting.piece for track in tracks}
        new = sum(one.is_steady and one.belief.top[0] not in known for one in observations)
        if 2 * new <= max(len(observations), len(tracks)) or 2 * self.changed(self.before).mean() <= 1:
            return False
        return all(self.likeness(track) < ALIKE for track in tracks)

    def inside(self, outline_px: Quad) -> bool:
        """Whether most of an outline lies in the picture."""
        width, height = self.size_px
        clipped = np.clip(outline_px, 0, (width - 1, height - 1))
        whole, seen = (cv2.contourArea(quad.astype(np.float32)) for quad in (outline_px, clipped))
        return bool(2 * seen > whole)

    def portrait(self, outline_px: Quad) -> NDArray[np.float32]:
        """A piece straightened, with its edge and a little of the table: grey less the local mean, at norm 1 unless it is all but blank."""
        straight = cv2.warpPerspective(self._grey, *_straight(outline_px), flags=cv2.INTER_AREA, borderMode=cv2.BORDER_REPLICATE)
        patch = cv2.GaussianBlur(straight, (3, 3), 0).astype(np.float32)
        across = _CARD_WH[0] // 2 + 1
        flat = patch - cv2.blur(patch, (across, across))
        return np.asarray(flat / max(1.0, float(np.linalg.norm(flat))), np.float32)

    def _seen(self, outline_px: Quad) -> Mask:
        """Mask of a portrait, True where it is in the picture."""
        return cv2.warpPerspective(self._whole, *_straight(outline_px), flags=cv2.INTER_NEAREST) > 0

    def likeness(self, track: Track) -> float:
        """Correlation of the track's place with its portrait, edges included, -1 to 1; -1 where much has another brightness or colour."""
        inside = self.background.fill([track.outline_px])
        if inside.any() and float(self.changed(track.background)[inside].mean()) > self._options.part:
            return -1.0
        now, before, seen = self.portrait(track.outline_px), track.portrait, self._seen(track.outline_px)
        shares = [float((one[seen] ** 2).sum()) / max(float((one**2).sum()), 1e-9) for one in (now, before)]
        return float((now * before)[seen].sum()) / max(float(np.sqrt(np.prod(shares))), 1e-9)

    def marks_likeness(self, track: Track) -> float:
        """Correlation of the marks within the track's outline with those of its portrait, -1 to 1; -1 where they are of another colour."""
        inside = self.background.fill([track.outline_px])
        hues = [ink_ratios(picture[inside]) for picture in (self.background.logs, track.background.now()[0]) if inside.any()]
        if len(hues) == 2 and float(np.abs(hues[0] - hues[1]).max()) > self._options.hue:
            return -1.0
        return correlation_within(self.portrait(track.outline_px), track.portrait, self._seen(track.outline_px))

    def _moved_s(self, outline_px: Quad) -> float:
        return float(self._detector.last_moved_s[self.background.fill([outline_px], 1)].max(initial=-np.inf))


_NEARBY = square(7)
"""Kernel in small pixels. What looks unlike before is grown by it, for its soft shadow and what of it happens to look like the table; and
the marks on a table are measured within it, which is about what lies between two cards."""


def changed_pixels(now: Background, bare: Mask, options: BackgroundOptions, then: Background) -> Mask:
    """Mask of small pixels that look unlike an earlier moment, `then`, in the light of now, and unlike the neighbours then (`differing`).

    `bare` is the mask of what shows the table, with no piece near; it tells how the light has changed (`lights`).
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


def _relit(now: Background, bare: Mask, options: BackgroundOptions, then: Background) -> _LogColours:
    """An earlier moment, `then`, as it would look in the light of now."""
    old, known = then.now()
    return np.asarray(old + lights(now.logs, old, known, bare, options), np.float32)


def lights(now: _LogColours, old: _LogColours, seen: Mask, bare: Mask, options: BackgroundOptions) -> _LogColours:
    """What a change of the light adds to each pixel of the small picture `old` to give `now`; shape of both, (height, width, 3).

    Colour ratios change alike everywhere; log brightness by a slope over the picture and by what pixels nearby tell. Only pixels that did
    not change otherwise may tell: light leaves the marks on a bare table as they are, and where these are others something lies over it. If
    the table has marks and hardly any are left, nothing tells the light, and it counts as that of before.
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
    level, *hues = np.median(change[tells], axis=0)
    y, x = (np.linspace(-1, 1, side, dtype=np.float32) for side in seen.shape)
    across_px = down_px = np.float32(0)
    right = tells & (np.abs(change[..., 0] - level) < options.of_light)
    if right.sum() >= options.least_px:
        terms = np.dstack(np.broadcast_arrays(np.float32(1), x[None], y[:, None]))
        level, across_px, down_px = np.linalg.lstsq(terms[right], change[right][:, 0], rcond=None)[0]
    slope = level + across_px * x[None, :] + down_px * y[:, None]
    rest = change[..., 0] - slope
    weight = (seen & (np.abs(rest) < options.of_light)).astype(np.float32)
    brighter = slope + local_mean(rest * weight) / np.maximum(local_mean(weight), options.few)
    return np.asarray(np.dstack([brighter, *(np.full_like(brighter, hue) for hue in hues)]), np.float32)


def _marks(looks: _LogColours, where: Mask) -> NDArray[np.float32]:
    """Local variance of log brightness, blurred against noise, among the pixels of the mask around each pixel; shape (height, width)."""
    quiet, there = soft(looks[..., 0]), where.astype(np.float32)
    share = np.maximum(cv2.blur(there, _NEARBY.shape), 1 / np.float32(_NEARBY.size))
    mean, mean_of_squares = (cv2.blur(one * there, _NEARBY.shape) / share for one in (quiet, quiet * quiet))
    return np.asarray(mean_of_squares - mean * mean, np.float32)


def ink_ratios(looks: NDArray[np.float32]) -> Floats:
    """Mean log colour ratios of the print on a piece, darker pixels weighing more, less those of its paper; (n, 3) to (2,)."""
    paper = np.quantile(looks[:, 0], PAPER_QUANTILE)
    weight = np.maximum(paper - looks[:, 0], 0) ** 2
    white = np.median(looks[looks[:, 0] >= paper][:, 1:], axis=0)
    return np.asarray((looks[:, 1:] * weight[:, None]).sum(axis=0) / max(float(weight.sum()), 1e-6) - white, np.float64)


ALIKE = 0.8
"""Correlation of a portrait, or of a part of it, with that of before from which nothing was changed there."""

_CARD_WH = (36, 48)
"""Width and height of a portrait in pixels: the straightened picture by which a place is recognised, with a little of its surroundings."""

_EDGE = 0.12
"""Share of a portrait's sides that is surroundings, at each end; twice as far in is well inside the piece."""


def _straight(outline_px: Quad) -> tuple[Floats, tuple[int, int]]:
    """Homography from the picture to a portrait, and the portrait's size, as `cv2.warpPerspective` takes them."""
    inner = rectangle(0.0, 0.0, 1.0, 1.0) * (1 - 2 * _EDGE) + _EDGE
    return homography(inner * _CARD_WH, outline_px), _CARD_WH


def _middle(patch: NDArray[Any]) -> NDArray[Any]:
    """The part of a portrait that is well inside the piece."""
    height, width = patch.shape
    x, y = round(2 * _EDGE * width), round(2 * _EDGE * height)
    return patch[y : height - y, x : width - x]


_NO_MARKS = 0.05
"""Norm of the middle of a portrait, less its mean, below which it bears no marks; the norm of a portrait is 1."""


def correlation_within(now: NDArray[np.float32], before: NDArray[np.float32], seen: Mask) -> float:
    """Correlation of the middles of two portraits where they are `seen`, -1 to 1; 1 if that of before bears no marks, 0 if none is seen."""
    if not _middle(seen).any():
        return 0.0
    first, second = (patch - patch.mean() for patch in (_middle(one)[_middle(seen)] for one in (now, before)))
    if float(np.linalg.norm(second)) < _NO_MARKS:
        return 1.0
    size = float(np.linalg.norm(first) * np.linalg.norm(second))
    return float((first * second).sum()) / size if size > 0 else 0.0


def marks_left(now: NDArray[np.float32], before: NDArray[np.float32]) -> float:
    """Share of the marks in the middle of a portrait that are still seen in their place, 0 to 1, whatever shadow lies on them.

    Marks are the variance in windows of a third of the portrait, about as large as a symbol; seen are those of windows that correlate.
    """
    window = (_CARD_WH[0] // 3, _CARD_WH[1] // 3)
    first, second = (_middle(patch).astype(np.float64) for patch in (now, before))
    means = [cv2.blur(one, window) for one in (first, second)]
    both = cv2.blur(first * second, window) - means[0] * means[1]
    here, there = (cv2.blur(one * one, window) - mean * mean for one, mean in zip((first, second), means, strict=True))
    same = both > ALIKE * np.sqrt(np.maximum(here * there, 1e-18))
    total = float(there.sum()) * second.size
    return float(there[same].sum()) * second.size / total if total > _NO_MARKS**2 else 0.0
