"""Each browser at a table has its own language: chosen on the page and kept, else the table's, else the one that the browser asks for."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.web.hands import Hands, without_chromium
from tests.web.room import Room, room
from visionset.messages import loaded_catalogue, speak
from visionset.web.security import language_wanted

GERMAN = {"Cookie": "visionset_language=de"}


@pytest.fixture
def here(tmp_path: Path) -> Iterator[Room]:
    with room(tmp_path) as opened:
        yield opened


@pytest.fixture
def spoken_in_german() -> Iterator[None]:
    speak(loaded_catalogue("de"))
    yield
    speak(None)


@pytest.mark.parametrize(
    ("cookie", "asked", "language"),
    [
        (b"", b"", "en"),
        (b"", b"fr-FR, de-CH;q=0.9, en;q=0.8", "de"),
        (b"visionset_language=en", b"de", "en"),
        (b"a=b; visionset_language=de", b"en", "de"),
        (b"visionset_language=../etc", b"de", "de"),
        (b"visionset_language=xx", b"xx, *;q=0.1", "en"),
    ],
)
def test_a_browser_is_spoken_to_as_chosen_there_else_as_it_asks(cookie: bytes, asked: bytes, language: str) -> None:
    assert language_wanted({b"cookie": cookie, b"accept-language": asked}) == language


def test_a_language_in_the_address_goes_before_all_others() -> None:
    headers = {b"cookie": b"visionset_language=en", b"accept-language": b"en"}
    assert [language_wanted(headers, query) for query in (b"language=de", b"standings=1&language=de", b"language=xx", b"")] == [
        "de",
        "de",
        "en",
        "en",
    ]


def test_what_is_shown_on_the_wall_speaks_the_language_of_its_browser(tmp_path: Path) -> None:
    with room(tmp_path) as here:
        assert b'<html lang="de">' in here.get("/overlay?standings=1", cookie="visionset_language=de").body
        assert b'<html lang="en">' in here.get("/overlay?standings=1").body


@pytest.mark.usefixtures("spoken_in_german")
def test_the_language_of_the_table_goes_before_what_a_browser_asks_for() -> None:
    assert language_wanted({b"accept-language": b"en"}) == "de"
    assert language_wanted({b"cookie": b"visionset_language=en"}) == "en"


def test_pages_at_one_table_are_each_told_in_their_own_language(here: Room) -> None:
    with here.page(GERMAN) as german, here.page(code=here.host.seats.code, name="Ann") as english:
        assert (german.welcome["language"], english.welcome["language"]) == ("de", "en")
        german.send("begin", game="set", players=[{"name": "Ann"}, {"name": "Bo"}])
        while german.state["page"] != "table":
            german.read()
        while not any(one["event"] == "call" for one in german.state["choices"]):
            here.go_on(german, english)
        pairs = list(zip(german.state["choices"], english.state["choices"], strict=True))
        assert [one["id"] for one, _ in pairs] == [other["id"] for _, other in pairs]
        assert all(one["label"] != other["label"] for one, other in pairs if one["event"] != "call")
        assert german.state["prompts"][0]["text"].startswith("sagt SET")
        assert english.state["prompts"][0]["text"].startswith("say SET")
        assert german.state["view"][0]["pieces"][0]["text"] != english.state["view"][0]["pieces"][0]["text"]
        german.send("say", what="hint")
        while german.state["hints"] is None:
            german.read()
        english.send("say", what="table")
        assert english.until("refused")["text"] == "no camera is open; begin a match with one"
        german.send("say", what="table")
        assert "Kamera" in german.until("refused")["text"]


def test_what_is_fetched_is_in_the_language_of_who_fetches_it(here: Room) -> None:
    assert [game["title"] for game in here.get("/games", **GERMAN).json()] != [game["title"] for game in here.get("/games").json()]
    assert '<html lang="de" data-languages="en de">' in here.get("/", Accept_Language="de-AT").body.decode()
    assert '<html lang="en"' in here.get("/").body.decode()
    assert here.get("/puzzle?date=x", **GERMAN).json()["text"] != here.get("/puzzle?date=x").json()["text"]


@without_chromium
def test_a_language_is_chosen_on_the_page_by_each_for_itself_and_kept(browser: Browser, here: Room) -> None:
    table = Hands(browser, here)
    phone = Hands(browser, here, f"/join/{here.host.seats.code}", viewport={"width": 360, "height": 740})
    table.page.get_by_label("Language").select_option("de")
    expect(table.page.locator("html")).to_have_attribute("lang", "de")
    expect(table.page.get_by_role("heading", level=1)).to_have_text("Was spielen wir?")
    expect(phone.page.get_by_role("heading", level=1)).to_have_text("Welcome to the table")
    phone.page.locator("input").fill("Ann")
    phone.page.get_by_role("button", name="Sit down").click()
    table.page.locator(".games button").first.click()
    table.page.locator(".begin").click()
    table.page.wait_for_selector(".table-page")
    expect(phone.page.locator("html")).to_have_attribute("lang", "en")
    phone.page.wait_for_selector(".phone-page")
    phone.page.get_by_role("button", name="View").click()
    expect(phone.page.get_by_label("Language")).to_have_value("en")
    phone.page.get_by_label("Language").select_option("de")
    expect(phone.page.get_by_role("dialog", name="Ansicht")).to_be_visible()
    expect(phone.page.get_by_label("Sprache")).to_be_focused()
    phone.page.get_by_role("button", name="Zurück zu dieser Seite").click()
    phone.page.reload()
    expect(phone.page.get_by_role("button", name="Ansicht")).to_be_visible()
    expect(phone.page.get_by_role("dialog")).to_have_count(0)
    expect(phone.page.locator(".me .name")).to_have_text("Ann")
    table.page.reload()
    expect(table.page.get_by_role("button", name="Ansicht")).to_be_visible()
    assert table.trouble == phone.trouble == []


@pytest.mark.slow
@without_chromium
def test_the_day_of_a_puzzle_is_written_as_its_readers_write_it(browser: Browser, here: Room) -> None:
    hands = Hands(browser, here, language="de")
    hands.page.route("**/puzzle", lambda route: route.fulfill(json={"date": "2026-03-05", "sets": 1, "cards": []}))
    hands.page.get_by_role("button", name="Rätsel des Tages").click()
    expect(hands.page.locator(".alone h2")).to_have_text("Rätsel des Tages, 5. März 2026")
    hands.context.close()
