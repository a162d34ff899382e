"""What a recording shows of cards and tables, cut out while its video is gone through once."""

from __future__ import annotations

import base64
from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from visionset.messages import at_table
from visionset.pieces import Piece
from visionset.recording import KeptLayout, Recording
from visionset.recording.recording import piece_picture
from visionset.report.html import Html, tag
from visionset.table import Sighting


@dataclass(frozen=True, slots=True)
class CuttingOptions:
    """Sizes of what is cut out."""

    card_px: tuple[int, int] = (76, 116)
    """Width and height of a card's picture: sharp on a fine screen at half the size."""
    table_px: int = 720
    """Width of a table's picture, so that cards can be told on it."""
    tables: int = 6
    """Pictures of the whole table, evenly over time."""
    most: int = 400
    """Pictures of cards; a long match has some hundred, 5 kB each."""
    quality: int = 80
    """Of JPEG; small pictures stay clear at 80."""
    looks_back: int = 900
    """Settled frames before a move in which its cards are looked for: half a minute."""


@dataclass(frozen=True, slots=True)
class CardsSeen:
    """Cards in a frame in which they lie on the table."""

    frame: int
    pieces: tuple[Piece, ...]


@dataclass(slots=True)
class CutOut:
    """What was cut out."""

    cards: dict[CardsSeen, Html] = field(default_factory=dict)
    tables: list[tuple[float, Html]] = field(default_factory=list)
    """Each with its time."""


def last_shown(layouts: Sequence[KeptLayout], pieces: tuple[Piece, ...], time_s: float, options: CuttingOptions) -> CardsSeen | None:
    """The last settled frame up to a time in which some cards all lie there; None where they were not seen together."""
    last = bisect_right(layouts, time_s, key=lambda layout: layout.time_s)
    there: dict[int, bool] = {}
    for layout in reversed(layouts[max(0, last - options.looks_back) : last]):
        if there.setdefault(id(layout.table), set(pieces) <= set(layout.table.pieces)):
            return CardsSeen(layout.frame, pieces)
    return None


def cuttings(recording: Recording, wanted: Iterable[CardsSeen], options: CuttingOptions, step: Callable[[], object]) -> CutOut:
    """Go through the video once; `step` is called once a picture."""
    by_frame: dict[int, list[CardsSeen]] = {}
    for shown in list(dict.fromkeys(wanted))[: options.most]:
        by_frame.setdefault(shown.frame, []).append(shown)
    layouts = {layout.frame: layout for layout in recording.layouts}
    settled = sorted(layouts)
    stride = max(1, len(settled) // options.tables)
    whole = set(settled[stride // 2 :: stride][: options.tables])
    found = CutOut()
    for frame in recording.frames():
        step()
        if frame.index in whole:
            scale = min(1.0, options.table_px / frame.size_px[0])
            small = np.asarray(cv2.resize(frame.image_bgr, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
            found.tables.append((frame.time_s, _picture(small, options.quality, "")))
        for shown in by_frame.get(frame.index, ()):
            sightings: dict[object, Sighting] = {one.piece: one for one in layouts[frame.index].table.sightings}
            if set(shown.pieces) <= sightings.keys():  # another settled frame may claim the same number
                cards = [piece_picture(frame.image_bgr, sightings[piece].outline_px, options.card_px) for piece in shown.pieces]
                found.cards[shown] = _picture(np.hstack(cards), options.quality, ", ".join(map(at_table, shown.pieces)))
    return found


def _picture(image_bgr: NDArray[np.uint8], quality: int, told: str) -> Html:
    _, data = cv2.imencode(".jpg", image_bgr, [cv2.IMWRITE_JPEG_QUALITY, quality])
    return embedded(data.tobytes(), told)


def embedded(jpeg: bytes, told: str) -> Html:
    """A picture as part of the page itself, with words for people who do not see it."""
    return tag("img", alt=told, src=f"data:image/jpeg;base64,{base64.b64encode(jpeg).decode()}")
