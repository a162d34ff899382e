"""The page in a browser: begun in two clicks, played by mouse or by keys alone, and the same after a reload or a server that was away."""

from __future__ import annotations

import re
import socket
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Route, WebSocketRoute, expect

from tests.messages_in_code import PAGE
from tests.web.clicker import pieces_of
from tests.web.hands import TAP, Hands, without_chromium
from tests.web.keys import SEEN, Keys
from tests.web.looked_views import (
    AGREE,
    CALL,
    DOUBTFUL,
    HAND,
    PHONE_WISH,
    QUIET,
    SPREAD,
    VIRTUAL,
    choice_of,
    heard_by,
    on_phone,
    to_free_value,
    to_value,
    told,
)
from tests.web.looks import LEAST_TOUCH_PX
from tests.web.room import Room, room
from visionset.games.registry import GAMES
from visionset.games.scramble.advice import best_takes
from visionset.games.sets import find_sets
from visionset.messages import Catalogue, at_table, speak
from visionset.pieces import SetDie
from visionset.web.cameras import Cameras
from visionset.web.virtual_table import VirtualTable
from visionset.web.wire import BeginMatch, MakeMove, PlayerWanted, SayWord

SEED = 4
"""Of a deal with a SET among the first twelve cards."""

pytestmark = without_chromium


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Room]:
    monkeypatch.setattr("visionset.store.match.Match.seed", SEED)
    with room(tmp_path) as opened:
        yield opened


def a_set(state: dict[str, Any]) -> tuple[int, ...] | None:
    """Where three cards of the table are a SET."""
    return next(iter(find_sets(pieces_of(state["view"][0]["pieces"]))), None)


@pytest.mark.slow
def test_a_match_of_three_has_all_playing_and_stands_still_below_an_open_dialog(hands: Hands) -> None:
    page, host = hands.page, hands.room.host
    host.begin(BeginMatch("set", [PlayerWanted(name) for name in ("Ann", "Bo", "Cy")]))
    page.wait_for_selector(".table-page")
    hands.go_on()
    assert [one["sits_out"] for one in hands.state["players"]] == [False] * 3
    hands.press(page.locator('[data-choice="call:1:0"]'))
    page.get_by_text("touch 3 pieces on the table").wait_for()
    for name, is_still in (("View", True), ("Back to this page", False)):
        before = host.showing(None)[0]
        hands.press(page.get_by_role("button", name=name, exact=True))
        page.wait_for_function("before => Number(document.querySelector('.line').dataset.version) > before", arg=before)
        assert (host.due_s is None) == is_still


@pytest.mark.slow
def test_the_end_of_a_round_stays_until_the_next_is_asked_for(hands: Hands) -> None:
    page, host = hands.page, hands.room.host
    host.begin(BeginMatch("set", [PlayerWanted("Ann"), PlayerWanted("Bo")]))
    while not hands.state["is_round_over"]:
        if not any(one["event"] == "call" for one in hands.state["choices"]):
            hands.room.go_on()
            continue
        trio = a_set(hands.state)
        for player in (0, 1) if trio is None else (0,):
            host.do(host.seats.host_seat(), SayWord("set" if trio else "no_set", player))
        if trio is not None:
            host.do(host.seats.host_seat(), MakeMove(host.showing(None)[0], "take:0:0", {"at": list(trio)}))
    assert host.due_s is None
    card = page.locator(".is-round-over")
    card.wait_for()
    expect(card).to_contain_text("Round 1 is over: Ann won it")
    expect(card.locator(".scores li").first).to_contain_text(f"Ann {hands.state['players'][0]['score']}")
    expect(card.locator(".explain")).to_be_visible()
    hands.press(card.get_by_role("button", name="Next round"))
    card.wait_for(state="detached")
    hands.catch_up()
    assert len(pieces_of(hands.state["view"][0]["pieces"])) == 12


def test_a_game_begins_in_two_clicks_and_solitaire_is_played_by_clicks(hands: Hands) -> None:
    hands.begin("SET solitaire")
    hands.go_on()
    for _ in range(4):
        found, before = a_set(hands.state), hands.room.host.showing(None)[0]
        if found is None:
            hands.page.get_by_role("button", name="I find none").click()
        else:
            for place in found:
                hands.piece(None, place).click()
        hands.page.wait_for_function(
            "before => Number(document.querySelector('.line').dataset.version) > before", arg=before
        )  # what was clicked has been done
        while hands.go_on():
            pass
    assert sum(entry["explain"] is not None for entry in hands.state["log"]) >= 2
    expect(hands.page.locator(".player .score")).to_have_text(str(hands.state["players"][0]["score"]))


def test_a_take_is_explained_attribute_by_attribute(hands: Hands) -> None:
    hands.begin("SET solitaire")
    hands.go_on()
    found = a_set(hands.state)
    assert found
    for place in found:
        hands.piece(None, place).click()
    hands.page.locator(".log summary").first.click()
    rows = hands.page.locator(".explain tbody tr")
    expect(rows).to_have_count(4)
    expect(hands.page.locator(".reasons .is-right")).to_have_count(4)


@pytest.mark.slow
def test_solitaire_by_keys_alone(browser: Browser, server: Room) -> None:
    keys = Keys(browser, server)
    keys.begin("SET solitaire")
    keys.go_on()
    found = a_set(keys.state)
    assert found
    for place in found:
        keys.press(keys.piece(None, place))
    expect(keys.page.locator(".player .score")).to_have_text("1")
    assert keys.lost == []
    keys.context.close()


def test_a_game_is_set_up_and_called_at_by_keys_alone(browser: Browser, server: Room) -> None:
    keys = Keys(browser, server)
    keys.press(keys.page.get_by_role("button", name="SET with cards"))
    for button in ("Add a bot", "Remove Bot 1", "Begin"):
        keys.press(keys.page.get_by_role("button", name=button, exact=True))
    heading = keys.page.locator(".table-page h1")
    expect(heading).to_be_focused()  # another Enter does nothing: it had undone something
    assert [one["name"] for one in keys.state["players"]] == ["Player 1", "Bot 2"]
    keys.go_on()
    expect(heading).to_be_focused()
    keys.page.wait_for_selector(".spread .piece")
    keys.page.get_by_role("button", name="Next").evaluate("one => { one.disabled = false; one.focus(); one.disabled = true; }")
    expect(heading).to_be_focused()  # it is not on "Undo" either
    caller = next(one for one in keys.state["players"] if not one["is_bot"])
    keys.type(caller["key"])
    expect(keys.page.locator(".has-called .name")).to_have_text(caller["name"])
    assert keys.lost == []
    keys.context.close()


