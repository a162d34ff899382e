from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from visionset.overlay import Reveal, View
from visionset.window.keys import HELP, WatchState, press_view_key


def after(keys: str, state: WatchState = WatchState()) -> WatchState:  # noqa: B008 - frozen
    for key in keys:
        state = press_view_key(state, ord(key))
    return state


def test_hints_go_round() -> None:
    seen = [after("h" * presses).view.hint for presses in range(6)]
    assert seen == [Reveal.ALL, Reveal.OFF, Reveal.COUNT, Reveal.ONE, Reveal.TWO, Reveal.ALL]


@pytest.mark.parametrize(
    ("key", "hint"), [("0", Reveal.OFF), ("1", Reveal.COUNT), ("2", Reveal.ONE), ("3", Reveal.TWO), ("4", Reveal.ALL), ("a", Reveal.ALL)]
)
def test_hints_by_number(key: str, hint: Reveal) -> None:
    state = after("n" + key)
    assert (state.view.hint, state.view.step) == (hint, None)
    assert str(hint.said) in str(state.notice)


@pytest.mark.parametrize(
    ("keys", "step"), [("n", 0), ("nn", 1), ("nnp", 0), ("p", -1), ("pp", -2), ("na", None), ("0n", 0), ("2n", 1), ("2p", -1)]
)
def test_stepping(keys: str, step: int | None) -> None:
    state = after(keys)
    assert state.view.step == step
    assert state.view.hint not in {Reveal.OFF, Reveal.COUNT}


def test_turning_comes_round_and_mirroring_back() -> None:
    assert [after("r" * times).view.quarter_turns for times in range(5)] == [0, 1, 2, 3, 0]
    assert after("m").view.mirrored
    assert after("mm").view == View()


@pytest.mark.parametrize(("key", "name"), [(" ", "paused"), ("?", "help"), ("t", "timings")])
def test_switches(key: str, name: str) -> None:
    assert [getattr(after(key * times), name) for times in range(3)] == [False, True, False]


def test_the_times_take_the_place_of_the_help() -> None:
    state = after("?t")
    assert (state.help, state.timings) == (False, True)
    assert after("t?t").timings
    assert not after("?tt").timings


def test_labels_switch_off() -> None:
    assert not after("l").view.labels


def test_saving_is_counted_and_quitting_is_final() -> None:
    assert after("ss").saves == 2
    assert after("q").done
    assert press_view_key(WatchState(), 27).done


@pytest.mark.parametrize("left_right", [(65361, 65363), (2424832, 2555904), (63234, 63235)])
def test_arrows_step(left_right: tuple[int, int]) -> None:
    left, right = left_right
    assert press_view_key(WatchState(), right).view.step == 0
    assert press_view_key(WatchState(), left).view.step == -1


@given(key=st.integers(-10, 2**24))
def test_any_key_gives_a_state_and_unknown_ones_change_nothing(key: int) -> None:
    state = press_view_key(WatchState(), key)
    if key < 0 or (key > 127 and key not in {65361, 65363, 2424832, 2555904, 63234, 63235, 65470, 7340032, 63236}):
        assert state == WatchState()


def test_help_names_every_key_and_only_keys_that_do_something() -> None:
    named = {key for line in map(str, HELP) for key in line.partition("\t")[0].replace("space", "_").split()} - {"2R", "st", "ov"}
    keys = {" " if key == "_" else key for key in named}
    assert keys == set("h01234npal mrts?q")
    for key in keys:
        assert after(key, WatchState(view=View(step=1))) != WatchState(view=View(step=1)), key


def test_capitals_do_the_same() -> None:
    assert after("M") == after("m")
