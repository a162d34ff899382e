"""Somebody who plays at the page by keys alone, and always sees where they are."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Browser, Locator, expect

from tests.web.hands import Hands
from tests.web.room import Room

MOST_KEYS = 200
"""To any button of a page."""

NEXT = """wanted => {
    const here = document.activeElement;
    if (here === wanted) return "";
    const field = one => one.dataset?.stop === undefined ? null : one.closest("[role=group]");
    if (field(here) !== null && field(here) === field(wanted)) {
        const [from, to] = [here.getBoundingClientRect(), wanted.getBoundingClientRect()];
        if (to.top > from.top + from.height / 2) return "ArrowDown";
        if (to.top < from.top - from.height / 2) return "ArrowUp";
        return to.left > from.left ? "ArrowRight" : "ArrowLeft";
    }
    return here.compareDocumentPosition(wanted) & Node.DOCUMENT_POSITION_FOLLOWING ? "Tab" : "Shift+Tab";
}"""
"""The key that leads nearer to a button, or none where it has the focus."""

SEEN = """() => {
    const style = getComputedStyle(document.activeElement);
    return document.activeElement.matches(":focus-visible") && parseFloat(style.outlineWidth) >= 3 && style.outlineStyle !== "none";
}"""
"""Whether people see what has the focus."""


class Keys(Hands):
    """One browser's page, without a mouse."""

    def __init__(self, browser: Browser, room: Room, path: str = "/", **options: Any) -> None:
        super().__init__(browser, room, path, **options)
        self.count = 0
        self.lost: list[str] = []

    def press(self, what: Locator) -> None:
        """Go to a button by Tab and arrows, and press Enter there."""
        expect(what).to_be_enabled()  # "Give up" waits for a second
        wanted = what.element_handle()
        if self.count and self.page.evaluate("() => document.activeElement === document.body"):
            self.lost.append(str(what))
        for _ in range(MOST_KEYS):
            key = self.page.evaluate(NEXT, wanted)
            if not key:
                break
            self.type(key)
        else:
            raise AssertionError(f"no way to {what}")
        self.type("Shift")  # without a key between two presses the second one is a double click
        assert self.page.evaluate(SEEN), f"nobody sees the focus on {what}"
        self.type("Enter")

    def type(self, key: str) -> None:
        """Press one key."""
        self.page.keyboard.press(key)
        self.count += 1
