"""House rules of a game: which there are, what each is in words, and how one is set."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from enum import Enum
from typing import Any, Literal

from visionset.codec import from_json, to_json
from visionset.errors import RecordError, RuleError
from visionset.games.game import Game
from visionset.games.rulebook import RuleBook
from visionset.games.spec import GameSpec
from visionset.messages import Message

MOST_ROUNDS = 1000
"""Rounds or turns of a game: more than anybody plays, few enough that nothing grows without end."""


@dataclass(frozen=True, slots=True)
class HouseRule:
    """A rule that one value can set."""

    name: str
    words: str
    kind: Literal["switch", "choice", "number", "text"]
    value: Any
    """As the game has it, where nobody sets it; as JSON."""
    may_be_left: bool
    """None, too, is a value: it leaves the rule to the game."""
    values: Mapping[str, str]
    """Of a choice: each value with what it is called."""

    @property
    def asked(self) -> Message:
        """What is set, with the values that it may have where they are few."""
        if self.kind == "switch":
            return Message("house.yes_no", words=self.words)
        if self.kind == "choice":
            return Message("house.choice", words=self.words, values=tuple(f"{name}: {words}" for name, words in self.values.items()))
        return Message("house.any", words=self.words)

    def called(self, value: Any) -> Message | str:
        """What a value is called, which may be one of Python or as JSON."""
        if value is None or isinstance(value, bool):
            return Message(f"page.start.{'usual' if value is None else 'yes' if value else 'no'}")
        if isinstance(value, int | float):
            return Message("house.number", number=value)
        return self.values.get(code := str(to_json(value)), code)


def settable(game: Game) -> Mapping[str, HouseRule]:
    """House rules by their names, in the order of the options."""
    book, defaults = game.spec.book, game.options()
    return {
        field.name: _house_rule(field.name, str(field.type), getattr(defaults, field.name), book)
        for field in fields(game.options)
        if field.name in book.options
    }


def _house_rule(name: str, hint: str, value: Any, book: RuleBook) -> HouseRule:
    codes = [str(member.value) for member in type(value)] if isinstance(value, Enum) else []
    kind: Literal["switch", "choice", "number", "text"]
    kind = "choice" if codes else "switch" if "bool" in hint else "number" if "int" in hint or "float" in hint else "text"
    called = book.values.get(name, {})
    return HouseRule(name, book.options[name], kind, to_json(value), "None" in hint, {code: called.get(code, code) for code in codes})


def preset_of(game: Game, name: str | None) -> Any:
    """House rules by name, those of the game where none is said; raises `RuleError` for one that the game does not know."""
    if name is None:
        return game.options()
    presets = dict(game.presets)
    if name not in presets:
        raise RuleError(Message("house.refused.preset", presets=tuple(presets), name=name, game=game.name))
    return presets[name]


def with_rule(game: Game, options: Any, name: str, value: Any) -> Any:
    """Set one house rule by its name and its value as JSON; raises `RuleError` for what the game does not know."""
    known = settable(game)
    if name not in known:
        raise RuleError(Message("house.refused.rule", rules=tuple(known) or (Message("none"),), name=name, game=game.name))
    try:
        return from_json(game.options, {**to_json(options), name: value})
    except RecordError as error:
        raise RuleError(Message("house.refused.value", rule=known[name].asked, value=known[name].called(value))) from error


def check_ranges(spec: GameSpec, options: Any, **ranges: tuple[float, float]) -> None:
    """Raise `RuleError` for a house rule that is not within its least and most; one that is left to the game is."""
    for name, (least, most) in ranges.items():
        value = getattr(options, name)
        if value is not None and not least <= value <= most:
            raise RuleError(Message("house.refused.range", rule=spec.book.options[name], least=least, most=most, value=value))


def check_hands(hand: int, dice: int, players: int) -> None:
    """Raise `RuleError` where the dice do not suffice for as many in each hand."""
    if hand * players > dice:
        raise RuleError(Message("house.refused.hands", most=dice // players, count=players, hand=hand))
