"""From a table and its SETs to a drawing: outlines, badges and labels, each where it hides nothing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from copy import copy
from dataclasses import dataclass, field
from math import sqrt

import cv2
import numpy as np

from visionset.games.sets import Triple
from visionset.geometry import Quad
from visionset.overlay.drawing import DARK, OKABE_ITO, SILVER, SKY, WHITE, YELLOW, Bgr, Box, Drawing, Line, Tag, text_size
from visionset.overlay.outline import Outline, places_beside
from visionset.overlay.view import Reveal, View
from visionset.pieces import Kind
from visionset.table import Sighting, Table
from visionset.words import label_lines


class FreeSpace:
    """Two coarse masks, in cells of `cell_px`, of what tags must not cover: symbols and tags already placed; if possible cards."""

    def __init__(self, size_px: tuple[int, int], cards: Iterable[Quad], symbols: Iterable[Quad], cell_px: int) -> None:
        self._cell_px = cell_px
        self._width, self._height = size_px
        shape = -(-self._height // cell_px) + 1, -(-self._width // cell_px) + 1
        self._taken, self._cards = np.zeros(shape, np.uint8), np.zeros(shape, np.uint8)
        self._fill(self._taken, symbols)
        self._fill(self._cards, cards)

    def _fill(self, mask: np.ndarray[tuple[int, int], np.dtype[np.uint8]], quads: Iterable[Quad]) -> None:
        for quad in quads:
            cv2.fillConvexPoly(mask, np.round(quad / self._cell_px).astype(np.int32), 1)

    def copy(self) -> FreeSpace:
        """The same map, to try something on."""
        other = copy(self)
        other._taken = self._taken.copy()
        return other

    def take(self, candidates: Iterable[Box], *, off_cards: bool = False) -> Box | None:
        """Claim the first candidate in the picture that covers no symbol, no other tag and, `off_cards`, no card; None if there is none."""
        for box in candidates:
            if box.left < 0 or box.top < 0 or box.left + box.width > self._width or box.top + box.height > self._height:
                continue
            rows = slice(int(box.top / self._cell_px), int((box.top + box.height) / self._cell_px) + 1)
            columns = slice(int(box.left / self._cell_px), int((box.left + box.width) / self._cell_px) + 1)
            if self._taken[rows, columns].any() or (off_cards and self._cards[rows, columns].any()):
                continue
            self._taken[rows, columns] = 1
            return box
        return None


@dataclass(frozen=True, slots=True)
class OverlayStyle:
    """Sizes of what is drawn, most as shares of a card's short side, within limits as shares of the picture, which is the square root of
    its area: drawings look alike on webcam frames and phone photos."""

    line: float = 0.02
    line_range: tuple[float, float] = (0.0016, 0.0057)
    """`line` and `line_range`: width of a SET's line, of the card's short side, and its limits, of the picture (1.5 to 5.5 px at 720p)."""
    ring: float = 2.1
    """Distance from one SET's line to the next on the same card, in line widths: two for the dark line and a little air."""
    free: float = 0.14
    """Share of the short side between a card's edge and its symbols. As many lines as fit there are drawn; further SETs get their badge
    alone."""
    blur_px: float = 1.5
    """Pixels that rounding and anti-aliasing add to a line's width, whatever the picture's size."""
    text: float = 0.15
    text_range: tuple[float, float] = (0.0115, 0.025)
    """`text` and `text_range`: font size, of the card's short side, and its limits, of the picture (11 to 24 px at 720p)."""
    badge: float = 1.5
    """Diameter of a badge in font sizes."""
    question: float = 1.3
    """Font size of a "?" over that of a label: it asks for a look."""
    margin: tuple[float, float] = (0.5, 0.45)
    """Width and height that a label's plate adds to its text, in font sizes."""
    dash: float = 5.0
    """Length of a dash in line widths."""
    pips: float = 0.3
    pips_range: tuple[float, float] = (0.018, 0.035)
    """`pips` and `pips_range`: the same of a pip die's label, a single digit: as large as room allows, so that it can be read on a phone's
    photograph made small."""
    scales: tuple[float, ...] = (1.0, 0.85)
    """Factors of the font size at which all names are tried in full, one after the other, before some are shortened."""
    note: float = 0.02
    """Font size of a note at the edge, of the square root of the picture's area: 20 px at 720p."""
    groups: int = 2 * len(OKABE_ITO)
    """SETs drawn at once: four hues, solid and dashed; more cannot be told apart."""


