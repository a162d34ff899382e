"""What is on a filmed table from frame to frame: pieces that lie there, a hand, and what it holds."""

from __future__ import annotations

from dataclasses import dataclass, replace

from visionset.pieces import Kind, Piece
from visionset.render.hands import HandPose
from visionset.render.layouts import Spot


@dataclass(frozen=True, slots=True)
class Item:
    """A piece and how it lies; of a card without a piece the back is seen. `says`: what people say that a WILD stands for."""

    piece: Piece | None
    place: Spot
    lift_mm: float = 0.5
    tumble: tuple[float, ...] | None = None
    says: Piece | None = None

    @property
    def is_die(self) -> bool:
        return self.piece is not None and self.piece.kind in {Kind.SET_DIE, Kind.PIP_DIE}

    def at(self, x_mm: float, y_mm: float, lift_mm: float | None = None) -> Item:
        lift = self.lift_mm if lift_mm is None else lift_mm
        return replace(self, place=Spot(x_mm, y_mm, self.place.turn_rad), lift_mm=lift)


@dataclass(frozen=True, slots=True)
class Moment:
    """One frame: what lies still, and what a hand holds; `key` is pressed then.

    `shift_px`: how far a bump has moved the picture; `is_midway`: cards are in somebody's hand and will come back.
    """

    lying: tuple[Item, ...]
    hand: HandPose | None = None
    moving: tuple[Item, ...] = ()
    key: str = ""
    is_midway: bool = False
    shift_px: tuple[float, float] = (0.0, 0.0)

    @property
    def is_quiet(self) -> bool:
        """Nobody does anything."""
        return self.hand is None and not self.moving and not self.key
