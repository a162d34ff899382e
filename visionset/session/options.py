"""What a session has to know beforehand, and the tracker that follows from it."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass, replace

from visionset.calibration import Calibration
from visionset.errors import check_type
from visionset.geometry import Frame
from visionset.kinds import MOST_DECKS
from visionset.pieces import Kind
from visionset.sources import Aside
from visionset.table import Table
from visionset.tracking import TableTracker, TrackerOptions, dithered
from visionset.vision import pipeline
from visionset.vision.engine import one_thread
from visionset.vision.options import ReadOptions, check_numbers


@dataclass(frozen=True, slots=True)
class SessionOptions:
    """What lies on the table, before which camera, and how patient a session is.

    Attributes
    ----------
    decks : int
        Copies of each card that may lie there.
    min_confidence : float or None
        From 0 to 1: a piece that is read with less has no name; None leaves it to the reader.
    kinds : frozenset of Kind or None
        What is looked for; None for everything.
    is_refereed : bool
        A game is played: what is read while the view moves is not shown, since nothing may follow from it.
    profile : Calibration or None
        Of the camera: the inks of an unusual deck, and the plane of the table for zones in millimetres.
    gap_s : float
        After so long without a frame nobody knows what was done meanwhile: it is the time of nobody's call. So it is while a camera
        shows the very same picture for longer.
    wait_s : float
        Longest wait for a frame before what people say is heard; shorter than anybody notices.
    patience_s : float
        Longest wait at the end for a listener that is busy aside.

    Raises
    ------
    OptionError
        A choice that makes no sense: a `ValueError` too.
    """

    decks: int = 1
    min_confidence: float | None = None
    kinds: frozenset[Kind] | None = None
    is_refereed: bool = False
    profile: Calibration | None = None
    gap_s: float = 2.0
    wait_s: float = 0.02
    patience_s: float = 5.0

    def __post_init__(self) -> None:
        """Raises `OptionError`: no table can be followed so."""
        check_numbers(self, decks=(1, MOST_DECKS))
        check_type(self.is_refereed, bool, "is_refereed as True or False", "give one of them")
        check_type(self.profile, Calibration | None, "profile as Calibration", "visionset.calibration.load reads one by its name")
        _ = self.reading

    @property
    def reading(self) -> ReadOptions:
        """How frames are read."""
        deck = None if self.profile is None else self.profile.deck
        return ReadOptions.wanted(self.decks, self.min_confidence, self.kinds, None if deck is None else deck.ink_deg)

    @property
    def tracking(self) -> TrackerOptions:
        """How the table is tracked."""
        options = TrackerOptions()
        names = replace(options.settle.names, decks=self.decks)
        if self.min_confidence is not None:
            names = replace(names, sure=self.min_confidence)
        has_glance = options.has_glance and not self.is_refereed
        return replace(options, settle=replace(options.settle, names=names), has_glance=has_glance)


def tracker_of(options: SessionOptions, is_live: bool, stack: ExitStack) -> TableTracker:
    """Make what tracks a source: a camera is read aside, so that no frame waits for a reading; a file at once, the same each time."""
    reading = options.reading

    @dithered
    def read(frame: Frame) -> Table:
        return pipeline.read(frame.image_bgr, reading)

    return TableTracker(stack.enter_context(Aside(one_thread()(read))) if is_live else read, options.tracking)
