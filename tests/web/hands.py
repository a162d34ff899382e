"""Somebody who plays at the page by clicks alone, in Debian's chromium."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, Playwright, sync_playwright

from tests.web.room import PATIENCE_S, Room
from visionset.web.offers import page_words

CHROMIUM = shutil.which("chromium-headless-shell") or shutil.which("chromium")
"""The one that can open no window takes little more than half of the time for the same tests."""

COLORS, SHAPES = ("red", "green", "purple"), ("oval", "squiggle", "diamond")
FACES = [f"{number}-{color}-{shape}" for color in COLORS for shape in SHAPES for number in (1, 2, 3)]
"""In the order in which the page shows what a WILD may stand for."""

TAP = """points => { for (const [clientX, clientY] of points) {
    const there = document.elementFromPoint(clientX, clientY);
    there.dispatchEvent(new PointerEvent("pointerdown", { bubbles: true, pointerType: "touch" }));
    there.dispatchEvent(new PointerEvent("click", { bubbles: true, cancelable: true, pointerType: "mouse", detail: 1, clientX, clientY }));
} }"""
"""Taps as an iPhone tells of them: each is the first, and its click is said to be a mouse's."""

without_chromium = pytest.mark.skipif(
    CHROMIUM is None, reason="no chromium is installed: apt install chromium-headless-shell, or leave the page to others"
)


_open: list[Playwright] = []


@contextmanager
def playwright_here() -> Iterator[Playwright]:
    """Playwright, of which a thread has one at a time: the one that is open, or one until the end of this."""
    if _open:
        yield _open[0]
        return
    with sync_playwright() as playwright:
        _open.append(playwright)
        try:
            yield playwright
        finally:
            _open.clear()


@contextmanager
def chromium(*more: str) -> Iterator[Browser]:
    """Open the browser, with more arguments where a test needs some."""
    with playwright_here() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--force-color-profile=srgb", *more])
        try:
            yield browser
        finally:
            browser.close()


class Hands:
    """One browser's page at the table of a room."""

    def __init__(self, browser: Browser, room: Room, path: str = "/", **options: Any) -> None:
        self.room = room
        self.language: str = options.pop("language", "en")
        self.context = browser.new_context(viewport=options.pop("viewport", {"width": 1366, "height": 768}), **options)
        self.context.set_default_timeout(PATIENCE_S * 1000)
        cookie = {"name": "visionset_language", "value": self.language, "url": f"http://127.0.0.1:{room.port}"}
        if self.language != "en":
            self.context.add_cookies([cookie])  # type: ignore[list-item]
        self.page: Page = self.context.new_page()
        self.trouble: list[str] = []
        self.page.on("pageerror", lambda error: self.trouble.append(str(error)))
        self.page.on("console", lambda said: self.trouble.append(said.text) if said.type == "error" else None)
        self.page.goto(f"http://127.0.0.1:{room.port}{path}")

    @property
    def state(self) -> dict[str, Any]:
        """What the host's page is told."""
        return self.room.host.showing(self.room.host.seats.host_seat())[1]

    def word(self, code: str) -> str:
        """Words of the page in the language of this browser."""
        return page_words(self.language)[code]

    def press(self, what: Locator) -> None:
        """Use a button."""
        what.click()

    def begin(self, title: str) -> None:
        """Begin a game from a standing start: two clicks."""
        self.press(self.page.get_by_role("button", name=title))
        self.press(self.page.get_by_role("button", name=self.word("page.start.begin"), exact=True))
        self.page.wait_for_selector(".table-page")
        self.catch_up()

    def catch_up(self) -> None:
        """Wait until the page shows what the server has."""
        version = self.room.host.showing(None)[0]
        self.page.wait_for_function("wanted => Number(document.querySelector('.line').dataset.version) >= wanted", arg=version)

    def go_on(self) -> bool:
        """Let happen by itself what is next."""
        went = self.room.go_on()
        self.catch_up()
        return went

    def hurry(self) -> None:
        """Press "Next": what comes by itself comes now."""
        self.catch_up()
        before = self.room.host.showing(None)[0]
        self.press(self.page.get_by_role("button", name=self.word("page.tools.next")))
        self._settle(before)

    def make(self, choice: dict[str, Any], values: dict[str, Any]) -> None:
        """Fill a choice in and make it; it is done or refused after that."""
        refused = self.page.locator(".refused button")
        if refused.count():
            self.press(refused)
        before = self.room.host.showing(None)[0]
        self.press(self.page.locator(f'[data-choice="{choice["id"]}"]'))
        for need in choice["needs"]:
            self._fill(choice, need, values)
        self._settle(before)

    def _settle(self, before: int) -> None:
        """Wait until something came of what was clicked at this version."""
        changed = (
            "before => Number(document.querySelector('.line').dataset.version) > before || document.querySelector('.refused') !== null"
        )
        self.page.wait_for_function(changed, arg=before)
        self.catch_up()

    def _fill(self, choice: dict[str, Any], need: dict[str, Any], values: dict[str, Any]) -> None:
        value = values[need["field"]]
        match need["form"]:
            case "list":
                for place in value:
                    self.press(self.piece(choice["player"], place))
                if not need["count"]:
                    self.press(self.page.locator(".filling .primary"))
            case "wilds":
                for face in value:
                    if face is not None:
                        self.face(face)
            case "placings":
                for placing in value:
                    self.lay(choice["player"], placing)
                self.press(self.page.locator(".filling .primary"))
            case _:
                self.press(self.page.locator(".filling .answers").get_by_role("button", name=str(value), exact=True))

    def piece(self, player: int | None, place: int) -> Locator:
        """A piece on the table, or in a hand where none lies there."""
        spread = self.page.locator(".spread")
        return (spread if spread.count() else self.hand(player)).locator(f'.piece[data-stop="{place}"]')

    def hand(self, player: int | None) -> Locator:
        return self.page.locator(f'.hand[data-player="{player}"]')

    def cell(self, row: int, col: int) -> Locator:
        return self.page.locator(f'.cell[data-row="{row}"][data-col="{col}"]')

    def face(self, code: str) -> None:
        """Say what a WILD stands for."""
        self.press(self.page.locator(".faces button").nth(FACES.index(code)))

    def lay(self, player: int | None, placing: dict[str, Any]) -> None:
        """Lay one die of a hand."""
        before = self.room.host.showing(None)[0]
        drawn = self.hand(player).locator(f'.piece[data-stop="{placing["die"]}"] img').get_attribute("src")
        die = self.hand(player).locator(f'.piece:not(.is-faded):has(img[src="{drawn}"])').first  # of two alike, one that is not laid
        if die.get_attribute("aria-pressed") != "true":
            self.press(die)
        self.press(self.cell(placing["row"], placing["col"]))
        if placing.get("stated"):
            self.face(placing["stated"])
        elif self.page.locator(".faces").count():
            self.press(self.page.get_by_role("button", name="Leave it open"))
        if not self.page.locator(".filling .primary").count():  # on a board of one's own each die is laid at once
            self._settle(before)
