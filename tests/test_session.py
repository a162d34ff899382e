"""A session: what goes in, what comes out, and what listeners may rely on."""

from __future__ import annotations

import math
import pickle
from collections.abc import Iterator
from dataclasses import FrozenInstanceError, replace
from itertools import combinations
from threading import Event as Signal
from threading import Thread
from typing import Any

import numpy as np
import pytest

from tests.builders import NINE, ONE_SET, Clock, FakeTracker, deal, picture, thrown_set_dice
from tests.referee.scripted import CARDS, TRIO, Frames, Script, table
from tests.referee.tabletop import outline
from visionset.calibration import Calibration, Lens
from visionset.errors import OptionError, OutputError, RecordError
from visionset.games.base import Event
from visionset.games.english_sets import rules as english_sets
from visionset.games.english_sets.referee import EnglishSetsReferee
from visionset.games.english_sets.rules import HAND
from visionset.games.game import History
from visionset.games.set_cards import rules as set_cards
from visionset.games.set_cards.referee import SetCardsReferee
from visionset.games.sets import is_set
from visionset.geometry import Frame
from visionset.messages import Message
from visionset.overlay import Reveal, View
from visionset.overlay.painter import TablePainter, caption_of
from visionset.pieces import PACK, SET_DIE_FACES, Kind, PipDie, SetCard
from visionset.referee.director import Director
from visionset.referee.game_tracker import Log
from visionset.referee.news import Happened, News, Refused, TakenBack
from visionset.referee.player_input import Answer, CallSet, Dispute, Move, NoSet, Undo
from visionset.referee.zones import ENGLISH_ZONES, Zone, Zones, ZoneUnits, hand_zone
from visionset.session import Session, SessionOptions, Snapshot
from visionset.sources import Guarded, Photos
from visionset.table import Moved, Settled, Sighting, Table
from visionset.table_sets import MOST_LISTED, sets_on_table

NOTHING = Photos([])
"""A source for those who bring frames themselves."""


def cards(*names: str) -> list[SetCard | None]:
    return [None if name == "?" else SetCard.parse(name) for name in names]


def of_set(frames: int = 24) -> tuple[Session, Director]:
    """Two people and twelve cards, of which a SET is gone from the twelfth frame on."""
    rest = tuple(card for place, card in enumerate(CARDS) if place not in TRIO)
    director = Director(History.begin(set_cards.GAME, None, ("Ann", "Bo")), SetCardsReferee())
    return Session(Frames(frames), Script({1: table(CARDS), 12: table(rest)}), director), director


@pytest.mark.parametrize("gap_s", [0.5, 3600])
def test_a_camera_that_was_away_takes_nobodys_time(gap_s: float) -> None:
    """Ann calls, the camera sends nothing for a while, and her three cards are gone when it is back."""
    session, director = of_set()
    rest = tuple(card for place, card in enumerate(CARDS) if place not in TRIO)
    session = Session(NOTHING, Script({1: table(CARDS), 12: table(rest)}), director)
    image = np.zeros((72, 128, 3), np.uint8)
    for number in range(24):
        time_s = number / 4 + (gap_s if number > 10 else 0)
        if number == 5:
            session.say(CallSet(0))
        if number == 11:  # the camera is back, and somebody has pressed a key
            session.say(Dispute())
        session.look(Frame(image, number, time_s))
    assert director.history.state.scores == (1, 0)


def test_a_camera_that_shows_the_same_picture_takes_nobodys_time() -> None:
    """Ann calls, the camera stands still while she takes her cards, and goes on after a minute."""
    rest = tuple(card for place, card in enumerate(CARDS) if place not in TRIO)
    director, clock = Director(History.begin(set_cards.GAME, None, ("Ann", "Bo")), SetCardsReferee()), Clock()

    def frames() -> Iterator[Frame]:
        for number in range(300):
            clock.now_s += 0.25
            is_same = 24 <= number < 264
            yield Frame(np.full((72, 128, 3), 100 if is_same else number % 250, np.uint8), number, number / 4)

    source = Guarded(frames(), clock=clock)
    session = Session(source, Script({1: table(CARDS), 264: table(rest)}), director)
    session.say(CallSet(0), 5.5)
    session.run()
    assert director.history.state.scores == (1, 0)


