"""Live: from frames to events. Pieces are followed through a stream, and what changed between two settled tables is told."""

from visionset.live.dither import dithered
from visionset.live.follower import Follower, follow
from visionset.live.options import LiveOptions
from visionset.live.readings import AtOnce, Reader, Readings

__all__ = ["AtOnce", "Follower", "LiveOptions", "Reader", "Readings", "dithered", "follow"]
