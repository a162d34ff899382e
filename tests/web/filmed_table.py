"""A refereed table of SET that a test plays hand by hand: people before a rendered film, and their host at the page."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from threading import Event as Signal
from threading import Lock
from typing import Any

from playwright.sync_api import Browser, Locator, expect

from tests.clips.card_games import QUIET_S
from tests.clips.film import Film
from tests.clips.people_game import PLAYERS, People
from tests.clips.stage import Look, Stage
from tests.web.hands import Hands
from tests.web.room import PATIENCE_S, Clock, Room, room
from visionset.geometry import Frame
from visionset.pieces import SetCard
from visionset.store import Match, Store
from visionset.web.cameras import Cameras

SHOWN_MS = 1000 * PATIENCE_S
"""Until a page shows what it is to show."""

FILM_S = 120.0
"""Until the camera has seen what people did: some forty frames, on a machine that does much else."""


class GrowingFilm(Film):
    """Shows what people did, and waits for them where they have done no more."""

    def __init__(self, stage: Stage, moments: list[Any], seed: int) -> None:
        super().__init__(stage, moments, seed)
        self.index = len(moments) - 1
        self._lock, self._is_through, self._has_more = Lock(), Signal(), Signal()

    def poll(self, timeout_s: float) -> Frame | None:
        with self._lock:
            is_through = self.index + 1 >= len(self.moments)
            if is_through:
                self._is_through.set()
                self._has_more.clear()
        if is_through and not self._has_more.wait(timeout_s):
            return None
        return super().poll(timeout_s)

    def show(self) -> None:
        """Wait until the camera has seen all that people did."""
        with self._lock:
            self._is_through.clear()
            self._has_more.set()
        assert self._is_through.wait(FILM_S)


@lru_cache
def stage() -> Stage:
    """One for all tables: what it has painted once need not be painted again."""
    return Stage(Look(size_px=(640, 360)))


class FilmedTable:
    """People at a table that each camera sees as it lies when it is opened.

    Attributes
    ----------
    people : People
        What lies there, and what people do next.
    """

    def __init__(self, seed: int) -> None:
        self.people = People(stage(), seed)
        self.people.deal(by_hand=False)
        self.reel = self.people.reel
        self.film: GrowingFilm | None = None

    def open(self, source: str, game: str | None) -> GrowingFilm:
        """Open a camera before the table."""
        self.film = GrowingFilm(self.reel.stage, self.reel.moments, len(self.reel.moments))
        self.reel.rest(QUIET_S)
        return self.film


class Sitting:
    """The host's page of a filmed table, where all is done by clicks."""

    def __init__(self, table: FilmedTable, hands: Hands) -> None:
        self.table, self.hands, self.page = table, hands, hands.page

    def begin(self) -> None:
        """Begin SET before the camera."""
        self.page.get_by_role("button", name="SET with cards").click()
        self.page.get_by_role("button", name="Add a player").click()
        for number, name in enumerate(PLAYERS):
            self.page.locator(".seats input").nth(number).fill(name)
        expect(self.page.locator(".seats input")).to_have_count(len(PLAYERS))
        self.page.get_by_label("On the table before film").check()
        self.page.get_by_role("button", name="Begin", exact=True).click()
        self.page.wait_for_selector(".table-page")
        self.show()
        self.says("say SET")

    def show(self) -> None:
        """Let the camera and the page see all that people did."""
        assert self.table.film is not None
        self.table.film.show()
        self.hands.catch_up()

    def player(self, number: int) -> Locator:
        return self.page.locator(".players .player").nth(number)

    def click(self, name: str) -> None:
        """Click the button of this name."""
        self.page.get_by_role("button", name=name).first.click()

    def call(self, player: int) -> None:
        """Call by the button beside a player's name."""
        self.player(player).get_by_role("button", name="SET!").click()
        expect(self.player(player).locator(".notes")).to_contain_text("has called", timeout=SHOWN_MS)

    def take(self, cards: tuple[SetCard, ...]) -> None:
        """Pick cards up."""
        self.table.reel.take(cards)
        self.show()

    def says(self, words: str) -> None:
        """Whether the prompt says so."""
        expect(self.page.locator(".prompts")).to_contain_text(words, timeout=SHOWN_MS)

    def says_no_more(self, words: str) -> None:
        """Whether the prompt does not say so."""
        expect(self.page.locator(".prompts")).not_to_contain_text(words, timeout=SHOWN_MS)

    def scores(self, *points: int) -> None:
        """Whether the page shows these scores."""
        expect(self.page.locator(".players .score")).to_have_text([str(one) for one in points], timeout=SHOWN_MS)

    def told(self, *lines: str) -> None:
        """Whether the page tells that this happened, the newest first."""
        log = self.page.locator(".log li .line > span:first-child")
        expect(log).to_have_count(len(lines), timeout=SHOWN_MS)
        for number, words in enumerate(lines):
            expect(log.nth(number)).to_contain_text(words)

    def asks(self, words: str, *answers: str) -> Locator:
        """Whether a large card asks this, with these buttons; the card."""
        card = self.page.locator(".ask")
        expect(card).to_have_count(1, timeout=SHOWN_MS)
        expect(card.locator(".ask-title")).to_contain_text(words, timeout=SHOWN_MS)
        if answers:
            expect(card.locator(".answers button")).to_have_count(len(answers))
            for number, answer in enumerate(answers):
                expect(card.locator(".answers button").nth(number)).to_contain_text(answer)
        return card

    def asks_nothing(self) -> None:
        """Whether no large card is left."""
        expect(self.page.locator(".ask")).to_have_count(0, timeout=SHOWN_MS)


@contextmanager
def served(table: FilmedTable, folder: Path, port: int = 0) -> Iterator[Room]:
    """A server with a camera before a table."""
    with room(folder, Clock(), port, Cameras("film", table.open)) as here:
        yield here


@contextmanager
def sitting(browser: Browser, folder: Path, table: FilmedTable) -> Iterator[Sitting]:
    """A table whose match has just begun; the browser must have nothing to complain of."""
    with served(table, folder) as here:
        hands = Hands(browser, here)
        here_sits = Sitting(table, hands)
        here_sits.begin()
        yield here_sits
        assert hands.trouble == []
        hands.context.close()


def kept(folder: Path, number: int = 1) -> Match:
    """A match as the store has it."""
    with Store(folder / "matches.sqlite3", lambda: 0.0) as store:
        return store.load(number)
