"""Real clips, where there are any: ``VISIONSET_CLIPS`` names a folder of them with `clips.json`, the cards of each clip by its name."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from visionset.sources import Clip
from visionset.tracking import follow
from visionset.vision.pipeline import read

FOLDER = Path(os.environ.get("VISIONSET_CLIPS", ""))


@pytest.mark.slow
@pytest.mark.skipif(not os.environ.get("VISIONSET_CLIPS"), reason="VISIONSET_CLIPS names no folder of clips")
def test_every_card_is_settled_at_some_time_and_nothing_else_ever() -> None:
    truth = json.loads((FOLDER / "clips.json").read_text(encoding="utf-8"))
    assert truth
    for name, cards in truth.items():
        with Clip(FOLDER / name) as clip:
            told = list(follow(clip, lambda frame: read(frame.image_bgr)))
        settled = {str(one.piece) for settled in told for one in settled.table.sightings if one.piece is not None}
        assert settled == set(cards), name
