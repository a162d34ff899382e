"""A session that follows a game by a script: a call from it, a log that cannot be written, and a recording beside it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.referee.scripted import CARDS, TRIO, Frames, Script, table
from visionset.errors import OutputError
from visionset.games.base import Event
from visionset.games.game import History
from visionset.games.set_cards import rules as set_cards
from visionset.games.set_cards.referee import SetCardsReferee
from visionset.games.set_cards.rules import Phase
from visionset.geometry import Frame
from visionset.recording import Heading, Recorder, Recording
from visionset.referee.director import Director
from visionset.referee.game_tracker import Log
from visionset.referee.news import Happened
from visionset.referee.player_input import CallSet, NoSet, Timed, Undo
from visionset.session import Session
from visionset.session.recorded import recording_in
from visionset.table import Settled


def play(script: tuple[Timed, ...], log: Any = None) -> tuple[Director, Script, list[Event]]:
    rest = tuple(card for place, card in enumerate(CARDS) if place not in TRIO)
    tracker = Script({1: table(CARDS), 12: table(rest)})
    director = Director(History.begin(set_cards.GAME, None, ("Ann", "Bo")), SetCardsReferee(), log)
    told: list[Event] = []
    said: list[str] = []
    session = Session(Frames(24), tracker, director, complain=said.append)
    session.listen(lambda snapshot, news: told.extend(one.event for one in news if isinstance(one, Happened)))
    for one in script:
        session.say(one.said, one.time_s)
    session.run()
    assert said == (["full"] if log else [])
    return director, tracker, told


def test_a_script_calls_and_the_cards_that_left_are_the_callers() -> None:
    director, tracker, told = play((Timed(2.5, CallSet(1)),))
    assert [event.name for event in told] == ["deal", "call", "take"]
    assert director.state.scores == (0, 1)
    assert tracker.excluded[-1] == frozenset(CARDS[place] for place in TRIO)


@pytest.mark.parametrize(("apart_s", "is_tie"), [(0.24, True), (0.26, False), (0.45, False)])
@pytest.mark.parametrize("first_s", [2.26, 2.45, 2.5])
def test_two_calls_of_a_script_tie_by_their_times_and_not_by_the_frames_that_come_next(
    first_s: float, apart_s: float, is_tie: bool
) -> None:
    """S6: four frames a second, so that calls 0.26 s and 0.45 s apart may be heard at one frame or a quarter of a second apart."""
    director = Director(History.begin(set_cards.GAME, None, ("Ann", "Bo")), SetCardsReferee())
    session = Session(Frames(13), Script({1: table(CARDS)}), director)
    session.say(CallSet(1), first_s)
    session.say(CallSet(0), first_s + apart_s)
    session.run()
    calls = [claim.player for claim in director.state.claims]
    assert calls == ([1, 0] if is_tie else [1])


def test_a_full_disk_stops_the_game_until_there_is_room() -> None:
    class Full(Log):
        left = 3

        def append(self, event: Event) -> None:
            if Full.left and event.name == "take":
                Full.left -= 1
                raise OutputError("full")

    director, _, told = play((Timed(2.5, CallSet(1)),), Full())
    assert [event.name for event in told] == ["deal", "call", "take"]
    assert director.state.scores == (0, 1)


class Locked(Log):
    """Keeps nothing for some tries of each kind of event, as a file that another program holds."""

    def __init__(self, *names: str, tries: int = 16) -> None:
        self.names, self.tries = names, tries

    def append(self, event: Event) -> None:
        if event.name in self.names and self.tries:
            self.tries -= 1
            raise OutputError("full")


def test_a_call_that_cannot_be_kept_is_kept_as_it_was_said_once_it_can_be() -> None:
    """S4: four seconds later; who called has all the time there is, and who called after that has not called first."""
    director, _, told = play((Timed(1.5, CallSet(1)), Timed(2.0, CallSet(0))), Locked("call"))
    assert [event.name for event in told] == ["deal", "call", "take"]
    assert director.state.scores == (0, 1)


def test_nobodys_time_runs_while_a_call_cannot_be_kept() -> None:
    log = Locked("call", tries=10**6)
    director = Director(History.begin(set_cards.GAME, None, ("Ann", "Bo")), SetCardsReferee(), log)
    session = Session(Frames(0), Script({1: table(CARDS)}), director, complain=lambda line: None)
    image = np.zeros((720, 1280, 3), np.uint8)
    for number in range(1, 100):
        if number == 5:
            session.say(CallSet(0))
        if number == 60:
            log.tries = 0
        session.look(Frame(image, number, number / 4))
        assert (director.state.phase is Phase.CALLED) is (60 <= number < 82)
    assert director.state.scores == (-1, 0)


def test_votes_that_cannot_be_kept_are_counted_once_each() -> None:
    """S8: Bo says it twice, as nothing happens; there is a SET, so that all are told to look again."""
    director, _, told = play((Timed(1.5, NoSet(1)), Timed(1.6, NoSet(1)), Timed(2.0, NoSet(0))), Locked("agree", tries=5))
    assert [event.name for event in told] == ["deal", "agree", "agree"]
    assert director.state.look_again


@pytest.mark.parametrize("tries", [5, 6])
def test_words_of_one_moment_stay_apart_though_they_are_kept_later(tries: int) -> None:
    """In a match that goes on, Undo tells by their times which events one word made."""
    director, _, told = play((Timed(1.5, NoSet(1)), Timed(1.5, NoSet(0))), Locked("agree", tries=tries))
    times = [event.at_s for event in told]
    assert [event.name for event in told] == ["deal", "agree", "agree"]
    assert times == sorted(set(times))
    went_on = Director(director.history, SetCardsReferee())
    went_on.hear(Undo(), 0.0)
    assert [event.name for event in went_on.history.events] == ["deal", "agree"]


def test_a_call_that_cannot_be_kept_is_taken_back_by_undo() -> None:
    director, _, told = play((Timed(1.5, CallSet(1)), Timed(2.0, Undo())), Locked("call", tries=5))
    assert [event.name for event in told] == ["deal"]
    assert director.state.scores == (0, 0)


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
    assert [one.frame for one in recording.pictures] == list(range(1, 9))
    assert [layout.frame for layout in recording.layouts] == [1, 2, 3, 6, 7, 8]
