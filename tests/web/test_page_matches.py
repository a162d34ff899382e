"""What the page offers between matches: those that are not finished, house rules of last time, the last step taken back, other names."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, WebSocket, WebSocketRoute, expect

from tests.web.hands import TAP, Hands, without_chromium
from tests.web.looked_views import DOUBTFUL, OVAL, QUIET, VIRTUAL, heard_by, told
from tests.web.room import Room, room
from visionset.errors import SourceError
from visionset.games.game import History
from visionset.games.registry import GAMES
from visionset.messages import at_table
from visionset.pieces import SetDie
from visionset.sources import Source
from visionset.store import Origin, Store
from visionset.web.cameras import Cameras
from visionset.web.seats import Seats
from visionset.web.showing import EMPTY
from visionset.web.virtual_table import VirtualTable
from visionset.web.wire import BeginMatch, MakeMove, PlayerWanted, SayWord

pytestmark = without_chromium


def one_turn(hands: Hands, name: str) -> None:
    """A match of two dice with one turn, to the one that ends it."""
    host = hands.room.host
    host.begin(BeginMatch("sets-dice", [PlayerWanted(name)], house={"turns": 1}))
    hands.page.wait_for_selector(".table-page")


def to_the_end(hands: Hands) -> None:
    host = hands.room.host
    while hands.state["page"] != "over":
        if not hands.state["choices"]:
            hands.room.go_on()
            continue
        choice = hands.state["choices"][0]
        values = {need["field"]: need["values"][0] for need in choice["needs"]}
        host.do(host.seats.host_seat(), MakeMove(host.showing(None)[0], choice["id"], values))
    hands.page.wait_for_selector(".over-page")


@pytest.mark.slow
@pytest.mark.parametrize(("won", "heads"), [(0, ["Name", "Points"]), (1, ["Name", "Won", "Points"])])
def test_who_played_alone_is_not_said_to_have_won_nothing(won: int, heads: list[str], browser: Browser, server: Room) -> None:
    hands = Hands(browser, server)
    over = {"winners": [0], "text": "Ann won", "rank": None}
    standings = [{"name": "Ann", "won": won, "points": 22, "rounds": 1}]
    told(hands, {**DOUBTFUL, **VIRTUAL, "page": "over", "over": over, "standings": standings})
    hands.page.reload()
    expect(hands.page.locator(".over-page th")).to_have_text(heads)
    hands.context.close()


@pytest.mark.slow
def test_what_was_refused_in_a_match_does_not_stand_over_the_next(browser: Browser, server: Room) -> None:
    hands = Hands(browser, server)
    over = {"winners": [0], "text": "Ann won", "rank": None}
    told(hands, {**DOUBTFUL, **VIRTUAL, "page": "over", "over": over, "standings": []}, refused="There is nothing to take back.")
    hands.page.reload()
    expect(hands.page.locator(".refused")).to_be_visible()
    hands.press(hands.page.get_by_role("button", name="Play again"))
    expect(hands.page.locator(".refused")).to_have_count(0)
    hands.context.close()


@pytest.mark.slow
def test_what_was_refused_goes_when_others_play_on_and_it_was_read(hands: Hands) -> None:
    """At a laptop that nobody touches while phones play."""
    page, host, refused = hands.page, hands.room.host, hands.page.locator(".refused")
    host.begin(BeginMatch("set", [PlayerWanted("Ann"), PlayerWanted("Bo")]))
    page.get_by_role("button", name="Undo").click()
    expect(refused).to_be_visible()
    hands.go_on()
    expect(refused).to_be_visible()
    page.evaluate("{ const now = performance.now(); performance.now = () => now + 10_000; }")
    while not hands.state["choices"]:
        hands.go_on()
    host.do(host.seats.host_seat(), SayWord("set", player=0))
    hands.catch_up()
    expect(refused).to_have_count(0)


@pytest.mark.slow
def test_what_was_refused_stands_while_somebody_makes_its_words_larger(browser: Browser, server: Room) -> None:
    """That the time of the table stands meanwhile is said by the page alone."""
    hands = Hands(browser, server)
    told(hands, VIRTUAL, refused="There is nothing to take back.")
    hands.page.reload()
    hands.press(hands.page.get_by_role("button", name=hands.word("page.wish.title")))
    hands.press(hands.page.get_by_role("dialog").get_by_role("button", name=hands.word("page.frame.close")))
    expect(hands.page.locator("dialog")).to_have_count(0)
    expect(hands.page.locator(".refused")).to_be_visible()
    hands.context.close()


@pytest.mark.slow
def test_a_match_whose_camera_takes_a_while_to_open_begins_or_goes_on_once_and_says_so(browser: Browser, server: Room) -> None:
    hands = Hands(browser, server)
    going = {"id": 7, "title": "SET", "players": ["Ann"], "scores": [3], "is_finished": False, "films": 0, "at": "2026-11-20 20:15"}
    hands.page.route("**/matches", lambda route: route.fulfill(json=[going]))
    said = told(hands, EMPTY)
    hands.page.reload()
    for opened, kind in ((".going button", "resume"), (".begin", "begin")):
        if kind == "begin":
            hands.press(hands.page.get_by_role("button", name="SET with cards"))
        button = hands.page.locator(opened)
        for _ in range(2):
            hands.press(button)
            expect(button).to_contain_text(hands.word("page.line.opening"))
        assert len(heard_by(hands, said, kind)) == 1
    hands.context.close()


@pytest.mark.slow
def test_the_start_page_says_that_a_camera_is_opened(browser: Browser, server: Room) -> None:
    hands = Hands(browser, server)
    hands.page.route("**/cameras", lambda route: route.fulfill(json=[{"source": "0", "name": "Webcam"}]))
    lines: list[WebSocketRoute] = []

    def answer(line: WebSocketRoute) -> None:
        lines.append(line)
        welcome = {"type": "welcome", "seat": "s", "is_host": True, "player": None, "language": "en"}
        for message in (welcome, {"type": "state", "version": 1, "whole": EMPTY}):
            line.send(json.dumps(message))

    hands.page.route_web_socket("**/ws", answer)
    hands.page.reload()
    opening = hands.page.get_by_text(hands.word("page.start.opening"))
    expect(hands.page.locator(".looking")).to_be_visible()
    expect(opening).to_have_count(0)
    hands.page.locator(".looking select").select_option("0")
    expect(opening).to_be_in_viewport()
    lines[0].send(json.dumps({"type": "refused", "text": "no camera"}))
    expect(opening).to_have_count(0)
    hands.page.locator(".looking select").select_option("")
    hands.page.locator(".looking select").select_option("0")
    expect(opening).to_be_visible()
    hands.press(hands.page.get_by_role("button", name="SET with cards"))
    expect(opening).to_be_visible()
    camera = {**QUIET["camera"], "source": "0", "offer": None}
    lines[0].send(json.dumps({"type": "change", "version": 2, "since": 1, "set": {"camera": camera}, "gone": []}))
    expect(opening).to_have_count(0)
    hands.context.close()


@pytest.mark.slow
def test_what_is_played_again_begins_once_and_its_end_leaves_no_room_for_what_nobody_holds(browser: Browser, server: Room) -> None:
    hands = Hands(browser, server, viewport={"width": 412, "height": 915})
    hands.page.add_init_script("localStorage.setItem('visionset.wishes', JSON.stringify({ size: 150 }))")
    hand = {
        "part": "hand",
        "player": "Grandmother",
        "number": 0,
        "pieces": [],
        "is_numbered": False,
        "after": "",
        "laid": [[OVAL] * 3],
        "lent": [],
    }
    players = [{**one, "name": name} for one, name in zip(DOUBTFUL["players"], ("Grandmother", "Bo"), strict=True)]
    over = {"winners": [0], "text": "Grandmother won", "rank": None}
    said = told(hands, {**DOUBTFUL, **VIRTUAL, "players": players, "page": "over", "over": over, "standings": [], "view": [hand]})
    hands.page.reload()
    expect(hands.page.locator(".graves .drawn")).to_have_count(3)
    expect(hands.page.locator(".hand .row")).to_be_hidden()
    lines = """one => { const all = document.createRange(); all.setStart(one.firstChild, 0); all.setEnd(one.firstChild, 11);
        return all.getClientRects().length; }"""
    assert hands.page.locator("h1").evaluate(lines) == 1, "a name stands in one line"
    button = hands.page.locator(".acts .primary")
    for _ in range(2):
        hands.press(button)
        expect(button).to_have_text(hands.word("page.line.opening"))
    assert len(heard_by(hands, said, "again")) == 1
    hands.context.close()


@pytest.mark.slow
def test_a_page_whose_line_is_open_before_its_table_is_says_so(browser: Browser, server: Room) -> None:
    hands = Hands(browser, server)
    welcome = {"type": "welcome", "seat": "s", "is_host": True, "player": None, "language": "en"}
    hands.page.route_web_socket("**/ws", lambda line: line.on_message(lambda _: line.send(json.dumps(welcome))))
    hands.page.reload()
    expect(hands.page.locator(".line")).to_have_class("line is-open")
    expect(hands.page.locator("h1")).to_have_text(hands.word("page.line.opening"))
    hands.context.close()


@pytest.mark.slow
def test_what_a_page_showed_takes_nothing_before_its_table_is_there_again(browser: Browser, server: Room) -> None:
    """The server was started anew, and the camera of the match takes a while."""
    hands = Hands(browser, server)
    welcome = {"type": "welcome", "seat": "s", "is_host": True, "player": None, "language": "en"}
    lines: list[WebSocketRoute] = []
    heard: list[dict[str, Any]] = []

    def answer(line: WebSocketRoute) -> None:
        def hear(message: str | bytes) -> None:
            heard.append(json.loads(message))
            if heard[-1]["type"] == "hello":
                lines.append(line)
                line.send(json.dumps(welcome))
                if len(lines) == 1:
                    line.send(json.dumps({"type": "state", "version": 1, "whole": QUIET}))

        line.on_message(hear)

    hands.page.route_web_socket("**/ws", answer)
    hands.page.reload()
    hands.page.locator(".table-page").wait_for()
    lines[0].close()
    while len(lines) < 2:
        hands.page.wait_for_timeout(50)
    hands.page.keyboard.press("a")
    expect(hands.page.locator(".lost")).to_contain_text(hands.word("page.line.unheard"))
    assert not heard_by(hands, heard, "say")
    lines[1].send(json.dumps({"type": "state", "version": 2, "whole": QUIET}))
    expect(hands.page.locator(".line")).to_have_class("line is-open")
    expect(hands.page.locator(".lost")).to_have_count(0)
    hands.page.keyboard.press("a")
    assert len(heard_by(hands, heard, "say")) == 1
    hands.context.close()


def test_the_last_step_of_a_match_is_taken_back_and_it_is_played_again(hands: Hands) -> None:
    one_turn(hands, "Ann")
    to_the_end(hands)
    hands.press(hands.page.get_by_role("button", name="Undo"))
    hands.page.wait_for_selector(".table-page")
    assert hands.state["page"] == "table"
    to_the_end(hands)
    hands.page.keyboard.press("Shift+U")
    hands.page.wait_for_selector(".table-page")
    to_the_end(hands)
    first = hands.state["match"]
    hands.press(hands.page.get_by_role("button", name="Play again"))
    hands.page.wait_for_selector(".table-page")
    assert hands.state["match"] == first + 1
    table = hands.room.host.table
    assert isinstance(table, VirtualTable)
    assert table.match.history.options.turns == 1


def test_every_match_that_is_not_finished_can_be_gone_on_with(hands: Hands) -> None:
    host = hands.room.host
    for name in ("Ann", "Bo", "Cy", "Di", "Eve", "Flo"):
        host.begin(BeginMatch("solitaire", [PlayerWanted(name)]))
    host.leave()
    hands.page.reload()
    shown = hands.page.locator(".going li:visible")
    expect(shown).to_have_count(4)
    expect(shown.first).to_contain_text("Flo 0")
    expect(shown.first).to_contain_text("2023")  # when it was played
    hands.press(hands.page.get_by_text("Earlier ones"))
    expect(shown).to_have_count(6)
    hands.press(shown.last.get_by_role("button"))
    hands.page.wait_for_selector(".table-page")
    assert [one["name"] for one in hands.state["players"]] == ["Ann"]


@pytest.mark.slow
def test_the_house_rules_of_last_time_are_offered_again(hands: Hands) -> None:
    page = hands.page
    cards, alone = (page.locator(".games button", has_text=title) for title in ("SET with cards", "SET solitaire"))
    hands.press(cards)
    rule, clock = page.locator("#rule-take_limit_s"), page.get_by_role("switch", name="A clock runs")
    rule.fill("9")
    hands.press(clock)
    page.locator("#round-minutes").fill("3")
    hands.press(page.get_by_role("button", name="Begin", exact=True))
    page.wait_for_selector(".table-page")
    hands.room.host.leave()
    hands.press(alone)
    expect(page.locator("#round-minutes")).to_have_count(0)
    hands.press(page.get_by_role("button", name="Begin", exact=True))
    page.wait_for_selector(".table-page")
    hands.room.host.leave()
    hands.press(cards)
    expect(rule).to_have_value("9")
    expect(page.locator("#round-minutes")).to_have_value("3")


@pytest.mark.slow
def test_a_phone_whose_owner_looks_for_another_name_keeps_its_own_or_gets_a_free_one(browser: Browser, hands: Hands) -> None:
    host = hands.room.host
    host.begin(BeginMatch("set", [PlayerWanted("Ann"), PlayerWanted("Bo")]))
    hands.page.wait_for_selector(".table-page")  # nothing comes by itself before somebody is there
    hands.go_on()
    path = f"/join/{host.seats.code}"
    phone, other = (Hands(browser, hands.room, path, viewport={"width": 360, "height": 640}) for _ in range(2))
    name = phone.page.get_by_label("Your name")
    name.fill("   ")
    phone.press(phone.page.get_by_role("button", name="Sit down"))
    expect(name).to_be_visible()
    name.fill("\u2068Ann\u2069\u200b")
    phone.press(phone.page.get_by_role("button", name="Sit down"))
    phone.page.locator("button.set").wait_for()
    assert host.seats.present == {"Ann"}
    phone.press(phone.page.get_by_role("button", name="Your name"))
    expect(name).to_have_value("Ann")
    phone.press(phone.page.get_by_role("button", name="Back to the table"))
    phone.page.locator("button.set").wait_for()
    lines: list[WebSocket] = []
    other.page.on("websocket", lambda line: lines.append(line))
    other.page.clock.install()
    other.page.get_by_label("Your name").fill("ann")
    other.press(other.page.get_by_role("button", name="Sit down"))
    expect(other.page.get_by_role("heading", name="Which name is yours?")).to_be_visible()
    expect(other.page.get_by_role("alert")).to_contain_text("Ann")
    if not lines[0].is_closed():
        lines[0].wait_for_event("close")
    for _ in range(5):
        other.page.clock.run_for(5_000)
        other.page.evaluate("document.title")  # what the page has opened is heard of before it answers
    assert len(lines) == 1, "who is refused takes no seat by himself when Ann's phone is dark for a moment"
    other.page.clock.resume()
    other.press(other.page.get_by_role("main").get_by_role("button", name="Your name"))
    other.press(other.page.get_by_role("button", name="Bo", exact=True))
    other.page.locator("button.set").wait_for()
    assert host.seats.present == {"Ann", "Bo"}
    for one in (phone, other):
        one.context.close()


@pytest.mark.slow
def test_what_is_typed_stays_when_somebody_comes_meanwhile(browser: Browser, hands: Hands) -> None:
    hands.press(hands.page.locator(".games button", has_text="SET with cards"))
    rule = hands.page.locator("#rule-take_limit_s")
    rule.fill("9")
    phone = Hands(browser, hands.room, f"/join/{hands.room.host.seats.code}", viewport={"width": 360, "height": 640})
    phone.page.get_by_label("Your name").fill("Ann")
    phone.press(phone.page.get_by_role("button", name="Sit down"))
    expect(hands.page.locator(".seats input").first).to_have_value("Ann")
    expect(rule).to_have_value("9")
    hands.press(hands.page.get_by_role("button", name="Begin", exact=True))
    hands.page.wait_for_selector(".table-page")
    table = hands.room.host.table
    assert isinstance(table, VirtualTable)
    assert table.match.history.options.take_limit_s == 9
    phone.context.close()


@pytest.mark.slow
@pytest.mark.parametrize("size", [(1366, 768), (360, 640)], ids=str)
def test_why_a_game_does_not_begin_is_in_sight_beside_the_button(browser: Browser, hands: Hands, size: tuple[int, int]) -> None:
    hands.page.set_viewport_size({"width": size[0], "height": size[1]})
    hands.page.locator(".games button", has_text="SET with cards").click()
    hands.page.get_by_role("button", name="Add a player").click()
    for seat in (0, 2):
        hands.page.locator(".seats input").nth(seat).fill("Ann")
    hands.page.evaluate("scrollTo(0, document.body.scrollHeight)")
    hands.page.get_by_role("button", name="Begin", exact=True).click()
    told = hands.page.get_by_role("alert").filter(has_text="expected different names")
    expect(told).to_be_in_viewport(ratio=1)
    told.get_by_role("button").click()
    expect(told).to_have_count(0)
    hands.page.get_by_role("button", name="Begin", exact=True).click()
    expect(told).to_have_count(1)
    hands.page.get_by_role("button", name="Another game").click()
    expect(hands.page.locator(".games")).to_be_visible()
    expect(told).to_have_count(0)  # nothing is wrong with the next game


@pytest.mark.parametrize("by", [pytest.param("click", marks=pytest.mark.slow), "tap"])
@pytest.mark.parametrize("name", ["Begin", pytest.param("Play again", marks=pytest.mark.slow)])
def test_what_begins_a_match_begins_one_where_it_is_pressed_twice(hands: Hands, name: str, by: str) -> None:
    host = hands.room.host
    if name == "Begin":
        hands.page.get_by_role("button", name="SET solitaire").click()
    else:
        one_turn(hands, "Ann")
        to_the_end(hands)
    before = len(host.matches())
    button = hands.page.get_by_role("button", name=name, exact=True)
    if by == "click":
        button.dblclick()
    else:
        at = button.bounding_box()
        assert at is not None
        hands.page.evaluate(TAP, [[at["x"] + 9 * count, at["y"] + 9] for count in (1, 2)])
    hands.page.wait_for_selector(".table-page")
    hands.catch_up()
    host.leave()
    assert len(host.matches()) == before + 1


@pytest.mark.slow
def test_who_comes_late_is_told_from_when_on_they_may_play(browser: Browser, server: Room) -> None:
    hands = Hands(browser, server)
    hands.begin("SET with cards")
    late = Hands(browser, server, f"/join/{server.host.seats.code}")
    late.page.get_by_label("Your name").fill("Cy")
    late.press(late.page.get_by_role("button", name="Sit down"))
    expect(late.page.locator(".me")).to_have_text("You watch; you can play once another game is chosen")
    server.host.leave()
    hands.press(hands.page.locator(".games").get_by_role("button", name="SET with cards"))
    expect(hands.page.locator(".seats input").last).to_have_value("Cy")
    for one in (hands, late):
        one.context.close()
        assert one.trouble == []


def test_ones_own_column_of_a_sheet_comes_first_on_a_phone(browser: Browser, server: Room) -> None:
    names = ("Ann", "Bo", "Cy", "Di", "Eve")
    server.host.begin(BeginMatch("sets-dice", [PlayerWanted(name) for name in names], seed=3))
    phone = Hands(browser, server, f"/join/{server.host.seats.code}", viewport={"width": 360, "height": 640})
    phone.page.get_by_role("button", name="Eve").click()
    phone.press(phone.page.locator('[data-choice^="roll"]').first)
    heads = phone.page.locator(".sheet thead th")
    expect(heads.nth(1)).to_have_text("Eve")
    assert [text.strip() for text in heads.all_inner_texts()][2:] == ["Ann", "Bo", "Cy", "Di"]
    buttons = phone.page.locator(".sheet tbody tr >> nth=0").locator("td")
    assert buttons.count() == len(names)
    phone.context.close()
    assert phone.trouble == []


def test_boards_of_players_stand_where_they_stood_when_the_first_die_is_laid(hands: Hands) -> None:
    hands.room.host.begin(BeginMatch("crossword", [PlayerWanted("Ann"), PlayerWanted("Bo")], seed=4))
    hands.page.wait_for_selector(".table-page")
    hands.go_on()
    boards = "[...new Set([...document.querySelectorAll('.cell[data-board]')].map((one) => one.dataset.board))]"
    hands.page.locator(".hand .piece.is-live").first.wait_for()
    assert hands.page.evaluate(boards) == ["Ann", "Bo"]
    wild = at_table(SetDie().said)
    for name in ("Ann", "Bo"):
        hands.page.locator(".hand").nth(["Ann", "Bo"].index(name)).locator(f'.piece.is-live:not([aria-label="{wild}"])').first.click()
        hands.page.locator(f'.cell[data-board="{name}"][data-row="3"][data-col="3"]').click()
        expect(hands.page.locator(f'.cell.has-piece[data-board="{name}"]')).to_have_count(1)
        assert hands.page.evaluate(boards) == ["Ann", "Bo"]


@pytest.mark.slow
def test_a_sheet_of_many_makes_no_page_wider_than_a_phone(browser: Browser, server: Room) -> None:
    names = ("Ann", "Bo", "Cy", "Di", "Eve")
    server.host.begin(BeginMatch("sets-dice", [PlayerWanted(name) for name in names], seed=3))
    hands = Hands(browser, server, viewport={"width": 360, "height": 640})
    hands.press(hands.page.locator('[data-choice^="roll"]').first)
    hands.page.locator(".sheet .unseen").first.wait_for(state="attached")
    assert hands.page.evaluate("document.documentElement.scrollWidth") <= 360
    hands.context.close()
    assert hands.trouble == []


@pytest.mark.slow
def test_the_start_page_says_why_a_match_whose_camera_is_away_is_not_shown_until_another_is_begun(browser: Browser, tmp_path: Path) -> None:
    with Store(tmp_path / "matches.sqlite3", lambda: 0.0) as store:
        match = store.begin(History.begin(GAMES["set"], GAMES["set"].presets["house"], ("Ann", "Bo")), origin=Origin.CAMERA)
    Seats(tmp_path / "seats.json").begin(match.id, {}, "0")

    def away(source: str, game: str | None) -> Source:
        raise SourceError("no camera")

    with room(tmp_path, cameras=Cameras(opener=away)) as server:
        hands = Hands(browser, server)
        why = hands.page.get_by_role("status").get_by_text("no camera")
        expect(why).to_be_visible()
        told, heading = why.bounding_box(), hands.page.get_by_role("heading", name="Go on with").bounding_box()
        assert told is not None
        assert heading is not None
        assert heading["y"] - told["y"] - told["height"] >= 12  # it is not of what stands below it
        hands.page.locator(".going button").click()
        expect(hands.page.get_by_role("alert").get_by_text("no camera")).to_be_visible()
        expect(why).to_have_count(0)  # it is said once
        hands.begin("SET solitaire")
        hands.page.get_by_role("button", name="Stop playing").click()
        hands.page.get_by_role("button", name="Stop and go to the start page").click()
        expect(hands.page.locator(".going")).to_be_visible()
        expect(why).to_have_count(0)
        hands.context.close()
