"""From a table and its SETs to a drawing: outlines, badges and labels, each where it hides nothing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from math import sqrt
from typing import TypeAlias

import numpy as np

from visionset.geometry import Floats
from visionset.overlay.ground import Ground
from visionset.overlay.lettering import text_size
from visionset.overlay.marks import DARK, OKABE_ITO, SILVER, SKY, WHITE, YELLOW, Bgr, Box, Drawing, Line, Mark, Tag
from visionset.overlay.outline import inset, outward_normals, short_side_px, symbol_zone
from visionset.overlay.view import Hint, View
from visionset.pieces import Kind
from visionset.table import Sighting, Table
from visionset.words import label_lines

Trio: TypeAlias = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class OverlayStyle:
    """Sizes of what is drawn. "Picture" is the square root of its area, so that a drawing looks alike on a webcam frame and a phone photo.

    Attributes
    ----------
    line, line_range : float
        Width of a SET's line over the card's short side, kept within these shares of the picture (1.5 to 5.5 px at 720p).
    ring : float
        From one SET's line to the next on the same card, in line widths: two for the dark line and a little air.
    rings : int
        Lines that fit between a card's edge and its symbols; further SETs on it get their badge alone.
    text, text_range : float
        Font size over the card's short side, within these shares of the picture (11 to 24 px at 720p).
    badge : float
        Diameter of a badge in font sizes.
    dash : float
        Length of a dash in line widths.
    groups : int
        SETs drawn at once: four hues, solid and dashed; more cannot be told apart.
    """

    line: float = 0.026
    line_range: tuple[float, float] = (0.0016, 0.0057)
    ring: float = 2.4
    rings: int = 3
    text: float = 0.15
    text_range: tuple[float, float] = (0.0115, 0.025)
    badge: float = 1.5
    dash: float = 5.0
    groups: int = 2 * len(OKABE_ITO)


@dataclass(frozen=True, slots=True)
class Group:
    """One SET as it is drawn.

    Attributes
    ----------
    number : int
        Its place among all SETs on the table, from 0.
    positions : tuple of int
        The sightings that are outlined; fewer than three for a hint.
    """

    number: int
    positions: tuple[int, ...]

    @property
    def letter(self) -> str:
        """``A`` for the first SET; numbers after ``Z``."""
        return chr(ord("A") + self.number) if self.number < 26 else str(self.number + 1)

    @property
    def color_bgr(self) -> Bgr:
        """One of four hues."""
        return OKABE_ITO[self.number % len(OKABE_ITO)]

    @property
    def is_dashed(self) -> bool:
        """Every other round through the hues is dashed."""
        return self.number // len(OKABE_ITO) % 2 == 1


def shown_groups(sets: Sequence[Trio], view: View, style: OverlayStyle = OverlayStyle()) -> tuple[Group, ...]:
    """What of the SETs the view gives away."""
    if not sets or view.hint in {Hint.OFF, Hint.COUNT}:
        return ()
    if view.hint is Hint.ALL and view.step is None:
        return tuple(Group(number, trio) for number, trio in enumerate(sets[: style.groups]))
    number = (view.step or 0) % len(sets)
    return (Group(number, sets[number][: {Hint.ONE: 1, Hint.TWO: 2}.get(view.hint, 3)]),)


def draw_table(table: Table, sets: Sequence[Trio], view: View = View(), style: OverlayStyle = OverlayStyle()) -> Drawing:
    """Draw what was seen, for a picture of the table's size.

    Parameters
    ----------
    table : Table
        Already turned to the view (`View.turn_table`).
    sets : sequence of three positions
        All SETs among `table.sightings`.
    view : View
        What to give away.
    style : OverlayStyle
        Sizes.

    Returns
    -------
    Drawing
        A thin line round each card, the lines and badges of the SETs, a "?" on each card that was not read, and labels
        where they cover no symbol and no other tag.
    """
    return _Composer(table, shown_groups(sets, view, style), style).compose(view.labels)


@dataclass(slots=True)
class _Composer:
    table: Table
    groups: tuple[Group, ...]
    style: OverlayStyle
    picture_px: float = field(init=False)
    ground: Ground = field(init=False)

    def __post_init__(self) -> None:
        seen = self.table.sightings
        self.picture_px = sqrt(self.table.size_px[0] * self.table.size_px[1])
        cell_px = max(1, round(self.style.text_range[0] * self.picture_px / 4))  # a quarter of the smallest letters
        self.ground = Ground(self.table.size_px, (s.outline_px for s in seen), (symbol_zone(s) for s in seen), cell_px)

    def compose(self, labels: bool) -> Drawing:
        seen = self.table.sightings
        marks: list[Mark] = [line for position, sighting in enumerate(seen) for line in self._lines(position, sighting)]
        marks += [tag for sighting in seen if _is_unread(sighting) for tag in self._question(sighting)]
        if len(self.groups) > 1:
            marks += [tag for group in self.groups for position in group.positions for tag in self._badge(group, seen[position])]
        if labels:
            marks += [tag for sighting in seen for tag in self._label(sighting)]
        return Drawing(self.table.size_px, tuple(marks))

    def _line_px(self, sighting: Sighting) -> float:
        least, most = self.style.line_range
        return float(np.clip(self.style.line * short_side_px(sighting.outline_px), least * self.picture_px, most * self.picture_px))

    def _text_px(self, sighting: Sighting) -> float:
        least, most = self.style.text_range
        return float(np.clip(self.style.text * short_side_px(sighting.outline_px), least * self.picture_px, most * self.picture_px))

    def _lines(self, position: int, sighting: Sighting) -> Iterator[Line]:
        quad, width = sighting.outline_px, self._line_px(sighting)
        mine = [group for group in self.groups if position in group.positions][: self.style.rings]
        if not mine:
            yield Line(inset(quad, 0.0), WHITE if _is_unread(sighting) else SILVER, width / 2, 6 * width if _is_unread(sighting) else 0.0)
        for ring, group in enumerate(mine):
            yield Line(
                inset(quad, (1 + ring * self.style.ring) * width),
                group.color_bgr,
                width,
                self.style.dash * width if group.is_dashed else 0.0,
            )

    def _question(self, sighting: Sighting) -> Iterator[Tag]:
        size = 1.3 * self._text_px(sighting)
        across = 1.5 * size
        box = self.ground.take(_at_corners(sighting, across)) or Box.around(sighting.center_px, across, across)
        yield Tag(box, ("?",), size, DARK, WHITE, is_round=True, bold=True)

    def _badge(self, group: Group, sighting: Sighting) -> Iterator[Tag]:
        size = self._text_px(sighting)
        across = self.style.badge * size
        box = self.ground.take(_at_corners(sighting, across))
        if box:
            ink = DARK if group.color_bgr in {YELLOW, SKY} else WHITE
            yield Tag(box, (group.letter,), size, ink, group.color_bgr, is_round=True, bold=True)

    def _label(self, sighting: Sighting) -> Iterator[Tag]:
        if sighting.piece is None:
            return
        size = self._text_px(sighting)
        forms = label_lines(sighting.piece)
        for off_cards in (True, False):
            for lines in forms:
                width, height = text_size(lines, size)
                plate = width + 0.6 * size, height + 0.5 * size
                box = self.ground.take(_beside(sighting, *plate, outside=off_cards), off_cards=off_cards)
                if box:
                    yield Tag(box, lines, size)
                    return


def _is_unread(sighting: Sighting) -> bool:
    return sighting.piece is None and sighting.kind is not Kind.CARD_BACK


def _at_corners(sighting: Sighting, across: float) -> Iterator[Box]:
    """Places for a disc: on the corners from the top left, just inside them, just outside, then along the sides."""
    quad = sighting.outline_px
    corners = quad[np.argsort(quad.sum(axis=1), kind="stable")]
    inward = sighting.center_px - corners
    inward = inward / np.maximum(np.linalg.norm(inward, axis=1, keepdims=True), 1e-9)
    for shift in (0.35, 0.0, -0.4):
        for corner, direction in zip(corners, inward, strict=True):
            yield Box.around(corner + shift * across * direction, across, across)
    for share in (0.5, 0.3, 0.7):
        for start, end in zip(quad, np.roll(quad, -1, axis=0), strict=True):
            yield Box.around(start + share * (end - start), across, across)


def _beside(sighting: Sighting, width: float, height: float, *, outside: bool) -> Iterator[Box]:
    """Places for a plate along the sides, the lowest side first: wholly outside, or across the edge and inside it."""
    quad = sighting.outline_px
    middles = (quad + np.roll(quad, -1, axis=0)) / 2
    normals = outward_normals(quad)
    for side in np.argsort(-middles[:, 1], kind="stable"):
        reach = (abs(normals[side, 0]) * width + abs(normals[side, 1]) * height) / 2
        along: Floats = quad[(side + 1) % 4] - quad[side]
        for shift in (1.15,) if outside else (-0.15, -0.6, -1.0, 0.3):
            for share in (0.0, -0.25, 0.25):
                yield Box.around(middles[side] + shift * reach * normals[side] + share * along, width, height)
