"""A match before a camera that sees what it is told: what pages say goes in, states come out, and every point is right."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from threading import Event as Signal
from typing import Any

import cv2
import msgspec
import numpy as np
import pytest

from tests.referee.scripted import CARDS, TRIO, Frames, Script, table
from tests.referee.tabletop import outline
from visionset.errors import RequestError
from visionset.games.base import DEALER, EVERYONE
from visionset.games.cubed import rules as cubed
from visionset.games.english_sets import rules as english_sets
from visionset.games.game import History
from visionset.games.pip_sets import rules as pip_sets
from visionset.games.set_cards import rules as set_cards
from visionset.geometry import Frame
from visionset.messages import Message, Words, speaking
from visionset.pieces import SET_DECK, Kind, PipDie
from visionset.referee.director import Director
from visionset.referee.rulings import Exhibit
from visionset.referee.zones import ENGLISH_ZONES, HEAP_ZONE, PACK_ZONE, Zones
from visionset.session import Snapshot
from visionset.session.piece_crops import PieceCrops
from visionset.session.refereed import referee_of, zones_path
from visionset.store import Origin, Store
from visionset.table import Sighting, Table
from visionset.web import camera_table, camera_view
from visionset.web.camera_showing import camera_json
from visionset.web.camera_table import CameraTable
from visionset.web.showing import history_json, prompt_json
from visionset.web.state_types import TableState
from visionset.web.wire import FromPage, MakeMove, MoveZones, SayWord, WireZone

LONG_S = 20.0
REST = tuple(card for place, card in enumerate(CARDS) if place not in TRIO)


def play(
    folder: Path,
    history: History | None,
    tables: dict[int, Table],
    said: Mapping[int, tuple[int | None, FromPage] | Callable[[CameraTable], None]],
    frames: int = 24,
    resumed: int | None = None,
) -> tuple[CameraTable, dict[int, Any]]:
    """Play a clip, in which people say something after some frames; the table, closed, and what was shown after each frame."""
    store = Store(folder / "matches.sqlite3", lambda: 0.0)
    match = store.load(resumed) if resumed is not None or history is None else store.begin(history, origin=Origin.CAMERA)
    over, shown, begun = Signal(), {}, Signal()

    def pace(snapshot: Snapshot) -> None:
        begun.wait(LONG_S)
        number = snapshot.frame.index
        shown[number] = played.showing()
        msgspec.convert(shown[number], TableState)
        if callable(what := said.get(number)):
            what(played)
        elif what is not None:
            played.do(*what)
        if number == frames:
            over.set()

    played = CameraTable(store, match, Frames(frames), tracker=lambda options, is_live, stack: Script(tables), pace=pace)  # type: ignore[arg-type,return-value]
    begun.set()
    try:
        assert over.wait(LONG_S)
    finally:
        played.close()
    return played, shown


def of_set() -> History:
    return History.begin(set_cards.GAME, None, ("Ann", "Bo"))


CALL = {9: (1, SayWord("set"))}


def test_a_table_is_told_in_the_language_of_each_who_asks(tmp_path: Path) -> None:
    played, _ = play(tmp_path, of_set(), {1: table(CARDS), 14: table(REST)}, CALL)
    with speaking("de"):
        german = played.showing()
    english = played.showing()
    msgspec.convert(german, TableState)
    assert english["log"][-1]["text"] == "Bo takes three"
    assert german["log"][-1]["text"] == "Bo nimmt drei"
    assert german["prompts"] != english["prompts"]
    same = ("players", "clock", "match", "is_camera", "exhibits", "page")
    assert {key: german[key] for key in same} == {key: english[key] for key in same}
    assert [one["pictures"] for one in german["log"]] == [one["pictures"] for one in english["log"]]


def test_trouble_that_is_told_anew_for_hours_is_told_in_the_end(tmp_path: Path) -> None:
    played, _ = play(tmp_path, of_set(), {1: table(CARDS)}, {}, frames=8)
    for seconds in range(5000):
        played._notice(f"no picture for {seconds} s")
    assert played.showing()["notice"] == "no picture for 4999 s"
    assert len(played.showing()["log"]) == 1


def test_a_phone_calls_and_the_cards_that_leave_are_its_players(tmp_path: Path) -> None:
    played, shown = play(tmp_path, of_set(), {1: table(CARDS), 14: table(REST)}, CALL)
    assert [event.name for event in played.match.history.events] == ["deal", "call", "take"]
    before, called, taken = shown[1], shown[11], played.showing()
    assert before["prompts"][0]["text"].startswith("say SET")
    assert [one["event"] for one in before["choices"] if one["is_said"]] == ["call", "call", "agree", "agree"]
    assert len(before["camera"]["pieces"]) == 12
    assert before["camera"]["pieces"][0].keys() >= {"track", "outline", "piece", "text"}
    assert called["players"][1]["has_called"]
    assert called["clock"]["player"] == 1
    assert 0 < called["clock"]["left_s"] <= called["clock"]["of_s"]
    assert not called["clock"]["stands"]
    assert [one["score"] for one in taken["players"]] == [0, 1]
    assert taken["clock"] is None
    assert (taken["is_camera"], taken["page"], taken["match"]) == (True, "table", 1)


def once_faulty(method: Callable[..., Any]) -> Callable[..., Any]:
    """Raises where it is called first."""
    faults = [KeyError("no such card")]

    def faulty(*args: Any) -> Any:
        if faults:
            raise faults.pop()
        return method(*args)

    return faulty


FAULT = "something went wrong in the game: KeyError"


def test_a_fault_of_a_game_is_told_and_the_table_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Such as one of another package: the thread that looks ended with it, and no page heard anything more."""
    monkeypatch.setattr(Director, "hear", once_faulty(Director.hear))
    monkeypatch.setattr(camera_view, "_AGAIN_S", 0.0)
    said = {9: (1, SayWord("set")), 11: (1, SayWord("set"))}
    played, shown = play(tmp_path, of_set(), {1: table(CARDS), 14: table(REST)}, said)
    assert FAULT in shown[10]["notice"]
    assert [one["score"] for one in played.showing()["players"]] == [0, 1]


