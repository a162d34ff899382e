"""Every view of the page is open to everybody: axe finds no fault, text is large enough, nothing is wider than its screen."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, WebSocketRoute

from tests.web.clicker import choose
from tests.web.hands import Hands, chromium, without_chromium
from tests.web.room import Room, room
from visionset.games.registry import GAMES
from visionset.web.showing import EMPTY

pytestmark = without_chromium

AXE = (Path(__file__).parent / "vendor" / "axe.min.js").read_text(encoding="utf-8")
LEAST_PX = 16
LEAST_PROMPT_PX = 28
LEAST_CONTROL_PX = 24
PROMPT_CONTRAST = 7.0
SIZES = {"phone": (360, 740), "laptop": (1366, 768), "screen": (1920, 1080), "wall": (3840, 2160), "portrait": (1080, 1920)}
DRAWN = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(done))))"
"""Until what follows the size of the window has followed it, and is drawn."""

THEMES = ("light", "dark")

OUTLINE = [[100, 100], [220, 100], [220, 300], [100, 300]]
OVAL = {"kind": "set-card", "code": "2-red-solid-oval", "text": "2 red solid ovals", "said": "two red solid ovals"}
DOUBTFUL: dict[str, Any] = {
    **EMPTY,
    "page": "table",
    "game": {"name": "set", "title": "SET with cards"},
    "is_camera": True,
    "heard": ["set", "no_set"],
    "players": [
        {
            "name": name,
            "score": 2,
            "key": key,
            "is_bot": False,
            "is_connected": True,
            "sits_out": False,
            "is_due": True,
            "has_called": called,
        }
        for name, key, called in (("Ann", "a", True), ("Bo", "b", False))
    ],
    "prompts": [{"to": "All", "text": "say SET when you see one", "at": [], "players": [0, 1]}],
    "notice": "Ann: SET, +1",
    "question": {
        "text": "Who took the three cards?",
        "options": [{"number": 1, "text": "Ann"}, {"number": 2, "text": "Bo", "piece": OVAL}],
        "none": "nobody",
    },
    "differ": "a card left the table without a call",
    "clock": {"player": 0, "left_s": 4.0, "of_s": 5.0},
    "round_clock": {"elapsed_s": 700.0, "limit_s": 600.0, "is_running": True, "is_up": True},
    "is_filmed": True,
    "exhibits": [{"piece": OVAL, "confidence": 0.7, "runner_up": OVAL, "picture": None}],
    "camera": {
        "size": [1280, 720],
        "marks": [{"outline": OUTLINE, "tone": tone, "text": tone} for tone in ("todo", "good", "wrong", "asked", "hint", "zone")],
        "pieces": [{"track": 1, "outline": OUTLINE, "piece": OVAL, "text": "2 red solid ovals"}],
        "remarks": ["a hand is in the way"],
        "trouble": "",
        "advice": ["move the laptop back a little"],
    },
    "zones": [
        {"name": "pack", "text": "pack", "box": [0.1, 0.1, 0.3, 0.4], "is_optional": True},
        {"name": "heap", "text": "rubbish heap", "box": None, "is_optional": True},
    ],
    "status": [["round 1", "Ann deals"]],
    "hints": {"level": 1, "text": "there is 1 SET", "at": [0]},
}


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as opened:
        yield opened


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Room]:
    monkeypatch.setattr("visionset.web.host.secrets.randbelow", lambda most: 4)
    with room(tmp_path) as opened:
        yield opened


def faults(page: Page) -> list[str]:
    """What is wrong with a view, in words."""
    page.wait_for_function("() => [...document.querySelectorAll('img')].every(one => one.complete)")
    page.evaluate("document.getAnimations().forEach(one => one.finish())")
    page.evaluate(AXE)
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    told = [f"{one['id']}: {node['target']} {node['html'][:120]}" for one in found["violations"] for node in one["nodes"]]
    small = """least => [...document.querySelectorAll('#page *')].filter(one => one.checkVisibility() && !one.closest('svg') &&
        [...one.childNodes].some(node => node.nodeType === 3 && node.data.trim()) &&
        parseFloat(getComputedStyle(one).fontSize) < least).map(one => one.outerHTML.slice(0, 120))"""
    told += [f"small: {one}" for one in page.evaluate(small, LEAST_PX - 0.01)]
    told += [f"small in the picture: {one}" for one in page.evaluate(SMALL_IN_PICTURE, LEAST_PX - 0.1)]
    told += [f"small prompt: {one}" for one in page.evaluate(PROMPTS_PX) if one < LEAST_PROMPT_PX]
    told += [f"small prompt of the table: {one}" for one in page.evaluate(TABLE_PROMPT)]
    told += [f"prompt contrast {one:.1f}" for one in page.evaluate(PROMPTS_CONTRAST) if one < PROMPT_CONTRAST]
    told += [f"cut: {one}" for one in page.evaluate(CUT)]
    told += [f"cut in height: {one}" for one in page.evaluate(CUT_HEIGHT)]
    told += [f"small control: {one}" for one in page.evaluate(SMALL_CONTROLS, LEAST_CONTROL_PX)]
    told += ["what is asked has to be scrolled"] * page.evaluate(SCROLLED)
    wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    return told + ([f"{wide} px wider than the screen"] if wide > 0 else [])


SMALL_IN_PICTURE = """least => [...document.querySelectorAll('.film text')].filter(one => one.checkVisibility() &&
    parseFloat(one.getAttribute('font-size')) * one.ownerSVGElement.getScreenCTM().a < least).map(one => one.outerHTML.slice(0, 120))"""
"""Text over the live picture that is too small as the screen shows it."""

CUT = """() => [...document.querySelectorAll('body *')].filter(one => one.checkVisibility() && !one.closest('svg, .unseen') &&
    [...one.childNodes].some(node => node.nodeType === 3 && node.data.trim()) && one.clientWidth > 0 &&
    one.scrollWidth > one.clientWidth + 1).map(one => one.outerHTML.slice(0, 120))"""
"""Text that is wider than its place."""

CUT_HEIGHT = """() => [...document.querySelectorAll('body *')].filter(one => one.checkVisibility() && !one.closest('svg, .unseen') &&
    [...one.childNodes].some(node => node.nodeType === 3 && node.data.trim()) && one.clientHeight > 0 &&
    ['hidden', 'clip'].includes(getComputedStyle(one).overflowY) && one.scrollHeight > one.clientHeight + 1)
    .map(one => one.outerHTML.slice(0, 120))"""
"""Text that is higher than a place that hides the rest."""

SMALL_CONTROLS = """least => [...document.querySelectorAll('button, select, input, summary')].filter(one => {
    const boxes = [one, one.closest('label')].filter(Boolean).map(part => part.getBoundingClientRect());
    return one.checkVisibility() && !one.closest('.unseen') && boxes.every(box => Math.min(box.width, box.height) < least - .1);
}).map(one => one.outerHTML.slice(0, 120))"""
"""What is too small for a finger; the label of a switch may be pressed in its place."""

SCROLLED = "() => [...document.querySelectorAll('.asks')].filter(one => one.scrollHeight > one.clientHeight + 1).length"

TABLE_PROMPT = """() => [...document.querySelectorAll('.table-page .prompts > .prompt')].filter(one =>
    innerWidth >= 640 && parseFloat(getComputedStyle(one).fontSize) < innerHeight / 20 - .1).map(one => getComputedStyle(one).fontSize)"""
"""Prompts that nobody reads from two metres: less than 5 % of the height, except on a phone."""

PROMPTS_PX = "[...document.querySelectorAll('.prompt')].map(one => parseFloat(getComputedStyle(one).fontSize))"
PROMPTS_CONTRAST = """[...document.querySelectorAll('.prompts .prompt')].map(one => {
    const light = text => {
        const parts = text.match(/[0-9.]+/g).slice(0, 3).map(part => part / 255);
        const [r, g, b] = parts.map(part => part <= .04045 ? part / 12.92 : ((part + .055) / 1.055) ** 2.4);
        return .2126 * r + .7152 * g + .0722 * b;
    };
    const [ink, paper] = [light(getComputedStyle(one).color), light(getComputedStyle(one.closest('.prompts')).backgroundColor)];
    return (Math.max(ink, paper) + .05) / (Math.min(ink, paper) + .05);
})"""


def told(page: Page, whole: dict[str, Any], is_host: bool = True, player: int | None = None) -> None:
    """Tell a page a state that no server stands behind."""

    def answer(socket: WebSocketRoute) -> None:
        def heard(message: str | bytes) -> None:
            if json.loads(message)["type"] == "hello":
                welcome = {"type": "welcome", "seat": "s", "is_host": is_host, "player": player, "language": "en"}
                socket.send(json.dumps(welcome))
                socket.send(json.dumps({"type": "state", "version": 1, "whole": whole}))

        socket.on_message(heard)

    page.route_web_socket("**/ws", answer)


def to_start(hands: Hands) -> None:
    hands.page.wait_for_selector(".games button")


def to_setup(hands: Hands) -> None:
    hands.page.get_by_role("button", name="SET with cards").click()
    hands.page.locator("summary").click()


def to_puzzle(hands: Hands) -> None:
    hands.page.get_by_role("button", name="Puzzle of the day").click()
    hands.page.wait_for_selector(".spread .piece")
    for place in (0, 1, 2):
        hands.piece(None, place).click()
    hands.page.wait_for_selector(".answer")


def to_dice(hands: Hands) -> None:
    hands.page.get_by_role("button", name="Dice alone").click()
    hands.page.get_by_role("button", name="Roll").click()
    hands.page.wait_for_selector(".alone .piece")


def to_wishes(hands: Hands) -> None:
    hands.page.get_by_role("button", name="View").click()


def to_phones(hands: Hands) -> None:
    hands.page.get_by_role("button", name="Phones").click()


def to_explained(hands: Hands) -> None:
    hands.begin("SET solitaire")
    hands.go_on()
    _, values = choose({**hands.state, "choices": hands.state["choices"][:1]}, random.Random(1))
    hands.make(hands.state["choices"][0], values)
    hands.page.locator(".log summary").first.click()


def to_wild(hands: Hands) -> None:
    wild = {"kind": "set-die", "code": "wild", "text": "WILD", "said": "WILD"}
    need = {"field": "grid", "text": "dice with their cells", "values": [], "count": None, "form": "placings"}
    choice = {"id": "lay:0:0", "event": "lay", "label": "Ann: lay the grid", "player": 0, "needs": [need], "fixed": {}, "is_said": True}
    hand = {"part": "hand", "player": "Ann", "number": 0, "pieces": [wild], "is_numbered": True, "after": "", "laid": []}
    table = {**DOUBTFUL, "is_camera": False, "camera": None, "zones": None}  # before a camera nobody sees a hand of WILDs
    told(hands.page, {**table, "question": None, "differ": "", "choices": [choice], "view": [hand]})
    hands.page.reload()
    hands.page.locator(".hand .piece").click()
    assert "cells" not in hands.page.locator(".filling").inner_text()  # the page says what to touch
    hands.cell(3, 3).click()
    hands.page.wait_for_selector(".faces")


def to_table(title: str) -> Callable[[Hands], None]:
    def go(hands: Hands) -> None:
        hands.begin(title)
        hands.go_on()

    return go


def to_doubt(hands: Hands) -> None:
    told(hands.page, DOUBTFUL)
    hands.page.reload()
    hands.page.wait_for_selector(".is-question")


def to_difference(hands: Hands) -> None:
    """A difference alone, before a camera whose pack has places."""
    told(hands.page, {**DOUBTFUL, "question": None, "exhibits": []})
    hands.page.reload()
    hands.page.wait_for_selector(".is-differ")
    hands.page.get_by_label("Show").select_option("picture")


def to_dispute(hands: Hands) -> None:
    options = [{"number": at + 1, "text": OVAL["text"], "piece": OVAL} for at in range(4)]
    question = {"text": "Which of them was read wrongly?", "options": options, "none": "none of them"}
    told(hands.page, {**DOUBTFUL, "differ": "", "question": question, "exhibits": DOUBTFUL["exhibits"] * 3})
    hands.page.reload()
    hands.page.wait_for_selector(".is-question")


def to_lost(hands: Hands) -> None:
    """The line goes, and somebody presses a key all the same."""
    answered: list[WebSocketRoute] = []

    def answer(socket: WebSocketRoute) -> None:
        def heard(message: str | bytes) -> None:
            if json.loads(message)["type"] == "hello" and not answered:
                answered.append(socket)
                socket.send(json.dumps({"type": "welcome", "seat": "s", "is_host": True, "player": None, "language": "en"}))
                socket.send(json.dumps({"type": "state", "version": 1, "whole": {**DOUBTFUL, "question": None, "differ": ""}}))

        socket.on_message(heard)

    hands.page.route_web_socket("**/ws", answer)
    hands.page.reload()
    hands.page.wait_for_selector(".table-page")
    answered[0].close()
    hands.page.wait_for_selector(".lost")
    hands.page.keyboard.press("a")
    hands.page.wait_for_selector(".lost b")


def to_alone(hands: Hands) -> None:
    hands.page.get_by_role("button", name="SET solitaire").click()


def to_report(hands: Hands) -> None:
    """What is kept of a match that was begun a moment ago."""
    hands.begin("Sets, with two dice")
    hands.page.goto(f"http://127.0.0.1:{hands.room.port}/report/1")


def to_over(hands: Hands) -> None:
    rank = [{"place": 1, "name": "Ann", "points": 90, "is_mine": True}, {"place": 2, "name": "Bo", "points": 66, "is_mine": False}]
    over = {"winners": [0], "text": "Ann won", "rank": rank}
    standings = [{"name": "Ann", "won": 1, "points": 90, "rounds": 1}]
    told(hands.page, {**DOUBTFUL, "page": "over", "over": over, "question": None, "differ": "", "standings": standings})
    hands.page.reload()
    hands.page.wait_for_selector(".over-page")


def to_long_sheet(hands: Hands) -> None:
    """A score sheet of eight players, whose names are as long as names may be."""
    names = [f"W{'MW' * 9}{at}" for at in range(8)]
    players = [{**DOUBTFUL["players"][0], "name": name, "key": "abcdefgh"[at], "has_called": False} for at, name in enumerate(names)]
    entry = {"text": "12", "piece": None, "stress": "none"}
    rows = [[{**entry, "text": str(row)}, *([entry] * 8)] for row in range(1, 7)]
    sheet = {"part": "grid", "title": "Score sheet", "head": ["Row", *names], "rows": rows}
    plain = {"is_camera": False, "camera": None, "zones": None, "question": None, "differ": "", "clock": None}
    told(hands.page, {**DOUBTFUL, **plain, "players": players, "view": [sheet]})
    hands.page.reload()
    hands.page.wait_for_selector(".sheet tbody tr")


def to_phone(hands: Hands) -> None:
    told(hands.page, {**DOUBTFUL, "zones": None}, is_host=False, player=0)
    to_join(hands)
    hands.page.locator("input").fill("Ann")
    hands.page.get_by_role("button", name="Sit down").click()
    hands.page.wait_for_selector(".phone-page")


def to_join(hands: Hands) -> None:
    hands.page.goto(f"http://127.0.0.1:{hands.room.port}/join/{hands.room.host.seats.code}")
    hands.page.wait_for_selector(".join-page")


VIEWS: dict[str, Callable[[Hands], None]] = {
    "start": to_start,
    "setup": to_setup,
    "puzzle": to_puzzle,
    "dice": to_dice,
    "wishes": to_wishes,
    "phones": to_phones,
    "explained": to_explained,
    "wild": to_wild,
    "doubt": to_doubt,
    "difference": to_difference,
    "dispute": to_dispute,
    "lost": to_lost,
    "setup_alone": to_alone,
    "report": to_report,
    "over": to_over,
    "long_sheet": to_long_sheet,
    "join": to_join,
    "phone": to_phone,
    **{name: to_table(game.title) for name, game in sorted(GAMES.items())},
}


def looked_at(browser: Browser, server: Room, view: str, size: str, theme: str, wishes: dict[str, Any] | None = None) -> list[str]:
    """Faults of a view on a screen, for somebody with wishes."""
    width, height = SIZES[size]
    hands = Hands(browser, server, viewport={"width": width, "height": height}, color_scheme=theme)
    try:
        if wishes:
            hands.page.evaluate("wishes => localStorage.setItem('visionset.wishes', JSON.stringify(wishes))", wishes)
            hands.page.reload()
        VIEWS[view](hands)
        return faults(hands.page) + hands.trouble
    finally:
        hands.context.close()


@pytest.mark.parametrize(
    ("view", "size", "theme"), [("start", "laptop", "light"), ("doubt", "laptop", "dark"), ("phone", "phone", "light")]
)
def test_views_have_no_fault(browser: Browser, server: Room, view: str, size: str, theme: str) -> None:
    assert looked_at(browser, server, view, size, theme) == []


def test_a_wide_sheet_keeps_its_rows_named_while_it_is_scrolled(browser: Browser, server: Room) -> None:
    width, height = SIZES["phone"]
    hands = Hands(browser, server, viewport={"width": width, "height": height})
    to_long_sheet(hands)
    assert faults(hands.page) == []
    frame = hands.page.locator(".sheet .scroll")
    frame.evaluate("one => { one.scrollLeft = 9999; }")
    first, left = (hands.page.locator(what).first.bounding_box() for what in (".sheet tbody th", ".sheet .scroll"))
    assert first is not None
    assert left is not None
    assert frame.evaluate("one => one.scrollLeft") > 0
    assert left["x"] <= first["x"] <= left["x"] + 1
    hands.context.close()


@pytest.mark.slow
@pytest.mark.parametrize("view", VIEWS)
def test_every_view_has_no_fault(browser: Browser, server: Room, view: str) -> None:
    """On every screen, in dark and light."""
    hands = Hands(browser, server)
    VIEWS[view](hands)
    found = []
    for (size, (width, height)), theme in product(SIZES.items(), THEMES):
        hands.page.set_viewport_size({"width": width, "height": height})
        hands.page.emulate_media(color_scheme=theme)  # type: ignore[arg-type]
        hands.page.evaluate(DRAWN)
        found += [f"{size} {theme}: {one}" for one in faults(hands.page)]
    assert found + hands.trouble == []
    hands.context.close()


@pytest.mark.slow
@pytest.mark.parametrize("wishes", [{"size": 200}, {"plain": True}], ids=str)
@pytest.mark.parametrize("size", ["phone", "laptop"])
@pytest.mark.parametrize("view", ["start", "setup", "set", "doubt", "cubed", "phone"])
def test_views_keep_without_fault_what_people_wish(browser: Browser, server: Room, view: str, size: str, wishes: dict[str, Any]) -> None:
    assert looked_at(browser, server, view, size, "light", wishes) == []
