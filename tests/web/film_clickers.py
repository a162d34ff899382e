"""People of a film who say nothing but by clicks in a browser: the film stands still until what they say was clicked and heard."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Event as Signal
from types import MappingProxyType
from typing import Any

from playwright.sync_api import Page

from tests.clips.film import Film
from tests.web.film_guests import Guests
from tests.web.hands import Hands
from tests.web.room import Room, room
from visionset.games.game import History
from visionset.geometry import Frame
from visionset.session import Snapshot
from visionset.web.camera_table import CameraTable
from visionset.web.cameras import Cameras
from visionset.web.offers import games_json
from visionset.web.wire import FromPage, MakeMove, MoveZones, SayWord

LONG_S = 60.0
"""Until a click that the table does not hear fails a test."""

WHOLE_S = 3600.0
"""Until a game that does not come to its end fails a test."""

_BUTTONS = {
    "undo": "Undo",
    "next": "Next",
    "dispute": "Dispute",
    "table": "The table is right",
    "game": "The game is right",
}

_CALLED = {"set": ("call",), "no_set": ("agree", "find_none")}
"""The choices of the page by which players say what their phones have large buttons for."""

Wanted = tuple[int | None, FromPage]
"""What somebody is to click: the player, or None for the host."""


class HeldFilm(Film):
    """A film that stands still until it is let go."""

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self.goes = Signal()

    def poll(self, timeout_s: float) -> Frame | None:
        if self.goes.is_set():
            return super().poll(timeout_s)
        self.goes.wait(timeout_s)
        return None  # what was said is heard before the next frame


class Clickers(Guests):
    """People who leave what they want to say for the browser.

    Parameters
    ----------
    film : HeldFilm
        What they do with their hands.
    truth : History
        What happens, which they know of themselves.
    first : MoveZones, optional
        What they do as soon as the camera sees the table.
    """

    film: HeldFilm

    def __init__(self, film: HeldFilm, truth: History, first: MoveZones | None = None) -> None:
        super().__init__(film, truth)
        self._first = first
        self.wanted: SimpleQueue[Wanted] = SimpleQueue()
        self._heard: SimpleQueue[None] = SimpleQueue()

    def look(self, snapshot: Snapshot) -> None:
        """Look at the page after a frame, and say what there is to say."""
        if self._first is not None:
            self.say(None, self._first)
            self._first = None
        else:
            super().look(snapshot)

    def say(self, player: int | None, message: FromPage) -> None:
        self.film.goes.clear()
        self.wanted.put((player, message))

    def sit_down(self, table: CameraTable) -> None:
        """Watch a table from now on, and let the film go whenever it has heard something."""
        do = table.do

        def heard(*given: Any) -> None:
            do(*given)
            self._heard.put(None)
            self.film.goes.set()

        table.do = heard  # type: ignore[method-assign]
        self.table = table
        table.session.listen(lambda snapshot, news: self.look(snapshot) if snapshot.is_fresh else None)
        self.begun.set()
        self.film.goes.set()

    def play(self, host: Hands, phones: Mapping[int, Page] = MappingProxyType({})) -> None:
        """Click all that anybody wants to say, to the end of the film; who has no phone has buttons at the host's page."""
        until_s = time.monotonic() + WHOLE_S
        while not (self.over.is_set() and self.wanted.empty()):
            assert time.monotonic() < until_s
            try:
                player, message = self.wanted.get(timeout=0.05)
            except Empty:
                host.page.wait_for_timeout(1)
                continue
            self.click(host, phones, player, message)
            self._heard.get(timeout=LONG_S)
        host.catch_up()

    def click(self, host: Hands, phones: Mapping[int, Page], player: int | None, message: FromPage) -> None:
        """Click what somebody wants to say."""
        host.catch_up()
        choices = self.shown["choices"]
        if isinstance(message, MakeMove):
            return host.make(next(one for one in choices if one["id"] == message.choice), message.values)
        if isinstance(message, MoveZones):
            return self._drag(host.page, message)
        assert isinstance(message, SayWord)
        what = message.what
        if what in _CALLED and player in phones:
            return phones[player].locator(f"button.{what.replace('_', '-')}").click()
        if what in _CALLED:
            called = (one["id"] for one in choices if one["event"] in _CALLED[what] and one["player"] in (None, player))
            return host.page.locator(f'[data-choice="{next(called)}"]').click()
        if what == "answer":
            answers = host.page.locator(".ask.is-question .answers button")
            return answers.nth((message.number or 0) - 1).click()  # "none of these" is the last
        return host.page.get_by_role("button", name=_BUTTONS[what]).first.click()

    def _drag(self, page: Page, message: MoveZones) -> None:
        """Drag zones to where they are to lie, each by its middle."""
        shown = {one["name"]: one for one in self.shown["zones"]}
        for wanted in message.zones:
            there = shown[wanted.name]
            seen = page.locator(".zone", has_text=there["text"]).locator("rect").bounding_box()
            assert seen is not None
            left, top, right, bottom = there["box"]
            x, y = seen["x"] + seen["width"] / 2, seen["y"] + seen["height"] / 2
            across, down = (wanted.box[0] - left) / (right - left), (wanted.box[1] - top) / (bottom - top)
            page.mouse.move(x, y)
            page.mouse.down()
            page.mouse.move(x + across * seen["width"], y + down * seen["height"], steps=5)
            page.mouse.up()


@contextmanager
def filmed_room(folder: Path, film: Film) -> Iterator[Room]:
    """A server whose camera is a film."""
    with room(folder, time.monotonic, cameras=Cameras("film", lambda source, game: film)) as served:
        yield served


def begin(host: Hands, truth: History) -> CameraTable:
    """Begin the match of a film by clicks, by its house rules; the table."""
    page, game = host.page, truth.game
    page.get_by_role("button", name=game.title).first.click()
    page.get_by_label("On the table before film").check()
    names = page.locator(".seats input")
    while names.count() < len(truth.players):
        page.get_by_role("button", name="Add a player").click()
    for number, name in enumerate(truth.players):
        names.nth(number).fill(name)
    for rule in next(one["house"] for one in games_json() if one["name"] == game.name):
        value = getattr(truth.options, rule["name"])
        if value != getattr(game.options(), rule["name"]):
            _set_rule(page, rule, value)
    page.get_by_role("button", name="Begin", exact=True).click()
    page.locator(".table-page").wait_for()
    table = host.room.host.table
    assert isinstance(table, CameraTable)
    assert table.match.history.options == truth.options
    assert table.match.history.players == truth.players
    return table


def _set_rule(page: Page, rule: Mapping[str, Any], value: Any) -> None:
    field = page.get_by_label(rule["words"])
    if rule["kind"] == "number":
        field.fill(str(value))
        field.blur()
    elif isinstance(value, bool) and rule["value"] is not None:
        field.set_checked(value)
    else:
        field.select_option(str(value).lower() if isinstance(value, bool) else value.value)
