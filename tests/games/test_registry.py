"""A game is one folder: what is found, what is declared, and what a game that is not complete lacks."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from visionset.errors import GameError
from visionset.games import registry
from visionset.games.registry import GAMES, SPECS
from visionset.games.spec import GameSpec


@pytest.mark.parametrize("name", SPECS)
def test_a_game_is_complete(name: str) -> None:
    assert SPECS[name].lacks == ()


def test_our_games_are_declared_as_those_of_anybody_else() -> None:
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    ours = {name: f"{SPECS[name].package}:SPEC" for name in SPECS if SPECS[name].package.startswith(registry.GROUP)}
    assert project["entry-points"][registry.GROUP] == ours


def test_what_a_game_lacks_is_named() -> None:
    bare = GameSpec("tests.games", "bare", "A game of nothing", ("set-cards",), lambda seen: False)
    looked_for = [line.split(" in ")[1].split(",")[0] for line in bare.lacks]
    assert looked_for == [f"tests.games.{module}" for module in ("rules", "chance", "bot", "advice", "referee", "view")] + ["rules.toml"]
    with pytest.raises(GameError, match=r"game bare: expected move in tests\.games\.bot, got none; write there"):
        bare.part("bot")
    with pytest.raises(GameError, match=r"tests\.games: expected its rules in rules\.toml"):
        _ = bare.book


@pytest.mark.parametrize("pieces", [("dice",), "set-cards"])
def test_pieces_that_are_none_are_named(pieces: tuple[str, ...]) -> None:
    told = GameSpec("tests.games", "bare", "A game of nothing", pieces, lambda seen: False).lacks[0]
    assert told.startswith("game bare: expected pieces among set-cards, ")
    assert told.endswith(f"got {pieces!r}; name them as --pieces does")


def test_a_game_that_nobody_knows_is_no_key() -> None:
    assert "chess" not in GAMES
    assert GAMES.get("chess") is None
