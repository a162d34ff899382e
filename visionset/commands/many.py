"""What commands share that work on many things: where they are listed, what works on them, and how far it is."""

from __future__ import annotations

import argparse
import os
import sys
from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, partial
from io import BufferedReader, TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING, Generic, TypeVar, cast

from visionset.commands.process import keep_memory
from visionset.commands.terminal import console
from visionset.errors import OutputError, RecordError
from visionset.messages import speaking, spoken
from visionset.numbers import whole_number
from visionset.saving import clear_unfinished, saving_for
from visionset.untrusted import MOST_BYTES_A_LINE, opened

if TYPE_CHECKING:
    from visionset.jobs import Lost

TaskT = TypeVar("TaskT")
AnswerT = TypeVar("AnswerT")

_MOST_JOBS = 1024


def add_jobs_options(parser: argparse.ArgumentParser) -> None:
    """Add the options about what works."""
    parser.add_argument(
        "--jobs", type=whole_number(1, _MOST_JOBS), metavar="N", help="N processes, each with one thread (default: this one, with two)"
    )
    parser.add_argument(
        "--cluster", default="", metavar="ADDRESS", help="a Dask cluster, as in tcp://host:8786, or local: one with --jobs workers here"
    )


def add_list_option(parser: argparse.ArgumentParser) -> None:
    """Add the option that names a list of photos."""
    parser.set_defaults(misused=parser.error)
    parser.add_argument("--list", metavar="FILE", help="photos named in a file, one a line (-: the standard input); @FILE does so too")


def named(args: argparse.Namespace, names: list[str]) -> Iterator[str]:
    """What is named on the command line and in lists, line by line; raises `RecordError`: a list cannot be read."""
    for name in names:
        if name.startswith("@"):
            yield from _lines_of(name[1:])
        else:
            yield name
    if args.list is not None:
        yield from _lines_of(args.list)


def apart(photos: Iterable[str], written: Sequence[Path], named: Sequence[str]) -> Iterator[str]:
    """Photos but those that were written into a folder below one that is read: of a second run they would be photos too.

    Raises `OutputError` where a folder that is read is written to itself: what was there before nobody could tell.
    """
    read = [_absolute(name) for name in named if os.path.isdir(name)]  # which fails on no name
    below = []
    for folder in map(_absolute, written):
        if folder in read:
            raise OutputError(f"{folder}: expected another folder than the one that is read, got the same; name one in it or beside it")
        below += [folder] * any(folder.is_relative_to(one) for one in read)
    if not below:
        return iter(photos)
    return (photo for photo in photos if not any(_absolute(photo).is_relative_to(folder) for folder in below))


def _absolute(name: str | Path) -> Path:
    return Path(os.path.abspath(name))  # not resolve, which fails on names with a NUL


def check_named(args: argparse.Namespace, names: list[str]) -> None:
    """End with the usage where nothing is named; raise `RecordError` where a list is not there."""
    if not names and args.list is None:
        args.misused("expected photos, got none; name some, or a list by --list FILE")
    lists = [name[1:] for name in names if name.startswith("@")]
    for name in lists:
        if name != "-" and not os.path.exists(name):
            raise RecordError(f"@{name}: expected a list of names after the @, got no such file; a photo of that name is ./@{name}")
    for name in [*lists, *([args.list] if args.list is not None else [])]:
        if name != "-":
            with opened(Path(name)):
                pass


def _lines_of(name: str) -> Iterator[str]:
    """Lines of a list that name something; raises `RecordError`: it is none, or names nothing."""
    listed, is_empty = "the standard input" if name == "-" else name, True
    for line in _read_lines(name):
        if "\0" in line:
            raise RecordError(f"{listed}: expected a list of names, one a line, got another kind of file; name it without --list and @")
        if line.strip():
            is_empty = False
            yield line
    if is_empty:
        raise RecordError(f"{listed}: expected a list of names, one a line, got none; write some into it")


