"""A round of SET before a camera, in a browser: the host clicks, two players have phones, the camera is a rendered clip."""

from __future__ import annotations

import time
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Event as Signal
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.clips.card_games import set_round
from tests.clips.film import Film
from tests.clips.stage import Look, Stage
from tests.web.film_guests import Guests
from tests.web.hands import chromium, without_chromium
from tests.web.room import room
from visionset.frame import Frame
from visionset.games.game import History
from visionset.web.camera_table import CameraTable
from visionset.web.cameras import Cameras
from visionset.web.wire import FromPage, SayWord

LONG_S = 30.0
WHOLE_S = 3600.0
SMALL = Look(size_px=(640, 360))
PHONES = ("Ann", "Bo")

pytestmark = [pytest.mark.slow, without_chromium]

_BUTTONS = {
    "undo": "Undo",
    "next": "Next",
    "dispute": "Dispute",
    "table": "The table is right",
    "game": "The game is right",
}


class HeldFilm(Film):
    """A film that begins when somebody watches."""

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self.begins = Signal()

    def poll(self, timeout_s: float) -> Frame | None:
        return super().poll(timeout_s) if self.begins.wait(timeout_s) else None


@dataclass
class Wanted:
    """Something that somebody is to click."""

    player: int | None
    message: SayWord


class Clickers(Guests):
    """People who say nothing but by clicks: what they want to say is left for the browser, and the film waits meanwhile."""

    def __init__(self, film: Film, truth: History) -> None:
        super().__init__(film, truth)
        self.wanted: SimpleQueue[Wanted] = SimpleQueue()
        self.waits = 0
        self.heard = Signal()

    def is_awaited(self) -> bool:
        return self.waits > 0 or super().is_awaited()

    def say(self, player: int | None, message: FromPage) -> None:
        assert isinstance(message, SayWord)
        if self.waits and message.what in {"answer", "table", "game"}:
            return
        self.waits += 1
        self.wanted.put(Wanted(player, message))

    def sit_down(self, table: CameraTable) -> None:
        """Watch a table from now on, and notice when it hears something."""
        do = table.do

        def noticed(*given: Any) -> None:
            do(*given)
            self.waits -= 1
            self.heard.set()

        table.do = noticed  # type: ignore[method-assign]
        self.table = table
        table.session.listen(lambda snapshot, news: self.look(snapshot) if snapshot.is_fresh else None)
        self.begun.set()


def click(host: Any, phones: dict[int, Any], names: tuple[str, ...], wanted: Wanted, question: Any) -> None:
    """Click what somebody wants to say."""
    what, player = wanted.message.what, wanted.player
    if what in {"set", "no_set"}:
        assert player is not None
        if player in phones:
            phones[player].locator("button.set" if what == "set" else "button.no-set").click()
        else:
            row = host.locator(".players li", has_text=names[player])
            row.get_by_role("button", name="SET!" if what == "set" else "No SET").click()
    elif what == "answer":
        number = wanted.message.number
        text = question["none"] if number == 0 else question["options"][number - 1]["text"]
        host.locator(".ask").get_by_role("button", name=text).first.click()
    else:
        host.get_by_role("button", name=_BUTTONS[what]).first.click()


@pytest.mark.parametrize("turns", [4, None])
def test_a_round_of_set_is_played_by_clicks_and_phones_before_a_camera(turns: int | None, tmp_path: Path) -> None:
    stage = Stage(SMALL)
    moments, truth = set_round(stage, 1, turns=turns)
    film = HeldFilm(stage, moments)
    with ExitStack() as stack:
        served = stack.enter_context(room(tmp_path, time.monotonic, cameras=Cameras("film", lambda source, game: film)))
        opened = stack.enter_context(chromium())
        address = f"http://127.0.0.1:{served.port}"
        phones = {}
        for number, name in enumerate(PHONES):
            phone = opened.new_context(viewport={"width": 360, "height": 740}, has_touch=True).new_page()
            phone.goto(f"{address}/join/{served.host.seats.code}")
            phone.get_by_label("name").fill(name)
            phone.locator("button.primary").click()
            phones[number] = phone
        host = opened.new_page(viewport={"width": 1366, "height": 768})
        host.goto(address)
        host.get_by_role("button", name="SET with cards").first.click()
        host.get_by_role("button", name="Add a player").click()
        for number, name in enumerate(truth.players):
            host.locator(".seats input").nth(number).fill(name)
        rounds = host.get_by_label("rounds of the match")
        rounds.fill("1")
        rounds.blur()
        host.get_by_label("the dealer plays too").select_option("true")
        host.get_by_label("a wrong call costs").select_option(truth.options.penalty.value)
        host.get_by_label("On the table before film").check()
        host.get_by_role("button", name="Begin").click()
        host.locator(".table-page, .picture").first.wait_for()
        table = served.host.table
        assert isinstance(table, CameraTable)
        assert table.match.history.options == truth.options
        clickers = Clickers(film, truth)
        clickers.sit_down(table)
        film.begins.set()
        until_s = time.monotonic() + WHOLE_S
        while not (clickers.over.is_set() and clickers.wanted.empty()):
            assert time.monotonic() < until_s
            try:
                wanted = clickers.wanted.get(timeout=0.05)
            except Empty:
                host.wait_for_timeout(1)
                continue
            clickers.heard.clear()
            click(host, phones, truth.players, wanted, clickers.shown["question"])
            assert clickers.heard.wait(LONG_S), wanted
        scores = [str(score) for score in truth.state.scores]
        if turns is None:
            for page in (host, *phones.values()):
                expect(page.locator(".final .score")).to_have_text(sorted(scores, key=int, reverse=True), timeout=1000 * LONG_S)
        else:
            expect(host.locator(".players .score")).to_have_text(scores, timeout=1000 * LONG_S)
            for number, phone in phones.items():
                expect(phone.locator(".me .score")).to_have_text(scores[number])
        assert table.match.history.state.scores == truth.state.scores, clickers.asked
        assert table.match.history.state.is_over == (turns is None)
