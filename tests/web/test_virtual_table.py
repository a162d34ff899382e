"""A match without a camera: time, simple players, hints, undo, ties, the end, and what goes wrong beside it."""

from __future__ import annotations

import random
import threading
from collections.abc import Iterator
from itertools import combinations, product
from pathlib import Path
from typing import Any

import pytest

from tests.web.room import Clock
from visionset.errors import OutputError, RequestError, RuleError
from visionset.games.game import History
from visionset.games.pip_sets import rules as pip_sets
from visionset.games.registry import GAMES
from visionset.games.sets import DICE_COUNT, find_sets
from visionset.store import Store
from visionset.web.offered import Offered
from visionset.web.virtual_table import VirtualTable
from visionset.web.wire import MakeMove, SayWord


class Table:
    """A table with its clock."""

    def __init__(
        self, folder: Path, game: str, players: tuple[str, ...], bots: tuple[str, ...] = (), strength: int = 2, seed: int = 1, **house: Any
    ) -> None:
        self.clock, self.path = Clock(), folder / "matches.sqlite3"
        store = Store(self.path, self.clock)
        history = History.begin(GAMES[game], GAMES[game].options(**house), (*players, *bots))
        self.table = VirtualTable(store, store.begin(history, bots), self.clock, seed, dict.fromkeys(bots, strength))

    def until_due(self) -> bool:
        due_s = self.table.due_s
        if due_s is None:
            return False
        self.clock.now_s = max(self.clock.now_s, due_s + 0.001)
        self.table.wake()
        return True

    @property
    def shown(self) -> dict[str, Any]:
        return self.table.showing()

    @property
    def state(self) -> Any:
        return self.table.match.history.state

    def move(self, choice: str, player: int | None = None, **values: Any) -> None:
        self.table.do(player, MakeMove(self.table.version, choice, values))

    def say(self, what: Any, player: int | None = None, at_s: float | None = None) -> None:
        self.table.do(player, SayWord(what, player), at_s)


@pytest.fixture
def two(tmp_path: Path) -> Iterator[Table]:
    table = Table(tmp_path, "set", ("Ann", "Bo"))
    table.until_due()
    yield table
    table.table.close()


def test_cards_are_dealt_at_once_and_then_the_table_waits_for_people(two: Table) -> None:
    assert len(two.state.table) == 12
    assert two.table.due_s is None
    assert {one["id"] for one in two.shown["choices"]} == {"call:0:0", "call:1:0", "agree:0:0", "agree:1:0"}


def test_whoever_is_eager_calls_twice_and_nothing_comes_of_it(two: Table) -> None:
    """A phone's button is pressed again before the phone has heard that it has called."""
    two.say("set", 0)
    two.say("set", 0)
    assert [event.name for event in two.table.match.history.events][-2:] == ["deal", "call"]


def test_a_caller_has_so_long_and_then_loses_a_point(two: Table) -> None:
    two.say("set", 0)
    assert two.shown["clock"]["player"] == 0
    assert two.shown["clock"]["of_s"] == 5.0
    assert 4.5 < two.shown["clock"]["left_s"] <= 5.0
    assert two.shown["players"][0]["has_called"]
    two.until_due()
    assert (two.state.scores, two.shown["clock"]) == ((-1, 0), None)


def test_two_calls_within_the_window_are_a_tie_whatever_came_first(two: Table) -> None:
    now_s = two.clock()
    two.say("set", 1, now_s)
    two.say("set", 0, now_s - 0.1)
    assert {claim.player for claim in two.state.claims} == {0, 1}


