"""Photographs by many cameras, where there are any: ``VISIONSET_PHOTOS`` names their folder.

They only measure; the suite reads every fourth one, `--all` all of them. What is asked here is a little less than what is
measured, so that a lucky photo more or less on another version of OpenCV does not fail the suite; a fall in quality does.
"""

import os
from pathlib import Path

import pytest

from visionset.commands.score import Tally, answer, load_truth
from visionset.kinds import PIECE_TYPES
from visionset.pieces import SetCard
from visionset.sources.picture import read_picture
from visionset.vision.pipeline import read

FOLDER = Path(os.environ.get("VISIONSET_PHOTOS", ""))

needs_photos = pytest.mark.skipif(not os.environ.get("VISIONSET_PHOTOS"), reason="VISIONSET_PHOTOS names no folder of photographs")


EVERY = pytest.mark.parametrize("every", [4, pytest.param(1, marks=pytest.mark.slow)])


@needs_photos
@EVERY
def test_set_cards_on_real_tables(every):
    score = Tally()
    known = [(name, entry) for name, entry in load_truth(FOLDER / "set_cards").photos.items() if entry.pieces is not None]
    for name, entry in known[::every]:
        want, optional = ([SetCard.parse(text) for text in names] for names in (entry.pieces, entry.optional))
        score.add(want, optional, *answer(read(read_picture(FOLDER / "set_cards" / name)), 1))
    assert score.f1 >= 0.98
    assert score.perfect >= 0.83 * score.photos
    assert score.sets_exact >= 0.83 * score.photos


@needs_photos
@EVERY
def test_tables_without_a_card_are_empty(every):
    photos = sorted(path for path in (FOLDER / "empty").iterdir() if path.suffix in {".jpg", ".png"})
    assert photos
    for photo in photos[::every]:
        assert read(read_picture(photo)).sightings == (), photo.name


@needs_photos
@EVERY
@pytest.mark.parametrize(("folder", "f1", "perfect"), [("dice", 0.95, 0.72), ("playing_cards", 0.955, 0.77), ("set_dice", 0.93, 0.5)])
def test_other_pieces_on_real_tables(folder, f1, perfect, every):
    truth = load_truth(FOLDER / folder)
    score = Tally(truth.kind)
    parse = PIECE_TYPES[score.kind].parse
    known = [(name, entry) for name, entry in truth.photos.items() if entry.pieces is not None]
    for name, entry in known[::every]:
        want, optional = ([parse(text) for text in names] for names in (entry.pieces, entry.optional))
        score.add(want, optional, *answer(read(read_picture(FOLDER / folder / name)), 1, score.kind))
    assert score.f1 >= f1
    assert score.perfect >= perfect * score.photos
