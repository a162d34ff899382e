"""Scramble SET and the most SETs that dice hold (rule D13)."""

import random
from dataclasses import replace
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from visionset.errors import RuleError
from visionset.games.scramble.advice import best_takes
from visionset.games.scramble.rules import GAME, Phase, Rolled, ScrambleOptions, ScrambleState, Take
from visionset.games.sets import find_sets, has_set, is_set
from visionset.games.virtual.chance import roll_faces
from visionset.pieces import SET_DIE_FACES, SetDie

WILD = SetDie()


def dice(*names: str) -> tuple[SetDie, ...]:
    return tuple(SetDie.parse(name) for name in names)


def begin(seed: int = 1, players: tuple[str, ...] = ("A", "B"), rounds: int = 5) -> ScrambleState:
    state: ScrambleState = GAME.start(ScrambleOptions(rounds), players)
    return state.after(Rolled(roll_faces(42, random.Random(seed))))


def test_42_dice_are_rolled() -> None:
    with pytest.raises(RuleError, match="rule D13: tried rolling 41 dice where 42 are wanted; allowed now: Roll 42 dice"):
        GAME.start().after(Rolled(roll_faces(41, random.Random(1))))


def test_a_set_is_taken_and_no_die_is_in_two() -> None:
    state = begin()
    three = find_sets(state.table)[0]
    after = state.after(Take(0, three))
    assert after.scores == (1, 0)
    assert len(after.table) == 39
    assert after.taken[0] == tuple(state.table[place] for place in three)
    with pytest.raises(RuleError, match="rule D13: tried taking the positions 0, 0, 1 of 42"):
        state.after(Take(0, (0, 0, 1)))


def test_what_is_no_set_goes_back() -> None:
    """D2: the reason is named."""
    state = replace(begin(), table=dice("1-red-oval", "2-red-oval", "2-red-diamond", *["1-red-oval"] * 39))
    after = state.after(Take(1, (0, 1, 2)))
    assert after.table == state.table
    assert str(after.notice) == (
        "B: no SET, two have 2 symbols, one has 1: number is neither all the same nor all different; "
        "two are oval, one is diamond: shape is neither all the same nor all different; the dice go back"
    )


def nearly_over(taken: tuple[int, int], left: tuple[SetDie, ...]) -> ScrambleState:
    """The last round, with so many SETs taken; the next SET ends it."""
    ovals = dice("1-red-oval", "1-red-oval", "1-red-oval")
    state = begin(rounds=1)
    return replace(state, table=(*ovals, *left), taken=(ovals * taken[0], ovals * taken[1]))


LEFT_6 = dice("1-red-oval", "1-red-diamond", "1-green-oval", "1-green-diamond", "2-red-oval", "2-red-diamond")


def test_most_sets_of_all_rounds_win() -> None:
    assert not has_set(LEFT_6)
    state = nearly_over((5, 6), LEFT_6)
    state = state.after(Take(1, (0, 1, 2)))
    assert state.is_over
    assert state.scores == (5, 7)
    assert state.winners == (1,)


def test_a_tie_is_rolled_off_with_the_dice_left() -> None:
    state = nearly_over((6, 5), LEFT_6).after(Take(1, (0, 1, 2)))
    assert state.phase is Phase.TIE_ROLL
    assert state.tied == (0, 1)
    assert state.roll_off_dice == 6
    state = state.after(Rolled(LEFT_6))
    assert "roll again" in str(state.notice)
    state = state.after(Rolled((*dice("1-red-oval") * 3, *LEFT_6[3:])))
    state = state.after(Take(1, (0, 1, 2)))
    assert state.winners == (1,)
    assert state.scores == (6, 6)
    assert [str(prompt.message) for prompt in state.prompts] == ["A and B were level with 6 SETs; B won the roll-off"]


