"""``visionset report``: a recording, or a match of the store, as one page."""

from __future__ import annotations

import argparse
from pathlib import Path

from visionset.commands.parts import (
    Subparsers,
    add_command,
    add_data_option,
    add_force_option,
    check_new,
    complain,
    complain_of_damage,
    data_folder,
    open_kept,
    say_written,
)
from visionset.commands.terminal import progress_bar
from visionset.messages import Message
from visionset.numbers import match_number
from visionset.saving import check_ending, save_text

_MORE = """\
examples
  visionset watch --record evening             make a recording; Ctrl-C or q ends it
  visionset report evening                     writes evening/report.html
  visionset report --match 7                   writes match-7.html; `visionset matches` lists them
  visionset report --match 7 --out game.html   another file

One HTML file with everything in it, to be opened in any browser or sent by mail: score over time, every move that counted with
its pieces, how long each SET lay there, the SETs that nobody took, which attribute each player finds hardest, how it ended.
"""


def add_parsers(subparsers: Subparsers) -> None:
    """Describe the command."""
    parser = add_command(subparsers, "report", run, _MORE)
    parser.add_argument("recording", type=Path, nargs="?", metavar="RECORDING", help="folder that visionset watch --record wrote")
    parser.add_argument(
        "--match",
        type=match_number("`visionset matches` lists them"),
        metavar="ID",
        help="number of a match instead, played with a camera or without",
    )
    parser.add_argument(
        "--out",
        type=Path,
        metavar="FILE.html",
        help="the page (default: report.html in the recording, written anew each time, or match-ID.html here)",
    )
    add_force_option(parser)
    parser.add_argument(
        "--plain", action="store_true", help="draw pieces with letters and patterns, for people who do not tell the colours apart"
    )
    add_data_option(parser)


def run(args: argparse.Namespace) -> int:
    """Write the page."""
    from visionset.piece_svg import Plain
    from visionset.recording import Recording
    from visionset.report import match_evening, recorded_evening, report_page
    from visionset.store import Album
    from visionset.words import counted

    if (args.recording is None) is (args.match is None):
        return complain("expected a recording, or a match by --match ID, got both or neither; name one of them")
    if args.recording is not None and str(args.recording).isdecimal() and not args.recording.exists():
        return complain(f"{args.recording}: expected a recording, got no such folder; a match is named by --match {args.recording}")
    usual = args.recording / "report.html" if args.match is None else Path(f"match-{args.match}.html")
    path: Path = args.out or usual
    check_ending(path, ".html", ".htm")
    if args.out is not None or args.match is not None:  # the page in a recording is written anew each time
        check_new(args, path)
    if args.match is not None:
        with open_kept(data_folder(args)) as store:
            evening = match_evening(store.load(args.match), Album(store.path, args.match).read())
    else:
        recording = Recording.open(args.recording)
        complain_of_damage(recording)
        with progress_bar() as progress:
            task = progress.add_task("looking", total=len(recording.pictures))
            evening = recorded_evening(recording, step=lambda: progress.advance(task))
            lost = len(recording.pictures) - int(progress.tasks[task].completed)
        if lost:
            complain(f"{args.recording}: {counted(lost, 'picture')} cannot be read any more; the page is made without them")
    page = report_page(evening, Plain() if args.plain else None)
    save_text(path, page, "name another with --out")
    say_written(path, str(Message("report.written", path=str(path), size_kb=max(1, len(page) // 1000))))
    return 0
