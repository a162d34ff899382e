"""Odds, hints and the best play with two dice (rules S2, S10, P3, P4)."""

import random
import re
from itertools import combinations
from math import comb
from pathlib import Path

import numpy as np
import pytest

from visionset.errors import RecordError
from visionset.games.card_table.hints import STRONGEST, hint
from visionset.games.pip_sets.advice import advise, best_turn, load_table, simulate
from visionset.games.pip_sets.best_play import DiceTable, Space, rolls
from visionset.games.pip_sets.rules import GAME, Circle, PipSetsOptions, Roll, ScoreSheet
from visionset.games.registry import GAMES, SPECS
from visionset.games.set_cards.odds import QUOTED_ODDS, SETLESS, Estimate, no_set_share, odds_to_one, simulate_play
from visionset.games.sets import CARD_THIRD, find_sets, has_set, is_set
from visionset.games.virtual.bots import bot_move
from visionset.games.virtual.chance import chance
from visionset.pieces import SET_DECK, SetDie


def test_layouts_without_a_set_by_counting_small_ones() -> None:
    """Counted here one by one up to four cards; 20 cards as published (682,344)."""
    assert SETLESS[0] == 1
    assert SETLESS[1:3] == (81, comb(81, 2))
    assert SETLESS[3] == comb(81, 3) - 1080
    without = sum(
        CARD_THIRD[a][b] not in (c, d) and CARD_THIRD[a][c] != d and CARD_THIRD[b][c] != d for a, b, c, d in combinations(range(81), 4)
    )
    assert SETLESS[4] == without
    assert SETLESS[20] == 682_344
    assert len(SETLESS) == 21


def test_the_true_odds_beside_the_quoted_ones() -> None:
    """S10: the source says about 33:1 and 2500:1; exact are 30:1 and 2741:1."""
    assert QUOTED_ODDS == {12: 33, 15: 2500}
    assert no_set_share(12) == pytest.approx(0.032302, abs=1e-6)
    assert odds_to_one(no_set_share(12)) == pytest.approx(29.96, abs=0.01)
    assert odds_to_one(no_set_share(15)) == pytest.approx(2741.1, abs=0.1)
    assert no_set_share(21) == no_set_share(81) == 0
    assert odds_to_one(0) == float("inf")
    with pytest.raises(ValueError, match="expected 0 to 81 cards, got 82"):
        no_set_share(82)


def test_simulated_deals_agree_with_the_count() -> None:
    rng = random.Random(1)
    found = Estimate.of(sum(not has_set(rng.sample(SET_DECK, 12)) for _ in range(3000)), 3000)
    assert abs(found.share - no_set_share(12)) < 4 * found.error
    assert Estimate.of(0, 100).error > 0


def test_tables_in_play_hold_fewer_sets_than_fresh_deals() -> None:
    """S10: about one table of twelve in fifteen has no SET."""
    found = simulate_play(100, seed=1)
    assert found[12].share - 4 * found[12].error > no_set_share(12)
    assert set(found) >= {12, 15}


def test_hints_grow_and_stay_with_one_set() -> None:
    table = SET_DECK[:12]
    count = hint(table, 1)
    assert count.text == f"there are {len(find_sets(table))} SETs"
    given = [set(hint(table, level, seed=4).at) for level in range(1, STRONGEST + 1)]
    assert [len(places) for places in given] == [0, 1, 2, 3]
    assert given[1] < given[2] < given[3]
    assert tuple(sorted(given[3])) in find_sets(table)


def test_hints_about_tables_that_are_odd() -> None:
    assert "no SET among 2 cards; 1 card could not be read" in hint([SET_DECK[0], None, SET_DECK[1]], STRONGEST).text
    assert hint([SET_DECK[0], SET_DECK[0]], 1).at == (0, 1)
    assert hint([], 1).text == "there is no SET among 0 cards"


@pytest.fixture(scope="module")
def table() -> DiceTable:
    return DiceTable.compute(PipSetsOptions(starting_values=False))


def test_the_dice_have_21_rolls() -> None:
    assert len(list(rolls())) == 21
    assert sum(chance for _, _, chance in rolls()) == pytest.approx(1)


def test_the_spaces_hold_every_sheet_once() -> None:
    space = Space(2, 7)
    assert len({tuple(counts) for counts in space.counts.tolist()}) == len(space.counts)
    assert (space.counts.sum(axis=1) <= 7).all()
    assert (space.counts <= 2 * np.arange(1, 7)).all()
    assert space.find(space.counts)[0].tolist() == list(range(len(space.counts)))
    places, cost = space.find(np.array([[5, 0, 0, 0, 0, 0]]))
    assert space.counts[places[0]].tolist() == [2, 0, 0, 0, 0, 0]
    assert cost.tolist() == [-3.0]


def plain_value(written: tuple[int, ...], left: int) -> float:
    """Expected points to come before a roll, by trying everything, without merging any states."""
    if not left:
        return -sum(row * count for row, count in enumerate(written, 1))
    return sum(chance * plain_turn(_more(_more(written, a), b), frozenset(), left) for a, b, chance in rolls())


def plain_turn(written: tuple[int, ...], closed: frozenset[int], left: int) -> float:
    best = plain_value(written, left - 1)
    for row in range(6):
        if row not in closed and written[row] > row:
            fewer = tuple(count - (row + 1) * (place == row) for place, count in enumerate(written))
            best = max(best, *((row + 1) ** 2 + plain_turn(_more(fewer, bonus), closed | {row}, left) for bonus in range(6)))
    return best


def _more(written: tuple[int, ...], row: int) -> tuple[int, ...]:
    return tuple(count + (place == row) for place, count in enumerate(written))


