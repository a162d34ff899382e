"""House rules of a game: from the command line, or asked for before a game begins."""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from visionset.commands.parts import say
from visionset.errors import RuleError, VisionsetError
from visionset.messages import Message, in_words
from visionset.numbers import int_or_none

if TYPE_CHECKING:
    from collections.abc import Callable

    from visionset.games.game import Game

_WORDS = {True: ("yes", "y", "true", "on"), False: ("no", "n", "false", "off"), None: ("usual", "default")}
"""What people write for a value, besides its word in the language that is spoken; None leaves a rule to the game: to the number of
players, or to the sources."""


def add_house_options(parser: Any) -> None:
    """Add the options that set house rules, to a parser or a group of one."""
    parser.add_argument("--preset", metavar="NAME", help="house rules by name, see `visionset rules GAME`")
    told = "one house rule, such as take_limit_s=8 or dealer_plays=no; may be given again; `visionset rules GAME` names all"
    parser.add_argument("--house", metavar="RULE=VALUE", action="append", default=[], help=told)
    parser.add_argument("--board", metavar="FILE", type=Path, help="board, a TOML file, where the game has one")


@dataclass(frozen=True, slots=True)
class House:
    """House rules as somebody gave them: a preset, single rules as ``RULE=VALUE``, the file of a board."""

    preset: str | None = None
    rules: tuple[str, ...] = ()
    board: Path | None = None

    def __bool__(self) -> bool:
        return bool(self.preset or self.rules or self.board)


def house_of(args: argparse.Namespace) -> House:
    """What the arguments of `add_house_options` say."""
    return House(args.preset, tuple(args.house), args.board)


def house_rules(game: Game, house: House) -> Any:
    """The options of a game by these house rules. Raises `RuleError`: the game knows no such preset, rule or value."""
    from visionset.games.house import preset_of, with_rule

    options = preset_of(game, house.preset)
    if house.board is not None:
        if "board" not in game.from_file:
            raise RuleError(f"expected a board only for a game with one, got one for {game.name}; leave --board out")
        options = replace(options, board=game.from_file["board"](house.board))
    for one in house.rules:
        name, equals, value = one.partition("=")
        if not equals:
            raise RuleError(f"expected RULE=VALUE after --house, got {one}; such as take_limit_s=8")
        options = with_rule(game, options, name.strip(), _as_json(value.strip()))
    return options


def refuse_when_resumed(house: House, resume: int | None) -> None:
    """Refuse house rules for a match that goes on."""
    given = [name for name, value in (("--preset", house.preset), ("--house", house.rules), ("--board", house.board)) if value]
    if resume is not None and given:
        raise RuleError(f"expected no {given[0]} with --resume, since a match keeps the rules that it began with; leave {given[0]} out")


def asked(game: Game, options: Any, count: int, read: Callable[[str], str] = input) -> Any:
    """Ask for the house rules before a game begins: Enter takes all, q leaves. Some follow from how many play (`count`)."""
    from visionset.games.house import settable, with_rule

    known = settable(game)
    if not known or not _is_terminal():
        return options
    while True:
        say(str(Message("house.of", game=game.title)))
        for number, rule in enumerate(known.values(), 1):
            value = rule.called(getattr(options, rule.name))
            say(f"  {number}  {Message('house.line', words=rule.words, value=value)}")
        try:
            answer = read(str(Message("house.change"))).strip()
        except EOFError:
            raise KeyboardInterrupt from None
        if not answer:
            return options
        if answer in ("q", "quit"):
            raise KeyboardInterrupt
        chosen = int_or_none(answer)
        if chosen is None or not 1 <= chosen <= len(known):
            say(str(Message("house.which", count=len(known))))
            continue
        name = list(known)[chosen - 1]
        try:
            told = read(f"{known[name].asked}: ").strip()
            changed = with_rule(game, options, name, _as_json(told)) if told else options
            game.start(changed, tuple(f"Player {number}" for number in range(1, count + 1)))
        except EOFError:
            raise KeyboardInterrupt from None
        except VisionsetError as error:
            say(str(error))
            continue
        options = changed


def _is_terminal() -> bool:
    """Whether somebody is there to answer."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def _as_json(value: str) -> Any:
    low = value.lower()
    for meant, words in _WORDS.items():
        if low in words or low == in_words(Message(f"page.start.{words[0]}")).lower():
            return meant
    decimal = in_words(Message("house.number", number=0.5))[1:-1]  # a comma in German
    for number in (int, float):
        try:
            return number(value.replace(decimal, "."))
        except ValueError:
            continue
    return value
