"""The report of a match where the page's server shows it, and what films show in front of a table."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from tests.report.reader import Report
from tests.report.test_matches import played
from tests.web.hands import without_chromium
from tests.web.room import room
from tests.web.test_play import begin, play_out
from visionset.cli import main
from visionset.report import page_policy
from visionset.store import Album, Store

AXE = (Path(__file__).parent / "vendor" / "axe.min.js").read_text(encoding="utf-8")
SIZES = ((360, 740), (1366, 768), (3840, 2160))
SMALL = """() => {
  const small = [], texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const one = texts.currentNode.parentElement;
    if (texts.currentNode.textContent.trim() && !one.closest("title, style, .drawings") && one.checkVisibility()
        && parseFloat(getComputedStyle(one).fontSize) < 16) small.push(texts.currentNode.textContent);
  }
  return small;
}"""
FAULTS = "async () => (await axe.run()).violations.map((one) => `${one.id}: ${one.nodes[0].html}`)"


def kept(folder: Path, game: str) -> int:
    """A match of simple players in the store; gives its number."""
    with Store(folder / "matches.sqlite3", lambda: 0.0) as store:
        return store.import_lines(map(str, played(game, 1).entries)).id


def test_what_is_shown_is_what_the_command_writes(tmp_path: Path) -> None:
    match = kept(tmp_path, "set")
    with room(tmp_path) as here:
        answer = here.get(f"/report/{match}")
        assert answer.status == 200
        assert answer.headers["content-security-policy"] == page_policy()
        assert answer.headers["x-content-type-options"] == "nosniff"
        for wrong in ("99", "-1", "x", "9" * 40):
            assert here.get(f"/report/{wrong}").status == 404
    page = tmp_path / "page.html"
    assert main(["report", "--match", str(match), "--data", str(tmp_path), "--out", str(page)]) == 0
    assert page.read_bytes() == answer.body


@pytest.mark.slow
def test_a_report_is_drawn_for_people_who_do_not_tell_the_colours_apart(tmp_path: Path) -> None:
    match = kept(tmp_path, "set")
    with room(tmp_path) as here:
        bodies = [
            here.get(f"/report/{match}?plain={plain}").body for plain in ("0", "inks", "letters", "patterns", "letters-patterns", "1")
        ]
    assert len(set(bodies)) == 5
    assert bodies[-1] == bodies[-2]


def test_what_a_camera_saw_of_a_take_is_in_its_report(tmp_path: Path) -> None:
    match = kept(tmp_path, "scramble")
    with room(tmp_path) as here:
        plain = Report(here.get(f"/report/{match}").body.decode())
        album = Album(tmp_path / "matches.sqlite3", match)
        album.keep(1, [b"one", b"two", b"three"])
        album.keep(2, [b"four"])
        album.keep(2, [b"five"])
        assert album.read() == {1: (b"one", b"two", b"three"), 2: (b"five",)}
        shown = Report(here.get(f"/report/{match}").body.decode())
        shown.check()
        assert (plain.images("moves"), shown.images("moves")) == (0, 4)
        album.cut(2)
        assert album.read() == {1: (b"one", b"two", b"three")}
    assert main(["matches", "delete", str(match), "--yes", "--data", str(tmp_path)]) == 0
    assert not album.folder.exists()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context()
    opened, trouble = context.new_page(), []
    opened.on("pageerror", lambda error: trouble.append(str(error)))
    opened.on("console", lambda said: trouble.append(said.text) if said.type == "error" else None)
    yield opened
    context.close()
    assert trouble == []  # what a policy forbids is told there


@without_chromium
@pytest.mark.parametrize("game", ["solitaire", *(pytest.param(game, marks=pytest.mark.slow) for game in ("cubed", "sets-dice"))])
def test_a_report_is_open_to_everybody_on_every_screen(game: str, tmp_path: Path, page: Page) -> None:
    match = kept(tmp_path, game)
    with room(tmp_path) as here:
        page.goto(f"http://127.0.0.1:{here.port}/report/{match}")
        assert page.locator("main").evaluate("one => getComputedStyle(one).maxWidth") != "none"  # its style passes its policy
    page.evaluate(AXE)
    for theme in ("light", "dark"):
        page.emulate_media(color_scheme=theme)  # type: ignore[arg-type]
        assert page.evaluate(FAULTS) == []
        for width, height in SIZES:
            page.set_viewport_size({"width": width, "height": height})
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
            assert page.evaluate(SMALL) == []


@pytest.mark.slow
@without_chromium
def test_a_film_shows_scores_prompt_and_last_take_before_its_colour(tmp_path: Path, page: Page) -> None:
    with room(tmp_path) as here:
        with here.page() as host:
            begin(host, "scramble", 2, rounds=1)
            play_out(here, host, random.Random(3))
        page.set_viewport_size({"width": 1920, "height": 1080})
        page.goto(f"http://127.0.0.1:{here.port}/overlay?background=0000ff&standings=1")
        page.wait_for_selector(".scores li")
        state = here.host.showing(None)[1]
        said = page.locator(".scores li").all_inner_texts()
        assert [text.split() for text in said] == [[one["name"], str(one["score"])] for one in state["players"]]
        assert page.locator(".take .drawn").count() == 3
        assert page.locator("h1").inner_text() == state["over"]["text"]
        assert page.locator("tbody tr").count() == len(state["standings"]) == 2
        assert sum(one["points"] for one in state["standings"]) == sum(one["score"] for one in state["players"])
        assert {one["rounds"] for one in state["standings"]} == {1}
        assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(0, 0, 255)"
        assert page.evaluate(SMALL) == []
        for wanted, drawn in (("inks", "inks"), ("letters", "letters"), ("1", "letters-patterns"), ("x", "")):
            page.goto(f"http://127.0.0.1:{here.port}/overlay?plain={wanted}")
            source = page.locator(".take .drawn").first.get_attribute("src") or ""
            assert ("plain=" + drawn in source) if drawn else "plain" not in source
        page.goto(f"http://127.0.0.1:{here.port}/overlay?background=url(x)")
        page.wait_for_selector(".scores li")
        assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(0, 255, 0)"
        page.goto("about:blank")
