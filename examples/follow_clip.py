"""Follow a table through a clip and print what changes: python examples/follow_clip.py [CLIP or number of a camera]."""

import sys
from pathlib import Path

import visionset
from visionset.sources import open_source
from visionset.tracking import follow

SAMPLE = str(Path(__file__).parents[1] / "samples" / "deal-640x480.mp4")

with open_source(sys.argv[1] if len(sys.argv) > 1 else SAMPLE) as frames:
    for settled in follow(frames, lambda frame: visionset.read(frame.image_bgr)):
        for change in settled.changes:
            sighting = getattr(change, "after", None) or change.before
            print(f"frame {settled.table.frame_index}: {type(change).__name__.lower()} {sighting.piece or 'a piece that is not read'}")
