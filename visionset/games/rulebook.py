"""The rules as the program holds them, in our own words: read from ``data/rules.toml``."""

from __future__ import annotations

import tomllib
from importlib.resources import files

from visionset.games.base import Rule


def _read() -> dict[str, tuple[Rule, ...]]:
    data = tomllib.loads(files("visionset.games").joinpath("data/rules.toml").read_text(encoding="utf-8"))
    numbers: dict[str, list[str]] = data["games"]
    return {
        game: tuple(Rule(number, data[number]["text"], tuple(data[number].get("options", ()))) for number in listed)
        for game, listed in numbers.items()
    }


RULES: dict[str, tuple[Rule, ...]] = _read()
"""The rules of each game, by its name on the command line."""
