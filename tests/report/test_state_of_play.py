"""The table as it was left: each piece in its place, and what stands out marked as it is on the page."""

from __future__ import annotations

from xml.etree import ElementTree

from visionset.games.view import Grid, GridEntry, Spread, Stress, ViewPart
from visionset.pieces import SET_DECK, SET_DIE_FACES
from visionset.report.drawings import Drawings
from visionset.report.state_of_play import shown_state


def shown(part: ViewPart) -> ElementTree.Element:
    return ElementTree.fromstring(f"<main>{shown_state((part,), Drawings())}</main>")


def drawn(cell: ElementTree.Element) -> list[str]:
    return [use.attrib["href"] for use in cell.iter("use")]


def test_a_spread_is_shown_in_its_rows_with_empty_places_where_they_are() -> None:
    cards = (*SET_DECK[:4], None, *SET_DECK[4:7])
    rows = [[drawn(cell) for cell in row.iter("td")] for row in shown(Spread("", cards, 3)).iter("tr")]
    names = [[] if card is None else [f"#set-card-{card}"] for card in cards]
    assert rows == [names[:3], names[3:6], names[6:]]


def test_a_wide_spread_runs_on_without_its_empty_places() -> None:
    table = shown(Spread("", (*SET_DECK[:7], None), 7))
    assert not list(table.iter("tr"))
    assert drawn(table) == [f"#set-card-{card}" for card in SET_DECK[:7]]


def test_entries_of_a_grid_have_their_words_or_pieces_and_their_stress() -> None:
    entries = (GridEntry("3"), GridEntry("4", stress=Stress.GOOD), GridEntry(piece=SET_DIE_FACES[0], stress=Stress.FAINT))
    cells = list(shown(Grid("sheet", ("row",), (entries,))).iter("td"))
    assert [cell.text for cell in cells[:2]] == ["3", "4"]
    assert [cell.attrib.get("class", "") for cell in cells] == [one.stress.value for one in entries]
    assert len({one.stress.value for one in entries}) == 3
    assert drawn(cells[2]) == [f"#set-die-{SET_DIE_FACES[0]}"]
    assert cells[2].find("small") is None


def test_what_one_cannot_see_of_a_piece_stands_beneath_it() -> None:
    """A WILD is drawn as the face that it stands for."""
    (cell,) = shown(Grid("Ann", (), ((GridEntry("WILD", SET_DIE_FACES[0]),),))).iter("td")
    assert drawn(cell) == [f"#set-die-{SET_DIE_FACES[0]}"]
    assert cell.findtext("small") == "WILD"
