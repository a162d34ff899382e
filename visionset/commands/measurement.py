"""Times and memory of a piece of work, beside the least that any reader of such a frame does."""

from __future__ import annotations

import gc
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from statistics import median
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_ROUNDS = 25
"""Repetitions of what takes milliseconds; the median of 25 is steady to a few per cent on a quiet machine."""


@dataclass(frozen=True, slots=True)
class Measurement:
    """One line of the table."""

    name: str
    value: float
    """Median."""
    unit: str
    """``ms``, ``MB``, ``%``, or ``x`` for a ratio."""
    bar: float | None
    """At most this is wanted; None for the floor itself."""

    @property
    def is_met(self) -> bool:
        """True below the bar, or where there is none."""
        return self.bar is None or self.value <= self.bar


def floor(image_bgr: NDArray[np.uint8]) -> None:
    """Do what every reader of such a frame does at least."""
    import cv2

    gray = cv2.GaussianBlur(cv2.cvtColor(image_bgr, cv2.COLOR_BGR2GRAY), (5, 5), 0)
    binary = cv2.adaptiveThreshold(gray, 255, cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY, 51, -10)
    cv2.findContours(binary, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)


def median_ms(work: Callable[[], Any], rounds: int | None = None) -> float:
    """Median time of a piece of work in milliseconds, after one round to warm up."""
    work()
    times = []
    gc.collect()
    for _ in range(rounds or _ROUNDS):
        start_s = time.perf_counter()
        work()
        times.append(time.perf_counter() - start_s)
    return 1000 * median(times)


def process_cost(command: list[str]) -> tuple[float, float]:
    """Run a command and return its time in milliseconds and its peak memory in MB (0 on Windows, which does not tell).

    A small process in between starts it: the system counts the memory of who starts a process as that process's own.
    """
    done = subprocess.run([sys.executable, "-c", _LAUNCHER, *command], stdout=subprocess.PIPE, text=True, check=True)
    start_ms, peak = map(float, done.stdout.splitlines()[-1].split())
    return start_ms, peak / (2**20 if sys.platform == "darwin" else 2**10)


_LAUNCHER = """
import os, signal, subprocess, sys, time
signal.signal(signal.SIGINT, signal.SIG_DFL)  # Ctrl-C ends it quietly
start_s = time.perf_counter()
process = subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL)
peak = os.wait4(process.pid, 0)[2].ru_maxrss if hasattr(os, "wait4") else process.wait() * 0
print(1000 * (time.perf_counter() - start_s), peak)
"""
