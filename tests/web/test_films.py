"""Films of matches before a camera: kept where somebody wants one, offered afterwards, and for the host alone."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import cv2
import pytest
from playwright.sync_api import Browser

from tests.referee.scripted import Frames
from tests.web.hands import Hands, without_chromium
from tests.web.room import FROM, Page, room
from visionset.recording import Recording
from visionset.web.cameras import Cameras
from visionset.web.films import Films

COUNT = 12
BEGIN: dict[str, Any] = {"game": "set", "players": [{"name": "Ann"}, {"name": "Bo"}], "camera": "given"}


def cameras() -> Cameras:
    return Cameras("clip", lambda source, game: Frames(COUNT))


def until(page: Page, is_so: Any) -> None:
    while not is_so(page.state):
        page.read()


def filmed(page: Page, kind: str, **fields: Any) -> None:
    """Play before the camera until the clip is over, and leave."""
    page.send(kind, **fields)
    until(page, lambda state: state["is_filmed"] and state["camera"])
    page.send("leave")
    until(page, lambda state: state["page"] == "start")


def test_a_film_is_kept_where_it_is_wanted_and_goes_on_with_the_match(tmp_path: Path) -> None:
    with room(tmp_path, time.monotonic, cameras=cameras()) as here, here.page() as page:
        page.send("begin", **BEGIN)
        until(page, lambda state: state["camera"])
        assert not page.state["is_filmed"]
        page.send("leave")
        until(page, lambda state: state["page"] == "start")
        filmed(page, "begin", **BEGIN, film=True)
        assert [(one["id"], one["films"]) for one in here.get("/matches").json()] == [(2, 1), (1, 0)]
        filmed(page, "resume", match=2)
        assert here.get("/matches").json()[0]["films"] == 2
        answer = here.get("/film/2/1.avi")
        assert (answer.status, answer.headers["content-disposition"]) == (200, 'attachment; filename="visionset-2-1.avi"')
        for path in ("/film/2/3.avi", "/film/2/0.avi", "/film/1/1.avi", "/film/2/..%2f1.avi", "/film/9/1.avi"):
            assert here.get(path).status == 404, path
        far = here.get(f"/film/2/1.avi?code={here.host.seats.code}", **{FROM: "192.168.1.30"})
        assert (far.status, far.json()["why"]) == (403, "host")
    (tmp_path / "kept.avi").write_bytes(answer.body)
    film = cv2.VideoCapture(str(tmp_path / "kept.avi"))
    assert film.read()[0]
    film.release()
    recording = Recording.open(tmp_path / "films" / "match-2-1")
    assert (recording.heading.game, recording.heading.players) == ("set", ("Ann", "Bo"))


def test_where_no_film_can_be_kept_no_match_begins_and_none_ends(tmp_path: Path) -> None:
    with room(tmp_path, time.monotonic, cameras=cameras()) as here, here.page() as page:
        page.send("begin", **BEGIN)
        until(page, lambda state: state["camera"])
        (tmp_path / "films").touch()
        assert page.refused("begin", **BEGIN, film=True) == "output"
        assert [one["id"] for one in here.get("/matches").json()] == [1]
        page.send("say", what="set", player=0)
        until(page, lambda state: state["notice"])


def test_a_match_goes_on_without_its_film_where_the_disk_takes_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    with room(tmp_path, time.monotonic, cameras=cameras()) as here, here.page() as page:
        filmed(page, "begin", **BEGIN, film=True)
        monkeypatch.setattr("visionset.web.films.Films.next_part", lambda films, match: tmp_path / "seats.json")
        page.send("resume", match=1)
        until(page, lambda state: state["camera"])
        assert not page.state["is_filmed"]
        assert "seats.json: expected a folder to write to, got " in caplog.text


class Lent(Frames):
    """A camera that tells whether it was given back."""

    is_closed = False

    def close(self) -> None:
        self.is_closed = True


def test_a_camera_is_given_back_and_pages_are_told_where_no_match_can_begin(tmp_path: Path) -> None:
    camera = Lent(COUNT)
    players = [{"name": "Ann"}, {"name": "Bo"}]
    with room(tmp_path, time.monotonic, cameras=Cameras("clip", lambda source, game: camera)) as here, here.page() as page:
        page.send("begin", game="set", players=players)
        until(page, lambda state: state["page"] == "table")
        (tmp_path / "seats.json").unlink()
        (tmp_path / "seats.json").mkdir()
        assert page.refused("begin", **BEGIN) == "output"
        until(page, lambda state: state["page"] == "start")
        assert camera.is_closed


def test_no_film_of_another_match_is_taken_for_one_of_this(tmp_path: Path) -> None:
    films = Films(tmp_path)
    for number in range(1, 12):
        part = films.next_part(7)
        part.mkdir(parents=True)
        (part / "video-001.avi").touch()
        assert part.name == f"match-7-{number}"
    assert [video.parent.name for video in films.videos(7)][8:] == ["match-7-9", "match-7-10", "match-7-11"]
    assert not films.is_filmed(70)
    assert films.videos(70) == ()


@pytest.mark.slow
@without_chromium
def test_the_host_asks_for_a_film_by_a_switch_and_finds_it_in_the_list(browser: Browser, tmp_path: Path) -> None:
    with room(tmp_path, time.monotonic, cameras=cameras()) as here:
        hands = Hands(browser, here)
        hands.page.get_by_role("button", name="SET solitaire").click()
        hands.page.get_by_label("On the table before clip").check()
        hands.page.get_by_role("switch", name="Keep a film of the table").check()
        hands.page.get_by_role("button", name="Begin", exact=True).click()
        hands.page.get_by_text("A film of the table is kept.").wait_for()
        hands.page.locator(".picture").wait_for()
        hands.page.get_by_role("button", name="Stop playing", exact=True).click()
        hands.page.get_by_role("button", name="Stop and go to the start page").click()
        with hands.page.expect_download() as download:
            hands.page.get_by_role("link", name="film").click()
        assert download.value.suggested_filename == "visionset-1-1.avi"
        assert hands.trouble == []
