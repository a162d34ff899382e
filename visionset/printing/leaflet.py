"""The rules of a game as a leaflet to fold, from the game's own book of rules."""

from __future__ import annotations

from collections.abc import Iterator

from visionset.art import CARD_HEIGHT_MM, CARD_WIDTH_MM
from visionset.games.game import Game
from visionset.games.registry import GAMES
from visionset.messages import Message, in_words
from visionset.pieces import SetCard, SetDie
from visionset.printing.faces import draw_set_card, draw_set_die
from visionset.printing.pdf import GREY, Pages, Paper

_RIM_MM = 12.0
_SIZES_MM = (5.0, 4.6, 4.2, 3.9, 3.6, 3.3, 3.0)
"""Sizes of letters, the largest first."""

_LINE = 1.36
"""Height of a line in sizes of its letters."""

_COLUMNS = 2
"""On a page."""

_CARDS = ("1-red-solid-oval", "2-green-striped-squiggle", "3-purple-open-diamond")
_DICE = ("1-red-oval", "2-green-squiggle", "3-purple-diamond")
_PICTURE_MM = 24.0


def leaflet_pdf(paper: Paper, name: str) -> bytes:
    """The rules of the game of that name in two columns of a sheet that lies on its side: folded once it has half the size.

    The letters are as large as one page allows; rules that fit on none go on behind it.
    """
    for size_mm in _SIZES_MM:
        pages = Pages(paper, GAMES[name].title, sideways=True)
        if _drawn(pages, GAMES[name], size_mm) <= _COLUMNS:
            break
    return pages.data()


def _drawn(pages: Pages, game: Game, size_mm: float) -> int:
    """Draw a leaflet, and say how many columns it takes."""
    width, line_mm = pages.size_mm[0] / 2 - 2 * _RIM_MM, _LINE * size_mm
    place = _Place(pages)
    place.down(7.0)
    pages.text(place.left, place.base, game.title, 7.0, bold=True)
    least, most = game.min_players, game.max_players
    seats = Message("page.start.seats", count=least) if least == most else Message("page.start.seats_to", least=least, most=most)
    place.down(6.0)
    pages.text(place.left, place.base, in_words(seats), 3.3, paint=GREY)
    _picture(pages, game, place, width)
    room = 3.0 * size_mm
    for rule in game.rules:
        lines = list(wrapped(pages, rule.text.replace("`", ""), width - room, size_mm))
        place.paragraph(len(lines), line_mm)
        for at, line in enumerate(lines):
            place.down(line_mm)
            if at == 0:
                pages.text(place.left, place.base, rule.number, size_mm, bold=True)
            pages.text(place.left + room, place.base, line, size_mm)
    for words in game.spec.book.presets.values():
        lines = list(wrapped(pages, in_words(Message("house.line", words=words.name, value=words.means)), width, 0.9 * size_mm))
        place.paragraph(len(lines), line_mm)
        for line in lines:
            place.down(line_mm)
            pages.text(place.left, place.base, line, 0.9 * size_mm, paint=GREY)
    return place.columns


class _Place:
    """Where the next line stands: down one column, then down the next, then on a page more."""

    def __init__(self, pages: Pages) -> None:
        self._pages, self.columns = pages, 0
        self._next()

    def _next(self) -> None:
        if self.columns % _COLUMNS == 0:
            self._pages.begin()
        self.left = _RIM_MM + self.columns % _COLUMNS * self._pages.size_mm[0] / 2
        self.base = _RIM_MM
        self.columns += 1

    def paragraph(self, lines: int, line_mm: float) -> None:
        """Leave a little room, and begin a column where so many lines do not fit in this one."""
        self.base += 0.35 * line_mm
        if self.base + lines * line_mm > self._pages.size_mm[1] - _RIM_MM and lines < 12:
            self._next()

    def down(self, by: float) -> None:
        """Go on one line of that height."""
        if self.base + by > self._pages.size_mm[1] - _RIM_MM:
            self._next()
        self.base += by


def wrapped(pages: Pages, text: str, width_mm: float, size_mm: float) -> Iterator[str]:
    """Words in lines of a width; a word that is longer has a line of its own."""
    line = ""
    for word in text.split():
        longer = f"{line} {word}".strip()
        if line and pages.width(longer, size_mm) > width_mm:
            yield line
            longer = word
        line = longer
    yield line


def _picture(pages: Pages, game: Game, place: _Place, width_mm: float) -> None:
    """A SET of what the game is played with, where it is played with cards or dice of SET."""
    if not {"set-cards", "set-dice"} & set(game.spec.pieces):
        return
    place.down(_PICTURE_MM + 4.0)
    for at, (card, die) in enumerate(zip(_CARDS, _DICE, strict=True)):
        x, y = place.left + (at + 0.5) * width_mm / 4, place.base - _PICTURE_MM / 2
        if "set-cards" in game.spec.pieces:
            with pages.placed(x, y, scale=_PICTURE_MM / CARD_HEIGHT_MM):
                pages.frame(-CARD_WIDTH_MM / 2, -CARD_HEIGHT_MM / 2, CARD_WIDTH_MM, CARD_HEIGHT_MM, 4.0, line=0.8)
                draw_set_card(pages, SetCard.parse(card))
        else:
            side = 0.8 * _PICTURE_MM
            pages.frame(x - side / 2, y - side / 2, side, side, 0.12 * side)
            with pages.placed(x, y):
                draw_set_die(pages, SetDie.parse(die), side)
