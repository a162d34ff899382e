"""The server as a program of its own, killed at any moment of a game: who comes back finds all that anybody was told."""

from __future__ import annotations

import random
import socket
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from threading import Timer
from typing import Any

import cv2
import pytest
from playwright.sync_api import expect
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from tests.clips.moments import Moment
from tests.web.clicker import choose
from tests.web.filmed_table import SHOWN_MS, FilmedTable, kept
from tests.web.hands import chromium, without_chromium
from tests.web.room import Page
from tests.web.test_command import started
from visionset.games.game import History
from visionset.games.telling import event_words
from visionset.messages import in_words
from visionset.web.cameras import GIVEN
from visionset.web.showing import MOST_LOG, log_json

CLIP_FPS, CLIP_FRAMES = 5.0, 100
"""A clip that is longer than any life of the server."""

PEOPLE = [{"name": "Ann"}, {"name": "Bo"}]
SIMPLE = [{"name": "Ann"}, {"name": "Cy", "is_bot": True, "strength": 3}, {"name": "Di", "is_bot": True, "strength": 2}]

UNBORN, EARLY = 0.1, 0.15
"""How often the server is killed before anybody has come, and how often as soon as somebody comes."""


@dataclass
class Evening:
    """What is played, and all that somebody at the table was ever told of it.

    Attributes
    ----------
    begins : dict
        How a match is begun.
    longest_s : float
        Before so many seconds somebody who has come sees the server killed.
    told : dict of (int, int) to dict
        Lines of the log by match and number.
    points : dict of (int, int) to list of int
        Scores by match and how many events there were.
    untold : int
        Events that were written and came to nobody's ears before the server was killed.
    """

    begins: dict[str, Any]
    longest_s: float
    rng: random.Random
    told: dict[tuple[int, int], dict[str, Any]] = field(default_factory=dict)
    points: dict[tuple[int, int], list[int]] = field(default_factory=dict)
    match: int = 0
    is_played: bool = False
    begun_by: Page | None = None
    seat: str | None = None
    untold: int = 0

    def last(self, match: int) -> int:
        """How many events of a match were told."""
        return 1 + max((number for of, number in self.told if of == match), default=-1)

    def hear(self, state: dict[str, Any]) -> None:
        """Take in what a page is told; nothing that was told before may be missing or other."""
        match = state["match"]
        if match is None:
            assert not self.is_played, "the match that was played is left"
            return
        self.is_played = state["page"] == "table"
        assert match >= self.match, "an older match is played again"
        self.match = match
        lines = {line["n"]: {**line, "pictures": None} for line in state["log"]}
        there = 1 + max(lines, default=-1)
        assert there >= self.last(match), "events that were told are missing"
        for number, line in lines.items():
            assert self.told.setdefault((match, number), line) == line
        scores = [player["score"] for player in state["players"]]
        assert self.points.setdefault((match, there), scores) == scores

    def compare(self, folder: Path) -> None:
        """Compare what was told with the store, after a kill."""
        if not self.match:
            return
        history = kept(folder, self.match).history
        lines = {line["n"]: {**line, "pictures": None} for line in log_json(history)}
        self.untold += len(history.standing) - self.last(self.match)
        for (match, number), line in self.told.items():
            assert match != self.match or lines.get(number, line) == line
        for (match, count), scores in self.points.items():
            assert match != self.match or scores == points_after(history, count)

    def live(self, address: str, kill: Callable[[], object]) -> None:
        """Come to a server and play until it is killed; now and then that is before the first word is answered."""
        timer = Timer(self.rng.uniform(0, self.longest_s), kill)
        is_early = self.rng.random() < EARLY
        with suppress(ConnectionClosed, ConnectionError), socket_of(address) as opened:
            page = Page(opened)
            if is_early:
                timer.start()
            page.send("hello", **({"seat": self.seat} if self.seat else {}))
            page.until("welcome")
            self.seat = page.welcome["seat"]
            page.until("state")
            self.hear(page.state)
            if not is_early:
                timer.start()
            while True:
                self.do_something(page)
                page.read()
                self.hear(page.state)
        timer.join()

    def do_something(self, page: Page) -> None:
        """Begin a match where none is played, or move."""
        state = page.state
        if state["page"] != "table":
            if page is not self.begun_by:
                page.send("begin", **self.begins, seed=self.rng.randrange(1000))
                self.begun_by = page
            return
        self.begun_by = None
        may = [one for one in state["choices"] if one["is_said"] and not (state["is_camera"] and one["needs"])]
        if may and self.rng.random() < 0.7:
            choice, values = choose({**state, "choices": may}, self.rng)
            page.send("move", version=page.version, choice=choice, values=values)


