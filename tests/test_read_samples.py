"""Every sample is read, pictures and clips, against the truth beside it."""

import json
import runpy
from collections import Counter
from pathlib import Path

import cv2
import numpy as np
import pytest

from visionset.pieces import Kind
from visionset.sample_files import sample_truth, samples_folder
from visionset.sources.clip import Clip
from visionset.sources.picture import read_picture
from visionset.vision.pipeline import read

PICTURES = sample_truth()["photos"]
MODULES = 14
"""Whoever follows how a picture of SET cards is read has no more than these to look into."""


@pytest.mark.parametrize("name", PICTURES)
def test_pictures(name):
    want = Counter(PICTURES[name]["pieces"])
    seen = read(read_picture(samples_folder() / name)).sightings
    got = Counter(str(one.piece) for one in seen if one.piece is not None and one.kind is Kind.SET_CARD)
    assert not got - want - Counter(PICTURES[name].get("optional", []))
    assert (want - got).total() <= 0.2 * want.total()  # a card may be left open, never misread


def test_playing_cards_are_read_without_colour_too():
    folder = samples_folder() / "playing_cards"
    truth = json.loads((folder / "truth.json").read_text(encoding="utf-8"))["photos"]["rows.jpg"]
    gray = cv2.cvtColor(read_picture(folder / "rows.jpg"), cv2.COLOR_BGR2GRAY)
    table = read(np.asarray(cv2.cvtColor(gray, cv2.COLOR_GRAY2BGR), np.uint8))
    assert Counter(str(piece) for piece in table.pieces if piece is not None) == Counter(truth["pieces"])  # backs have no name


def test_backs_are_seen_wherever_in_the_picture_the_table_is():
    rows = read_picture(samples_folder() / "playing_cards" / "rows.jpg")
    shifted = np.asarray(cv2.copyMakeBorder(rows, 40, 40, 40, 40, cv2.BORDER_REPLICATE), np.uint8)
    assert sum(one.kind is Kind.CARD_BACK for one in read(shifted).sightings) == 4


@pytest.mark.parametrize("clip", sorted(samples_folder().glob("*.mp4")), ids=lambda path: path.stem)
def test_clips_show_the_right_cards_whenever_the_table_is_quiet(clip):
    truth = json.loads(clip.with_suffix(".json").read_text(encoding="utf-8"))
    quiet = [first + (last - first) // 2 for first, last in truth["quiet"]]
    seen = 0
    with Clip(clip) as frames:
        for frame in frames:
            if frame.index in quiet:
                table = read(frame.image_bgr)
                (interval,) = [part for part in truth["intervals"] if part["first"] <= frame.index <= part["last"]]
                assert Counter(map(str, table.pieces)) == Counter(interval["pieces"]), frame.index
                seen += 1
    assert seen == len(quiet) > 3


def test_a_picture_of_set_cards_goes_through_few_modules(monkeypatch, capsys):
    script = Path(__file__).parents[1] / "scripts" / "read_modules"
    monkeypatch.setattr("sys.argv", [script.name, "--set", str(samples_folder() / "table-12.jpg")])
    runpy.run_path(str(script), run_name="__main__")
    assert int(capsys.readouterr().out.split()[0]) <= MODULES
