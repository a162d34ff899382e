"""Numbers on the command line: those that a command means, and a line for all others."""

from __future__ import annotations

import argparse
from collections.abc import Callable


def whole_number(least: int, most: int) -> Callable[[str], int]:
    """Read a whole number within limits.

    >>> whole_number(1, 9)("3")
    3
    >>> whole_number(1, 9)("12")
    Traceback (most recent call last):
        ...
    argparse.ArgumentTypeError: expected a whole number from 1 to 9, got 12
    """

    def read(text: str) -> int:
        try:
            number = int(text)
        except ValueError:  # also thousands of digits
            number = least - 1
        if not least <= number <= most:
            raise argparse.ArgumentTypeError(f"expected a whole number from {least} to {most}, got {text:.40}")
        return number

    return read


def real(least: float, most: float) -> Callable[[str], float]:
    """Read a number within limits."""

    def read(text: str) -> float:
        try:
            number = float(text)
        except ValueError:
            number = least - 1
        if not least <= number <= most:  # nan is not either
            raise argparse.ArgumentTypeError(f"expected a number from {least:g} to {most:g}, got {text:.40}")
        return number

    return read
