"""Scramble SET on a table: 42 dice, three at a time (rule D13)."""

from __future__ import annotations

import random

import pytest

from tests.referee.tabletop import TableTop, bare, seeds, top
from visionset.games.base import Event
from visionset.games.game import History
from visionset.games.scramble import rules as scramble
from visionset.games.scramble.referee import ScrambleReferee
from visionset.games.scramble.rules import Phase, Rolled, ScrambleOptions, ScrambleState, Take
from visionset.games.sets import find_sets
from visionset.games.virtual.chance import roll_faces
from visionset.games.virtual.runner import play_out
from visionset.messages import at_table
from visionset.pieces import SetDie
from visionset.referee.director import Director
from visionset.referee.player_input import Answer, AskHint, CallSet, GameIsRight, TableIsRight, Undo
from visionset.table import Settled

NAMES = ("Ann", "Bo", "Cy")


def begun(options: ScrambleOptions | None = None, seed: int = 0, unsure: float = 0.0, hints: bool = False) -> TableTop:
    history = History.begin(scramble.GAME, options, NAMES)
    return top(lambda correct: Director(history, ScrambleReferee(hints=hints), correct=correct), random.Random(seed), unsure)


def spot(place: int, rng: random.Random) -> tuple[float, float]:
    return 120 + place % 9 * 120 + rng.uniform(-20, 20), 80 + place // 9 * 110 + rng.uniform(-4, 4)


class Evening:
    def __init__(self, table: TableTop, seed: int, noise: bool) -> None:
        self.table, self.rng, self.noise = table, random.Random(seed), noise
        self.order: list[int] = []

    def roll(self, faces: tuple[SetDie, ...]) -> None:
        table, old = self.table, list(self.table.lying)
        self.order = []
        for place, face in enumerate(faces):
            at = spot(place, self.rng)
            if place < len(old):
                table.roll(old[place], face, at)
                self.order.append(old[place])
            else:
                self.order.append(table.lay(face, at))
        for track in old[len(faces) :]:
            table.take(track)
        table.hand()
        table.settle()

    def take(self, event: Take, before: ScrambleState, after: ScrambleState) -> None:
        table = self.table
        forgot = self.noise and self.rng.random() < 0.2
        if not forgot:
            table.say(CallSet(event.player))
        spots = {}
        for number, place in enumerate(event.at):
            track = self.order[place]
            spots[place] = tuple(float(value) for value in table.lying[track].center_px)
            table.take(track)
            if self.noise and number < 2 and self.rng.random() < 0.1:
                table.settle()
        table.hand()
        table.settle()
        if forgot:
            question = table.director.showing.question
            assert question is not None
            assert question.text.startswith("Nobody said SET: who took")
            table.say(Answer(1 + [option.value for option in question.options].index(event.player)))
        if before.table == after.table and not after.is_over:
            for place in event.at:
                self.order[place] = table.lay(before.table[place], spots[place], sure=True)  # type: ignore[arg-type]
            table.hand()
            table.settle()
        else:
            self.order = [track for place, track in enumerate(self.order) if place not in event.at]


def meant(event: Event, state: ScrambleState) -> object:
    """An event by faces: which of equal dice was taken means nothing."""
    return (event.player, sorted(str(state.table[place]) for place in event.at)) if isinstance(event, Take) else bare([event])


@pytest.mark.parametrize("seed", seeds(3))
def test_rounds_of_simple_players_are_followed_to_the_point(seed: int) -> None:
    options = ScrambleOptions(rounds=2)
    table = begun(options, seed, unsure=0.03 if seed else 0.0)
    evening, truth, state = Evening(table, seed, noise=seed > 1), [], scramble.GAME.start(options, NAMES)
    for event, after in play_out(scramble.GAME, random.Random(seed), options, NAMES):
        truth.append(event)
        before = table.director.state
        if isinstance(event, Rolled):
            evening.roll(event.faces)
        else:
            assert isinstance(event, Take)
            evening.take(event, state, after)
        assert meant(table.events[-1], before) == meant(event, state)
        state = after
        assert table.director.state.scores == state.scores
        assert sorted(map(str, table.director.state.table)) == sorted(map(str, state.table))
    assert len(table.events) == len(truth)
    assert table.director.state.winners == state.winners


def test_the_end_is_not_called_while_a_die_is_unsure() -> None:
    table = begun()
    evening = Evening(table, 5, noise=False)
    evening.roll(roll_faces(42, random.Random(5)))
    state = table.director.state
    trio = find_sets(state.table)[0]
    last = next(track for place, track in enumerate(evening.order) if place not in trio)
    truth = table.lying[last].piece
    table.say(CallSet(0))
    for place in trio:
        table.take(evening.order[place])
    table.lying[last] = table._sighting(truth, tuple(table.lying[last].center_px), True, last, False)  # type: ignore[arg-type]
    table.hand()
    table.now_s += 0.5
    table.director.see(Settled(table._table(), changes=table._changes()), table.now_s)
    assert table.director.state.scores == (0, 0, 0)
    table.answer_doubts()
    assert table.director.state.scores == (1, 0, 0)


