"""Tracked: a reader of streams whose pieces keep their numbers and do not flicker."""

from __future__ import annotations

from visionset.changes import Settled
from visionset.frame import Frame
from visionset.live.follower import Follower, Reader
from visionset.live.options import LiveOptions
from visionset.table import Table


class Tracked:
    """Gives the last settled table for every frame, for those who only ask what lies there.

    Parameters
    ----------
    reader : callable
        Takes a `Frame`, returns the `Table` in it.
    options : LiveOptions, optional
        Numbers.

    Attributes
    ----------
    follower : Follower
        For corrections and knowledge about the deck.
    settled : Settled or None
        What the last frame told.
    timings_ms : dict of str to float
        Milliseconds of each stage of the last frame.
    """

    def __init__(self, reader: Reader, options: LiveOptions | None = None) -> None:
        self.follower = Follower(reader, options)
        self.settled: Settled | None = None
        self.timings_ms: dict[str, float] = {}

    def see(self, frame: Frame) -> Table:
        """Look at the next frame."""
        self.settled = self.follower.see(frame)
        self.timings_ms = self.follower.timings_ms
        return self.settled.table
