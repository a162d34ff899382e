"""The table as it was left: spreads, grids and hands of a game's view, as a page shows them."""

from __future__ import annotations

from collections.abc import Iterable

from visionset.games.view import Grid, GridEntry, Hand, Spread, ViewPart
from visionset.messages import Words, at_table
from visionset.report.drawings import Drawings
from visionset.report.html import Html, joined_html, tag

_MOST_COLUMNS = 4
"""Of a spread that a phone can show in its rows; a wider one runs on, line by line."""


def shown_state(parts: Iterable[ViewPart], drawings: Drawings) -> Html:
    """Show what the view of a game gives."""
    return joined_html(*(_part(part, drawings) for part in parts))


def _part(part: ViewPart, drawings: Drawings) -> Html:
    match part:
        case Spread():
            return joined_html(_titled(part.title), _spread(part, drawings))
        case Grid():
            return joined_html(_titled(part.title), _grid(part, drawings))
        case Hand():
            after = tag("p", at_table(part.after)) if part.after else ""
            return joined_html(tag("h3", part.player), drawings.row(part.pieces), after)


def _titled(title: Words) -> Html:
    return tag("h3", at_table(title)) if title else Html("")


def _spread(part: Spread, drawings: Drawings) -> Html:
    if part.columns > _MOST_COLUMNS:
        return drawings.row(tuple(piece for piece in part.pieces if piece is not None))
    width = max(1, part.columns)
    lines = (part.pieces[at : at + width] for at in range(0, len(part.pieces), width))
    rows = (tag("tr", *(tag("td", "" if piece is None else drawings.show(piece)) for piece in line)) for line in lines)
    return tag("table", *rows, class_="spread", role="presentation")


def _grid(part: Grid, drawings: Drawings) -> Html:
    head = (
        tag("thead", tag("tr", *(tag("th", at_table(one), scope="col") if one else tag("td") for one in part.head)))
        if any(part.head)
        else ""
    )
    rows = (tag("tr", *(_entry(entry, drawings) for entry in row)) for row in part.rows)
    table = tag("table", head, tag("tbody", *rows), class_="grid-of-game")
    return tag("div", table, class_="scrolls", tabindex=0, role="region", aria_label=at_table(part.title))


def _entry(entry: GridEntry, drawings: Drawings) -> Html:
    words = at_table(entry.text)
    if entry.piece is None:
        return tag("td", words, class_=entry.stress.value)
    return tag("td", drawings.show(entry.piece), tag("small", words) if words else "", class_=entry.stress.value)
