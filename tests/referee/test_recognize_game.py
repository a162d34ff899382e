"""Which game lies there, and where the zones of English Sets are."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.referee.tabletop import outline
from tests.referee.test_cubed import PITCH_PX, cells_of
from visionset.calibration import Calibration, Lens
from visionset.errors import OutputError, RecordError
from visionset.games.grid import groups
from visionset.pieces import PACK, SET_DECK, SET_DIE_FACES, Piece, PipDie
from visionset.referee.lattice_fit import Fit, fitted, on_line, turned
from visionset.referee.recognize_game import offer
from visionset.referee.zones import ENGLISH_ZONES, Zone, Zones, ZoneUnits
from visionset.table import Sighting, Table


def table(pieces: list[Piece], pitch: float = 100.0, columns: int = 12) -> Table:
    seen = tuple(
        Sighting(piece.kind, outline(piece.kind, (60 + place % columns * pitch, 60 + place // columns * pitch)), piece, 0.9, None, place)
        for place, piece in enumerate(pieces)
    )
    return Table((1280, 720), seen)


def scattered(_: Table) -> tuple[None, ...]:
    return (None,) * len(_.sightings)


def test_the_pieces_tell_the_game() -> None:
    assert offer(table(list(SET_DECK[:12]))) == "set"
    assert offer(table(list(SET_DECK[:12])), players=1) == "solitaire"
    assert offer(table([PipDie(1), PipDie(4)])) == "sets-dice"
    assert offer(table(list(PACK[:8]))) == "english-sets"
    dice = [SET_DIE_FACES[place % 27] for place in range(42)]
    assert offer(table(dice[:9], PITCH_PX, 3), cells_of) == "cubed"
    assert offer(table(dice), scattered) == "scramble"
    assert offer(table(dice[:20]), scattered) == "crossword"
    assert offer(table([])) is None
    assert offer(table(list(SET_DECK[:3]))) is None
    assert offer(table([*SET_DECK[:12], PipDie(1)])) is None


def test_a_fit_is_found_whatever_the_turn_and_the_first_cell() -> None:
    known = {(7, 6): SET_DIE_FACES[0], (7, 7): SET_DIE_FACES[1], (7, 8): SET_DIE_FACES[2], (8, 8): SET_DIE_FACES[5]}
    for turn in range(4):
        cells = [turned((row + 3, col - 20), -turn) for row, col in known]
        fit = fitted(cells, list(known.values()), known, Fit())
        assert [fit.square(cell) for cell in cells] == list(known)
    logo = ((7, 6), (7, 7), (7, 8))
    for line in (((0, 0), (0, 1), (0, 2)), ((4, 2), (5, 2), (6, 2))):
        assert sorted(on_line(line, logo).square(cell) for cell in line) == list(logo)
    assert fitted([(0, 0)], [None], known, Fit(1, 2, 3)) == Fit(1, 2, 3)
    assert groups([(0, 0), (0, 1), (5, 5)]) == (frozenset({(0, 0), (0, 1)}), frozenset({(5, 5)}))


def test_zones_are_saved_dragged_and_loaded(tmp_path: Path) -> None:
    path = tmp_path / "zones" / "english.toml"
    moved = ENGLISH_ZONES.moved("starter", 0.4, 0.41, 0.6, 0.59)
    moved.save(path)
    assert Zones.load(path) == moved
    assert moved.at(np.array([640.0, 360.0]), (1280, 720)) == "starter"
    assert moved.at(np.array([900.0, 360.0]), (1280, 720)) == ""
    assert moved.at(np.array([100.0, 700.0]), (1280, 720)) == "hand 1"
    assert moved.outline_px("pack", (1280, 720))[2].tolist() == pytest.approx([384.0, 424.8])
    with pytest.raises(OutputError, match="expected a file to write to"):
        moved.save(tmp_path)
    with pytest.raises(RecordError, match="name another"):
        Zones.load(tmp_path / "none.toml")
    for text in ("zones = 3", "[zones]\npack = [0, 0, 1]", "[zones]\npack = [1, 0, 0, 1]", "= 3", 'ground = "moon"\n[zones]\n'):
        with pytest.raises(RecordError, match="expected"):
            Zones.parse(text)


def test_zones_in_millimetres_want_a_calibrated_camera() -> None:
    zones = Zones((Zone("pack", 0, 0, 100, 100),), ZoneUnits.TABLE)
    double = (2.0, 0.0, 0.0, 0.0, 2.0, 0.0, 0.0, 0.0, 1.0)
    half = Calibration("table", "camera 0", (1280, 720), lens=Lens((1000.0, 1000.0), (640.0, 360.0)), image_from_table=double)
    assert zones.at(np.array([150.0, 150.0]), (1280, 720), half) == "pack"
    assert zones.outline_px("pack", (1280, 720), half)[2].tolist() == pytest.approx([200.0, 200.0])
    with pytest.raises(RecordError, match="calibrate"):
        zones.at(np.array([150.0, 150.0]), (1280, 720))
