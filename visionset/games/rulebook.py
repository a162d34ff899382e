"""The rules and options of a game in our own words: in English from the ``rules.toml`` of its folder, in others from their catalogues."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Self

from visionset.errors import GameError
from visionset.games.base import Rule
from visionset.messages import ENGLISH, in_own_words, spoken

_SHARED = "visionset.games"
"""Where the rules are that several games have, ``shared.toml``."""


@dataclass(frozen=True, slots=True)
class PresetWords:
    """What house rules that go together are called."""

    name: str
    means: str
    """What it means, in one line; empty where the game does not say."""


@dataclass(frozen=True, slots=True)
class RuleBook:
    """What a game says in words, in the language that is spoken."""

    rules: tuple[Rule, ...]
    """In the order in which they are read out."""
    options: Mapping[str, str]
    """What each option that people may set means, by its field."""
    values: Mapping[str, Mapping[str, str]]
    """What an option with a few named values calls them, by its field; a value that is not there is called by its own name."""
    presets: Mapping[str, PresetWords]
    """By the name of the preset."""

    @classmethod
    def load(cls, package: str, game: str) -> Self:
        """Read the book of the game in a package; raises `GameError` where it is missing, words cannot be read or a rule has no text."""
        try:
            return cls._loaded(package, game)
        except (AttributeError, KeyError, TypeError) as error:  # it is TOML, and no book
            raise _is_none(package, "rules.toml", f"{type(error).__name__} ({error})") from error

    @classmethod
    def _loaded(cls, package: str, game: str) -> Self:
        own, shared = _read(package, "rules.toml"), _read(_SHARED, "shared.toml")
        for said in (f"messages.{language}.toml" for language in {ENGLISH, spoken()}):
            if files(package).joinpath(said).is_file():
                _read(package, said)  # who looks for words passes over a file that is broken
        own_rules = own.get("rules", {})
        texts = {**shared["rules"], **own_rules}
        listed = own.get("order", list(own_rules))
        missing = [number for number in listed if "text" not in texts.get(number, {})]
        if missing:
            raise GameError(f"{package}: expected a text for the rule {missing[0]}, got none; write it in rules.toml")
        codes = {number: f"{game}.rule.{number}" if number in own_rules else f"rule.{number}" for number in listed}
        rules = (Rule(one, in_own_words(code, texts[one]["text"]), tuple(texts[one].get("options", ()))) for one, code in codes.items())
        return cls(
            tuple(rules),
            _named(f"{game}.house", own.get("options", {})),
            {option: _named(f"{game}.value.{option}", named) for option, named in own.get("values", {}).items()},
            {
                name: PresetWords(**_named(f"{game}.preset.{name}", {"name": name, "means": "", **said}))
                for name, said in own.get("presets", {}).items()
            },
        )


def _named(code: str, english: Mapping[str, str]) -> dict[str, str]:
    return {name: in_own_words(f"{code}.{name}", text) for name, text in english.items()}


@cache
def _read(package: str, name: str) -> dict[str, Any]:
    try:
        return tomllib.loads(files(package).joinpath(name).read_text(encoding="utf-8"))
    except (ImportError, OSError, ValueError) as error:
        raise _is_none(package, name, str(error)) from error


def _is_none(package: str, name: str, got: str) -> GameError:
    return GameError(f"{package}: expected its {name.partition('.')[0]} in {name}, got {got}; write them as docs/adding-a-game.md says")
