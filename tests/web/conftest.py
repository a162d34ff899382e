"""What tests of the page share."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.web.hands import Hands, chromium
from tests.web.room import Room, room


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """One for all: each test has contexts of its own in it, and to start a browser takes longer than most tests."""
    with chromium() as opened:
        yield opened


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Room]:
    """A server of its own; modules whose deals have to be known make another."""
    with room(tmp_path) as opened:
        yield opened


@pytest.fixture
def hands(browser: Browser, server: Room) -> Iterator[Hands]:
    """Somebody at a page of that server, which has no trouble until it is left."""
    opened = Hands(browser, server)
    yield opened
    opened.context.close()
    assert opened.trouble == []


@pytest.fixture(autouse=True)
def _no_page_stays_open(request: pytest.FixtureRequest) -> Iterator[None]:
    """A page that was left would look for its server all along."""
    yield
    if "browser" in request.fixturenames:
        opened: Browser = request.getfixturevalue("browser")
        for context in opened.contexts:
            context.close()
