"""What several commands share: options, and one way to say things."""

from __future__ import annotations

import argparse
import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from visionset.commands import COMMANDS
from visionset.commands.language import add_language_option
from visionset.commands.logs import add_log_options
from visionset.commands.terminal import escaped, shortened
from visionset.errors import OutputError, StoreError, without_passwords
from visionset.messages import Message, at_table, in_words
from visionset.numbers import real, whole_number

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from visionset.pieces import Kind, Piece
    from visionset.recording import Recording
    from visionset.session import SessionOptions
    from visionset.store import Store
    from visionset.table import Sighting, Table
    from visionset.vision.options import ReadOptions

DATABASE = "matches.sqlite3"
"""All matches, in the folder of what is kept between games."""

Subparsers: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"

_LONGEST_LINE = 1000
"""Characters of a complaint; what it quotes may be of any length."""


def add_command(subparsers: Subparsers, name: str, run: Callable[[argparse.Namespace], int], more: str) -> argparse.ArgumentParser:
    """Add one of `COMMANDS`: what follows its options in ``--help``, and what gives its exit code."""
    return add_action(subparsers, name, run, COMMANDS[name], more)


def add_action(
    subparsers: Subparsers, name: str, run: Callable[[argparse.Namespace], int], summary: str, more: str = ""
) -> argparse.ArgumentParser:
    """Add an action of a command: a line about it, what follows its options in ``--help``, and what gives its exit code."""
    parser = subparsers.add_parser(
        name,
        help=summary,
        description=summary[0].upper() + summary[1:] + ".",
        epilog=more,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add_language_option(parser)
    add_log_options(parser)
    parser.set_defaults(run=run)
    return parser


def add_read_options(parser: argparse.ArgumentParser) -> None:
    """Add the options about what lies on the table."""
    from visionset.kinds import CHOICES, MOST_DECKS

    parser.add_argument(
        "--decks", type=whole_number(1, MOST_DECKS), default=1, metavar="N", help="decks on the table: with 2, a card may lie there twice"
    )
    parser.add_argument(
        "--pieces",
        type=_kinds,
        metavar="KINDS",
        help=f"what to look for, with commas between: {', '.join(CHOICES)}, or all (default); "
        "a single kind is read faster, and doubtful pieces of it are shown too",
    )
    parser.add_argument(
        "--min-confidence",
        type=real(0, 1),
        metavar="P",
        help='from 0 to 1: what is read with less is reported as not sure, drawn as "?" (usually .6, of dice on a single picture .8)',
    )


def read_options(args: argparse.Namespace) -> ReadOptions:
    """How to read a photo, as the arguments of `add_read_options` say; a session would load what tracks a table too."""
    from visionset.vision.options import ReadOptions

    return ReadOptions.wanted(args.decks, args.min_confidence, args.pieces)


def add_whole_card_option(parser: argparse.ArgumentParser) -> None:
    """For commands that read photos: each is one SET card."""
    parser.add_argument("--whole-card", action="store_true", help="each photo shows one SET card that fills it")
    parser.set_defaults(misused=parser.error)


def check_whole_card(args: argparse.Namespace, is_whole_card: bool) -> None:
    """End the command where photos are one card each, and SET cards are not looked for."""
    from visionset.pieces import Kind

    if is_whole_card and args.pieces is not None and Kind.SET_CARD not in args.pieces:
        args.misused(
            "expected --whole-card with SET cards, got other --pieces; leave out --whole-card, and show what lies around the piece"
        )


def session_options(args: argparse.Namespace) -> SessionOptions:
    """What lies on the table, as the arguments of `add_read_options` say."""
    from visionset.session import SessionOptions

    return SessionOptions(args.decks, args.min_confidence, args.pieces)


def complain(line: str) -> int:
    """Print one line of error and return the exit code for it; of a very long one its beginning, and its end, which says what to do."""
    with suppress(OSError):  # `cli.main` tells what is wrong with the output
        sys.stdout.flush()
    told = shortened(escaped(without_passwords(line)).replace("\n", " "))
    if len(told) > _LONGEST_LINE:
        told = f"{told[: _LONGEST_LINE // 2]} ... {told[-_LONGEST_LINE // 2 :]}"
    with suppress(OSError):  # nobody hears
        print(f"visionset: {told}", file=sys.stderr, flush=True)
    return 1


def agreed(question: str, *, otherwise: bool = False) -> bool:
    """Ask for yes or no until one of them comes, in the language that is spoken too.

    Enter says `otherwise`; q and Ctrl-D say no, and leave where yes is usual.
    """
    words = {True: {"y", "yes"}, False: {"n", "no"}}
    for meant, name in ((True, "yes"), (False, "no")):
        own = in_words(Message(f"page.start.{name}")).lower()
        words[meant] |= {own, own[:1]}
    while True:
        try:
            answer = input(escaped(question)).strip().lower()
        except EOFError:
            answer = "q"
        if answer in ("q", "quit"):
            if otherwise:
                raise KeyboardInterrupt
            return False
        for meant, known in words.items():
            if answer in known:
                return meant
        if not answer:
            return otherwise


def say(line: str) -> None:
    """Print lines at once, also into a pipe."""
    print(escaped(line), flush=True)


def say_written(path: Path, line: str) -> None:
    """Print a line about a file that was written; where that is the standard output, as in a pipe, to the standard error."""
    try:
        is_output = os.path.samestat(path.stat(), os.fstat(sys.stdout.fileno()))
    except (OSError, ValueError):  # the output is no file
        is_output = False
    (remark if is_output else say)(line)


def remark(line: str) -> None:
    """Print a line beside what another program may read: to the standard error, without the name of the program."""
    with suppress(OSError):  # nobody hears
        print(escaped(without_passwords(line)), file=sys.stderr, flush=True)


def headline(table: Table, sets: Sequence[tuple[int, int, int]], count: int | None = None) -> str:
    """``12 cards, 3 SETs`` or ``3 cards and 17 SET dice, no SET``, of pips ``2 dice``.

    `count` is how many SETs there are if not all are listed.
    """
    from visionset.words import counted_sets, may_hold_sets, what_lies

    kinds = [one.kind for one in table.sightings]
    pieces = at_table(what_lies(kinds, sum(one.is_unread for one in table.sightings)))
    may_hold = sets or may_hold_sets([one.kind for one in table.sightings if one.piece is not None])  # what has no name may be in some
    return f"{pieces}, {at_table(counted_sets(len(sets) if count is None else count))}" if may_hold else pieces


def card_text(sighting: Sighting) -> str:
    """A card in words, or what it might be."""
    from visionset.pieces import PipDie

    def called(piece: Piece) -> Message | Piece:
        return Message("read.pips", value=piece.value) if isinstance(piece, PipDie) else piece

    if sighting.piece is not None:
        return at_table(called(sighting.piece))
    if sighting.kind.value == "card_back":
        return at_table(Message("read.face_down"))
    what_to_do = Message(f"read.{'doubtful' if sighting.reason is None else sighting.reason.value.replace(' ', '_')}")
    if sighting.guess is None:
        return at_table(Message("read.unsure", what_to_do=what_to_do))
    return at_table(Message("read.perhaps", piece=called(sighting.guess.piece), what_to_do=what_to_do))


def add_data_option(parser: argparse.ArgumentParser) -> None:
    """Add the option that says where matches are kept."""
    told = "folder of matches and scores (default: $VISIONSET_DATA, else the user's data folder)"
    parser.add_argument("--data", type=Path, metavar="FOLDER", default=argparse.SUPPRESS, help=told)


def data_folder(args: argparse.Namespace) -> Path:
    """Folder of what is kept between games: of ``--data``, else of ``VISIONSET_DATA``, else of the user."""
    from platformdirs import user_data_path

    if hasattr(args, "data"):
        return Path(args.data)
    named = os.environ.get("VISIONSET_DATA")
    return Path(named) if named else user_data_path("visionset")


def where_kept(args: argparse.Namespace) -> str:
    """The option of another command that finds the same matches: nothing unless ``--data`` was given."""
    import shlex

    return f" --data {shlex.quote(str(args.data))}" if hasattr(args, "data") else ""


def open_store(folder: Path) -> Store:
    """Open the matches of a `data_folder`, with the computer's clock."""
    import time

    from visionset.store import Store

    return Store(folder / DATABASE, time.time)


def open_kept(folder: Path) -> Store:
    """Open the matches that are in a `data_folder`; raises `StoreError` where none are: to look for them makes no folder."""
    if not (folder / DATABASE).exists():
        got = "none there" if folder.is_dir() else "a file" if folder.exists() else "no such folder"
        raise StoreError(f"{folder}: expected matches that were kept, got {got}; begin one with `visionset play GAME`, or name another")
    return open_store(folder)


def add_force_option(parser: argparse.ArgumentParser) -> None:
    """Add the option that lets a command write over a file that it is told to write."""
    parser.add_argument("--force", action="store_true", help="write over a file that is there")


def check_new(args: argparse.Namespace, *paths: Path) -> None:
    """Raises `OutputError`: a file is there that somebody may miss, and ``--force`` was not given."""
    for path in paths:
        if path.is_file() and not args.force:
            raise OutputError(f"{path}: expected to write a new file, got one that is there; add --force to write over it, or name another")


def check_another(save: Path, source: Path | str) -> None:
    """Raises `OutputError`: what is written would take the place of the video that is looked at."""
    if save.exists() and Path(source).exists() and save.samefile(source):
        raise OutputError(f"{save}: expected another file than the video that is watched, got the same; change the name after --save")


def complain_of_damage(recording: Recording) -> None:
    """Tell that lines of a recording cannot be read."""
    from visionset.words import counted

    if recording.damaged:
        lines = counted(recording.damaged, "line")
        complain(f"{recording.folder}: {lines} cannot be read, and what they told is missing; it was changed by hand or the disk fails")


def player_names(args: argparse.Namespace) -> tuple[str, ...]:
    """The names after ``--players``."""
    from visionset.games.base import as_name

    return tuple(name for part in args.players.split(",") if (name := as_name(part)))


def say_places(found: Iterable[tuple[str, int, int, int]]) -> None:
    """Tell the `places`."""
    from visionset.words import counted

    for name, score, place, count in found:
        points = counted(score, "point") if score else "0 points"
        say(f"{name}: {points}, place {place} of {count} in all games so far")


def _kinds(text: str) -> frozenset[Kind]:
    from visionset.kinds import CHOICES, kinds_of

    names = tuple(name.strip().lower() for name in text.split(","))
    for name in names:
        if name not in (*CHOICES, "all"):
            raise argparse.ArgumentTypeError(f"expected some of {', '.join(CHOICES)}, or all, got {name!r}")
    return kinds_of(CHOICES if "all" in names else names)
