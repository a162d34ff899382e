"""Whole games with dice that are none, disputes that are taken back, and pauses: nobody gets or loses a point by any of them."""

from __future__ import annotations

import random
from typing import Any

import pytest

from tests.referee.tabletop import TableTop, seeds
from tests.referee.test_cubed import NAMES, Evening, begun, laid
from tests.referee.test_scramble import begun as scrambled
from tests.referee.test_scramble import spot
from tests.referee.test_scramble_fairness import asked, take_a_set
from visionset.games.cubed import rules as cubed
from visionset.games.cubed.rules import EndTurn, ExtraRoll, Open, Phase, Place, Replace
from visionset.games.scramble.rules import Phase as ScramblePhase
from visionset.games.scramble.rules import ScrambleOptions
from visionset.games.virtual.chance import roll_faces
from visionset.games.virtual.runner import play_out
from visionset.messages import at_table
from visionset.pieces import SET_DIE_FACES
from visionset.referee.player_input import Answer, Dispute, GameIsRight, Undo


def go_on(table: TableTop) -> None:
    table.resume()
    table.settle()
    table.wait(1.5)


def dispute_and_undo(table: TableTop, rng: random.Random) -> None:
    """Somebody says of a piece that it is another one, by a slip; perhaps after a pause that is taken back."""
    before, told = table.director.history, asked(table)
    table.say(Dispute())
    for _ in range(12):
        question = table.director.showing.question
        if question is None or question.key[0] != "dispute":
            break
        table.say(Answer(rng.randrange(1, len(question.options) + 1)))
    else:
        table.say(Answer(0))
    table.wait(1.5)
    new = table.director.history.events[len(before.events) :]
    assert all(event.name == "correct" for event in new)
    if new:
        if rng.random() < 0.4:
            go_on(table)
        table.say(Undo())
        table.wait(2.0)
    assert table.director.history.events == before.events
    assert table.director.state.scores == before.state.scores
    assert asked(table) == told


def pass_over(table: TableTop) -> None:
    """What is told of a die that is none is settled by a key or two."""
    for _ in range(8):
        table.wait(1.25)
        if table.director.showing.differ:
            table.say(GameIsRight())
        elif "take it back" in table.director.showing.told[0].text:
            table.next()
        else:
            return
    raise AssertionError(table.director.showing)


@pytest.mark.parametrize("seed", seeds(1, 12))
def test_a_game_of_cubed_with_a_die_that_is_none_is_followed_to_the_point(seed: int) -> None:
    rng, table, state = random.Random(7 * seed + 1), begun(seed), cubed.GAME.start(None, NAMES)
    evening, false = Evening(table), dict[Any, int]()
    for event, after in play_out(cubed.GAME, random.Random(seed), None, NAMES):
        cells = [(one.row, one.col) for one in event.dice] if isinstance(event, Place) else []
        if any(cell in false for cell in cells):
            table.take(false.popitem()[1])
            table.hand()
            table.settle()
        table.wait(2.5 if isinstance(event, EndTurn) else 0.25)
        if isinstance(event, ExtraRoll) and after.phase is not Phase.EXTRA:
            table.wait(31)
        else:
            evening.do(event, state, after)
        if false and isinstance(event, Open | Place | Replace | EndTurn):
            pass_over(table)
        state = after
        if state.phase is not Phase.TURN:
            continue
        chance = rng.random()
        if chance < 0.06 and not false:
            around = [(row + down, col + right) for row, col in laid(state) for down, right in ((0, 1), (1, 0), (0, -1), (-1, 0))]
            cell = rng.choice([cell for cell in around if cell not in laid(state)])
            false[cell] = table.lay(rng.choice([face for face in SET_DIE_FACES if not face.is_wild]), evening.spot(cell), sure=True)
            table.settle()
            pass_over(table)
        elif chance < 0.12:
            go_on(table)
            pass_over(table)
        elif chance < 0.2:
            dispute_and_undo(table, rng)
            pass_over(table)
        mine = table.director.state
        assert (laid(mine), mine.points, mine.current) == (laid(state), state.points, state.current), event
    assert table.director.state.winners == state.winners


@pytest.mark.parametrize("seed", seeds(3))
def test_disputes_at_the_ends_of_rounds_of_scramble_leave_them_as_they_were(seed: int) -> None:
    """D13: between two rounds, before a roll-off and when the match is over."""
    rng, table = random.Random(seed), scrambled(ScrambleOptions(rounds=2), seed)
    for _ in range(6):
        state = table.director.state
        if state.phase in (ScramblePhase.ROLL, ScramblePhase.TIE_ROLL):
            for track in list(table.lying):
                table.take(track)
            table.settle()
            count = 42 if state.phase is ScramblePhase.ROLL else state.roll_off_dice
            for place, face in enumerate(roll_faces(count, rng)):
                table.lay(face, spot(place, rng), sure=True)
            table.hand()
            table.settle()
        while table.director.state.phase is ScramblePhase.OPEN:
            take_a_set(table, rng.randrange(3))
        if table.director.history.events:
            dispute_and_undo(table, rng)
        assert at_table(table.director.showing.differ) == ""
    assert len(table.director.state.finished) == 2
