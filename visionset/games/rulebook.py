"""The rules as the program holds them, in our own words: read from ``data/rules.toml``."""

from __future__ import annotations

import tomllib
from importlib.resources import files

from visionset.games.base import Rule

_DATA = tomllib.loads(files("visionset.games").joinpath("data/rules.toml").read_text(encoding="utf-8"))

RULES: dict[str, tuple[Rule, ...]] = {
    game: tuple(Rule(number, _DATA[number]["text"], tuple(_DATA[number].get("options", ()))) for number in listed)
    for game, listed in _DATA["games"].items()
}
"""The rules of each game, by its name on the command line."""

OPTIONS: dict[str, dict[str, str]] = _DATA["options"]
"""What each option that people may set means, by game and field."""
