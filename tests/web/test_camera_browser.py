"""Whole games before a camera, in a browser: all that people say is clicked, and the camera is a rendered clip."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.clips.card_games import set_round
from tests.clips.films import FILMS
from tests.clips.stage import Look, Stage
from tests.web.film_clickers import Clickers, HeldFilm, begin, filmed_room
from tests.web.hands import Hands, chromium, without_chromium
from visionset.games.game import History
from visionset.referee.zones import ENGLISH_ZONES, Zones, hand_zone
from visionset.session.refereed import referee_of, zones_path
from visionset.web.wire import MoveZones, WireZone

SHOWN_MS = 30_000
"""Until a page shows what it is to show."""

SMALL = Look(size_px=(640, 360))
PHONES = ("Ann", "Bo")

WHOLE = 99
"""More turns than any game has."""

pytestmark = [pytest.mark.slow, without_chromium]


def ends_with_the_scores_of(host: Hands, truth: History) -> None:
    """The page shows the end, the points, who has won, and the places among all games that are kept."""
    page, state = host.page, truth.state
    scores = sorted(state.scores, reverse=True)
    expect(page.locator(".final .score")).to_have_text([str(score) for score in scores], timeout=SHOWN_MS)
    for name, score in zip(truth.players, state.scores, strict=True):
        expect(page.locator(".final li", has_text=name).locator(".score")).to_have_text(str(score))
    for winner in state.winners:
        expect(page.locator("h1")).to_contain_text(truth.players[winner])
    if truth.game.keeps_scores:
        expect(page.locator(".is-mine td:last-child")).to_have_text([str(score) for score in scores])


@pytest.mark.parametrize(
    ("game", "turns"),
    [("solitaire", None), ("sets-dice", None), ("cubed", WHOLE), ("scramble", None), ("crossword", None), ("english-sets", None)],
)
def test_a_whole_game_is_played_by_clicks_before_a_camera(game: str, turns: int | None, tmp_path: Path) -> None:
    clip, truth, _ = FILMS[game](turns)
    assert truth.state.is_over
    film = HeldFilm(clip.stage, clip.moments)
    with filmed_room(tmp_path, film) as served, chromium() as opened:
        host = Hands(opened, served)
        clickers = Clickers(film, truth)
        clickers.sit_down(begin(host, truth))
        clickers.play(host)
        ends_with_the_scores_of(host, truth)
        assert clickers.refused == []
        assert host.trouble == []


def test_a_zone_that_lies_elsewhere_is_dragged_before_the_cards_are_dealt(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VISIONSET_CONFIG", str(tmp_path / "config"))
    mine = hand_zone(0)
    ENGLISH_ZONES.moved(mine, 0.0, 0.6, 1.0, 0.8).save(zones_path(referee_of("english-sets")))
    clip, truth, _ = FILMS["english-sets"](2)
    film = HeldFilm(clip.stage, clip.moments)
    with filmed_room(tmp_path, film) as served, chromium() as opened:
        host = Hands(opened, served)
        table = begin(host, truth)
        clickers = Clickers(film, truth, MoveZones([WireZone(mine, (0.0, 0.81, 1.0, 1.01))]))  # the edge of the picture stops it
        clickers.sit_down(table)
        clickers.play(host)
        assert Zones.load(zones_path(referee_of("english-sets"))) == ENGLISH_ZONES
        assert [set(hand) for hand in table.match.history.state.hands] == [set(hand) for hand in truth.state.hands]
        assert host.trouble == []


@pytest.mark.parametrize("turns", [4, None])
def test_a_round_of_set_is_played_by_clicks_and_phones_before_a_camera(turns: int | None, tmp_path: Path) -> None:
    stage = Stage(SMALL)
    moments, truth = set_round(stage, 1, turns=turns)
    film = HeldFilm(stage, moments)
    with ExitStack() as stack:
        served = stack.enter_context(filmed_room(tmp_path, film))
        opened = stack.enter_context(chromium())
        phones = {}
        for number, name in enumerate(PHONES):
            phone = opened.new_context(viewport={"width": 360, "height": 740}, has_touch=True).new_page()
            phone.goto(f"http://127.0.0.1:{served.port}/join/{served.host.seats.code}")
            phone.get_by_label("name").fill(name)
            phone.locator("button.primary").click()
            phones[number] = phone
        host = Hands(opened, served)
        table = begin(host, truth)
        clickers = Clickers(film, truth)
        clickers.sit_down(table)
        clickers.play(host, phones)
        scores = [str(score) for score in truth.state.scores]
        if turns is None:
            ends_with_the_scores_of(host, truth)
            for phone in phones.values():
                expect(phone.locator(".final .score")).to_have_text(sorted(scores, key=int, reverse=True), timeout=SHOWN_MS)
        else:
            expect(host.page.locator(".players .score")).to_have_text(scores, timeout=SHOWN_MS)
            for number, phone in phones.items():
                expect(phone.locator(".me .score")).to_have_text(scores[number])
        assert table.match.history.state.scores == truth.state.scores, clickers.asked
        assert host.trouble == []
