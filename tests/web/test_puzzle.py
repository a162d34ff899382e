"""The puzzle of the day and the dice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from datetime import date, timedelta

import pytest

from tests.web.room import Room, room
from visionset.games.scramble.advice import best_takes
from visionset.games.sets import find_sets
from visionset.pieces import SetDie
from visionset.web.puzzle import puzzle_of


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Room]:
    with room(tmp_path_factory.mktemp("room")) as served:
        yield served


def test_days_of_a_year_have_six_sets_and_no_two_the_same() -> None:
    days = [date(2026, 1, 1) + timedelta(days=number) for number in range(0, 365, 7)]
    puzzles = [puzzle_of(day) for day in days]
    assert all(len(set(cards)) == 12 and len(find_sets(cards)) == 6 for cards in puzzles)
    assert len(set(puzzles)) == len(days)


def test_the_puzzle_is_the_same_for_everybody_and_its_sets_are_checked(here: Room) -> None:
    shown = here.get("/puzzle?date=2026-01-01").json()
    cards = puzzle_of(date(2026, 1, 1))
    assert [one["code"] for one in shown["cards"]] == [str(card) for card in cards]
    assert here.get("/puzzle").json()["sets"] == 6
    for triple in find_sets(cards):
        answer = here.get(f"/puzzle/check?date=2026-01-01&at={','.join(map(str, triple))}").json()
        assert answer["is_set"]
        assert all(line["is_right"] for line in answer["explain"])
    assert not here.get("/puzzle/check?date=2026-01-01&at=0,1,2").json()["is_set"]


@pytest.mark.parametrize(
    ("path", "why"),
    [
        ("/puzzle?date=tomorrow", "day"),
        ("/puzzle/check?at=0,0,1", "places"),
        ("/puzzle/check?at=0,1,12", "places"),
        ("/puzzle/check", "places"),
        ("/roll?kind=card", "dice"),
        ("/roll/check?dice=1-red-oval,2-red-oval", "dice"),
        ("/roll/check?dice=1-red-oval,2-red-oval,1-red-solid-oval", "dice"),
        ("/roll/sets", "dice"),
        ("/roll/sets?dice=" + ",".join(["wild"] * 43), "dice"),
        ("/roll?count=-1", "dice"),
        ("/roll?count=43", "dice"),
        ("/roll?count=²", "dice"),
    ],
)
def test_what_makes_no_sense_is_refused_by_name(path: str, why: str, here: Room) -> None:
    answer = here.get(path.replace("²", "%C2%B2"))
    assert (answer.status, answer.json()["why"]) == (400, why)


def test_dice_show_each_face_and_two_pip_dice_have_a_score_to_beat(here: Room) -> None:
    rolled = here.get("/roll").json()
    assert (len(rolled["dice"]), rolled["to_beat"]) == (2, 133)
    faces = Counter(one["code"] for _ in range(20) for one in here.get("/roll?kind=set-die&count=42").json()["dice"])
    assert len(faces) == 28
    assert here.get("/roll?kind=set-die&count=1").json()["to_beat"] is None


def test_sets_of_scramble_are_checked_and_laid_out(here: Room) -> None:
    right = here.get("/roll/check?dice=1-red-oval,2-red-oval,3-red-oval").json()
    assert (right["is_set"], [line["is_right"] for line in right["explain"]]) == (True, [True] * 3)
    assert here.get("/roll/check?dice=1-red-oval,2-green-oval,wild").json() == {"is_set": True, "explain": []}
    assert not here.get("/roll/check?dice=1-red-oval,2-red-oval,2-red-oval").json()["is_set"]
    dice = [one["code"] for one in here.get("/roll?kind=set-die&count=42").json()["dice"]]
    sets = here.get(f"/roll/sets?dice={','.join(dice)}").json()["sets"]
    places = [place for one in sets for place in one["at"]]
    assert len(places) == len(set(places))
    assert len(sets) == len(best_takes([SetDie.parse(code) for code in dice]))
    for one in sets:
        named = ",".join(dice[place] for place in one["at"])
        assert here.get(f"/roll/check?dice={named}").json() == {
            "is_set": True,
            "explain": one["explain"],
        }
