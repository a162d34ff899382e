"""Numbers on the command line: those that a command means, and a line for all others."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

from visionset.errors import without_passwords

N = TypeVar("N", int, float)

_MOST_DIGITS = 18
"""Of a match's number, which SQLite counts up from 1."""


def whole_number(least: int, most: int) -> Callable[[str], int]:
    """Read a whole number within limits.

    >>> whole_number(1, 9)("3")
    3
    >>> whole_number(1, 100_000)("0")
    Traceback (most recent call last):
        ...
    argparse.ArgumentTypeError: expected a whole number from 1 to 100000, got 0
    """

    return _within(int, "whole number", least, most)


def integer(text: str) -> int:
    """Read a whole number of which the command itself says later whether it makes sense."""
    with suppress(ValueError):
        return int(text)
    raise argparse.ArgumentTypeError(f"expected a whole number, got {text:.40}")


def real(least: float, most: float) -> Callable[[str], float]:
    """Read a number within limits."""
    return _within(float, "number", least, most)


def match_number(next_step: str) -> Callable[[str], int]:
    """Read the number of a match; what to do next is told to who gives something else."""

    def read(text: str) -> int:
        if not text.isdecimal() or len(text) > _MOST_DIGITS or int(text) < 1:
            step = "`visionset matches` lists them" if text.isdecimal() else next_step
            raise argparse.ArgumentTypeError(f"expected the number of a match, got {text:.40}; {step}")
        return int(text)

    return read


def _within(kind: Callable[[str], N], noun: str, least: N, most: N) -> Callable[[str], N]:
    def read(text: str) -> N:
        with suppress(ValueError):  # of thousands of digits too
            number = kind(text)
            if least <= number <= most:  # nan is not either
                return number
        raise argparse.ArgumentTypeError(f"expected a {noun} from {least} to {most}, got {without_passwords(text):.40}")

    return read