@pytest.mark.slow
@pytest.mark.parametrize("by", ["click", "tap", "Enter"])
def test_a_button_that_is_pressed_twice_is_meant_once_whatever_stands_there_by_then(browser: Browser, server: Room, by: str) -> None:
    keys = Keys(browser, server)
    keys.begin("Sets, with two dice")
    keys.page.clock.install()
    keys.page.clock.pause_at(keys.page.evaluate("Date.now() + 1000"))
    roll = keys.page.get_by_role("button", name="Roll Dice")
    roll.focus()
    roll.hover()
    at = roll.bounding_box()
    assert at is not None

    def press(count: int) -> Any:
        if by == "Enter":
            return keys.type("Enter")
        if by == "tap":
            return keys.page.evaluate(TAP, [[at["x"] + 9 * count, at["y"] + 9]])
        keys.page.mouse.down(click_count=count)
        return keys.page.mouse.up(click_count=count)

    press(1)
    ends = keys.page.get_by_role("button", name="End Turn")
    ends.wait_for()
    keys.page.clock.run_for(150)
    press(2)
    keys.catch_up()
    assert [one["event"] for one in keys.state["choices"] if one["event"] in ("roll", "end_turn")] == ["end_turn"]
    keys.page.clock.run_for(1000)
    ends.click()
    keys.page.get_by_role("button", name="Roll Dice").wait_for()
    keys.context.close()


def test_a_match_is_not_left_by_the_second_press_of_the_key_that_has_asked_whether(browser: Browser, server: Room) -> None:
    hands = Hands(browser, server)
    said = told(hands, VIRTUAL)
    hands.page.reload()
    stop = hands.page.get_by_role("button", name="Stop playing")
    stop.focus()
    hands.page.clock.install()
    hands.page.clock.pause_at(hands.page.evaluate("Date.now() + 1000"))
    for _ in range(2):
        hands.page.keyboard.press("Enter")
        hands.page.clock.run_for(150)
        expect(hands.page.get_by_role("dialog")).to_be_visible()
    hands.page.clock.run_for(1000)
    hands.page.keyboard.press("Enter")
    expect(hands.page.get_by_role("dialog")).to_have_count(0)
    assert len(heard_by(hands, said, "leave")) == 1
    hands.context.close()


@pytest.mark.parametrize("name", ["SET Cubed", "Dice alone"])
def test_the_second_click_of_a_double_click_that_has_led_to_the_games_opens_none(name: str, browser: Browser, server: Room) -> None:
    """Whoever pressed "Another game" twice at the end of a match was setting up the one that lay there."""
    hands = Hands(browser, server)
    hands.page.get_by_role("button", name=name).hover()
    for count, opened in ((2, 0), (1, 1)):
        hands.page.mouse.down(click_count=count)
        hands.page.mouse.up(click_count=count)
        hands.page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
        assert hands.page.locator(".setup, .alone form").count() == opened
    hands.context.close()


@pytest.mark.slow
@pytest.mark.parametrize("by", ["click", "key"])
def test_brisk_undos_go_back_as_far_as_somebody_means(browser: Browser, server: Room, by: str) -> None:
    """Two in a row are one that was pressed twice; whoever presses on means each."""
    hands = Hands(browser, server)
    said = told(hands, VIRTUAL)
    hands.page.reload()
    hands.page.get_by_role("button", name="Undo").hover()
    hands.page.clock.install()
    hands.page.clock.pause_at(hands.page.evaluate("Date.now() + 1000"))
    hands.page.keyboard.down("Shift")
    for count in (1, 2, 3, 4):
        if by == "key":
            hands.page.keyboard.press("U")
        else:
            hands.page.mouse.down(click_count=count)
            hands.page.mouse.up(click_count=count)
        hands.page.clock.run_for(150)
    assert [one["what"] for one in heard_by(hands, said, "say")] == ["undo"] * 3
    hands.context.close()


@pytest.mark.slow
def test_a_key_that_is_pressed_twice_answers_one_question(browser: Browser, server: Room) -> None:
    keys = Keys(browser, server)
    said = told(keys, DOUBTFUL)
    keys.page.reload()
    keys.page.locator(".is-question").wait_for()
    keys.page.clock.install()
    keys.page.clock.pause_at(keys.page.evaluate("Date.now() + 1000"))
    for key in ("1", "1", "t", "t", "1"):
        keys.type(key)
    keys.page.clock.run_for(1000)
    keys.type("1")
    said_last = [(one["what"], one.get("number")) for one in heard_by(keys, said, "say")]
    assert said_last == [("answer", 1), ("table", None), ("answer", 1), ("answer", 1)]
    keys.context.close()


@pytest.mark.slow
def test_a_button_on_which_enter_is_held_is_pressed_once(browser: Browser, server: Room) -> None:
    keys = Keys(browser, server)
    said = told(keys, DOUBTFUL)
    keys.page.reload()
    answer = keys.page.locator(".is-question .answers button").first
    answer.focus()
    keys.page.clock.install()
    keys.page.clock.pause_at(keys.page.evaluate("Date.now() + 1000"))
    keys.page.keyboard.down("Enter")
    for wait_ms in (500, 30, 30):  # a keyboard waits before it repeats
        keys.page.clock.run_for(wait_ms)
        keys.page.keyboard.down("Enter")
    keys.page.keyboard.up("Enter")
    expect(answer).to_be_focused()
    assert [one["what"] for one in heard_by(keys, said, "say")] == ["answer"]
    keys.page.clock.run_for(500)
    keys.page.keyboard.press("Enter")
    assert [one["what"] for one in heard_by(keys, said, "say")] == ["answer"] * 2
    keys.context.close()


@pytest.mark.slow
def test_who_settles_a_difference_says_which(browser: Browser, server: Room) -> None:
    """Two who press at once: the later of them means no other that is told by then."""
    hands = Hands(browser, server)
    said = told(hands, {**DOUBTFUL, "question": None})
    hands.page.reload()
    hands.page.locator(".is-differ").wait_for()
    for button in hands.page.locator(".is-differ .answers button").all():
        button.click()
    for key in "tg":
        hands.page.keyboard.press(key)
    words = [(one["what"], one["asked"]) for one in heard_by(hands, said, "say")]
    assert words == [("table", DOUBTFUL["differ_id"]), ("game", DOUBTFUL["differ_id"])] * 2
    hands.context.close()


@pytest.mark.slow
def test_enter_does_what_its_button_says_also_for_whoever_has_clicked_on_a_piece(browser: Browser, server: Room) -> None:
    """The piece has the focus then, and was put back. Who goes by keys picks pieces with Enter."""
    need = {"field": "places", "text": "which", "values": [], "count": None, "form": "list"}
    keys = Keys(browser, server)
    said = told(keys, {**VIRTUAL, "choices": [choice_of("lay", 0, "Ann: lay", [need])], "view": [HAND]})
    keys.page.reload()
    pieces = keys.page.locator(".hand .piece")
    pieces.nth(1).click()
    expect(keys.page.locator(".filling .primary")).to_be_enabled()
    keys.page.keyboard.press("Enter")
    assert [one["values"] for one in heard_by(keys, said, "move")] == [{"places": [1]}]
    keys.press(pieces.nth(2))
    expect(pieces.nth(2)).to_have_attribute("aria-pressed", "true")
    assert len(heard_by(keys, said, "move")) == 1
    keys.context.close()


@pytest.mark.slow
def test_what_was_begun_by_keys_has_the_focus(browser: Browser, server: Room) -> None:
    keys = Keys(browser, server)
    for go, there in ((to_value, ".filling"), (to_free_value, ".filling input")):
        go(keys)
        keys.page.keyboard.press("Escape")
        keys.press(keys.page.locator("[data-choice]").first)
        expect(keys.page.locator(there)).to_be_focused()
    keys.context.close()


