"""The report of a match says what the store says: its scores add up, each take stands in it once, lives are those of a replay by hand."""

from __future__ import annotations

import random
from contextlib import suppress
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from tests.report.by_hand import calls_by_hand, lives_by_hand
from tests.report.reader import Report
from visionset.cli import main
from visionset.errors import RuleError
from visionset.games.game import History
from visionset.games.registry import GAMES
from visionset.games.virtual.runner import next_event
from visionset.messages import Catalogue, speak
from visionset.report import match_evening, page_policy, report_page
from visionset.report.story import story_of_match
from visionset.store import Match, Origin, Store

HOSTILE = "<script>alert(1)</script>\"'&\ud800"
SECTIONS = {
    "set": ["score", "moves", "lives", "missed", "hardest", "ended"],
    "solitaire": ["score", "moves", "lives", "missed", "hardest", "ended"],
}
"""Games of SET cards; the others have no SETs that lie on a table."""


SHORT = {"set": {"rounds": 1}, "scramble": {"rounds": 1}, "crossword": {"rounds": 1}, "sets-dice": {"turns": 3}}


@cache
def played(game: str, seed: int, names: tuple[str, ...] = ("Ann", "Bo"), events: int = 5000) -> Match:
    """A match of simple players, some of whose events were taken back."""
    rng, rules = random.Random(seed), GAMES[game]
    options = replace(rules.options(), **SHORT.get(game, {}))
    match = Match.begun(1, History.begin(rules, options, names[: rules.max_players]), (), Origin.VIRTUAL, 1e9)
    now_s = 0.0
    while len(match.entries) <= events and not match.history.state.is_over:
        now_s += rng.expovariate(1 / 1.5)
        event = next_event(match.history.state, rng)
        now_s = max(now_s, event.at_s or 0.0)
        with suppress(RuleError):  # a call that would have been in time a moment ago
            match = match.then(replace(event, at_s=now_s), 1e9 + now_s)
            if rng.random() < 0.05:
                match = match.undone(1e9 + now_s)
    return match


@pytest.mark.parametrize("game", sorted(GAMES))
def test_every_game_has_a_report_whose_sums_are_the_scores(game: str) -> None:
    match = played(game, 1)
    report = Report(report_page(match_evening(match)))
    report.check()
    assert report.sections == SECTIONS.get(game, ["score", "moves", "ended"])
    state = match.history.state
    rows = {name: points for name, points, *_ in report.rows("score")}
    assert rows == {name: str(points) for name, points in zip(state.players, state.scores, strict=True)}
    story = story_of_match(match)
    begun = match.history.before[0].scores
    assert [sum(one) for one in zip(begun, *(counted.gained for counted in story.counted), strict=True)] == list(state.scores)
    assert story.scores[-1][1] == tuple(state.scores)
    assert [time_s for time_s, _ in story.scores] == sorted(time_s for time_s, _ in story.scores)
    assert story.trouble == ""


@pytest.mark.parametrize("game", ["set", "solitaire"])
@pytest.mark.parametrize("seed", range(3))
def test_each_take_stands_there_once(game: str, seed: int) -> None:
    match = played(game, seed)
    report = Report(report_page(match_evening(match)))
    history = match.history
    takes = [
        [f"set-card-{card}" for card in before.cards_at(event.at)]
        for event, before in zip(history.standing, history.before, strict=True)
        if event.name == "take"
    ]
    assert takes
    assert [drawn for drawn in report.pieces("moves") if drawn] == takes
    counts = [int(right) + int(wrong) for _, _, right, wrong in report.rows("score")]
    assert sum(counts) == len(list(calls_by_hand(history)))
    if game == "solitaire":
        assert report.rows("score")[0][2:] == [str(len(history.state.kept) // 3), str(history.state.wrong)]


@pytest.mark.parametrize(("game", "seed", "events"), [("set", 1, 5000), ("set", 2, 37), ("solitaire", 3, 5000), ("solitaire", 4, 20)])
def test_the_lives_of_sets_are_those_of_a_replay_by_hand(game: str, seed: int, events: int) -> None:
    match = played(game, seed, events=events)
    evening = match_evening(match)
    lives = [(life.cards, life.born_s, life.died_s, life.end, life.player) for life in evening.lives]
    by_hand = lives_by_hand(match.history)
    assert len(lives) == len(by_hand) > 4
    assert set(lives) == set(by_hand)
    report = Report(report_page(evening))
    assert len(report.lines("lives")) == len(lives)
    assert all(len(drawn) == 3 for drawn in report.pieces("lives"))


def test_hostile_names_are_words() -> None:
    match = played("set", 1, (HOSTILE, "Bo"), 40)
    report = Report(report_page(match_evening(match)))
    report.check()
    assert {row[0] for row in report.rows("score")} == {HOSTILE.replace("\ud800", "?"), "Bo"}
    assert "<script" not in report.text


def test_a_name_that_is_written_from_right_to_left_leaves_its_points_their_sign() -> None:
    told = report_page(match_evening(played("set", 1, ("אבי כהן", "Bo"), 40)))
    assert "<b><bdi>אבי כהן</bdi> +1</b>" in told
    assert "<b>אבי כהן" not in told


def test_who_has_won_a_roll_off_stands_above_who_was_level() -> None:
    """D13"""
    match = played("scramble", 0)
    assert match.history.state.scores == (6, 6)
    assert match.history.state.winners == (1,)
    assert [row[0] for row in Report(report_page(match_evening(match))).rows("score")] == ["Bo", "Ann"]


def test_a_match_without_times_is_told_by_when_it_was_written() -> None:
    rng, match = random.Random(1), Match.begun(1, History.begin(GAMES["cubed"], None, ("Ann", "Bo")), (), Origin.VIRTUAL, 1e9)
    for at_s in range(1, 20):
        match = match.then(replace(next_event(match.history.state, rng), at_s=None), 1e9 + at_s)
    assert story_of_match(match).times_s == tuple(range(1, 20))


def test_a_match_to_which_nothing_happened_has_a_page_too() -> None:
    report = Report(report_page(match_evening(played("set", 1, events=0))))
    report.check()
    assert report.lines("moves") == []


def test_a_report_speaks_the_language_that_is_spoken() -> None:
    evening = match_evening(played("solitaire", 1))
    speak(Catalogue.load("de"))
    try:
        report = Report(report_page(evening))
    finally:
        speak(None)
    assert report.root.get("lang") == "de"
    assert "Das schwerste Merkmal" in report.text
    assert not {"Score", "Missed", "taken by", "after"} & set(report.text.split())


def test_the_policy_is_that_of_the_style() -> None:
    assert "'unsafe-inline'" not in page_policy()
    assert page_policy().startswith("default-src 'none';")


def test_the_command_writes_the_report_of_a_match(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with Store(tmp_path / "matches.sqlite3", lambda: 0.0) as store:
        match = store.import_lines(map(str, played("sets-dice", 1).entries))
    page = tmp_path / "page.html"
    assert main(["report", "--match", str(match.id), "--data", str(tmp_path), "--out", str(page)]) == 0
    assert page.read_text(encoding="utf-8") == report_page(match_evening(match))
    assert main(["report", "--match", "99", "--data", str(tmp_path)]) == 1
    assert main(["report"]) == 1
    assert "--match" in capsys.readouterr().err
    assert main(["report", "7"]) == 1
    assert "a match is named by --match 7" in capsys.readouterr().err