@pytest.mark.parametrize(("game", "choice"), [("solitaire", "take::0"), ("sets-dice", "roll::0")])
def test_what_is_taken_back_brings_the_same_dice_and_cards_again(game: str, choice: str, tmp_path: Path) -> None:
    """Nobody takes back until the dice please."""
    table = Table(tmp_path, game, ("Ann",), seed=5)
    seen = []
    for _ in range(3):
        while table.table.due_s is not None:
            table.until_due()
        table.move(choice, 0, **({"at": list(find_sets(table.state.table)[0])} if game == "solitaire" else {}))
        while table.table.due_s is not None:
            table.until_due()
        seen.append({**table.state.to_json(), "clock_s": 0})
        table.say("undo")
    assert seen[0] == seen[1] == seen[2]
    table.table.close()


def test_who_waits_for_a_dialog_of_another_page_is_told(tmp_path: Path) -> None:
    table = Table(tmp_path, "scramble", ("Ann", "Bo"))
    assert table.table.due_s is not None  # the dice are rolled by themselves
    before, was_hurried = table.shown["prompts"], table.shown["is_hurried"]
    table.say("pause")
    assert "the game waits" in table.shown["prompts"][0]["text"]
    assert (was_hurried, table.shown["is_hurried"]) == (True, False)
    table.say("go_on")
    assert table.shown["prompts"] == before
    table.until_due()
    table.say("pause")  # nobody waits while all look for SETs
    assert "the game waits" not in table.shown["prompts"][0]["text"]
    table.table.close()


def test_two_calls_seconds_apart_are_no_tie_while_somebody_reads_the_rules(two: Table) -> None:
    """S6: a dialog of the host lets no time pass; who said it first did so all the same."""
    two.say("pause")
    two.say("set", 0)
    two.clock.now_s += 4
    with pytest.raises(RequestError, match="Ann said SET first"):
        two.say("set", 1)
    two.say("go_on")
    assert two.shown["clock"]["left_s"] == pytest.approx(5.0, abs=0.1)
    two.until_due()
    two.say("pause")
    two.say("pause")
    two.clock.now_s += 60
    two.say("set", 1)
    two.clock.now_s += 0.1
    two.say("set", 0)
    assert {claim.player for claim in two.state.claims} == {0, 1}
    two.say("go_on")
    assert two.shown["clock"]["left_s"] == pytest.approx(5.0, abs=0.1)


@pytest.mark.parametrize("by", ["bot", "button"])
def test_who_calls_a_moment_after_a_simple_player_or_a_button_shares_the_call(by: str, tmp_path: Path) -> None:
    """S6: whoever called first, and however."""
    table = Table(tmp_path, "set", ("Ann", "Bo") if by == "button" else ("Ann",), ("Bot",) if by == "bot" else (), 3)
    table.until_due()
    if by == "button":
        table.clock.now_s += 30
        table.move("call:1:0", 1)
    while not table.state.claims:
        assert table.until_due()
    table.clock.now_s += 0.1
    table.say("set", 0)
    assert {claim.player for claim in table.state.claims} == {0, 1}
    table.table.close()


def test_a_simple_player_rolls_the_same_again_after_undo_and_other_dice_when_it_is_taken_up_again(tmp_path: Path) -> None:
    """Nobody takes back until the simple player's dice please, and a new evening brings no old ones."""
    table = Table(tmp_path, "sets-dice", ("Ann",), ("Bot",))

    def rolled() -> Any:
        while table.state.roll is None:
            if not table.until_due():
                table.move("end_turn:0:0", 0)
        return table.state.roll

    table.move("roll::0", 0)
    table.move("end_turn:0:0", 0)
    first, count = rolled(), len(table.table.match.history.events)
    while len(table.table.match.history.events) >= count:
        table.say("undo")
    assert rolled() == first
    rolls = set()
    for _ in range(4):
        match = table.table.match
        table.table.close()
        table.table = VirtualTable(Store(table.path, table.clock), match, table.clock, 1, {"Bot": 2})
        count = len(table.table.match.history.events)
        while table.state.roll is not None or len(table.table.match.history.events) == count:
            if not table.until_due():
                table.move("end_turn:0:0", 0)
        rolls.add(rolled())
    assert len(rolls) > 1
    table.table.close()


