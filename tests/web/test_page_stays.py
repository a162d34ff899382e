"""What people are about to press stays where it is while the state of the table changes."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Route, WebSocketRoute, expect

from tests.web.clicker import pieces_of
from tests.web.hands import Hands, without_chromium
from tests.web.looked_views import DOUBTFUL, VIEWS
from tests.web.room import Room, room
from visionset.games.sets import find_sets
from visionset.messages import languages
from visionset.web.wire import BeginMatch, PlayerWanted

pytestmark = without_chromium

QUESTION: dict[str, Any] = {
    "id": "which",
    "text": "Which card lies there, in the middle of the second row?",
    "options": [{"number": number, "text": f"two red ovals, {number}", "piece": None} for number in (1, 2, 3)],
    "none": "None of these",
}


@pytest.fixture
def here(tmp_path: Path) -> Iterator[Room]:
    with room(tmp_path) as opened:
        yield opened


def begun(browser: Browser, here: Room, language: str, *names: str, **options: Any) -> Hands:
    here.host.begin(BeginMatch(game="set", players=[PlayerWanted(name) for name in names], seed=3))
    hands = Hands(browser, here, locale=language, **options)
    hands.page.wait_for_selector(".table-page")
    while not any(one["event"] == "call" for one in hands.state["choices"]):
        assert hands.go_on()
    return hands


def calls(hands: Hands) -> dict[str, tuple[float, float, float]]:
    """Where the buttons of those who may call are: left, top and height."""
    hands.catch_up()
    places = {}
    for button in hands.page.locator('[data-choice^="call:"]').all():
        box = button.bounding_box()
        assert box is not None
        places[str(button.get_attribute("data-choice"))] = box["x"], box["y"], box["height"]
    return places


def take(hands: Hands, is_set: bool) -> None:
    """Who has called takes three cards."""
    lying = pieces_of(next(part["pieces"] for part in hands.state["view"] if part["part"] == "spread"))
    right = find_sets(lying)[0]
    others = [place for place in range(len(lying)) if place not in right]
    choice = next(one for one in hands.state["choices"] if one["event"] == "take")
    hands.make(choice, {choice["needs"][0]["field"]: list(right) if is_set else [*right[:2], others[0]]})


@pytest.mark.slow
@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("names", [("Ann", "Bo", "Cem"), ("Ann", "Bo")])
def test_buttons_of_calls_stay_over_a_turn(
    names: tuple[str, ...], language: str, browser: Browser, here: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    hands = begun(browser, here, language, *names)
    waiting = calls(hands)
    assert len(waiting) == len(names)
    seen = [waiting]
    for is_set in (False, True):
        hands.press(hands.page.locator('[data-choice^="call:0"]'))
        hands.page.locator(".has-called").wait_for()
        seen.append(calls(hands))
        take(hands, is_set)
        seen.append(calls(hands))
        while not any(one["event"] == "call" for one in hands.state["choices"]):
            assert hands.go_on()
        seen.append(calls(hands))
    table = here.host.table
    assert table is not None
    shown = table.showing
    monkeypatch.setattr(table, "showing", lambda player=None: {**shown(player), "question": QUESTION})
    here.host.come(here.host.seats.host_seat())
    hands.page.locator(".is-question").wait_for()
    seen.append(calls(hands))
    moved = [{name: (waiting[name], place) for name, place in places.items() if waiting[name] != place} for places in seen]
    assert moved == [{}] * len(seen)
    assert sum(map(len, seen)) > 4 * len(names)


NOTE_SENT = (
    "() => { const { send } = WebSocket.prototype; WebSocket.prototype.send = function (text) { noted(text); send.call(this, text); }; }"
)
SAID = '"undo"'


@pytest.mark.slow
def test_what_was_taken_back_is_read_out_on_all_pages(browser: Browser, here: Room) -> None:
    hands = begun(browser, here, "en", "Ann", "Bo")
    phone = Hands(browser, here, f"/join/{here.host.seats.code}", locale="de", viewport={"width": 360, "height": 740})
    phone.page.get_by_role("button", name="Bo", exact=True).click()
    hands.press(hands.page.locator('[data-choice^="call:0"]'))
    hands.page.locator(".has-called").wait_for()
    take(hands, False)
    sent: list[str] = []
    hands.page.expose_function("noted", lambda text: sent.append(text))
    hands.page.evaluate(NOTE_SENT)
    hands.page.get_by_role("button", name="Undo").dblclick()  # one step all the same
    told = hands.page.get_by_role("status").filter(has_text="taken back: Ann says SET; Ann takes three (Ann -1)")
    told.wait_for()
    phone.page.get_by_role("status").filter(has_text="zurückgenommen: Ann sagt SET; Ann nimmt drei (Ann -1)").wait_for()
    assert sum(SAID in text for text in sent) == 1
    hands.press(hands.page.locator('[data-choice^="call:1"]'))
    hands.page.locator(".has-called").wait_for()
    assert told.count() == 0


@pytest.mark.parametrize(
    ("height", "scrolled"), [(640, 150), *(pytest.param(*low, marks=pytest.mark.slow) for low in ((640, 0), (740, 0), (640, 60)))]
)
def test_cards_stay_under_the_finger_of_who_calls_on_a_phone(browser: Browser, here: Room, height: int, scrolled: int) -> None:
    hands = begun(browser, here, "en", "Ann", "Bo")
    phone = Hands(
        browser, here, f"/join/{here.host.seats.code}", viewport={"width": 360, "height": height}, has_touch=True, reduced_motion="reduce"
    )
    phone.page.get_by_role("button", name="Bo", exact=True).click()
    phone.page.locator("button.set:enabled").wait_for()
    phone.page.wait_for_function("() => document.querySelector('.parts .piece').offsetWidth > 0")
    scrolled = min(scrolled, phone.page.evaluate("document.documentElement.scrollHeight - innerHeight"))  # how far, the system's fonts tell
    phone.page.evaluate(f"scrollTo(0, {scrolled})")
    assert phone.page.evaluate("scrollY") == scrolled
    tops = "[...document.querySelectorAll('.parts .piece')].map((card) => card.getBoundingClientRect().top)"
    # As they lie when the finger comes down: before a tap the browser may scroll to what is tapped.
    phone.page.evaluate(f"addEventListener('pointerdown', () => {{ window.touched = {tops}; }}, {{ capture: true }})")
    phone.page.locator("button.set").tap()
    phone.page.get_by_text("It is your turn!").wait_for()
    before, after = phone.page.evaluate("window.touched"), phone.page.evaluate(tops)
    assert len(before) == len(after) > 0
    assert before == pytest.approx(after, abs=2)
    assert hands.state["players"][1]["has_called"]


@pytest.mark.parametrize("language", [pytest.param("en", marks=pytest.mark.slow), "de"])
def test_all_cards_lie_above_the_button_on_a_low_phone(language: str, browser: Browser, here: Room) -> None:
    """Who must scroll to see the last row is late for its SETs."""
    begun(browser, here, "en", "Ann", "Bo")
    phone = Hands(browser, here, f"/join/{here.host.seats.code}", viewport={"width": 360, "height": 640}, language=language)
    phone.page.get_by_role("button", name="Bo", exact=True).click()
    button = phone.page.locator("button.set:enabled")
    button.wait_for()
    lows = phone.page.locator(".parts .piece").evaluate_all("cards => cards.map((card) => card.getBoundingClientRect().bottom)")
    box = button.bounding_box()
    assert box is not None
    assert len(lows) == 12
    assert max(lows) <= box["y"]


@pytest.mark.slow
def test_what_is_to_be_done_lies_above_the_button_of_a_small_phone_in_large_letters_too(browser: Browser, here: Room) -> None:
    begun(browser, here, "en", "Ann", "Bo")
    phone = Hands(browser, here, f"/join/{here.host.seats.code}", viewport={"width": 320, "height": 568}, language="de")
    phone.page.evaluate("localStorage.setItem('visionset.wishes', JSON.stringify({ size: 150 }))")
    phone.page.reload()
    phone.page.get_by_role("button", name="Bo", exact=True).click()
    phone.page.locator("button.set:enabled").wait_for()
    prompt, button = (phone.page.locator(what).bounding_box() for what in (".prompt", ".buzzer"))
    assert prompt is not None
    assert button is not None
    assert prompt["y"] + prompt["height"] <= button["y"]


@pytest.mark.slow
@pytest.mark.parametrize("size", [(320, 568), (640, 360)], ids=str)
def test_the_button_of_a_small_phone_lies_on_no_word_and_no_card(size: tuple[int, int], browser: Browser, here: Room) -> None:
    """Upright, and across, where the cards lie beside it; German has the longer words."""
    phone = Hands(browser, here, viewport={"width": size[0], "height": size[1]}, language="de", locale="de")
    VIEWS["buzzer"](phone)
    phone.page.wait_for_function("() => document.querySelector('.parts .piece').offsetWidth > 0")
    button = phone.page.locator(".buzzer").bounding_box()
    assert button is not None
    seen = phone.page.locator(".prompt, .parts .piece")
    assert seen.count() == 1 + 12
    for one in seen.all():
        box = one.bounding_box()
        assert box is not None
        assert box["y"] + box["height"] <= min(button["y"], size[1]) or box["x"] + box["width"] <= button["x"]
    phone.context.close()


@pytest.mark.parametrize("path", [pytest.param("/", marks=pytest.mark.slow), "/join/"], ids=["start-page", "phone"])
def test_pieces_lie_where_they_stay_before_their_drawings_come(path: str, browser: Browser, here: Room) -> None:
    """All kinds on the start page, and cards on a phone, where drawings come late: they must not move under a finger."""
    if path != "/":
        begun(browser, here, "en", "Ann", "Bo")
        path += here.host.seats.code
    with browser.new_context(viewport={"width": 360, "height": 640}, reduced_motion="reduce") as context:
        page = context.new_page()
        held: list[Route] = []
        page.route("**/piece/**", lambda route: held.append(route))
        page.goto(f"http://127.0.0.1:{here.port}{path}")
        if path != "/":
            page.get_by_role("button", name="Bo", exact=True).click()
        boxes = """[...document.querySelectorAll('.drawn')].map((one) => one.getBoundingClientRect())
            .map(({ x, y, width, height }) => [x, y, width, height])"""
        page.wait_for_function("() => document.querySelector('.drawn')?.offsetWidth > 0")
        early = page.evaluate(boxes)
        assert page.evaluate("[...document.querySelectorAll('.drawn')].every((one) => one.naturalWidth === 0)")
        page.route("**/piece/**", Route.continue_)
        for route in held:  # whoever answers none leaves Playwright waiting, which is an error of a later test
            route.continue_()
        page.wait_for_function("() => [...document.querySelectorAll('.drawn')].every((one) => one.naturalWidth > 0)")
        assert len(early) >= 12
        assert early == [pytest.approx(box, abs=0.1) for box in page.evaluate(boxes)]


def test_cards_are_fitted_anew_when_the_window_grows_lower_and_higher(browser: Browser, here: Room) -> None:
    """As large as they were they must not hold their field open: the last row lay below the window."""
    hands = begun(browser, here, "en", "Ann", "Bo")
    fits = """() => {
        const bottom = (one) => one.getBoundingClientRect().bottom, field = document.querySelector(".spread .field");
        return field.offsetHeight > 0 && Math.max(...[...document.querySelectorAll(".spread .piece")].map(bottom)) <= bottom(field) + 1;
    }"""
    hands.page.wait_for_function(fits)
    before = hands.page.evaluate("document.querySelector('.spread .piece').offsetWidth")
    hands.page.set_viewport_size({"width": 1366, "height": 500})
    hands.page.wait_for_function("() => document.querySelector('.field').offsetHeight < 300")
    hands.page.wait_for_function(fits)
    hands.page.set_viewport_size({"width": 1366, "height": 768})
    hands.page.wait_for_function(f"() => document.querySelector('.spread .piece').offsetWidth === {before}")


@pytest.mark.slow
def test_a_new_line_asks_again_for_the_pictures_of_the_camera(browser: Browser, here: Room) -> None:
    """A server that was begun anew knows nothing of who looks on."""
    hands, lines = Hands(browser, here), list[WebSocketRoute]()

    def answer(line: WebSocketRoute) -> None:
        def whole(notice: str) -> str:
            return json.dumps({"type": "state", "version": 1, "whole": {**DOUBTFUL, "question": None, "exhibits": [], "notice": notice}})

        def heard(message: str | bytes) -> None:
            said = json.loads(message)
            if said["type"] == "hello":
                line.send(json.dumps({"type": "welcome", "seat": "s", "is_host": True, "player": None, "language": "en"}))
                line.send(whole("nobody looks on"))
            elif said["type"] == "stream" and said["on"]:
                line.send(whole(f"line {len(lines)} is looked through"))

        lines.append(line)
        line.on_message(heard)

    hands.page.route_web_socket("**/ws", answer)
    hands.page.reload()
    expect(hands.page.get_by_text("line 1 is looked through").first).to_be_attached()
    lines[0].close()
    expect(hands.page.get_by_text("line 2 is looked through").first).to_be_attached()


@pytest.mark.slow
def test_dice_stay_in_sight_where_they_are_while_others_are_taken(browser: Browser, here: Room) -> None:
    here.host.begin(BeginMatch(game="scramble", players=[PlayerWanted("Ann"), PlayerWanted("Bo")], seed=5))
    hands = Hands(browser, here, reduced_motion="reduce")
    hands.page.wait_for_selector(".table-page")
    expect(hands.page.locator(".prompts")).to_contain_text("the dice are rolled")
    expect(hands.page.locator(".prompts")).not_to_contain_text("empty all")
    while not any(one["event"] == "take" for one in hands.state["choices"]):
        assert hands.go_on()

    def lying() -> list[tuple[str | None, dict[str, float] | None]]:
        hands.catch_up()
        return [(one.get_attribute("aria-label"), one.bounding_box()) for one in hands.page.locator(".spread .piece").all()]

    for _ in range(2):
        before = lying()
        take(hands, True)
        after = lying()
        assert len(after) == len(before) - 3
        assert [one for one in before if one in after] == after
