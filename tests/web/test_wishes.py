"""What somebody wants of the page holds in their browser, and is kept there."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.web.hands import Hands, without_chromium
from tests.web.looked_views import QUIET, heard_by, told
from tests.web.room import room


@pytest.mark.slow
@without_chromium
def test_letters_and_patterns_for_colours_are_two_wishes_and_both_hold_at_first(browser: Browser, tmp_path: Path) -> None:
    with room(tmp_path) as here:
        hands, page = (opened := Hands(browser, here)), opened.page
        drawn = page.locator(".faces-of img").first

        def wish(name: str, is_on: bool) -> None:
            page.get_by_role("button", name="View").click()
            page.get_by_label(name).set_checked(is_on)
            page.get_by_role("button", name="Back to this page").click()

        def has(plain: str) -> None:
            expect(drawn).to_have_attribute("src", f"/piece/2-red-striped-oval.svg?kind=set-card{plain}")

        has("")
        wish("Tell colours by more than colour", True)
        has("&plain=letters-patterns&language=en")
        wish("Letters for colours", False)
        has("&plain=patterns&language=en")
        wish("Patterns for colours", False)
        wish("Letters for colours", True)
        has("&plain=letters&language=en")
        page.reload()
        has("&plain=letters&language=en")
        other = Hands(browser, here).page.locator(".faces-of img").first
        expect(other).to_have_attribute("src", "/piece/2-red-striped-oval.svg?kind=set-card")
        assert hands.trouble == []


@pytest.mark.slow
@without_chromium
def test_letters_and_digits_do_nothing_where_they_are_not_wished(browser: Browser, tmp_path: Path) -> None:
    """Who dictates to the device, or rests a hand on its keyboard, presses letters that are meant for nobody."""
    with room(tmp_path) as here:
        hands = Hands(browser, here)
        page, undo = hands.page, hands.page.get_by_role("button", name="Undo")
        said = told(hands, {**QUIET, "players": [{**QUIET["players"][1], "name": "Ann", "key": "a"}]})
        page.reload()
        page.get_by_role("button", name="View").click()
        page.get_by_label("Letters and digits of the keyboard do something").uncheck()
        page.get_by_role("button", name="Back to this page").click()
        expect(undo).not_to_have_attribute("aria-keyshortcuts", "Shift+U")
        expect(page.locator("kbd:visible")).to_have_count(0)
        for key in ("a", "Shift+U", "Shift+N", "1"):
            page.keyboard.press(key)
        undo.click()
        assert [one["what"] for one in heard_by(hands, said, "say")] == ["undo"]
        page.reload()
        expect(page.locator("kbd:visible")).to_have_count(0)
        page.get_by_role("button", name="View").click()
        page.get_by_label("Letters and digits of the keyboard do something").check()
        page.get_by_role("button", name="Back to this page").click()
        expect(undo).to_have_attribute("aria-keyshortcuts", "Shift+U")
        said.clear()
        page.keyboard.press("a")
        assert [one["what"] for one in heard_by(hands, said, "say")] == ["set"]