@dataclass(frozen=True, slots=True)
class Group:
    """One SET as it is drawn."""

    number: int
    """Its place among all SETs on the table, from 0."""
    positions: tuple[int, ...]
    """The sightings that are outlined; fewer than three for a hint."""

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


def shown_groups(sets: Sequence[Triple], view: View, style: OverlayStyle = OverlayStyle()) -> tuple[Group, ...]:
    """What of the SETs the view gives away."""
    if not sets or view.hint in {Reveal.OFF, Reveal.COUNT}:
        return ()
    if view.hint is Reveal.ALL and view.step is None:
        return tuple(Group(number, trio) for number, trio in enumerate(sets[: style.groups]))
    number = (view.step or 0) % len(sets)
    return (Group(number, sets[number][: {Reveal.ONE: 1, Reveal.TWO: 2}.get(view.hint, 3)]),)


def draw_table(table: Table, sets: Sequence[Triple], view: View = View(), style: OverlayStyle = OverlayStyle(), note: str = "") -> Drawing:
    """Draw what was seen, for a picture of the table's size; the table is already turned to the view (`View.turn_table`).

    A note is a line of text at an edge, where it hides no piece if there is such a place.

    Returns
    -------
    Drawing
        A thin line round each card, the lines and badges of the SETs, a "?" on each card that was not read, and labels
        where they cover no symbol and no other tag.
    """
    return _Composer(table, shown_groups(sets, view, style), style).compose(view.labels, note)


