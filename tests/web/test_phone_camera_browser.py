"""A phone whose camera sees a rendered table, in a browser: the table reads the cards, says when the phone is gone, and goes on."""

from __future__ import annotations

from pathlib import Path
from queue import Queue
from typing import Any, Literal

import cv2
import numpy as np
import pytest
from playwright.sync_api import Browser, BrowserContext, Route, expect

from tests.web.hands import Hands, chromium, without_chromium
from tests.web.looks import faults
from tests.web.room import PATIENCE_S
from tests.web.test_phone_camera import SAMPLES, phone_room
from visionset.web.phone_camera import PhoneCamera

LONG_MS = 60_000
FRAMES = 3
"""Of the clip, which begins again: a table at which nothing moves."""

FAKE = ("--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream")

pytestmark = [pytest.mark.slow, without_chromium]


def film(path: Path) -> Path:
    """The sample picture of twelve cards, as a clip that a browser takes for a camera."""
    picture = cv2.imread(str(SAMPLES / "table-12.jpg"))
    assert picture is not None
    _, frame = cv2.imencode(".jpg", cv2.resize(picture, (1280, 720), interpolation=cv2.INTER_AREA), (cv2.IMWRITE_JPEG_QUALITY, 95))
    path.write_bytes(FRAMES * frame.tobytes())
    return path


def swallow(route: Route) -> None:
    """Leave what is asked for without an answer, as a dead line does."""


def test_a_phone_tells_that_its_line_is_dead_and_goes_on_when_it_is_back(tmp_path: Path) -> None:
    with phone_room(tmp_path) as (here, sender), chromium(*FAKE) as browser:
        table = Hands(browser, here)
        table.page.locator(".looking select").select_option("phone")
        page = phone(browser, f"https://127.0.0.1:{sender.port}/camera/{here.host.seats.code}", table).pages[0]
        page.route("**/frame", swallow)
        expect(page.locator("#told")).to_contain_text("The line to the table is lost", timeout=LONG_MS)
        page.unroute("**/frame")
        expect(page.locator("#told")).to_contain_text("The table sees this", timeout=LONG_MS)


