"""Options of a tracker: when it reads, what it believes."""

from __future__ import annotations

from dataclasses import dataclass, field

from visionset.tracking.background import GroundOptions
from visionset.tracking.camera_motion import ViewOptions
from visionset.tracking.motion import GateOptions
from visionset.tracking.remarks import RemarkOptions
from visionset.tracking.settling import SettleOptions
from visionset.tracking.visibility import CoverOptions


@dataclass(frozen=True, slots=True)
class TrackerOptions:
    """When a stream is read and believed.

    Attributes
    ----------
    readings : int
        Readings after which a table that is clear is settled: one could be a blink of the reader.
    unsure_readings : int
        The same when a piece is not sure: noise is averaged away.
    most_readings : int
        The same when readings contradict each other or what is known.
    moving_readings : int
        The same while the camera moves.
    reread_s : float
        Time from one reading to the next while something is still hidden, held or unclear, or the camera moves.
    waiting_readings : int
        Readings that are spent on it; after that the next motion is waited for.
    recheck_s : float
        Time from settling to looking again where the picture changed without any motion.
    changed : float
        Share of the small picture that must have changed for that.
    patience_s : float
        When something moves for longer, the rest of the table is read all the same.
    held_s : float
        A new piece beside something foreign that does not move for so long is in no hand.
    lost_s : float
        The camera's motion must be lost for so long before the table is looked for elsewhere: a large hand looks like it.
    blind : float
        When less than this share of the brightness is left and it is too dark, nothing can be said about the table.
    far_long_px : int
        Long side of the picture in which the view is found again after a bump.
    gate, view, ground, cover, settle, remarks
        Numbers of the stages.
    """

    readings: int = 2
    unsure_readings: int = 3
    most_readings: int = 5
    moving_readings: int = 4
    reread_s: float = 0.3
    waiting_readings: int = 20
    recheck_s: float = 1.0
    changed: float = 0.004
    patience_s: float = 2.0
    held_s: float = 1.2
    lost_s: float = 1.0
    blind: float = 0.4
    far_long_px: int = 480
    gate: GateOptions = field(default_factory=GateOptions)
    view: ViewOptions = field(default_factory=ViewOptions)
    ground: GroundOptions = field(default_factory=GroundOptions)
    cover: CoverOptions = field(default_factory=CoverOptions)
    settle: SettleOptions = field(default_factory=SettleOptions)
    remarks: RemarkOptions = field(default_factory=RemarkOptions)
