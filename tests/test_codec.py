"""Values of the games to JSON and back."""

from dataclasses import dataclass
from typing import Any

import pytest

from visionset.codec import changed, from_json, to_json
from visionset.errors import RecordError
from visionset.games.grid import Laid
from visionset.games.registry import GAMES
from visionset.games.set_cards.rules import Penalty
from visionset.pieces import PlayingCard, SetCard, SetDie


@dataclass(frozen=True, slots=True)
class Inner:
    card: SetCard
    dice: tuple[SetDie, ...] = ()


@dataclass(frozen=True, slots=True)
class Outer:
    inner: Inner
    pair: tuple[int, str]
    penalty: Penalty
    time_s: float | None
    done: bool = False
    extra: Any = None


VALUE = Outer(Inner(SetCard.parse("1-red-open-oval"), (SetDie(),)), (3, "x"), Penalty.HEAP, 1.5)


def test_round_trip() -> None:
    data = to_json(VALUE)
    assert data == {
        "inner": {"card": "1-red-open-oval", "dice": ["wild"]},
        "pair": [3, "x"],
        "penalty": "heap",
        "time_s": 1.5,
        "done": False,
        "extra": None,
    }
    assert from_json(Outer, data) == VALUE
    assert from_json(Outer, {**data, "time_s": None}).time_s is None
    assert from_json(Outer, {**data, "time_s": 2}).time_s == 2.0
    assert from_json(Outer, {**data, "extra": {"a": [1]}}).extra == {"a": [1]}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"pair": [3]}, "expected 2 values at Outer.pair"),
        ({"pair": [True, "x"]}, r"expected a whole number at Outer.pair\[0\], got True"),
        ({"penalty": "fine"}, "expected a Penalty at Outer.penalty, got 'fine'"),
        ({"inner": 3}, "expected an object at Outer.inner, got 3"),
        ({"inner": {}}, "expected card at Outer.inner, got nothing; add it"),
        ({"inner": {"card": "1-red"}}, "expected a SetCard at Outer.inner.card, got '1-red'"),
        ({"inner": {"card": 5}}, "expected a SetCard at Outer.inner.card, got 5"),
        ({"more": 1}, "expected only inner, pair, penalty, time_s, done, extra at Outer, got more"),
        ({"time_s": "1"}, "expected a number at Outer.time_s"),
    ],
)
def test_what_does_not_fit_is_located(change: dict[str, Any], message: str) -> None:
    with pytest.raises(RecordError, match=message):
        from_json(Outer, {**to_json(VALUE), **change})


@pytest.mark.parametrize("change", [{}, {"pair": [4, "y"], "done": True}, {"inner": {"card": "2-red-solid-oval"}}])
def test_some_fields_are_changed_as_if_all_were_read(change: dict[str, Any]) -> None:
    assert changed(VALUE, change) == from_json(Outer, {**to_json(VALUE), **change})
    with pytest.raises(RecordError, match="at Outer, got more"):
        changed(VALUE, {**change, "more": 1})


def test_a_piece_may_stand_where_its_name_does() -> None:
    """The part `brings` of a game gives values of an event as JSON, or pieces as they are."""
    assert from_json(Laid, {"row": 0, "col": 2, "face": SetDie.parse("wild")}) == from_json(Laid, {"row": 0, "col": 2, "face": "wild"})
    with pytest.raises(RecordError, match=r"expected a SetDie at Laid\.face, got SetCard"):
        from_json(Laid, {"row": 0, "col": 2, "face": SetCard.parse("1-red-open-oval")})


def test_what_no_game_holds_is_refused() -> None:
    with pytest.raises(RecordError, match="got set"):
        to_json({1})
    assert to_json(PlayingCard.parse("QH")) == "QH"


def test_all_seven_games_are_registered() -> None:
    assert list(GAMES) == ["crossword", "cubed", "english-sets", "scramble", "set", "sets-dice", "solitaire"]


@pytest.mark.parametrize(
    ("kind", "data"), [(int, 10**17), (int, -(10**17)), (float, 10**400), (float, float("nan")), (float, float("inf"))]
)
def test_numbers_that_no_game_has_are_refused(kind: type, data: Any) -> None:
    with pytest.raises(RecordError, match="expected a finite"):
        from_json(kind, data)