@pytest.mark.parametrize(
    ("said", "time_s"),
    [
        (CallSet("x"), None),
        (CallSet(None), None),
        (NoSet(1.5), None),
        (Move("x"), None),
        (Move(set_cards.Call("x")), None),
        (Move(set_cards.Call), None),
        (Move(Undo()), None),
        (Answer("1"), None),
        ("call", None),
        (CallSet, None),
        (Undo(), "2.5"),
        (Undo(), math.nan),
    ],
)
def test_what_nobody_can_say_is_refused_where_it_is_said(said: Any, time_s: Any) -> None:
    session, director = of_set()
    with pytest.raises(OptionError, match=r"^expected [^\n]+$"):
        session.say(said, time_s)
    session.say(CallSet(7), 2.0)  # no seat of this game, as the news tell
    session.run()
    assert director.history.state.scores == (0, 0)


def test_what_listens_to_nothing_and_what_are_no_zones_are_refused_where_they_are_given() -> None:
    session, _ = of_set()
    with pytest.raises(OptionError, match="expected a listener"):
        session.listen("print")  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="expected Zones"):
        session.rearrange("zones.toml")  # type: ignore[arg-type]
    session.run()


def test_unread_cards_keep_their_place() -> None:
    assert sets_on_table(cards("?", *ONE_SET)) == ((1, 2, 3),)


def test_other_pieces_take_no_part() -> None:
    assert sets_on_table([PipDie(3), *cards(*ONE_SET)]) == ((1, 2, 3),)


def test_a_card_twice_is_a_misreading_with_one_deck_and_a_copy_with_two() -> None:
    pieces = cards(*ONE_SET, ONE_SET[1])
    assert sets_on_table(pieces) == ()
    assert sets_on_table(pieces, decks=2) == ((0, 1, 2), (0, 2, 3))


def test_a_snapshot_holds_everything_about_a_moment_and_never_changes() -> None:
    seen = deal(NINE)
    frame = Frame(picture(seen), 7, 0.5)
    snapshot = Session(NOTHING, FakeTracker(seen)).look(frame)
    assert (snapshot.version, snapshot.frame, snapshot.table, snapshot.is_fresh) == (1, frame, seen, True)
    assert snapshot.sets == sets_on_table(seen.pieces)
    assert (snapshot.history, snapshot.showing, snapshot.zones) == (None, None, None)
    assert list(snapshot.timings_ms) == ["motion", "read", "SETs", "all"]
    with pytest.raises(FrozenInstanceError):
        snapshot.version = 2  # type: ignore[misc]
    with pytest.raises(TypeError):
        snapshot.timings_ms["all"] = 0.0  # type: ignore[index]
    elsewhere = pickle.loads(pickle.dumps(snapshot))  # as for a listener in another process
    assert (elsewhere.sets, elsewhere.timings_ms) == (snapshot.sets, snapshot.timings_ms)
    with pytest.raises(TypeError):
        elsewhere.timings_ms["all"] = 0.0


def test_a_table_of_many_dice_counts_all_its_sets() -> None:
    faces = (*SET_DIE_FACES[:27], *SET_DIE_FACES[:8])
    dice = thrown_set_dice([str(face) for face in faces])
    snapshot = Session(NOTHING, FakeTracker(Table((640, 480), dice))).look(Frame(np.zeros((480, 640, 3), np.uint8), 0, 0.0))
    count = sum(is_set(*trio) for trio in combinations(faces, 3))
    assert count > len(snapshot.sets) == MOST_LISTED
    text, _ = caption_of(snapshot.settled, snapshot.sets, snapshot.found.count, 0.0, View())
    assert f"{count} SETs, 8 drawn" in text


def test_a_table_is_called_held_only_when_that_lasts() -> None:
    tracker = FakeTracker(deal(NINE))
    session = Session(NOTHING, tracker)
    told = []
    for index in range(12):
        tracker.held = 2 <= index < 9
        snapshot = session.look(Frame(picture(tracker.table), index, index / 10))
        told.append(caption_of(snapshot.settled, snapshot.sets, snapshot.found.count, snapshot.held_s, View())[0])
    plain = told[0]
    assert [text == plain for text in told] == [not 4 <= index < 9 for index in range(12)]
    assert told[8] == f"{plain} · held while something moves"


def test_a_table_that_was_not_read_yet_is_not_called_empty() -> None:
    empty, awaited = Table((640, 480)), ((True, False), (False, True), (False, False))
    told = [caption_of(Settled(empty, passing=passing, held=held), (), 0, 0.0, View()) for passing, held in awaited]
    assert told == [("still reading, no card and no die seen yet", False)] * 2 + [("no card and no die in sight", False)]


