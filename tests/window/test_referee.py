"""The window of a refereed game: what is drawn, keys, clicks, and a log that cannot be written."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from tests.referee.tabletop import outline
from tests.referee.test_set_cards import spot
from visionset.commands.watching import recording_in
from visionset.errors import OutputError
from visionset.frame import Frame
from visionset.games.base import Event
from visionset.games.english_sets import rules as english_sets
from visionset.games.english_sets.referee import EnglishSetsReferee
from visionset.games.game import History
from visionset.games.pip_sets import rules as pip_sets
from visionset.games.pip_sets.referee import PipSetsReferee
from visionset.games.pip_sets.rules import Circle, EndTurn, Roll
from visionset.games.set_cards import rules as set_cards
from visionset.games.set_cards.referee import SetCardsReferee
from visionset.games.sets import find_sets
from visionset.overlay.showing import draw_showing
from visionset.pieces import SET_DECK, Kind, Piece
from visionset.recording import Heading, Recorder, Recording
from visionset.referee.director import Director
from visionset.referee.player_input import (
    Answer,
    AskHint,
    CallSet,
    Dispute,
    GameIsRight,
    Move,
    Next,
    NoSet,
    Said,
    TableIsRight,
    Timed,
    Undo,
)
from visionset.referee.standing import Log
from visionset.referee.terms import Happened, Mark, Option, Question, Showing, Told, Tone
from visionset.referee.zones import ENGLISH_ZONES, PACK_ZONE, Zone
from visionset.session import Session
from visionset.sources.base import Source
from visionset.table import Settled, Sighting, Table
from visionset.window.referee import GamePresenter
from visionset.window.seats import SeatKeys, press_seat_key
from visionset.window.window import Window
from visionset.window.zone_drag import Pull

CARDS = SET_DECK[:12]
TRIO = find_sets(CARDS)[0]


def table(cards: tuple[Piece, ...]) -> Table:
    return Table(
        (1280, 720),
        tuple(
            Sighting(Kind.SET_CARD, outline(Kind.SET_CARD, spot(SET_DECK.index(card))), card, 1.0, None, SET_DECK.index(card))
            for card in cards
        ),  # type: ignore[arg-type]
    )


class Frames(Source):
    """So many frames, four a second."""

    name, fps = "clip", 0.0

    def __init__(self, count: int) -> None:
        self.count, self.index = count, 0

    def poll(self, timeout_s: float) -> Frame | None:
        if self.index >= self.count:
            self.ended = True
            return None
        self.index += 1
        return Frame(np.zeros((720, 1280, 3), np.uint8), self.index, self.index / 4)


class Script:
    """Follows a table that is told by the number of the frame."""

    def __init__(self, tables: dict[int, Table]) -> None:
        self.tables, self.now = tables, Table((1280, 720))
        self.excluded: list[frozenset[Piece]] = []
        self.timings_ms: dict[str, float] = {}

    def see(self, frame: Frame) -> Settled:
        self.now = self.tables.get(frame.index, self.now)
        return Settled(self.now)

    def correct(self, track: int, piece: Piece) -> None:
        raise AssertionError("nothing to correct")

    def exclude(self, pieces: Any) -> None:
        self.excluded.append(frozenset(pieces))


class Screen:
    """Keys and clicks by the number of the picture."""

    def __init__(
        self, keys: dict[int, int], clicks: dict[int, tuple[float, float]] | None = None, pulls: dict[int, Pull] | None = None
    ) -> None:
        self.keys, self.clicks, self.pulls, self.shown = keys, clicks or {}, pulls or {}, 0
        self.pictures: list[np.ndarray] = []

    def show(self, image_bgr: np.ndarray) -> None:
        self.shown += 1
        self.pictures.append(image_bgr)

    def key(self, wait_s: float) -> int:
        return self.keys.get(self.shown, -1)

    def click(self) -> tuple[float, float] | None:
        return self.clicks.get(self.shown)

    def pull(self) -> Pull | None:
        return self.pulls.get(self.shown)

    def is_open(self) -> bool:
        return True


def play(screen: Screen | None, script: tuple[Timed, ...] = (), log: Any = None, frames: int = 24) -> tuple[Director, Script, list[Event]]:
    rest = tuple(card for place, card in enumerate(CARDS) if place not in TRIO)
    tracker = Script({1: table(CARDS), 12: table(rest)})
    director = Director(History.begin(set_cards.GAME, None, ("Ann", "Bo")), SetCardsReferee(), log)
    told: list[Event] = []
    said: list[str] = []
    session = Session(Frames(frames), tracker, director, complain=said.append)
    session.listen(lambda snapshot, news: told.extend(one.event for one in news if isinstance(one, Happened)))
    for one in script:
        session.say(one.said, one.time_s)
    Window(session, GamePresenter(session), screen).run()
    assert said == (["full"] if log else [])
    return director, tracker, told


def test_a_key_calls_and_the_cards_that_left_are_the_callers() -> None:
    screen = Screen({9: ord("s")})
    director, tracker, told = play(screen)
    assert [event.name for event in told] == ["deal", "call", "take"]
    assert director.state.scores == (0, 1)
    assert tracker.excluded[-1] == frozenset(CARDS[place] for place in TRIO)
    assert not np.array_equal(screen.pictures[2], screen.pictures[-1])


def test_a_click_on_a_name_calls() -> None:
    director = Director(History.begin(set_cards.GAME, None, ("Ann", "Bo")), SetCardsReferee())
    board = draw_showing(director.showing, ("Ann", "Bo"), (1280, 720))
    box = next(target.box for target in board.targets if target.said == CallSet(1))
    director, _, told = play(Screen({}, {9: box.center}))
    assert [event.name for event in told] == ["deal", "call", "take"]
    assert director.state.scores == (0, 1)


def test_a_script_says_it_without_a_window() -> None:
    director, _, _ = play(None, (Timed(2.5, CallSet(1)),))
    assert director.state.scores == (0, 1)


def test_a_full_disk_stops_the_game_until_there_is_room() -> None:
    class Full(Log):
        left = 3

        def append(self, event: Event) -> None:
            if Full.left and event.name == "take":
                Full.left -= 1
                raise OutputError("full")

    director, _, told = play(None, (Timed(2.5, CallSet(1)),), Full())
    assert [event.name for event in told] == ["deal", "call", "take"]
    assert director.state.scores == (0, 1)


def test_everything_that_is_shown_is_drawn_and_answers_are_clicked() -> None:
    quad = np.array([[500.0, 300.0], [600.0, 300.0], [600.0, 360.0], [500.0, 360.0]])
    question = Question(("piece", 1), "What is the card at top left?", (Option("one", 1), Option("two", 2)), (1,))
    marks = tuple(Mark(quad + 20 * number, tone, "+3") for number, tone in enumerate(Tone))
    asked = draw_showing(
        Showing((Told("All", "play"),), "SET, +1", question, "", marks, ("Ann\t3",), ("1\t1 1",), ("it is dark",)), ("Ann",), (1280, 720)
    )
    box = next(target.box for target in asked.targets if target.said == Answer(2))
    assert asked.clicked(*box.center) == Answer(2)
    assert asked.clicked(1279, 719) is None
    frozen = draw_showing(Showing(question=question, differ="13 cards lie where 12 belong"), ("Ann",), (640, 360))
    assert {type(target.said) for target in frozen.targets} == {TableIsRight, GameIsRight}
    for board in (asked, frozen):
        from visionset.overlay import paint

        picture = paint(board.drawing, np.full((board.drawing.size_px[1], board.drawing.size_px[0], 3), 90, np.uint8))
        assert (picture != 90).any()
    for tag in asked.drawing.marks:
        box = getattr(tag, "box", None)
        assert box is None or (box.left >= 0 and box.top >= 0 and box.left + box.width <= 1280 and box.top + box.height <= 720)


@pytest.mark.parametrize(
    ("key", "said"),
    [
        ("a", CallSet(0)),
        ("S", NoSet(1)),
        ("d", None),
        ("3", Answer(3)),
        ("n", Next()),
        (" ", Next()),
        ("t", TableIsRight()),
        ("g", GameIsRight()),
        ("u", Undo()),
        ("x", Dispute()),
        ("y", None),
    ],
)
def test_keys(key: str, said: Said | None) -> None:
    state = set_cards.GAME.start(players=("Ann", "Bo"))
    assert press_seat_key(SeatKeys(), ord(key), set_cards.GAME, state)[1] == said
    assert press_seat_key(SeatKeys(), -1, set_cards.GAME, state) == (SeatKeys(), None)


def pressed(keys: str, game: Any, state: Any) -> tuple[SeatKeys, list[Said]]:
    seats, said = SeatKeys(), []
    for key in keys:
        seats, one = press_seat_key(seats, ord(key), game, state)
        said += [] if one is None else [one]
    return seats, said


def test_moves_are_chosen_by_number_and_hints_by_the_seat() -> None:
    state = pip_sets.GAME.start(players=("Ann", "Bo")).after(Roll((1, 4)))
    assert pressed("m15", pip_sets.GAME, state)[1] == [Move(Circle(0, 1, 5))]
    assert pressed("hs", pip_sets.GAME, state)[1] == [AskHint(1)]
    assert pressed("m9", pip_sets.GAME, state) == (SeatKeys(), [])
    assert pressed("?", pip_sets.GAME, state)[0].help
    assert pressed("q", pip_sets.GAME, state)[0].done
    assert pressed("m", english_sets.GAME, english_sets.GAME.start()) == (SeatKeys(), [])


def test_zones_are_dragged_while_the_game_rests_and_kept_at_the_end() -> None:
    """The pack's zone, 0.3 of 1280 wide, is pulled by its middle and then by its right edge; z begins and ends it."""
    pulls = {
        5: Pull((200.0, 360.0), (264.0, 360.0)),
        6: Pull((200.0, 360.0), (328.0, 360.0), True),
        9: Pull((510.0, 360.0), (638.0, 360.0), True),
        15: Pull((640.0, 100.0), (640.0, 300.0), True),
    }
    screen = Screen({3: ord("z"), 7: ord("a"), 12: ord("z")}, {5: (640.0, 100.0)}, pulls)
    game_referee, kept, seen = EnglishSetsReferee(), [], []

    class Noted(Director):
        def see(self, settled: Settled, time_s: float) -> tuple[Event, ...]:
            seen.append(round(4 * time_s))
            return super().see(settled, time_s)

    director = Noted(History.begin(english_sets.GAME, None, ("Ann", "Bo")), game_referee)
    session = Session(Frames(20), Script({}), director)
    Window(session, GamePresenter(session, kept.append), screen).run()
    assert seen == [1, 2, 3, *range(13, 21)]
    assert kept == [game_referee.zones]
    moved = next(zone for zone in game_referee.zones.zones if zone.name == PACK_ZONE)
    assert moved == Zone(PACK_ZONE, 0.1, 0.41, 0.5, 0.59)
    assert [zone for zone in game_referee.zones.zones if zone.name != PACK_ZONE] == [z for z in ENGLISH_ZONES.zones if z.name != PACK_ZONE]
    assert not np.array_equal(screen.pictures[4], screen.pictures[5])


