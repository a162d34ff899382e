from __future__ import annotations

from itertools import count
from threading import Event as Signal

import numpy as np
import pytest

from tests.builders import FakeTracker, deal
from tests.referee.scripted import CARDS, Frames, Script, table
from visionset.messages import Message, in_words, speaking
from visionset.pieces import Kind, SetCard
from visionset.session import Snapshot
from visionset.sources import CameraName, SentPictures
from visionset.table import Settled, Sighting, Table
from visionset.web.camera_start import CameraStart, camera_advice
from visionset.web.cameras import GIVEN, Cameras

LONG_S = 20.0
SIZE_PX = (1280, 720)


def advice(*sightings: Sighting) -> list[str]:
    return [in_words(line) for line in camera_advice(Settled(Table(SIZE_PX, sightings)))]


def card(x: float, y: float, long_px: float, kind: Kind = Kind.SET_CARD) -> Sighting:
    corners = np.array([[0, 0], [1, 0], [1, 0.64], [0, 0.64]]) * long_px + (x, y)
    return Sighting(kind, corners, SetCard.parse("1-red-solid-oval") if kind is Kind.SET_CARD else None, 0.9)


@pytest.mark.parametrize(
    ("sightings", "says"),
    [
        ((card(300, 300, 38), card(500, 300, 38)), ["bring the camera closer: cards are 38 px long, 60 is good"]),
        ((card(300, 300, 80), card(500, 300, 90)), []),
        ((card(1230, 300, 100), card(500, 300, 100)), ["some cards are cut off"]),
        ((card(1230, 300, 70), card(500, 300, 70)), ["cut off by the edge"]),
        ((card(300, 300, 70), card(500, 300, 160)), ["look from higher above"]),
        ((card(300, 300, 14, Kind.PIP_DIE),), ["dice are 14 px long, 24 is good"]),
        ((), []),
    ],
)
def test_advice_about_the_place_of_the_camera(sightings: tuple[Sighting, ...], says: list[str]) -> None:
    told = advice(*sightings)
    assert len(told) == len(says)
    assert all(part in line for part, line in zip(says, told, strict=True))


def test_the_start_page_rings_what_is_read_and_offers_the_game_that_lies_there() -> None:
    over = Signal()

    def pace(snapshot: Snapshot) -> None:
        if snapshot.frame.index == 4:
            over.set()

    start = CameraStart(Frames(4), tracker=lambda options, is_live, stack: Script({1: table(CARDS)}), pace=pace)  # type: ignore[arg-type,return-value]
    assert over.wait(LONG_S)
    start.close()
    camera = start.showing()["camera"]
    assert camera["offer"] == {"name": "set", "title": "SET with cards"}
    assert len(camera["pieces"]) == 12
    assert all(one["piece"] is not None for one in camera["pieces"])
    assert camera["size"] == [1280, 720]


def test_trouble_with_the_camera_is_told_in_the_language_of_who_asks() -> None:
    class Silent(Frames):
        """A phone that has been silent for four seconds after its second picture."""

        trouble = Message("source.phone_silent", seconds=4)

    over = Signal()
    start = CameraStart(Silent(2), tracker=lambda options, is_live, stack: FakeTracker(deal([])), pace=lambda snapshot: over.set())  # type: ignore[arg-type,return-value]
    assert over.wait(LONG_S)
    start.close()
    said = {}
    for language in ("en", "de"):
        with speaking(language):
            said[language] = start.showing()["camera"]["trouble"]
    assert said["en"].startswith("the phone has sent no picture for 4 s")
    assert said["de"].startswith("das Handy schickt seit 4 s kein Bild")


def test_trouble_before_the_first_picture_is_told_in_the_language_of_who_asks() -> None:
    told = Signal()
    start = CameraStart(SentPictures(clock=count(step=3).__next__), tracker=lambda options, is_live, stack: FakeTracker(deal([])))  # type: ignore[arg-type,return-value]
    start.listen(told.set)
    assert start.showing()["notice"] or told.wait(LONG_S)
    start.close()
    with speaking("de"):
        assert start.showing()["notice"] == "das Handy hat noch kein Bild geschickt: öffne dort den Link"


def test_remarks_about_the_light_are_passed_on() -> None:
    over = Signal()
    dark = FakeTracker(deal(["?"] * 3), remarks=("too dark to read",))
    start = CameraStart(Frames(2), tracker=lambda options, is_live, stack: dark, pace=lambda snapshot: over.set())  # type: ignore[arg-type,return-value]
    assert over.wait(LONG_S)
    start.close()
    assert start.showing()["camera"]["remarks"] == ["too dark to read"]
    assert start.showing()["camera"]["offer"] is None


def test_a_camera_that_was_given_by_its_number_is_listed_once_and_by_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("visionset.web.cameras.list_cameras", lambda: (CameraName(0, "Lid"), CameraName(2, "USB")))
    assert Cameras("2").listed() == [{"source": GIVEN, "name": "USB"}, {"source": "0", "name": "Lid"}]
    assert Cameras("table.mp4").listed()[0] == {"source": GIVEN, "name": "table.mp4"}
    assert [one["name"] for one in Cameras("7").listed()] == ["7", "Lid", "USB"]
    assert Cameras("rtsp://ann:se@cret@192.168.1.9/live").listed()[0]["name"] == "rtsp://192.168.1.9/live"  # phones may ask for it
