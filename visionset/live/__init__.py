"""Live: from frames to events. Pieces are followed through a stream, and what changed between two settled tables is told."""

from visionset.live.follower import Follower, LiveOptions, Reader, follow

__all__ = ["Follower", "LiveOptions", "Reader", "follow"]