@pytest.mark.parametrize("said_in_pause", [False, True])
def test_a_pause_between_two_calls_makes_no_tie(said_in_pause: bool, two: Table) -> None:
    """S6: the host reads the rules for a minute after Ann's call, or as she calls."""
    said = [("pause", None), ("set", 0)]
    for what, player in said if said_in_pause else said[::-1]:
        two.say(what, player)
    two.clock.now_s += 60
    two.say("go_on")
    with pytest.raises(RequestError, match="Ann said SET first"):
        two.say("set", 1)
    assert [claim.player for claim in two.state.claims] == [0]


def test_a_match_that_is_taken_up_again_brings_the_same_when_an_earlier_step_is_taken_back(tmp_path: Path) -> None:
    table = Table(tmp_path, "sets-dice", ("Ann",))
    table.table.close()
    rolls = []
    with Store(tmp_path / "matches.sqlite3", table.clock) as store:
        match = store.load(1)
    for _ in range(3):
        table.table = VirtualTable(Store(table.path, table.clock), match, table.clock, match.seed)
        table.move("roll::0", 0)
        rolls.append(table.state.roll)
        match = table.table.match
        table.table.close()
        table.table = VirtualTable(Store(table.path, table.clock), match, table.clock, match.seed)
        table.say("undo")
        match = table.table.match
        table.table.close()
    assert len(set(rolls)) == 1


def test_a_set_is_explained_and_a_take_names_its_cards(two: Table) -> None:
    at = find_sets(two.state.table)[0]
    two.say("set", 1)
    two.move("take:1:0", 1, at=list(at))
    line = two.shown["log"][-1]
    assert [one["is_right"] for one in line["explain"]] == [True] * 4
    assert [one["code"] for one in line["pieces"]] == [str(two.table.match.history.before[-1].table[place]) for place in at]
    assert two.state.scores == (0, 1)


def test_undo_goes_back_to_where_no_time_runs(two: Table) -> None:
    wrong = next(list(at) for at in combinations(range(12), 3) if at not in find_sets(two.state.table))
    before = two.state
    two.say("set", 0)
    two.move("take:0:0", 0, at=wrong)
    assert two.state.scores == (-1, 0)
    two.say("undo")
    assert two.state == before
    assert two.shown["notice"] == "taken back: Ann says SET; Ann takes three (Ann -1)"
    assert two.table.due_s is None
    with Store(two.path, two.clock) as store:
        assert store.load(two.table.match.id).history.state == before


def test_a_round_that_is_over_stays_until_somebody_goes_on_and_undo_leads_back_before_it(tmp_path: Path) -> None:
    table = Table(tmp_path, "set", ("Ann", "Bo"), rounds=2)
    while not table.shown["is_round_over"]:
        if not any(one["event"] == "call" for one in table.shown["choices"]):
            assert table.until_due()
        elif sets := find_sets(table.state.table):
            table.say("set", 0)
            table.move("take:0:0", 0, at=list(sets[0]))
        else:
            for player in (0, 1):
                table.say("no_set", player)
    assert table.table.due_s is None
    assert table.table.is_resting
    assert table.shown["notice"].endswith(f"Round 1 is over: Ann won it with {table.state.finished[0][0]}")
    assert len(table.shown["log"][-1]["pieces"]) == 3
    table.say("undo")
    assert not table.shown["is_round_over"]
    table.say("set", 0)
    table.move("take:0:0", 0, at=list(find_sets(table.state.table)[0]))
    assert table.shown["is_round_over"]
    assert [one["text"] for one in table.shown["prompts"]] == ["the round is over: look at the points, then go on"]
    assert table.shown["choices"] == []
    table.say("next")
    assert not table.table.is_resting
    assert (table.shown["is_round_over"], len(table.state.table) - table.state.table.count(None)) == (False, 12)
    table.table.close()


