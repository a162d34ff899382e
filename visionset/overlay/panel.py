"""What is said in words: the caption strip under the picture, and panels that the person asks for."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from visionset.geometry import read_only
from visionset.messages import at_table
from visionset.overlay.compose import Trio, shown_groups
from visionset.overlay.drawing import (
    DARK,
    LINE_HEIGHT,
    SILVER,
    WHITE,
    YELLOW,
    Bgr,
    Box,
    Drawing,
    PanelStyle,
    Tag,
    paint,
    text_size,
    text_width,
)
from visionset.overlay.view import Reveal, View
from visionset.table import Table
from visionset.words import counted, counted_pieces

_STRIPS = 4
"""Strips that are kept."""


def caption_text(table: Table, sets: Sequence[Trio], view: View) -> str:
    """One line that says what lies there, as far as the hints allow."""
    unread = sum(sighting.is_unread for sighting in table.sightings)
    all_pieces = counted_pieces(sighting.kind for sighting in table.sightings)
    text = all_pieces + (f" ({unread} not sure)" if unread else "")
    if not table.sightings:
        return "no card in sight"
    if view.hint is Reveal.OFF:
        return text
    if view.hint is Reveal.COUNT:
        return f"{text} · {'there is' if len(sets) < 2 else 'there are'} {counted(len(sets), 'SET')}"
    groups = shown_groups(sets, view)
    text = f"{text} · {counted(len(sets), 'SET')}"
    if view.hint is Reveal.ALL and view.step is None:
        return f"{text}, {len(groups)} drawn: n shows one by one" if len(groups) < len(sets) else text
    if not groups:
        return text
    group, pieces = groups[0], table.pieces
    which = f"SET {group.letter}, {group.number + 1} of {len(sets)}: " if len(sets) > 1 else ""
    named = " + ".join(at_table(piece) for position in group.positions if (piece := pieces[position]) is not None)
    return f"{all_pieces} · {which}{named}"


def with_caption(
    image_bgr: NDArray[np.uint8], text: str, *, right: str = "", alert: bool = False, style: PanelStyle = PanelStyle()
) -> NDArray[np.uint8]:
    """Return the picture with a strip under it, so that the words hide nothing.

    The text is at the left, yellow where it is a warning or an answer to a key (`alert`), and `right` at the right end if both fit.
    """
    height, width = image_bgr.shape[:2]
    return np.vstack([image_bgr, _strip((width, height), text, right, alert, style)])


@lru_cache(_STRIPS)
def _strip(size_px: tuple[int, int], text: str, right: str, alert: bool, style: PanelStyle) -> NDArray[np.uint8]:
    """The strip alone, for a picture of this size: most frames have the words of the one before."""
    width, height = size_px
    size = style.size_px(size_px)
    strip_px = round(style.strip * size / 2) * 2 + height % 2  # even in all, as video codecs want it
    strip = np.full((strip_px, width, 3), DARK, np.uint8)
    margin = 0.6 * size
    room = width - 2 * margin
    text_px = size if text_width(text, size) <= room else max(8.0, size * room / text_width(text, size))
    tags = [_strip_tag(text, text_px, margin, strip_px, YELLOW if alert else WHITE)]
    if right and text_width(text, text_px) + text_width(right, size) + margin <= room:
        tags.append(_strip_tag(right, size, width - margin - text_width(right, size), strip_px, SILVER))
    return read_only(paint(Drawing((width, strip_px), tuple(tags)), strip))


def _strip_tag(text: str, size: float, left: float, height: int, ink: Bgr) -> Tag:
    return Tag(Box(left, 0.0, text_width(text, size), height), (text,), size, ink, opacity=0.0)


def panel(lines: Sequence[str], size_px: tuple[int, int], style: PanelStyle = PanelStyle()) -> Drawing:
    """A plate with lines of text in the top left corner, made smaller where the picture is too small for it; a tab parts two columns."""
    size = style.size_px(size_px)
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
