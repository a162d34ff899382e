"""Every game over the wire, by somebody who uses the choices alone, to its end: the scores are those of the store."""

from __future__ import annotations

import random
import time
from pathlib import Path
from typing import Any

import pytest

from tests.web.clicker import choose
from tests.web.room import Page, Room, room
from visionset.games.registry import GAMES
from visionset.store import Store

MOST_CLICKS = 6000

SHORT: dict[str, dict[str, Any]] = {
    "set": {"rounds": 1},
    "solitaire": {},
    "cubed": {},
    "scramble": {"rounds": 1},
    "crossword": {"rounds": 1},
    "sets-dice": {"turns": 3},
    "english-sets": {},
}


def begin(page: Page, game: str, players: int, bots: int = 0, **house: Any) -> None:
    seats: list[dict[str, Any]] = [{"name": name} for name in ("Ann", "Bo", "Cy", "Di")[:players]]
    seats += [{"name": f"Bot {number}", "is_bot": True, "strength": number % 3 + 1} for number in range(bots)]
    page.send("begin", game=game, players=seats, house=house, seed=7)
    while page.state.get("game") is None or page.state["game"]["name"] != game:
        assert page.read()["type"] != "refused", page.others


def play_out(here: Room, page: Page, rng: random.Random) -> int:
    """Click until the game is over; gives how often."""
    for clicks in range(MOST_CLICKS):
        page.catch_up(here.host.showing(None)[0])
        if page.state["page"] == "over":
            return clicks
        if here.host.due_s is not None and (not page.state["choices"] or rng.random() < 0.3):
            here.go_on(page)
            continue
        if not page.state["choices"]:  # a round is over: the table waits until somebody has looked at it
            page.send("say", what="next")
            page.until("change")
            continue
        choice, values = choose(page.state, rng)
        here.clock.now_s += rng.random()
        page.send("move", version=page.version, choice=choice, values=values)
        page.until("change", "refused")
    raise AssertionError(f"no end after {MOST_CLICKS} clicks; the scores are {[one['score'] for one in page.state['players']]}")


def check_end(folder: Path, page: Page) -> None:
    """What the page shows at the end is what the store's log gives when it is replayed."""
    with Store(folder / "matches.sqlite3", time.time) as store:
        match = store.load(page.state["match"])
    state = match.history.state
    assert state.is_over
    assert [player["score"] for player in page.state["players"]] == list(state.scores)
    assert page.state["over"]["winners"] == list(state.winners)


@pytest.mark.parametrize(
    "game", [pytest.param(game, marks=() if game in ("sets-dice", "scramble") else pytest.mark.slow) for game in sorted(SHORT)]
)
def test_each_game_is_played_to_its_end_by_its_choices_alone(game: str, tmp_path: Path) -> None:
    with room(tmp_path) as here, here.page() as page:
        begin(page, game, max(GAMES[game].min_players, min(2, GAMES[game].max_players)), **SHORT[game])
        play_out(here, page, random.Random(3))
        check_end(tmp_path, page)


def test_what_lies_over_the_table_may_be_closed_by_stopping_to_play(tmp_path: Path) -> None:
    """The page lets no time pass while its dialog asks whether to stop, and lets it pass again when the dialog has gone with the match."""
    with room(tmp_path) as here, here.page() as page:
        begin(page, "solitaire", 1)
        page.send("say", what="pause")
        page.send("leave")
        page.send("say", what="go_on")
        page.send("say", what="hint")
        page.until("refused")
        assert [one["why"] for one in page.others if one["type"] == "refused"] == ["no_match"]


def test_what_the_rules_refuse_is_told_without_what_the_buttons_say_already(tmp_path: Path) -> None:
    """On a small phone the names of all moves pushed the own dice out of sight."""
    with room(tmp_path) as here, here.page() as host:
        begin(host, "scramble", 2)
        here.go_on(host)
        host.send("move", version=host.version, choice="take:0:0", values={"at": [0, 0, 0]})
        text = host.until("refused")["text"]
        assert "is not allowed (D13)" in text
        assert "SET!" not in text
