"""House rules of a game: from the command line, or asked for before a game begins."""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from visionset.commands.parts import say
from visionset.errors import RuleError, VisionsetError

if TYPE_CHECKING:
    from collections.abc import Callable

    from visionset.games.game import Game

_YES, _NO = frozenset({"yes", "y", "true", "on"}), frozenset({"no", "n", "false", "off"})
_BY_DEFAULT = "default"
"""Value that leaves an option to the game: to the number of players, or to the sources."""


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
    """Ask for the house rules before a game begins: Enter takes all as they are. Some of them follow from how many play (`count`)."""
    from visionset.games.house import settable, with_rule

    known = settable(game)
    if not known or not _is_terminal():
        return options
    while True:
        say(f"House rules of {game.title}:")
        for number, (name, words) in enumerate(known.items(), 1):
            say(f"  {number}  {words}: {_in_words(getattr(options, name))}")
        try:
            answer = read("Enter begins; a number changes that rule: ").strip()
        except EOFError:
            return options
        if not answer:
            return options
        if not answer.isdecimal() or not 1 <= int(answer) <= len(known):
            say(f"expected a number from 1 to {len(known)}, or Enter")
            continue
        name = list(known)[int(answer) - 1]
        try:
            value = read(f"{known[name]}: ").strip()
            changed = with_rule(game, options, name, _as_json(value)) if value else options
            game.start(changed, tuple(f"Player {number}" for number in range(1, count + 1)))
        except EOFError:
            return options
        except VisionsetError as error:
            say(str(error))
            continue
        options = changed


def _is_terminal() -> bool:
    """Whether somebody is there to answer."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def _as_json(value: str) -> Any:
    low = value.lower()
    if low in _YES | _NO:
        return low in _YES
    if low == _BY_DEFAULT:
        return None
    for number in (int, float):
        try:
            return number(value)
        except ValueError:
            continue
    return value


def _in_words(value: Any) -> str:
    if value is None:
        return _BY_DEFAULT
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(getattr(value, "value", value))