def test_a_picture_that_is_upside_down_is_turned_and_stays_so_when_the_page_is_opened_anew(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    clip = film(tmp_path / "table.mjpeg")
    picture = cv2.imread(str(SAMPLES / "table-12.jpg"), cv2.IMREAD_REDUCED_GRAYSCALE_8)
    assert picture is not None
    upright = picture
    sent: Queue[bytes] = Queue()

    def put(_: PhoneCamera, jpeg: bytes) -> bool:
        if jpeg:
            sent.put(jpeg)
        return True

    monkeypatch.setattr(PhoneCamera, "put", put)

    def is_turned() -> bool:
        """Whether the newest picture is upside down."""
        sent.get(timeout=PATIENCE_S)  # was on its way already
        jpeg = cv2.imdecode(np.frombuffer(sent.get(timeout=PATIENCE_S), np.uint8), cv2.IMREAD_GRAYSCALE)
        assert jpeg is not None
        small = cv2.resize(jpeg, upright.shape[::-1], interpolation=cv2.INTER_AREA)
        as_it_is, turned = (float(cv2.absdiff(one, upright).mean()) for one in (small, cv2.rotate(small, cv2.ROTATE_180)))
        return turned < as_it_is

    def forget() -> None:
        with sent.mutex:
            sent.queue.clear()

    with phone_room(tmp_path / "data") as (here, sender), chromium(*FAKE, f"--use-file-for-fake-video-capture={clip}") as browser:
        table = Hands(browser, here)
        table.page.locator(".looking select").select_option("phone")
        page = phone(browser, f"https://127.0.0.1:{sender.port}/camera/{here.host.seats.code}", table).pages[0]
        button = page.get_by_role("button", name="Turn the picture")
        assert not is_turned()
        button.click()
        forget()
        assert is_turned()
        assert faults(page) == []
        page.reload()
        forget()
        assert is_turned()
        button.click()
        forget()
        assert not is_turned()


def phone(browser: Browser, address: str, table: Hands | None = None) -> BrowserContext:
    """A phone at the address; whoever is at the table allows it where it is new."""
    context = browser.new_context(
        viewport={"width": 360, "height": 740}, has_touch=True, ignore_https_errors=True, permissions=["camera"], locale="en-GB"
    )
    page = context.new_page()
    page.goto(address)
    if table is not None:
        expect(page.locator("#told")).to_contain_text("No picture is sent before", timeout=LONG_MS)
        table.page.get_by_role("button", name="Allow", exact=True).click()
    expect(page.locator("#told")).to_contain_text("The table sees this", timeout=LONG_MS)
    return context


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_what_a_phone_shows_on_the_way_is_without_fault(scheme: Literal["light", "dark"], tmp_path: Path) -> None:
    looks: dict[str, Any] = {"viewport": {"width": 360, "height": 740}, "color_scheme": scheme, "bypass_csp": True}
    with phone_room(tmp_path) as (here, sender), chromium(*FAKE) as browser:
        table = Hands(browser, here, **looks)
        table.page.locator(".looking select").select_option("phone")
        table.page.locator(".phone-camera img").wait_for()
        assert faults(table.page) == []
        camera = browser.new_context(ignore_https_errors=True, **looks).new_page()
        camera.goto(f"https://127.0.0.1:{sender.port}/camera/{here.host.seats.code}")
        expect(camera.locator("#told")).to_contain_text("The table is asked")
        assert faults(camera) == []
        expect(table.page.get_by_role("alert").filter(has_text="A phone wants to be the camera")).to_be_visible()
        assert faults(table.page) == []
        table.page.get_by_role("button", name="Refuse", exact=True).click()
        expect(camera.locator("#told")).to_contain_text("does not want this phone")
        expect(table.page.locator(".is-phone")).to_have_count(0)
        assert not camera.evaluate("document.getElementById('film').srcObject.active")
        assert faults(camera) == []
        camera.get_by_role("button", name="Try again").click()
        expect(table.page.get_by_role("alert").filter(has_text="A phone wants to be the camera")).to_be_visible()


def test_a_phone_is_the_camera_of_the_table(tmp_path: Path) -> None:
    with (
        phone_room(tmp_path / "data") as (here, sender),
        chromium(*FAKE, f"--use-file-for-fake-video-capture={film(tmp_path / 'table.mjpeg')}") as browser,
    ):
        table = Hands(browser, here)
        table.page.locator(".looking select").select_option("phone")
        squares = table.page.get_by_alt_text("QR code with the link that makes a phone the camera")
        expect(squares).to_be_visible()
        way = table.page.get_by_text("Make a phone the camera")
        address = f"https://127.0.0.1:{sender.port}/camera/{here.host.seats.code}"
        first = phone(browser, address, table)
        expect(table.page.get_by_role("button", name="This looks like SET with cards: play it")).to_be_visible(timeout=LONG_MS)
        expect(table.page.locator(".picture .seen:not(.is-unread)")).to_have_count(12, timeout=LONG_MS)
        expect(squares).to_have_count(0)
        first.close()
        gone = table.page.locator(".remark", has_text="the phone has sent no picture for")
        expect(gone).to_be_visible(timeout=LONG_MS)
        expect(squares).to_be_visible()
        second = phone(browser, address, table)
        expect(gone).to_have_count(0, timeout=LONG_MS)
        expect(squares).to_have_count(0)
        table.page.get_by_role("button", name="This looks like SET with cards: play it").click()
        table.page.get_by_role("button", name="Begin", exact=True).click()
        table.page.wait_for_selector(".table-page .picture")
        expect(table.page.locator(".picture .seen:not(.is-unread)")).to_have_count(12, timeout=LONG_MS)
        expect(way).to_have_count(0)
        second.close()
        way.click(timeout=LONG_MS)
        expect(squares).to_be_visible()
        assert faults(table.page) == []
        phone(browser, f"https://127.0.0.1:{sender.port}/camera/{here.host.seats.code}", table)
        expect(way).to_have_count(0, timeout=LONG_MS)
        assert table.trouble == []


def test_a_phone_on_its_side_shows_what_it_sees_as_high_as_it_is(tmp_path: Path) -> None:
    with phone_room(tmp_path) as (here, sender), chromium(*FAKE) as browser:
        Hands(browser, here).page.locator(".looking select").select_option("phone")
        page = browser.new_context(ignore_https_errors=True, viewport={"width": 667, "height": 331}).new_page()
        page.goto(f"https://127.0.0.1:{sender.port}/camera/{here.host.seats.code}")
        expect(page.locator("#told")).to_contain_text("The table is asked")
        seen, told, half = (page.locator(one).bounding_box() for one in ("#film", "#told", "#half"))
        assert seen is not None
        assert told is not None
        assert half is not None
        assert seen["height"] > 0.9 * 331
        assert seen["x"] + seen["width"] <= told["x"]
        assert told["y"] + told["height"] <= half["y"]
        assert half["y"] + half["height"] <= 331
