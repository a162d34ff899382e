"""The site of `docs/`: its sources by law, and, slowly, the site as it is built: every link, and axe on every page."""

from __future__ import annotations

import os
import re
import runpy
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from html.parser import HTMLParser
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path
from urllib.parse import unquote, urlsplit

import docs_made
import pytest
from PIL import Image
from playwright.sync_api import Browser, Route

from tests.web.hands import chromium, without_chromium
from visionset.games.registry import GAMES

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
PAGES = sorted(DOCS.rglob("*.md"))
TRAINING = sorted((ROOT / "scripts" / "training").glob("*.md"))
GERMAN = [page for page in PAGES if page.name.endswith(".de.md")]
LEAST_PICTURES = 3
MOST_BYTES = 3_000_000
"""Of all pictures together."""

COUNTS_LONG = {"teaching.md"}
"""Pages with an answer that takes seconds; they are made anew with the odds."""

SIZES = ((1280, 800), (400, 800))
SERVED = "http://docs.test"
"""Address under which the built site is a server's; no name leads there."""

AXE = ROOT / "tests" / "web" / "vendor" / "axe.min.js"

PICTURE = re.compile(r"!\[([^\]]*)\]\(([^)\s]+)\)")
LINK = re.compile(r"\]\(([^)\s]+)\)")


def name_of(page: Path) -> str:
    return page.relative_to(DOCS).as_posix()


@pytest.mark.parametrize("page", [*PAGES, *TRAINING], ids=lambda page: page.name)
def test_links_of_a_page_lead_somewhere(page: Path) -> None:
    for target in LINK.findall(page.read_text(encoding="utf-8")):
        if not urlsplit(target).scheme and not target.startswith("#"):
            assert (page.parent / target.partition("#")[0]).exists(), target


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_pictures_of_a_page_say_what_they_show(page: Path) -> None:
    assert all(words.strip() for words, _ in PICTURE.findall(page.read_text(encoding="utf-8")))


@pytest.mark.parametrize("page", [*PAGES, *TRAINING], ids=lambda page: page.name)
def test_every_column_of_a_table_has_a_title(page: Path) -> None:
    """Or nobody who hears the page knows what its cells are."""
    lines = page.read_text(encoding="utf-8").splitlines()
    titles = [above for above, below in pairwise(lines) if re.fullmatch(r"\|[\s:|-]+\|", below)]
    assert [title for title in titles if not all(one.strip() for one in title.strip("|").split("|"))] == []


@pytest.mark.parametrize("language", ["", ".de"])
@pytest.mark.parametrize("game", GAMES)
def test_each_game_has_its_page_with_pictures(game: str, language: str) -> None:
    text = (DOCS / "games" / f"{game}{language}.md").read_text(encoding="utf-8")
    assert len({target for _, target in PICTURE.findall(text)}) >= LEAST_PICTURES
    made = {what.split()[0] for what, _, _ in docs_made.MARK.findall(text)}
    assert made >= {"facts", "rules", "house", "says", "odds"}


@pytest.mark.parametrize("game", GAMES)
def test_each_rule_has_its_reason_in_each_language(game: str) -> None:
    for rule in GAMES[game].rules:
        assert set(docs_made.WORDS["why"][rule.number]) == {"en", "de"}


@pytest.mark.parametrize("page", [page for page in docs_made.pages() if page.name not in COUNTS_LONG], ids=name_of)
def test_what_the_program_knows_better_is_as_it_says_today(page: Path) -> None:
    assert docs_made.remade(page, is_quick=True) == page.read_text(encoding="utf-8"), "run scripts/docs_made.py"


@pytest.mark.slow
@pytest.mark.parametrize("page", docs_made.pages(), ids=name_of)
def test_odds_are_counted_as_they_stand(page: Path) -> None:
    assert docs_made.remade(page) == page.read_text(encoding="utf-8"), "run scripts/docs_made.py"


def test_pictures_are_few_and_each_is_shown() -> None:
    there = {path for path in (DOCS / "pictures").iterdir() if path.suffix in {".webp", ".svg", ".jpg"}}
    shown = {(page.parent / target).resolve() for page in PAGES for target in LINK.findall(page.read_text(encoding="utf-8"))}
    assert {path.name for path in there - shown} <= {"logo.svg"}
    assert sum(path.stat().st_size for path in there) < MOST_BYTES


def test_tables_are_drawn_for_the_pages_that_show_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read = runpy.run_path(str(ROOT / "scripts" / "make_docs_pictures"))["read"]

    def drawn(words: list[str]) -> int:
        Image.new("RGB", (8, 8)).save(Path(words[words.index("--save") + 1]) / "drawn.png")
        return 0

    monkeypatch.setitem(read.__globals__, "visionset", drawn)
    monkeypatch.setitem(read.__globals__, "PICTURES", tmp_path)
    read()
    assert {path.name for path in tmp_path.iterdir()} == {path.name for path in (DOCS / "pictures").glob("read-*")}


