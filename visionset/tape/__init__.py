"""Tapes: what happened at a table, kept in a folder, to be run again, reported on and packed for a fault report."""

from visionset.tape.heading import Heading
from visionset.tape.recorder import Recorder, RecorderOptions
from visionset.tape.tape import Happening, Layout, Shot, Tape

__all__ = ["Happening", "Heading", "Layout", "Recorder", "RecorderOptions", "Shot", "Tape"]
