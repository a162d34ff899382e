"""What is said in words: the caption strip under the picture, and panels that the person asks for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from visionset.games.sets import Triple
from visionset.geometry import read_only
from visionset.messages import Message
from visionset.overlay.compose import shown_groups
from visionset.overlay.drawing import DARK, LINE_HEIGHT, SILVER, WHITE, YELLOW, Bgr, Box, Drawing, Tag, paint, text_size, text_width
from visionset.overlay.view import Reveal, View
from visionset.table import Table
from visionset.words import counted_pieces, counted_sets, may_hold_sets, what_lies


@dataclass(frozen=True, slots=True)
class PanelStyle:
    """Sizes of captions and panels, in shares of the picture (square root of its area)."""

    text: float = 0.021
    """Font size: 20 px at 720p."""
    least_px: float = 12.0
    """Smallest font that can be read."""
    strip: float = 2.1
    """Height of the caption strip in font sizes."""
    two_lines: float = 0.8
    """Font size of two lines in that strip, in its own: words that would be smaller in one line, under a narrow picture, take two."""

    def size_px(self, picture_size_px: tuple[int, int]) -> float:
        """Font size for a picture."""
        return max(self.least_px, self.text * sqrt(picture_size_px[0] * picture_size_px[1]))


_STYLE = PanelStyle()

_STRIPS = 4
"""Strips that are kept."""


def caption_text(table: Table, sets: Sequence[Triple], count: int, view: View) -> Message:
    """One line that says what lies there, as far as the hints allow; of the SETs, `count` in all, not all may be listed."""
    if not table.sightings:
        return Message("caption.none")
    kinds = [sighting.kind for sighting in table.sightings]
    there = what_lies(kinds, sum(sighting.is_unread for sighting in table.sightings))
    if view.hint is Reveal.OFF or not may_hold_sets(kinds):
        return there
    if view.hint is Reveal.COUNT:
        return Message("caption.how_many", lying=there, count=count) if sets else Message("caption.how_many_none", lying=there)
    groups = shown_groups(sets, view)
    if not groups or (view.hint is Reveal.ALL and view.step is None):
        found = counted_sets(count)
        if len(groups) < count:
            return Message("caption.some_drawn", lying=there, sets=found, count=len(groups))
        return Message("caption.sets", lying=there, sets=found)
    group = groups[0]
    shown = {"lying": counted_pieces(kinds), "pieces": tuple(piece for at in group.positions if (piece := table.pieces[at]) is not None)}
    if len(sets) == 1:
        return Message("caption.one", **shown)
    return Message("caption.one_of", letter=group.letter, number=group.number + 1, count=len(sets), **shown)


def with_caption(image_bgr: NDArray[np.uint8], text: str, *, right: str = "", alert: bool = False) -> NDArray[np.uint8]:
    """Return the picture with a strip under it, so that the words hide nothing.

    The text is at the left, yellow where it is a warning or an answer to a key (`alert`), and `right` at the right end if both fit.
    """
    height, width = image_bgr.shape[:2]
    return np.vstack([image_bgr, _strip((width, height), text, right, alert)])


@lru_cache(_STRIPS)
def _strip(size_px: tuple[int, int], text: str, right: str, alert: bool) -> NDArray[np.uint8]:
    """The strip alone, for a picture of this size: most frames have the words of the one before."""
    width, height = size_px
    size = _STYLE.size_px(size_px)
    strip_px = round(_STYLE.strip * size / 2) * 2 + height % 2  # even in all, as video codecs want it
    strip = np.full((strip_px, width, 3), DARK, np.uint8)
    margin = 0.6 * size
    room = width - 2 * margin
    is_long = text_width(text, _STYLE.two_lines * size) > room
    lines, most = (_halves(text), _STYLE.two_lines * size) if is_long else ((text,), size)
    long = max(text_width(line, most) for line in lines)
    text_px = most if long <= room else max(8.0, most * room / long)
    tags = [_strip_tag(lines, text_px, margin, strip_px, YELLOW if alert else WHITE)]
    if right and max(text_width(line, text_px) for line in lines) + text_width(right, size) + margin <= room:
        tags.append(_strip_tag((right,), size, width - margin - text_width(right, size), strip_px, SILVER))
    return read_only(paint(Drawing((width, strip_px), tuple(tags)), strip))


def _halves(text: str) -> tuple[str, ...]:
    """A text in two lines, parted where they are most alike in length; one word stays one line."""
    spaces = [at for at, letter in enumerate(text) if letter == " "]
    at = min(spaces, key=lambda at: abs(2 * at + 1 - len(text)), default=len(text))
    return tuple(line for line in (text[:at], text[at + 1 :]) if line)


def _strip_tag(lines: tuple[str, ...], size: float, left: float, height: int, ink: Bgr) -> Tag:
    return Tag(Box(left, 0.0, text_size(lines, size)[0], height), lines, size, ink, opacity=0.0, centered=False)


def panel(lines: Sequence[str], size_px: tuple[int, int]) -> Drawing:
    """A plate with lines of text in the top left corner, made smaller where the picture is too small for it; a tab parts two columns."""
    size = _STYLE.size_px(size_px)
    rows = [line.partition("\t")[::2] for line in lines]
    first, second = tuple(row[0] for row in rows), tuple(row[1] for row in rows)
    width = text_size(first, size)[0] + text_size(second, size)[0] + 3 * size
    height = (len(rows) * LINE_HEIGHT + 1) * size
    fit = min(1.0, 0.96 * size_px[0] / width, 0.96 * size_px[1] / height)
    size, width, height = size * fit, width * fit, height * fit
    column = text_size(first, size)[0]
    plate = Tag(Box(size / 2, size / 2, width, height), ("",), size, opacity=0.9)
    keys = Tag(Box(1.3 * size, size / 2, column, height), first, size, YELLOW, opacity=0.0, centered=False)
    words = Tag(Box(2.3 * size + column, size / 2, text_size(second, size)[0], height), second, size, WHITE, opacity=0.0, centered=False)
    return Drawing(size_px, (plate, keys, words))
