"""What tests of the page share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from tests.web.hands import chromium


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """One for all: each test has contexts of its own in it, and to start a browser takes longer than most tests."""
    with chromium() as opened:
        yield opened


@pytest.fixture(autouse=True)
def _no_page_stays_open(request: pytest.FixtureRequest) -> Iterator[None]:
    """A page that was left would look for its server all along."""
    yield
    if "browser" in request.fixturenames:
        opened: Browser = request.getfixturevalue("browser")
        for context in opened.contexts:
            context.close()
