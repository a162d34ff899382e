from __future__ import annotations

import gc
import importlib
import os
import signal
import sqlite3
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # for NumPy here and in what tests start: its threads wait for each other, at full speed

import cv2
import pytest
from hypothesis import settings

from tests.builders import NINE, deal
from visionset.commands.process import keep_memory
from visionset.messages import speak
from visionset.table import Table

settings.register_profile("fixed", derandomize=True, deadline=None)  # the same examples everywhere, however slow the machine
settings.load_profile("fixed")

# What workers and the commands that tests start have compiled is kept for the next one, whatever the environment says: each would compile
# the same again, and all asserts of all tests are rewritten for that.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)


# A job that a script began in the background ignores Ctrl-C, and so would the commands that tests start and press it in.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


class _Telling(sqlite3.Connection):
    """A connection that tells, as all do from Python 3.13 on, that nobody has closed it."""

    def __del__(self) -> None:
        try:
            self.total_changes  # noqa: B018
        except sqlite3.ProgrammingError:  # it is closed
            return
        warnings.warn(f"unclosed database in {self!r}", ResourceWarning, stacklevel=2)


if sys.version_info < (3, 13):
    sqlite3.connect = partial(sqlite3.connect, factory=_Telling)


# Garbage is looked for less often: to walk over the thousands of tests again and again, while they are collected too, takes a twentieth of
# the time. To leave them aside, by `gc.freeze`, would hide from hypothesis, up to 6.135, who keeps its random numbers.
gc.set_threshold(50_000)

# Rendered tables are made of arrays of 100 MB and more. To ask the system for each anew takes a tenth of the time of such tests.
keep_memory(kept_bytes=2**31 - 1, largest_bytes=2**30)


def pytest_collection(session: pytest.Session) -> None:
    """Let each worker compile another part of the tests where none is compiled yet: to rewrite all asserts takes ten seconds.

    Each would else compile the same module at the same time as the others.
    """
    worker, workers = (os.environ.get(f"PYTEST_XDIST_WORKER{what}", "") for what in ("", "_COUNT"))
    if not worker or session.config.args_source is not pytest.Config.ArgsSource.TESTPATHS:
        return
    here = Path(__file__).parent
    modules = [".".join(path.relative_to(here.parent).with_suffix("").parts) for path in sorted(here.rglob("test_*.py"))]
    for name in modules[int(worker[2:]) :: int(workers)]:
        with suppress(Exception, pytest.skip.Exception):  # what is wrong with it is told where it is collected
            importlib.import_module(name)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Pages come first: the worker that begins with them needs one browser for all, and while it waits for that the others reckon.

    At the end, where they would stand by name, each worker would start a browser and wait for its own.
    """
    items.sort(key=lambda item: "browser" not in getattr(item, "fixturenames", ()))


@pytest.fixture(autouse=True, scope="session")
def _own_folders(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keep the matches and profiles of the tests away from those of the person who runs them.

    Where several workers share the processors, each computes on one: threads that wait for each other lose more than they win.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("VISIONSET_DATA", str(tmp_path_factory.mktemp("data")))
        patch.setenv("VISIONSET_CONFIG", str(tmp_path_factory.mktemp("config")))
        if "PYTEST_XDIST_WORKER" in os.environ:
            patch.setattr("visionset.vision.engine._processors", lambda: 1)
            cv2.setNumThreads(1)
        yield


@pytest.fixture(autouse=True)
def _own_language() -> Iterator[None]:
    """A command that was asked to speak another language leaves none for the next test."""
    yield
    speak(None)


@pytest.fixture
def nine(monkeypatch: pytest.MonkeyPatch) -> Table:
    """Let the commands see nine known cards in every picture, whatever it shows: what they do with a table is tested by itself."""
    table = deal(NINE, (640, 360), card_px=90, gap_px=20)

    def read(image: object, options: object = None, *, stages: Callable[[str, object], None] | None = None) -> Table:
        if stages:
            stages("input", image)
            stages("card edges", image)
        return table

    monkeypatch.setattr("visionset.vision.pipeline.read", read)
    monkeypatch.setattr(
        "visionset.vision.pipeline.read_whole_card", lambda image, options=None, *, stages=None: Table(table.size_px, table.sightings[:1])
    )
    return table
