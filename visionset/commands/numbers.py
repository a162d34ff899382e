"""Numbers on the command line: those that a command means, and a line for all others."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

N = TypeVar("N", int, float)


def whole_number(least: int, most: int) -> Callable[[str], int]:
    """Read a whole number within limits.

    >>> whole_number(1, 9)("3")
    3
    >>> whole_number(1, 9)("12")
    Traceback (most recent call last):
        ...
    argparse.ArgumentTypeError: expected a whole number from 1 to 9, got 12
    """

    return _within(int, "whole number", least, most)


def real(least: float, most: float) -> Callable[[str], float]:
    """Read a number within limits."""
    return _within(float, "number", least, most)


def _within(kind: Callable[[str], N], noun: str, least: float, most: float) -> Callable[[str], N]:
    def read(text: str) -> N:
        with suppress(ValueError):  # of thousands of digits too
            number = kind(text)
            if least <= number <= most:  # nan is not either
                return number
        raise argparse.ArgumentTypeError(f"expected a {noun} from {least:g} to {most:g}, got {text:.40}")

    return read
