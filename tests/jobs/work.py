"""Work for workers: functions of a module that loads nothing."""

from __future__ import annotations

import os
import signal
from pathlib import Path


def doubled(number: int) -> int:
    return 2 * number


def refused(number: int) -> int:
    if number == 3:
        raise ValueError(f"no {number}")
    return number


class Unsendable(Exception):
    def __init__(self, first: int, second: int) -> None:
        super().__init__(f"{first} and {second}")


def odd_error(number: int) -> int:
    raise Unsendable(number, number)


def died_over(task: tuple[int, str, int]) -> int:
    """Kill the worker the first times, as often as said; a file in the folder counts."""
    number, folder, deaths = task
    marks = Path(folder) / f"deaths-{number}"
    before = marks.stat().st_size if marks.exists() else 0
    if before < deaths:
        with marks.open("ab") as file:
            file.write(b".")
        os.kill(os.getpid(), signal.SIGTERM)
    return number


def whose(number: int) -> tuple[int, int]:
    return number, os.getpid()


def whose_slow(number: int) -> tuple[int, int]:
    """As a picture, some milliseconds of work."""
    sum(range(500_000))
    return number, os.getpid()


def held_up(task: tuple[int, str]) -> int:
    """The first waits for the 32nd, by a pipe with a name."""
    number, pipe = task
    if number in (0, 31):
        with open(pipe, "wb" if number else "rb"):
            pass
    return number


def half_saved(task: tuple[int, str]) -> int:
    """The first time half of a file, and then the worker dies; then the file. Says how many threads the networks have."""
    from visionset.saving import saved
    from visionset.vision.engine import threads

    number, folder = task
    mark = Path(folder) / f"mark-{number}"
    with saved(Path(folder) / f"{number}.txt") as part:
        part.write_text("half")
        if not mark.exists():
            mark.touch()
            os.kill(os.getpid(), signal.SIGTERM)
    return threads()
