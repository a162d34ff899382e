"""A server that is killed at any moment goes on where it was: each page comes back by its secret, and nothing that was told is missing."""

from __future__ import annotations

import random
from pathlib import Path
from threading import Event as Signal
from typing import Any

import pytest

from tests.web.clicker import choose
from tests.web.room import PATIENCE_S, Clock, Page, room
from tests.web.test_play import begin, check_end, play_out
from tests.web.test_state_types import histories
from visionset.errors import SourceError
from visionset.games.game import History
from visionset.sources import Source
from visionset.store import Origin, Store
from visionset.web.cameras import Cameras
from visionset.web.host import Host
from visionset.web.seats import Seats

_OF_THE_GAME = ("page", "game", "match", "view", "choices", "prompts", "log")


def told(page: Page) -> dict[str, Any]:
    """What a page was told of the game."""
    return {key: page.state[key] for key in _OF_THE_GAME} | {"scores": [one["score"] for one in page.state["players"]]}


def nothing_is_missing(before: dict[str, Any], after: dict[str, Any]) -> bool:
    """Whether the state is the one that was told, or one event further: written, and killed before it could be told."""
    if after == before:
        return True
    then, now = ({line["n"]: line for line in one["log"]} for one in (before, after))
    same = all(now[number] == line for number, line in then.items() if number in now)
    return same and max(now, default=0) == max(then, default=-1) + 1


def killed_again_and_again(folder: Path, game: str, kills: int, seed: int) -> int:
    """Kill the server again and again; gives how often something was written that nobody had been told."""
    rng, clock, untold, killed = random.Random(seed), Clock(), 0, list[Host]()
    with room(folder, clock, is_killed=True) as here, here.page() as page:
        begin(page, game, 2)
        seat, before = page.welcome["seat"], told(page)
        killed.append(here.host)
    for _ in range(kills):
        with room(folder, clock, is_killed=True) as here, here.page(seat=seat) as page, here.page() as other:
            assert nothing_is_missing(before, told(page))
            assert told(other) == told(page)
            untold += told(page) != before
            for _ in range(rng.randrange(6)):
                page.catch_up(here.host.showing(None)[0])
                if here.host.due_s is not None and (not page.state["choices"] or rng.random() < 0.3):
                    here.go_on(page)
                elif not page.state["choices"]:
                    page.send("say", what="next")
                    page.until("change")
                else:
                    move(page, rng)
                    page.until("change", "refused")
            page.catch_up(here.host.showing(None)[0])
            before = told(page)
            if page.state["choices"] and rng.random() < 0.5:
                move(page, rng)  # killed before it is answered
            clock.now_s += rng.random()
            killed.append(here.host)
    with room(folder, clock) as here, here.page(seat=seat) as page:
        assert nothing_is_missing(before, told(page))
        play_out(here, page, rng)
        check_end(folder, page)
    for host in killed:  # not by `Host.close`, which would bring to an end what others have gone on with
        for store in (host._store, getattr(host._table, "_store", host._store)):
            store.close()
    return untold


def move(page: Page, rng: random.Random) -> None:
    choice, values = choose(page.state, rng)
    page.send("move", version=page.version, choice=choice, values=values)


def test_5_kills_lose_nothing_that_was_told(tmp_path: Path) -> None:
    killed_again_and_again(tmp_path, "sets-dice", 5, seed=1)


@pytest.mark.slow
@pytest.mark.parametrize("game", ["set", "scramble", "cubed"])
def test_60_kills_lose_nothing_that_was_told(game: str, tmp_path: Path) -> None:
    killed_again_and_again(tmp_path, game, 60, seed=2)


def test_the_end_of_a_match_before_a_camera_is_shown_again_without_one(tmp_path: Path) -> None:
    over = histories("sets-dice")[-1]
    with Store(tmp_path / "matches.sqlite3", lambda: 0.0) as store:
        match = store.begin(History.begin(over.game, over.options, over.players), origin=Origin.CAMERA)
        for event in over.events:
            match = store.append(match, event)
    Seats(tmp_path / "seats.json").begin(match.id, {}, "0")
    with room(tmp_path) as here, here.page() as page:
        assert page.state["page"] == "over"
        assert [one["score"] for one in page.state["players"]] == list(over.state.scores)
        assert page.refused("say", what="undo") == "match"


