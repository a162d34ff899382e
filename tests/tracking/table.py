"""A table for the tracker: plain pictures of cards and dice, a hand, light, shake, and a reader that knows what lies there."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache

import cv2
import numpy as np

from visionset.geometry import Frame, apply
from visionset.pieces import SET_DECK, Kind, Piece, PipDie
from visionset.table import Guess, Settled, Sighting, Table
from visionset.tracking import TableTracker, TrackerOptions

SIZE_PX = (640, 360)
FPS = 15.0
CARD_WH = (87.0, 57.0)
DIE_WH = (36.0, 36.0)
SPOTS = [(120.0 + 130 * column, 80.0 + 95 * row) for row in range(3) for column in range(4)]
"""Twelve places in rows."""


@dataclass(frozen=True)
class Lying:
    """One thing on the scripted table."""

    face: Piece | None
    x: float
    y: float
    turn_rad: float = 0.0
    kind: Kind = Kind.SET_CARD
    confidence: float = 0.97
    named: bool = True
    runner_up: Piece | None = None

    def outline(self) -> np.ndarray:
        width, height = DIE_WH if self.kind in {Kind.PIP_DIE, Kind.SET_DIE} else CARD_WH
        corners = np.array([[-width, -height], [width, -height], [width, height], [-width, height]]) / 2
        cos, sin = np.cos(self.turn_rad), np.sin(self.turn_rad)
        return corners @ np.array([[cos, sin], [-sin, cos]]) + (self.x, self.y)

    def sighting(self, view: np.ndarray, noise: np.ndarray) -> Sighting:
        outline = apply(view, self.outline()) + noise
        if self.face is None:
            return Sighting(self.kind, outline, None, self.confidence)
        guess = Guess(self.face, self.confidence, self.runner_up, min(self.confidence, 0.95 * (1 - self.confidence)))
        return Sighting(self.kind, outline, self.face if self.named else None, self.confidence, guess)


@dataclass(frozen=True)
class Moment:
    """One frame: what lies there, what covers it, the light, the view."""

    lying: tuple[Lying, ...]
    hand: tuple[float, float] | None = None
    cup: tuple[float, float] | None = None
    gain: float = 1.0
    lamp: float = 0.0
    view: tuple[tuple[float, ...], ...] = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
    blur: float = 0.0
    sheet: tuple[float, float] = (0.0, 0.0)
    """Share of the picture, from its upper edge, that a plain sheet is laid over, and its brightness (0 to 255)."""


def card(index: int, spot: int, **more: object) -> Lying:
    """A card of the deck on one of the twelve spots."""
    x, y = SPOTS[spot]
    return replace(Lying(SET_DECK[index], x, y), **more)  # type: ignore[arg-type]


def die(value: int, x: float, y: float, turn_rad: float = 0.0) -> Lying:
    return Lying(PipDie(value), x, y, turn_rad, Kind.PIP_DIE)


def twelve(first: int = 0) -> tuple[Lying, ...]:
    """Twelve cards."""
    return tuple(card(first + 5 * spot, spot) for spot in range(12))


def _grain() -> np.ndarray:
    rng = np.random.default_rng(7)
    coarse = cv2.resize(rng.normal(0, 1, (24, 40)).astype(np.float32), (900, 620), interpolation=cv2.INTER_CUBIC)
    fine = cv2.GaussianBlur(rng.normal(0, 1, (620, 900)).astype(np.float32), (0, 0), 2)
    return np.asarray(95 + 12 * coarse + 25 * fine)


_GRAIN = _grain()


@cache
def _face_picture(kind: Kind, name: str) -> np.ndarray:
    """White paper with marks that differ from face to face."""
    width, height = (int(v) for v in (DIE_WH if kind in {Kind.PIP_DIE, Kind.SET_DIE} else CARD_WH))
    picture = np.full((height, width, 3), 225, np.uint8)
    if kind is Kind.CARD_BACK:
        picture[4:-4, 4:-4] = (120, 40, 40)
        return picture
    rng = np.random.default_rng(sum(map(ord, name)) * 31 + len(name))
    for _ in range(4):
        center = (int(rng.integers(10, width - 10)), int(rng.integers(10, height - 10)))
        color = tuple(int(v) for v in rng.integers(20, 150, 3))
        cv2.circle(picture, center, int(rng.integers(4, 9)), color, -1)
    return picture


_NOISE = np.repeat(np.random.default_rng(3).normal(0, 2.0, (SIZE_PX[1] + 64, SIZE_PX[0] + 64, 1)).astype(np.float32), 3, axis=2)


def paint(moment: Moment, index: int) -> np.ndarray:
    """The picture of a moment, with noise of its own."""
    rng = np.random.default_rng(index)
    left, top = rng.integers(0, 64, 2)
    noisy = _still(moment) + _NOISE[top : top + SIZE_PX[1], left : left + SIZE_PX[0]]
    return np.clip(noisy, 0, 255, out=noisy).astype(np.uint8)


@lru_cache(maxsize=4)
def _laid(lying_there: tuple[Lying, ...], view_there: tuple[tuple[float, ...], ...]) -> np.ndarray:
    """The table alone: while a hand moves over it, it stays the same."""
    view = np.array(view_there)
    shift = np.array([[1.0, 0.0, -130.0], [0.0, 1.0, -130.0], [0.0, 0.0, 1.0]])
    background = cv2.warpPerspective(_GRAIN, view @ shift, SIZE_PX, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)
    picture = np.asarray(cv2.merge((0.55 * background, 0.8 * background, background)))
    for lying in lying_there:
        face = _face_picture(lying.kind, str(lying.face))
        height, width = face.shape[:2]
        flat = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
        outline = apply(view, lying.outline())
        left, top = np.clip(np.floor(outline.min(axis=0)).astype(int) - 2, 0, SIZE_PX)
        right, bottom = np.clip(np.ceil(outline.max(axis=0)).astype(int) + 3, 0, SIZE_PX)
        if left >= right or top >= bottom:
            continue
        here, size = np.s_[top:bottom, left:right], (int(right - left), int(bottom - top))  # all of the picture would take longer
        shift = np.array([[1.0, 0.0, -left], [0.0, 1.0, -top], [0.0, 0.0, 1.0]])
        place = shift @ cv2.getPerspectiveTransform(flat, outline.astype(np.float32))
        warped = cv2.warpPerspective(face, place, size)
        cover = cv2.merge([cv2.warpPerspective(np.ones((height, width), np.float32), place, size)] * 3)
        picture[here] = picture[here] * (1 - cover) + warped * cover
    return picture


@lru_cache(maxsize=16)
def _still(moment: Moment) -> np.ndarray:
    picture = _laid(moment.lying, moment.view).copy()
    if moment.cup is not None:
        cv2.circle(picture, tuple(int(v) for v in moment.cup), 52, (150.0, 60.0, 40.0), -1)
    if moment.hand is not None:
        x, y = moment.hand
        arm = np.array([[x - 28, y], [x + 28, y], [x + 75, 420], [x - 10, 420]]).astype(np.int32)
        cv2.fillConvexPoly(picture, arm, (120.0, 150.0, 205.0))
        cv2.ellipse(picture, (int(x), int(y)), (34, 46), 0, 0, 360, (115.0, 145.0, 200.0), -1)
        for finger in (-20, -7, 6, 19):
            cv2.line(picture, (int(x + finger), int(y)), (int(x + 1.5 * finger), int(y - 62)), (105.0, 135.0, 190.0), 9)
    picture[: _sheet_px(moment)] = moment.sheet[1]
    across = np.repeat(np.linspace(-1, 1, SIZE_PX[0]), 3).reshape(1, -1, 3)
    if moment.gain != 1 or moment.lamp:
        picture *= moment.gain * (1 + moment.lamp * across)
    picture = picture.astype(np.float32)
    return cv2.GaussianBlur(picture, (0, 0), moment.blur) if moment.blur else picture


def _sheet_px(moment: Moment) -> int:
    return round(moment.sheet[0] * SIZE_PX[1])


def is_hidden(lying: Lying, moment: Moment) -> bool:
    """The hand or the cup covers its middle, or the sheet some of it, or another thing lies over it."""
    if lying.outline()[:, 1].min() < _sheet_px(moment):
        return True
    spots = [spot for spot in (moment.hand, moment.cup) if spot is not None]
    for x, y in spots:
        if np.hypot(lying.x - x, lying.y - y) < 58:
            return True
    if moment.hand is not None and lying.y > moment.hand[1] and abs(lying.x - moment.hand[0]) < 70:
        return True
    later = moment.lying[moment.lying.index(lying) + 1 :]
    return any(np.hypot(lying.x - over.x, lying.y - over.y) < 45 for over in later)


@dataclass
class Script:
    """Moments to follow, and a reader that sees what is not hidden."""

    moments: list[Moment] = field(default_factory=list)
    misread: Callable[[int, Lying], Lying | None] | None = None
    readings: int = 0
    jitter_px: float = 0.4

    def stay(self, moment: Moment, frames: int) -> Script:
        self.moments += [moment] * frames
        return self

    def pass_over(self, moment: Moment, way: Sequence[tuple[float, float]], frames: int, after: Moment | None = None) -> Script:
        """A hand moves along a way; halfway the table becomes that of `after`."""
        points = np.array(way)
        for step in range(frames):
            at = step / (frames - 1) * (len(points) - 1)
            x, y = (float(np.interp(at, np.arange(len(points)), points[:, axis])) for axis in (0, 1))
            now = moment if after is None or step < frames / 2 else after
            self.moments.append(replace(now, hand=(x, y)))
        return self

    def frames(self) -> Iterator[Frame]:
        for index, moment in enumerate(self.moments):
            yield Frame(paint(moment, index), index, index / FPS)

    def read(self, frame: Frame) -> Table:
        self.readings += 1
        moment = self.moments[frame.index]
        rng = np.random.default_rng([5, self.readings])
        seen = []
        for lying in moment.lying:
            if is_hidden(lying, moment) or moment.gain < 0.1:
                continue
            other = self.misread(self.readings, lying) if self.misread else lying
            if other is not None:
                seen.append(other.sighting(np.array(moment.view), rng.normal(0, self.jitter_px, (4, 2))))
        return Table(SIZE_PX, tuple(seen), frame.index)

    def follow(self, options: TrackerOptions | None = None) -> list[Settled]:
        tracker = TableTracker(self.read, options)
        return [tracker.see(frame) for frame in self.frames()]


IN_AND_OUT = [(320.0, 470.0), (320.0, 170.0), (250.0, 120.0), (320.0, 470.0)]


def changes(told: Iterable[Settled]) -> list[str]:
    """All changes, in short: ``Taken 1-red-solid-oval``."""
    found = []
    for settled in told:
        for change in settled.changes:
            shown = getattr(change, "after", None) or change.before
            found.append(f"{type(change).__name__} {shown.piece}")
    return found
