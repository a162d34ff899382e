"""Every view of the page is open to everybody: axe finds no fault, text is large enough, nothing is hidden, cut or too wide."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib.resources import files
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser

from tests.web.hands import Hands, chromium, without_chromium
from tests.web.looked_views import QUIET, VIEWS, shown, to_long_sheet
from tests.web.looks import faults
from tests.web.room import Room, room

pytestmark = without_chromium

SIZES = {
    "phone": (360, 740),
    "tablet": (768, 1024),
    "laptop": (1366, 768),
    "screen": (1920, 1080),
    "wall": (3840, 2160),
    "portrait": (1080, 1920),
}
DRAWN = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(done))))"
"""Until what follows the size of the window has followed it, and is drawn."""

AXED = {("phone", "light"), ("laptop", "light"), ("laptop", "dark"), ("phone", "dark")}
"""Where axe looks too: what it finds follows from colours, and from the two ways in which the page is laid out."""


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Room]:
    monkeypatch.setattr("visionset.store.match.Match.seed", 4)
    with room(tmp_path) as opened:
        yield opened


def looked_at(browser: Browser, server: Room, view: str, size: str, theme: str, wishes: dict[str, Any] | None = None) -> list[str]:
    """Faults of a view on a screen, for somebody with wishes."""
    width, height = SIZES[size]
    hands = Hands(browser, server, viewport={"width": width, "height": height}, color_scheme=theme)
    try:
        if wishes:
            hands.page.evaluate("wishes => localStorage.setItem('visionset.wishes', JSON.stringify(wishes))", wishes)
            hands.page.reload()
        VIEWS[view](hands)
        hands.page.wait_for_function("() => [...document.images].every(one => one.complete)")
        hands.page.evaluate(DRAWN)
        return faults(hands.page) + hands.trouble
    finally:
        hands.context.close()


def test_no_letters_are_smaller_than_those_of_the_page() -> None:
    """The views that show all of them are looked at with the slow proofs alone."""
    style = files("visionset.web").joinpath("static", "page.css").read_text(encoding="utf-8")
    sizes = [float(one) for one in re.findall(r"font-size: (?:max\()?([\d.]+)rem", style)]
    assert min(sizes) >= 1


@pytest.mark.parametrize(
    ("view", "size", "theme"),
    [
        ("doubt", "laptop", "dark"),
        ("differing_sheet", "laptop", "light"),
        pytest.param("phone", "phone", "light", marks=pytest.mark.slow),
    ],
)
def test_views_have_no_fault(browser: Browser, server: Room, view: str, size: str, theme: str) -> None:
    assert looked_at(browser, server, view, size, theme) == []


@pytest.mark.slow
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
@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("view", VIEWS)
def test_every_view_has_no_fault(browser: Browser, server: Room, view: str, language: str) -> None:
    """On every screen, in dark and light, in every language."""
    hands = Hands(browser, server, language=language)
    VIEWS[view](hands)
    found = []
    for theme, (size, (width, height)) in product(("light", "dark"), SIZES.items()):
        if theme == "dark" and (size, theme) not in AXED:
            continue  # a theme moves nothing
        hands.page.set_viewport_size({"width": width, "height": height})
        hands.page.emulate_media(color_scheme=theme)  # type: ignore[arg-type]
        hands.page.evaluate(DRAWN)
        found += [f"{size} {theme}: {one}" for one in faults(hands.page, axe=(size, theme) in AXED)]
    assert found + hands.trouble == []
    hands.context.close()


@pytest.mark.slow
@pytest.mark.parametrize("wishes", [{"size": 200}, {"plain": True}], ids=str)
@pytest.mark.parametrize("size", ["phone", "laptop"])
@pytest.mark.parametrize("view", ["start", "setup", "set", "doubt", "cubed", "phone"])
def test_views_keep_without_fault_what_people_wish(browser: Browser, server: Room, view: str, size: str, wishes: dict[str, Any]) -> None:
    assert looked_at(browser, server, view, size, "light", wishes) == []


@pytest.mark.slow
def test_letters_are_as_large_as_a_browser_is_told_for_all_pages(server: Room) -> None:
    """Else rows broke as for large letters, and letters were small."""
    with chromium("--blink-settings=defaultFontSize=32") as told:
        assert looked_at(told, server, "set", "laptop", "light") == []
        hands = Hands(told, server)
        hands.page.wait_for_selector(".line")
        assert hands.page.evaluate("[getComputedStyle(document.body).fontSize, document.documentElement.dataset.large]") == ["32px", "true"]


def test_whose_turn_it_is_and_who_has_called_are_told_in_the_colours_of_a_system(browser: Browser, server: Room) -> None:
    """Which paint no ground, and borders that are to be unseen too: all had the mark of a turn."""
    hands = Hands(browser, server, forced_colors="active")
    players = [{**QUIET["players"][1], "name": name, "is_due": due, "has_called": due} for name, due in (("Ann", True), ("Bo", False))]
    shown({**QUIET, "players": players}, ".player")(hands)
    looks = "all => all.map(one => { const looks = getComputedStyle(one); return [looks.borderLeftColor, looks.outlineStyle]; })"
    assert hands.page.locator(".player").evaluate_all(looks) == [["rgb(0, 0, 0)", "solid"], ["rgb(255, 255, 255)", "none"]]
    hands.context.close()