@pytest.mark.parametrize("starting_values", [True, False])
def test_the_table_agrees_with_trying_everything(starting_values: bool) -> None:
    """One turn from full rows and two from empty ones; merged states lose nothing."""
    turns = 1 if starting_values else 2
    options = PipSetsOptions(starting_values, turns)
    assert DiceTable.compute(options).start == pytest.approx(plain_value((int(starting_values),) * 6, turns), abs=1e-9)


def test_the_cap_of_a_row_loses_nothing() -> None:
    """The same sheet with more values than can be circled, against trying everything."""
    table = DiceTable.compute(PipSetsOptions(False, 3))
    written = (4, 0, 0, 0, 0, 0)
    places, cost = table.space(1).find(np.array([written]))
    assert table.expected[1][places[0]] + cost[0] == pytest.approx(plain_value(written, 1), abs=1e-9)


def test_the_value_of_best_play(table: DiceTable) -> None:
    assert table.start == pytest.approx(108.918, abs=0.001)


@pytest.mark.slow
def test_the_value_of_best_play_with_starting_values() -> None:
    assert DiceTable.compute(PipSetsOptions()).start == pytest.approx(149.120, abs=0.001)


@pytest.mark.slow
def test_best_players_score_what_the_table_says_and_greedy_ones_less(table: DiceTable) -> None:
    best, greedy = simulate(table, 1500, 1), simulate(table, 1500, 1, greedy=True)
    assert abs(best.mean() - table.start) < 4 * best.std() / 1500**0.5
    assert greedy.mean() < best.mean() - 30
    assert (simulate(table, 50, 7) == simulate(table, 50, 7)).all()


def test_advice_of_one_turn_agrees_with_the_table(table: DiceTable) -> None:
    turn = table.turn(4)
    values = turn.values(keep_all=True)
    rng = np.random.default_rng(2)
    for place in rng.integers(0, len(turn.space.counts), 25):
        for closed in ((), (1,), (2, 3)):
            written = tuple(int(count) for count in turn.space.counts[place])
            found = best_turn(ScoreSheet(written, closed=closed), 4, table)
            assert found.expected == pytest.approx(values[sum(1 << row - 1 for row in closed)][place], abs=1e-6)
            assert found.expected >= found.if_ended


def test_following_the_advice_is_legal(table: DiceTable) -> None:
    state = GAME.start(PipSetsOptions(starting_values=False)).after(Roll((1, 1)))
    with pytest.raises(RecordError, match="expected a table of best play for the same options"):
        advise(GAME.start().after(Roll((1, 1))), 0, table)
    found = advise(state, 0, table)
    for row, bonus in found.circlings:
        state = state.after(Circle(0, row, bonus))
    assert advise(state, 0, table).circlings == ()
    assert advise(state, 0, table).expected == pytest.approx(found.expected)
    with pytest.raises(RecordError, match="roll the dice first"):
        advise(GAME.start(PipSetsOptions(starting_values=False)), 0, table)
    with pytest.raises(RecordError, match="that can come up with 10 turns left, got 9 values"):
        best_turn(ScoreSheet((9, 0, 0, 0, 0, 0)), 10, table)


def test_the_table_is_kept_and_a_broken_file_is_computed_anew(tmp_path: Path) -> None:
    options = PipSetsOptions(False, 2)
    first = load_table(options, tmp_path)
    path = next(tmp_path.iterdir())
    again = load_table(options, tmp_path)
    assert again.start == pytest.approx(first.start, abs=1e-4)
    assert DiceTable.load(path, PipSetsOptions(True, 2)) is None
    path.write_bytes(path.read_bytes()[:100])
    assert load_table(options, tmp_path).start == first.start
    path.write_text("not a table")
    assert DiceTable.load(path, options) is None
    assert load_table(options).start == first.start
    assert load_table(options, path).start == first.start  # a file where the folder should be: nothing can be kept there


@pytest.mark.parametrize("seed", [0, 1, *(pytest.param(seed, marks=pytest.mark.slow) for seed in (2, 3))])
@pytest.mark.parametrize("game", ["cubed", "crossword", "scramble"])
def test_hints_about_dice_say_more_each_time_and_name_true_sets(game: str, seed: int) -> None:
    """D2: what is called a SET is one; the last hint is given again when more is asked for."""
    rng, state = random.Random(seed), GAMES[game].start(players=("Ann", "Bo"))
    graded, told = SPECS[game].part("hint"), []
    for _ in range(12 if game == "cubed" else 3):
        event = chance(state, rng) or bot_move(state, getattr(state, "current", 0), rng)
        if event is None:
            break
        state = state.after(event)
    for level in range(1, 7):
        told.append(graded(state, 0, level))
    texts = [str(hint.message) for hint in told]
    assert texts[-1] == texts[-2]
    named = [[SetDie.parse(name) for name in dice.split(", ")] for text in texts for dice in re.findall("a SET of ([^;]+)", text)]
    assert all(is_set(*dice) for dice in named)
    if game == "scramble":
        assert [len(hint.at) for hint in told] == [0, 1, 2, 3, 3, 3]
        assert is_set(*(state.table[place] for place in told[-1].at))
    if game == "crossword":
        assert texts[0].startswith("Ann: ")
        assert len(named) > 2


def test_a_hint_where_nothing_can_be_laid_tells_of_no_points() -> None:
    """It told of 0 points with 0 dice."""
    rng, state = random.Random(1), GAMES["cubed"].start(players=("Ann", "Bo"))
    while [str(prompt.message) for prompt in state.prompts] != ["end the turn"]:
        event = chance(state, rng) or bot_move(state, getattr(state, "current", 0), rng)
        assert event is not None
        state = state.after(event)
    assert str(SPECS["cubed"].part("hint")(state, 0, 1).message) == f"{state.players[state.current]}: nothing to lay"