def test_a_fault_in_what_is_shown_hides_nothing_that_comes_later(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What raised was told nothing more, and so no page was."""
    monkeypatch.setattr(camera_table, "camera_json", once_faulty(camera_json))
    played, shown = play(tmp_path, of_set(), {1: table(CARDS), 14: table(REST)}, CALL)
    assert FAULT in shown[1]["notice"]
    assert [one["score"] for one in played.showing()["players"]] == [0, 1]
    assert played.showing()["notice"] == "Bo: SET, +1"


class Unplugged(Frames):
    """Gives so many frames, and after them nothing but trouble until it is plugged in again."""

    def __init__(self, count: int, more: int) -> None:
        super().__init__(count)
        self._more, self.is_plugged_in = more, Signal()

    def poll(self, timeout_s: float) -> Frame | None:
        if self.index == self.count and not self.is_plugged_in.is_set():
            self.trouble = "it went away"
            self.is_plugged_in.wait(timeout_s)
            return None
        self.trouble, self.count = "", self.count + self._more * (self.index == self.count)
        return super().poll(timeout_s)


def test_the_time_of_a_caller_stands_on_pages_while_the_camera_is_unplugged(tmp_path: Path) -> None:
    """No time passes without pictures, and each page lets what is left of it run by itself."""
    store = Store(tmp_path / "matches.sqlite3", lambda: 0.0)
    source, over, came = Unplugged(12, 2), Signal(), Signal()

    def pace(snapshot: Snapshot) -> None:
        if snapshot.frame.index == 8:
            played.do(1, SayWord("set"))
        if snapshot.frame.index == 14:
            over.set()

    match = store.begin(of_set(), origin=Origin.CAMERA)
    played = CameraTable(store, match, source, tracker=lambda options, is_live, stack: Script({1: table(CARDS)}), pace=pace)  # type: ignore[arg-type,return-value]
    shown: list[Any] = []

    def listen() -> None:
        shown.append(played.showing())
        if shown[-1]["camera"]["trouble"]:
            came.set()

    played.listen(listen)
    try:
        assert came.wait(LONG_S)
        source.is_plugged_in.set()
        assert over.wait(LONG_S)
    finally:
        played.close()
    clocks = [(one["clock"]["stands"], one["camera"]["trouble"]) for one in shown if one["clock"] is not None]
    assert [one for one, before in pairwise([*clocks, None]) if one != before] == [(False, ""), (True, "it went away"), (False, "")]


@pytest.mark.parametrize("said", [SayWord("set"), SayWord("undo"), MakeMove(1, "call:1:0")])
def test_nobody_is_heard_before_the_first_picture(said: FromPage, tmp_path: Path) -> None:
    """A call that a phone's camera kept waiting began with its first picture, however long after, and cost a point."""
    store = Store(tmp_path / "matches.sqlite3", lambda: 0.0)
    source, over = Unplugged(0, 8), Signal()
    pace = lambda snapshot: over.set() if snapshot.frame.index == 8 else None  # noqa: E731
    match = store.begin(of_set(), origin=Origin.CAMERA)
    played = CameraTable(store, match, source, tracker=lambda options, is_live, stack: Script({1: table(CARDS)}), pace=pace)  # type: ignore[arg-type,return-value]
    try:
        with pytest.raises(RequestError) as error:
            played.do(None if said == SayWord("undo") else 1, said)
        assert error.value.why == "no_picture"
        source.is_plugged_in.set()
        assert over.wait(LONG_S)
    finally:
        played.close()
    assert [event.name for event in played.match.history.events] == ["deal"]


def test_a_take_is_explained_beside_its_cards_as_the_camera_saw_them(tmp_path: Path) -> None:
    played, _ = play(tmp_path, of_set(), {1: table(CARDS), 14: table(REST)}, CALL)
    line = played.showing()["log"][-1]
    assert [one["code"] for one in line["pieces"]] == [str(CARDS[place]) for place in TRIO]
    assert all(one["is_right"] for one in line["explain"])
    assert line["pictures"] == []  # the table of this test never says what changed


def test_a_card_that_was_not_read_is_seen_in_the_question_about_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same picture as long as it is asked about: no page loads it anew with each reading."""
    unread = table(CARDS)
    unread = replace(unread, sightings=(*unread.sightings[:4], replace(unread.sightings[4], piece=None), *unread.sightings[5:]))
    wanted = unread.sightings[4].track
    monkeypatch.setattr(PieceCrops, "of", lambda crops, track: np.full((90, 60, 3), 128, np.uint8) if track == wanted else None)
    read, answered = table(CARDS), {12: (None, SayWord("answer", number=1))}
    played, shown = play(tmp_path, of_set(), {1: unread, 16: read}, answered)
    asked = [question["picture"] for number in sorted(shown) if (question := shown[number]["question"]) is not None]
    assert len(asked) > 5
    assert len(set(asked)) == 1
    crop = played.exhibit(asked[0])
    assert crop is not None
    assert cv2.imdecode(np.frombuffer(crop, np.uint8), cv2.IMREAD_COLOR).shape == (90, 60, 3)
    assert shown[24]["question"] is None


def test_a_call_that_makes_no_sense_is_answered_to_all(tmp_path: Path) -> None:
    _, shown = play(tmp_path, of_set(), {1: table(CARDS)}, {9: (1, SayWord("set")), 10: (1, SayWord("no_set"))})
    assert "not allowed: agreement by Bo" in shown[12]["notice"]


def test_whoever_is_eager_calls_twice_and_nothing_comes_of_it(tmp_path: Path) -> None:
    played, shown = play(tmp_path, of_set(), {1: table(CARDS), 14: table(REST)}, {9: (1, SayWord("set")), 10: (1, SayWord("set"))})
    assert shown[12]["notice"] == ""
    assert [one["score"] for one in played.showing()["players"]] == [0, 1]


def test_a_hint_at_the_table_is_for_all_where_it_costs_nobody_a_point(tmp_path: Path) -> None:
    _, shown = play(tmp_path, of_set(), {1: table(CARDS)}, {9: (None, SayWord("hint"))})
    assert "there are 13 SETs" in [prompt["text"] for prompt in shown[12]["prompts"]]
    with pytest.raises(RequestError) as error:
        _refused(tmp_path, None, SayWord("hint"), hints="cost")
    assert error.value.why == "seat"


def test_the_host_takes_back_what_happened(tmp_path: Path) -> None:
    said = {**CALL, 18: (None, SayWord("undo"))}
    played, _ = play(tmp_path, of_set(), {1: table(CARDS), 14: table(REST)}, said)
    assert [one["score"] for one in played.showing()["players"]] == [0, 0]
    assert len(played.showing()["log"]) == 1


def test_who_took_cards_without_a_call_is_asked_and_answered_by_number(tmp_path: Path) -> None:
    said = {15: (0, SayWord("answer", number=1))}
    played, shown = play(tmp_path, of_set(), {1: table(CARDS), 6: table(REST)}, said)
    question = shown[14]["question"]
    assert "Who took" in question["text"]
    assert [one["text"] for one in question["options"]] == ["Ann", "Bo"]
    assert question["none"] == "nobody"
    assert shown[14]["prompts"][0]["text"] == "first answer the question"
    assert [one["score"] for one in played.showing()["players"]] == [1, 0]


def test_a_difference_is_settled_by_the_host(tmp_path: Path) -> None:
    """A thirteenth card lies there for good."""
    more = table((*CARDS, SET_DECK[40]))

    def say(played: CameraTable) -> None:
        is_told = played.showing()["differ_id"]
        played.do(None, SayWord("game", asked="other"))  # of a difference that somebody has settled already
        played.do(None, SayWord("game", asked=is_told))

    played, shown = play(tmp_path, of_set(), {1: table(CARDS), 6: more}, {20: (None, SayWord("game", asked="other")), 22: say}, frames=30)
    assert "13 cards" in shown[22]["differ"]
    told = [one["differ"] for one in shown.values()]
    assert any("13 cards" in one for one in told)
    assert played.showing()["differ"] == ""
    assert len(played.match.history.state.table) == 12


def test_who_opens_calls_first_by_a_choice_that_the_rules_do_not_have(tmp_path: Path) -> None:
    history = History.begin(cubed.GAME, None, ("Ann", "Bo"))
    played, shown = play(tmp_path, history, {}, {9: (1, MakeMove(2, "call:1:0", {}))})
    assert [(one["id"], one["label"]) for one in shown[1]["choices"] if one["is_said"]] == [
        ("call:0:0", "Ann: SET!"),
        ("call:1:0", "Bo: SET!"),
    ]
    assert played.showing()["notice"] == "Bo says SET first, and opens"


def test_a_button_that_two_press_is_pressed_once(tmp_path: Path) -> None:
    """P3: Ann's phone and the host's page circle row 1; the second press would circle row 2, whose button has its name by then."""
    two = tuple(
        Sighting(Kind.PIP_DIE, outline(Kind.PIP_DIE, (300.0 + 300 * track, 300.0)), PipDie(value), 1.0, None, track)
        for track, value in enumerate((2, 1), 1)
    )
    pressed: list[MakeMove] = []
    refused: list[str] = []

    def press(played: CameraTable) -> None:
        pressed.append(pressed[0] if pressed else MakeMove(played.version, "circle:0:0", {"bonus": 4}))
        try:
            played.do(None, pressed[-1])
        except RequestError as error:
            refused.append(error.why)

    history = History.begin(pip_sets.GAME, None, ("Ann", "Bo"))
    played, _ = play(tmp_path, history, {2: Table((1280, 720), two)}, {9: press, 14: press})
    assert refused == ["stale"]
    assert [event.name for event in played.match.history.events] == ["roll", "circle"]
    assert len(pressed) == 2


def test_two_equal_dice_that_nobody_has_seen_since_a_resume_are_two_in_a_dispute(tmp_path: Path) -> None:
    """Each has its answer, and is shown in that."""
    with Store(tmp_path / "matches.sqlite3", lambda: 0.0) as store:
        match = store.begin(History.begin(pip_sets.GAME, None, ("Ann", "Bo")), origin=Origin.CAMERA)
        store.append(match, pip_sets.Roll((6, 6)))
    _, shown = play(tmp_path, None, {}, {9: (None, SayWord("dispute"))}, resumed=1)
    asked = shown[20]
    assert [one["piece"]["text"] for one in asked["exhibits"]] == ["6", "6"]
    assert [one["text"] for one in asked["question"]["options"]] == ["6", "6"]


def test_a_die_that_was_thrown_since_is_not_shown_as_another_that_shows_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where nobody remembers how it looked, as after a resume, the latest picture of such a piece is all there is."""
    monkeypatch.setattr(PieceCrops, "of_piece", lambda crops, piece: np.full((90, 60, 3), 128, np.uint8))
    played, _ = play(tmp_path, of_set(), {1: table(CARDS)}, {})
    assert played._seen_then(Exhibit(PipDie(6), 0.98)) is None
    assert played._seen_then(Exhibit(PipDie(6))) is not None


def test_a_match_goes_on_where_it_stopped(tmp_path: Path) -> None:
    play(tmp_path, of_set(), {1: table(CARDS)}, {})
    played, _ = play(tmp_path, None, {1: table(CARDS), 14: table(REST)}, CALL, resumed=1)
    assert [event.name for event in played.match.history.events] == ["deal", "call", "take"]
    assert [one["score"] for one in played.showing()["players"]] == [0, 1]


@pytest.mark.parametrize(
    ("player", "message", "why"),
    [
        (None, SayWord("set"), "seat"),
        (1, SayWord("undo"), "host"),
        (1, SayWord("table"), "host"),
        (1, SayWord("answer"), "values"),
        (None, SayWord("set", player=7), "seat"),
        (0, MakeMove(2, "call:1:0"), "seat"),
        (0, MakeMove(1, "sing:1:0"), "stale"),
        (None, MoveZones([WireZone("hand 1", (0, 0, 1, 1))]), "zones"),
        (1, MoveZones([]), "host"),
    ],
)
def test_what_is_not_for_a_seat_is_refused(tmp_path: Path, player: int | None, message: FromPage, why: str) -> None:
    with pytest.raises(RequestError) as error:
        _refused(tmp_path, player, message)
    assert error.value.why == why


def _refused(folder: Path, player: int | None, message: FromPage, **more: Any) -> None:
    store = Store(folder / "matches.sqlite3", lambda: 0.0)
    begun = Signal()
    match = store.begin(of_set(), origin=Origin.CAMERA)
    tables = {1: table(CARDS)}
    played = CameraTable(
        store,
        match,
        Frames(6),
        tracker=lambda options, is_live, stack: Script(tables),  # type: ignore[arg-type,return-value]
        pace=lambda snapshot: begun.set() if snapshot.frame.index == 6 else None,
        **more,
    )
    try:
        assert begun.wait(LONG_S)
        played.do(player, message)
    finally:
        played.close()


def test_zones_are_dragged_by_the_host_and_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VISIONSET_CONFIG", str(tmp_path))
    history = History.begin(english_sets.GAME, None, ("Ann", "Bo"))
    moved = WireZone(PACK_ZONE, (0.1, 0.41, 0.5, 0.59))
    played, shown = play(tmp_path, history, {}, {3: (None, MoveZones([moved]))}, frames=6)
    assert [one["name"] for one in shown[1]["zones"]] == [zone.name for zone in ENGLISH_ZONES.zones]
    assert {"hand of Ann", "graveyard of Bo", "pack"} < {one["text"] for one in shown[1]["zones"]}
    assert "hand of Bo" in [mark["text"] for mark in shown[1]["camera"]["marks"]]
    boxes = {one["name"]: one["box"] for one in played.showing()["zones"]}
    assert boxes[PACK_ZONE] == [0.1, 0.41, 0.5, 0.59]
    assert Zones.load(zones_path(referee_of("english-sets"))) == ENGLISH_ZONES.moved(PACK_ZONE, 0.1, 0.41, 0.5, 0.59)


def test_cards_in_the_zones_of_pack_and_heap_are_none_of_the_layout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VISIONSET_CONFIG", str(tmp_path))
    stray = SET_DECK[40]
    lying = table((*CARDS, stray))
    left, top = lying.sightings[-1].center_px / lying.size_px - 0.02
    around = (round(float(left), 4), round(float(top), 4), round(float(left) + 0.04, 4), round(float(top) + 0.04, 4))
    said: dict[int, tuple[int | None, FromPage]] = {
        20: (None, MoveZones([WireZone(HEAP_ZONE, around)])),
        30: (None, MoveZones([WireZone(HEAP_ZONE, None)])),
    }
    played, shown = play(tmp_path, of_set(), {1: table(CARDS), 6: lying}, said, frames=40)
    assert [(one["name"], one["box"], one["is_optional"]) for one in shown[1]["zones"]] == [("pack", None, True), ("heap", None, True)]
    assert "13 cards" in shown[19]["differ"]
    assert shown[28]["differ"] == ""
    assert [one["box"] for one in shown[28]["zones"]] == [None, list(around)]
    assert [one["text"] for one in shown[28]["camera"]["marks"] if one["tone"] == "zone"] == ["rubbish heap"]
    assert "13 cards" in shown[39]["differ"]
    assert played.match.history.state.scores == (0, 0)
    assert Zones.load(zones_path(referee_of("set"))) == Zones(())


def test_zones_of_cards_are_kept_apart_from_those_of_other_games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VISIONSET_CONFIG", str(tmp_path))
    ENGLISH_ZONES.save(zones_path(referee_of("english-sets")))
    put = MoveZones([WireZone(PACK_ZONE, (0.0, 0.9, 0.1, 1.0))])
    play(tmp_path, of_set(), {1: table(CARDS)}, {3: (None, put)}, frames=8)
    _, shown = play(tmp_path, of_set(), {1: table(CARDS)}, {}, frames=8)
    assert [one["box"] for one in shown[1]["zones"]] == [[0.0, 0.9, 0.1, 1.0], None]
    assert Zones.load(zones_path(referee_of("english-sets"))) == ENGLISH_ZONES


def test_frames_that_change_nothing_make_no_new_version(tmp_path: Path) -> None:
    played, _ = play(tmp_path, of_set(), {1: table(CARDS)}, {}, frames=200)
    assert played.version < 10


def test_pictures_come_while_the_match_is_played(tmp_path: Path) -> None:
    got: list[bytes] = []
    came = Signal()

    def done(message: bytes) -> None:
        got.append(message)
        came.set()

    store = Store(tmp_path / "matches.sqlite3", lambda: 0.0)
    match = store.begin(of_set(), origin=Origin.CAMERA)
    played = CameraTable(store, match, Frames(6), tracker=lambda options, is_live, stack: Script({}))  # type: ignore[arg-type,return-value]
    try:
        played.pictures.ask(600, 0, done)
        assert came.wait(LONG_S)
    finally:
        played.close()
    assert cv2.imdecode(np.frombuffer(got[0][16:], np.uint8), cv2.IMREAD_COLOR).shape == (360, 640, 3)


@pytest.mark.parametrize(
    ("to", "players"),
    [
        ("Bo", [1]),
        (Message("to.all_but", name="Bob"), [0, 1]),
        (Message("to.dealer_who_plays", name="Bob"), [2]),
        (Message("to.either", names=("Ann", "Bo")), [0, 1]),
        (EVERYONE, []),
        (DEALER, []),
    ],
)
def test_a_prompt_is_for_those_who_are_named_and_for_nobody_whose_name_is_in_theirs(to: Words, players: list[int]) -> None:
    assert prompt_json(to, "call", ("Ann", "Bo", "Bob"))["players"] == players


def test_the_end_tells_whose_place_each_is() -> None:
    history = History.begin(pip_sets.GAME, pip_sets.PipSetsOptions(turns=1), ("Ann", "Bo"))
    for event in (pip_sets.Roll((1, 2)), pip_sets.EndTurn(0), pip_sets.EndTurn(1)):
        history = history.then(event)
    told = history_json(history)
    assert told["over"]["text"] == "Ann: -24 points, place 1 of this match; Bo: -24 points, place 1 of this match"
    assert told["view"][0]["title"] == "all turns are played"