@pytest.mark.slow
def test_the_second_click_of_a_double_click_answers_no_question_that_comes_into_its_place(browser: Browser, server: Room) -> None:
    hands = Hands(browser, server)
    said = told(hands, {**DOUBTFUL, "differ": "", "asking_phone": PHONE_WISH})
    hands.page.reload()
    hands.page.locator(".is-phone").get_by_role("button", name="Allow").hover()
    hands.page.clock.install()
    hands.page.clock.pause_at(hands.page.evaluate("Date.now() + 1000"))
    hands.page.mouse.down(click_count=1)
    hands.page.mouse.up(click_count=1)
    hands.page.locator(".is-question .answers button").first.hover()
    for count in (2, 1):
        hands.page.mouse.down(click_count=count)
        hands.page.mouse.up(click_count=count)
        hands.page.clock.run_for(1000)
    assert [one["type"] for one in heard_by(hands, said, "phone", "say")] == ["phone", "say"]
    hands.context.close()


@pytest.mark.slow
def test_the_focus_lands_on_no_button_that_nobody_used(browser: Browser, server: Room) -> None:
    keys = Keys(browser, server)
    server.host.begin(BeginMatch("set", [PlayerWanted(name) for name in ("Ann", "Bo", "Cy")]))
    keys.page.wait_for_selector(".table-page")
    keys.go_on()
    whose = re.compile("^(Ann|Bo|Cy): (SET!|I see none)$")  # it is heard apart from the list around it
    expect(keys.page.get_by_role("button", name=whose)).to_have_count(6)
    cy = keys.page.locator(".player").nth(2)
    keys.press(cy.get_by_role("button", name="I see none"))
    expect(cy).to_be_focused()  # not on "SET!"
    assert keys.page.evaluate(SEEN)
    keys.type("Enter")
    keys.press(keys.page.locator(".player").nth(1).get_by_role("button", name="I see none"))
    assert not any(one["has_called"] for one in keys.state["players"])
    assert keys.lost == []
    keys.context.close()


@pytest.mark.parametrize("size", [(360, 740), pytest.param((1366, 768), marks=pytest.mark.slow)], ids=str)
def test_a_game_begins_below_its_players_and_rules_and_always_in_sight(browser: Browser, server: Room, size: tuple[int, int]) -> None:
    hands = Hands(browser, server, viewport={"width": size[0], "height": size[1]})
    hands.page.get_by_role("button", name="SET with cards").click()
    begin = hands.page.get_by_role("button", name="Begin", exact=True)
    assert begin.evaluate("one => document.querySelector('.house').compareDocumentPosition(one) & Node.DOCUMENT_POSITION_FOLLOWING")
    box = begin.bounding_box()
    assert box
    assert box["y"] + box["height"] <= size[1]
    hands.page.get_by_role("button", name="Another game").click()
    hands.page.get_by_role("button", name="SET solitaire").click()
    expect(begin).to_be_visible()
    expect(hands.page.get_by_role("button", name=re.compile("Add|Remove"))).to_have_count(0)
    hands.context.close()


HIDDEN = """() => {
    const one = document.activeElement;
    const box = one.getBoundingClientRect();
    const isHit = (share) => {
        const hit = document.elementFromPoint((box.left + box.right) / 2, box.top + box.height * share);
        return one.contains(hit) || one.closest('label')?.contains(hit);
    };
    return one === document.body || [0.1, 0.5, 0.9].every(isHit) ? '' : one.outerHTML.slice(0, 120);
}"""
"""What has the focus, where something lies over it or it is not in sight."""


@pytest.mark.slow
@pytest.mark.parametrize("size", [(320, 256), (390, 500), (640, 360)], ids=str)
def test_nothing_that_keys_lead_to_lies_behind_the_buttons_at_the_lower_edge(browser: Browser, server: Room, size: tuple[int, int]) -> None:
    """Small phones, and 200 % and 400 % of a laptop."""
    hands = Hands(browser, server, viewport={"width": size[0], "height": size[1]})

    def tour(within: str) -> None:
        for key in ("Tab", "Shift+Tab"):
            hands.page.locator(within).evaluate("one => one.querySelector('input').focus()")
            for _ in range(20):
                hands.page.keyboard.press(key)
                assert hands.page.evaluate(HIDDEN) == ""

    hands.page.get_by_role("button", name="SET with cards").click()
    tour(".setup")
    hands.page.get_by_role("button", name="View").click()
    tour("dialog")
    hands.context.close()


def test_nothing_that_keys_lead_to_lies_behind_a_question(browser: Browser, server: Room) -> None:
    hands = Hands(browser, server, viewport={"width": 390, "height": 500})
    told(hands, {**DOUBTFUL, "differ": "", "view": [SPREAD]})
    hands.page.reload()
    hands.page.locator(".asks .answers").wait_for()
    hands.page.wait_for_function("() => parseFloat(document.documentElement.style.scrollPaddingTop) > 0")  # measured after it is drawn
    hidden = []
    for key in ("Tab", "Shift+Tab"):
        for _ in range(25):
            hands.page.keyboard.press(key)
            if hands.page.locator("button:focus").count():
                hidden.append(hands.page.evaluate(HIDDEN))
    assert len(hidden) > 20
    assert set(hidden) == {""}
    hands.context.close()


def test_nothing_that_keys_lead_to_lies_behind_the_large_button_of_a_phone(browser: Browser, server: Room) -> None:
    phone = Hands(browser, server, viewport={"width": 390, "height": 600})
    on_phone({**VIRTUAL, "choices": [CALL, AGREE], "view": [SPREAD]}, ".buzzer")(phone)
    hidden = []
    for key in ("Tab", "Shift+Tab"):
        for _ in range(8):
            phone.page.keyboard.press(key)
            if phone.page.locator("button:focus").count():
                hidden.append(phone.page.evaluate(HIDDEN))
    assert len(hidden) > 8
    assert set(hidden) == {""}
    phone.context.close()


@pytest.mark.slow
def test_caps_lock_makes_no_command_of_a_call(hands: Hands) -> None:
    hands.begin("SET with cards")
    hands.go_on()
    caller = next(one for one in hands.state["players"] if not one["is_bot"])
    press_until_called = """key => {
        if (document.querySelector(".player").textContent.includes("has called")) return true;
        window.dispatchEvent(new KeyboardEvent("keydown", {key}));  // the page listens a moment after it has drawn
        return false;
    }"""
    hands.page.wait_for_function(press_until_called, arg=caller["key"].upper(), polling=500)


@pytest.mark.slow
@pytest.mark.parametrize(("whole", "words"), [(VIRTUAL, []), (QUIET, ["dispute"])], ids=["without a camera", "before one"])
def test_a_key_whose_button_is_not_there_says_nothing(whole: dict[str, Any], words: list[str], browser: Browser, server: Room) -> None:
    hands = Hands(browser, server)
    said = told(hands, whole)
    hands.page.reload()
    hands.page.locator(".table-page").wait_for()
    hands.page.keyboard.press("Shift+D")
    assert [one["what"] for one in heard_by(hands, said, "say")] == words
    hands.context.close()


