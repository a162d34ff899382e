"""Films: what is seen of a table from frame to frame, each frame with its truth.

Any frame can be rendered by itself: the noise of frame 57 depends on the seed and on 57, not on frames 0 to 56.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from visionset.render.table_plan import Body, LaidFlat, TablePlan
from visionset.render.table_truth import TruePiece, true_pieces
from visionset.render.tables import NOISE, Lit, over

FPS = 15.0

DRIFT, DRIFT_PERIOD_S = 0.012, 3.7
"""Slow wander of the automatic exposure, as a share, and its period."""

HAND_RESPONSE = 0.12
"""How much a picture full of hand changes the exposure."""

STILL_COVER = 1e-6
"""Share of a picture that a hand may cover and be out of it all the same."""


@dataclass(frozen=True, slots=True)
class Happening:
    """Something that happens to a piece, or to none, from one time to another."""

    action: str
    piece: str | None
    start_s: float
    end_s: float


@dataclass(frozen=True, slots=True, eq=False)
class Instant:
    """What the camera sees while its shutter is open, or for a part of that time."""

    table: Lit
    """What lies still; the dice in its picture may be more than those that its plan has lying."""
    bodies: tuple[Body, ...] = ()
    held: LaidFlat | None = None
    blur_px: tuple[float, float] = (0.0, 0.0)
    moving: int = 0
    """Pieces in sight that do not lie still: they have no value yet."""


@dataclass(frozen=True, slots=True, eq=False)
class ClipFrame:
    """One frame."""

    image_bgr: NDArray[np.uint8]
    index: int
    lying: tuple[TruePiece, ...]
    """What lies still."""
    moving: int
    """Pieces in sight that do not."""
    covered: float
    """Share of the picture that a hand or a card in the air covers."""

    @property
    def quiet(self) -> bool:
        """Nothing moves, no hand is there."""
        return not self.moving and self.covered < STILL_COVER


@dataclass(frozen=True, slots=True, eq=False)
class TableClip:
    """A clip to be rendered frame by frame."""

    plan: TablePlan
    """The table when all is done."""
    happenings: tuple[Happening, ...]
    """In the order of their start."""
    frames: int
    """How many."""
    shows: Callable[[int], list[Instant]]
    """``(index) -> list of Instant``: what is averaged for a frame."""

    def __iter__(self) -> Iterator[ClipFrame]:
        """Render the frames, first to last."""
        return map(self.frame, range(self.frames))

    def frame(self, index: int) -> ClipFrame:
        """Render one frame."""
        instants = self.shows(index)
        radiances, covers = zip(*(over(one.table, one.bodies, one.held, one.blur_px) for one in instants), strict=True)
        radiance, cover = (np.asarray(np.mean(parts, axis=0), np.float32) for parts in (radiances, covers))
        covered = float(cover.mean())
        gain = 1 + DRIFT * np.sin(2 * np.pi * index / FPS / DRIFT_PERIOD_S) + HAND_RESPONSE * covered
        image = self.plan.sensor.take(np.random.default_rng([self.plan.seed, NOISE, index]), radiance, float(gain))
        plan = instants[0].table.plan
        return ClipFrame(image, index, true_pieces(plan, cover) if covered else _truth(plan), instants[0].moving, covered)


@lru_cache(maxsize=4)
def _truth(plan: TablePlan) -> tuple[TruePiece, ...]:
    return true_pieces(plan)