def test_what_settles_a_tie_after_the_last_round_is_said_before_the_dice_are_rolled(tmp_path: Path) -> None:
    """D13: the round was said to be over and to go on, as if another came."""
    table = Table(tmp_path, "scramble", ("Ann", "Bo"), rounds=1)
    table.until_due()
    for taken in range(DICE_COUNT // 3):
        sets = find_sets(table.state.table)
        if sets:
            table.move(f"take:{taken % 2}:0", taken % 2, at=list(sets[0]))
    assert table.shown["is_round_over"]
    told = [(one["to"], one["text"]) for one in table.shown["prompts"]]
    left = len(table.state.table)
    assert told == [("Ann and Bo", f"you are level: roll {left} dice, the first to see a SET wins")]
    table.say("next")
    assert [one["players"] for one in table.shown["prompts"]] == [[0], [1]]
    table.table.close()


def test_no_time_passes_while_the_host_reads_what_lies_over_the_table(two: Table) -> None:
    two.say("set", 0)
    left_s = two.shown["clock"]["left_s"]
    two.say("pause")
    assert two.shown["clock"]["stands"]
    two.clock.now_s += 3600
    two.table.wake()
    assert two.table.due_s is None
    two.say("go_on")
    assert not two.shown["clock"]["stands"]
    assert two.shown["clock"]["left_s"] == pytest.approx(left_s, abs=0.2)
    two.until_due()
    assert two.state.scores == (-1, 0)


def test_nobody_but_the_host_stops_the_time_of_others(two: Table) -> None:
    with pytest.raises(RequestError):
        two.say("pause", 1)
    assert not two.shown["is_round_over"]


def test_nothing_to_take_back_is_said(two: Table) -> None:
    """Also where all is over and nobody had anything to do: no word of playing on."""
    with pytest.raises(RuleError, match=r"nothing to take back$"):
        two.say("undo")


def test_hints_give_away_more_each_time_and_are_forgotten_with_the_table(two: Table) -> None:
    for level, known in ((1, 0), (2, 1), (3, 2), (4, 3), (5, 3)):
        two.say("hint", 0)
        hint = two.table.showing(0)["hints"]
        assert (hint["level"], len(hint["at"])) == (level, known)
        assert two.table.showing(1)["hints"] is None
    assert tuple(sorted(hint["at"])) in find_sets(two.state.table)
    two.say("set", 0)
    assert two.table.showing(0)["hints"] is None


def test_whoever_wants_what_another_has_just_done_is_told_nothing(tmp_path: Path) -> None:
    """Two reach for "Roll Dice": the dice lie there, as both wanted."""
    table = Table(tmp_path, "sets-dice", ("Ann", "Bo"))
    while table.until_due():
        continue
    for choice in ("roll::0", "end_turn:0:0"):
        seen = table.table.version
        table.table.do(0, MakeMove(seen, choice, {}))
        before = table.table.match.history
        table.table.do(None, MakeMove(seen, choice, {}))
        assert table.table.match.history is before
    with pytest.raises(RequestError, match="changed meanwhile"):
        table.table.do(None, MakeMove(seen, "roll::0", {}))
    table.table.close()


def test_a_die_that_is_drawn_by_two_presses_at_once_is_one(tmp_path: Path) -> None:
    """And who lays or draws while others do is not told to look again: only what one's own places name has to be as it was."""
    table = Table(tmp_path, "crossword", ("Ann", "Bo"))
    table.until_due()
    die = next(at for at, face in enumerate(table.state.hands[1]) if not face.is_wild)
    laid = {"grid": [{"die": die, "row": 3, "col": 3, "stated": None}]}
    seen = table.table.version
    for player, choice, values in ((0, "draw:0:0", {}), (0, "draw:0:0", {}), (1, "lay:1:0", laid), (1, "draw:1:0", {})):
        table.table.do(player, MakeMove(seen, choice, values))
    assert [len(hand) for hand in table.state.hands] == [11, 11]
    assert [len(grid) for grid in table.state.grids] == [0, 1]
    with pytest.raises(RequestError, match="changed meanwhile"):
        table.table.do(1, MakeMove(seen, "lay:1:0", laid))
    table.table.close()


def test_a_die_is_added_to_the_board_of_another_as_it_was_seen(tmp_path: Path) -> None:
    table = Table(tmp_path, "crossword", ("Ann", "Bo", "Cy"))
    table.until_due()
    while table.state.bag:
        table.move("draw:2:0")
    seen = table.table.version
    for player, choice, row, values in ((1, "lay:1:0", 3, {}), (0, "add:0:0", 4, {"owner": 1})):
        die = next(at for at, face in enumerate(table.state.hands[player]) if not face.is_wild)
        move = MakeMove(seen, choice, {**values, "grid": [{"die": die, "row": row, "col": 3, "stated": None}]})
        if player == 1:
            table.table.do(player, move)
        else:
            with pytest.raises(RequestError, match="changed meanwhile"):
                table.table.do(player, move)
    table.table.close()


def test_another_value_than_was_just_written_is_not_taken_for_the_same_press() -> None:
    offered, history = Offered(), History.begin(GAMES["sets-dice"], None, ("Ann", "Bo"))
    for event in (pip_sets.Roll((1, 2)), pip_sets.Circle(0, 1)):
        history = history.then(event)
    offered.note(1, history)
    history = history.then(pip_sets.WriteBonus(0, 3))
    assert offered.chosen(MakeMove(1, "write_bonus:0:2"), history) is None
    with pytest.raises(RequestError, match="changed meanwhile"):
        offered.chosen(MakeMove(1, "write_bonus:0:4"), history)


def test_two_who_circle_at_once_both_do(tmp_path: Path) -> None:
    table = Table(tmp_path, "sets-dice", ("Ann", "Bo"))
    table.move("roll::0")
    seen = table.table.version
    for player in (0, 1):
        table.table.do(player, MakeMove(seen, f"circle:{player}:0", {"bonus": 6}))
    assert [len(sheet.closed) for sheet in table.state.sheets] == [1, 1]
    table.table.close()


def test_a_move_made_on_an_older_table_is_stale(two: Table) -> None:
    old = two.table.version
    two.say("set", 1)
    version = two.table.version
    two.move("take:1:0", 1, at=list(find_sets(two.state.table)[0]))
    for seen, choice, values in (
        (version, "take:1:0", {"at": [0, 1, 2]}),
        (old, "call:0:1", {}),
        (0, "call:0:0", {}),
        (10**6, "call:0:0", {}),
    ):
        with pytest.raises(RequestError, match="changed meanwhile"):
            two.table.do(None, MakeMove(seen, choice, values))


@pytest.mark.parametrize("values", [{}, {"at": [0, 1, 2], "player": 1}, {"at": "x"}, {"at": [0, 1, 99]}, {"at": None}, {"cards": []}])
def test_values_that_do_not_fit_change_nothing(values: dict[str, Any], two: Table) -> None:
    two.say("set", 0)
    before = two.state
    with pytest.raises((RequestError, RuleError)):
        two.table.do(None, MakeMove(two.table.version, "take:0:0", values))
    assert two.state == before


LONG = ("set", "solitaire", "cubed", "english-sets")


@pytest.mark.parametrize("game", ["scramble", "crossword", "sets-dice", *(pytest.param(game, marks=pytest.mark.slow) for game in LONG)])
def test_simple_players_play_every_game_to_its_end(game: str, tmp_path: Path) -> None:
    count = max(GAMES[game].min_players, min(2, GAMES[game].max_players))
    house = {"set": {"rounds": 1}, "scramble": {"rounds": 1}, "crossword": {"rounds": 1}}.get(game, {})
    table = Table(tmp_path, game, (), tuple(f"Bot {number}" for number in range(count)), 3, **house)
    for _ in range(4000):
        if not table.until_due():
            break
    table.table.close()
    assert table.state.is_over
    with Store(table.path, table.clock) as store:
        assert store.load(1).history.state.scores == table.state.scores


@pytest.mark.slow
def test_a_strong_player_finds_sets_in_less_time_than_a_weak_one_and_none_answers_at_once(tmp_path: Path) -> None:
    points, played_s = {1: 0, 3: 0}, {1: 0.0, 3: 0.0}
    for strength, seed in product(points, range(6)):
        table = Table(tmp_path / f"{strength}-{seed}", "set", ("Ann",), ("Bot",), strength, seed)
        looks_s = table.clock.now_s
        while table.until_due() and table.clock.now_s < 400:
            event = table.table.match.history.events[-1]
            if event.name == "call":
                assert table.clock.now_s - looks_s >= 1.5
            elif event.name == "deal":
                looks_s = table.clock.now_s
        table.table.close()
        points[strength] += table.state.scores[1]
        played_s[strength] += table.clock.now_s
    assert points[3] / played_s[3] > 2 * points[1] / played_s[1] > 0


def test_a_roll_brings_what_nobody_says_and_the_end_has_a_rank(tmp_path: Path) -> None:
    table = Table(tmp_path, "sets-dice", ("Ann",), turns=1)
    table.move("roll::0")
    while table.shown["choices"][0]["event"] == "circle":
        table.move("circle:0:0", bonus=6)
    table.move("end_turn:0:0")
    over = table.shown["over"]
    assert over["rank"] == [{"place": 1, "name": "Ann", "points": table.state.scores[0], "is_mine": True}]
    table.table.close()
    table.table.close()
    with Store(table.path, table.clock) as store:
        assert store.load(1).is_closed
    with pytest.raises(RequestError, match="nothing is played"):
        table.move("roll::0")


def test_a_full_disk_is_told_and_the_game_goes_on_when_there_is_room(two: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    two.say("set", 0)
    before = two.state
    with monkeypatch.context() as patch:
        patch.setattr(Store, "append", lambda *_: (_ for _ in ()).throw(OutputError("the disk is full; make room")))
        two.until_due()
        assert (two.state, two.shown["differ"]) == (before, "the disk is full; make room")
    two.until_due()
    assert two.shown["differ"] == ""
    assert two.state.scores == (-1, 0)


def test_a_fault_of_a_simple_player_stops_nobody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    def trips(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("visionset.web.virtual_table.bot_move", trips)
    table = Table(tmp_path, "set", ("Ann",), ("Bot",))
    table.until_due()
    assert "ZeroDivisionError" in table.shown["differ"]
    table.say("set", 0)
    table.move("take:0:0", 0, at=list(find_sets(table.state.table)[0]))
    assert table.state.scores == (1, 0)
    assert "goes on by itself" in caplog.text
    table.table.close()


def test_many_threads_lose_no_event_and_versions_only_grow(tmp_path: Path) -> None:
    table = Table(tmp_path, "sets-dice", ("Ann", "Bo", "Cy"))
    versions: list[int] = []
    table.table.listen(lambda: versions.append(table.table.version))

    def play(seed: int) -> None:
        rng = random.Random(seed)
        while table.shown["page"] == "table":
            choices = table.shown["choices"]
            if not choices:
                return
            one = rng.choice(choices)
            try:
                table.table.do(None, MakeMove(table.table.version, one["id"], {need["field"]: 1 for need in one["needs"]}))
            except (RequestError, RuleError):
                continue

    threads = [threading.Thread(target=play, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    table.table.close()
    assert table.state.is_over
    assert versions == sorted(set(versions))
    with Store(table.path, table.clock) as store:
        assert store.load(1).history.state == table.state


def test_a_call_before_the_cards_lie_is_told_to_all_and_is_no_matter_of_rules(tmp_path: Path) -> None:
    table = Table(tmp_path, "set", ("Ann", "Bo"))
    table.say("set", 1)
    assert table.shown["notice"] == "Bo said SET before all lay there: it does not count"
    assert table.state.scores == (0, 0)
    table.until_due()
    assert "before" not in table.shown["notice"]
    table.say("set", 1)
    assert table.shown["players"][1]["has_called"]
    table.table.close()


def test_what_comes_by_itself_can_be_read_before_the_next_and_comes_at_once_where_somebody_says_next(tmp_path: Path) -> None:
    """Bots alone play English Sets: each thing that is told stands as long as it takes to read it, at most 6 s more."""
    table = Table(tmp_path, "english-sets", (), ("Ann", "Bo"))
    for _ in range(40):
        told, began_s = table.shown["notice"], table.clock.now_s
        while table.shown["notice"] == told and table.until_due():
            pass
        if told and not table.state.is_over:
            assert table.clock.now_s - began_s > min(0.5 + 0.06 * len(told), 6.0) - 0.2
    for _ in range(40):
        if table.state.is_over or not table.shown["is_hurried"]:
            break
        before, now_s = len(table.table.match.history.events), table.clock.now_s
        table.say("next")
        assert len(table.table.match.history.events) > before
        assert table.clock.now_s - now_s < 1.0
    table.table.close()


def test_cards_come_at_once_after_a_take_and_what_was_told_of_it_stands_until_it_is_read(tmp_path: Path) -> None:
    """Nobody waits for words in a quick game; whoever looks at them still finds them there, also why a take was none."""
    table = Table(tmp_path, "set", ("Ann", "Bo"))
    table.until_due()
    sets, places = find_sets(table.state.table), range(12)
    wrong = next(list(three) for three in combinations(places, 3) if three not in sets)
    for three in (wrong, list(sets[0])):
        table.say("set", 0)
        table.move("take:0:0", at=three)
        told, taken_s = table.shown["notice"], table.clock.now_s
        assert told.startswith("Ann: ")
        while any(card is None for card in table.state.table):
            assert table.until_due()
        assert table.clock.now_s - taken_s < 1.0
        assert table.shown["notice"] == told
        table.say("set", 1)
        assert table.shown["notice"] == told
        table.clock.now_s += 6.0  # Bo's time is over, and the words are read
        table.table.wake()
        assert "Ann" not in table.shown["notice"]
    table.table.undo()
    assert "Ann" not in table.shown["notice"]
    table.table.close()


def test_who_calls_too_late_for_a_tie_hears_who_was_first_and_no_rule(two: Table) -> None:
    two.say("set", 0)
    two.clock.now_s += 1.0
    with pytest.raises(RequestError, match=r"^Ann said SET first$"):
        two.say("set", 1)
    assert [claim.player for claim in two.state.claims] == [0]


@pytest.fixture
def scramble(tmp_path: Path) -> Iterator[Table]:
    table = Table(tmp_path, "scramble", ("Ann", "Bo", "Cy"))
    table.until_due()
    yield table
    table.table.close()


def apart(table: Table) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Two SETs that share no die, the first before the second."""
    return next(pair for pair in combinations(find_sets(table.state.table), 2) if max(pair[0]) < min(pair[1]))


def test_who_says_set_first_takes_first_and_what_others_took_meanwhile_comes_after(scramble: Table) -> None:
    """D13: the first player to call SET chooses first; dice close up, and the other one still gets those that were meant."""
    first, second = apart(scramble)
    dice = [scramble.state.table[place] for place in second]
    scramble.say("set", 0)
    assert scramble.shown["clock"]["player"] == 0
    assert scramble.shown["prompts"][0]["players"] == [0]
    scramble.move("take:1:0", 1, at=second)
    assert scramble.state.scores == (0, 0, 0)
    scramble.move("take:0:0", 0, at=first)
    assert scramble.state.scores == (1, 1, 0)
    assert list(scramble.state.taken[1]) == dice
    assert scramble.shown["clock"] is None


def test_dice_close_up_after_each_of_several_who_have_waited(scramble: Table) -> None:
    """Three SETs that share no die, taken by three: each gets the dice that were meant, in whatever order they lie."""
    sets = find_sets(scramble.state.table)
    three = next(trio for trio in combinations(sets, 3) if len({place for one in trio for place in one}) == 9)
    dice = [sorted(str(scramble.state.table[place]) for place in one) for one in three]
    scramble.say("set", 0)
    scramble.move("take:1:0", 1, at=three[1])
    scramble.move("take:2:0", 2, at=three[2])
    scramble.move("take:0:0", 0, at=three[0])
    assert [sorted(map(str, taken)) for taken in scramble.state.taken] == dice


def test_dice_that_two_want_go_to_who_said_set_first(scramble: Table) -> None:
    first = find_sets(scramble.state.table)[0]
    scramble.say("set", 2)
    scramble.move("take:1:0", 1, at=first)
    with pytest.raises(RequestError, match="Cy said SET first"):
        scramble.say("set", 1)
    scramble.move("take:2:0", 2, at=first)
    assert scramble.state.scores == (0, 0, 1)


def test_who_says_set_and_takes_nothing_keeps_the_table_once_alone(scramble: Table) -> None:
    second = apart(scramble)[1]
    scramble.say("set", 0)
    scramble.move("take:1:0", 1, at=second)
    scramble.until_due()
    assert scramble.state.scores == (0, 1, 0)
    scramble.say("set", 0)
    scramble.until_due()
    with pytest.raises(RequestError, match="you said SET and took no dice: others first"):
        scramble.say("set", 0)
    scramble.move("take:0:0", 0, at=find_sets(scramble.state.table)[0])
    assert scramble.state.scores == (1, 1, 0)


def test_a_wrong_take_ends_the_time_of_who_said_set_and_undo_too(scramble: Table) -> None:
    second = apart(scramble)[1]
    wrong = next(three for three in combinations(range(6), 3) if three not in find_sets(scramble.state.table))
    scramble.say("set", 0)
    scramble.move("take:1:0", 1, at=second)
    scramble.move("take:0:0", 0, at=wrong)
    assert scramble.state.scores == (0, 1, 0)
    scramble.say("set", 2)
    scramble.table.undo()
    assert scramble.shown["clock"] is None
    scramble.move("take:1:0", 1, at=second)
    assert scramble.state.scores == (0, 1, 0)


def test_simple_players_wait_for_who_said_set(tmp_path: Path) -> None:
    table = Table(tmp_path, "scramble", ("Ann",), ("Bot 1",), strength=3)
    table.until_due()
    table.say("set", 0)
    said_s = table.clock.now_s
    while table.state.scores == (0, 0):
        assert table.until_due()
    assert table.clock.now_s >= said_s + 5.0
    table.table.close()


def test_alone_nobody_waits_for_anybody(tmp_path: Path) -> None:
    table = Table(tmp_path, "solitaire", ("Ann",))
    table.until_due()
    with pytest.raises(RequestError):
        table.say("set", 0)
    table.table.close()


@pytest.mark.parametrize("game", GAMES)
def test_simple_players_and_one_person_who_lets_things_pass_break_no_game(game: str, tmp_path: Path) -> None:
    """Whatever happens by itself is kept, in every game."""
    table = Table(tmp_path, game, ("Ann",), ("Bot 1",) if GAMES[game].max_players > 1 else ())
    for _ in range(40):
        if not table.until_due():
            break
    assert not table.shown["differ"]
    if game == "solitaire":
        found = find_sets(table.state.table)
        table.move("take::0", at=found[0]) if found else table.move("find_none::0")
    table.table.close()
