"""Sets with two dice: the example of the source, the sheet and the high-score table (rules P1 to P6)."""

import random

import pytest

from visionset.errors import RecordError, RuleError
from visionset.games.game import History
from visionset.games.high_scores import HighScores
from visionset.games.pip_sets.rules import GAME, Circle, EndTurn, PipSetsOptions, PipSetsState, Roll, ScoreSheet, WriteBonus
from visionset.games.pip_sets.view import sheets
from visionset.games.virtual.bots import bot_move
from visionset.games.virtual.chance import chance
from visionset.messages import Message

EMPTY = PipSetsOptions(starting_values=False)


def begin(*players: str, options: PipSetsOptions | None = None) -> PipSetsState:
    state: PipSetsState = GAME.start(options, players or ("Matt",))
    return state


def test_the_example_of_the_source_in_its_first_turn() -> None:
    """P5: a 2 and a 4 are rolled; row 1 for a 4, row 2 for a 4, then four 4s are circled and a 6 is written."""
    state = begin().after(Roll((2, 4)))
    assert state.sheets[0].written == (1, 2, 1, 2, 1, 1)
    assert state.sheets[0].ready == (1, 2)
    state = state.after(Circle(0, 1, 4)).after(Circle(0, 2, 4))
    assert state.sheets[0].written[3] == 4
    state = state.after(Circle(0, 4, 6))
    assert state.sheets[0].written == (0, 0, 1, 0, 1, 2)
    assert state.sheets[0].circled == (1, 2, 0, 4, 0, 0)
    assert state.scores == (1 + 4 + 16 - 3 - 5 - 12,)


def test_the_example_from_empty_rows_after_earlier_turns() -> None:
    """P5 under the other reading of P1: one 1, two 2s and two 4s have been rolled."""
    state = begin(options=EMPTY).after(Roll((1, 2))).after(EndTurn(0)).after(Roll((2, 4))).after(EndTurn(0)).after(Roll((4, 3)))
    for row, bonus in ((1, 4), (2, 4), (4, 6)):
        state = state.after(Circle(0, row, bonus))
    assert state.sheets[0].circled == (1, 2, 0, 4, 0, 0)
    assert state.sheets[0].written == (0, 0, 1, 0, 0, 1)


def test_one_roll_serves_all_and_the_tracker_counts_down() -> None:
    """P1, P2."""
    state = begin("Ann", "Bo")
    assert state.tracker == 10
    state = state.after(Roll((6, 6)))
    assert [sheet.written for sheet in state.sheets] == [(1, 1, 1, 1, 1, 3)] * 2
    state = state.after(EndTurn(0))
    assert state.tracker == 10
    with pytest.raises(RuleError, match="rule P1: tried circle by Ann, whose turn is not running"):
        state.after(Circle(0, 1, 1))
    assert state.after(EndTurn(1)).tracker == 9


def test_no_row_twice_in_a_turn_but_in_the_next() -> None:
    """P3."""
    state = begin().after(Roll((1, 3))).after(Circle(0, 1, 1))
    with pytest.raises(RuleError, match=r"rule P3: tried circling row 1 twice in one turn; allowed now: Matt: End Turn"):
        state.after(Circle(0, 1, 2))
    assert state.after(EndTurn(0)).after(Roll((3, 3))).sheets[0].ready == (1, 3)


@pytest.mark.parametrize(
    ("row", "bonus", "why"), [(3, 1, "with 2 of 3 values"), (7, 1, "row 7"), (0, 1, "row 0"), (2, 7, "bonus of 7"), (2, 0, "bonus of 0")]
)
def test_circling_what_cannot_be_circled(row: int, bonus: int, why: str) -> None:
    """P3."""
    state = begin().after(Roll((2, 3)))
    with pytest.raises(RuleError, match=f"rule P3: .*{why}"):
        state.after(Circle(0, row, bonus))


def test_the_circle_buttons_are_those_of_the_rows_that_are_ready() -> None:
    """P6: a Circle button per row, green when eligible."""
    state = begin().after(Roll((2, 5)))
    assert [choice.label for choice in state.legal] == ["Matt: Circle row 1", "Matt: Circle row 2", "Matt: End Turn"]
    event = GAME.parse_event(state.legal[1].filled(bonus=6))
    assert event == Circle(0, 2, 6)


def test_what_was_circled_is_not_told_again_when_a_turn_is_ended() -> None:
    state = begin("Ann", "Bo").after(Roll((2, 5))).after(Circle(0, 1, 4))
    assert state.notice
    assert not state.after(EndTurn(1)).notice
    assert not state.after(EndTurn(1)).after(EndTurn(0)).notice
    state = begin().after(Roll((2, 5))).after(Circle(0, 1, 4))
    assert not state.after(EndTurn(0)).notice


