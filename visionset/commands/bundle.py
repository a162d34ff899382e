"""``visionset bundle``: the last minute of a recording, packed for a fault report."""

from __future__ import annotations

import argparse
from pathlib import Path

from visionset.commands.parts import (
    Subparsers,
    add_command,
    add_force_option,
    check_new,
    complain,
    complain_of_damage,
    say_written,
)
from visionset.numbers import real

_MORE = """\
examples
  visionset watch --record evening         make a recording; Ctrl-C or q ends it
  visionset bundle evening                 writes evening.zip: its last minute
  visionset bundle evening --seconds 20    less of it

The pictures are cut to the pieces on the table; names of players and the camera's address are left out. Look at the
video in it before you send it.
"""

_MOST_S = 1e7
"""As long as a recording may be."""


def add_parsers(subparsers: Subparsers) -> None:
    """Describe the command."""
    parser = add_command(subparsers, "bundle", run, _MORE)
    parser.add_argument("recording", type=Path, metavar="RECORDING", help="folder that visionset watch --record wrote")
    parser.add_argument("--out", type=Path, metavar="FILE.zip", help="the file (default: the recording's name with .zip)")
    add_force_option(parser)
    parser.add_argument("--seconds", type=real(0.1, _MOST_S), default=60.0, metavar="S", help="how much before the end (default: 60)")


def run(args: argparse.Namespace) -> int:
    """Pack it, and say what is in it."""
    from visionset.commands.doctor import report_lines
    from visionset.recording import Recording
    from visionset.recording.bundle import BundleOptions, bundle
    from visionset.saving import check_ending
    from visionset.words import counted

    recording = Recording.open(args.recording)
    complain_of_damage(recording)
    beside = args.recording if args.recording.name else args.recording.resolve()  # the folder that we are in has no name
    path: Path = args.out or beside.with_name(beside.resolve().name + ".zip")
    check_ending(path, ".zip")
    check_new(args, path)
    packed = bundle(recording, path, "\n".join(report_lines()) + "\n", BundleOptions(args.seconds))
    if packed.remark:
        complain(packed.remark)
    say_written(path, f"wrote {path}: {counted(packed.pictures, 'picture')} of the table, layouts, events, versions and what doctor says")
    return 0
