"""House rules of a game: which there are, what each is in words, and how one is set."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from visionset.codec import from_json, to_json
from visionset.errors import RecordError, RuleError
from visionset.games.game import Game


def settable(game: Game) -> Mapping[str, str]:
    """Rules that one value can set, with their words, in the order of the options."""
    words = game.spec.book.options
    return {field.name: words[field.name] for field in fields(game.options) if field.name in words}


def preset_of(game: Game, name: str | None) -> Any:
    """House rules by name, those of the game where none is said; raises `RuleError` for one that the game does not know."""
    if name is None:
        return game.options()
    presets = dict(game.presets)
    if name not in presets:
        raise RuleError(f"expected a preset among {', '.join(presets)}, got {name}; see `visionset rules {game.name}`")
    return presets[name]


def with_rule(game: Game, options: Any, name: str, value: Any) -> Any:
    """Set one house rule by its name and its value as JSON; raises `RuleError` for what the game does not know."""
    known = settable(game)
    if name not in known:
        raise RuleError(f"expected a rule of {game.name} among {', '.join(known) or 'none'}, got {name}; see `visionset rules {game.name}`")
    try:
        return from_json(game.options, {**to_json(options), name: value})
    except RecordError as error:
        raise RuleError(f"expected for {name}: {known[name]}; got {value!r}") from error
