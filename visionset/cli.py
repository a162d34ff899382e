"""The command line: ``visionset read``, ``watch``, ``demo`` and the rest, each in a module of `visionset.commands`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from importlib import import_module

from visionset import __version__
from visionset.commands import COMMANDS
from visionset.commands.language import add_language_option, speak_as_wanted
from visionset.commands.logs import add_log_options, log_event, start_log, stop_log
from visionset.commands.parts import complain
from visionset.commands.process import (
    INTERRUPTED,
    INTERRUPTS,
    READER_LEFT,
    end_now,
    finish_errors,
    finish_output,
    forget,
    keep_memory,
    prepare_streams,
)
from visionset.commands.terminal import Parser
from visionset.errors import GameError, VisionsetError, reason

_EXAMPLES = """\
first steps
  visionset demo                    a recorded table, no camera needed
  visionset read table.jpg          the cards and SETs in a photo
  visionset watch                   the same, live, from the first webcam; ? shows the keys
  visionset doctor                  when something does not work

visionset COMMAND --help says more, with examples.
"""


def build_parser(argv: Sequence[str] | None = None) -> argparse.ArgumentParser:
    """Make the parser of all commands, without importing what they need to run.

    Given the arguments, it imports the commands that they name alone; of the others it knows what the help of all says.
    """
    parser = Parser(
        prog="visionset",
        description="Point a camera at a table with SET cards: visionset names every card and finds every SET.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"visionset {__version__}")
    add_language_option(parser)
    add_log_options(parser)
    subparsers = parser.add_subparsers(title="commands", metavar="COMMAND")
    for name, summary in COMMANDS.items():
        if argv is None or name in argv:
            import_module(f"visionset.commands.{name}").add_parsers(subparsers)
        else:
            subparsers.add_parser(name, help=summary)
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; the arguments are those of the process unless others are given.

    The exit code is 0, 1 after an error said in one line, 2 for a command line that makes no sense, 130 after Ctrl-C, 143 after SIGTERM,
    129 when the terminal was closed, 141 when nobody reads the output any more.
    """
    try:
        return _main(argv)
    except KeyboardInterrupt:  # pressed as the command was over
        if argv is None:
            end_now(INTERRUPTS.code)
        raise


def _main(argv: Sequence[str] | None) -> int:
    INTERRUPTS.keeps = False  # a command before this one may have kept what it did
    try:
        if argv is None:
            prepare_streams()
            INTERRUPTS.install()
        try:
            code = _run(argv)
        finally:
            finish_output()
        if INTERRUPTS.asked and not INTERRUPTS.keeps:  # something took Ctrl-C for a fault of its own and went on
            raise KeyboardInterrupt
        return code
    except SystemExit:  # of the parser, after --help or a complaint
        raise
    except BaseException as error:
        if isinstance(error, KeyboardInterrupt) or INTERRUPTS.asked:  # while a library is loaded it becomes another error
            if argv is None:
                end_now(INTERRUPTS.code)
            print("visionset: stopped", file=sys.stderr)
            return INTERRUPTED
        if not isinstance(error, OSError):
            raise
        if argv is None:
            forget(sys.stdout)
        if isinstance(error, BrokenPipeError):
            return READER_LEFT
        where = f"{error.filename}: " if error.filename else ""
        return complain(f"{where}expected to read and write, got {reason(error)}; make room, or name another place")
    finally:
        if argv is None:
            INTERRUPTS.leave()
        finish_errors()


def _told(word: str) -> str:
    """An argument as a log may keep it: logs are sent to others, and no password of a stream with them."""
    if "@" not in word and "://" not in word:
        return word
    from visionset.sources.camera import without_password

    return without_password(word)


def _run(argv: Sequence[str] | None) -> int:
    words = sys.argv[1:] if argv is None else argv
    parser = build_parser(words)
    try:
        args = parser.parse_args(words, argparse.Namespace(whole_parser=build_parser))
    except VisionsetError as error:  # two packages with a game of the same name, among which is chosen
        return complain(str(error))
    if not hasattr(args, "run"):
        parser.print_help()
        return 0
    if argv is None:
        keep_memory()
    try:
        start_log(args)
        speak_as_wanted(args)
        log_event("begins", version=__version__, python=sys.version.split()[0], arguments=[_told(word) for word in words])
        code: int = args.run(args)
        log_event("ends", code=code)
        return code
    except VisionsetError as error:
        log_event("fails", error=str(error))
        return complain(str(error))
    except Exception as error:
        if isinstance(error, ImportError) and error.name == "cv2" and "cannot open shared object file" in str(error):  # libGL, libxcb, ...
            return complain(f"expected OpenCV to load, got {error}; run sudo apt install libgl1 libglib2.0-0")
        told = None if isinstance(error, OSError) or getattr(args, "verbose", False) else _fault_of_a_game(error)
        if told is None:
            raise
        log_event("fails", error=told)
        return complain(told)
    finally:
        stop_log()


def _fault_of_a_game(error: Exception) -> str | None:
    """What went wrong in a game of another package, and where; None where the error came out of no such game."""
    from contextlib import suppress
    from traceback import walk_tb

    from visionset.games.registry import SPECS

    packages = {}
    for name in SPECS:
        with suppress(GameError):  # another one that is broken
            packages[SPECS[name].package] = name
    for frame, line in reversed(list(walk_tb(error.__traceback__))):
        module = str(frame.f_globals.get("__name__", ""))
        game = next((name for package, name in packages.items() if f"{module}.".startswith(f"{package}.")), None)
        if game is not None and not module.startswith("visionset."):
            got = f"{type(error).__name__} ({error!s:.200})"
            return f"game {game}: expected {module} to go on, got {got} in line {line}; -v tells more to whoever mends it"
    return None


if __name__ == "__main__":
    sys.exit(main())
