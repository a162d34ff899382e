"""Zones for the pack and the rubbish heap of SET: put down, moved and taken away by clicks and keys."""

from __future__ import annotations

import re
import time
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.referee.scripted import Frames
from tests.web.hands import Hands, without_chromium
from tests.web.room import room
from visionset.referee.zones import HEAP_ZONE, PACK_ZONE, Zone, Zones
from visionset.session.refereed import referee_of, zones_path
from visionset.web.cameras import Cameras

pytestmark = [pytest.mark.slow, without_chromium]


def begin(hands: Hands) -> None:
    """Begin solitaire before the camera."""
    hands.page.get_by_role("button", name="SET solitaire").click()
    hands.page.get_by_label("On the table before clip").check()
    hands.page.get_by_role("button", name="Begin", exact=True).click()


def test_a_zone_is_put_down_moved_and_taken_away(browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VISIONSET_CONFIG", str(tmp_path))
    cameras = Cameras("clip", lambda source, game: Frames(12))
    with room(tmp_path, time.monotonic, cameras=cameras) as here:
        hands = Hands(browser, here)
        begin(hands)
        zones = hands.page.locator(".zone")
        put = hands.page.get_by_role("button", name="Zone for the pack")
        expect(put).to_be_visible(timeout=30_000)  # the camera opens first
        expect(zones).to_have_count(0)
        put.click()
        expect(zones).to_have_count(1)
        box = hands.state["zones"][0]["box"]
        zones.press("ArrowRight")
        expect(hands.page.locator(".zone rect")).to_have_attribute("x", re.compile("38"))
        assert hands.state["zones"][0]["box"] == pytest.approx([box[0] + 0.01, box[1], box[2] + 0.01, box[3]])
        hands.page.get_by_role("button", name="Zone for the rubbish heap").click()
        expect(zones).to_have_count(2)
        hands.page.get_by_role("button", name="No zone for the pack").click()
        expect(zones).to_have_count(1)
        assert [one["box"] is None for one in hands.state["zones"]] == [True, False]
        assert hands.trouble == []


def test_a_zone_that_reaches_out_of_the_picture_holds_no_other(browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VISIONSET_CONFIG", str(tmp_path))
    Zones((Zone(PACK_ZONE, -0.1, 0.5, 0.2, 0.8), Zone(HEAP_ZONE, 0.5, 0.5, 0.7, 0.7))).save(zones_path(referee_of("set")))
    cameras = Cameras("clip", lambda source, game: Frames(12))
    with room(tmp_path, time.monotonic, cameras=cameras) as here:
        hands = Hands(browser, here)
        begin(hands)
        places = hands.page.locator(".zone rect")
        hands.page.locator(".zone").nth(1).press("ArrowRight")
        expect(places.nth(1)).to_have_attribute("x", "652.8")
        hands.page.locator(".zone").nth(0).press("Shift+ArrowDown")
        expect(places.nth(0)).to_have_attribute("x", "0")
        assert [one["box"] for one in hands.state["zones"]] == [pytest.approx([0, 0.5, 0.2, 0.81]), pytest.approx([0.51, 0.5, 0.71, 0.7])]
        assert hands.trouble == []


NAME_SPOT = """async ([box, pieces]) => {
    const { nameSpot } = await import("/static/zones.js");
    const { x, y, "text-anchor": anchor } = nameSpot(box, "heap", 20, pieces);
    return [Math.round(x), Math.round(y), anchor];
}"""


def test_the_name_of_a_zone_lies_over_no_piece_where_a_corner_is_free(
    browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VISIONSET_CONFIG", str(tmp_path))
    zone, upper, lower_left = [100, 100, 400, 300], [0, 90, 500, 200], [90, 250, 200, 310]
    with room(tmp_path, time.monotonic) as here:
        hands = Hands(browser, here)
        spots = [hands.page.evaluate(NAME_SPOT, [zone, pieces]) for pieces in ([], [upper], [upper, lower_left], [zone])]
    # at the right it ends there, however wide its letters are: the last one was cut off by the edge of the picture
    assert spots == [[104, 124, "start"], [104, 292, "start"], [396, 292, "end"], [104, 124, "start"]]
