"""The rendered sample clips: every card that is dealt or taken is told once, soon after the hand has gone, and nothing else."""

from __future__ import annotations

import json
from statistics import median

import pytest

from visionset.sample_files import samples_folder
from visionset.sources import Clip
from visionset.table import Appeared, Change, Taken
from visionset.tracking import follow
from visionset.vision.pipeline import read

SETTLED_S = 0.5
"""Bar: the median time from the hand's going to the event."""


def tell(change: Change) -> tuple[str, str]:
    if isinstance(change, Appeared):
        return "deal", str(change.after.piece)
    assert isinstance(change, Taken), change
    return "take", str(change.before.piece)


@pytest.mark.parametrize("name", ["deal-640x480", pytest.param("round-1280x720", marks=pytest.mark.slow)])
def test_events_are_those_of_the_script(name: str) -> None:
    truth = json.loads((samples_folder() / f"{name}.json").read_text(encoding="utf-8"))
    with Clip(samples_folder() / f"{name}.mp4") as clip:
        told = list(follow(clip, lambda frame: read(frame.image_bgr)))
    at_first = set(truth["intervals"][0]["pieces"])
    events = [(index, *tell(change)) for index, one in enumerate(told) for change in one.changes]
    first = [piece for index, what, piece in events if what == "deal" and piece in at_first and index < truth["actions"][0]["first"]]
    assert set(first) == at_first
    rest = [event[1:] for event in events[len(first) :]]
    assert rest == [(one["action"], one["piece"]) for one in truth["actions"] if one["action"] != "pass"]
    delays = []
    for index, what, piece in events[len(first) :]:
        action = next(one for one in truth["actions"] if one["action"] == what and one["piece"] == piece)
        # the hand has gone where the first quiet stretch begins that outlasts the action's middle
        gone = min(start for start, _ in truth["quiet"] if start > (action["first"] + action["last"]) / 2)
        delays.append((index - gone) / truth["fps"])
    assert median(delays) <= SETTLED_S
