"""``visionset rules``: the rules of the games as the program holds them."""

from __future__ import annotations

import argparse

from visionset.commands.parts import Subparsers, add_command, complain
from visionset.commands.terminal import console
from visionset.games.registry import SPECS

_MORE = """\
examples
  visionset rules               which games there are
  visionset rules cubed         the rules of SET Cubed, by number, with the options that change them
"""


def add_parsers(subparsers: Subparsers) -> None:
    """Add ``visionset rules``."""
    rules = add_command(subparsers, "rules", run_rules, _MORE)
    rules.add_argument("game", choices=SPECS, metavar="GAME", nargs="?", help="which game: %(choices)s; left out: list them")


def run_rules(args: argparse.Namespace) -> int:
    """Print the rules of one game, or what games there are."""
    from rich.text import Text

    from visionset.games.house import settable
    from visionset.games.registry import GAMES, sound
    from visionset.messages import Message

    out = console()
    if args.game is None:
        games, faults = sound()
        for game in games:
            least, most = game.min_players, game.max_players
            seats = Message("page.start.seats", count=least) if least == most else Message("page.start.seats_to", least=least, most=most)
            out.print(Text(f"{game.name:14}{game.title}, {seats}"))
        for error in faults:
            complain(str(error))
        return int(bool(faults))
    game = GAMES[args.game]
    out.print(Text(game.title, style="bold"))
    for rule in game.rules:
        option = f"  [{Message('house.option', names=rule.options)}]" if rule.options else ""
        out.print(Text(f"{rule.number:>4}  {rule.text}{option}"))
    for house in settable(game).values():
        out.print(Text(f"--house {house.name}=...  {Message('house.line', words=house.asked, value=house.called(house.value))}"))
    for name, words in game.spec.book.presets.items():
        out.print(Text(f"--preset {name}  {Message('house.line', words=words.name, value=words.means)}", style="dim"))
    return 0