def test_a_match_whose_camera_is_away_goes_on_when_the_server_is_started_with_it_again(tmp_path: Path) -> None:
    begun = histories("sets-dice")[0]
    with Store(tmp_path / "matches.sqlite3", lambda: 0.0) as store:
        match = store.begin(History.begin(begun.game, begun.options, begun.players), origin=Origin.CAMERA)
    Seats(tmp_path / "seats.json").begin(match.id, {}, "0")
    tried = []

    def away(source: str, game: str | None) -> Source:
        tried.append(source)
        raise SourceError("no camera")

    with room(tmp_path, cameras=Cameras(opener=away)) as here, here.page() as page, here.page() as other:
        assert (page.state["page"], other.state["page"], tried) == ("start", "start", ["0"])
        assert (page.state["notice"], other.state["notice"]) == ("no camera", "no camera")
        assert here.host.showing(None)[1]["notice"] == ""  # it is for the host to mend
        code = here.host.seats.code
    seats = Seats(tmp_path / "seats.json")
    assert (seats.kept.match, seats.code) == (match.id, code)


def test_a_camera_that_takes_a_while_to_open_holds_no_other_page_up(tmp_path: Path) -> None:
    """Each is told that it is there, and goes on hearing of the table: none thinks that its line is lost."""
    begun, opens = Signal(), Signal()

    def slow(source: str, game: str | None) -> Source:
        begun.set()
        assert opens.wait(PATIENCE_S)
        raise SourceError("no camera")

    with room(tmp_path, cameras=Cameras(opener=slow)) as here, here.page() as page, here.connect() as line:
        try:
            page.send("begin", game="sets-dice", players=[{"name": "Ann"}], camera="0")
            assert begun.wait(PATIENCE_S)
            later = Page(line)
            later.send("hello")
            later.until("welcome")
            for one in (later, page):
                one.read_ping()
            assert later.version == 0
        finally:
            opens.set()
        later.until("state")
        assert later.state["page"] == "start"


def test_what_is_said_right_after_the_welcome_waits_for_the_match_that_was_played(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    begun, comes = histories("sets-dice")[0], Signal()
    with Store(tmp_path / "matches.sqlite3", lambda: 0.0) as store:
        match = store.begin(History.begin(begun.game, begun.options, begun.players))
    Seats(tmp_path / "seats.json").begin(match.id, {})
    with room(tmp_path) as here, here.connect() as line:
        resume = here.host.resume_kept
        monkeypatch.setattr(here.host, "resume_kept", lambda: comes.wait(PATIENCE_S) and resume())
        page = Page(line)
        page.send("hello", name="Zoe", code=here.host.seats.code)
        page.until("welcome")
        page.send("say", what="no_set")
        page.send("hello", name="Yan")
        page.until("welcome")  # what was said before this has been heard
        comes.set()
        while not page.others:
            page.read()
        assert page.others[0]["why"] == "seat", "whoever watches says nothing there"


def test_a_page_hears_why_the_match_that_was_played_does_not_go_on(tmp_path: Path) -> None:
    """Such as a disk that is full."""
    begun = histories("sets-dice")[0]
    with Store(tmp_path / "matches.sqlite3", lambda: 0.0) as store:
        match = store.begin(History.begin(begun.game, begun.options, begun.players))
    Seats(tmp_path / "seats.json").begin(match.id, {})
    with room(tmp_path) as here, here.connect() as line:
        (tmp_path / "seats.json").unlink()
        (tmp_path / "seats.json").mkdir()  # so that nothing is written there
        page = Page(line)
        page.send("hello")
        assert "seats.json" in page.until("error", "state")["text"]
