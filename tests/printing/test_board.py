"""Board, mats, sheets and leaflets on paper: from the same data as the games, whole on their pages, read where a camera reads them."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

import visionset
from tests.printing.photographs import Cutting, flat, folded, from_above, page_picture, pages_of, paths_mm, photograph, size_mm, words_of
from visionset.games.cubed.board import Board, default_board
from visionset.games.registry import GAMES
from visionset.kinds import kinds_of
from visionset.messages import speaking
from visionset.pieces import SET_DECK
from visionset.printing.board import board_pdf, board_tiles
from visionset.printing.deck import MARGIN_MM, CardSize, card_grid, deck_pdf
from visionset.printing.dice import DiceForm, bag_of_dice, cube_places, dice_pdf, face_centers_mm
from visionset.printing.leaflet import leaflet_pdf
from visionset.printing.mats import english_mat_pdf, english_zones_mm, set_mat_pdf, set_places_mm
from visionset.printing.pdf import Paper
from visionset.printing.score_sheets import score_sheets_pdf
from visionset.printing.tiles import Tiling, tiling
from visionset.referee.zones import ENGLISH_ZONES
from visionset.render.layouts import Spot
from visionset.render.table_pieces import Flat
from visionset.vision.options import ReadOptions

SQUARE_MM = 17.5
DIE_MM = 16.0


def taped(data: bytes, tiles: Tiling) -> tuple[list[tuple[Flat, Spot]], np.ndarray]:
    """The sheets, cut and put edge to edge about the middle of the table; the top left corner of the whole there."""
    laid = []
    middle = np.array([tiles.x_cuts[-1], tiles.y_cuts[-1]]) / 2
    for sheet in range(tiles.sheets):
        row, column = divmod(sheet, len(tiles.x_cuts) - 1)
        low = np.array([tiles.x_cuts[column], tiles.y_cuts[row]])
        high = np.array([tiles.x_cuts[column + 1], tiles.y_cuts[row + 1]])
        center = (low + high) / 2
        x, y = center + tiles.corner_mm(sheet)
        width, height = high - low
        cut = Cutting((float(x), float(y)), (float(width), float(height))).of(page_picture(data, sheet))
        laid.append((flat(cut), Spot(*map(float, center - middle), 0.0)))
    return laid, -middle


@pytest.mark.parametrize("paper", list(Paper))
def test_squares_lie_where_the_plan_has_them(paper: Paper) -> None:
    """Every bonus and every line, in the file, within a tenth of a millimetre."""
    board, data, tiles = default_board(), board_pdf(paper, default_board()), board_tiles(paper, default_board(), SQUARE_MM)
    assert pages_of(data) == tiles.sheets == 2
    for sheet in range(tiles.sheets):
        corner = np.array(tiles.corner_mm(sheet))
        squares = [path for path in paths_mm(data, sheet) if len(path) >= 4 and np.abs(np.ptp(path, axis=0) - SQUARE_MM).max() < 0.05]
        found = {tuple(np.round((path.min(axis=0) - corner) / SQUARE_MM, 2)[::-1]) for path in squares}
        assert found >= {(bonus.row, bonus.col) for bonus in board.bonuses} | set(board.logo)
        for bonus in board.bonuses:
            if tiles.x_cuts[sheet] <= bonus.col * SQUARE_MM < tiles.x_cuts[sheet + 1]:
                left, top = corner + SQUARE_MM * np.array([bonus.col, bonus.row])
                box = (float(left), float(top), float(left) + SQUARE_MM, float(top) + SQUARE_MM)
                assert words_of(data, sheet, box).strip() == f"+{bonus.points}"


@pytest.mark.slow
@pytest.mark.parametrize("paper", list(Paper))
def test_printed_dice_are_read_on_the_printed_board(paper: Paper) -> None:
    """Each in its row and column, and no bonus square is a die."""
    board, bag, dice = default_board(), bag_of_dice(), dice_pdf(paper, DiceForm.CUBES, DIE_MM)
    sheets, corner = taped(board_pdf(paper, board, SQUARE_MM), board_tiles(paper, board, SQUARE_MM))
    cells = [*board.logo, (6, 7), (5, 7), (8, 8), (9, 8), (9, 9), (9, 10), (5, 6), (5, 5)]
    a_page, blocks, there = len(cube_places(paper, DIE_MM)), [], {}
    pages = [page_picture(dice, at) for at in range(-(-len(cells) // a_page))]
    for number, (row, column) in enumerate(cells):
        page = pages[number // a_page]
        cuts = [Cutting(center, (DIE_MM, DIE_MM)).of(page) for center in face_centers_mm(paper, DiceForm.CUBES, DIE_MM, number)]
        x, y = corner + SQUARE_MM * (np.array([column, row]) + 0.5)
        blocks.append(folded(cuts, bag[number][0], DIE_MM).at(Spot(float(x), float(y), 0.02)))
        there[row, column] = bag[number][0]
    wanted = ReadOptions.wanted(1, None, kinds_of(GAMES["cubed"].spec.pieces))  # as the game looks at its board
    view = from_above((1280, 720), 2.6, 8.0)
    table = visionset.read(photograph(sheets, view, blocks), options=wanted)
    assert len(table.sightings) == len(cells)
    for one in table.sightings:
        way = [np.hypot(*(view.see(np.array([[*die.center_mm[:2], DIE_MM]]))[0][0] - one.center_px)) for die in blocks]
        nearest = int(np.argmin(way))
        assert way[nearest] < 0.3 * SQUARE_MM * view.scale_px_mm
        assert one.piece == there[cells[nearest]]


@pytest.mark.parametrize(
    ("units", "unit_mm"), [((15, 15), (17.5, 17.5)), ((200, 1), (30.0, 30.0)), ((1, 1), (500.0, 10.0)), ((580, 480), (1, 1))]
)
def test_no_unit_is_cut_and_all_are_there(units: tuple[int, int], unit_mm: tuple[float, float]) -> None:
    for paper in Paper:
        tiles = tiling(paper, units, unit_mm)
        for cuts, count, unit in zip((tiles.x_cuts, tiles.y_cuts), units, unit_mm, strict=True):
            assert cuts[0] == 0
            assert cuts[-1] == pytest.approx(count * unit)
            assert np.allclose(np.array(cuts) / unit, np.round(np.array(cuts) / unit))


def test_a_board_of_ones_own_is_printed() -> None:
    board = Board("mine", 3, 4, ((1, 0), (1, 1), (1, 2)))
    assert pages_of(board_pdf(Paper.A4, board)) == 1


@pytest.mark.parametrize("paper", list(Paper))
def test_zones_of_the_mat_are_those_of_the_referee(paper: Paper) -> None:
    """Where the mat fills a picture of 16:9 from top to bottom, each printed zone is the zone of its name, up to its edges."""
    zones, height = english_zones_mm(), english_zones_mm()[-1].bottom
    width = 16 / 9 * height
    left = (width - max(zone.right for zone in zones)) / 2
    for zone in zones:
        for x, y in product((zone.left + 1, zone.right - 1), (zone.top + 1, zone.bottom - 1)):
            point = np.array([(x + left) / width * 1920, y / height * 1080])
            assert ENGLISH_ZONES.at(point, (1920, 1080)) == zone.name
    data = english_mat_pdf(paper)
    assert pages_of(data) == 6
    assert "pack" in words_of(data, 0)


@pytest.mark.parametrize(("paper", "size"), list(product(Paper, CardSize)))
def test_places_of_the_mat_hold_cards(paper: Paper, size: CardSize) -> None:
    data, places = set_mat_pdf(paper, size), np.array(set_places_mm(paper, size))
    assert len(places) == 21
    strokes = [path for page in range(pages_of(data)) for path in paths_mm(data, page)[:-1] if len(path) == 16]
    wide, tall = (side * card_grid(paper, size).scale for side in (57.0, 87.0))
    assert len(strokes) >= 21
    for path in strokes:
        assert np.ptp(path, axis=0) == pytest.approx((wide, tall), abs=0.02)


@pytest.mark.slow
def test_cards_are_read_on_the_printed_mat() -> None:
    paper, size = Paper.A4, CardSize.COMPACT
    grid, deck, mat = card_grid(paper, size), page_picture(deck_pdf(paper, size), 0), set_mat_pdf(paper, size)
    places = np.array(set_places_mm(paper, size))
    pitch = places[3, 0] - places[0, 0], places[1, 1] - places[0, 1]
    sheets, corner = taped(mat, tiling(paper, (7, 3), (float(pitch[0]), float(pitch[1]))))
    order = [(5 * at) % 21 for at in range(12)]
    cards = [
        (flat(Cutting(grid.center_mm(at), grid.cell_mm, 1).of(deck), 4 * grid.scale), Spot(*map(float, place + corner), 0.0))
        for at, place in zip(order, places, strict=False)
    ]
    table = visionset.read(photograph([*sheets, *cards], from_above((1280, 720), 3.2, 8.0)))
    assert {one.piece for one in table.sightings} == {SET_DECK[at] for at in order}


@pytest.mark.parametrize("paper", list(Paper))
def test_sheets_have_all_that_players_write_in(paper: Paper) -> None:
    data = score_sheets_pdf(paper, 3)
    assert pages_of(data) == 3  # two players, one, and the ranks
    assert size_mm(data) == pytest.approx(paper.value, abs=0.01)
    boxes = [path for path in paths_mm(data) if np.ptp(path, axis=0) == pytest.approx((8.0, 8.0), abs=0.05)]
    assert len(boxes) == 2 * (10 + 6)  # the trackers' turns and the signs of the rows
    assert [word for word in words_of(data).split() if word == "10"] == ["10", "10"]
    for page in range(3):
        points = np.concatenate(paths_mm(data, page))
        assert (points >= MARGIN_MM).all()
        assert (points <= np.array(paper.value) - MARGIN_MM).all()


@pytest.mark.parametrize(("game", "language"), list(product(GAMES, ("en", "de"))))
def test_a_leaflet_has_every_rule_of_its_game(game: str, language: str) -> None:
    with speaking(language):
        data = leaflet_pdf(Paper.A4, game)
        said = "".join("".join(words_of(data, page).split()) for page in range(pages_of(data)))
        assert pages_of(data) == 1
        assert "".join(GAMES[game].title.split()) in said
        for rule in GAMES[game].rules:
            assert rule.number in said
            assert "".join(rule.text.replace("`", "").split()[:4]) in said
