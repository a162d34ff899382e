"""Tracking: from frames to settled tables. Pieces are followed, and what changed between two tables is told."""

from visionset.tracking.options import TrackerOptions
from visionset.tracking.tracker import AsyncReader, AtOnce, Reader, TableTracker, dithered, follow

__all__ = ["AsyncReader", "AtOnce", "Reader", "TableTracker", "TrackerOptions", "dithered", "follow"]
