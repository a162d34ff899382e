"""What is drawn over a picture of the table: as data first, then painted on a copy."""

from visionset.overlay.compose import draw_table, shown_groups
from visionset.overlay.drawing import Box, Drawing, Line, Tag, paint
from visionset.overlay.panel import caption_text, panel, with_caption
from visionset.overlay.view import Reveal, View

__all__ = [
    "Box",
    "Drawing",
    "Line",
    "Reveal",
    "Tag",
    "View",
    "caption_text",
    "draw_table",
    "paint",
    "panel",
    "shown_groups",
    "with_caption",
]
