"""Every view of the page, each reached by clicks or by a state that no server stands behind, in every language."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Locator, WebSocketRoute

from tests.web.clicker import choose
from tests.web.hands import Hands
from visionset.games.registry import GAMES
from visionset.web.showing import EMPTY

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
        "id": "took",
        "text": "Who took the three cards?",
        "options": [{"number": 1, "text": "Ann"}, {"number": 2, "text": "Bo", "piece": OVAL}],
        "none": "nobody",
        "picture": None,
    },
    "differ": "a card left the table without a call",
    "differ_id": "left",
    "clock": {"player": 0, "left_s": 4.0, "of_s": 5.0, "stands": False},
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


GERMAN: dict[str, str] = {
    "say SET when you see one": "sagt SET, sobald ihr eins seht; sagt auch, wenn ihr glaubt, dass keins da ist",
    "Ann: SET, +1": "Ann: SET, +1; wer es bezweifelt, erhebt Einspruch",
    "Who took the three cards?": "Wer hat zwei rote gefüllte Ovale, drei grüne Rauten und eine violette Welle genommen?",
    "nobody": "niemand von euch",
    "a card left the table without a call": "drei Karten haben den Tisch verlassen, ohne dass jemand gerufen hat",
    "2 red solid ovals": "2 rote gefüllte Ovale",
    "two red solid ovals": "zwei rote gefüllte Ovale",
    "a hand is in the way": "eine Hand ist im Weg",
    "move the laptop back a little": "rück die Kamera etwas zurück: einige Karten sind vom Rand des Bildes abgeschnitten",
    "pack": "Kartenstapel",
    "rubbish heap": "Ablagestapel",
    "round 1": "Runde 1",
    "Ann deals": "Ann gibt die Karten",
    "there is 1 SET": "es liegt ein SET auf dem Tisch",
    "Which of them was read wrongly?": "Ann nimmt drei: was wurde falsch gelesen?",
    "none of them": "alle wurden richtig gelesen",
    "Ann won": "Ann hat mit 90 Punkten gewonnen",
    "All": "Alle",
    "Score sheet": "Punkteblatt",
    "Row": "Zeile",
    "SET with cards": "SET mit Karten",
    "Ann: lay the grid": "Ann: Gitter auslegen",
    "Bo: circle row 1": "Bo: Kreis um Reihe 1",
}
"""Invented words in the other language, as long as words of the catalogue are."""


def spoken(whole: Any, language: str) -> Any:
    """An invented state in the language of a page."""
    if language == "en":
        return whole
    if isinstance(whole, str):
        return GERMAN.get(whole, whole)
    if isinstance(whole, dict):
        return {key: spoken(value, language) for key, value in whole.items()}
    return [spoken(one, language) for one in whole] if isinstance(whole, list | tuple) else whole


def press(hands: Hands, code: str) -> None:
    """Press the button that has these words of the catalogue."""
    hands.page.get_by_role("button", name=hands.word(code)).first.click()


def title_of(hands: Hands, name: str) -> str:
    games: list[dict[str, Any]] = hands.page.evaluate("async () => await (await fetch('/games')).json()")
    return str(next(one["title"] for one in games if one["name"] == name))


def game(hands: Hands, name: str) -> Locator:
    return hands.page.get_by_role("button", name=title_of(hands, name))


def told(hands: Hands, whole: dict[str, Any], is_host: bool = True, player: int | None = None, refused: str = "") -> list[dict[str, Any]]:
    """Tell a page a state that no server stands behind; what it says will be in the list."""
    language, said = hands.language, list[dict[str, Any]]()

    def answer(socket: WebSocketRoute) -> None:
        def heard(message: str | bytes) -> None:
            said.append(json.loads(message))
            if said[-1]["type"] == "hello":
                welcome = {"type": "welcome", "seat": "s", "is_host": is_host, "player": player, "language": language}
                socket.send(json.dumps(welcome))
                socket.send(json.dumps({"type": "state", "version": 1, "whole": spoken(whole, language)}))
                if refused:
                    socket.send(json.dumps({"type": "refused", "text": refused}))

        socket.on_message(heard)

    hands.page.route_web_socket("**/ws", answer)
    hands.page.add_init_script("setInterval = () => 0")  # nobody looks whether this line is dead: nothing asks the page for its time
    return said


def heard_by(hands: Hands, said: list[dict[str, Any]], *types: str) -> list[dict[str, Any]]:
    """What the page of `told` has said so far, of these types: once it answers us, all that it said before has come."""
    hands.page.evaluate("0")
    return [one for one in said if one["type"] in types]


def to_start(hands: Hands) -> None:
    hands.page.wait_for_selector(".games button")


def to_setup(hands: Hands) -> None:
    game(hands, "set").click()
    hands.page.locator("summary").click()


def to_puzzle(hands: Hands) -> None:
    press(hands, "page.puzzle.title")
    hands.page.wait_for_selector(".spread .piece")
    for place in (0, 1, 2):
        hands.piece(None, place).click()
    hands.page.wait_for_selector(".answer")


def to_dice(hands: Hands) -> None:
    press(hands, "page.dice.title")
    press(hands, "page.dice.roll")
    hands.page.wait_for_selector(".alone .piece")


def to_print(hands: Hands) -> None:
    """All that can be printed, every drawer open."""
    press(hands, "page.print.title")
    hands.page.wait_for_selector(".alone details")
    for drawer in hands.page.locator(".alone summary").all():
        drawer.click()


def to_wishes(hands: Hands) -> None:
    press(hands, "page.wish.title")


def to_phones(hands: Hands) -> None:
    press(hands, "page.frame.phones")


def to_explained(hands: Hands) -> None:
    hands.begin(title_of(hands, "solitaire"))
    hands.go_on()
    _, values = choose({**hands.state, "choices": hands.state["choices"][:1]}, random.Random(1))
    hands.make(hands.state["choices"][0], values)
    hands.page.locator(".log summary").first.click()


def to_wild(hands: Hands) -> None:
    wild = {"kind": "set-die", "code": "wild", "text": "WILD", "said": "WILD"}
    need = {"field": "grid", "text": "dice with their cells", "values": [], "count": None, "form": "placings"}
    choice = {"id": "lay:0:0", "event": "lay", "label": "Ann: lay the grid", "player": 0, "needs": [need], "fixed": {}, "is_said": True}
    hand = {"part": "hand", "player": "Ann", "number": 0, "pieces": [wild], "is_numbered": True, "after": "", "laid": [], "lent": []}
    table = {**DOUBTFUL, "is_camera": False, "camera": None, "zones": None}  # before a camera nobody sees a hand of WILDs
    told(hands, {**table, "question": None, "differ": "", "choices": [choice], "view": [hand]})
    hands.page.reload()
    hands.page.locator(".hand .piece").click()
    assert "cells" not in hands.page.locator(".filling").inner_text()  # the page says what to touch
    hands.cell(3, 3).click()
    hands.page.wait_for_selector(".faces")


def to_table(name: str) -> Callable[[Hands], None]:
    def go(hands: Hands) -> None:
        hands.begin(title_of(hands, name))
        hands.go_on()

    return go


def to_doubt(hands: Hands) -> None:
    told(hands, DOUBTFUL)
    hands.page.reload()
    hands.page.wait_for_selector(".is-question")


def to_difference(hands: Hands) -> None:
    """A difference alone, before a camera whose pack has places."""
    told(hands, {**DOUBTFUL, "question": None, "exhibits": []})
    hands.page.reload()
    hands.page.wait_for_selector(".is-differ")
    hands.page.get_by_label(hands.word("page.tools.show")).select_option("picture")


def to_differing_sheet(hands: Hands) -> None:
    """A difference beside the rows of a sheet before a camera, of which one may be circled."""
    entry = {"text": "1", "piece": None, "stress": "none"}
    rows = [[{**entry, "text": str(row)}, entry, entry] for row in range(1, 7)]
    sheet = {"part": "grid", "title": "Score sheet", "head": ["Row", "Ann", "Bo"], "rows": rows}
    dice = {**SPREAD, "pieces": [OVAL] * 2, "places": [0, 1], "room": 2}
    circle = {**choice_of("circle", 1, "Bo: circle row 1"), "fixed": {"row": 1}}
    whole = {**DOUBTFUL, "question": None, "exhibits": [], "zones": None, "choices": [circle], "view": [dice, sheet]}
    shown(whole, ".is-differ")(hands)


def to_lost(hands: Hands) -> None:
    """The line goes, and somebody presses a key all the same."""
    answered: list[WebSocketRoute] = []

    def answer(socket: WebSocketRoute) -> None:
        def heard(message: str | bytes) -> None:
            if json.loads(message)["type"] == "hello" and not answered:
                answered.append(socket)
                socket.send(json.dumps({"type": "welcome", "seat": "s", "is_host": True, "player": None, "language": hands.language}))
                socket.send(
                    json.dumps(
                        {"type": "state", "version": 1, "whole": spoken({**DOUBTFUL, "question": None, "differ": ""}, hands.language)}
                    )
                )

        socket.on_message(heard)

    hands.page.route_web_socket("**/ws", answer)
    hands.page.reload()
    hands.page.wait_for_selector(".table-page")
    answered[0].close()
    hands.page.wait_for_selector(".lost")
    hands.page.keyboard.press("a")
    hands.page.wait_for_selector(".lost b")


def to_alone(hands: Hands) -> None:
    game(hands, "solitaire").click()


def to_report(hands: Hands) -> None:
    """What is kept of a match that was begun a moment ago."""
    hands.begin(title_of(hands, "sets-dice"))
    hands.page.goto(f"http://127.0.0.1:{hands.room.port}/report/1")


def to_over(hands: Hands) -> None:
    rank = [{"place": 1, "name": "Ann", "points": 90, "is_mine": True}, {"place": 2, "name": "Bo", "points": 66, "is_mine": False}]
    over = {"winners": [0], "text": "Ann won", "rank": rank}
    standings = [{"name": "Ann", "won": 1, "points": 90, "rounds": 1}]
    told(hands, {**DOUBTFUL, "page": "over", "over": over, "question": None, "differ": "", "standings": standings})
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
    told(hands, {**DOUBTFUL, **plain, "players": players, "view": [sheet]})
    hands.page.reload()
    hands.page.wait_for_selector(".sheet tbody tr")


def to_phone(hands: Hands) -> None:
    told(hands, {**DOUBTFUL, "zones": None}, is_host=False, player=0)
    to_join(hands)
    hands.page.locator("input").fill("Ann")
    press(hands, "page.phone.join")
    hands.page.wait_for_selector(".phone-page")


def to_join(hands: Hands) -> None:
    hands.page.goto(f"http://127.0.0.1:{hands.room.port}/join/{hands.room.host.seats.code}")
    hands.page.wait_for_selector(".join-page")


QUIET: dict[str, Any] = {**DOUBTFUL, "question": None, "differ": "", "exhibits": [], "round_clock": None, "hints": None}
"""The invented table while nothing is asked."""

VIRTUAL: dict[str, Any] = {**QUIET, "is_camera": False, "camera": None, "zones": None, "is_filmed": False}

EXPLAINED = [
    {"attribute": "number", "values": ["two", "two", "two"], "is_right": True, "words": "number: all the same, two"},
    {"attribute": "shading", "values": ["striped", "striped", "solid"], "is_right": False, "words": "shading: two striped and one solid"},
]


def choice_of(what: str, player: int | None, label: str, needs: list[dict[str, Any]] | None = None) -> dict[str, Any]:
    return {"id": f"{what}:{player}", "event": what, "label": label, "player": player, "needs": needs or [], "fixed": {}, "is_said": True}


def shown(whole: dict[str, Any], there: str) -> Callable[[Hands], None]:
    """The page at the table in an invented state."""

    def go(hands: Hands) -> None:
        told(hands, whole)
        hands.page.reload()
        hands.page.wait_for_selector(there)

    return go


def on_phone(whole: dict[str, Any], there: str = ".phone-page", player: int | None = 0) -> Callable[[Hands], None]:
    """A phone in an invented state."""

    def go(hands: Hands) -> None:
        told(hands, whole, is_host=False, player=player)
        to_join(hands)
        hands.page.locator("input").fill("Ann")
        press(hands, "page.phone.join")
        hands.page.wait_for_selector(there)

    return go


def to_bots(hands: Hands) -> None:
    """A game with bots, a clock and all that may be set."""
    to_setup(hands)
    press(hands, "page.start.add_bot")
    press(hands, "page.start.add_bot")
    hands.page.get_by_label(hands.word("page.round_clock.wanted")).check()
    hands.page.wait_for_selector("#round-minutes")


def to_camera_start(hands: Hands) -> None:
    """The start before a camera, with matches to go on with, films, and advice."""
    match = {
        "id": 7,
        "game": "set",
        "title": "SET with cards",
        "players": ["Ann", "Bo"],
        "scores": [3, 2],
        "is_camera": True,
        "films": 2,
        "at": "2026-11-20 20:15",
    }
    matches = [{**match, "is_finished": False}, {**match, "id": 8, "is_finished": True}]
    hands.page.route("**/matches", lambda route: route.fulfill(json=spoken(matches, hands.language)))
    hands.page.route("**/cameras", lambda route: route.fulfill(json=[{"source": "0", "name": "Integrated Webcam HD (built in)"}]))
    camera = {**DOUBTFUL["camera"], "source": "0", "offer": {"name": "set", "title": "SET with cards"}}
    start = {**EMPTY, "camera": camera, "players": DOUBTFUL["players"]}
    told(hands, {**start, "asking_phone": {"number": 1, "name": "Ann", "address": "192.168.178.23"}})
    hands.page.reload()
    hands.page.wait_for_selector(".is-phone")
    hands.page.wait_for_selector(".looking .primary")
    hands.page.locator(".ended summary").click()


def to_camera_setup(hands: Hands) -> None:
    to_camera_start(hands)
    hands.page.locator(".looking .primary").click()
    hands.page.wait_for_selector(".setup")


def to_phone_qr(hands: Hands) -> None:
    hands.page.route("**/cameras", lambda route: route.fulfill(json=[{"source": "phone", "name": "a phone"}]))
    square = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"/>'
    hands.page.route("**/camera-qr.svg", lambda route: route.fulfill(body=square, content_type="image/svg+xml"))
    told(hands, EMPTY)
    hands.page.reload()
    hands.page.locator(".looking select").select_option("phone")
    hands.page.wait_for_selector(".phone-camera")


def to_set_dice(hands: Hands) -> None:
    """All dice of SET rolled, and the SETs among them laid out."""
    press(hands, "page.dice.title")
    hands.page.locator(".alone select").select_option("set-die")
    press(hands, "page.dice.roll")
    hands.page.wait_for_selector(".spread .piece")
    press(hands, "page.dice.lay_out")
    hands.page.wait_for_selector(".laid-out li")
    hands.page.locator(".laid-out summary").first.click()


def to_plain_wishes(hands: Hands) -> None:
    to_wishes(hands)
    hands.page.get_by_label(hands.word("page.wish.plain")).check()
    hands.page.wait_for_selector(".within")


def to_leave(hands: Hands) -> None:
    shown(QUIET, ".table-page")(hands)
    press(hands, "page.frame.leave")
    hands.page.wait_for_selector("dialog")


def to_refusal(hands: Hands) -> None:
    """Something that the server refused, at a table that tells what may be done."""
    hands.begin(title_of(hands, "set"))
    hands.go_on()
    hands.page.keyboard.press("Shift+U")
    hands.page.wait_for_selector(".refused")


def to_overlay(hands: Hands) -> None:
    hands.begin(title_of(hands, "set"))
    hands.go_on()
    hands.page.goto(f"http://127.0.0.1:{hands.room.port}/overlay?standings=1&language={hands.language}")
    hands.page.wait_for_selector(".scores li")


def to_wait(hands: Hands) -> None:
    on_phone(EMPTY, ".waiting")(hands)


LAST = {
    "n": 1,
    "text": "Ann takes 2 red solid ovals",
    "at_s": 3.0,
    "player": 0,
    "pieces": [OVAL] * 3,
    "explain": EXPLAINED,
    "pictures": [],
    "notice": "",
}
ROUND_OVER = {**VIRTUAL, "notice": "Ann: SET, +1", "is_round_over": True, "log": [LAST]}
NUMBER = {"field": "count", "text": "how many cards", "values": [1, 2, 3], "count": None, "form": "value"}
ASKED = choice_of("ask", 0, "Ann: ask for cards", [NUMBER])
FREE = choice_of("ask", 0, "Ann: ask for cards", [{**NUMBER, "values": []}])
PHONE_WISH = {"number": 1, "name": "", "address": "192.168.178.23"}
DISPUTED = {
    **DOUBTFUL,
    "differ": "",
    "exhibits": DOUBTFUL["exhibits"] * 3,
    "question": {
        "id": "which",
        "text": "Which of them was read wrongly?",
        "options": [{"number": at + 1, "text": OVAL["text"], "piece": OVAL} for at in range(4)],
        "none": "none of them",
    },
}
"""Whoever doubts a take is shown its three crops, and asked for the one."""

HAND = {
    "part": "hand",
    "player": "Ann",
    "number": 0,
    "pieces": [OVAL] * 5,
    "is_numbered": True,
    "after": "",
    "laid": [[OVAL] * 3] * 2,
    "lent": [],
}
SPREAD = {"part": "spread", "title": "12", "columns": 4, "pieces": [OVAL] * 12, "places": list(range(12)), "room": 12}
TAKE = choice_of("take", 0, "Ann: take", [{"field": "places", "text": "", "values": list(range(12)), "count": 3, "form": "list"}])
CALL, AGREE = choice_of("call", 0, "Ann: SET"), choice_of("agree", 0, "Ann: no SET")


def to_value(hands: Hands) -> None:
    shown({**VIRTUAL, "choices": [ASKED], "view": [HAND]}, ".table-page")(hands)
    hands.page.locator("[data-choice]").first.click()
    hands.page.wait_for_selector(".filling")


def to_free_value(hands: Hands) -> None:
    shown({**VIRTUAL, "choices": [FREE], "view": [HAND]}, ".table-page")(hands)
    hands.page.locator("[data-choice]").first.click()
    hands.page.wait_for_selector(".filling input")


def to_show(which: str) -> Callable[[Hands], None]:
    """Before a camera: the picture alone, or the cards alone."""

    def go(hands: Hands) -> None:
        shown({**QUIET, "view": [SPREAD]}, ".table-page")(hands)
        hands.page.get_by_label(hands.word("page.tools.show")).select_option(which)

    return go


VIEWS: dict[str, Callable[[Hands], None]] = {
    "start": to_start,
    "setup": to_setup,
    "puzzle": to_puzzle,
    "dice": to_dice,
    "print": to_print,
    "wishes": to_wishes,
    "phones": to_phones,
    "explained": to_explained,
    "wild": to_wild,
    "doubt": to_doubt,
    "difference": to_difference,
    "differing_sheet": to_differing_sheet,
    "dispute": shown(DISPUTED, ".is-question"),
    "lost": to_lost,
    "setup_alone": to_alone,
    "report": to_report,
    "over": to_over,
    "long_sheet": to_long_sheet,
    "join": to_join,
    "phone": to_phone,
    "bots": to_bots,
    "camera_start": to_camera_start,
    "camera_setup": to_camera_setup,
    "phone_qr": to_phone_qr,
    "set_dice": to_set_dice,
    "plain_wishes": to_plain_wishes,
    "leave": to_leave,
    "refusal": to_refusal,
    "overlay": to_overlay,
    "value": to_value,
    "free_value": to_free_value,
    "picture": to_show("picture"),
    "drawn": to_show("drawn"),
    "round_over": shown(ROUND_OVER, ".is-round-over"),
    "phone_asks": shown({**QUIET, "asking_phone": PHONE_WISH}, ".is-phone"),
    "over_disputed": shown({**DISPUTED, "page": "over"}, ".is-question"),
    "over_asks": shown({**QUIET, "page": "over", "asking_phone": PHONE_WISH}, ".is-phone"),
    "wait": to_wait,
    "watching": on_phone({**VIRTUAL, "view": [SPREAD]}, player=None),
    "buzzer": on_phone({**VIRTUAL, "choices": [CALL, AGREE], "view": [SPREAD]}, ".buzzer"),
    "taking": on_phone({**VIRTUAL, "choices": [TAKE], "view": [SPREAD]}),
    "phone_hand": on_phone({**VIRTUAL, "choices": [ASKED], "view": [SPREAD, HAND]}),
    "phone_dispute": on_phone(DISPUTED, ".is-question"),
    "phone_round_over": on_phone(ROUND_OVER, ".is-round-over"),
    **{name: to_table(name) for name in sorted(GAMES)},
}