def test_ranks_and_high_scores() -> None:
    """P6."""
    state = begin("Ann", "Bo", "Cy", options=PipSetsOptions(turns=1)).after(Roll((1, 1)))
    state = state.after(Circle(1, 1, 1))
    for player in range(3):
        state = state.after(EndTurn(player))
    assert state.is_over
    assert state.ranks == (2, 1, 2)
    assert state.winners == (1,)
    table = HighScores().with_scores(("Matt", "Ann"), (133, 20)).with_scores(("Bo",), (133,))
    assert [line.player for line in table.lines] == ["Matt", "Bo", "Ann"]
    assert table.rank(133) == 1
    assert table.rank(50) == 3


def test_a_die_value_of_7_is_explained_and_not_a_crash() -> None:
    state = begin()
    with pytest.raises(RuleError, match="rule P1: tried a roll of 7 and 1"):
        state.after(Roll((7, 1)))
    read = GAME.parse_state({**state.to_json(), "roll": [7, 1]})
    assert [finding.rule for finding in read.findings] == ["P1", "P2"]
    assert "a die shows 7" in read.findings[0].text
    with pytest.raises(RecordError, match=r"expected a whole number at PipSetsState.roll\[0\], got 'x'"):
        GAME.parse_state({**state.to_json(), "roll": ["x", 1]})


def test_a_sheet_that_cannot_be_is_explained() -> None:
    state = begin().to_json()
    state["sheets"][0]["circled"] = [0, 1, 0, 0, 0, 0]
    assert {finding.rule for finding in GAME.parse_state(state).findings} == {"P2", "P3"}


def test_a_sheet_counts_circled_less_uncircled() -> None:
    """P4."""
    assert ScoreSheet((0, 0, 1, 0, 0, 2), (1, 2, 0, 4, 0, 6)).score == 1 + 4 + 16 + 36 - 3 - 12


def test_the_dice_are_rolled_by_a_player_and_by_no_chance() -> None:
    """P6: Roll Dice is a button."""
    state = begin("Ann", "Bo")
    assert [choice.label for choice in state.legal] == ["Roll Dice"]
    assert chance(state, random.Random(0)) is None
    assert isinstance(bot_move(state, 1, random.Random(0)), Roll)


def standings(state: PipSetsState, player: int = 0) -> str:
    shown = [row[player + 1].text for row in sheets(state).rows]
    return " ".join(text.code.removeprefix("sets-dice.view.") for text in shown if isinstance(text, Message))


def test_all_rows_are_shown_with_what_may_be_done() -> None:
    """P6: a button for each row, green when it may be circled; then a box for the bonus in each."""
    state = begin("Ann", "Bo")
    assert standings(state) == "short short short short short short"
    state = state.after(Roll((2, 5)))
    assert standings(state) == "eligible eligible short short short short"
    state = state.after(Circle(0, 1))
    assert standings(state) == "bonus_due short short short short short"
    assert standings(state, 1) == "eligible eligible short short short short"
    assert str(state.prompts[0]) == "Ann: write the bonus for row 1: a value from 1 to 6"
    assert [choice.label for choice in state.legal if choice.player == 0] == [f"Ann: write a {value}" for value in range(1, 7)]
    for early in (EndTurn(0), Circle(0, 2)):
        with pytest.raises(RuleError, match=r"rule P3: tried .* before the bonus for row 1 is written"):
            state.after(early)
    with pytest.raises(RuleError, match="rule P3: tried writing a bonus of 7"):
        state.after(WriteBonus(0, 7))
    with pytest.raises(RuleError, match="rule P3: tried writing a bonus that is not due"):
        state.after(WriteBonus(1, 3))
    assert state.findings == ()
    state = state.after(WriteBonus(0, 2))
    assert standings(state) == "circled eligible short short short short"
    assert state.sheets[0] == begin().after(Roll((2, 5))).after(Circle(0, 1, 2)).sheets[0]
    assert [str(cell.text) for cell in sheets(state).rows[1][:2]] == ["2", "2 2 2 - may be circled"]


def test_a_match_of_before_is_read() -> None:
    """Its circlings have their bonus, and its rolls are nobody's."""
    told = [
        {"event": "roll", "values": [2, 4]},
        {"event": "circle", "player": 0, "row": 1, "bonus": 4},
        {"event": "end_turn", "player": 0},
        {"event": "roll", "values": [1, 1]},
    ]
    history = History.from_json(GAME, {"game": "sets-dice", "options": {}, "players": ["Ann"], "events": told})
    assert history.state.roll == (1, 1)
    assert history.state.sheets[0].circled == (1, 0, 0, 0, 0, 0)
    old = history.state.to_json()
    for sheet in old["sheets"]:
        del sheet["due"]
    assert GAME.parse_state(old) == history.state
