"""A film of a game: moments in a row, streamed as frames with fresh noise, and the ways of a hand."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import cv2
import numpy as np

from tests.clips.moments import Item, Moment
from tests.clips.stage import Stage
from visionset.geometry import Frame
from visionset.pieces import SetCard
from visionset.render.hands import HandPose
from visionset.sources.base import Source
from visionset.table import Guess, Sighting, Table

FPS = 10.0
"""Frames a second: a hand that picks up three cards is seen ten times."""

NOISE = 1.8
"""Standard deviation of a pixel from frame to frame, on the scale of 0 to 255."""

NOISE_MARGIN_PX = 48
OFFSTAGE_MM, ABOVE_MM, CARRY_MM = 150.0, 50.0, 30.0
"""Where a hand waits outside the picture; how high it carries."""

GRIP_MM = 15.0
"""How far the fingers reach over the edge of what they hold."""

SPOT_MM = 35.0
"""Hands reach for spots so far apart: each is rendered once."""

CARD_HALF_MM, DIE_HALF_MM = 43.0, 12.0
WAYS = (0.35, 0.7)
"""Shares of the way to the first place at which a hand is seen."""


MOST_WAIT_S = 6.0
"""So long people wait for the referee to understand what they did; then they go on all the same."""


Misread = Mapping[SetCard, tuple[SetCard, float]]
"""What the camera takes cards for, and how surely."""


def taken_for(table: Table, misread: Misread) -> Table:
    """A reading in which some cards are taken for others."""
    changed = []
    for one in table.sightings:
        card = one.guess.piece if one.guess is not None else one.piece
        if isinstance(card, SetCard) and card in misread:
            read, sure = misread[card]
            one = Sighting(one.kind, one.outline_px, read, sure, Guess(read, sure, card, 1 - sure))
        changed.append(one)
    return replace(table, sightings=tuple(changed))


class Film(Source):
    """Streams moments; nothing is painted before it is asked for. `misread`: what the camera takes cards for, and how surely.

    While `is_awaited` says that the referee does not understand the table yet, nobody does the next thing.
    """

    name, fps = "film", FPS

    def __init__(self, stage: Stage, moments: Sequence[Moment], seed: int = 0, misread: Misread | None = None) -> None:
        self.stage, self.moments = stage, moments
        self.misread = dict(misread or {})
        self.size_px = stage.view.size_px
        self.index, self.frames, self._waited = -1, 0, 0
        self.is_awaited: Callable[[], bool] = lambda: False
        self._rng = np.random.default_rng([seed, 7])
        width, height = self.size_px
        noise = self._rng.normal(0, NOISE, (height + NOISE_MARGIN_PX, width + NOISE_MARGIN_PX, 3))
        self._more, self._less = (np.asarray(np.clip(np.round(sign * noise), 0, 255), np.uint8) for sign in (1, -1))

    @property
    def now(self) -> Moment:
        """What the last frame shows."""
        return self.moments[self.index]

    def poll(self, timeout_s: float) -> Frame | None:
        if self.index + 1 >= len(self.moments):
            self.ended = True
            return None
        coming = self.moments[self.index + 1]
        if self._waited < FPS * MOST_WAIT_S and self.index >= 0 and self.now.is_quiet and not coming.is_quiet and self.is_awaited():
            self._waited += 1
        else:
            self.index, self._waited = self.index + 1, 0
        self.frames += 1
        left, top = self._rng.integers(0, NOISE_MARGIN_PX, 2)
        width, height = self.size_px
        cut = (slice(top, top + height), slice(left, left + width))
        picture = self.stage.picture(self.now)
        if any(self.now.shift_px):
            to_place = np.array([[1.0, 0.0, self.now.shift_px[0]], [0.0, 1.0, self.now.shift_px[1]]])
            picture = np.asarray(cv2.warpAffine(picture, to_place, (width, height), borderMode=cv2.BORDER_REFLECT_101), np.uint8)
        image = cv2.subtract(cv2.add(picture, self._more[cut]), self._less[cut])
        return Frame(np.asarray(image, np.uint8), self.frames - 1, (self.frames - 1) / FPS)


class Reel:
    """A film while it is planned: what lies there, and what happens next."""

    def __init__(self, stage: Stage, lying: Sequence[Item] = ()) -> None:
        self.stage = stage
        self.lying = tuple(lying)
        self.moments: list[Moment] = []

    def rest(self, seconds: float) -> None:
        """Nothing happens."""
        self.moments += [Moment(self.lying)] * max(1, round(seconds * FPS))

    def press(self, keys: str) -> None:
        """Somebody presses keys, one a frame."""
        self.moments += [Moment(self.lying, key=key) for key in keys]

    def sweep(self, take: Sequence[Item] = (), lay: Sequence[Item] = ()) -> None:
        """One visit of a hand that picks pieces up one by one, or lays them down, or both."""
        moves = [*((one, False) for one in take), *((one, True) for one in lay)]
        first, last = moves[0], moves[-1]
        carried: tuple[Item, ...] = () if not first[1] else (first[0],)
        for share in WAYS:
            self._at(first[0], share, carried)
        for number, (item, is_laid) in enumerate(moves):
            coming = moves[number + 1][0] if number + 1 < len(moves) and moves[number + 1][1] else None
            self._at(item, 1.0, (item,) if is_laid else carried)
            if is_laid:
                self.lying = (*self.lying, item)
                carried = () if coming is None else (coming,)
                self._at(item, 1.0, ())
            else:
                self.lying = tuple(one for one in self.lying if one != item)
                carried = (item,)
                self._at(item, 1.0, carried)
        for share in reversed(WAYS):
            self._at(last[0], share, carried)

    def wave(self, seconds: float = 0.6, x_mm: float = 0.0, y_mm: float = 0.0) -> None:
        """An open hand over the table, and nothing else."""
        for number in range(max(1, round(seconds * FPS))):
            pose = HandPose((x_mm + 40.0 * (number % 3), y_mm, 55.0), -np.pi / 2, 12.0, 0.16, 0.1, 0.7)
            self.moments.append(Moment(self.lying, pose))

    def _at(self, item: Item, share: float, carried: tuple[Item, ...]) -> None:
        pose = reach(self.stage, item, share)
        x, y, z = pose.tip_mm
        arm = center_of(item) - np.array(reach(self.stage, item, 1.0).tip_mm[:2])
        moving = tuple(one.at(x + float(arm[0]), y + float(arm[1]), z) for one in carried)
        self.moments.append(Moment(self.lying, pose, moving))

    def pressed(self, key: str) -> None:
        """A key is pressed in the last moment."""
        self.moments[-1] = replace(self.moments[-1], key=key)


def center_of(item: Item) -> np.ndarray:
    return np.array([item.place.x_mm, item.place.y_mm])


def reach(stage: Stage, item: Item, share: float) -> HandPose:
    """A hand on its way from outside the picture (0) to a piece (1); the same for all pieces that lie about there."""
    half_mm = DIE_HALF_MM if item.is_die else CARD_HALF_MM
    spot = SPOT_MM * np.round(center_of(item) / SPOT_MM)
    near = float(stage.view.table_mm()[2:, 1].max())
    away = np.array([0.35 * spot[0] + 40.0, near + OFFSTAGE_MM])
    aim = float(np.arctan2(spot[1] - away[1], spot[0] - away[0]))
    heading = -np.pi / 2 + 0.7 * (aim + np.pi / 2)
    hold = spot - max(0.0, half_mm - GRIP_MM) * np.array([np.cos(heading), np.sin(heading)])
    tip = away + share * (hold - away)
    height = CARRY_MM + (1 - share) * (ABOVE_MM - CARRY_MM)
    return HandPose((float(tip[0]), float(tip[1]), float(height)), heading, 18.0 + 4 * share, 0.1, 0.8, 0.25)
