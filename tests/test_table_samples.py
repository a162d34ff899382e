"""The samples of dice and playing cards are there and are what their recipes give; the truth needs no painting to be told."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from sample_recipes.stills import TABLE_CLIPS, TABLES

from visionset.pieces import PipDie, PlayingCard, SetCard, SetDie
from visionset.render.table_clips import table_clip
from visionset.render.table_plan import plan_table
from visionset.render.table_truth import true_pieces, truth_entry

SAMPLES = Path(__file__).parent.parent / "samples"
SIZE_LIMIT_BYTES = 8e6
PARSERS = {"set_die": SetDie.parse, "pip_die": PipDie.parse, "playing_card": PlayingCard.parse, "set_card": SetCard.parse}


def test_folders_hold_the_recipes_and_nothing_else() -> None:
    files = [path for folder in SAMPLES.iterdir() if folder.is_dir() for path in folder.iterdir()]
    names = {str(path.relative_to(SAMPLES).with_suffix("")) for path in files if path.suffix in (".jpg", ".mp4")}
    assert names == {*TABLES, *TABLE_CLIPS}
    assert sum(path.stat().st_size for path in files) < SIZE_LIMIT_BYTES


@pytest.mark.parametrize("name", TABLES)
def test_the_truth_is_that_of_the_recipe(name: str) -> None:
    path = SAMPLES / f"{name}.jpg"
    truth = json.loads((path.parent / "truth.json").read_text())
    stored = truth["photos"][path.name]
    made = truth_entry(true_pieces(plan_table(TABLES[name])), stored["note"])
    assert stored == made
    assert cv2.imread(str(path)).shape[1::-1] == TABLES[name].size_px
    for piece in (*stored.get("dice", []), *stored.get("cards", [])):
        assert piece["kind"] == truth["kind"] or truth["kind"] == "any" or piece["kind"] == "card_back"
        assert piece["name"] is None or str(PARSERS[piece["kind"]](piece["name"])) == piece["name"]


@pytest.mark.parametrize("name", TABLE_CLIPS)
def test_a_clip_has_its_frames_and_ends_as_planned(name: str) -> None:
    truth = json.loads((SAMPLES / f"{name}.json").read_text())
    clip = table_clip(*TABLE_CLIPS[name])
    video = cv2.VideoCapture(str(SAMPLES / f"{name}.mp4"))
    assert int(video.get(cv2.CAP_PROP_FRAME_COUNT)) == truth["frames"] == clip.frames
    video.release()
    last = truth["intervals"][-1]
    planned = true_pieces(clip.plan)
    assert last["pieces"] == [str(piece.piece) for piece in planned]
    np.testing.assert_allclose(last["corners"], [piece.outline_px for piece in planned], atol=0.06)
    assert last["last"] == truth["frames"] - 1 == truth["quiet"][-1][1]
    assert len(truth["actions"]) >= 2