def test_games_without_zones_have_none_to_drag() -> None:
    told = play(Screen({3: ord("z"), 9: ord("s")}))[2]
    assert [event.name for event in told] == ["deal", "call", "take"]


def test_a_game_is_recorded_frame_by_frame_with_what_was_settled(tmp_path: Path) -> None:
    class Moving(Script):
        def see(self, frame: Frame) -> Settled:
            settled = super().see(frame)
            return Settled(settled.table, frame.index in {4, 5})

    director = Director(History.begin(set_cards.GAME, None, ("Ann", "Bo")), SetCardsReferee())
    with Recorder(tmp_path / "evening", Heading("clip")) as recorder:
        session = Session(Frames(8), Moving({1: table(CARDS)}), director)
        session.listen(recording_in(recorder))
        session.run()
    recording = Recording.open(tmp_path / "evening")
    assert [shot.frame for shot in recording.shots] == list(range(1, 9))
    assert [layout.frame for layout in recording.layouts] == [1, 2, 3, 6, 7, 8]


def test_every_move_has_a_key_where_there_are_more_than_digits() -> None:
    names = ("Ann", "Bo", "Cy", "Di", "Ed")
    state = pip_sets.GAME.start(players=names).after(Roll((1, 1)))
    assert len(state.legal) == 10
    assert pressed("m8", pip_sets.GAME, state)[1] == [Move(EndTurn(3))]
    assert pressed("m91", pip_sets.GAME, state)[0].chosen is not None
    assert pressed("m92", pip_sets.GAME, state)[1] == [Move(EndTurn(4))]


def test_a_click_chooses_from_the_menu() -> None:
    history = History.begin(pip_sets.GAME, None, ("Ann", "Bo")).then(Roll((1, 4)))
    director = Director(history, PipSetsReferee())
    menu = pressed("m", pip_sets.GAME, history.state)[0].menu
    assert menu is not None
    board = draw_showing(replace(director.showing, question=menu), ("Ann", "Bo"), (1280, 720))
    box = next(target.box for target in board.targets if target.said == Answer(2))
    screen = Screen({2: ord("m")}, {3: box.center})
    session = Session(Frames(6), Script({}), director)
    Window(session, GamePresenter(session), screen).run()
    assert [event.name for event in director.history.events[1:]] == ["end_turn"]


def test_help_is_drawn_over_the_picture(tmp_path: Path) -> None:
    screen = Screen({3: ord("?"), 9: ord("m"), 20: ord("q")})
    play(screen)
    assert cv2.imwrite(str(tmp_path / "help.png"), screen.pictures[5])
    assert not np.array_equal(screen.pictures[2], screen.pictures[5])
