"""``visionset matches``: the matches that were played, and those that go on."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from visionset.commands.match_log import has_moves, told_entries
from visionset.commands.parts import (
    DATABASE,
    Subparsers,
    add_action,
    add_command,
    add_data_option,
    agreed,
    complain,
    data_folder,
    open_kept,
    open_store,
    say,
)
from visionset.commands.terminal import console, folding_table
from visionset.errors import OutputError, VisionsetError
from visionset.messages import Message, in_words
from visionset.numbers import match_number
from visionset.saving import save_text
from visionset.untrusted import text_of
from visionset.words import day_and_time

if TYPE_CHECKING:
    from visionset.store import Summary

_MORE = """\
examples
  visionset matches                        all, the newest first
  visionset matches show 7                 how match 7 stands, and every move of it
  visionset matches export 7 game.jsonl    its log as JSON lines; without a file to the terminal
  visionset matches import game.jsonl      read such a file as a new match
  visionset matches finish 7               close a match that nobody will go on with
  visionset matches delete 7               delete it, and its film; asks first, unless --yes
  visionset matches tidy                   put away tries and matches that nobody goes on with; asks first, unless --yes

`visionset play` writes every move as it happens, `visionset play --resume 7` goes on with match 7.
Matches are in one file, matches.sqlite3, in the folder that --data or $VISIONSET_DATA names, else in the user's data folder.
"""


_TRY_S = 3600.0
"""A match without a move is a try when nothing has happened in it for so long: somebody may be looking at its first cards."""

_LEFT_S = 7 * 24 * 3600.0
"""What nobody has gone on with for a week is left."""

_MOST_ENTRIES = 20
"""Of a try: an English hand is dealt in few entries, and what has more is no try."""

_WIDE = 60
"""Columns of a terminal from which the time of a match stays in one line."""

_MANY = 3
"""With more matches that may be put away, the list says how to tidy."""


def add_parsers(subparsers: Subparsers) -> None:
    """Add ``visionset matches``."""
    matches = add_command(subparsers, "matches", run_list, _MORE)
    add_data_option(matches)
    kinds = matches.add_subparsers(metavar="ACTION", title="actions (left out: list)")
    for name, run, told in (
        ("list", run_list, "list all, the newest first"),
        ("show", run_show, "show how a match stands and every move of it"),
        ("export", run_export, "write the log of a match as JSON lines"),
        ("import", run_import, "read a match that was exported"),
        ("finish", run_finish, "close a match that nobody will go on with"),
        ("delete", run_delete, "delete a match for good, with its film"),
        ("tidy", run_tidy, "delete tries without a move that are an hour old, close matches that nobody has gone on with for a week"),
    ):
        parser = add_action(kinds, name, run, told)
        if name not in ("list", "import", "tidy"):
            number = match_number("`visionset matches` lists them")
            parser.add_argument("id", type=number, metavar="ID", help="number of the match, from `visionset matches`")
        if name == "export":
            parser.add_argument("file", type=Path, nargs="?", metavar="FILE", help="a new file; left out: print")
        if name == "import":
            parser.add_argument("file", type=Path, metavar="FILE", help="what export wrote; - reads the standard input")
        if name in ("delete", "tidy"):
            parser.add_argument("--yes", action="store_true", help="do not ask")
        add_data_option(parser)


def run_list(args: argparse.Namespace) -> int:
    """List all matches."""
    import time

    from rich.table import Column
    from rich.text import Text

    folder = data_folder(args)
    if (folder.is_dir() and not (folder / DATABASE).exists()) or not (folder.exists() or hasattr(args, "data")):
        summaries: tuple[Summary, ...] = ()  # nobody has played yet; a folder that somebody names and that is not there is a wrong name
    else:
        with open_kept(folder) as store:
            summaries = tuple(store.summaries())
    if not summaries:
        say(_words("none"))
        return 0
    begun = Column(_words("begun"), no_wrap=console().width >= _WIDE)
    table = folding_table(_words("number"), _words("game"), _words("players"), begun, _words("state"))
    for match in summaries:
        state = Text(_state(match), style="" if match.is_finished else "bold")
        table.add_row(str(match.id), match.game, Text(", ".join(_points(match))), in_words(day_and_time(match.begun_s)), state)
    console().print(table)
    now_s = time.time()
    if sum(not one.is_finished and _is_left_alone(one, now_s) for one in summaries) > _MANY:
        say(_words("may_tidy"))
    return 0


def run_show(args: argparse.Namespace) -> int:
    """Show a match: its table now, and its log."""
    from rich.text import Text

    from visionset.terminal_drawing import show

    with open_kept(data_folder(args)) as store:
        match = store.load(args.id)
    out = console()
    table = folding_table("", _words("when"), _words("what"), _words("points"))
    for place, (entry, told, stands) in enumerate(told_entries(match)):
        points = " ".join(str(score) for score in entry.scores)
        told = told if stands else f"({told})"  # struck out in a terminal that can, in brackets in all
        when = in_words(day_and_time(entry.written_s, seconds=True))
        table.add_row(str(place), when, Text(told), points, style=None if stands else "dim strike")
    out.print(table)
    out.print(Text(in_one_line(match.summary)))
    show(out, match.history.state)
    return 0


def run_export(args: argparse.Namespace) -> int:
    """Write the log of a match as JSON lines."""
    with open_kept(data_folder(args)) as store:
        lines = store.export_lines(args.id)
    if args.file is None:
        for line in lines:
            say(line)
        return 0
    if args.file.exists():
        raise OutputError(f"{args.file}: expected to write a new file, got one that is there; name another")
    save_text(args.file, "".join(f"{line}\n" for line in lines))
    say(_words("exported", path=str(args.file), number=args.id, count=len(lines)))
    return 0


def run_import(args: argparse.Namespace) -> int:
    """Read a match that was exported."""
    from visionset.store.database import imported

    lines = text_of(args.file).split("\n")
    imported(lines)  # what is no match makes no folder
    with open_store(data_folder(args)) as store:
        match = store.import_lines(lines, lambda line: complain(f"{args.file}: {line}"))
        say(in_one_line(match.summary))
    return 0


def run_finish(args: argparse.Namespace) -> int:
    """Close a match."""
    with open_kept(data_folder(args)) as store:
        say(in_one_line(store.finish(store.load(args.id)).summary))
    return 0


def run_delete(args: argparse.Namespace) -> int:
    """Delete a match with its film, after a question."""
    from visionset.web.films import Films

    films = Films(data_folder(args))
    with open_kept(data_folder(args)) as store:
        store.export_lines(args.id)  # one that is not there is said before the question
        told = next(in_one_line(match) for match in store.summaries() if match.id == args.id)
        question = _words("delete_filmed" if films.is_filmed(args.id) else "delete", match=told)
        if not args.yes and not agreed(question):
            say(_words("kept"))
            return 1
        films.delete(args.id)
        store.delete(args.id)
    say(_words("deleted", number=args.id))
    return 0


def _is_left_alone(one: Summary, now_s: float) -> bool:
    """Whether a match that goes on may be a try, or one that nobody goes on with."""
    alone_s = now_s - one.last_s
    return alone_s >= _LEFT_S or (alone_s >= _TRY_S and one.entries <= _MOST_ENTRIES)


def run_tidy(args: argparse.Namespace) -> int:
    """Delete tries and close what nobody goes on with, after a question for each of the two."""
    import time

    from visionset.web.films import Films

    code, films = 0, Films(data_folder(args))

    def delete(number: int) -> None:
        films.delete(number)
        store.delete(number)

    with open_kept(data_folder(args)) as store:
        tries, left = [], []
        for one in store.summaries():
            alone_s = time.time() - one.last_s
            if one.is_finished or alone_s < _TRY_S:
                continue
            try:
                match = store.load(one.id)
            except VisionsetError as error:  # such as one of a game that is not installed any more; it keeps no other
                code = complain(str(error))
                continue
            if one.entries <= _MOST_ENTRIES and not has_moves(match):
                tries.append(one)
            elif alone_s >= _LEFT_S:
                left.append(one)
        for found, question, done, act in (
            (tries, "delete_tries", "deleted_tries", delete),
            (left, "close_left", "closed_left", lambda number: store.finish(store.load(number))),
        ):
            for one in found:
                say(in_one_line(one))
            if not found:
                continue
            if args.yes or agreed(_words(question, count=len(found))):
                for one in found:
                    act(one.id)
                say(_words(done, count=len(found)))
            else:
                say(_words("kept"))
                code = 1
        if not tries and not left:
            say(_words("tidied"))
    return code


def in_one_line(match: Summary) -> str:
    """``Match 7, set, Ann 3, Bo 2, begun 2026-01-31 20:15, goes on``."""
    return _words("line", number=match.id, game=match.game, players=_points(match), begun=day_and_time(match.begun_s), state=_state(match))


def _points(match: Summary) -> tuple[str, ...]:
    return tuple(f"{name} {score}" for name, score in zip(match.players, match.scores, strict=False))


def _state(match: Summary) -> str:
    return _words("finished" if match.is_finished else "going")


def _words(code: str, **args: object) -> str:
    return in_words(Message(f"matches.{code}", **args))