@dataclass(slots=True)
class _Composer:
    table: Table
    groups: tuple[Group, ...]
    style: OverlayStyle
    picture_px: float = field(init=False)
    cards: tuple[tuple[Sighting, Outline], ...] = field(init=False)
    free_space: FreeSpace = field(init=False)

    def __post_init__(self) -> None:
        self.picture_px = sqrt(self.table.size_px[0] * self.table.size_px[1])
        self.cards = tuple((sighting, Outline.of(sighting)) for sighting in self.table.sightings)
        cell_px = max(1, round(self.style.text_range[0] * self.picture_px / 8))  # an eighth of the smallest letters
        symbols = (outline.symbols(sighting) for sighting, outline in self.cards)
        self.free_space = FreeSpace(self.table.size_px, (sighting.outline_px for sighting in self.table.sightings), symbols, cell_px)

    def compose(self, labels: bool, note: str) -> Drawing:
        marks: list[Line | Tag] = [line for position in range(len(self.cards)) for line in self._lines(position)]
        for sighting, outline in self.cards:
            if sighting.is_unread:
                marks.append(self._question(outline))
        if len(self.groups) > 1:
            marks += [tag for group in self.groups for position in group.positions for tag in self._badge(group, self.cards[position][1])]
        if note:
            marks.append(self._note(note))
        if labels:
            marks += self._labels()
        return Drawing(self.table.size_px, tuple(marks))

    def _size_px(self, share: float, least_most: tuple[float, float], outline: Outline) -> float:
        least, most = least_most
        return min(max(share * outline.short_px, least * self.picture_px), most * self.picture_px)

    def _text_px(self, outline: Outline) -> float:
        return self._size_px(self.style.text, self.style.text_range, outline)

    def _lines(self, position: int) -> Iterator[Line]:
        sighting, outline = self.cards[position]
        width = self._size_px(self.style.line, self.style.line_range, outline)
        dash = self.style.dash * width
        spare = (self.style.free * outline.short_px - self.style.blur_px) / width - 2
        rings = 1 + max(0, int(spare / self.style.ring))
        first = width if spare >= 0 else 0.0  # on a piece too small for a line beside its symbols, the line lies on the edge
        mine = [group for group in self.groups if position in group.positions][:rings]
        if not mine and sighting.is_unread:
            yield Line(outline.inset(width), WHITE, width, dash)
        elif not mine:
            yield Line(outline.inset(0.0), SILVER, width / 2)
        for ring, group in enumerate(mine):
            yield Line(outline.inset(first + ring * self.style.ring * width), group.color_bgr, width, dash if group.is_dashed else 0.0)

    def _question(self, outline: Outline) -> Tag:
        for size in (self.style.question * self._text_px(outline), self._text_px(outline)):
            across = self.style.badge * size
            box = self.free_space.take(outline.corner_places(across))
            if box:
                return Tag(box, ("?",), size, DARK, WHITE, is_round=True, bold=True)
        across = min(across, outline.short_px / 2)  # no room beside its symbols: on them, small, for nobody knows them anyway
        box = Box.around(outline.center, across, across).within(self.table.size_px)
        return Tag(box, ("?",), across / self.style.badge, DARK, WHITE, is_round=True, bold=True)

    def _badge(self, group: Group, outline: Outline) -> Iterator[Tag]:
        size = self._text_px(outline)
        across = self.style.badge * size
        box = self.free_space.take(outline.corner_places(across))
        if box:
            ink = DARK if group.color_bgr in {YELLOW, SKY} else WHITE
            yield Tag(box, (group.letter,), size, ink, group.color_bgr, is_round=True, bold=True)

    def _note(self, text: str) -> Tag:
        size = self.style.note * self.picture_px
        width, height = self._plate((text,), size)
        right, bottom = self.table.size_px[0] - width, self.table.size_px[1] - height
        places = [Box(share * right, edge, width, height) for edge in (bottom, 0.0) for share in (0.0, 1.0, 0.5, 0.25, 0.75)]
        return Tag(self.free_space.take(places, off_cards=True) or self.free_space.take(places) or places[0], (text,), size)

    def _labels(self) -> list[Tag]:
        """Labels with names in full, smaller if need be (`scales`); short forms only where there is still no room for some."""
        named = [(sighting.piece, self._label_px(sighting.kind, outline), outline) for sighting, outline in self.cards if sighting.piece]
        free, tags = self.free_space, list[Tag | None]()
        for scale in self.style.scales:
            self.free_space = free.copy()
            tags = [self._label(label_lines(piece)[:-1] or label_lines(piece), outline, scale * size) for piece, size, outline in named]
            if all(tags):
                break
        for at, (piece, size, outline) in enumerate(named):
            tags[at] = tags[at] or self._label(label_lines(piece)[-1:], outline, self.style.scales[-1] * size)
        return [tag for tag in tags if tag]

    def _label(self, forms: tuple[tuple[str, ...], ...], outline: Outline, size: float) -> Tag | None:
        plates = [(lines, *self._plate(lines, size)) for lines in forms]
        for side in outline.sides_from_below():
            for off_cards, shifts in ((True, (1.15,)), (False, (0.0, -0.6, -1.0, 0.6))):
                for lines, width, height in plates:
                    box = self.free_space.take(places_beside(side, width, height, shifts), off_cards=off_cards)
                    if box:
                        return Tag(box, lines, size)
        return None

    def _label_px(self, kind: Kind, outline: Outline) -> float:
        if kind is Kind.PIP_DIE:
            return self._size_px(self.style.pips, self.style.pips_range, outline)
        return self._text_px(outline)

    def _plate(self, lines: tuple[str, ...], size: float) -> tuple[float, float]:
        width, height = text_size(lines, size)
        return width + self.style.margin[0] * size, height + self.style.margin[1] * size
