"""What commands share that work on many things: where they are listed, what works on them, and how far it is."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Generic, TypeVar

from visionset.commands.numbers import whole_number
from visionset.commands.process import keep_memory
from visionset.commands.terminal import console
from visionset.messages import speaking, spoken
from visionset.untrusted import MOST_BYTES_A_LINE, opened

if TYPE_CHECKING:
    from visionset.jobs import Engine

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


def add_list_option(parser: argparse.ArgumentParser, noun: str) -> None:
    """Add the option that names a list."""
    parser.set_defaults(misused=parser.error)
    parser.add_argument("--list", metavar="FILE", help=f"{noun} named in a file, one a line (-: the standard input); @FILE does so too")


def engine_of(args: argparse.Namespace) -> Engine:
    """What works, as the arguments of `add_jobs_options` say."""
    from visionset.jobs import engine

    return engine(args.jobs, args.cluster)


def named(args: argparse.Namespace, names: list[str]) -> Iterator[str]:
    """What is named on the command line and in lists, line by line; raises `RecordError`: a list cannot be read."""
    for name in names:
        if name.startswith("@"):
            yield from _lines_of(name[1:])
        else:
            yield name
    if args.list is not None:
        yield from _lines_of(args.list)


def check_named(args: argparse.Namespace, names: list[str], noun: str) -> None:
    """End with the usage where nothing is named; raise `RecordError` where a list is not there."""
    if not names and args.list is None:
        args.misused(f"expected {noun}, got none; name some, or a list by --list FILE")
    from pathlib import Path

    for name in [*(name[1:] for name in names if name.startswith("@")), *([args.list] if args.list is not None else [])]:
        if name != "-":
            with opened(Path(name)):
                pass


def _lines_of(name: str) -> Iterator[str]:
    from pathlib import Path

    if name == "-":
        lines = iter(sys.stdin.readline, "")
        yield from (text for line in lines if (text := line.rstrip("\r\n")))
        return
    with opened(Path(name)) as file:
        while line := file.readline(MOST_BYTES_A_LINE):
            if text := line.decode("utf-8", "surrogateescape").rstrip("\r\n"):
                yield text


@dataclass(frozen=True, slots=True)
class OneThread(Generic[TaskT, AnswerT]):
    """Work for a worker among others: networks and OpenCV take the one thread that asks, and words are those of who asked."""

    work: Callable[[TaskT], AnswerT]
    language: str

    def __call__(self, task: TaskT) -> AnswerT:
        """Do it."""
        from visionset.vision.engine import one_thread

        _settle_in()
        with one_thread(), speaking(self.language):
            return self.work(task)


@cache
def _settle_in() -> None:
    """What a process needs once."""
    import cv2

    keep_memory()
    cv2.setNumThreads(1)


def worker_of(args: argparse.Namespace, work: Callable[[TaskT], AnswerT]) -> Callable[[TaskT], AnswerT]:
    """The work as the engine is to do it: with one thread where ``--jobs`` or ``--cluster`` is given, else as this process has it."""
    return work if args.jobs is None and not args.cluster else OneThread(work, spoken())


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
