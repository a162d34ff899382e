"""Laws of the log, over random games of every kind: what is read is what was played, and what is written stays."""

import json
import random
import sqlite3
from collections.abc import Iterator
from itertools import count, islice
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from visionset.errors import RecordError, RuleError, StoreError
from visionset.games.base import Event
from visionset.games.game import Game, History
from visionset.games.registry import GAMES
from visionset.games.virtual.runner import next_event, play_out
from visionset.store import Entry, EntryKind, Match, Origin, Store

NAMES = ("Ann", "Bö", "Cy \ud800", "Di")
"""One with an umlaut, and one as a terminal gives bytes that are no text."""

each_game = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "matches.sqlite3"


@pytest.fixture
def store(path: Path) -> Iterator[Store]:
    ticks = count(1_700_000_000)
    with Store(path, lambda: float(next(ticks))) as opened:
        yield opened


def played(game: Game, seed: int, most: int = 60) -> tuple[Any, tuple[str, ...], list[Event]]:
    rng = random.Random(seed)
    players = NAMES[: rng.randint(game.min_players, min(game.max_players, len(NAMES)))]
    options = rng.choice(list(game.presets.values()))
    return options, players, [event for event, _ in islice(play_out(game, rng, options, players), most)]


def rows(path: Path) -> list[tuple[object, ...]]:
    with sqlite3.connect(path) as db:
        found = db.execute("SELECT * FROM log ORDER BY match, place").fetchall()
    db.close()
    return found


@each_game
@pytest.mark.parametrize("seed", range(3))
def test_reload_equals_what_was_played(game: Game, seed: int, store: Store, path: Path) -> None:
    options, players, events = played(game, seed, most=400)
    match = store.begin(History.begin(game, options, players), players[:1])
    history = History.begin(game, options, players)
    for event in events:
        match, history = store.append(match, event), history.then(event)
    with Store(path, lambda: 0.0) as other:
        again = other.load(match.id)
        assert other.summaries() == (again.summary,)
    assert again == match
    assert again.history == history
    assert again.summary.scores == history.state.scores
    assert again.summary.is_finished == history.state.is_over
    assert (again.summary.players, again.summary.bots, again.summary.origin) == (players, players[:1], Origin.VIRTUAL)


@each_game
def test_undo_is_added_and_leads_back(game: Game, store: Store, path: Path) -> None:
    """Random steps forth and back; the history is that of a stack, the rows only ever grow."""
    rng = random.Random(5)
    stack = [History.begin(game, players=NAMES[: max(game.min_players, 2 if game.max_players > 1 else 1)])]
    match, before = store.begin(stack[0]), rows(path)
    while len(match.entries) < 40:
        if len(stack) > 1 and (stack[-1].state.is_over or rng.random() < 0.4):
            match = store.undo(match)
            stack.pop()
        else:
            event = next_event(stack[-1].state, rng)
            match = store.append(match, event)
            stack.append(stack[-1].then(event))
        after = rows(path)
        assert after[:-1] == before
        before = after
        assert match.history == stack[-1]
    assert store.load(match.id) == match
    assert {entry.kind for entry in match.entries} == {EntryKind.BEGIN, EntryKind.EVENT, EntryKind.UNDO}


@each_game
def test_what_is_exported_is_imported_as_the_same_match(game: Game, store: Store) -> None:
    options, players, events = played(game, 9)
    match = store.begin(History.begin(game, options, players), origin=Origin.CAMERA)
    for event in events:
        match = store.append(match, event)
    match = store.finish(store.undo(match))
    lines = store.export_lines(match.id)
    assert [json.loads(line)["entry"] for line in lines] == ["begin", *["event"] * len(events), "undo", "finish"]
    again = store.import_lines([*lines, "\n"])
    assert again.id != match.id
    assert (again.history, again.entries) == (match.history, match.entries)
    assert store.export_lines(again.id) == lines


def test_imported_scores_are_those_of_the_rules(store: Store) -> None:
    match = solitaire(store, 12)
    lines = [line.replace('"scores": [', '"scores": [99') for line in store.export_lines(match.id)]
    assert store.import_lines(lines).entries == match.entries


def solitaire(store: Store, events: int) -> Match:
    match = store.begin(History.begin(GAMES["solitaire"]))
    rng = random.Random(1)
    for _ in range(events):
        match = store.append(match, next_event(match.history.state, rng))
    return match


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE log SET line = 'x'",
        "UPDATE log SET place = place + 100",
        "UPDATE matches SET id = 9",
        "DELETE FROM log",
        "DELETE FROM log WHERE place = 3",
    ],
)
def test_the_file_itself_refuses_changes(statement: str, store: Store, path: Path) -> None:
    solitaire(store, 5)
    before = rows(path)
    db = sqlite3.connect(path)
    with pytest.raises(sqlite3.IntegrityError, match="append-only"):
        db.execute(statement)
    db.close()
    assert rows(path) == before


def test_a_whole_match_is_deleted_and_its_number_is_not_given_again(store: Store, path: Path) -> None:
    first, second = solitaire(store, 3), solitaire(store, 4)
    store.delete(second.id)
    assert [summary.id for summary in store.summaries()] == [first.id]
    assert {row[0] for row in rows(path)} == {first.id}
    assert solitaire(store, 0).id == second.id + 1
    for call in (store.load, store.delete, store.export_lines):
        with pytest.raises(StoreError, match=f"got {second.id}, which is not there"):
            call(second.id)
    with pytest.raises(StoreError, match="not there"):
        store.finish(second)


