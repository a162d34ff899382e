"""The command line: ``visionset read``, ``watch``, ``demo`` and the rest, each in a module of `visionset.commands`."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from importlib import import_module

from visionset import __version__
from visionset.commands.parts import complain
from visionset.errors import VisionsetError

COMMANDS = (
    "demo",
    "read",
    "watch",
    "replay",
    "report",
    "bundle",
    "score",
    "render",
    "cameras",
    "bench",
    "doctor",
    "calibrate",
    "play",
    "matches",
    "advise",
    "rules",
)
"""Modules of `visionset.commands`, in the order of the help. Each has ``add_parsers(subparsers)`` and imports nothing heavy."""

_EXAMPLES = """\
first steps
  visionset demo                    a recorded table, no camera needed
  visionset read table.jpg          the cards and SETs in a photo
  visionset watch                   the same, live, from the first webcam; ? shows the keys
  visionset doctor                  when something does not work

visionset COMMAND --help says more, with examples.
"""

_INTERRUPTED = 130
"""Exit code of a program that Ctrl-C ended, as shells have it."""


def build_parser() -> argparse.ArgumentParser:
    """Make the parser of all commands, without importing what they need to run."""
    parser = argparse.ArgumentParser(
        prog="visionset",
        description="Point a camera at a table with SET cards: visionset names every card and finds every SET.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"visionset {__version__}")
    subparsers = parser.add_subparsers(title="commands", metavar="COMMAND")
    for name in COMMANDS:
        import_module(f"visionset.commands.{name}").add_parsers(subparsers)
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command.

    Parameters
    ----------
    argv : sequence of str, optional
        Arguments without the program's name; those of the process by default.

    Returns
    -------
    int
        Exit code: 0, 1 after an error said in one line, 2 for a command line that makes no sense, 130 after Ctrl-C.
    """
    parser = build_parser()
    args = parser.parse_args(argv)
    if not hasattr(args, "run"):
        parser.print_help()
        return 0
    try:
        code: int = args.run(args)
        sys.stdout.flush()
        return code
    except VisionsetError as error:
        return complain(str(error))
    except KeyboardInterrupt:
        print("visionset: stopped", file=sys.stderr)
        return _INTERRUPTED
    except BrokenPipeError:  # the reader of our output left, as in visionset read *.jpg | head
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except ImportError as error:
        if "libGL" in str(error) or "libgthread" in str(error) or "libglib" in str(error):
            return complain(f"expected OpenCV to load, got {error}; run sudo apt install libgl1 libglib2.0-0")
        raise


if __name__ == "__main__":
    sys.exit(main())