def test_remarks_take_the_place_of_the_count_while_they_matter() -> None:
    nine = deal(NINE)
    sets = sets_on_table(nine.pieces)
    remarks = ("a hand is in the way", "the camera moved")
    assert caption_of(Settled(nine, remarks=remarks), sets, 1, 0.0, View()) == ("a hand is in the way", True)
    assert caption_of(Settled(nine), sets, 1, 0.0, View()) == ("9 cards (1 not sure) · 1 SET", False)


def test_pace_is_measured_over_frames() -> None:
    clock = Clock(step_s=0.01)  # looked at three times a frame
    seen = deal(NINE)
    session = Session(NOTHING, FakeTracker(seen), clock=clock)
    shots = [session.look(Frame(picture(seen), index)) for index in range(50)]
    assert shots[0].fps == 0
    assert shots[-1].fps == pytest.approx(1 / 0.03)
    assert shots[-1].timings_ms["all"] == pytest.approx(20.0)


def test_drawing_leaves_the_frame_alone_and_follows_the_view() -> None:
    seen = deal(NINE, (640, 360), 90, 20)
    image, painter = picture(seen), TablePainter()
    sets, kept = sets_on_table(seen.pieces), picture(seen)
    plain, hinted = (painter.paint(image, Settled(seen), sets, View(hint=hint)) for hint in (Reveal.OFF, Reveal.ALL))
    assert np.array_equal(image, kept)
    assert (plain != image).any()
    assert (plain != hinted).any()
    assert np.array_equal(painter.paint(image, Settled(seen), sets, View(hint=Reveal.OFF)), plain)
    assert painter.paint(image, Settled(seen), sets, View(quarter_turns=1)).shape == (640, 360, 3)


def test_a_table_that_did_not_change_is_not_laid_out_again(monkeypatch: pytest.MonkeyPatch) -> None:
    from visionset.overlay import painter as module

    calls: list[View] = []
    draw = module.draw_table
    monkeypatch.setattr(module, "draw_table", lambda table, sets, view: calls.append(view) or draw(table, sets, view))
    seen, painter = deal(NINE), TablePainter()
    for _ in range(5):
        painter.paint(picture(seen), Settled(seen), (), View())
    assert len(calls) == 1
    painter.paint(picture(seen), Settled(seen), (), View(labels=False))
    assert len(calls) == 2


def test_sets_are_found_once_for_each_settled_table(monkeypatch: pytest.MonkeyPatch) -> None:
    """Frames, a hand, and a camera that moves change nothing; a card that does, and one that is moved, are looked at."""
    from visionset.session import snapshot as module

    asked: list[Table] = []
    find = module.sets_of
    monkeypatch.setattr(module, "sets_of", lambda table, decks: asked.append(table) or find(table, decks))
    tracked = Table((1280, 720), tuple(replace(one, track=at) for at, one in enumerate(deal(NINE).sightings)))
    shifted = replace(tracked, sightings=tuple(replace(one, outline_px=one.outline_px + 9) for one in tracked.sightings))
    moved = Moved(tracked.sightings[0], shifted.sightings[0])

    class Told(FakeTracker):
        def __init__(self, told: list[Settled]) -> None:
            super().__init__(tracked)
            self.told = told

        def see(self, frame: Frame) -> Settled:
            return self.told.pop(0)

    lasting = [Settled(tracked), Settled(tracked, held=True), Settled(tracked), Settled(shifted), Settled(shifted)]
    session = Session(NOTHING, Told([*lasting, Settled(shifted, changes=(moved,)), Settled(deal(ONE_SET))]))
    shots = [session.look(Frame(picture(tracked), index)) for index in range(7)]
    assert [len(one.sets) for one in shots] == [1] * 7
    assert len(asked) == 3