@pytest.mark.parametrize("left", ["pictures/7", "films/match-7-2"])
@pytest.mark.parametrize("is_put_back", [False, True])
def test_no_match_gets_the_number_of_one_whose_pictures_are_left(left: str, is_put_back: bool, path: Path) -> None:
    """They would be shown with it: after a file was moved away, or an older copy of it was put back."""
    if is_put_back:
        with Store(path, lambda: 0.0) as opened:
            solitaire(opened, 2)
    (path.parent / left).mkdir(parents=True)
    for other in ("films/holidays-2026-1", "pictures/99999999999999999999"):
        (path.parent / other).mkdir(parents=True)
    with Store(path, lambda: 0.0) as opened:
        assert [solitaire(opened, 2).id for _ in range(2)] == [8, 9]
        assert opened.import_lines(opened.export_lines(8)).id == 10


def test_what_is_against_the_rules_is_not_written(store: Store, path: Path) -> None:
    match = solitaire(store, 3)
    before = rows(path)
    for call in (
        lambda: store.append(match, GAMES["set"].parse_event({"event": "call", "player": 0})),
        lambda: store.undo(Match.begun(match.id, History.begin(GAMES["solitaire"]), (), Origin.VIRTUAL, 0.0)),
        lambda: store.begin(match.history),
        lambda: store.begin(History.begin(GAMES["solitaire"]), ("Nobody",)),
    ):
        with pytest.raises(RuleError):
            call()
        assert rows(path) == before
    assert len(store.summaries()) == 1


def test_a_closed_match_stays_closed(store: Store) -> None:
    match = solitaire(store, 3)
    closed = store.finish(match)
    assert closed.summary.is_finished
    assert not match.summary.is_finished
    for call in (store.undo, store.finish, lambda it: store.append(it, next_event(it.history.state, random.Random(1)))):
        with pytest.raises(RuleError, match="is closed"):
            call(store.load(closed.id))


def test_order_is_the_logs_when_the_clock_is_set_back(path: Path) -> None:
    times = iter([100.0, 90.0, -5.0, 80.0])
    with Store(path, lambda: next(times)) as store:
        match = solitaire(store, 3)
        assert store.load(match.id) == match
        assert [entry.written_s for entry in match.entries] == [100.0, 90.0, -5.0, 80.0]
        assert (store.summaries()[0].begun_s, store.summaries()[0].last_s) == (100.0, 80.0)


@settings(max_examples=60)
@given(
    kind=st.sampled_from([EntryKind.UNDO, EntryKind.FINISH, EntryKind.EVENT]),
    written_s=st.floats(-(2.0**53), 2.0**53),
    scores=st.lists(st.integers(-(2**53), 2**53), max_size=4),
    over=st.booleans(),
    name=st.text(),
)
def test_entries_are_parsed_as_they_are_printed(kind: EntryKind, written_s: float, scores: list[int], over: bool, name: str) -> None:
    data = json.dumps({"event": name}) if kind is EntryKind.EVENT else ""
    entry = Entry(kind, written_s, tuple(scores), over, data)
    assert Entry.parse(str(entry)) == entry
    assert "\n" not in str(entry)


BEGIN = '{"entry": "begin", "written_s": 1, "scores": [0], "is_over": false, "begin": %s}'
SOLITAIRE = {"game": "solitaire", "options": {}, "players": ["Ann"], "bots": [], "origin": "virtual", "version": "0"}
GOOD = BEGIN % json.dumps(SOLITAIRE)
UNDO = '{"entry": "undo", "written_s": 1, "scores": [0], "is_over": false}'
FINISH = UNDO.replace("undo", "finish")
EVENT = '{"entry": "event", "written_s": 1, "scores": [0], "is_over": false, "event": {"event": "find_none"}}'


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ([], "got none"),
        (["nonsense"], "as JSON, got 'nonsense'"),
        (["[" * 100_000], "as JSON"),
        (["[]"], "expected an object"),
        (['{"entry": "begin"}'], "expected written_s"),
        ([UNDO], "to start with an entry begin, got undo"),
        ([BEGIN % "null"], "expected begin only and always"),
        ([BEGIN % "3"], "expected an object at Beginning"),
        ([BEGIN % json.dumps({**SOLITAIRE, "game": "whist"})], "expected a game .*, got whist; .* install the package of the game"),
        ([BEGIN % json.dumps({**SOLITAIRE, "options": {"odd": 1}})], "odd"),
        ([BEGIN % json.dumps({**SOLITAIRE, "players": ["A", "B"]})], "expected 1 player for SET solitaire, got 2"),
        ([BEGIN % json.dumps({**SOLITAIRE, "bots": ["B"]})], "expected bots among Ann, got B"),
        ([GOOD, UNDO], "entry 1 to follow the rules, got: expected an event to take back"),
        ([GOOD, GOOD], "can follow begin, got begin as entry 1"),
        ([GOOD, FINISH, FINISH], "can follow finish, got finish as entry 2"),
        ([GOOD, EVENT], "entry 1 to follow the rules"),
        ([GOOD, EVENT.replace("find_none", "odd")], "expected an event named"),
        ([GOOD, EVENT.replace('"undo"', '"event"').replace('"event": {"event": "find_none"}', '"event": 3')], "expected an event named"),
        ([GOOD, UNDO[:-1] + ', "event": {}}'], "expected event only and always in an entry event"),
    ],
)
def test_lines_that_are_no_match_are_refused_whole(lines: list[str], message: str, store: Store) -> None:
    with pytest.raises(RecordError, match=message) as caught:
        store.import_lines(lines)
    assert "\n" not in str(caught.value)
    assert store.summaries() == ()