def test_a_die_that_was_turned_freezes_the_scores_until_it_is_settled() -> None:
    for said, changes in ((TableIsRight(), True), (GameIsRight(), False)):
        table = begun()
        evening = Evening(table, 7, noise=False)
        faces = roll_faces(42, random.Random(7))
        evening.roll(faces)
        other = next(face for face in faces if face != faces[3])
        table.roll(evening.order[3], other, tuple(float(v) for v in table.lying[evening.order[3]].center_px))  # type: ignore[arg-type]
        table.settle()
        table.wait(1.5)
        assert "the table shows" in at_table(table.director.showing.differ)
        assert table.say(CallSet(1)) == []
        table.say(said)
        assert table.director.showing.differ == ""
        assert (table.director.state.table[3] == other) is changes
        assert table.director.state.scores == (0, 0, 0)
        assert table.director.state.phase is Phase.OPEN


def test_hints_are_given_when_asked_for_and_allowed() -> None:
    table = begun(hints=True)
    Evening(table, 1, noise=False).roll(roll_faces(42, random.Random(1)))
    assert not table.director.showing.marks
    table.say(AskHint(0))
    assert len(table.director.showing.marks) == 3


def test_who_may_take_is_asked_to_call_first() -> None:
    """No rule has an event for that: the dice that leave are the caller's."""
    table = begun()
    referee = ScrambleReferee()
    assert referee.calls(table.director.state) == ()
    Evening(table, 5, noise=False).roll(roll_faces(42, random.Random(5)))
    assert [(one.event, one.player, str(one.message)) for one in referee.calls(table.director.state)] == [
        ("call", player, f"{name}: SET!") for player, name in enumerate(NAMES)
    ]


@pytest.mark.parametrize("others", [0, 2])
def test_a_die_that_was_away_for_a_while_comes_back_elsewhere(others: int) -> None:
    """D13: the game went on with it, and no die lies there too many; perhaps somebody has two in the hand meanwhile."""
    table = begun()
    Evening(table, 5, noise=False).roll(roll_faces(42, random.Random(5)))
    faces = table.director.state.table
    away, *more = sorted(range(42), key=lambda place: faces.count(faces[place]))[: others + 1]
    table.take(table.track(faces[away]))
    table.hand()
    table.settle()
    table.wait(130)
    assert at_table(table.director.showing.notice) == "the game is right"
    for place in more:
        table.take(table.track(faces[place]))
    table.lay(faces[away], (1230.0, 690.0), sure=True)
    table.hand()
    table.settle()
    table.wait(2)
    assert table.director.showing.differ == ""
    assert table.director.state.table == faces


def thrown(table: TableTop, count: int, seed: int = 5) -> None:
    """So many dice are thrown, after all were taken up."""
    for track in list(table.lying):
        table.take(track)
    table.hand()
    table.settle()
    for place, face in enumerate(roll_faces(count, random.Random(seed))):
        table.lay(face, spot(place, random.Random(place)), sure=True)
    table.hand()
    table.settle()


def test_a_box_that_lacks_a_die_is_played_with() -> None:
    """D13: "next" says that it is found nowhere, and once it is found it is in the game again."""
    table = begun(ScrambleOptions(rounds=2))
    thrown(table, 41)
    assert "41 of 42 dice are seen" in table.director.showing.told[0].text
    table.wait(20)
    table.next()
    assert str(table.director.showing.notice).startswith("1 die is missing: look for it, also under others")
    assert table.director.state.phase is Phase.ROLL
    table.wait(2)
    table.next()
    state = table.director.state
    assert (state.phase, len(state.table), state.lost) == (Phase.OPEN, 41, 1)
    while (state := table.director.state).phase is Phase.OPEN:
        table.say(CallSet(0))
        for place in find_sets(state.table)[0]:
            table.take(table.track(state.table[place]))
        table.hand()
        table.settle()
    assert state.finished == (((41 - len(state.table)) // 3, 0, 0),)
    assert "41 dice" in table.director.showing.told[0].text
    thrown(table, 42, 6)
    state = table.director.state
    assert (state.phase, len(state.table), state.lost) == (Phase.OPEN, 42, 0)
    table.say(Undo())
    table.say(Undo())
    assert table.director.state.lost == 1


def test_nobody_plays_on_without_many_dice() -> None:
    table = begun()
    thrown(table, 38)
    for _ in range(2):
        table.next()
        table.wait(2)
    assert not table.events
