"""Films of matches before a camera: kept where somebody wants one, offered afterwards, and for the host alone."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import cv2
import pytest

from tests.referee.scripted import Frames
from tests.web.hands import Hands, chromium, without_chromium
from tests.web.room import FROM, Page, room
from visionset.recording import Recording
from visionset.web.cameras import Cameras
from visionset.web.films import Films

COUNT = 12


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
    begin = {"game": "set", "players": [{"name": "Ann"}, {"name": "Bo"}], "camera": "given"}
    with room(tmp_path, time.monotonic, cameras=cameras()) as here, here.page() as page:
        page.send("begin", **begin)
        until(page, lambda state: state["camera"])
        assert not page.state["is_filmed"]
        page.send("leave")
        until(page, lambda state: state["page"] == "start")
        filmed(page, "begin", **begin, film=True)
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
def test_the_host_asks_for_a_film_by_a_switch_and_finds_it_in_the_list(tmp_path: Path) -> None:
    with room(tmp_path, time.monotonic, cameras=cameras()) as here, chromium() as browser:
        hands = Hands(browser, here)
        hands.page.get_by_role("button", name="SET solitaire").click()
        hands.page.get_by_label("On the table before clip").check()
        hands.page.get_by_role("switch", name="Keep a film of the table").check()
        hands.page.get_by_role("button", name="Begin", exact=True).click()
        hands.page.get_by_text("A film of the table is kept.").wait_for()
        hands.page.locator(".picture").wait_for()
        hands.page.get_by_role("button", name="Leave", exact=True).click()
        hands.page.get_by_role("button", name="Leave the table").click()
        with hands.page.expect_download() as download:
            hands.page.get_by_role("link", name="film").click()
        assert download.value.suggested_filename == "visionset-1-1.avi"
        assert hands.trouble == []
