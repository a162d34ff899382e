"""Rendered clips played at the page: whatever goes wrong at the table is put right by messages alone, and every point is right."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.clips.card_games import QUIET_S
from tests.clips.film import Film
from tests.clips.films import FILMS
from tests.clips.people_game import People, PeopleReel, Turn, people_game
from tests.clips.stage import Look, Stage
from tests.web.film_guests import play_film
from visionset.games.game import History

SMALL = Look(size_px=(640, 360))


def filmed(seed: int, *turns: Turn) -> tuple[PeopleReel, History]:
    people = People(Stage(SMALL), seed)
    people.play(turns)
    return people.reel, people.history


@pytest.mark.slow  # tests/clips follows a round, and tests/referee makes up for calls
def test_a_call_that_was_forgotten_is_made_up_for(tmp_path: Path) -> None:
    reel, truth = filmed(1, People.forgotten)
    table, guests = play_film(reel.film(1), truth, tmp_path)
    shown = table.showing()
    assert table.match.history.state.scores == truth.state.scores
    assert [one["score"] for one in shown["players"]] == list(truth.state.scores)
    assert any("Who took" in text for text in guests.asked)
    taken = [line for line in shown["log"] if line["pieces"]]
    assert [len(line["pictures"]) for line in taken] == [3]
    assert all(table.exhibit(name).startswith(b"\xff\xd8") for line in taken for name in line["pictures"])  # type: ignore[union-attr]


def too_many(people: People) -> None:
    """The dealer lays one card more, and takes it back after people have settled what counts."""
    reel = people.reel
    card, spot = reel.pack[0], reel.free[0]
    reel.spots[card] = spot
    item = reel.lie(card)
    reel.sweep(lay=[item])
    reel.rest(6.0)
    reel.sweep(take=[item])
    reel.rest(6.0)


def taken_back(people: People) -> None:
    """A take is undone by a slip, and done once more."""
    places, cards = people.chosen()
    people.call()
    people.reel.take(cards)
    people.reel.press("u")
    people.reel.rest(QUIET_S)
    people.reel.press("n")
    people.reel.rest(2 * QUIET_S)
    people.took(places, cards)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("turn", "says"),
    [
        (People.disputed, "read wrongly"),
        (People.doubted, ""),
        (People.forgotten_and_refilled, "Who took"),
        (too_many, "13 cards"),
        (taken_back, "Who took"),
    ],
)
def test_trouble_at_the_table_is_put_right_by_messages_alone(turn: Turn, says: str, tmp_path: Path) -> None:
    reel, truth = filmed(2, turn, People.one_by_one)
    table, guests = play_film(reel.film(2), truth, tmp_path)
    assert table.match.history.state.scores == truth.state.scores, guests.asked
    assert any(says in text for text in guests.asked)
    assert guests.refused == []


@pytest.mark.slow
def test_a_match_goes_on_at_another_time(tmp_path: Path) -> None:
    reel, truth = filmed(3, People.one_by_one, People.one_by_one, People.forgotten)
    film = reel.film(3)
    middle = next(at for at in range(len(film.moments) // 2, len(film.moments)) if film.moments[at].is_quiet)
    first, _ = play_film(Film(film.stage, film.moments[:middle], 3), truth, tmp_path)
    assert 0 < sum(first.match.history.state.scores) < sum(truth.state.scores)
    then, guests = play_film(Film(film.stage, film.moments[middle:], 4), truth, tmp_path, resumed=first.match.id)
    assert then.match.history.state.scores == truth.state.scores, guests.asked


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2))
def test_no_trouble_costs_anybody_a_point_at_the_page(seed: int, tmp_path: Path) -> None:
    reel, truth = people_game(Stage(SMALL), seed)
    table, guests = play_film(reel.film(seed), truth, tmp_path)
    assert table.match.history.state.scores == truth.state.scores, guests.asked
    assert guests.refused == []


@pytest.mark.slow
@pytest.mark.parametrize(("game", "turns"), [("sets-dice", 3), ("solitaire", 3), ("cubed", 4), ("scramble", None)])
def test_other_games_are_played_by_messages_alone(game: str, turns: int | None, tmp_path: Path) -> None:
    film, truth, _ = FILMS[game](turns)
    table, guests = play_film(film, truth, tmp_path)
    assert table.match.history.state.scores == truth.state.scores, guests.asked
    assert guests.refused == []
    if truth.state.is_over and truth.game.keeps_scores:
        assert [line["is_mine"] for line in table.showing()["over"]["rank"]] == [True] * len(truth.players)