def test_a_house_rule_to_tick_does_not_ask_for_yes_or_no(server: Room) -> None:
    rules = [rule for game in server.get("/games").json() for rule in game["house"]]
    ticked = [rule["words"] for rule in rules if rule["kind"] == "switch"]
    assert ticked
    assert not [words for words in ticked if "yes, no" in words or "(" in words]


@pytest.mark.slow
def test_a_way_of_playing_says_what_it_means_and_sets_its_house_rules(hands: Hands) -> None:
    page = hands.page
    page.get_by_role("button", name="SET with cards").click()
    way, penalty = page.get_by_label("Way of playing"), page.get_by_label("what a wrong call costs")
    assert way.locator("option").all_inner_texts() == ["by the book", "with a rubbish heap", "in the family"]
    assert penalty.input_value() == "point"
    way.select_option("with a rubbish heap")
    assert penalty.input_value() == "heap"
    assert page.get_by_text("a wrong call costs a kept SET; before a camera the dealer sits out from three players on").is_visible()
    page.get_by_role("button", name="Begin", exact=True).click()
    page.wait_for_selector(".table-page")
    table = hands.room.host.table
    assert isinstance(table, VirtualTable)
    assert table.match.history.options.penalty == GAMES["set"].presets["house"].penalty


def test_a_reload_comes_back_to_the_same_state(hands: Hands) -> None:
    hands.begin("SET with cards")
    hands.go_on()
    shown = hands.page.locator("main").inner_text()
    hands.page.reload()
    hands.page.wait_for_selector(".spread .piece")
    assert hands.page.locator("main").inner_text() == shown


@pytest.mark.slow
def test_a_start_page_that_was_left_open_offers_what_the_server_has_that_was_started_anew(browser: Browser, tmp_path: Path) -> None:
    with room(tmp_path) as server:
        hands = Hands(browser, server)
        expect(hands.page.locator(".games button")).not_to_have_count(0)
        expect(hands.page.locator(".looking")).to_have_count(0)
    expect(hands.page.locator(".line.is-lost")).to_be_visible()
    with room(tmp_path, port=server.port, cameras=Cameras("table.mp4")):
        expect(hands.page.locator(".looking option").last).to_have_text("On the table before table.mp4")
    hands.context.close()


def test_the_back_of_the_browser_leads_to_the_choice_of_games(browser: Browser, server: Room) -> None:
    hands = Hands(browser, server)
    games, inside = hands.page.locator(".games"), hands.page.locator(".setup, .alone")
    for button in ("SET with cards", "Puzzle of the day", "SET with cards"):
        hands.page.get_by_role("button", name=button).click()
        expect(inside).to_be_visible()
        hands.page.go_back()
        expect(games).to_be_visible()
        expect(inside).to_have_count(0)
    for _ in range(2):  # nor does what was left by its own button lead to it again
        hands.page.get_by_role("button", name="SET with cards").click()
        hands.page.get_by_role("button", name="Another game").click()
        expect(games).to_be_visible()
    hands.begin("SET with cards")
    hands.page.get_by_role("button", name="Stop playing").click()
    hands.page.get_by_role("button", name="Stop and go to the start page").click()
    expect(games).to_be_visible()
    hands.page.wait_for_function("() => history.state === null")
    hands.page.go_back()  # nothing is open any more: off the page
    assert hands.page.url == "about:blank"
    hands.context.close()


@pytest.mark.parametrize("button", ["Sets, with two dice", pytest.param("Puzzle of the day", marks=pytest.mark.slow)])
def test_what_is_opened_is_seen_from_its_top_and_the_games_then_from_where_they_were(browser: Browser, server: Room, button: str) -> None:
    hands = Hands(browser, server, viewport={"width": 390, "height": 500})
    hands.page.get_by_role("button", name=button).scroll_into_view_if_needed()
    was = hands.page.evaluate("scrollY")
    assert was > 0
    hands.page.get_by_role("button", name=button).click()
    inside = hands.page.locator(".setup, .alone")
    expect(inside).to_be_visible()
    hands.page.wait_for_function("() => scrollY === 0")
    hands.page.go_back()
    expect(inside).to_have_count(0)
    hands.page.wait_for_function("was => scrollY === was", arg=was)
    hands.context.close()


@pytest.mark.slow
@pytest.mark.parametrize("ends", ["in the match", "left at once", "left at once, another game opened"])
def test_a_match_that_begins_leaves_no_step_of_its_set_up_in_the_history(browser: Browser, server: Room, ends: str) -> None:
    hands = Hands(browser, server, viewport={"width": 390, "height": 500})
    # the way back through the history may take long
    hands.page.evaluate("() => { history.back = () => void (window.goBack = () => History.prototype.back.call(history)); }")
    hands.begin("Sets, with two dice")  # which stands below the others
    if ends != "in the match":
        hands.page.get_by_role("button", name="Stop playing").click()
        hands.page.get_by_role("button", name="Stop and go to the start page").click()
        expect(hands.page.locator(".games")).to_be_visible()
    if ends.endswith("opened"):
        hands.page.get_by_role("button", name="SET Cubed").click()
    hands.page.evaluate("() => new Promise((done) => { addEventListener('popstate', done, { once: true }); goBack(); })")
    hands.page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    assert ends != "in the match" or hands.page.evaluate("scrollY") == 0  # as far down as the games were
    if ends.endswith("opened"):
        expect(hands.page.locator(".setup")).to_be_visible()
        hands.page.go_back()
        expect(hands.page.locator(".games")).to_be_visible()
    hands.page.go_back()
    assert hands.page.url == "about:blank"
    hands.context.close()


@pytest.mark.slow
def test_a_start_page_keeps_its_games_where_a_list_is_lost_on_the_way(browser: Browser, tmp_path: Path) -> None:
    with room(tmp_path) as server:
        hands = Hands(browser, server)
        games = hands.page.locator(".games button")
        expect(games).not_to_have_count(0)
        shown = games.count()
    expect(hands.page.locator(".line.is-lost")).to_be_visible()
    hands.page.route("**/games", lambda route: route.abort())
    with room(tmp_path, port=server.port):
        with hands.page.expect_event("requestfailed", lambda request: request.url.endswith("/games")):
            expect(hands.page.locator(".line.is-open")).to_be_visible()
        hands.page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        assert games.count() == shown
    hands.context.close()


@pytest.mark.parametrize(
    "lose",
    [
        pytest.param(Route.abort, id="unanswered"),
        pytest.param(lambda route: route.fulfill(body='{"page.'), id="cut off", marks=pytest.mark.slow),
    ],
)
def test_words_that_were_lost_on_the_way_are_asked_for_again(browser: Browser, server: Room, lose: Callable[[Route], None]) -> None:
    hands = Hands(browser, server)
    asked: list[Route] = []

    def lose_first(route: Route) -> None:
        asked.append(route)
        lose(route) if len(asked) == 1 else route.continue_()

    hands.page.route("**/words.en.json", lose_first)
    hands.page.reload()
    expect(hands.page.get_by_role("button", name="Phones")).to_be_visible()  # it had been called "…"
    assert len(asked) > 1
    hands.context.close()