def test_german_pages_show_pictures_in_german() -> None:
    for page in GERMAN:
        assert not [target for target in LINK.findall(page.read_text(encoding="utf-8")) if re.search(r"-en\.\w+$", target)], page


def test_the_extra_names_what_the_site_is_built_with() -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    named = {re.split(r"[<>=\[]", one)[0] for one in extras["docs"]}
    assert named == {"mkdocs-material", "mkdocstrings-python", "mkdocs-static-i18n"}
    reasons = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    assert all(name in reasons for name in named)


class Links(HTMLParser):
    """What a built page loads, where it leads, and the names in it that may be led to."""

    def __init__(self) -> None:
        super().__init__()
        self.loads: list[str] = []
        self.leads: list[str] = []
        self.names: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self.names |= {given[name] for name in ("id", "name") if name in given}
        if tag == "a" and "href" in given:
            self.leads.append(given["href"])
        elif tag == "link" and given.get("rel") not in ("canonical", "alternate", "prev", "next"):
            self.loads.append(given.get("href", ""))
        elif "src" in given:
            self.loads.append(given["src"])


def read_html(page: Path) -> Links:
    links = Links()
    links.feed(page.read_text(encoding="utf-8"))
    return links


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built without a network."""
    if find_spec("mkdocs") is None:
        pytest.skip("mkdocs is not installed: pip install -e '.[docs]'")
    place = tmp_path_factory.mktemp("docs") / "site"
    nowhere = dict.fromkeys(("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY"), "http://127.0.0.1:9")
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        [ROOT / "scripts" / "docs", "--site-dir", str(place)],
        capture_output=True,
        text=True,
        env={**os.environ, **nowhere, "PATH": path},
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "WARNING" not in done.stderr
    return place


@pytest.mark.slow
def test_no_link_of_the_built_site_is_broken_and_nothing_is_loaded_from_elsewhere(site: Path) -> None:
    pages = {page: read_html(page) for page in site.rglob("*.html")}
    assert len(pages) > 2 * len(GAMES)
    broken = []
    for page, links in pages.items():
        for target in [*links.loads, *links.leads]:
            parts = urlsplit(target)
            if parts.scheme or parts.netloc:
                if target in links.loads and parts.scheme != "data":
                    broken.append(f"{page.relative_to(site)} loads {target}")
                continue
            there = page if not parts.path else site / parts.path.lstrip("/") if target[0] == "/" else page.parent / unquote(parts.path)
            there = there.resolve()
            there = there / "index.html" if there.is_dir() else there
            if not there.is_file():
                broken.append(f"{page.relative_to(site)} to {target}")
            elif parts.fragment and there in pages and unquote(parts.fragment) not in pages[there].names | {"__search", "__toc"}:
                broken.append(f"{page.relative_to(site)} to {target}, which has no such place")
    for style in site.rglob("*.css"):
        broken += [f"{style.name} loads {one}" for one in re.findall(r"url\(['\"]?(https?:[^)]+)", style.read_text(encoding="utf-8"))]
    assert not broken, "\n".join(broken)


@pytest.fixture(scope="module")
def shown(site: Path) -> Iterator[Browser]:
    """A browser for pages of the site."""
    with chromium() as browser:
        yield browser


@pytest.mark.slow
@without_chromium
@pytest.mark.parametrize("size", SIZES, ids=str)
def test_axe_finds_no_fault_on_any_page(site: Path, shown: Browser, size: tuple[int, int]) -> None:
    """And no page is wider than its screen, none asks a network for anything.

    404.html is shown by servers alone and names all that it loads from their root; the others are read as files.
    """
    script, faults = AXE.read_text(encoding="utf-8"), []
    page = shown.new_page(viewport={"width": size[0], "height": size[1]}, reduced_motion="reduce")
    page.on("request", lambda asked: None if asked.url.startswith(("file:", "data:", SERVED)) else faults.append(f"asked {asked.url}"))

    def serve(route: Route) -> None:
        there = site / urlsplit(route.request.url).path.lstrip("/")
        route.fulfill(path=there) if there.is_file() else route.fulfill(status=404)

    page.route(f"{SERVED}/**", serve)
    for path in sorted(site.rglob("*.html")):
        page.goto(f"{SERVED}/{path.name}" if path.name == "404.html" else path.as_uri())
        page.evaluate(script)
        found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
        named = path.relative_to(site)
        faults += [f"{named} {one['id']}: {node['html'][:160]}" for one in found["violations"] for node in one["nodes"]]
        wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
        faults += [f"{named}: {wide} px wider than the screen"] if wide > 0 else []
    page.close()
    assert not faults, "\n".join(faults)
