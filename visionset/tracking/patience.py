"""Patience: how many readings a quiet table needs before it is believed."""

from __future__ import annotations

from collections.abc import Sequence

from visionset.pieces import Kind
from visionset.tracking.association import offsets
from visionset.tracking.observations import Draft
from visionset.tracking.options import TrackerOptions
from visionset.tracking.tracks import Track


def readings_needed(draft: Draft, tracks: Sequence[Track], options: TrackerOptions) -> int:
    """Few when every reading saw the same and is sure of it, most when one overlooked something or contradicts what is known."""
    needed = options.readings
    places = draft.places()
    here = (offsets(tracks, places) < options.settle.pairs.here).T
    for place, is_here in zip(places, here, strict=True):
        face, share = place.belief.top
        if place.seen < place.looked:
            return options.most_readings
        if any(there and track.face not in {face, None} for track, there in zip(tracks, is_here, strict=True)):
            return options.most_readings
        if share < options.settle.names.sure and place.belief.kind is not Kind.CARD_BACK:
            needed = options.unsure_readings
    return needed
