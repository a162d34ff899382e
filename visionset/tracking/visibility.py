"""Cover: whether a piece that is not read is hidden or gone, from what its place shows and what crosses its edge.

Whatever hides a piece without being cut to its shape reaches beyond it: around the place the table looks unlike before, and
what is there goes on within. A place whose surroundings are as they were is seen, and the piece is gone, whatever the ground
under it looks like.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from visionset.geometry import Quad
from visionset.tracking.background import Ground, GroundOptions, fill, lights
from visionset.tracking.motion import Mask

Looks = NDArray[np.float32]
"""Small pixels: log brightness and two log colour ratios each, shape (..., 3)."""


@dataclass(frozen=True, slots=True)
class CoverOptions:
    """When a place is hidden.

    Attributes
    ----------
    thick_px : int
        What is thinner is an edge that lies off by a little and hides no piece.
    crosses : float
        Share of the strip around a place that must look unlike before for something to cross its edge.
    bare : float
        Then the piece is gone only where so much of its place looks like the table around it,
    little, around, revealed : float
        and no more than little of it like what crosses its edge as well, or less than this share of the strip is crossed, or so much
        of that is table which did not show before: sleeves may have the colour of the table.
    marks, piece : float
        Share of the marks on a piece, or of its colours, that must still show for it to lie there, partly hidden.
    same : tuple of float
        How far two looks of one thing are apart: log brightness and colour ratios.
    telling : float
        Share of a piece that must differ from the table, if what is seen of it is to say anything.
    shadow : float
        How much darker what hides a part of a piece makes the rest of it, in log brightness.
    under : float
        A piece lies under another when so much of its place is taken.
    samples : int
        Pixels that stand for the table or for what crosses the edge.
    """

    thick_px: int = 3
    crosses: float = 0.08
    bare: float = 0.8
    little: float = 0.3
    around: float = 0.15
    revealed: float = 0.8
    marks: float = 0.2
    piece: float = 0.3
    telling: float = 0.03
    shadow: float = 0.8
    under: float = 0.08
    same: tuple[float, float, float] = (0.12, 0.08, 0.08)
    samples: int = 250


class Cover:
    """What hides places in one look at the table.

    Parameters
    ----------
    now : Ground
        The table now.
    missing : sequence of Quad
        Outlines of all pieces that are not read.
    changed : sequence of Quad
        Outlines of what came, left or moved otherwise: the table there is expected to look unlike before.
    pieces : sequence of Quad
        Outlines of all pieces of before and of now: there is no bare table.
    unlike : callable
        Gives the small pixels that look unlike an earlier moment.
    ground, options : GroundOptions, CoverOptions
        Numbers.
    """

    def __init__(
        self,
        now: Ground,
        missing: Sequence[Quad],
        changed: Sequence[Quad],
        pieces: Sequence[Quad],
        unlike: Callable[[Ground], Mask],
        ground: GroundOptions,
        options: CoverOptions,
    ) -> None:
        self._now, self._unlike, self._ground, self._options = now, unlike, ground, options
        shape = now.logs.shape
        self._insides = [fill([one], now.scale, shape) > 0 for one in missing]
        self._missing = fill(missing, now.scale, shape, ground.margin_px)
        self._aside = self._missing | fill(changed, now.scale, shape, ground.margin_px)
        self._bare = fill(pieces, now.scale, shape, 1) == 0
        self._strips = [self._strip(one) for one in missing]
        self._relit: dict[int, Looks] = {}
        self._nearby = [fill([one], now.scale, shape, 3 * self._width_px(one)) > 0 for one in missing]

    def hides(self, number: int, then: Ground, before: Ground | None, marks: float) -> bool:
        """Whether something hides a missing piece.

        Parameters
        ----------
        number : int
            Its place among those that are missing.
        then : Ground
            The table when the piece was last seen.
        before : Ground, optional
            The table without what came before it: what looks as it did at either time is no cover.
        marks : float
            Share of the marks on the piece that are still seen in their place, 0 to 1.
        """
        options = self._options
        foreign = self._foreign(then, before)
        blobs = cv2.connectedComponents(foreign | self._missing)[1]
        mine = np.unique(blobs[self._insides[number] & (blobs > 0)])
        cover = np.isin(blobs, mine) & (foreign > 0) & (self._aside == 0)
        table = self._table(number, foreign)
        together = [at for at, one in enumerate(self._insides) if np.isin(blobs[one], mine).any()]
        crossed = max((self._crossed(at, cover) for at in together), default=0.0)
        if crossed < options.crosses:
            return False
        if marks >= options.marks:
            return True
        close = cover & self._nearby[number]
        covers = self._looks(close if close.any() else cover)
        if self._shows(then, self._insides[number], table, covers):
            return True
        shown = self._looks(self._insides[number])
        filled, bare = (float((self._apart(shown, looks) < 1).mean()) for looks in (covers, table))
        if bare < options.bare:
            return True
        return filled >= options.little and crossed >= options.around and not self._is_table(then, cover, table)

    def lies_under(self, number: int, then: Ground, before: Ground | None, places: Sequence[Quad]) -> bool:
        """Whether other pieces lie on a missing one, and the rest of it still shows."""
        inside = self._insides[number]
        under = inside & (fill(places, self._now.scale, inside.shape, 1) > 0)
        rest = inside & ~under
        if under.sum() < self._options.under * inside.sum() or rest.sum() < self._ground.least_px:
            return False
        return self._shows(then, rest, self._table(number, self._foreign(then, before)), np.empty((0, 3), np.float32))

    def _foreign(self, then: Ground, before: Ground | None) -> Mask:
        foreign = self._unlike(then)
        if before is not None and before is not then:
            foreign = foreign & self._unlike(before)
        thick = np.ones((self._options.thick_px,) * 2, np.uint8)
        return np.asarray(cv2.morphologyEx(foreign, cv2.MORPH_OPEN, thick), np.uint8)

    def _is_table(self, then: Ground, cover: NDArray[np.bool_], table: Looks) -> bool:
        """What crosses edges is table that shows again: what lay there, or cast a shadow, has gone."""
        crossing = cover & np.logical_or.reduce(self._strips)
        shown, was = self._looks(crossing), self._looks(crossing, self._before(then))
        revealed = (self._apart(shown, table) < 1) & (self._apart(was, table) >= 1)
        return bool(revealed.mean() >= self._options.revealed)

    def _before(self, then: Ground) -> Looks:
        """What an earlier moment looks like in the light of now."""
        if id(then) not in self._relit:
            old, known = then.now()
            self._relit[id(then)] = np.asarray(old + lights(self._now.logs - old, known > 0, self._ground), np.float32)
        return self._relit[id(then)]

    def _table(self, number: int, foreign: Mask) -> Looks:
        """What the table looks like around a place."""
        return self._looks(self._strips[number] & self._bare & (cv2.dilate(foreign, np.ones((5, 5), np.uint8)) == 0))

    def _width_px(self, outline_px: Quad) -> int:
        sides = np.linalg.norm((outline_px - np.roll(outline_px, 1, axis=0)) * self._now.scale, axis=1)
        return max(3, round(self._ground.ring * float(sides.min())))

    def _strip(self, outline_px: Quad) -> NDArray[np.bool_]:
        """The table around a place; where other pieces are too close, a wider strip."""
        bare, width = self._aside == 0, self._width_px(outline_px)
        strip = np.zeros(bare.shape, bool)
        for wider in (1, 2, 4):
            if strip.sum() < self._ground.least_px:
                strip = bare & (fill([outline_px], self._now.scale, bare.shape, self._ground.margin_px + wider * width) > 0)
        return strip

    def _crossed(self, number: int, cover: NDArray[np.bool_]) -> float:
        strip = self._strips[number]
        return float(cover[strip].mean()) if strip.sum() >= self._ground.least_px else 0.0

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
        for one, other, same in zip(looks.T, those.T, self._options.same, strict=True):  # much faster than a third axis of three
            np.maximum(apart, np.abs(one[:, None] - other[None]) / np.float32(same), out=apart)
        return np.asarray(apart.min(axis=1), np.float32)

    def _shows(self, then: Ground, where: NDArray[np.bool_], table: Looks, covers: Looks) -> bool:
        """Enough of what tells the piece from the table is still seen there."""
        piece, shown = self._looks(where, self._before(then)), self._looks(where)
        tells = self._apart(piece, table) >= 1
        if tells.sum() < self._options.telling * len(tells):
            return False
        off = shown - piece
        off[:, 0] -= np.clip(off[:, 0], -self._options.shadow, 0.0)
        apart = np.abs(off / np.array(self._options.same, np.float32)).max(axis=1)
        is_piece = (apart < 1) & (apart < self._apart(shown, covers)) & (self._apart(shown, table) >= 1)
        return float(is_piece[tells].mean()) >= self._options.piece
