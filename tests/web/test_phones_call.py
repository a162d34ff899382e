"""Two phones in two browsers call by real touches, one over a slow line: the server's times are the true ones, and so are ties and order.

Whether a machine is busy makes no difference: the true time of a touch is the browser's own, by the clock that the server goes by.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from tests.web.hands import CHROMIUM, without_chromium
from tests.web.room import PATIENCE_S, Room, room
from tests.web.slow_line import slow_line
from visionset.errors import RuleError
from visionset.web.phone_clock import PhoneClock, PhoneClockOptions
from visionset.web.showing import choices_by_id
from visionset.web.wire import BeginMatch, FromPage, MakeMove, PlayerWanted, SayWord

NAMES = ("Ann", "Bo")
PAIRS = 50
APART_S = (0.02, 0.4)
DELAY_S = (0.005, 0.08)
TIE_S, RIGHT_S = 0.25, 0.02
MOST_S = PhoneClockOptions().most_s - RIGHT_S
"""A call that comes later than so is not dated back to its time: no line is that slow, only a machine that does much else."""

LOOKS = 50
"""At a phone's clock, to learn what the server's shows then: the quickest ones tell it to a millisecond."""

TOUCHED = """() => {
    window.touches = [];
    addEventListener("pointerdown", (event) => window.touches.push(event.timeStamp), true);
}"""

BUSY = """() => setInterval(() => {
    const until_ms = performance.now() + 60 * Math.random();
    while (performance.now() < until_ms);
}, 150)"""
"""A phone that is slow to draw, so that it hears late of a touch."""

pytestmark = [pytest.mark.slow, without_chromium]


@dataclass
class Heard:
    """A call as the server has it: when it was by the server's clock, and when the server heard of it."""

    player: int
    at_s: float
    came_s: float
    is_refused: bool


class Phone:
    """A phone in a browser of its own."""

    def __init__(self, browser: Browser, port: int, code: str, name: str) -> None:
        self.page: Page = browser.new_context(viewport={"width": 360, "height": 740}).new_page()
        self.page.goto(f"http://127.0.0.1:{port}/join/{code}")
        self.page.get_by_label("Your name").fill(name)
        self.page.get_by_role("button", name="Sit down").click()
        self.page.wait_for_selector("main")

    def sit(self) -> None:
        """Put the finger over the large button."""
        self.page.wait_for_selector("button.set:enabled")
        box = self.page.locator("button.set").bounding_box()
        assert box is not None
        self.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        self.page.evaluate(TOUCHED)
        looks = [(time.monotonic(), self.page.evaluate("performance.now()") / 1000, time.monotonic()) for _ in range(LOOKS)]
        least, most = max(before - now for before, now, _ in looks), min(after - now for _, now, after in looks)
        self.ahead_s = (least + most) / 2

    def call(self) -> None:
        self.page.mouse.down()
        self.page.mouse.up()

    def touched_s(self) -> float:
        """When the last touch was, by the server's clock."""
        return float(self.page.evaluate("window.touches.at(-1)")) / 1000 + self.ahead_s


def listened(here: Room, monkeypatch: pytest.MonkeyPatch) -> list[Heard]:
    """What the table is told of calls from now on."""
    heard: list[Heard] = []
    came_s: dict[float, float] = {}
    do, when_s = here.host.do, PhoneClock.when_s

    def dated(clock: PhoneClock, told_s: float, now_s: float) -> float:
        at_s = when_s(clock, told_s, now_s)
        came_s[at_s] = now_s
        return at_s

    def noticed(seat: Any, message: FromPage, at_s: float | None = None) -> None:
        is_call = isinstance(message, SayWord) and message.what == "set"
        if not is_call:
            return do(seat, message, at_s)
        assert at_s is not None
        refused = False
        try:
            do(seat, message, at_s)
        except RuleError:
            refused = True
            raise
        finally:
            heard.append(Heard(NAMES.index(seat.name), at_s, came_s[at_s], refused))

    monkeypatch.setattr(PhoneClock, "when_s", dated)
    here.host.do = noticed  # type: ignore[method-assign]
    return heard


def begin(here: Room, phones: list[Phone]) -> None:
    """Begin a game of SET, and wait until the cards lie there."""
    here.host.begin(BeginMatch("set", [PlayerWanted(name) for name in NAMES]))
    while not wait_until(phones, lambda: here.host.due_s is None):
        here.host.wake()


def wait_until(phones: list[Phone], is_done: Callable[[], bool], patience_s: float = 0.2) -> bool:
    """Let the pages live until something is done."""
    until_s = time.monotonic() + patience_s
    while not is_done():
        if time.monotonic() > until_s:
            return False
        for phone in phones:
            phone.page.wait_for_timeout(5)
    return True


def give_up(here: Room) -> None:
    """Let callers say that they have nothing to show."""
    host = here.host
    while True:
        assert host.table is not None
        late = [name for name, one in choices_by_id(host.table.match.history.state).items() if one.event == "give_up"]
        if not late:
            return
        host.do(host.seats.host_seat(), MakeMove(host.showing(None)[0], late[0], {}))


def changing(rng: random.Random) -> float:
    return rng.uniform(*DELAY_S)


def slowest(rng: random.Random) -> float:
    return DELAY_S[1]


@pytest.mark.parametrize(("delay", "is_busy"), [(changing, False), (slowest, False), (changing, True)])
def test_a_hundred_calls_of_two_phones_have_their_true_times(
    delay: Callable[[random.Random], float], is_busy: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng, on_the_line = random.Random(5), random.Random(6)
    errors: list[float] = []
    turned, wrong_ties, ties, too_late = [], [], 0, 0
    with ExitStack() as stack:
        here = stack.enter_context(room(tmp_path, time.monotonic))
        heard = listened(here, monkeypatch)
        port = stack.enter_context(slow_line(here.port, lambda: delay(on_the_line)))
        playwright = stack.enter_context(sync_playwright())
        phones = []
        for name, to_port in zip(NAMES, (here.port, port), strict=True):
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
            stack.callback(browser.close)
            phones.append(Phone(browser, to_port, here.host.seats.code, name))
        begin(here, phones)
        for phone in phones:
            phone.sit()
            if is_busy:
                phone.page.evaluate(BUSY)
        for _ in range(PAIRS):
            heard.clear()
            first, then = rng.sample(phones, 2)
            apart_ms = 1000 * rng.uniform(*APART_S)
            first.call()
            first.page.wait_for_timeout(apart_ms)
            then.call()
            assert wait_until(phones, lambda: len(heard) == 2, PATIENCE_S)
            true_s = [phone.touched_s() for phone in phones]
            late = [one for one in heard if one.came_s - true_s[one.player] > MOST_S]
            errors += [one.at_s - true_s[one.player] for one in heard if one not in late]
            too_late += len(late)
            gap_s = abs(true_s[1] - true_s[0])
            ties += not heard[1].is_refused
            if not late and heard[0].player != phones.index(first):
                turned.append(gap_s)
            if not late and heard[1].is_refused != (gap_s > TIE_S):
                wrong_ties.append(gap_s)
            give_up(here)
    worst_s = max(map(abs, errors))
    print(f"{len(errors)} calls, {too_late} more came too late; worst {1000 * worst_s:.1f} ms, {ties} ties", end="; ")
    print(f"turned at {turned}, wrongly a tie or none at {wrong_ties}")
    assert worst_s <= RIGHT_S
    assert len(errors) > PAIRS
    assert all(gap_s <= 2 * RIGHT_S for gap_s in turned)
    assert all(abs(gap_s - TIE_S) <= 2 * RIGHT_S for gap_s in wrong_ties)