def test_the_line_opens_again_by_itself(browser: Browser, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with room(tmp_path, port=port) as server:
        hands = Hands(browser, server)
        hands.begin("SET with cards")
        hands.go_on()
        cards = hands.page.locator(".spread .piece").count()
    expect(hands.page.locator(".line.is-lost")).to_be_visible()
    expect(hands.page.locator(".lost")).to_contain_text("The line to the table is lost")
    hands.page.keyboard.press("a")
    expect(hands.page.locator(".lost")).to_contain_text("Nothing was done")
    hands.page.get_by_role("button", name="Hint").click()
    assert hands.page.locator(".lost b").count() == 1
    expect(hands.page.locator(".acts .primary").first).to_have_css("border-style", "dashed")
    with room(tmp_path, port=port) as server:
        hands.room = server
        expect(hands.page.locator(".line.is-open")).to_be_visible()
        expect(hands.page.locator(".lost")).to_have_count(0)
        assert hands.page.locator(".spread .piece").count() == cards
    hands.context.close()


def until_heard(hands: Hands, said: list[str]) -> None:
    """Wait until a page has said something."""
    for _ in range(1000):
        if said:
            break
        hands.page.evaluate("0")  # whatever has come is heard meanwhile
    assert said


@pytest.mark.slow
@pytest.mark.parametrize(("count", "keys"), [(2, ["t", "g"]), (7, ["t", None])])
def test_a_button_shows_no_key_that_one_of_many_players_has(count: int, keys: list[str | None], browser: Browser, server: Room) -> None:
    """The seventh calls with "g", also while the game could be right."""
    hands = Hands(browser, server)
    players = [{**QUIET["players"][1], "name": f"Player {key}", "key": key} for key in "abcdefg"[:count]]
    said = told(hands, {**QUIET, "players": players, "differ": DOUBTFUL["differ"]})
    hands.page.reload()
    buttons = hands.page.locator(".is-differ .answers button")
    expect(buttons).to_have_count(2)
    assert [one.get_attribute("aria-keyshortcuts") for one in buttons.all()] == keys
    assert [one.locator("kbd").count() for one in buttons.all()] == [int(key is not None) for key in keys]
    hands.page.keyboard.press("g")
    assert [one["what"] for one in heard_by(hands, said, "say")] == ["game" if keys[1] else "set"]
    hands.context.close()


@pytest.mark.parametrize("is_asked", [True, False], ids=["later", "at the welcome"])
def test_a_page_whose_line_is_dead_says_so_and_goes_on_when_it_is_back(browser: Browser, server: Room, is_asked: bool) -> None:
    dead: list[bool] = []
    answered: list[str] = []

    def pass_on(line: WebSocketRoute) -> None:
        """As with a router that is off: nothing comes through, and nothing is closed."""
        there = line.connect_to_server()
        line.on_message(lambda said: hear(there, said))
        there.on_message(lambda said: None if dead or ('"ping"' in str(said) and not is_asked) else line.send(said))

    def hear(there: WebSocketRoute, said: str | bytes) -> None:
        if not dead:
            there.send(said)
            answered.extend([str(said)] if '"pong"' in str(said) else [])

    server.host.begin(BeginMatch("set", [PlayerWanted(name) for name in ("Ann", "Bo")]))
    phone = Hands(browser, server, f"/join/{server.host.seats.code}", viewport={"width": 360, "height": 500})
    phone.page.route_web_socket("**/ws", pass_on)
    phone.page.clock.install()
    phone.page.get_by_role("button", name="Ann").click()
    line = phone.page.locator(".line")
    expect(line).to_have_class("line is-open")
    phone.page.wait_for_selector(".phone-page")  # a line is open before the table is there
    if is_asked:
        until_heard(phone, answered)
    dead.append(True)
    phone.page.clock.run_for(7_000)
    expect(phone.page.locator(".lost")).to_contain_text("The line to the table is lost")
    phone.page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
    assert phone.page.evaluate("scrollY") > 0
    expect(phone.page.locator(".lost")).to_be_in_viewport(ratio=1)
    assert phone.page.evaluate("document.documentElement.scrollWidth") <= 360  # title and buttons stand below it
    dead.clear()
    is_asked = True
    phone.page.clock.run_for(20_000)
    expect(line).to_have_class("line is-open")
    phone.context.close()


def test_a_line_that_a_large_picture_fills_is_waited_for_longer(browser: Browser, server: Room) -> None:
    """As soon as pictures are asked for: the first may come before any word does."""
    hands = Hands(browser, server)
    said = told(hands, QUIET)
    hands.page.add_init_script("localStorage.setItem('visionset.wishes', JSON.stringify({ show: 'drawn' }))")
    hands.page.clock.install()
    hands.page.reload()
    hands.page.get_by_label(hands.word("page.tools.show")).select_option("both")
    hands.page.clock.run_for(15_000)
    expect(hands.page.locator(".line")).to_have_class("line is-open")
    assert len(heard_by(hands, said, "hello")) == 1
    hands.context.close()


def test_a_page_that_slept_hears_what_came_meanwhile_before_it_calls_its_line_dead(browser: Browser, server: Room) -> None:
    """As a page does for which its device had no time: a call in that moment would be heard by nobody."""
    lines: list[WebSocketRoute] = []
    answered: list[str] = []
    ping = '{"type": "ping", "n": -1}'

    def pass_on(line: WebSocketRoute) -> None:
        there = line.connect_to_server()
        lines.append(line)
        line.on_message(lambda said: answered.append(said) if '"n":-1' in said else there.send(said))  # type: ignore[operator, arg-type]

    server.host.begin(BeginMatch("set", [PlayerWanted(name) for name in ("Ann", "Bo")]))
    phone = Hands(browser, server, f"/join/{server.host.seats.code}", viewport={"width": 360, "height": 740})
    phone.page.route_web_socket("**/ws", pass_on)
    phone.page.clock.install()
    phone.page.get_by_role("button", name="Ann").click()
    expect(phone.page.locator(".line")).to_have_class("line is-open")
    phone.page.clock.pause_at(phone.page.evaluate("Date.now() + 60000"))  # which no timer has seen pass
    lines[0].send(ping)
    until_heard(phone, answered)
    phone.page.clock.run_for(1500)
    phone.page.evaluate("0")
    assert len(lines) == 1
    expect(phone.page.locator(".line")).to_have_class("line is-open")
    phone.context.close()


REFUSED_LINES = """
    window.tried = [];
    window.WebSocket = class {
        static OPEN = 1;
        constructor() { tried.push(performance.now()); queueMicrotask(() => this.onclose()); }
        close() {}
    };
"""


@pytest.mark.slow
def test_a_page_is_back_within_a_second_of_its_server_however_long_that_was_down(browser: Browser, server: Room) -> None:
    """A call runs for five seconds: nobody loses a point since the own page comes back after it."""
    hands = Hands(browser, server)
    hands.page.add_init_script(REFUSED_LINES)
    hands.page.clock.install()
    hands.page.reload()
    hands.page.locator(".line.is-lost").wait_for()
    hands.page.clock.run_for(60_000)
    tried = hands.page.evaluate("tried")
    waits = [later - sooner for sooner, later in pairwise(tried)]
    assert sum(waits) > 50_000
    assert max(waits) <= 1_500
    assert min(waits[3:]) >= 500  # nor is a server that is down asked without a pause
    hands.context.close()


def test_the_page_is_light_enough_for_a_phone() -> None:
    """Its weight without pictures, of all its files together."""
    assert sum(one.stat().st_size for one in PAGE.rglob("*") if one.is_file()) <= 400_000


BELOW_BUTTON = """() => { const high = document.querySelector('.buzzer').getBoundingClientRect().top;
    return [...document.querySelectorAll('.parts .piece')].filter(one => one.getBoundingClientRect().bottom > high).length; }"""
"""How many cards the large button of a phone lies on."""


@pytest.mark.slow
def test_the_link_for_phones_can_be_scanned_and_read(hands: Hands, server: Room) -> None:
    def answer(route: Route) -> None:
        got = route.fetch()
        link = got.headers["x-join-link"].replace("127.0.0.1", "192.168.1.5")  # as where the table is started for a network
        route.fulfill(response=got, headers={**got.headers, "x-join-link": link})

    hands.page.route("**/qr.svg", answer)
    hands.page.get_by_role("button", name="Phones").click()
    hands.page.wait_for_function("() => document.querySelector('.qr')?.naturalWidth > 0")
    expect(hands.page.locator(".link")).to_contain_text(f"/join/{server.host.seats.code}")
    hands.page.unroute_all(behavior="wait")  # the picture and the link are asked for apart


@pytest.mark.slow
def test_a_table_that_no_phone_reaches_invites_none_and_says_what_to_do(hands: Hands) -> None:
    hands.page.get_by_role("button", name="Phones").click()
    expect(hands.page.get_by_role("dialog")).to_contain_text("visionset table --lan")
    expect(hands.page.locator(".qr")).to_have_count(0)


def test_a_phone_calls_and_takes_for_its_own_seat_alone(browser: Browser, server: Room) -> None:
    table = Hands(browser, server)
    phone = Hands(browser, server, f"/join/{server.host.seats.code}", viewport={"width": 360, "height": 740})
    phone.page.get_by_label("Your name").fill("Ann")
    phone.page.get_by_role("button", name="Sit down").click()
    phone.page.wait_for_selector(".waiting")
    table.page.reload()
    table.page.get_by_role("button", name="SET with cards").click()
    expect(table.page.locator(".seats input").first).to_have_value("Ann")
    table.page.get_by_role("button", name="Begin", exact=True).click()
    phone.page.wait_for_selector(".phone-page")
    table.go_on()
    phone.page.wait_for_selector(".set")
    found = a_set(table.state)
    assert found
    expect(phone.page.locator(".parts .piece")).to_have_count(12)
    assert phone.page.evaluate(BELOW_BUTTON) == 0
    button = phone.page.get_by_role("button", name="SET!", exact=True)
    place = button.bounding_box()
    assert place is not None
    button.click()
    expect(phone.page.locator(".turn")).to_be_visible()
    assert phone.page.evaluate(BELOW_BUTTON) == 0
    middle = [place["x"] + place["width"] / 2, place["y"] + place["height"] / 2]
    under = phone.page.evaluate("([x, y]) => document.elementFromPoint(x, y).closest('[data-choice]')?.dataset.choice ?? ''", middle)
    assert under == "", "a second touch of the finger that has called does nothing"
    for place in found:
        phone.piece(0, place).click()
    expect(phone.page.locator(".me .score")).to_have_text("1")
    expect(table.page.locator(".player .score").first).to_have_text("1")
    for one in (table, phone):
        one.context.close()
        assert one.trouble == []


def scramble_for_two(browser: Browser, server: Room) -> tuple[Hands, Hands]:
    """The table's page, and the phone of the second player."""
    table = Hands(browser, server)
    for button in ("Scramble SET", "Add a player"):
        table.page.get_by_role("button", name=button).click()
    table.page.get_by_role("button", name="Begin", exact=True).click()
    table.page.wait_for_selector(".table-page")
    table.go_on()
    phone = Hands(browser, server, f"/join/{server.host.seats.code}", viewport={"width": 360, "height": 740})
    phone.page.get_by_role("button", name="Player 2").click()
    expect(phone.page.locator(".spread .piece")).to_have_count(42)
    return table, phone


@pytest.mark.slow
def test_a_phone_has_one_button_for_set_where_nobody_calls(browser: Browser, server: Room) -> None:
    table, phone = scramble_for_two(browser, server)
    said = phone.page.get_by_role("button", name=re.compile("SET"))
    expect(said).to_have_text(["SET!"])
    said.click()
    expect(phone.page.locator(".filling p")).to_have_text("Player 2: SET!: which three dice")
    expect(phone.page.locator(".filling .count")).to_have_text("0 of 3")
    for one in (table, phone):
        one.context.close()
        assert one.trouble == []


def test_a_phone_that_comes_while_a_game_is_set_up_has_a_seat(hands: Hands, browser: Browser, server: Room) -> None:
    hands.page.get_by_role("button", name="Scramble SET").click()
    seats = hands.page.locator(".seats input")
    expect(seats).to_have_count(1)
    for names in (["Ann"], ["Ann", "Bo"]):
        phone = Hands(browser, server, f"/join/{server.host.seats.code}", viewport={"width": 360, "height": 740})
        phone.page.get_by_label("Your name").fill(names[-1])
        phone.page.get_by_role("button", name="Sit down").click()
        phone.page.wait_for_selector(".waiting")
        for place, name in enumerate(names):
            expect(seats.nth(place)).to_have_value(name)
    hands.page.get_by_role("button", name="Remove Ann").click()
    expect(seats).to_have_count(1)
    expect(seats).to_have_value("Bo")


@pytest.mark.slow
def test_a_phone_that_comes_takes_the_seat_that_was_filled_and_no_chosen_one(hands: Hands, browser: Browser, server: Room) -> None:
    hands.page.get_by_role("button", name="SET Cubed").click()
    seats, strengths = hands.page.locator(".seats input"), hands.page.locator(".seats select")
    expect(seats).to_have_count(2)
    hands.page.get_by_role("button", name="Add a bot").click()
    for name in ("Ann", "Bo"):
        phone = Hands(browser, server, f"/join/{server.host.seats.code}", viewport={"width": 360, "height": 740})
        phone.page.get_by_label("Your name").fill(name)
        phone.page.get_by_role("button", name="Sit down").click()
        phone.page.wait_for_selector(".waiting")
    expect(seats).to_have_count(3)
    for place, name in enumerate(("Ann", "Bo", "Bot 2")):
        expect(seats.nth(place)).to_have_value(name)
    expect(strengths).to_have_count(1)
    hands.press(hands.page.get_by_role("button", name="Begin", exact=True))
    hands.page.wait_for_selector(".table-page")
    assert [(one["name"], one["is_bot"]) for one in hands.state["players"]] == [("Ann", False), ("Bo", False), ("Bot 2", True)]


def test_what_somebody_has_picked_stays_picked_while_others_take_theirs(browser: Browser, server: Room) -> None:
    table, phone = scramble_for_two(browser, server)
    dice = pieces_of(table.state["view"][0]["pieces"])
    theirs, mine = next(
        (one, other)
        for one in find_sets(dice)
        for other in find_sets(dice)
        if max(one) < min(other) and "wild" not in [str(dice[at]) for at in other]
    )
    for place in mine[:2]:
        phone.piece(1, place).click()
    expect(table.page.locator(".prompts")).to_contain_text("SET!")
    named = phone.page.locator('.spread .piece[aria-pressed="true"]').evaluate_all(
        "all => all.map(one => one.getAttribute('aria-label')).sort()"
    )
    table.go_on()  # who said SET first has had the time to take first
    table.page.locator('[data-choice="take:0:0"]').click()
    for place in theirs:
        table.piece(0, place).click()
    expect(phone.page.locator(".spread .piece")).to_have_count(len(dice) - 3)
    picked = phone.page.locator('.spread .piece[aria-pressed="true"]')
    assert picked.evaluate_all("all => all.map(one => one.getAttribute('aria-label')).sort()") == named
    phone.piece(1, mine[2] - 3).click()
    expect(phone.page.locator(".me .score")).to_have_text("1")
    for one in (table, phone):
        one.context.close()
        assert one.trouble == []


@pytest.mark.slow
@pytest.mark.parametrize(("count", "size"), [(2, (1366, 768)), (4, (1280, 720))])
def test_two_dice_lie_beside_sheets_that_need_no_scrolling(count: int, size: tuple[int, int], browser: Browser, server: Room) -> None:
    """Where most people play: a laptop's screen."""
    table = Hands(browser, server, viewport={"width": size[0], "height": size[1]})
    for button in ("Sets, with two dice", *["Add a player"] * (count - 1), "Begin"):
        table.page.get_by_role("button", name=button, exact=button == "Begin").click()
    table.page.get_by_role("button", name="Roll Dice").click()
    expect(table.page.locator(".spread .pip-die")).to_have_count(2)
    assert all(one.bounding_box()["width"] >= 64 for one in table.page.locator(".spread .piece").all())  # type: ignore[index]
    expect(table.page.locator(".sheet")).to_contain_text("points: circled values less all others")
    hidden = "[...document.querySelectorAll('.parts, .sheet .scroll')].filter(one => one.scrollHeight > one.clientHeight + 1).length"
    assert table.page.evaluate(hidden) == 0
    for which in ("tr:last-child", "button:last-of-type"):
        expect(table.page.locator(f".sheet {which}").last).to_be_in_viewport(ratio=1)
    table.context.close()
    assert table.trouble == []


@pytest.mark.slow
def test_a_phone_asks_for_no_list_of_games(browser: Browser, server: Room) -> None:
    asked: list[str] = []
    phone = Hands(browser, server, f"/join/{server.host.seats.code}")
    phone.page.on("request", lambda request: asked.append(request.url))
    phone.page.reload()
    phone.page.wait_for_selector(".join-page")
    assert not [url for url in asked if url.endswith("/games")]
    phone.context.close()


@pytest.mark.slow
def test_the_sheet_of_two_dice_shows_two_players_on_a_phone_in_the_longer_language(browser: Browser, server: Room) -> None:
    table = Hands(browser, server)
    for button in ("Sets, with two dice", "Add a player"):
        table.page.get_by_role("button", name=button).click()
    speak(Catalogue.load("de"))
    try:
        table.page.get_by_role("button", name="Begin", exact=True).click()
        table.page.wait_for_selector(".table-page")
        table.go_on()
        phone = Hands(browser, server, f"/join/{server.host.seats.code}", viewport={"width": 360, "height": 740})
        phone.page.get_by_role("button", name="Player 1").click()
        sheet = phone.page.locator(".sheet .scroll")
        expect(sheet).to_contain_text("Reihe")
        phone.page.get_by_role("button", name="Würfeln").click()
        expect(sheet).to_contain_text("eingekreist")
        expect(sheet.locator("th[scope=col]")).to_have_count(3)
        assert sheet.evaluate("one => one.scrollWidth - one.clientWidth") <= 0
        heights = sheet.locator("button").evaluate_all("all => all.map(one => one.getBoundingClientRect().height)")
        assert min(heights) >= LEAST_TOUCH_PX
        for one in (table, phone):
            one.context.close()
    finally:
        speak(None)


def test_dice_are_dragged_onto_the_board_and_stay_there(hands: Hands) -> None:
    hands.begin("Crossword SET")
    hands.go_on()
    hands.page.wait_for_selector(".hand .piece")
    plain = hands.page.locator(f'.hand .piece:not(.is-faded):not([aria-label="{at_table(SetDie().said)}"])')  # a WILD asks for its face
    plain.first.drag_to(hands.cell(3, 3))
    expect(hands.page.locator(".cell.has-piece")).to_have_count(1)
    expect(hands.page.locator(".hand .piece.is-faded")).to_have_count(1)  # else the same die is dragged again
    hands.catch_up()
    plain.first.drag_to(hands.cell(3, 4))
    expect(hands.page.locator(".cell.has-piece")).to_have_count(2)
    hands.page.reload()
    expect(hands.page.locator(".cell.has-piece")).to_have_count(2)


def test_a_die_that_is_dropped_before_the_next_picture_is_laid(hands: Hands) -> None:
    """A busy device hears of all of a quick drag before it draws anything."""
    hands.begin("Crossword SET")
    hands.go_on()
    die = hands.page.locator(f'.hand .piece:not([aria-label="{at_table(SetDie().said)}"])').first
    quick = """async (die, cell) => {
        const at = part => {
            const {x, y, width, height} = part.getBoundingClientRect();
            return {clientX: x + width / 2, clientY: y + height / 2};
        };
        const say = (what, part, place) => part.dispatchEvent(new PointerEvent(what, {bubbles: true, button: 0, ...place}));
        const there = at(cell);
        say("pointerdown", die, at(die));
        say("pointermove", window, there);
        for (let turn = 0; turn < 9; turn += 1) await null;  // what the page does at once, and no picture
        say("pointerup", window, there);
    }"""
    die.evaluate(f"(die, cell) => ({quick})(die, cell)", hands.cell(3, 3).element_handle())
    expect(hands.page.locator(".cell.has-piece")).to_have_count(1)


@pytest.mark.slow
def test_sets_of_dice_alone_are_checked_and_laid_out(hands: Hands) -> None:
    page = hands.page
    page.get_by_role("button", name="Dice alone").click()
    page.locator(".alone select").select_option("set-die")
    with page.expect_response(re.compile("/roll\\?")) as rolled:
        page.get_by_role("button", name="Roll", exact=True).click()
    dice = pieces_of(rolled.value.json()["dice"])
    assert len(dice) == 42
    found = find_sets(dice)
    for place in found[0]:
        page.locator(f'.spread .piece[data-stop="{place}"]').click()
    expect(page.locator(".laid-out > ol > li")).to_have_count(1)
    expect(page.locator(".spread .piece")).to_have_count(39)
    page.get_by_role("button", name="Lay out as many SETs as are left").click()
    left = [die for place, die in enumerate(dice) if place not in found[0]]
    expect(page.locator(".laid-out > ol > li")).to_have_count(1 + len(best_takes(left)))


@pytest.mark.slow
def test_a_mat_whose_zones_have_one_size_offers_none(hands: Hands) -> None:
    hands.page.get_by_role("button", name="Print").click()
    hands.page.locator("summary", has_text="Mat for cards").click()
    mat = hands.page.locator("details[open]")
    expect(mat.get_by_label("Size of the cards")).to_be_visible()
    mat.get_by_label("For").select_option("english-sets")
    expect(mat.get_by_label("Size of the cards")).to_have_count(0)
    assert "size" not in str(mat.locator("a").get_attribute("href"))


@pytest.mark.slow
def test_how_many_dice_there_are_is_typed_as_in_any_field_and_a_wrong_number_is_told(hands: Hands) -> None:
    page = hands.page
    page.get_by_role("button", name="Dice alone").click()
    count = page.get_by_label("How many")
    count.press("Backspace")
    count.press("6")
    expect(count).to_have_value("6")
    count.fill("99")
    count.press("Enter")
    assert count.evaluate("one => one.matches(':invalid:focus')")  # where the browser says why
    assert hands.trouble == []
    for typed, dice in (("5", 5), ("1e1", 10)):  # a field of numbers takes both
        count.fill(typed)
        count.press("Enter")
        expect(page.locator(".spread img")).to_have_count(dice)


def test_the_page_speaks_another_language(browser: Browser, server: Room) -> None:
    speak(Catalogue.load("de"))
    try:
        hands = Hands(browser, server)
        expect(hands.page.get_by_role("button", name="Rätsel des Tages")).to_be_visible()
        assert hands.page.locator("html").get_attribute("lang") == "de"
        hands.context.close()
    finally:
        speak(None)


def test_the_first_file_names_every_module_so_that_none_waits_for_another() -> None:
    modules = {one.relative_to(PAGE).as_posix() for one in PAGE.rglob("*.js")} - {
        "types.js",
        "overlay.js",
        "camera.js",
    }  # pages of their own
    assert set(re.findall(r'/static/([\w/]+\.js)"', (PAGE / "index.html").read_text(encoding="utf-8"))) == modules


@pytest.mark.parametrize(
    ("is_camera", "rows", "columns"),
    [pytest.param(False, ["0", "1", "2", "3"], ["0", "1", "2", "3"], marks=pytest.mark.slow), (True, ["1", "2"], ["2"])],
)
def test_a_board_has_room_for_dice_where_they_are_laid_by_clicks_alone(
    hands: Hands, is_camera: bool, rows: list[str], columns: list[str]
) -> None:
    entries = [[{"text": "·", "piece": None, "stress": "faint"} for _ in range(4)] for _ in range(4)]
    entries[1][2]["piece"] = {"kind": "set-die", "code": "1-red-oval", "text": "", "said": ""}  # type: ignore[assignment]
    entries[2][2]["text"] = "5"
    named = [[{"text": str(row), "piece": None, "stress": "faint"}, *cells] for row, cells in enumerate(entries)]
    board = {"part": "grid", "title": "board", "head": ["", "0", "1", "2", "3"], "rows": named}
    whole = {"is_camera": is_camera, "page": "table", "players": [], "view": [board], "choices": []}
    shown = hands.page.evaluate("async (whole) => (await import('/static/laying.js')).shownParts(whole, [])[0]", whole)
    assert [row[0]["text"] for row in shown["rows"]] == rows
    assert shown["head"] == ["", *columns]
    assert all(len(row) == len(shown["head"]) for row in shown["rows"])


def test_a_wild_that_is_laid_is_no_die_of_the_face_that_it_stands_for(hands: Hands) -> None:
    """What lies there is said anew with the next die: the other one had taken the place of the WILD."""
    faces = ("2-red-squiggle", "wild", "1-green-oval", "2-red-squiggle")
    pieces = [{"kind": "set-die", "code": code, "text": code, "said": code} for code in faces]
    row = [
        {"text": "3", "piece": None},
        {"text": "WILD", "piece": pieces[0]},
        {"text": "", "piece": pieces[0]},
        {"text": "", "piece": pieces[2]},
    ]
    board = {"part": "grid", "title": "Ann", "head": ["", "4", "5", "6"], "rows": [row]}
    whole = {"players": [{"name": "Ann"}], "view": [board, {"part": "hand", "player": "Ann", "pieces": pieces, "lent": []}]}
    laid = hands.page.evaluate("async (whole) => (await import('/static/laying.js')).laidBy(whole, 'Ann')", whole)
    assert sorted((one["col"], one["die"], one["stated"]) for one in laid) == [(4, 1, faces[0]), (5, 0, None), (6, 2, None)]


def test_a_die_that_others_have_added_to_a_board_is_none_of_its_owner(hands: Hands) -> None:
    """One of the same face in the hand had been marked as laid, and could not be laid any more."""
    pieces = [{"kind": "set-die", "code": "2-red-oval", "text": "", "said": ""}] * 2
    row = [{"text": "3", "piece": None}, *({"text": "", "piece": pieces[0], "stress": stress} for stress in ("faint", "none"))]
    board = {"part": "grid", "title": "Ann", "head": ["", "4", "5"], "rows": [row]}
    whole = {"players": [{"name": "Ann"}], "view": [board, {"part": "hand", "player": "Ann", "pieces": pieces, "lent": []}]}
    laid = hands.page.evaluate("async (whole) => (await import('/static/laying.js')).laidBy(whole, 'Ann')", whole)
    assert [(one["col"], one["die"]) for one in laid] == [(5, 0)]


def test_a_die_that_lies_on_the_board_of_another_lies_on_no_other(hands: Hands) -> None:
    """With one of the same face on one's own board no die could be laid there any more: what lies there was said with the lent one."""
    pieces = [{"kind": "set-die", "code": "2-red-oval", "text": "2 red ovals", "said": "two red ovals"}] * 3
    board = {
        "part": "grid",
        "title": "Ann",
        "head": ["", "4"],
        "rows": [[{"text": "3", "piece": None}, {"text": "", "piece": pieces[0], "stress": "none"}]],
    }
    lay = choice_of("lay", 0, "Ann: lay", [{"field": "grid", "text": "", "values": [], "count": None, "form": "placings"}])
    told(hands, {**VIRTUAL, "choices": [lay], "view": [board, {**HAND, "pieces": pieces, "lent": [0], "laid": []}]})
    hands.page.reload()
    dice = hands.page.locator(".hand .piece")
    expect(dice).to_have_class(["piece is-faded", "piece is-live is-faded", "piece is-live"])
    expect(dice.first).to_have_accessible_name("two red ovals, laid")


@pytest.mark.slow
def test_a_board_of_one_die_does_not_fill_the_view_with_it(hands: Hands) -> None:
    die = {"kind": "set-die", "code": "1-red-oval", "text": "1 red oval", "said": "one red oval"}
    row = [{"text": "1", "piece": None, "stress": "faint"}, {"text": "", "piece": die, "stress": "none"}]
    board = {"part": "grid", "title": "board", "head": ["", "1"], "rows": [row]}
    told(hands, {**DOUBTFUL, "page": "over", "question": None, "differ": "", "view": [board]})
    hands.page.reload()
    sides = ["(one) => one.clientWidth", "(one) => one.clientHeight"]
    expect(hands.page.locator(".cell img")).to_be_visible()
    cell, field = (hands.page.locator(what) for what in (".cell", ".board .field"))
    assert all(0 < 3 * cell.evaluate(side) <= field.evaluate(side) for side in sides)
