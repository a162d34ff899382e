"""The clock of a round: shown to everybody, it says when the time is over, and changes no point."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests.builders import Clock as Still
from tests.web.hands import Hands, without_chromium
from tests.web.room import Page, Room, room
from visionset.web.round_clock import RoundClock
from visionset.web.wire import BeginMatch, ClockWanted, PlayerWanted

BEGIN: dict[str, Any] = {"game": "scramble", "players": [{"name": "Ann"}, {"name": "Bo"}]}


def begun(here: Room, page: Page, **more: Any) -> None:
    page.send("begin", **BEGIN, **more)
    while page.state["page"] != "table":
        page.read()
    while here.host.due_s is not None and not page.state["view"]:
        here.go_on(page)


def test_it_counts_up_down_and_stands_still() -> None:
    clock = Still()
    up, down = RoundClock(clock, 30.0, None), RoundClock(clock, 0.0, 60.0)
    clock.now_s += 59
    assert up.showing() == {"elapsed_s": 89.0, "limit_s": None, "is_running": True, "is_up": False}
    assert (up.due_s, up.wake(), down.wake()) == (None, False, False)
    clock.now_s += 1
    assert down.due_s == clock.now_s
    assert [down.wake(), down.wake()] == [True, False]
    assert down.due_s is None
    assert down.showing()["is_up"]
    for _ in range(2):
        down.stand(True)
        clock.now_s += 100
    assert down.showing() == {"elapsed_s": 60.0, "limit_s": 60.0, "is_running": False, "is_up": True}
    for _ in range(2):
        down.stand(False)  # the end was taken back
        clock.now_s += 10
    assert down.showing() == {"elapsed_s": 80.0, "limit_s": 60.0, "is_running": True, "is_up": True}


def test_what_it_waited_for_comes_later_by_the_time_that_it_stood() -> None:
    clock = Still()
    down = RoundClock(clock, 0.0, 60.0)
    clock.now_s += 20
    down.stand(True)
    clock.now_s += 1000
    assert (down.due_s, down.wake()) == (None, False)
    down.stand(False)
    assert down.due_s == clock.now_s + 40


def test_it_stands_while_the_host_lets_no_time_pass(tmp_path: Path) -> None:
    with room(tmp_path) as here, here.page() as host:
        begun(here, host, round_clock={"limit_s": 600})
        for what, is_running in (("pause", False), ("go_on", True)):
            host.send("say", what=what)
            while host.state["round_clock"]["is_running"] is not is_running:
                host.read()
            before_s = host.state["round_clock"]["elapsed_s"]
            here.clock.now_s += 100
            passed_s = here.get("/state").json()["round_clock"]["elapsed_s"] - before_s
            assert passed_s >= 100 if is_running else passed_s == 0


def test_everybody_is_told_when_the_time_is_over_and_the_game_goes_on(tmp_path: Path) -> None:
    with room(tmp_path) as here, here.page() as host, here.page(code=here.host.seats.code, name="Ann") as phone:
        begun(here, host, round_clock={"limit_s": 600})
        phone.catch_up(host.version)
        assert host.state["round_clock"]["limit_s"] == 600
        assert not host.state["round_clock"]["is_up"]
        scores = [one["score"] for one in host.state["players"]]
        while not host.state["round_clock"]["is_up"]:
            assert here.go_on(host, phone)
        assert phone.state["round_clock"]["is_up"]
        assert here.get("/state").json()["round_clock"]["elapsed_s"] >= 600
        assert [one["score"] for one in host.state["players"]] == scores
        assert host.state["page"] == "table"
        assert host.state["choices"]


def test_it_goes_on_with_its_match_and_no_other_has_it(tmp_path: Path) -> None:
    with room(tmp_path) as here, here.page() as page:
        begun(here, page, round_clock={})
        assert page.state["round_clock"]["limit_s"] is None
    with room(tmp_path) as here, here.page() as page:
        assert page.state["round_clock"]["is_running"]
        page.send("leave")
        while page.state["page"] != "start":
            page.read()
        assert page.state["round_clock"] is None
        begun(here, page)
        assert page.state["round_clock"] is None


@pytest.mark.parametrize("limit", [0, -1, 1e6, "60", True])
def test_no_other_limit_is_taken(limit: object, tmp_path: Path) -> None:
    with room(tmp_path) as here, here.page() as page:
        assert page.refused("begin", **BEGIN, round_clock={"limit_s": limit}) == "schema"


@pytest.mark.slow
@without_chromium
def test_the_page_counts_down_and_says_when_the_time_is_over(browser: Browser, tmp_path: Path) -> None:
    with room(tmp_path) as here:
        hands = Hands(browser, here)
        hands.page.get_by_role("button", name="SET solitaire").click()
        hands.page.get_by_role("switch", name="A clock runs").check()
        hands.page.get_by_label("Minutes until the time is over").fill("90")
        hands.page.get_by_role("button", name="Begin", exact=True).click()
        expect(hands.page.get_by_role("timer")).to_have_text(re.compile(r"(90|89):\d\d"))
        while not hands.state["round_clock"]["is_up"]:
            assert hands.go_on()
        expect(hands.page.get_by_text("The time of the round is over.")).to_be_visible()
        expect(hands.page.get_by_role("timer")).to_have_text("0:00")
        assert hands.trouble == []


@without_chromium
def test_a_phone_shows_the_clock_and_its_end(browser: Browser, tmp_path: Path) -> None:
    with room(tmp_path) as here:
        here.host.begin(BeginMatch("scramble", [PlayerWanted("Ann"), PlayerWanted("Bo")], round_clock=ClockWanted(600), seed=1))
        phone = Hands(browser, here, f"/join/{here.host.seats.code}", viewport={"width": 360, "height": 640})
        phone.page.get_by_role("button", name="Ann").click()
        expect(phone.page.get_by_role("timer")).to_have_text(re.compile(r"(10|9):\d\d"))
        assert phone.page.evaluate("document.documentElement.scrollWidth") <= 360
        while not phone.state["round_clock"]["is_up"]:
            assert phone.go_on()
        expect(phone.page.get_by_text("The time of the round is over.")).to_be_visible()
        phone.context.close()
        assert phone.trouble == []
