"""Recordings: what happened at a table, kept in a folder, to be run again, reported on and packed for a fault report."""

from visionset.recording.heading import Heading
from visionset.recording.recorder import Recorder, RecorderOptions
from visionset.recording.recording import KeptEvent, KeptLayout, KeptPicture, Recording

__all__ = ["Heading", "KeptEvent", "KeptLayout", "KeptPicture", "Recorder", "RecorderOptions", "Recording"]
