"""What those hear who do not see the page."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, WebSocket, expect

from tests.web.clicker import pieces_of
from tests.web.hands import Hands, without_chromium
from tests.web.looked_views import ASKED, HAND, QUIET, VIRTUAL, on_phone, shown
from tests.web.room import Room, room
from visionset.games.sets import find_sets
from visionset.web.wire import BeginMatch, PlayerWanted

pytestmark = without_chromium

NEWS = """async logs => {
    const from = one => import(`/static/${one}.js`);
    const [{ NewsInWords, useNews }, { html }, { render }] = await Promise.all(["log", "html", "vendor/preact"].map(from));
    const Here = ({ log }) => html`<${NewsInWords} news=${useNews(log)} />`;
    const here = document.body.appendChild(document.createElement("div"));
    let before = null;
    return logs.map(log => {
        render(html`<${Here} log=${log.map(([n, text, ...said]) => ({ n, text, pieces: said.map(one => ({ said: one })) }))} />`, here);
        const there = here.querySelector("[role=status]").firstElementChild;
        const isNew = there !== before;
        before = there;
        return isNew ? there?.textContent ?? "" : null;
    });
}"""
"""What is told with each log; nothing where all stays as it was."""

HEAR = """region => {
    window.heard = [];
    const look = changes => {
        const added = changes.filter(({ target }) => target.matches(region)).flatMap(({ addedNodes }) => [...addedNodes]);
        window.heard.push(...added.map(one => one.textContent));
    };
    window.ears?.disconnect();
    window.ears = new MutationObserver(look);
    ears.observe(document.querySelector("main"), { subtree: true, childList: true });
}"""
"""Note what is added to a region whose news are read out: they are when something is, not when nothing changes."""

SEED = 4
"""Of a deal of English Sets in which Bo keeps some of the cards that are drawn first."""

DRAWS = 12


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Room]:
    monkeypatch.setattr("visionset.store.match.Match.seed", SEED)
    with room(tmp_path) as opened:
        yield opened


def test_the_same_answer_is_told_again(browser: Browser, server: Room) -> None:
    """Whoever takes three wrong cards twice, or rolls the same, heard nothing the second time."""
    hands = Hands(browser, server)
    hands.page.route("**/roll?*", lambda route: route.fulfill(json={"dice": pips, "to_beat": None}))
    pips = [{"kind": "pip-die", "code": "3", "text": "3", "said": "3"}] * 2
    hands.press(hands.page.get_by_role("button", name="Puzzle of the day"))
    hands.page.wait_for_selector(".spread .piece")
    expect(hands.page.locator("h1")).to_have_text("Puzzle of the day")  # keys go on there
    hands.page.evaluate(HEAR, ".prompt[role=status]")
    cards = pieces_of(server.get("/puzzle").json()["cards"])
    wrong = next(three for three in combinations(range(len(cards)), 3) if not find_sets([cards[at] for at in three]))
    for _ in range(2):
        for at in wrong:
            hands.press(hands.piece(None, at))
        expect(hands.page.locator(".piece.is-picked")).to_have_count(0)
    assert _heard(hands.page) == [" – No SET"] * 2
    hands.press(hands.page.get_by_role("button", name="Another game"))
    hands.press(hands.page.get_by_role("button", name="Dice alone"))
    hands.page.evaluate(HEAR, ".prompt[role=status]")
    for _ in range(2):
        hands.press(hands.page.get_by_role("button", name="Roll"))
        expect(hands.page.locator(".spread .piece")).to_have_count(2)
    hands.page.wait_for_function("heard.length > 1")
    assert _heard(hands.page) == ["3, 3"] * 2
    hands.context.close()


def test_each_roll_or_take_is_told_once_and_what_was_taken_back_is_no_news(browser: Browser, server: Room) -> None:
    hands = Hands(browser, server)
    hands.page.wait_for_selector(".games")
    first, again, third = ([n, "rolled", "3", "3"] for n in (0, 1, 2))
    ended, grid = [3, "turn ended"], [4, "laid", "a", "b", "c", "d"]
    two, three = [first, again], [first, again, third]
    logs = [[first], two, three, two, [*three, ended], [*three, ended, grid]]
    assert hands.page.evaluate(NEWS, logs) == [None, "rolled: 3, 3", "rolled: 3, 3", "", "rolled: 3, 3", None]
    hands.context.close()


def test_cards_that_come_are_told_to_those_who_do_not_see_them_and_what_others_hold_to_nobody_else(browser: Browser, server: Room) -> None:
    host = Hands(browser, server)
    host.page.wait_for_selector(".games")
    server.host.begin(BeginMatch("english-sets", [PlayerWanted("Ann"), PlayerWanted("Bo")]))
    phone = Hands(browser, server, f"/join/{server.host.seats.code}")
    phone.page.get_by_role("button", name="Ann").click()
    pages = host.page, phone.page
    for page in pages:
        page.wait_for_selector(".prompts")
        page.evaluate(HEAR, ".unseen[role=status]")
    shown, open_to_ann = [], []
    while len(shown) < DRAWS:
        last = host.state["log"][-1:]
        assert host.go_on()
        phone.catch_up()
        if host.state["log"][-1:] == last or not host.state["log"][-1]["pieces"]:
            continue
        said = _in_words(host.state["log"][-1])
        shown.append(said)
        if not _is_held_by_bo(host.state):
            open_to_ann.append(said)
    assert [_heard(page) for page in pages] == [shown, open_to_ann]
    assert 0 < len(open_to_ann) < len(shown)
    assert host.trouble + phone.trouble == []


def test_a_match_that_begins_and_one_that_ends_are_heard_by_whoever_touches_the_page(browser: Browser, server: Room) -> None:
    """Fingers leave no focus that would go on. What comes with a new view is read out as an alert, or where a region stays."""
    phone = Hands(browser, server, f"/join/{server.host.seats.code}")
    phone.page.get_by_label("Your name").fill("Ann")
    phone.press(phone.page.get_by_role("button", name="Sit down"))
    phone.page.wait_for_selector(".waiting")
    region = phone.page.get_by_role("banner").get_by_role("status").first.element_handle()
    assert region.text_content() == "visionset"
    server.host.begin(BeginMatch("set", [PlayerWanted("Ann"), PlayerWanted("Bo")]))
    phone.page.wait_for_selector(".phone-page")
    assert region.text_content() == "SET with cards"
    shown({**QUIET, "page": "over", "over": {"winners": [0], "text": "the match is over: Ann won", "rank": None}}, ".over-page")(phone)
    expect(phone.page.get_by_role("alert").first).to_have_text("the match is over: Ann won")


@pytest.mark.parametrize("at", ["table", "phone"])
def test_what_a_choice_wants_is_told_when_its_button_is_pressed(at: str, browser: Browser, server: Room) -> None:
    """Beside the sheet of two dice nothing said that a bonus is to be chosen."""
    hands = Hands(browser, server)
    whole = {**VIRTUAL, "choices": [ASKED], "view": [HAND]}
    (shown(whole, ".table-page") if at == "table" else on_phone(whole))(hands)
    hands.page.evaluate(HEAR, ".unseen[role=status]")
    hands.press(hands.page.locator("[data-choice]"))
    expect(hands.page.locator(".filling")).to_be_visible()
    assert _heard(hands.page) == ["how many cards"]
    hands.context.close()


def test_which_values_of_a_sheet_are_circled_is_heard(browser: Browser, server: Room) -> None:
    """Brackets are not read out: circled or not, there were three ones."""
    hands = Hands(browser, server)
    entry = {"text": "(1) (1) 1", "piece": None, "stress": "none"}
    sheet = {"part": "grid", "title": "sheet", "head": ["Row", "Ann"], "rows": [[{**entry, "text": "1"}, entry]]}
    shown({**VIRTUAL, "view": [sheet]}, ".sheet")(hands)
    assert hands.page.get_by_role("cell").first.aria_snapshot() == '- cell "circled 1 circled 1 1"'
    expect(hands.page.locator(".value")).to_have_count(3)
    hands.context.close()


def test_points_and_keys_are_called_so(browser: Browser, server: Room) -> None:
    """A name that is given to what has no role is passed over: two bare numbers and a letter were read."""
    table, phone = (Hands(browser, server) for _ in range(2))
    untimed = {**QUIET, "clock": None, "round_clock": None}
    shown(untimed, ".player")(table)
    assert table.page.locator(".who").first.aria_snapshot() == "- text: key a Ann 2 points"
    on_phone(untimed)(phone)
    assert phone.page.locator(".me").aria_snapshot() == "- text: Ann 2 points"


def test_whose_name_is_taken_hears_that_alone_and_not_that_the_line_is_lost(browser: Browser, server: Room) -> None:
    server.host.begin(BeginMatch("set", [PlayerWanted("Ann"), PlayerWanted("Bo")]))
    phone, other = (Hands(browser, server, f"/join/{server.host.seats.code}") for _ in range(2))
    lines: list[WebSocket] = []
    other.page.on("websocket", lambda line: lines.append(line))
    for one in (phone, other):
        one.page.get_by_label("Your name").fill("Ann")
        one.press(one.page.get_by_role("button", name="Sit down"))
        one.page.wait_for_selector(".phone-page, .refused")
    expect(other.page.get_by_role("alert")).to_contain_text("Ann")
    if not lines[0].is_closed():
        lines[0].wait_for_event("close")
    other.page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    expect(other.page.locator(".line")).to_have_text("connected")


def _in_words(entry: dict[str, Any]) -> str:
    return f"{entry['text']}: {', '.join(piece['said'] for piece in entry['pieces'])}"


def _is_held_by_bo(state: dict[str, Any]) -> bool:
    """Whether the newest card is in the hand of the one who has no such phone."""
    entry = state["log"][-1]
    held = next(part["pieces"] for part in state["view"] if part.get("number") == 1)
    return entry["player"] == 1 and entry["pieces"][0]["code"] in [piece["code"] for piece in held]


def _heard(page: Page) -> list[str]:
    heard: list[str] = page.evaluate("window.heard")
    return heard
