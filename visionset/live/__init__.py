"""Live: from frames to events. Pieces are followed through a stream, and what changed between two settled tables is told."""

from visionset.live.follower import Follower, Reader, follow
from visionset.live.options import LiveOptions

__all__ = ["Follower", "LiveOptions", "Reader", "follow"]
