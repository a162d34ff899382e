"""``visionset rules``: the rules of the games as the program holds them."""

from __future__ import annotations

import argparse

from visionset.commands.parts import Subparsers, add_command
from visionset.commands.terminal import console
from visionset.games.registry import SPECS

_MORE = """\
examples
  visionset rules               which games there are
  visionset rules cubed         the rules of SET Cubed, by number, with the options that change them
"""


def add_parsers(subparsers: Subparsers) -> None:
    """Add ``visionset rules``."""
    rules = add_command(subparsers, "rules", run_rules, "print the rules of a game as the program holds them", _MORE)
    rules.add_argument("game", choices=SPECS, metavar="GAME", nargs="?", help="which game: %(choices)s; left out: list them")


def run_rules(args: argparse.Namespace) -> int:
    """Print the rules of one game, or what games there are."""
    from dataclasses import fields

    from rich.text import Text

    from visionset.codec import to_json
    from visionset.games.registry import GAMES

    out = console()
    if args.game is None:
        for game in GAMES.values():
            out.print(Text(f"{game.name:14}{game.title}, {game.min_players} to {game.max_players} players"))
        return 0
    game = GAMES[args.game]
    out.print(Text(game.title, style="bold"))
    for rule in game.rules:
        option = f"  [option: {', '.join(rule.options)}]" if rule.options else ""
        out.print(Text(f"{rule.number:>4}  {rule.text}{option}"))
    for name, words in game.spec.book.options.items():
        out.print(Text(f"--house {name}=...  {words}"))
    for name, preset in game.presets.items():
        simple = {f.name: to_json(getattr(preset, f.name)) for f in fields(preset) if f.name not in game.from_file}
        out.print(Text(f"preset {name}: {', '.join(f'{key} {value}' for key, value in simple.items()) or 'no options'}", style="dim"))
    return 0
