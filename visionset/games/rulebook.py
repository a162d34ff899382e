"""The rules and options of a game in our own words: read from the ``rules.toml`` of its folder."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from typing import Any, Self

from visionset.errors import GameError
from visionset.games.base import Rule

_SHARED = "visionset.games"
"""Where the rules are that several games have, ``shared.toml``."""


@dataclass(frozen=True, slots=True)
class RuleBook:
    """What a game says in words."""

    rules: tuple[Rule, ...]
    """In the order in which they are read out."""
    options: Mapping[str, str]
    """What each option that people may set means, by its field."""

    @classmethod
    def load(cls, package: str) -> Self:
        """Read the book of the game in a package; raises `GameError` where it is missing or names a rule that has no text."""
        own, shared = _read(package, "rules.toml"), _read(_SHARED, "shared.toml")
        texts = {**shared["rules"], **own.get("rules", {})}
        listed = own.get("order", list(own.get("rules", {})))
        missing = [number for number in listed if number not in texts]
        if missing:
            raise GameError(f"{package}: expected a text for the rule {missing[0]}, got none; write it in rules.toml")
        rules = tuple(Rule(number, texts[number]["text"], tuple(texts[number].get("options", ()))) for number in listed)
        return cls(rules, own.get("options", {}))


def _read(package: str, name: str) -> dict[str, Any]:
    try:
        return tomllib.loads(files(package).joinpath(name).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise GameError(f"{package}: expected its rules in {name}, got {error}; write them as docs/adding-a-game.md says") from error
