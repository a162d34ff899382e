"""Words to the terminal: nothing that somebody else wrote, such as a name, reaches it as a command."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterable
from contextlib import suppress
from functools import cache
from pathlib import Path
from shutil import get_terminal_size
from typing import TYPE_CHECKING, Any

from visionset.errors import without_passwords

if TYPE_CHECKING:
    from _typeshed import SupportsWrite
    from rich.console import Console, ConsoleOptions, RenderableType
    from rich.progress import Progress
    from rich.segment import Segment
    from rich.table import Column, Table

_COMMANDS = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
"""Control characters but for the end of a line, what turns the direction of writing, and halves of characters."""

_LONG_WORD = re.compile(r"(\S{120})\S{100,}(\S{40})")
"""Longer than the 260 characters that paths of Windows may have: its beginning, and its end, which tells the kind of a file."""


def escaped(text: str) -> str:
    r"""Write what a terminal would obey, and what it cannot show, as an escape: ``\x1b``."""
    return _COMMANDS.sub(lambda found: ascii(found[0])[1:-1], text)


def shortened(text: str) -> str:
    """Cut out the middle of words that are longer than names are: what stands behind them is read too."""
    return _LONG_WORD.sub(r"\1...\2", text)


def in_a_line(name: str) -> str:
    r"""Write a name of a file, which may have an end of a line in it, in one: ``\n``."""
    return escaped(name).replace("\n", r"\n")


def in_unicode(name: str) -> str:
    r"""Write a name of a file that is no text as one, for what takes nothing else, as Parquet: ``\udcff`` in six letters."""
    return name.encode("utf-8", "backslashreplace").decode("utf-8")


def _path(text: str) -> Path:
    """Read the name of a file or a folder: an empty one, as of a variable of the shell that is not set, would be this folder."""
    if not text:
        raise argparse.ArgumentTypeError("expected the name of a file or a folder, got nothing; name one (. is this folder)")
    return Path(text)


class Parser(argparse.ArgumentParser):
    """A parser that quotes what was typed as plain text, and whose help is written or fails."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.register("type", Path, _path)  # so every option says type=Path

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Complain of what nobody knows under the name of the command, and not of the names behind it that it left over."""
        found, unknown = super().parse_known_args(args, namespace)
        if unknown:
            self.error(f"unrecognized arguments: {' '.join([word for word in unknown if word.startswith('-')] or unknown)}")
        return found, unknown

    def _get_value(self, action: argparse.Action, arg_string: str) -> Any:
        """Take a name out of several in any case: elsewhere SET is written so. Of commands, a file may be among the words behind it."""
        value = super()._get_value(action, arg_string)
        if action.choices is None or action.nargs == argparse.PARSER or value in action.choices:
            return value
        return next((name for name in action.choices if str(name).lower() == str(value).lower()), value)

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        """Complain of what is none of several names, and tell which one is near; of commands, some are options here, as is help."""
        if action.choices is None or value in action.choices:
            return
        from difflib import get_close_matches

        names = list(map(str, action.choices))
        known = [*names, *self._option_string_actions] if action.nargs == argparse.PARSER else names
        near = "".join(f"; perhaps {name} is meant" for name in get_close_matches(str(value).lower(), known, 1))
        raise argparse.ArgumentError(action, f"expected one of {', '.join(names)}, got {without_passwords(repr(value)):.40}{near}")

    def _print_message(self, message: str, file: SupportsWrite[str] | None = None) -> None:
        if file is sys.stdout:
            file.write(message)
            return
        with suppress(OSError):  # nobody hears
            (file or sys.stderr).write(escaped(shortened(without_passwords(message))))


def console(*, stderr: bool = False) -> Console:
    """Make a console for tables and progress bars; text in it is shown as it is, and never obeyed."""
    made: Console = _plain_console()(stderr=stderr, markup=False, emoji=False)
    if made.width < 1:  # where COLUMNS is 0, which others take for unset: nothing at all would be shown
        made.width = get_terminal_size().columns
    return made


def folding_table(*columns: str | Column, **options: Any) -> Table:
    """Make a table of columns or their titles, in which what is too wide goes on in the next line: rich cuts it off, a figure too."""
    from rich.table import Column, Table

    table = Table(*(Column(column) if isinstance(column, str) else column for column in columns), **options)
    for column in table.columns:
        column.overflow = "fold"
    return table


def progress_bar(**options: Any) -> Progress:
    """Make a bar on the standard error for who sees it; elsewhere nothing, not even the empty line that a bar leaves."""
    from rich.progress import Progress

    seen = console(stderr=True)
    return Progress(console=seen, transient=True, disable=not seen.is_terminal, **options)


@cache
def _plain_console() -> Any:
    """The class, made when it is needed: rich takes longer to load than ``--help`` may."""
    from rich.console import Console
    from rich.segment import Segment

    class PlainConsole(Console):
        def on_broken_pipe(self) -> None:
            raise  # `cli.main` knows what to do

        def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
            for segment in super().render(renderable, options):
                yield segment if segment.control else Segment(escaped(segment.text), segment.style)

    return PlainConsole
