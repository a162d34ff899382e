"""Tables and pictures of known truth, and stand-ins for the reader, the camera and the window."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import cv2
import numpy as np

from visionset.geometry import Frame
from visionset.pieces import Kind, Piece, SetCard, SetDie
from visionset.table import Guess, Settled, Sighting, Table
from visionset.video_writer import VideoWriter

ONE_SET = ("1-red-solid-oval", "2-red-solid-oval", "3-red-solid-oval")
NINE = (
    *ONE_SET,
    "1-green-open-diamond",
    "2-purple-solid-squiggle",
    "1-purple-solid-oval",
    "2-green-open-oval",
    "3-red-open-diamond",
    "?",
)
"""Nine cards in reading order, the last unread."""


def sighting(name: str, outline_px: object, confidence: float = 0.9) -> Sighting:
    """A card by name; ``?`` is one that could not be read."""
    if name == "?":
        guess = Guess(SetCard.parse("3-purple-striped-diamond"), 0.4)
        return Sighting(Kind.SET_CARD, np.array(outline_px, float), None, 0.4, guess)
    return Sighting(Kind.SET_CARD, np.array(outline_px, float), SetCard.parse(name), confidence)


def deal(
    names: Sequence[str],
    size_px: tuple[int, int] = (1280, 720),
    card_px: float = 160,
    gap_px: float = 40,
    columns: int = 3,
    turn_deg: float = 0,
) -> Table:
    """Cards in rows and columns about the middle of the picture, the whole turned."""
    turn = np.deg2rad(turn_deg)
    matrix = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    width, height = card_px, card_px * 56 / 87
    rows = -(-len(names) // columns)
    seen = []
    for place, name in enumerate(names):
        row, column = divmod(place, columns)
        center = np.array([(column - (columns - 1) / 2) * (width + gap_px), (row - (rows - 1) / 2) * (height + gap_px)])
        corners = center + np.array([[-width, -height], [width, -height], [width, height], [-width, height]]) / 2
        seen.append(sighting(name, corners @ matrix.T + np.array(size_px) / 2))
    return Table(size_px, tuple(seen))


def set_dice(faces: dict[tuple[int, int], str], side_px: float = 60, corner_px: tuple[float, float] = (40, 40)) -> tuple[Sighting, ...]:
    """SET dice that touch, by (row, column); ``?`` is one that could not be read."""
    seen = []
    for (row, column), name in faces.items():
        square = np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) * side_px
        outline = square + 1.03 * side_px * np.array([column, row]) + np.array(corner_px)
        seen.append(Sighting(Kind.SET_DIE, outline, None if name == "?" else SetDie.parse(name), 0.4 if name == "?" else 0.9))
    return tuple(seen)


def thrown_set_dice(names: Sequence[str], side_px: float = 30) -> tuple[Sighting, ...]:
    """SET dice apart from each other, each at its own angle."""
    seen = []
    for place, name in enumerate(names):
        row, column = divmod(place, 7)
        angle = np.deg2rad(17 * place)
        turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
        square = (np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) - 0.5) * side_px
        outline = square @ turn.T + 2 * side_px * np.array([column + 1, row + 1])
        seen.append(Sighting(Kind.SET_DIE, outline, SetDie.parse(name), 0.9))
    return tuple(seen)


def picture(table: Table, ground_bgr: tuple[int, int, int] = (60, 110, 40)) -> np.ndarray:
    """A plain picture of a table: white cards without symbols."""
    image = np.full((table.size_px[1], table.size_px[0], 3), ground_bgr, np.uint8)
    for card in table.sightings:
        cv2.fillConvexPoly(image, np.round(card.outline_px).astype(np.int32), (240, 240, 240))
    return image


class FakeTracker:
    """Follows a table that stays as it is told."""

    def __init__(self, table: Table, held: bool = False, remarks: tuple[str, ...] = ()) -> None:
        self.table, self.held, self.remarks = table, held, remarks
        self.timings_ms: dict[str, float] = {"motion": 2.0, "read": 1.0}

    def see(self, frame: Frame) -> Settled:
        return Settled(self.table, self.held, remarks=self.remarks)

    def exclude(self, pieces: frozenset[Piece]) -> None:
        raise AssertionError("nothing to leave out")


def clip(path: Path, images: Iterable[np.ndarray], fps: float = 10.0) -> Path:
    """Write a small video."""
    with VideoWriter(path, fps) as recording:
        for number, image in enumerate(images):
            recording.write(image, number / fps)
    return path


class Clock:
    """Time that passes when it is told to."""

    def __init__(self, step_s: float = 0.0) -> None:
        self.now_s, self.step_s = 100.0, step_s

    def __call__(self) -> float:
        self.now_s += self.step_s
        return self.now_s


class FakeCapture:
    """A camera that plays a script: pictures, False for a failure, a callable to be called first."""

    def __init__(self, script: Iterable[object], opened: bool = True) -> None:
        self.script, self.opened, self.released = iter(script), opened, False

    def isOpened(self) -> bool:
        return self.opened

    def get(self, propId: int) -> float:
        return 25.0

    def release(self) -> None:
        self.released = True

    def read(self) -> tuple[bool, np.ndarray | None]:
        step = next(self.script, False)
        if isinstance(step, Callable):  # type: ignore[arg-type]
            step = step()
        return (True, step) if isinstance(step, np.ndarray) else (False, None)


class FakeScreen:
    """A window in which keys are pressed by a script; the person quits when it is over."""

    def __init__(self, keys: str | Sequence[int]) -> None:
        self.keys = [ord(key) if isinstance(key, str) else key for key in keys]
        self.shown: list[np.ndarray] = []

    def show(self, image_bgr: np.ndarray) -> None:
        self.shown.append(image_bgr)

    def key(self, wait_s: float) -> int:
        return self.keys.pop(0) if self.keys else ord("q")

    def click(self) -> None:
        return None

    def pull(self) -> None:
        return None

    def is_open(self) -> bool:
        return True


def answers(*lines: str) -> Callable[[str], str]:
    """A person at the terminal who answers with these lines and then leaves."""
    coming = iter(lines)

    def ask(question: str = "") -> str:
        try:
            return next(coming)
        except StopIteration:
            raise EOFError from None

    return ask