def socket_of(address: str) -> ClientConnection:
    """A socket to a server, once it is up."""
    return connect(f"{address.replace('http', 'ws')}/ws", proxy=None, max_queue=None, compression=None)


def points_after(history: History, count: int) -> list[int]:
    """Scores after so many events."""
    return list([*history.before, history.state][count].scores)


def killed_again_and_again(evening: Evening, folder: Path, kills: int, *words: str | Path) -> int:
    """Kill the server again and again, and come back on the same port each time; gives the port."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    for _ in range(kills):
        with started("--data", folder, "--port", str(port), *words) as (process, address):
            if evening.rng.random() >= UNBORN:
                evening.live(address, process.kill)
        evening.compare(folder)
    return int(port)


def clip_of_a_deal(path: Path) -> None:
    """Write a clip of twelve cards that only lie there."""
    table = FilmedTable(1)
    stage = table.reel.stage
    picture = stage.picture(Moment(table.reel.lying))
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), CLIP_FPS, stage.view.size_px)
    for _ in range(CLIP_FRAMES):
        writer.write(picture)
    writer.release()


@pytest.mark.slow
def test_2_kills_of_the_program_lose_nothing_that_was_told(tmp_path: Path) -> None:
    evening = Evening({"game": "sets-dice", "players": PEOPLE}, 2.0, random.Random(1))
    killed_again_and_again(evening, tmp_path, 2)
    assert evening.told


@pytest.mark.slow
@without_chromium
@pytest.mark.parametrize(
    ("begins", "longest_s"),
    [
        pytest.param({"game": "set", "players": SIMPLE, "house": {"rounds": 1}}, 2.5, id="set-with-bots"),
        pytest.param({"game": "sets-dice", "players": PEOPLE}, 0.5, id="two-dice"),
        pytest.param({"game": "set", "players": PEOPLE, "camera": GIVEN}, 2.5, id="before-a-clip"),
    ],
)
def test_a_page_that_is_opened_after_60_kills_of_the_program_shows_all_that_was_told(
    begins: dict[str, Any], longest_s: float, tmp_path: Path
) -> None:
    clip_of_a_deal(tmp_path / "deal.avi")
    words = ("--camera", tmp_path / "deal.avi") if "camera" in begins else ()
    evening = Evening(begins, longest_s, random.Random(2))
    port = killed_again_and_again(evening, tmp_path, 60, *words)
    print(f"{len(evening.told)} events told in {evening.match} matches, {evening.untold} written and not told yet")
    assert len(evening.told) > 30
    with chromium() as browser:
        page = browser.new_page()
        with started("--data", tmp_path, "--port", str(port), *words) as (_, address):
            page.goto(address)
            # comes with all else of the table; a match that has just begun has told nothing
            expect(page.locator(".players .score").first).to_be_visible(timeout=SHOWN_MS)
        shown = page.locator(".log li .line > span:first-child").all_inner_texts()[::-1]  # the page keeps what it was told last
        points = [int(one) for one in page.locator(".players .score").all_inner_texts()]
    history = kept(tmp_path, evening.match).history
    texts = [in_words(event_words(event, before)) for event, before in zip(history.standing, history.before, strict=True)]
    counts = range(evening.last(evening.match), len(texts) + 1)
    assert any((texts[max(0, count - MOST_LOG) : count], points_after(history, count)) == (shown, points) for count in counts)
