"""Draw names and SETs on a photo: python examples/draw_table.py [PHOTO] [PICTURE]."""

import sys
from pathlib import Path

import visionset
from visionset.sources import read_picture
from visionset.video_writer import write_picture

photo = sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parents[1] / "samples" / "table-12.jpg"
picture = sys.argv[2] if len(sys.argv) > 2 else f"{Path(photo).stem}-sets.jpg"
image_bgr = read_picture(photo)
table = visionset.read(image_bgr)

write_picture(Path(picture), visionset.draw(image_bgr, table))
print(f"{picture}: {len(table.sightings)} pieces")