def _read_lines(name: str) -> Iterator[str]:
    """Lines as they are; of a file that is no text the first one is all that tells so."""
    if name != "-":
        with opened(Path(name)) as file:
            yield from _text_lines(cast(BufferedReader, file))
    elif hasattr(sys.stdin, "buffer"):
        yield from _text_lines(cast(BufferedReader, sys.stdin.buffer))
    else:  # a test's own stream
        yield from (line.rstrip("\r\n") for line in sys.stdin)


def _text_lines(file: BufferedReader) -> Iterator[str]:
    start = file.peek()
    if start.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):  # as PowerShell writes what a command lists
        text = TextIOWrapper(file, "utf-16", "replace", newline="\n")
        try:
            yield from (line.rstrip("\r\n") for line in iter(partial(text.readline, MOST_BYTES_A_LINE), ""))
        finally:
            text.detach()  # else it would close what it was lent
        return
    if b"\0" in start:
        yield "\0"
    if start.startswith(BOM_UTF8):
        file.read(len(BOM_UTF8))
    while line := file.readline(MOST_BYTES_A_LINE):
        yield line.decode("utf-8", "surrogateescape").rstrip("\r\n")


@dataclass(frozen=True, slots=True)
class OneThread(Generic[TaskT, AnswerT]):
    """Work for a worker among others: networks and OpenCV take the one thread that asks, and words are those of who asked."""

    work: Callable[[TaskT], AnswerT]
    language: str
    run: str
    """The mark of this run on unfinished files."""

    def __call__(self, task: TaskT) -> AnswerT:
        """Do it."""
        from visionset.vision.engine import one_thread

        _settle_in()
        with one_thread(), speaking(self.language), saving_for(self.run):
            return self.work(task)


@cache
def _settle_in() -> None:
    """What a process needs once."""
    import cv2

    keep_memory()
    cv2.setNumThreads(1)


def mapped(
    args: argparse.Namespace, work: Callable[[TaskT], AnswerT], tasks: Iterable[TaskT], *folders: Path | None
) -> Iterator[AnswerT | Lost[TaskT]]:
    """Answers of what works, as ``--jobs`` and ``--cluster`` say, in the order of the tasks; see `visionset.jobs.Engine.map`.

    With one of them each worker has one thread, else the work is done as this process has it. In the end what workers that died left
    unfinished in these folders is removed.
    """
    from visionset.jobs import engine

    if args.jobs is None and not args.cluster:
        yield from engine(args.jobs, args.cluster).map(work, tasks)
        return
    from uuid import uuid4

    one = OneThread(work, spoken(), uuid4().hex[:8])
    answers = engine(args.jobs, args.cluster).map(one, tasks)
    try:
        yield from answers
    finally:
        if isinstance(answers, Generator):  # ends the workers before what they left is looked for
            answers.close()
        for folder in folders:
            if folder is not None:
                clear_unfinished(folder, one.run)


@contextmanager
def progress(noun: str, count: Callable[[], int] | None, *, is_shown: bool = True) -> Iterator[Callable[[], None]]:
    """Show on the standard error how many are done and how long the rest takes; called once for each that is done.

    What is counted is counted beside, since a list may be long; without `count` the end is not known.
    """
    if not is_shown or not sys.stderr.isatty():
        yield lambda: None
        return
    import threading

    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=console(stderr=True), transient=True, redirect_stdout=False, speed_estimate_period=120) as bar:
        task = bar.add_task(noun, total=None)
        if count is not None:
            threading.Thread(target=lambda: bar.update(task, total=count()), name="visionset count", daemon=True).start()
        yield lambda: bar.advance(task)


def counting(args: argparse.Namespace, names: list[str], tasks: Callable[[], Iterable[object]]) -> Callable[[], int] | None:
    """How to count the tasks; None where a list comes by the standard input, which is there once."""
    from_input = args.list == "-" or "@-" in names
    return None if from_input else lambda: sum(1 for _ in tasks())