def test_of_a_game_sets_are_found_when_somebody_asks(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    monkeypatch.setattr("visionset.session.snapshot.sets_of", lambda table, decks: asked.append(1))
    of_set(6)[0].run()
    assert not asked


def test_what_people_say_goes_in_and_news_come_out_in_the_order_of_the_log() -> None:
    session, director = of_set()
    news: list[News] = []
    versions: list[int] = []

    def listen(snapshot: Snapshot, told: tuple[News, ...]) -> None:
        news.extend(told)
        versions.append(snapshot.version)
        assert snapshot.history is not None
        assert not told or snapshot.history.state in [getattr(one, "state", snapshot.history.state) for one in told]

    session.listen(listen)
    session.say(CallSet(1), 2.5)
    session.say(NoSet(1), 2.6)
    session.say(Undo(), 5.0)
    session.run()
    assert [type(one).__name__ for one in news] == ["Happened", "Happened", "Refused", "Happened", "TakenBack", "TakenBack"]
    assert [one.event.name for one in news if isinstance(one, Happened)] == ["deal", "call", "take"]
    assert [tuple(one.state.scores) for one in news if isinstance(one, Happened | TakenBack)] == [(0, 0), (0, 0), (0, 1), (0, 0), (0, 0)]
    assert next(one for one in news if isinstance(one, Refused)).said == NoSet(1)
    assert versions == list(range(1, len(versions) + 1))
    assert director.state.scores == (0, 0)


def test_people_speak_from_any_thread() -> None:
    """Each of many threads says something of its own; all of it is heard, once, by the thread that looks."""
    session, director = of_set(400)
    heard: list[object] = []
    director.hear = lambda said, time_s: heard.append(said) or ()  # type: ignore[method-assign]
    people = [Thread(target=lambda seat=seat: [session.say(CallSet(seat)) for _ in range(50)]) for seat in range(4)]
    for one in people:
        one.start()
    session.run()
    for one in people:
        one.join()
    session.look(Frame(np.zeros((720, 1280, 3), np.uint8), 999, 999.0))
    assert sorted(one.player for one in heard) == sorted([0, 1, 2, 3] * 50)  # type: ignore[attr-defined]


NO_ROOM = Message("disk.no_matches", path="matches.sqlite", error="database or disk is full")


class Full(Log):
    """Keeps nothing until there is room."""

    def __init__(self) -> None:
        self.has_room = False

    def append(self, event: Event) -> None:
        if not self.has_room:
            raise OutputError(NO_ROOM)


def test_a_full_disk_is_told_until_something_is_kept_again() -> None:
    log = Full()
    director = Director(History.begin(set_cards.GAME, None, ("Ann", "Bo")), SetCardsReferee(), log)
    session = Session(NOTHING, Script({1: table(CARDS)}), director)
    image, troubles = np.zeros((72, 128, 3), np.uint8), []
    for number in range(1, 20):
        if number == 5:  # what is refused keeps nothing either
            session.say(CallSet(0))
            heard = session.step()
            assert heard is not None
            assert heard.trouble == NO_ROOM
        log.has_room = number > 12
        troubles.append(session.look(Frame(image, number, number / 4)).trouble)
    assert troubles[:12] == [NO_ROOM] * 12
    assert troubles[13:] == [""] * 6
    assert [event.name for event in director.history.events] == ["deal"]


def test_a_listener_that_raises_is_complained_of_once_and_stops_nothing() -> None:
    said: list[str] = []
    session, director = of_set()
    session._complain = said.append
    calls: list[int] = []

    def broken(snapshot: Snapshot, news: tuple[News, ...]) -> None:
        calls.append(snapshot.version)
        raise OutputError("no room")

    after: list[int] = []
    session.listen(broken)
    session.listen(lambda snapshot, news: after.append(snapshot.version))
    session.run()
    assert calls == [1]
    assert len(after) == 24
    assert len(said) == 1
    assert said[0].endswith("broken gave up: no room")
    assert [str(error) for error in session.gave_up] == ["no room"]
    assert [event.name for event in director.history.events][:1] == ["deal"]


def test_a_slow_listener_aside_gets_the_newest_snapshot_and_all_news() -> None:
    """It hangs in its first call until the game is over: then it is given the last snapshot, and every event since."""
    session, director = of_set()
    over, begun = Signal(), Signal()
    calls: list[tuple[int, tuple[News, ...]]] = []

    def slow(snapshot: Snapshot, news: tuple[News, ...]) -> None:
        calls.append((snapshot.version, news))
        begun.set()
        assert over.wait(60)

    with session:
        session.listen(slow, aside=True)
        session.step()
        assert begun.wait(60)
        session.say(CallSet(1), 2.5)
        session.run()
        over.set()
    newest = session.snapshot
    assert newest is not None
    assert [version for version, _ in calls] == [1, newest.version]
    told = [one.event for _, news in calls for one in news if isinstance(one, Happened)]
    assert told == list(director.history.events)
    assert not session.gave_up


def test_a_listener_aside_that_hangs_does_not_keep_a_session_from_closing() -> None:
    session, _ = of_set(3)
    session.options = replace(session.options, patience_s=0.01)
    free = Signal()
    session.listen(lambda snapshot, news: free.wait(60), aside=True)
    session.run()
    session.close()
    session.close()
    free.set()


def test_a_listener_aside_may_close_the_session() -> None:
    session, _ = of_set(3)
    closed = Signal()

    def enough(snapshot: Snapshot, news: tuple[News, ...]) -> None:
        session.close()
        closed.set()

    session.listen(enough, aside=True)
    session.step()
    assert closed.wait(60)
    session.run()
    assert (session.frames, session.gave_up) == (1, ())


def test_who_listens_no_more_is_told_nothing() -> None:
    session, _ = of_set(4)
    calls: list[int] = []

    def listen(snapshot: Snapshot, news: tuple[News, ...]) -> None:
        calls.append(snapshot.version)

    session.listen(listen)
    session.step()
    session.unlisten(listen)
    session.run()
    assert calls == [1]


def test_listeners_may_speak_and_stop() -> None:
    session, director = of_set()

    def player(snapshot: Snapshot, news: tuple[News, ...]) -> None:
        if snapshot.frame.index == 9:
            session.say(CallSet(0))
        if director.state.scores == (1, 0):
            session.stop()

    session.listen(player)
    session.run()
    assert director.state.scores == (1, 0)
    assert session.frames == 12


def test_two_sessions_in_one_process_share_nothing() -> None:
    (one, ann), (other, bo) = of_set(), of_set()
    one.say(CallSet(0), 2.5)
    other.say(CallSet(1), 2.5)
    while not (one.is_over and other.is_over):
        one.step()
        other.step()
    assert (ann.state.scores, bo.state.scores) == ((1, 0), (0, 1))
    assert one.snapshot is not None
    assert other.snapshot is not None
    assert one.snapshot.version == other.snapshot.version


def test_while_a_session_is_paused_no_frame_is_taken_and_people_are_heard() -> None:
    session, director = of_set()
    session.step()
    session.pause(True)
    assert session.step() is None
    session.say(CallSet(1))
    told = session.step()
    assert told is not None
    assert not told.is_fresh
    assert (session.frames, director.history.events[-1].name) == (1, "call")
    session.pause(False)
    session.step()
    assert session.frames == 2


PLANE = (2.0, 0.5, 640.0, -0.25, 1.5, 360.0, 0.0, 0.0005, 1.0)
"""Two pixels a millimetre, seen askew."""


def profile(**more: object) -> Calibration:
    lens = Lens((900.0, 900.0), (640.0, 360.0), (-0.2, 0.05, 0.0, 0.0, 0.0))
    return Calibration("table", "camera 0", (1280, 720), **{"lens": lens, "image_from_table": PLANE, **more})  # type: ignore[arg-type]


def in_millimetres(known: Calibration) -> Zones:
    """The usual zones as they would be measured on the table."""
    boxes = []
    for zone in ENGLISH_ZONES.zones:
        corners = known.table_mm(ENGLISH_ZONES.outline_px(zone.name, (1280, 720)))
        middle = corners.mean(axis=0)
        half = np.abs(corners - middle).min(axis=0) * 0.9
        boxes.append(Zone(zone.name, *(float(value) for value in (*(middle - half), *(middle + half)))))
    return Zones(tuple(boxes), ZoneUnits.TABLE)


def test_zones_in_millimetres_are_placed_by_the_profile() -> None:
    """Rule E2: two hands of four lie in the zones of the hands, whose numbers are millimetres on the table."""
    known = profile()
    zones = in_millimetres(known)
    seen = []
    for player in range(2):
        hand = next(zone for zone in zones.zones if zone.name == hand_zone(player))
        for place in range(HAND):
            at_mm = np.array([[hand.left + (place + 0.5) / HAND * (hand.right - hand.left), (hand.top + hand.bottom) / 2]])
            at_px = known.image_px(at_mm)[0]
            number = HAND * player + place
            kind = Kind.PLAYING_CARD
            seen.append(Sighting(kind, outline(kind, (float(at_px[0]), float(at_px[1]))), PACK[number * 3], 1.0, None, number))
    director = Director(History.begin(english_sets.GAME, None, ("Ann", "Bo")), EnglishSetsReferee(zones=zones))
    session = Session(Frames(8), Script({1: Table((1280, 720), tuple(seen))}), director, SessionOptions(profile=known))
    session.run()
    assert [event.name for event in director.history.events] == ["deal"]
    assert {card for hand in director.state.hands for card in hand} == {PACK[number * 3] for number in range(2 * HAND)}


@pytest.mark.parametrize("known", [None, profile(image_from_table=None)])
def test_zones_in_millimetres_without_a_table_plane_are_refused_before_the_game(known: Calibration | None) -> None:
    zones = in_millimetres(profile())
    director = Director(History.begin(english_sets.GAME, None, ("Ann", "Bo")), EnglishSetsReferee(zones=zones))
    options = SessionOptions(profile=known)
    with pytest.raises(RecordError, match="expected a calibrated camera"):
        Session(NOTHING, Script({}), director, options)
