"""A session: frames and what people say go in, snapshots and news come out, to any number of listeners."""

from visionset.session.options import SessionOptions, tracker_of
from visionset.session.session import Keeper, Session, Tracker
from visionset.session.snapshot import Listener, SetsOnTable, Snapshot

__all__ = ["Keeper", "Listener", "Session", "SessionOptions", "SetsOnTable", "Snapshot", "Tracker", "tracker_of"]
