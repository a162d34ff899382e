"""Tracking: from frames to settled tables. Pieces are followed, and what changed between two tables is told."""

from visionset.tracking.dither import dithered
from visionset.tracking.options import TrackerOptions
from visionset.tracking.readings import AtOnce, Reader, Readings
from visionset.tracking.tracker import TableTracker, follow

__all__ = ["AtOnce", "Reader", "Readings", "TableTracker", "TrackerOptions", "dithered", "follow"]
