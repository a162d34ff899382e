"""Who won the evening: each match counts once, whichever way its end is shown, and a roll-off has one winner."""

from __future__ import annotations

import random
import shutil
import sqlite3
from pathlib import Path

from tests.referee.scripted import Frames
from tests.web.room import WALL_S, Clock
from tests.web.test_virtual_table import Table
from visionset.games.game import History
from visionset.games.registry import GAMES
from visionset.games.sets import find_sets
from visionset.games.virtual.runner import next_event
from visionset.session.refereed import KeptMatch
from visionset.store import Origin, Store
from visionset.web.cameras import Cameras
from visionset.web.host import Host
from visionset.web.seats import Seat
from visionset.web.virtual_table import VirtualTable
from visionset.web.wire import BeginMatch, LeaveMatch, MakeMove, PlayerWanted, ResumeMatch, SayWord


def opened(folder: Path, clock: Clock, token: str | None = None) -> tuple[Host, Seat]:
    host = Host(folder, clock, lambda: WALL_S + clock(), cameras=Cameras(opener=lambda source, game: Frames(1)))
    seat = host.hello(token, None, None, True)
    host.resume_kept()
    host.come(seat)
    return host, seat


def points(host: Host, seat: Seat) -> list[tuple[str, int, int, int]]:
    return [(one["name"], one["won"], one["points"], one["rounds"]) for one in host.showing(seat)[1]["standings"]]


def play_a_round(host: Host, seat: Seat, clock: Clock) -> None:
    """The two take SETs of Scramble by turns until the match is over."""
    table = host.table
    assert isinstance(table, VirtualTable)
    for turn in range(500):
        state = table.match.history.state
        if state.is_over:
            return
        if table.due_s is not None:
            clock.now_s = max(clock.now_s, table.due_s + 0.01)
            table.wake()
        elif table.showing()["is_round_over"]:
            host.do(seat, SayWord("next"))
        else:
            who = turn % 2 if turn % 2 in state.takers else state.takers[0]
            host.do(seat, MakeMove(host.showing(seat)[0], f"take:{who}:0", {"at": list(find_sets(state.table)[0])}))
    raise AssertionError("no end")


def test_a_match_that_a_roll_off_settles_has_one_winner_and_counts_once_after_a_restart(tmp_path: Path) -> None:
    for seed in range(1, 40):
        clock = Clock()
        host, seat = opened(tmp_path / str(seed), clock)
        host.do(seat, BeginMatch("scramble", [PlayerWanted("Ann"), PlayerWanted("Bo")], house={"rounds": 1}, seed=seed))
        play_a_round(host, seat, clock)
        assert isinstance(host.table, VirtualTable)
        state = host.table.match.history.state
        if state.champion is not None:
            break
        host.close()
    winner, scores = state.players[state.champion], dict(zip(state.players, state.scores, strict=True))
    assert scores["Ann"] == scores["Bo"]
    want = sorted((name, int(name == winner), scores[name], 1) for name in scores)
    assert sorted(points(host, seat)) == want
    shutil.copytree(tmp_path / str(seed), tmp_path / "killed")  # as a server leaves it that is killed now
    host.close()
    again, same = opened(tmp_path / "killed", clock, seat.token)
    assert again.showing(same)[1]["page"] == "over"
    assert sorted(points(again, same)) == want
    again.do(same, LeaveMatch())
    assert sorted(points(again, same)) == want
    again.close()


def over_before_a_camera(store: Store) -> KeptMatch:
    """A match of two that a camera has seen to its end, and that nobody has closed."""
    rng = random.Random(1)
    kept = KeptMatch(store, store.begin(History.begin(GAMES["sets-dice"], None, ("Ann", "Bo")), (), Origin.CAMERA))
    while not kept.match.history.state.is_over:
        kept.append(next_event(kept.match.history.state, rng))
    return kept


def test_a_match_before_a_camera_that_is_over_is_closed_once(tmp_path: Path) -> None:
    store = Store(tmp_path / "matches.sqlite3", lambda: WALL_S)
    kept = over_before_a_camera(store)
    assert not kept.match.is_closed
    assert kept.close_if_over().is_closed
    assert kept.close_if_over().is_closed  # and stays so
    store.close()


def test_the_end_of_a_camera_match_that_nobody_closed_counts_once(tmp_path: Path) -> None:
    clock = Clock()
    store = Store(tmp_path / "matches.sqlite3", lambda: WALL_S + clock())
    kept = over_before_a_camera(store)
    scores = dict(zip(("Ann", "Bo"), kept.match.history.state.scores, strict=True))
    store.close()
    host, seat = opened(tmp_path, clock)
    host.seats.begin(kept.match.id, {}, "0")
    host.seats.leave()
    host.do(seat, ResumeMatch(kept.match.id))
    assert host.showing(seat)[1]["page"] == "over"
    assert {(name, score, rounds) for name, _, score, rounds in points(host, seat)} == {(name, score, 1) for name, score in scores.items()}
    host.close()


def test_another_match_that_is_damaged_hides_no_end(tmp_path: Path) -> None:
    store = Store(tmp_path / "matches.sqlite3", lambda: 1.0)
    store.begin(History.begin(GAMES["set"], None, ("Ann", "Bo")))
    store.close()
    table = Table(tmp_path, "sets-dice", ("Ann", "Bo"), turns=1)
    with sqlite3.connect(tmp_path / "matches.sqlite3") as database:
        database.execute("DROP TRIGGER log_never_changes")
        database.execute("UPDATE log SET line = replace(line, 'Ann', 'Anm') WHERE match = 1")
    database.close()
    table.move("roll::0")
    for player in (0, 1):
        table.move(f"end_turn:{player}:0", player)
    assert table.shown["page"] == "over"
    assert table.shown["over"]["rank"]
    table.say("undo")
    assert table.shown["page"] == "table"
    table.table.close()
