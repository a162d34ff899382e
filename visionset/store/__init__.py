"""The store: every match as an append-only event log, in one SQLite file."""

from visionset.store.album import Album
from visionset.store.database import Store
from visionset.store.high_scores import all_scores, high_scores, places
from visionset.store.match import Entry, EntryKind, Match, Origin, Summary

__all__ = ["Album", "Entry", "EntryKind", "Match", "Origin", "Store", "Summary", "all_scores", "high_scores", "places"]
