"""Read a photo and print its SETs: python examples/read_photo.py [PHOTO]."""

import sys
from pathlib import Path

import visionset
from visionset.sources import read_picture

photo = sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parents[1] / "samples" / "table-12.jpg"
table = visionset.read(read_picture(photo))

for number, sighting in enumerate(table.sightings, 1):
    print(f"{number:2d}  {sighting.piece or 'not read for sure'}  {sighting.confidence:.2f}")
for kind in (visionset.Kind.SET_CARD, visionset.Kind.SET_DIE):
    pieces = [one.piece if one.kind is kind else None for one in table.sightings]
    for trio in visionset.find_sets(pieces):
        print("SET:", ", ".join(str(pieces[at]) for at in trio))