@pytest.mark.parametrize(("mended", "tied", "winners"), [((0, 0), (0, 1), ()), ((1, 0), (), (0,)), ((0, 1), (), (1,))])
def test_points_that_a_dispute_mended_count_where_the_rounds_are_over(
    mended: tuple[int, int], tied: tuple[int, ...], winners: tuple[int, ...]
) -> None:
    """D13: who leads by a mended point has won, and one who is level by it is in the roll-off."""
    state = nearly_over((6, 5), LEFT_6).with_mended(mended).after(Take(1, (0, 1, 2)))
    assert (state.tied, state.winners) == (tied, winners)
    level = nearly_over((6, 4), LEFT_6).with_mended((0, 1)).after(Take(1, (0, 1, 2)))
    assert level.tied == (0, 1)


def test_points_that_are_mended_after_the_last_round_call_for_a_roll_off_or_settle_it() -> None:
    """D13: most SETs win, and a tie alone is settled by a roll-off."""
    level = nearly_over((6, 5), LEFT_6).after(Take(1, (0, 1, 2)))
    assert (level.phase, level.with_mended((1, 0)).winners) == (Phase.TIE_ROLL, (0,))
    assert level.with_mended((1, 1)) == replace(level, mended=(1, 1))
    thrown = level.after(Rolled((*dice("1-red-oval") * 3, *LEFT_6[3:])))
    assert thrown.with_mended((0, 1)).winners == (1,)
    settled = thrown.after(Take(1, (0, 1, 2)))
    assert settled.with_mended((1, 0)).winners == (0,)
    assert settled.with_mended((1, 1)).winners == (1,)
    ahead = nearly_over((6, 4), LEFT_6).after(Take(1, (0, 1, 2)))
    assert (ahead.winners, ahead.with_mended((0, 1)).phase, ahead.with_mended((0, 1)).tied) == ((0,), Phase.TIE_ROLL, (0, 1))
    for state in (level.with_mended((1, 0)), settled.with_mended((1, 0)), ahead.with_mended((0, 1))):
        assert state.findings == ()


def test_who_is_not_level_is_not_in_the_roll_off() -> None:
    state = replace(begin(players=("A", "B", "C")), phase=Phase.TIE, tied=(0, 1))
    with pytest.raises(RuleError, match="rule D13: tried a SET by C, who is not in the roll-off"):
        state.after(Take(2, (0, 1, 2)))


def test_lost_dice_are_explained() -> None:
    state = replace(begin(), table=begin().table[:40])
    assert [finding.text for finding in state.findings] == ["40 dice are there and the box holds 42; look for the others"]
    wrong = replace(begin(), taken=(dice("1-red-oval", "2-red-oval", "2-red-diamond"), ()), table=begin().table[:39])
    assert [finding.rule for finding in wrong.findings] == ["D2"]


def most_sets(faces: tuple[SetDie, ...]) -> int:
    """Try everything: the die that comes first is left out or in one of its SETs."""

    @cache
    def most(left: tuple[SetDie, ...]) -> int:
        if len(left) < 3:
            return 0
        best = most(left[1:])
        for j in range(1, len(left)):
            for k in range(j + 1, len(left)):
                if is_set(left[0], left[j], left[k]):
                    best = max(best, 1 + most(left[1:j] + left[j + 1 : k] + left[k + 1 :]))
        return best

    return most(tuple(sorted(faces, key=str)))


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from((*SET_DIE_FACES[:9], SET_DIE_FACES[13], WILD, WILD)), max_size=9))
def test_best_takes_is_exact(faces: list[SetDie]) -> None:
    """Against all packings, on tables that are rich in SETs and WILDs."""
    takes = best_takes(faces)
    used = [place for take in takes for place in take]
    assert len(set(used)) == len(used)
    assert all(is_set(*(faces[place] for place in take)) for take in takes)
    assert len(takes) == most_sets(tuple(faces))


@pytest.mark.parametrize("wilds", [0, 1, 5, 13, 14, 20, 42])
def test_best_takes_of_42_dice_with_many_wilds(wilds: int) -> None:
    faces = [*roll_faces(200, random.Random(wilds))]
    faces = [*[face for face in faces if not face.is_wild][: 42 - wilds], *[WILD] * wilds]
    takes = best_takes([None, *faces])
    plain = len(best_takes(faces[: 42 - wilds]))
    assert len(takes) == min(plain + wilds, 14)
    assert all(0 not in take for take in takes)
