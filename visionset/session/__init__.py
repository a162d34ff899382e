"""A session: frames and what people say go in, snapshots and news come out, to any number of listeners."""

from visionset.session.options import SessionOptions, tracker_of
from visionset.session.session import Keeper, Listener, Session, SetsOnTable, Snapshot, Tracker

__all__ = ["Keeper", "Listener", "Session", "SessionOptions", "SetsOnTable", "Snapshot", "Tracker", "tracker_of"]
