"""``visionset print``: cards, dice, board, sheets, mats, leaflets and the calibration sheet as PDF."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

from visionset.commands.parts import Subparsers, add_action, add_command, add_force_option, check_new, say_written
from visionset.errors import OptionError
from visionset.messages import Message
from visionset.numbers import real, whole_number
from visionset.printing.prints import PRINTS, Printable, PrintOption

_MORE = """\
examples
  visionset print deck                                81 SET cards on four sheets of A4: deck-a4.pdf
  visionset print deck --size full --backs long       57 x 87 mm, with backs, for a printer that flips on the long edge
  visionset print deck --colour-blind                 with letters and patterns
  visionset print dice --form stickers --die-mm 18    for blank dice of 18 mm
  visionset print board --board mine.toml             the board of SET Cubed: ours, or one of your own
  visionset print sheets --players 6                  six player sheets with trackers, and a list of ranks
  visionset print mat english-sets                    zones to lay cards on; mat set has places for a layout
  visionset print leaflet cubed --language de         the rules of a game, to be folded once
  visionset print calibration-sheet --paper letter    the sheet by which a camera is calibrated

Print at 100 % ("actual size", no "fit to page"). visionset print THING --help has the options of each.
It needs ReportLab: pip install 'visionset[print]'
"""

_OURS = f"""\
Our board, to copy and change for --board:
  {Path(__file__).parents[1] / "games" / "cubed" / "board.toml"}
"""


def add_parsers(subparsers: Subparsers) -> None:
    """Describe the command and what it prints."""
    command = add_command(subparsers, "print", _nothing_named, _MORE)
    things = command.add_subparsers(metavar="THING", title="things to print")
    for thing in PRINTS.values():
        parser = add_action(things, thing.name, partial(run, thing), thing.told, _OURS if thing.name == "board" else "")
        for option in thing.options:
            _add(parser, option)
        if thing.name == "board":
            parser.add_argument("--board", type=Path, metavar="FILE.toml", help="a board of your own, in the form of ours (default: ours)")
        parser.add_argument("--out", type=Path, metavar="FILE.pdf", help=f"the file (default: {_named(thing, None)}, in this folder)")
        add_force_option(parser)
    command.set_defaults(run=partial(_nothing_named, command=command))


def _add(parser: argparse.ArgumentParser, option: PrintOption) -> None:
    name = f"--{option.name}"
    if option.leads:
        told = f"{option.told} (one of %(choices)s; default: %(default)s)"
        parser.add_argument(option.name, choices=option.choices, default=option.usual, nargs="?", metavar=option.name.upper(), help=told)
    elif option.choices:
        parser.add_argument(name, choices=option.choices, default=option.usual, help=f"{option.told} (default: %(default)s)")
    elif isinstance(option.usual, bool):
        parser.add_argument(name, action="store_true", help=option.told)
    else:
        limits = whole_number(int(option.least), int(option.most)) if option.is_whole else real(option.least, option.most)
        parser.add_argument(name, type=limits, default=option.usual, metavar="N", help=f"{option.told} (default: %(default)g)")


def _named(thing: Printable, wanted: Mapping[str, Any] | None) -> str:
    """What the file is called; without wishes, for ``--help``, with all that may be in its name."""
    parts = [option.name for option in thing.options if option.leads or option.name == "paper"]
    told = [part.upper() if wanted is None else str(wanted[part]) for part in parts]
    others = [option for option in thing.options if option.name not in parts]  # named where they are not as usual
    if wanted is None:
        more = [f"[-{option.name if isinstance(option.usual, bool) else option.name.upper()}]" for option in others]
    else:
        wishes = [(option, wanted[option.name]) for option in others if wanted[option.name] != option.usual]
        more = [f"-{option.name}" if wish is True else f"-{wish:g}" if isinstance(wish, float) else f"-{wish}" for option, wish in wishes]
    return "".join(["-".join([thing.name, *told]), *more, ".pdf"])


def _nothing_named(args: argparse.Namespace, command: argparse.ArgumentParser | None = None) -> int:
    if command is not None:
        command.print_help()
    return 0


def run(thing: Printable, args: argparse.Namespace) -> int:
    """Write one PDF."""
    from visionset.saving import check_ending, saved

    wanted = {option.name: getattr(args, option.name.replace("-", "_")) for option in thing.options}
    if getattr(args, "board", None) is not None:
        wanted["board"] = args.board
    if wanted.get("layout", "set") != "set" and wanted["size"] != "compact":
        raise OptionError(f"expected --size for mat set, got mat {wanted['layout']}, whose zones have one size; leave --size out")
    path = args.out or Path(_named(thing, wanted))
    check_ending(path, ".pdf")
    check_new(args, path)
    data = thing.draw(wanted)
    with saved(path, "name another with --out" if args.out is None else "name another") as part:
        part.write_bytes(data)
    backs = wanted.get("backs", "none")
    flipped = "" if backs == "none" else Message("print.written.backs", flipped=Message(f"print.deck.{backs}_edge"))
    say_written(path, str(Message("print.written.file", path=str(path), how=Message(f"print.written.{thing.name}"), backs=flipped)))
    return 0
