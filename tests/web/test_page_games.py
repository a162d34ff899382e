"""Each game is played to its end by clicks alone, and by keys alone, and the page shows the scores that the store holds."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser

from tests.web.clicker import choose, hand_of
from tests.web.hands import Hands, without_chromium
from tests.web.keys import Keys
from tests.web.room import room
from visionset.games.crossword.advice import CrosswordSearch, best_grid
from visionset.games.registry import GAMES
from visionset.store import Store

pytestmark = [without_chromium, pytest.mark.slow]

MOST_MOVES = 400
SEED = 4


def others_play(hands: Hands) -> int:
    """Let pack, dice and simple players go on until a person may do something; gives how often "Next" was pressed.

    English Sets leaves people hardly anything to choose: whoever does not want to watch it run by itself presses "Next" all along.
    """
    pressed = 0
    for _ in range(2000):
        if hands.state["page"] == "over" or can_play(hands.state):
            return pressed
        if hands.state["is_round_over"]:
            hands.catch_up()
            hands.press(hands.page.get_by_role("button", name="Next round"))
            hands.page.wait_for_selector(".is-round-over", state="detached")
        elif hands.state["game"]["name"] == "english-sets" and hands.state["is_hurried"]:
            hands.hurry()
            pressed += 1
        else:
            assert hands.room.go_on()
    raise AssertionError("nobody's turn comes")


def can_play(state: dict[str, Any]) -> bool:
    return any(choice["player"] == 0 or (choice["player"] is None and len(state["players"]) == 1) for choice in state["choices"])


def lay_a_grid(hands: Hands) -> None:
    """One thing that a player of Crossword SET does: lay all dice, say so, or draw until they can be laid."""
    choices = {choice["event"]: choice for choice in hands.state["choices"]}
    for said in ("rolled", "done"):
        if said in choices:
            return hands.make(choices[said], {})
    answer = best_grid(hand_of(hands.state, 0), CrosswordSearch(300))
    if len(answer.dice) < len(hand_of(hands.state, 0)):
        return hands.make(choices["draw" if "draw" in choices else "stuck"], {})
    left = list(zip(answer.dice, answer.grid, strict=True))
    middle, laid = left[0][1], []
    while left:
        near = next(one for one in left if not laid or any(abs(one[1].row - row) + abs(one[1].col - col) == 1 for row, col in laid))
        left.remove(near)
        die, face = near
        laid.append((face.row, face.col))
        stated = None if face.stated is None else str(face.stated)
        hands.lay(0, {"die": die, "row": face.row - middle.row + 3, "col": face.col - middle.col + 3, "stated": stated})
    return None


@pytest.mark.parametrize("way", [Hands, Keys])
@pytest.mark.parametrize("name", sorted(GAMES))
def test_a_game_is_played_to_its_end(
    browser: Browser, tmp_path: Path, name: str, way: type[Hands], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("visionset.store.match.Match.seed", SEED)
    rng = random.Random(SEED)
    with room(tmp_path) as server:
        hands = way(browser, server)
        hands.begin(GAMES[name].title)
        clicks = 0
        for _ in range(MOST_MOVES):
            clicks += others_play(hands)
            hands.catch_up()
            if hands.state["page"] == "over":
                break
            if name == "crossword":
                lay_a_grid(hands)
            else:
                identity, values = choose(hands.state, rng)
                hands.make(next(one for one in hands.state["choices"] if one["id"] == identity), values)
            clicks += 1
            server.go_on()
        while hands.state["page"] != "over":
            clicks += others_play(hands)
            assert hands.state["page"] == "over" or server.go_on()
        hands.page.wait_for_selector(".over-page")
        names = hands.page.locator(".final .name").all_inner_texts()
        scores = hands.page.locator(".final .score").all_inner_texts()
        assert clicks > 3
        assert hands.trouble == []
        assert getattr(hands, "lost", []) == []
        hands.context.close()
    with Store(tmp_path / "matches.sqlite3", lambda: 0.0) as store:
        kept = store.summaries()[0]
    assert dict(zip(names, map(int, scores), strict=True)) == dict(zip(kept.players, kept.scores, strict=True))
